#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "cli/run/play.h"
#include "reports/view/requirements.h"

namespace assay::cli {

namespace {

using harness::MatchEnd;
using harness::Verdict;

constexpr int kRejected = 1;
constexpr int kUndecided = 3;
constexpr int kNoVerdict = 4;

/// 0 where no match ended by a failure of a program, the machine or the store.
int failure_code(const harness::RunOutcome& outcome, bool gate) {
    for (const MatchEnd& end : outcome.ends) {
        switch (end.cause) {
            case MatchEnd::Cause::KeepsFailing:
                // It had been well in this run and broke: that is a finding about the program.
                return gate && end.program == 0 ? kRejected : kNoVerdict;
            case MatchEnd::Cause::CannotStart:
            case MatchEnd::Cause::MachineFailed:
            case MatchEnd::Cause::StoreFailed:
                return kNoVerdict;
            case MatchEnd::Cause::Played:
            case MatchEnd::Cause::Decided:
            case MatchEnd::Cause::BookExhausted:
            case MatchEnd::Cause::OutOfTime:
            case MatchEnd::Cause::Interrupted:
                break;
        }
    }
    return 0;
}

/// 0 where every search of the suite left a tree.
int search_failure_code(const harness::SuiteOutcome& suite, std::size_t programs, bool gate) {
    if (suite.end.cause == harness::SuiteEnd::Cause::StoreFailed) return kNoVerdict;
    int code = 0;
    for (const harness::SearchRecord& search : suite.result.searches) {
        if (!search.is_failure()) continue;
        // It had shaken hands, and a build under test broke: that is a finding about it.
        const bool is_finding =
            search.end == harness::SearchEnd::Crash || search.end == harness::SearchEnd::Hang;
        const bool is_baseline = programs > 1 && search.program + 1 == programs;
        if (!gate || !is_finding || is_baseline) return kNoVerdict;
        code = kRejected;
    }
    return code;
}

int verdict_code(Verdict verdict, InconclusiveAs inconclusive) {
    switch (verdict) {
        case Verdict::Accepted:
            return 0;
        case Verdict::Rejected:
            return kRejected;
        case Verdict::Inconclusive:
        case Verdict::None:
            break;
    }
    switch (inconclusive) {
        case InconclusiveAs::Pass:
            return 0;
        case InconclusiveAs::Fail:
            return kRejected;
        case InconclusiveAs::Code3:
            break;
    }
    return kUndecided;
}

/// A requirement of speed that all benchmark runs together could not settle.
bool is_speed_open(const harness::RunRecord& run) {
    return std::any_of(run.findings.speed.begin(), run.findings.speed.end(),
                       [](const harness::SpeedFinding& speed) {
                           return speed.state == harness::SpeedFinding::State::Undecided;
                       });
}

}  // namespace

bool is_github_action() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const value = std::getenv("GITHUB_ACTIONS");
    return value != nullptr && std::string_view(value) == "true";
}

int exit_code_of(const harness::RunOutcome& outcome, bool gate, InconclusiveAs inconclusive) {
    if (outcome.signal != 0) return 128 + outcome.signal;
    using Before = harness::RunOutcome::Before;
    if (outcome.before == Before::Skipped) return 0;
    if (outcome.before == Before::CannotPlay) return kNoVerdict;
    if (outcome.before == Before::BenchMismatch) return kRejected;
    if (const int code = failure_code(outcome, gate); code != 0) return code;
    if (outcome.suite) {
        const std::size_t programs = outcome.run.plan.suite->programs.size();
        const int code = search_failure_code(*outcome.suite, programs, gate);
        if (code != 0) return code;
        if (outcome.suite->result.count(harness::Holds::No) > 0) return kRejected;
    }
    for (const harness::MatchTally& tally : outcome.matches) {
        if (!reports::broken_requirements(tally, outcome.run).empty()) return kRejected;
    }
    if (!gate) return 0;
    if (!outcome.run.findings.control.empty()) return kUndecided;
    for (const harness::MatchTally& tally : outcome.matches) {
        if (tally.is_tainted()) return kUndecided;
    }
    if (outcome.suite && outcome.suite->result.count(harness::Holds::Unknown) > 0) {
        const int code = verdict_code(Verdict::Inconclusive, inconclusive);
        if (code != 0) return code;
    }
    for (const harness::MatchTally& tally : outcome.matches) {
        if (tally.plan().is_control) continue;
        const int code = verdict_code(tally.verdict(), inconclusive);
        if (code != 0) return code;
    }
    return is_speed_open(outcome.run) ? verdict_code(Verdict::Inconclusive, inconclusive) : 0;
}

}  // namespace assay::cli
