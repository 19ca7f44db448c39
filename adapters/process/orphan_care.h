#pragma once

namespace assay::adapters {

/// Keeps the processes that programs leave behind in reach. While at least one object lives, this
/// process is the parent of every descendant that has lost its own (PR_SET_CHILD_SUBREAPER),
/// whatever group, session and environment that has given itself. The destructor kills them with
/// all their descendants, but no child that was there before. Where the system refuses (another
/// user's process), they stay.
/// Who starts a process announces it, because a child that was adopted looks like one that was
/// started. Any thread may call.
class OrphanCare {
public:
    OrphanCare();
    OrphanCare(const OrphanCare&) = delete;
    OrphanCare& operator=(const OrphanCare&) = delete;
    /// REQUIRES: the programs of its owner have been killed. Takes a second at most.
    ~OrphanCare();

    /// A start begins on this thread; the next call ends it. `pid`: -1 where it has failed.
    static void begin_start();
    static void end_start(int pid);

    /// fork() of a helper that is no program.
    [[nodiscard]] static int fork_helper();

    /// Reaps orphans that have ended.
    static void reap();
};

}  // namespace assay::adapters
