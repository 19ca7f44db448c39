#include "reports/requirements.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/bench_run.h"
#include "reports/verdict.h"
#include "reports/words.h"

namespace assay::reports {

namespace {

void require_at_most(std::vector<std::string>& broken, const std::optional<std::int64_t>& limit,
                     std::int64_t found, const char* one, const char* many) {
    if (limit && found > *limit) {
        broken.push_back(
            fmt::format("{} {}, at most {} allowed", found, found == 1 ? one : many, *limit));
    }
}

}  // namespace

std::vector<std::string> broken_requirements(const harness::MatchTally& tally,
                                             const harness::RunRecord& run) {
    const harness::MatchPlan& plan = tally.plan();
    const harness::Failures& failures = tally.all_failures()[0];
    std::vector<std::string> broken;
    require_at_most(broken, plan.require.crashes, failures.crashes + failures.stalls,
                    "crash or stall", "crashes or stalls");
    require_at_most(broken, plan.require.time_losses, failures.time_losses, "loss on time",
                    "losses on time");
    require_at_most(broken, plan.require.illegal_moves, failures.illegal_moves, "illegal move",
                    "illegal moves");
    for (const harness::SpeedFinding& speed : run.findings.speed) {
        const bool is_it = speed.match < run.plan.matches.size() &&
                           run.plan.matches[speed.match].name == plan.name;
        if (is_it && speed.state == harness::SpeedFinding::State::Broken) {
            broken.push_back("speed " + harness::speed_text(speed));
        }
    }
    for (std::string& sentence : broken) {
        sentence = run.plan.programs[plan.between[0]].name + ": " + sentence;
    }
    return broken;
}

std::vector<std::string> broken_requirements(const RunView& view) {
    std::vector<std::string> all;
    for (const MatchView& match : view.matches) {
        for (std::string& broken : broken_requirements(*match.tally, view.run))
            all.push_back(std::move(broken));
    }
    return all;
}

bool is_unplayed(const harness::MatchTally& tally) {
    return tally.games() == 0 && tally.pairs() == 0 && tally.meters().wall_us == 0;
}

std::string unplayed_reason(const RunView& view, const MatchView& match) {
    const bool is_first = &match == view.matches.data();
    if (is_first || view.run.state != harness::RunState::Finished) return "it was not begun";
    return "it was not begun: the match before it was not accepted";
}

bool is_undecided(const RunView& view, const MatchView& match) {
    if (!verdict_word(*match.tally).empty()) return false;
    return match.tally->plan().stop.rule != harness::StopPlan::Rule::None ||
           view.run.state != harness::RunState::Finished;
}

std::string undecided_reason(const RunView& view, const MatchView& match) {
    const harness::MatchTally& tally = *match.tally;
    if (!verdict_word(tally).empty()) return "";
    const std::string progress = fmt::format("after {} of at most {}", grouped(tally.pairs()),
                                             counted(tally.plan().pairs, "pair"));
    const std::string reason = printable_utf8(view.run.end_reason);
    switch (view.run.state) {
        case harness::RunState::Failed:
            return "stopped: " + reason;
        case harness::RunState::Interrupted:
            return fmt::format("{} {}; resume with {}", reason.empty() ? "stopped" : reason,
                               progress, resume_command(view.run));
        case harness::RunState::Running:
            return "not finished, so far " + progress;
        case harness::RunState::Finished:
            break;
    }
    if (is_unplayed(tally)) return unplayed_reason(view, match);
    if (tally.plan().stop.rule == harness::StopPlan::Rule::None)
        return "no stop rule, so no verdict";
    return "the rule has not decided " + progress;
}

}  // namespace assay::reports
