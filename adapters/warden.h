#pragma once
#include <string>

#include "adapters/unique_fd.h"

namespace assay::adapters {

/// A small process of ours that outlives us by some milliseconds. It holds the reading end of a
/// pipe whose writing end is ours alone; when that closes, for whatever reason (kill -9 included),
/// it kills every process group it was told of, and every process whose environment has the mark,
/// which finds those that left their group. Then it ends.
/// The system's parent-death signal does not do this: it reaches children, not grandchildren.
class Warden {
public:
    /// Forks. Where that fails there is no warden, and the parent-death signal is all.
    Warden();
    Warden(const Warden&) = delete;
    Warden& operator=(const Warden&) = delete;
    /// Waits for the warden to have killed what is left.
    ~Warden();

    void watch(int group);
    void unwatch(int group);

    /// "ASSAY_MARK=…", to be put into the environment of every program.
    [[nodiscard]] const std::string& mark() const { return mark_; }

private:
    void tell(int message) const;

    std::string mark_;
    UniqueFd pipe_;
    int pid_ = -1;
};

}  // namespace assay::adapters
