#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "harness/plan/plan.h"

namespace assay::harness {

/// Where games are played at once, which several executors share: each has a slot for every place,
/// and a place is free while no slot of that number plays. One thread.
class Places {
public:
    /// Whether an executor plays in its slot of this number.
    using IsPlaying = std::function<bool(std::size_t place)>;

    explicit Places(int count) : count_(static_cast<std::size_t>(count)) {}

    /// One executor more; what `is_playing` asks outlives the last call.
    void add(IsPlaying is_playing) { executors_.push_back(std::move(is_playing)); }

    [[nodiscard]] bool is_free(std::size_t place) const {
        return std::ranges::none_of(executors_,
                                    [place](const IsPlaying& is_it) { return is_it(place); });
    }

    [[nodiscard]] bool has_free() const {
        for (std::size_t place = 0; place < count_; ++place)
            if (is_free(place)) return true;
        return false;
    }

private:
    std::size_t count_;
    std::vector<IsPlaying> executors_;
};

/// The match behind the last one that may be begun while `first` is played, on places that it
/// leaves free: those that follow it with as many games at once on the same processors. A match
/// with a budget of minutes has all places from its beginning. Throws Error where pinned_to() does.
[[nodiscard]] std::size_t end_of_sharing(const RunPlan& plan, std::size_t first);

}  // namespace assay::harness
