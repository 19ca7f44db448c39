#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "adapters/process/unique_fd.h"

namespace assay::adapters {

/// A small process of ours that outlives us by some milliseconds. It holds the reading end of a
/// pipe whose writing end is ours alone; when that closes, for whatever reason (kill -9 included),
/// it kills every process group that stands in a table that both have in memory, and every process
/// whose environment has the mark, which finds those that left their group. Then it ends. While we
/// live it sleeps: to watch a group costs no system call and no wake-up. The system's parent-death
/// signal does not do this: it reaches children, not grandchildren.
class GroupKiller {
public:
    /// Forks. Where that fails there is no group_killer, and the parent-death signal is all.
    GroupKiller();
    GroupKiller(const GroupKiller&) = delete;
    GroupKiller& operator=(const GroupKiller&) = delete;
    /// Waits for the group_killer to have killed what is left.
    ~GroupKiller();

    /// At most 16,384 groups; of more, the mark alone is left.
    void watch(int group);
    void unwatch(int group);

    /// "ASSAY_MARK=…", to be put into the environment of every program.
    [[nodiscard]] const std::string& mark() const { return mark_; }

private:
    void put(std::size_t place, int group);

    std::string mark_;
    std::span<int> groups_;  // shared with the group_killer; 0 behind the last
    std::size_t watched_ = 0;
    UniqueFd pipe_;
    int pid_ = -1;
};

}  // namespace assay::adapters
