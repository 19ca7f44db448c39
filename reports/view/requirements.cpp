#include "reports/view/requirements.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/build/bench_run.h"
#include "reports/view/verdict.h"
#include "reports/view/words.h"

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
    return broken_requirements(tally.all_failures()[0], tally.plan(), run);
}

std::vector<std::string> broken_requirements(const harness::Failures& failures,
                                             const harness::MatchPlan& plan,
                                             const harness::RunRecord& run) {
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
    const auto at = std::ranges::find(view.matches, match.tally, &MatchView::tally);
    const auto index = static_cast<std::size_t>(at - view.matches.begin());
    const auto* const speed = harness::speed_of_match(view.run.findings, index);
    const bool is_open =
        speed != nullptr && speed->state == harness::SpeedFinding::State::Undecided;
    return word == "accepted" && is_open ? "inconclusive" : word;
}

namespace {

/// Of a gate that came to its end, and was not left without a verdict.
std::string end_word(const GateFacts& facts) {
    const bool is_one = facts.exit_code == 1;
    // Nothing that was asked for says so where a search of the first program crashed.
    if (facts.is_broken || (is_one && facts.is_search_failed)) return "rejected";
    // A taint would have been 3, so that something before it made the code 1.
    if (facts.is_tainted) return is_one ? "rejected" : "tainted";
    const auto is_rejected = [](harness::Verdict one) { return one == harness::Verdict::Rejected; };
    // With `--inconclusive pass` what is open does not end the search for a reason.
    if (is_one && std::ranges::any_of(facts.verdicts, is_rejected)) return "rejected";
    if (facts.is_suite_open) return "inconclusive";
    for (const harness::Verdict verdict : facts.verdicts) {
        if (verdict == harness::Verdict::Accepted) continue;
        return is_rejected(verdict) ? "rejected" : "inconclusive";
    }
    if (facts.is_speed_open || facts.exit_code == 3) return "inconclusive";
    return is_one ? "rejected" : "accepted";
}

}  // namespace

GateFacts gate_facts(const harness::RunRecord& run, const harness::SuiteResult* suite,
                     std::optional<int> exit_code) {
    GateFacts facts;
    facts.state = run.state;
    facts.exit_code = exit_code;
    facts.is_tainted = !run.findings.control.empty();
    facts.is_speed_open =
        std::ranges::any_of(run.findings.speed, [](const harness::SpeedFinding& speed) {
            return speed.state == harness::SpeedFinding::State::Undecided;
        });
    if (suite == nullptr) return facts;
    facts.is_broken = suite->count(harness::Holds::No) > 0;
    facts.is_suite_open = suite->count(harness::Holds::Unknown) > 0;
    facts.is_search_failed =
        std::ranges::any_of(suite->searches, &harness::SearchRecord::is_failure);
    return facts;
}

std::string gate_word(const GateFacts& facts) {
    const int code = facts.exit_code.value_or(0);
    if (facts.state == harness::RunState::Running) return "";
    if (facts.state == harness::RunState::Interrupted || code >= 128) return "stopped";
    if (code == 4) return "no verdict";
    if (facts.state == harness::RunState::Failed) return code == 1 ? "rejected" : "no verdict";
    return end_word(facts);
}

std::string outcome_word(const RunView& view) {
    if (!is_gate(view.run)) {
        return view.matches.empty() ? "" : std::string(verdict_word(*view.matches.front().tally));
    }
    GateFacts facts = gate_facts(view.run, view.suite, view.exit_code);
    facts.is_broken = facts.is_broken || !broken_requirements(view).empty();
    for (const MatchView& match : view.matches) {
        facts.is_tainted = facts.is_tainted || match.tally->is_tainted();
        if (!match.tally->plan().is_control) facts.verdicts.push_back(match.tally->verdict());
    }
    return gate_word(facts);
}

bool is_unplayed(const harness::MatchTally& tally) {
    return tally.games() == 0 && tally.pairs() == 0 && tally.meters().wall_us == 0;
}

std::string unplayed_reason(const RunView& view, const MatchView& match) {
    const bool is_first = !view.matches.empty() && match.tally == view.matches.front().tally;
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
