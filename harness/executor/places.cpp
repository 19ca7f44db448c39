#include "harness/executor/places.h"

#include "harness/match/match_setting.h"

namespace assay::harness {

std::size_t end_of_sharing(const RunPlan& plan, std::size_t first) {
    const MatchPlan& match = plan.matches.at(first);
    std::size_t end = first + 1;
    if (plan.slurm) return end;  // the end of a match ends its tasks, which are the run's
    for (; end < plan.matches.size(); ++end) {
        const MatchPlan& later = plan.matches[end];
        const bool has_same_places = concurrency_of(plan, later) == concurrency_of(plan, match) &&
                                     pinned_to(plan, later) == pinned_to(plan, match);
        if (!has_same_places || later.stop.minutes) break;
    }
    return end;
}

}  // namespace assay::harness
