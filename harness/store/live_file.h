#pragma once
#include <memory>
#include <optional>
#include <string>

#include "harness/record/live.h"

namespace assay::harness {

/// Shows the games in play of a run to other processes (`assay serve`): the file STORE.live beside
/// the store, which always holds the latest state, and goes with the object. put() only hands the
/// state over: a thread of the object's own makes the text and writes it, and where it lags behind,
/// states in between are left out. Nothing is forced to the disk. Where the file cannot be made or
/// written (a full disk, another user's file of that name), nobody can watch, and the run goes on
/// without a word. One thread puts.
class LiveFile {
public:
    /// Replaces what a kill has left behind. REQUIRES: the store's lock is held (store_lock.h).
    explicit LiveFile(const std::string& store);
    LiveFile(const LiveFile&) = delete;
    LiveFile& operator=(const LiveFile&) = delete;
    /// Does not wait for a write that is stuck.
    ~LiveFile();

    void put(LiveState state);
    /// Waits until the latest state is in the file, or cannot be written.
    void flush();

private:
    struct Shared;

    std::string path_;
    std::shared_ptr<Shared> shared_;  // with the thread, which may outlive this
};

/// "STORE.live", where StoreLock has "STORE.lock".
[[nodiscard]] std::string live_path(const std::string& store);

/// What is being played into the store; nullopt where no living process tells of it, or what is
/// there is damaged (also: read while it was written, so that another look may see more). Checks
/// what it reads as input, since it may be anybody's file. Holds up no run that begins meanwhile.
/// Any thread may call.
[[nodiscard]] std::optional<LiveState> read_live(const std::string& store);

}  // namespace assay::harness
