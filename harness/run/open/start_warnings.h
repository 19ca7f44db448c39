#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/match/match_setting.h"
#include "harness/record/listener.h"
#include "harness/record/run.h"

namespace assay::harness {

/// A book that is a pipe is waited for without a limit, as whoever writes it decides. One with a
/// name of its own is refused instead.
void tell_of_pipes(const RunPlan& plan, const std::vector<Listener*>& listeners);

/// Which part of its run a shard plays. REQUIRES: the run is one.
void tell_of_shard(const RunRecord& run, const std::vector<Listener*>& listeners);

/// What a user should know of books and machine before the first game. `settings`: by match;
/// `machine`: GameRecord::machine of this session; `other_runs`: RunLock::warnings().
void warn_at_start(const RunRecord& run, const std::vector<MatchSetting>& settings,
                   std::int64_t machine, const std::vector<std::string>& other_runs,
                   const std::vector<Listener*>& listeners);

}  // namespace assay::harness
