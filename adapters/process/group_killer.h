#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "base/unique_fd.h"

namespace assay::adapters {

/// The variable that marks what we have started.
inline constexpr const char* kMarkVariable = "ASSAY_MARK";

/// Starts a small helper process that kills the programs when assay itself has ended. The helper
/// holds the reading end of a pipe whose writing end belongs to assay alone; when that closes, for
/// whatever reason (kill -9 included), it kills every process group in a table that both share in
/// memory, and every process whose environment has the mark, which finds those that left their
/// group. Then it ends. Until then it sleeps: watching a group costs no system call and no wake-up.
/// The system's parent-death signal is not enough: it reaches children, not grandchildren.
class GroupKiller {
public:
    /// Forks. Where that fails there is no helper, and the parent-death signal is all there is.
    GroupKiller();
    GroupKiller(const GroupKiller&) = delete;
    GroupKiller& operator=(const GroupKiller&) = delete;
    /// Returns when the helper has killed what is left.
    ~GroupKiller();

    /// At most 16,384 groups; of more, the mark alone is left.
    void watch(int group);
    void unwatch(int group);

    /// "ASSAY_MARK=…", to be put into the environment of every program.
    [[nodiscard]] const std::string& mark() const { return mark_; }

private:
    void put(std::size_t place, int group);

    std::string mark_;
    std::span<int> groups_;  // shared with the helper; 0 behind the last
    std::size_t watched_ = 0;
    UniqueFd pipe_;
    int pid_ = -1;
};

}  // namespace assay::adapters
