// Writes games in a thread of its own, because a commit waits for the disk, for seconds where it is
// busy, and the event loop has clocks to read. Nothing counts before it is durable: the answer to a
// job is sent after the commit that holds it.
//
// Jobs that come within kGather share one transaction. A commit costs an fsync however much it
// holds, so that fast games would otherwise spend more time on waiting for the disk than on play.
// The price is that a result counts up to kGather later; hurry() and flush() cut that short where
// somebody waits.
//
// The packing of moves is done by the caller's thread and shrinks a game to an eighth, so that a
// queue behind a slow disk grows by packed games.
#include "harness/store/store_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay::harness {

namespace {

// Keeps a transaction within milliseconds: 256 games are about 1 MB.
constexpr std::size_t kLargestBatch = 256;

}  // namespace

void StoreWriter::write(Store& store, const Packed& packed) {
    const WriteJob& job = packed.job;
    store.write_game(job.run, job.match, job.game, packed.moves);
    if (job.pair) store.write_pair(job.run, job.match, *job.pair);
}

StoreWriter::StoreWriter(Store store, OnWritten on_written, OnError on_error)
    : store_(std::move(store)),
      on_written_(std::move(on_written)),
      on_error_(std::move(on_error)),
      thread_([this] { loop(); }) {}

StoreWriter::~StoreWriter() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    work_waits_.notify_one();
    thread_.join();
}

void StoreWriter::put(Item item) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(item));
        ++given_;
    }
    work_waits_.notify_one();
}

void StoreWriter::enqueue(WriteJob job) {
    PackedMoves moves = pack_moves(job.game);
    moves.blob.shrink_to_fit();
    // Not "= {}", which keeps the capacity: eight times the size of the packed moves.
    job.game.moves = std::vector<MoveRecord>();
    put(Packed{std::move(job), std::move(moves)});
}

void StoreWriter::enqueue_pair(std::int64_t run, std::size_t match, const PairDigest& pair) {
    put(Work([run, match, pair](Store& store) { store.write_pair(run, match, pair); }));
}

void StoreWriter::enqueue_meters(std::int64_t run, std::size_t match, const RunMeters& meters) {
    put(Work([run, match, meters](Store& store) { store.set_meters(run, match, meters); }));
}

void StoreWriter::enqueue_versions(std::int64_t run, std::vector<VersionRecord> versions) {
    put(Work([run, versions = std::move(versions)](Store& store) {
        store.set_versions(run, versions);
    }));
}

void StoreWriter::hurry() {
    {
        const std::lock_guard lock(mutex_);
        is_hurried_ = !waiting_.empty();
    }
    work_waits_.notify_one();
}

void StoreWriter::flush() {
    std::unique_lock lock(mutex_);
    const std::uint64_t goal = given_;
    ++flushing_;
    work_waits_.notify_one();
    batch_done_.wait(lock, [&] { return completed_ >= goal; });
    --flushing_;
}

void StoreWriter::loop() {
    std::unique_lock lock(mutex_);
    while (true) {
        work_waits_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
        // Only when stopping: whatever was given before the end is written.
        if (waiting_.empty()) return;
        work_waits_.wait_for(lock, kGather, [&] {
            return stopping_ || is_hurried_ || flushing_ > 0 || waiting_.size() >= kLargestBatch;
        });
        std::vector<Item> batch;
        if (waiting_.size() <= kLargestBatch) {
            batch.swap(waiting_);
            is_hurried_ = false;
        } else {
            const auto end = waiting_.begin() + kLargestBatch;
            batch.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
            waiting_.erase(waiting_.begin(), end);
        }
        lock.unlock();
        write_batch(batch);
        lock.lock();
        completed_ += batch.size();
        batch_done_.notify_all();
    }
}

void StoreWriter::write_batch(const std::vector<Item>& batch) {
    bool is_hopeless = false;
    // A failure of the machine (a full disk) hits all items alike, and trying each would only wait
    // as often. Any other failure belongs to one item.
    std::string error = try_write(batch.data(), batch.size(), is_hopeless);
    if (error.empty() || is_hopeless || batch.size() == 1) {
        for (const Item& item : batch) report(item, error);
        return;
    }
    // One item made the batch fail. Each is written by itself, so that the others become durable.
    for (const Item& item : batch) {
        if (!is_hopeless) error = try_write(&item, 1, is_hopeless);
        report(item, error);
    }
}

std::string StoreWriter::try_write(const Item* first, std::size_t count, bool& is_hopeless) {
    is_hopeless = false;
    try {
        store_.transaction([&] {
            std::for_each(first, first + count, [&](const Item& item) {
                if (const auto* const packed = std::get_if<Packed>(&item)) {
                    write(store_, *packed);
                } else {
                    std::get<Work>(item)(store_);
                }
            });
        });
        return {};
    } catch (const StoreFailure& error) {
        is_hopeless = true;
        return error.what();
    } catch (const std::exception& error) {
        return error.what();
    }
}

void StoreWriter::report(const Item& item, const std::string& error) const {
    if (const auto* const packed = std::get_if<Packed>(&item)) {
        const WriteJob& job = packed->job;
        on_written_({job.match, job.game.pair, job.game.game, job.game.attempt, job.pair, error});
    } else if (!error.empty()) {
        on_error_(error);
    }
}

}  // namespace assay::harness
