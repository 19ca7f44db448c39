#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "harness/store/store.h"

namespace assay::harness {

/// A finished game on its way to the store. `pair` comes with a pair's second game, so that a kill
/// never leaves both games without their pair.
struct WriteJob {
    std::int64_t run = 0;
    std::size_t match = 0;
    GameRecord game;
    std::optional<PairDigest> pair;
};

/// What became of a WriteJob.
struct Written {
    std::size_t match = 0;
    std::int64_t pair = 0;
    int game = 0;
    int attempt = 0;
    std::optional<PairDigest> finished;  // WriteJob::pair
    std::string error;  // empty: the game is durable; else the reason why it is not

    [[nodiscard]] bool is_durable() const { return error.empty(); }
};

/// Owns a Store and a thread that writes to it, so that the event loop never waits for the disk.
/// What comes within kGather goes into one commit, as does all that waits when a commit ends: few
/// commits, no game waits much longer than one takes, and a slow disk means larger transactions
/// instead of a longer queue. What waits is packed. Jobs are written in
/// the order given; a job that fails does not stop later ones.
/// Any thread may call; the callbacks come on the writer's own thread, must return soon and may not
/// throw. The destructor writes all that waits, calls back, and then returns.
class StoreWriter {
public:
    static constexpr std::chrono::milliseconds kGather{15};

    using OnWritten = std::function<void(const Written&)>;
    /// For work other than games: the reason why it failed.
    using OnError = std::function<void(const std::string&)>;

    StoreWriter(Store store, OnWritten on_written, OnError on_error);
    StoreWriter(const StoreWriter&) = delete;
    StoreWriter& operator=(const StoreWriter&) = delete;
    ~StoreWriter();

    void enqueue(WriteJob job);
    /// The pair's state, new or changed; its games have been given before.
    void enqueue_pair(std::int64_t run, std::size_t match, const PairDigest& pair);
    void enqueue_meters(std::int64_t run, std::size_t match, const RunMeters& meters);
    void enqueue_versions(std::int64_t run, std::vector<VersionRecord> versions);

    /// Nothing more will come before what waits is written: it is not gathered any longer.
    void hurry();
    /// Waits until all that was given before has been written and called back.
    void flush();

private:
    struct Packed {
        WriteJob job;  // without its moves
        PackedMoves moves;
    };

    /// Runs inside a transaction; a second time where the transaction of its first was rolled back.
    using Work = std::function<void(Store&)>;
    using Item = std::variant<Packed, Work>;

    static void write(Store& store, const Packed& packed);
    void put(Item item);
    void loop();
    void write_batch(const std::vector<Item>& batch);
    /// The reason where it failed, empty where it is durable.
    [[nodiscard]] std::string try_write(const Item* first, std::size_t count, bool& is_hopeless);
    void report(const Item& item, const std::string& error) const;

    Store store_;
    OnWritten on_written_;
    OnError on_error_;
    std::mutex mutex_;
    std::condition_variable work_waits_;
    std::condition_variable batch_done_;
    std::vector<Item> waiting_;    // guarded by mutex_, as are the next five
    std::uint64_t given_ = 0;      // items put in, and
    std::uint64_t completed_ = 0;  // items called back, since the start
    bool stopping_ = false;
    bool is_hurried_ = false;  // until nothing waits
    int flushing_ = 0;         // callers of flush() that wait
    std::thread thread_;       // last: it uses all the others
};

}  // namespace assay::harness
