#include "reports/requirements.h"

#include <algorithm>
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
    const harness::Failures failures = tally.all_failures()[0];
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

std::vector<std::string> open_requirements(const RunView& view) {
    std::vector<std::string> open;
    for (const harness::SpeedFinding& speed : view.run.findings.speed) {
        if (speed.state != harness::SpeedFinding::State::Undecided ||
            speed.match >= view.run.plan.matches.size())
            continue;
        const harness::MatchPlan& plan = view.run.plan.matches[speed.match];
        open.push_back(fmt::format("{}: speed {}", program_name(view.run, plan, 0),
                                   harness::speed_text(speed)));
    }
    return open;
}

std::string match_word(const RunView& view, const MatchView& match) {
    std::string word(verdict_word(*match.tally));
    if (!is_gate(view.run) || match.tally->plan().is_control) return word;
    if (!broken_requirements(*match.tally, view.run).empty()) return "rejected";
    const auto index = static_cast<std::size_t>(&match - view.matches.data());
    const auto* const speed = harness::speed_of_match(view.run.findings, index);
    const bool is_open =
        speed != nullptr && speed->state == harness::SpeedFinding::State::Undecided;
    return word == "accepted" && is_open ? "inconclusive" : word;
}

namespace {

/// Of a gate that came to its end, in the order in which its exit code is chosen.
std::string gate_word(const RunView& view) {
    if (!broken_requirements(view).empty()) return "rejected";
    const auto count = [&view](harness::Holds holds) {
        return view.suite == nullptr ? 0 : view.suite->count(holds);
    };
    if (count(harness::Holds::No) > 0) return "rejected";
    const bool is_tainted =
        std::any_of(view.matches.begin(), view.matches.end(),
                    [](const MatchView& match) { return match.tally->is_tainted(); });
    if (is_tainted || !view.run.findings.control.empty()) return "tainted";
    if (count(harness::Holds::Unknown) > 0) return "inconclusive";
    for (const MatchView& match : view.matches) {
        if (match.tally->plan().is_control) continue;
        const std::string_view word = verdict_word(*match.tally);
        if (word != "accepted") return word.empty() ? "inconclusive" : std::string(word);
    }
    return open_requirements(view).empty() ? "accepted" : "inconclusive";
}

}  // namespace

std::string outcome_word(const RunView& view) {
    if (!is_gate(view.run)) {
        return view.matches.empty() ? "" : std::string(verdict_word(*view.matches.front().tally));
    }
    const int code = view.exit_code.value_or(0);
    switch (view.run.state) {
        case harness::RunState::Running:
            return "";
        case harness::RunState::Interrupted:
            return "stopped";
        case harness::RunState::Failed:
            return code == 1 ? "rejected" : "no verdict";
        case harness::RunState::Finished:
            break;
    }
    const std::string word = gate_word(view);
    if (code == 4 && word != "rejected") return "no verdict";
    // A search of the first program that crashed: the suite has no expectation that says so.
    return code == 1 && word == "accepted" ? "rejected" : word;
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
