// The search for the first bad commit, where a judgement costs a match. git orders the commits that
// are left, the one that halves them best first: it knows merges, which a list of commits does not
// show. A bad commit becomes the new end, a good one is added to those behind which the search
// goes on, and one that cannot be judged is stepped over, so that its neighbours are tried next.
//
// Judged on games, a commit is bad by a sequential test that errs with the chance `error` either
// way. After d decisions the commit that is found is the wrong one with a chance of at most
// d * error; result.decisions is that d. All judgements are runs in the store, so that a search
// that was stopped repeats none of them.
//
// Cost: about log2(n) judgements for n commits, and one for each that is stepped over.
#include "harness/bisect/git_bisect.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/build/bench_run.h"
#include "harness/build/build_versions.h"
#include "harness/match/pair_counter.h"

namespace assay::harness {

namespace {

using Judgement = BisectStep::Judgement;

constexpr std::int64_t kMostPairs = 20'000;
constexpr std::int64_t kCrashPairs = 50;
constexpr const char* kCandidate = "candidate";
constexpr const char* kGood = "good";

/// The first line of why a program could not be built; empty if it was built.
std::string build_failure(const std::vector<VersionRecord>& versions, std::size_t program) {
    const auto& build = versions.at(program).build;
    if (!build) return "";
    return build->failure.substr(0, build->failure.find('\n'));
}

BisectStep failed(BisectStep step, std::string reason) {
    step.is_failure = true;
    step.reason = std::move(reason);
    return step;
}

BisectStep with(BisectStep step, Judgement judgement, std::string reason) {
    step.judgement = judgement;
    step.reason = std::move(reason);
    return step;
}

}  // namespace

BisectResult bisect(const std::string& good, const std::string& bad,
                    const std::function<std::vector<std::string>(
                        const std::string& bad, const std::vector<std::string>& goods)>& order,
                    const std::function<BisectStep(const std::string& commit)>& judge) {
    BisectResult result;
    std::vector<std::string> goods{good};
    std::string worst = bad;
    std::set<std::string> skipped;
    while (true) {
        result.candidates = order(worst, goods);
        const auto next = std::find_if(result.candidates.begin(), result.candidates.end(),
                                       [&](const std::string& commit) {
                                           return commit != worst && !skipped.contains(commit);
                                       });
        if (next == result.candidates.end()) return result;
        BisectStep step = judge(*next);
        step.commit = *next;
        result.signal = step.signal;
        result.is_failure = step.is_failure;
        result.steps.push_back(step);
        if (step.signal != 0 || step.is_failure) return result;
        if (step.judgement == Judgement::Good) goods.push_back(step.commit);
        if (step.judgement == Judgement::Bad) worst = step.commit;
        if (step.judgement == Judgement::Skip) skipped.insert(step.commit);
        result.decisions += step.judgement == Judgement::Skip ? 0 : 1;
    }
}

const ProgramPlan& bisected_program(const RunPlan& plan, BisectOn on) {
    if (on == BisectOn::Query && !plan.suite)
        throw Error(
            "bisect --on query: the config has no 'suite' whose expectations could judge a commit");
    if (on != BisectOn::Query && plan.matches.empty())
        throw Error(
            "bisect: the config has no match; use --on query to bisect by a suite's expectations");
    const std::size_t index =
        on == BisectOn::Query ? plan.suite->programs.front() : plan.matches.front().between[0];
    const ProgramPlan& program = plan.programs.at(index);
    if (program.git) return program;
    throw Error(fmt::format("bisect: program '{}' has no 'git', so there are no commits to search",
                            printable_utf8(program.name)));
}

BisectJudge::BisectJudge(const RunPlan& plan, std::string good, const BisectRules& rules,
                         const RunOptions& options, std::vector<Listener*> listeners,
                         const Clock& clock)
    : plan_(plan),
      good_(std::move(good)),
      rules_(rules),
      options_(options),
      listeners_(std::move(listeners)),
      clock_(clock) {
    (void)bisected_program(plan, rules_.on);  // throws where there is none
    if (rules_.on == BisectOn::Query) check_expectations();
    options_.extend = 0;
    options_.gate = false;
}

void BisectJudge::check_expectations() {
    std::vector<SuiteExpectation>& all = plan_.suite->expectations;
    if (!rules_.expectation.empty()) {
        std::vector<std::string> names;
        names.reserve(all.size());
        for (const SuiteExpectation& one : all) names.push_back(one.name);
        const std::vector<std::string_view> candidates(names.begin(), names.end());
        std::erase_if(all,
                      [&](const SuiteExpectation& one) { return one.name != rules_.expectation; });
        if (all.empty()) {
            throw Error(fmt::format("bisect --expect: the suite has no expectation '{}'{}",
                                    printable_utf8(rules_.expectation),
                                    did_you_mean(rules_.expectation, candidates)));
        }
    }
    std::erase_if(all, [](const SuiteExpectation& one) { return one.is_report(); });
    if (all.empty())
        throw Error("bisect --on query: no expectation has a bound that a commit could break");
}

RunPlan BisectJudge::plan_for(const std::string& ref) const {
    RunPlan plan = plan_;
    plan.name = fmt::format("bisect {}", plan_.name);
    plan.control = false;
    plan.skip_if = SkipIf::Never;  // a commit may be the good one
    plan.at_end.clear();
    ProgramPlan candidate = bisected_program(plan_, rules_.on);
    candidate.name = kCandidate;
    candidate.git->ref = ref;
    // As for `require.speed`: a program that declares no benchmark has the usual one.
    if (rules_.on == BisectOn::Bench && !candidate.bench) candidate.bench = BenchPlan();
    // A signature that the config declares belongs to one version, so it is not checked here.
    if (candidate.bench) candidate.bench->signature.reset();
    if (candidate.bench) candidate.bench->signature_in_commit = false;
    if (rules_.on != BisectOn::Bench) candidate.bench.reset();
    ProgramPlan good = candidate;
    good.name = kGood;
    good.git->ref = good_;
    plan.programs = {candidate, good};
    if (rules_.on != BisectOn::Query) {
        set_match(plan);
        return plan;
    }
    plan.matches.clear();
    const bool is_compared = std::ranges::any_of(
        plan.suite->expectations,
        [](const SuiteExpectation& one) { return one.against_baseline.has_value(); });
    plan.suite->programs.assign(1, 0);
    if (is_compared) plan.suite->programs.push_back(1);
    return plan;
}

void BisectJudge::set_match(RunPlan& plan) const {
    plan.suite.reset();
    plan.matches.resize(1);
    MatchPlan& match = plan.matches.front();
    match.name = plan.name;
    match.between = {0, 1};
    match.time[1] = match.time[0];
    match.require = RequirePlan();
    match.stop = StopPlan();
    if (rules_.on == BisectOn::Crash) {
        match.pairs = rules_.pairs > 0 ? rules_.pairs : kCrashPairs;
        return;
    }
    match.pairs = rules_.pairs > 0 ? rules_.pairs : kMostPairs;
    match.stop.rule = StopPlan::Rule::Sprt;
    match.stop.model = StopPlan::Model::Normalized;
    match.stop.e0 = -rules_.width;
    match.stop.e1 = 0;
    match.stop.alpha = rules_.error;
    match.stop.beta = rules_.error;
}

std::optional<BisectStep> BisectJudge::judge_good() {
    if (rules_.on != BisectOn::Query && rules_.on != BisectOn::Crash) return std::nullopt;
    BisectStep step = judge(good_);
    if (step.signal != 0 || step.is_failure) return step;
    if (rules_.on == BisectOn::Query && step.run > 0) step = without_unanswerable(step);
    if (step.judgement != Judgement::Skip) return step;
    return failed(step, "the good commit cannot be judged: " + step.reason);
}

/// The same judgement of the good commit by the expectations that its log can answer. The
/// others are taken out of the plan: they would make every commit a skipped one.
BisectStep BisectJudge::without_unanswerable(const BisectStep& step) {
    const Store store(options_.store, Store::Access::Read);
    RunRecord run = store.find_run(std::to_string(step.run)).value();
    std::vector<SearchRecord> searches = store.searches(step.run);
    if (searches.empty()) return step;  // it was not built
    std::vector<SuiteExpectation>& asked = run.plan.suite->expectations;
    std::string trouble;
    for (std::size_t i = asked.size(); i-- > 0;) {
        const auto lacks = [i](const SearchRecord& search) {
            return i < search.answers.size() && is_unanswerable(search.answers[i]);
        };
        const auto found = std::ranges::find_if(searches, lacks);
        if (found == searches.end()) continue;
        trouble = fmt::format("'{}': {}", asked[i].name, found->answers[i].trouble);
        if (asked.size() > 1) {
            for (Listener* const listener : listeners_)
                listener->on_note(
                    fmt::format("left out, the good commit does not answer {}", trouble));
        }
        const auto at = static_cast<std::ptrdiff_t>(i);
        asked.erase(asked.begin() + at);
        for (SearchRecord& search : searches)
            if (i < search.answers.size()) search.answers.erase(search.answers.begin() + at);
    }
    if (asked.empty())
        throw Error("bisect --on query: the good commit answers none of the expectations; " +
                    trouble);
    plan_.suite->expectations = asked;
    return judged_by_suite(run, harness::judge(run.plan, std::move(searches)));
}

BisectStep BisectJudge::judge(const std::string& ref) {
    const RunPlan plan = plan_for(ref);
    return rules_.on == BisectOn::Bench ? judge_by_bench(plan) : judge_by_run(plan);
}

BisectStep BisectJudge::judged(const RunRecord& run, const MatchTally& tally,
                               const MatchEnd* end) const {
    BisectStep step;
    step.run = run.id;
    const std::string where = fmt::format("run {}, ", run.id);
    const Failures failures = tally.all_failures()[0];
    const std::int64_t crashes = failures.crashes + failures.stalls;
    const bool keeps_failing = end != nullptr && end->cause == MatchEnd::Cause::KeepsFailing;
    if (rules_.on == BisectOn::Crash) {
        if (crashes > 0 || (keeps_failing && end->program == 0)) {
            return with(step, Judgement::Bad,
                        fmt::format("{}{} in {}", where,
                                    counted(crashes, "crash or stall", "crashes or stalls"),
                                    counted(tally.pairs(), "pair")));
        }
        if (tally.pairs() == 0) return with(step, Judgement::Skip, where + "nothing was played");
        return with(step, Judgement::Good,
                    fmt::format("{}no crash in {}", where, counted(tally.pairs(), "pair")));
    }
    double points = 0;
    for (int i = 0; i < 5; ++i) {
        points += 0.5 * i * static_cast<double>(tally.pentanomial()[i]);
    }
    const std::string text = fmt::format("{}scored {} of {} in {}", where, points, tally.games(),
                                         counted(tally.pairs(), "pair"));
    if (tally.verdict() == Verdict::Accepted) return with(step, Judgement::Good, text);
    if (tally.verdict() == Verdict::Rejected) return with(step, Judgement::Bad, text);
    return with(step, Judgement::Skip, text + ": undecided");
}

BisectStep BisectJudge::judged_by_suite(const RunRecord& run, const SuiteResult& result) {
    BisectStep step;
    step.run = run.id;
    const std::string where = fmt::format("run {}, ", run.id);
    for (const SearchRecord& search : result.searches) {
        if (search.program == 0 || !search.is_failure()) continue;
        return failed(step, fmt::format("{}the good commit's search: {}", where, search.reason));
    }
    std::string broken;
    std::string unknown;
    for (const ExpectationResult& one : result.expectations) {
        const std::string text =
            fmt::format("{}: {}", run.plan.suite->expectations[one.expectation].name, one.reason);
        if (one.holds == Holds::No) broken += (broken.empty() ? "" : "; ") + text;
        if (one.holds == Holds::Unknown && unknown.empty()) unknown = text;
    }
    if (!broken.empty()) return with(step, Judgement::Bad, where + broken);
    if (!unknown.empty()) return with(step, Judgement::Skip, where + unknown);
    const std::size_t count = result.expectations.size();
    return with(step, Judgement::Good,
                where + counted(count, "expectation holds", "expectations hold"));
}

BisectStep BisectJudge::judge_by_run(const RunPlan& plan) {
    // Only judgements of commits can be used again: changed files may have changed since.
    const bool is_commit = plan.programs.front().git->ref != "worktree";
    options_.resume = false;
    if (is_commit) {
        const Store store(options_.store, Store::Access::Write);
        const std::string hash = plan_hash(plan);
        for (const RunRecord& run : store.runs()) {
            if (run.plan_hash != hash) continue;
            options_.resume = true;
            if (run.state != RunState::Finished) break;
            return plan.suite
                       ? judged_by_suite(run, harness::judge(run.plan, store.searches(run.id)))
                       : judged(run, tally_of(store, run, 0), nullptr);
        }
    }
    const RunOutcome outcome = execute(plan, options_, listeners_, clock_);
    BisectStep step;
    step.run = outcome.run.id;
    step.signal = outcome.signal;
    if (outcome.signal != 0) return step;
    if (outcome.before == RunOutcome::Before::CannotPlay) {
        const std::string own = build_failure(outcome.run.versions, 0);
        if (own.empty()) return failed(step, outcome.before_reason);
        return with(step, Judgement::Skip, "does not build: " + own);
    }
    if (!plan.suite) return judge_by_games(outcome, step);
    if (outcome.suite->end.cause == SuiteEnd::Cause::StoreFailed)
        return failed(step, outcome.suite->end.message);
    return judged_by_suite(outcome.run, outcome.suite->result);
}

BisectStep BisectJudge::judge_by_games(const RunOutcome& outcome, const BisectStep& step) const {
    const MatchEnd& end = outcome.ends.front();
    const bool is_first = end.program == 0;
    switch (end.cause) {
        case MatchEnd::Cause::MachineFailed:
        case MatchEnd::Cause::StoreFailed:
        case MatchEnd::Cause::NotPlayed:
            return failed(step, end.message);
        case MatchEnd::Cause::CannotStart:
        case MatchEnd::Cause::KeepsFailing:
            if (!is_first) return failed(step, end.message);
            if (rules_.on != BisectOn::Crash) return with(step, Judgement::Skip, end.message);
            break;
        case MatchEnd::Cause::Played:
        case MatchEnd::Cause::Decided:
        case MatchEnd::Cause::BookExhausted:
        case MatchEnd::Cause::OutOfTime:
        case MatchEnd::Cause::Interrupted:
            break;
    }
    return judged(outcome.run, outcome.matches.front(), &end);
}

BisectStep BisectJudge::judge_by_bench(const RunPlan& plan) {
    const Store store(options_.store, Store::Access::Write);
    Versions versions(plan, store, options_.outputs, [&](const std::string& text) {
        for (Listener* listener : listeners_) listener->on_note(text);
    });
    RunRecord run;
    run.plan = plan;
    run.versions = versions.resolve();
    BisectStep step;
    if (versions.build(run) != Versions::End::Ready) {
        const std::string own = build_failure(run.versions, 0);
        if (own.empty()) return failed(step, "the good commit does not build");
        return with(step, Judgement::Skip, "does not build: " + own);
    }
    const ProgramPlan candidate = placed_program(plan.programs[0], run.versions[0]);
    const ProgramPlan good = placed_program(plan.programs[1], run.versions[1]);
    if (rules_.percent) {
        const SpeedRun speed = compare_speed(versions.runner(), candidate, good, *rules_.percent);
        if (!speed.finding) {
            const std::string reason = "its bench " + speed.failure;
            const bool is_candidates = speed.guilty == 0 && !speed.is_machines;
            return is_candidates ? with(step, Judgement::Skip, reason) : failed(step, reason);
        }
        const std::string text = "speed " + speed_text(*speed.finding);
        if (speed.finding->state == SpeedFinding::State::Undecided)
            return with(step, Judgement::Skip, text + ": undecided");
        const bool holds = speed.finding->state == SpeedFinding::State::Holds;
        return with(step, holds ? Judgement::Good : Judgement::Bad, text);
    }
    const BenchRun now = run_bench(versions.runner(), candidate);
    const BenchRun then = run_bench(versions.runner(), good);
    for (const BenchRun* bench : {&now, &then}) {
        if (bench->is_machines)
            return failed(step, "its bench " + bench->failure + ": the machine ended it");
    }
    if (!then.said.nodes) return failed(step, "the good commit's bench reports no nodes");
    if (!now.said.nodes) return with(step, Judgement::Skip, "its bench reports no nodes");
    const std::string text = fmt::format("{} nodes, good {}", *now.said.nodes, *then.said.nodes);
    return with(step, now.said.nodes == then.said.nodes ? Judgement::Good : Judgement::Bad, text);
}

}  // namespace assay::harness
