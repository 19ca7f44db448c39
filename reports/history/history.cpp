// The history of a config is its runs by name, in the order of time, each match for itself. A year
// of nights is hundreds of runs, and to count each from its pairs would take seconds: finished runs
// have a stored summary, others are counted and remembered (SummaryMemo); rules are calibrated once
// for all nights with the same settings.
//
// What is compared over nights must be the same thing. A match is found by its name, or by its
// place where it was renamed; a suite's answers only where positions, limit and query are the same.
// Answers are sums over all positions: a night that misses one of them has none.
#include "reports/history/history.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/conditions/judgement.h"
#include "harness/match/match_summary.h"
#include "harness/match/pair_counter.h"
#include "harness/plan/resolved_stop.h"
#include "harness/tournament/tournament_state.h"
#include "reports/history/history_levels.h"
#include "reports/history/history_series.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"
#include "reports/view/verdict_text.h"
#include "reports/view/version_text.h"

namespace assay::reports {

namespace {

using harness::RunRecord;
using harness::RunState;

constexpr std::size_t kGamesForSpeed = 6000;  // of all nights together

/// Rules are calibrated once for all nights that share their settings.
class Rules {
public:
    [[nodiscard]] std::unique_ptr<stats::StopRule> fresh(const harness::MatchPlan& plan) {
        for (const Entry& entry : made_)
            if (entry.stop == plan.stop && entry.pairs == plan.pairs)
                return entry.rule ? entry.rule->fresh() : nullptr;
        made_.push_back({plan.stop, plan.pairs, harness::make_stop_rule(plan)});
        return made_.back().rule ? made_.back().rule->fresh() : nullptr;
    }

private:
    struct Entry {
        harness::StopPlan stop;
        std::int64_t pairs;
        std::unique_ptr<stats::StopRule> rule;
    };

    std::vector<Entry> made_;
};

std::string skip_reason(const RunRecord& run) {
    if (!run.end_reason.empty()) return std::string(first_line(run.end_reason));
    if (run.state == RunState::Running) return "still playing its first pair";
    return fmt::format("{} without a pair", harness::name_of(run.state));
}

/// For a run that has not ended, or that an older version stored without a summary.
harness::MatchSummary counted_anew(const harness::Store& store, const RunRecord& run,
                                   std::size_t match, Rules& rules, std::size_t games_for_speed) {
    const harness::MatchTally tally =
        harness::tally_of(store, run, match, rules.fresh(run.plan.matches[match]));
    if (tally.pairs() == 0) {
        harness::MatchSummary none;
        none.all_failures = tally.all_failures()[0];
        return none;
    }
    return harness::summary_of(tally, store, run.id, match, games_for_speed);
}

using Summaries = std::map<std::pair<std::int64_t, std::size_t>, std::string>;

/// The stored summary of a finished run; nullopt where there is none, or one without the estimate
/// to quote where that cannot be told from the counts.
std::optional<harness::MatchSummary> stored_summary(const Summaries& summaries,
                                                    const RunRecord& run, std::size_t match) {
    const auto found = summaries.find({run.id, match});
    if (found == summaries.end() || run.state != RunState::Finished) return std::nullopt;
    auto summary = harness::summary_from_json(found->second);
    if (!summary || summary->quoted) return summary;
    if (run.plan.matches.at(match).stop.is_sequential()) return std::nullopt;
    summary->quoted = harness::fixed_estimate(summary->pentanomial);
    return summary;
}

/// What is read once for all matches of a history.
class Reading {
public:
    /// `games_for_speed`: a run.
    Reading(const harness::Store& store_read, const std::vector<RunRecord>& runs_by_id,
            std::size_t games_for_speed, harness::SummaryMemo& memo)
        : store(store_read), runs(runs_by_id), games_(games_for_speed), memo_(memo) {}

    [[nodiscard]] harness::MatchSummary summary(const RunRecord& run, std::size_t match) {
        if (auto stored = stored_summary(summaries_, run, match)) return std::move(*stored);
        return memo_.of(store, run, match, games_,
                        [&] { return counted_anew(store, run, match, rules_, games_); });
    }

    const harness::Store& store;
    const std::vector<RunRecord>& runs;

private:
    std::size_t games_;
    harness::SummaryMemo& memo_;
    Rules rules_;
    Summaries summaries_ = store.summaries();
};

/// Night::outcome. `suite`: null where the run has none.
harness::Outcome outcome_of(Reading& reading, const RunRecord& run,
                            const harness::SuiteResult* suite) {
    harness::OutcomeFacts facts = harness::stored_facts(run, suite, run.findings.exit_code);
    // The matches of a gate that did not finish add nothing to its outcome.
    const bool is_settled = facts.is_gate && run.state != RunState::Finished;
    for (std::size_t match = 0; !is_settled && match < run.plan.matches.size(); ++match) {
        facts.matches.push_back(harness::match_facts(reading.summary(run, match), run, match));
    }
    const bool is_judged = run.plan.tournament && !run.plan.tournament->require.empty();
    if (is_judged)
        harness::add_conditions(
            facts, harness::judge_conditions(run.plan,
                                             harness::tournament_state(reading.store, run).played,
                                             run.findings.was_added_to()));
    return harness::outcome_of(facts);
}

void set_versions(Night& night, const RunRecord& run, std::size_t match) {
    const auto* const first = version_of(run, match, 0);
    const auto* const second = version_of(run, match, 1);
    night.version = short_id(first);
    night.opponent = short_id(second);
    night.version_text = version_text(first);
    night.opponent_text = version_text(second);
}

/// `is_first`: of the history's first match, whose nights have the word of the whole run.
Night night_of(Reading& reading, const RunRecord& run, std::optional<std::size_t> place,
               bool is_first) {
    const harness::Store& store = reading.store;
    Night night;
    night.run = run.id;
    night.when_us = run.started_us;
    if (!place) {
        night.skipped = "the run has no such match";
        return night;
    }
    const std::size_t match = *place;
    night.is_gate = is_first && is_gate(run);
    night.exit_code = run.findings.exit_code;
    set_versions(night, run, match);
    night.machine = machine_of(run);
    night.compiler = compiler_of(run, match);
    const harness::MatchSummary found = reading.summary(run, match);
    night.pairs = found.pairs;
    std::optional<harness::SuiteResult> suite;
    if (is_first && run.plan.suite) suite = harness::judge(run.plan, store.searches(run.id));
    night.match_word =
        harness::match_word(harness::match_facts(found, run, match), is_gate(run), run.state);
    if (is_first)
        night.outcome = outcome_of(reading, run, suite ? &*suite : nullptr);
    else
        night.outcome.word = night.match_word;
    if (night.pairs == 0) {
        night.skipped = skip_reason(run);
        return night;
    }
    if (is_first && suite) night.failed_expectations = suite->count(harness::Holds::No);
    if (run.state == RunState::Failed || run.state == RunState::Interrupted) {
        const std::string reason = skip_reason(run);
        night.trouble = printable_utf8(reason.substr(0, reason.find('\n')));
    }
    night.verdict = found.verdict;
    night.tainted = found.is_tainted;
    night.failures = found.all_failures;
    if (found.quoted) {
        night.elo = found.quoted->elo;
        night.estimate = found.quoted->kind;
    }
    night.nodes_per_second = found.nodes_per_second;
    return night;
}

/// The same positions searched the same way: only then a query's sums can be compared.
bool is_same_suite(const harness::SuitePlan& one, const harness::SuitePlan& other) {
    return one.positions == other.positions && one.limit == other.limit && one.game == other.game &&
           one.log_from_ply == other.log_from_ply;
}

void set_queries(History& history, const harness::SuitePlan& newest) {
    for (const harness::SuiteExpectation& one : newest.expectations) {
        history.queries.push_back(one.name);
        history.are_means.push_back(!harness::adds_up(one));
    }
}

/// Sets the answers of this run to the queries of the history, which are those of the newest suite.
void set_answers(Night& night, const History& history, const harness::Store& store,
                 const RunRecord& run, const harness::SuitePlan& newest) {
    night.answers.assign(newest.expectations.size(), std::nullopt);
    night.sums = night.answers;
    if (!run.plan.suite || !is_same_suite(*run.plan.suite, newest)) return;
    const auto positions = static_cast<std::int64_t>(newest.positions.size());
    for (const harness::AnswerSum& sum : store.answer_sums(run.id)) {
        if (sum.program != 0 || sum.known != positions) continue;
        if (sum.expectation >= run.plan.suite->expectations.size()) continue;
        const harness::SuiteExpectation& asked = run.plan.suite->expectations[sum.expectation];
        for (std::size_t i = 0; i < newest.expectations.size(); ++i) {
            const harness::SuiteExpectation& one = newest.expectations[i];
            if (one.name != asked.name || one.query != asked.query || one.measure != asked.measure)
                continue;
            night.sums[i] = sum.sum;
            night.answers[i] =
                history.are_means[i] ? sum.sum / static_cast<double>(sum.known) : sum.sum;
        }
    }
}

/// The suite's first program, and its baseline (the same where there is none).
std::array<std::size_t, 2> programs_of(const harness::SuitePlan& suite) {
    return {suite.programs.front(), suite.programs.back()};
}

harness::Holds worst_of(const harness::SuiteResult& result) {
    for (const harness::Holds one : {harness::Holds::No, harness::Holds::Unknown})
        if (result.count(one) > 0) return one;
    return result.count(harness::Holds::Yes) > 0 ? harness::Holds::Yes : harness::Holds::Report;
}

/// A night of a suite alone.
Night suite_night(const History& history, Reading& reading, const RunRecord& run,
                  const harness::SuitePlan& newest) {
    const harness::Store& store = reading.store;
    const harness::SuitePlan& suite = *run.plan.suite;
    const auto [first, baseline] = programs_of(suite);
    Night night;
    night.run = run.id;
    night.when_us = run.started_us;
    const harness::VersionRecord* const version = version_at(run, first);
    night.version = short_id(version);
    night.version_text = version_text(version);
    if (suite.has_baseline()) {
        night.opponent = short_id(version_at(run, baseline));
        night.opponent_text = version_text(version_at(run, baseline));
    }
    night.machine = machine_of(run);
    if (version != nullptr && version->build) night.compiler = version->build->compiler;
    const harness::SuiteResult result = harness::judge(run.plan, store.searches(run.id));
    night.exit_code = run.findings.exit_code;
    night.outcome = outcome_of(reading, run, &result);
    if (result.searches.empty()) {
        night.skipped = !run.end_reason.empty() ? std::string(first_line(run.end_reason))
                        : run.state == RunState::Running
                            ? "still at its first search"
                            : fmt::format("{} without a search", harness::name_of(run.state));
        return night;
    }
    night.suite = worst_of(result);
    night.is_gate = is_gate(run);
    night.failed_expectations = result.count(harness::Holds::No);
    set_answers(night, history, store, run, newest);
    return night;
}

/// Of a config without a match; each run has a suite.
void fill_from_suites(History& history, Reading& reading) {
    const std::vector<RunRecord>& runs = reading.runs;
    const RunRecord& last = runs.back();
    const harness::SuitePlan& newest = *last.plan.suite;
    const auto [first, baseline] = programs_of(newest);
    history.has_match = false;
    history.first = last.plan.programs.at(first).name;
    if (newest.has_baseline()) history.second = last.plan.programs.at(baseline).name;
    history.against_previous = newest.has_baseline();  // another baseline changes no answer
    set_queries(history, newest);
    std::map<std::int64_t, Setting> settings;
    for (const RunRecord& run : runs) {
        history.nights.push_back(suite_night(history, reading, run, newest));
        settings.emplace(
            run.id, Setting{run.machine.host,
                            fmt::format("{}, {} cores", machine_of(run), run.machine.logical_cores),
                            history.nights.back().compiler, "",
                            is_same_suite(*run.plan.suite, newest) ? "" : "another suite"});
    }
    std::ranges::stable_sort(history.nights, {}, &Night::when_us);
    add_missing(history.nights);
    mark_series(history, settings);
}

/// Where the match of the newest run at `index` is in another run.
std::optional<std::size_t> place_of(const RunRecord& newest, std::size_t index,
                                    const RunRecord& run) {
    const std::vector<harness::MatchPlan>& matches = run.plan.matches;
    const auto has_name = [](const std::vector<harness::MatchPlan>& among,
                             const std::string& name) {
        return std::ranges::find(among, name, &harness::MatchPlan::name) != among.end();
    };
    const std::string& name = newest.plan.matches[index].name;
    if (index < matches.size() && matches[index].name == name) return index;
    const auto found = std::ranges::find(matches, name, &harness::MatchPlan::name);
    if (found != matches.end()) return static_cast<std::size_t>(found - matches.begin());
    // It was renamed, unless that place has become another match.
    if (index < matches.size() && !has_name(newest.plan.matches, matches[index].name)) return index;
    return std::nullopt;
}

/// Of one match: the newest run's at `index`.
History match_history(Reading& reading, std::size_t index, bool is_first) {
    const RunRecord& last = reading.runs.back();
    History history;
    history.name = last.name;
    history.match = last.plan.matches.at(index).name;
    history.first = program_name(last, last.plan.matches.at(index), 0);
    history.second = program_name(last, last.plan.matches.at(index), 1);
    history.against_previous = is_against_previous(reading.runs, index);
    const bool has_answers = is_first && last.plan.suite.has_value();
    if (has_answers) set_queries(history, *last.plan.suite);
    std::map<std::int64_t, Setting> settings;
    for (const RunRecord& run : reading.runs) {
        const std::optional<std::size_t> place = place_of(last, index, run);
        history.nights.push_back(night_of(reading, run, place, is_first));
        if (has_answers)
            set_answers(history.nights.back(), history, reading.store, run, *last.plan.suite);
        if (place) settings.emplace(run.id, setting_of(run, *place));
    }
    std::ranges::stable_sort(history.nights, {}, &Night::when_us);
    add_missing(history.nights);
    mark_series(history, settings);
    find_all_steps(history);
    return history;
}

}  // namespace

std::optional<std::size_t> History::latest() const {
    for (std::size_t i = nights.size(); i-- > 0;)
        if (nights[i].is_played()) return i;
    return std::nullopt;
}

History history_of(const harness::Store& store, const std::string& name,
                   harness::SummaryMemo* memo) {
    const std::optional<RunRecord> newest = store.find_run(name);
    if (!newest)
        throw Error(store.path() + ": there is no run of '" + name + "'; 'assay runs' lists them");
    History history;
    history.name = newest->name;
    std::vector<RunRecord> runs = store.runs();
    std::erase_if(runs, [&](const RunRecord& run) { return run.name != history.name; });
    std::ranges::sort(runs, {}, &RunRecord::id);
    // The matches of a tournament are those of each two programs, and none of them is its result.
    std::erase_if(runs, [](const RunRecord& run) { return run.plan.tournament.has_value(); });
    if (runs.empty())
        throw Error(store.path() + ": " + history.name +
                        " is a tournament, which has no history: 'assay stats rate' rates the "
                        "versions of a store",
                    2);
    const bool has_match =
        std::ranges::any_of(runs, [](const RunRecord& run) { return !run.plan.matches.empty(); });
    std::erase_if(runs, [&](const RunRecord& run) {
        return has_match ? run.plan.matches.empty() : !run.plan.suite;
    });
    if (runs.empty()) throw Error(store.path() + ": run " + name + " has no match and no suite");
    harness::SummaryMemo own;
    Reading reading(store, runs, std::clamp<std::size_t>(kGamesForSpeed / runs.size(), 4, 40),
                    memo == nullptr ? own : *memo);
    if (!has_match) {
        fill_from_suites(history, reading);
        return history;
    }
    const std::size_t matches = runs.back().plan.matches.size();
    const std::size_t first = steady_match(runs);
    history = match_history(reading, first, true);
    for (std::size_t match = 0; match < matches; ++match) {
        if (match != first) history.others.push_back(match_history(reading, match, false));
    }
    return history;
}

std::string Night::remark() const {
    std::string text;
    if (failed_expectations > 0) {
        text = failed_expectations == 1 ? "one expectation fails"
                                        : fmt::format("{} expectations fail", failed_expectations);
    }
    if (!trouble.empty()) text += (text.empty() ? "" : "; ") + ("cut short: " + trouble);
    return text;
}

std::vector<std::string> changed_answers(const History& history, std::size_t night) {
    std::vector<std::string> out;
    const Night& now = history.nights.at(night);
    std::size_t i = night;
    while (i > 0 && history.nights[i - 1].series == now.series) {
        const Night& before = history.nights[--i];
        if (!before.is_played()) continue;
        for (std::size_t q = 0; q < std::min(now.answers.size(), before.answers.size()); ++q) {
            if (!now.answers[q] || !before.answers[q] || *now.answers[q] == *before.answers[q])
                continue;
            out.push_back(fmt::format("{} {} → {}", history.queries[q],
                                      plain_number(*before.answers[q]),
                                      plain_number(*now.answers[q])));
        }
        break;
    }
    return out;
}

std::string day_text(long long us, bool has_year) {
    constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::tm utc = utc_of(us);
    const std::string day =
        fmt::format("{} {}", utc.tm_mday, kMonths[static_cast<std::size_t>(utc.tm_mon)]);
    return has_year ? fmt::format("{} {}", day, utc.tm_year + 1900) : day;
}

std::vector<std::string> day_labels(const History& history) {
    constexpr long long kDay = 86'400LL * 1'000'000;
    const long long span =
        history.nights.empty() ? 0 : history.nights.back().when_us - history.nights.front().when_us;
    std::vector<std::string> labels;
    for (const Night& night : history.nights) {
        std::string label = day_text(night.when_us, span > 300 * kDay);
        if (history.nights.size() > 1 && span < 2 * kDay) {
            const long long minutes = night.when_us / 60'000'000 % (24 * 60);
            label += fmt::format(" {:02}:{:02}", minutes / 60, minutes % 60);
        }
        labels.push_back(std::move(label));
    }
    return labels;
}

std::string match_title(const History& history) {
    constexpr std::string_view kWord = "match";
    const std::string& name = history.match;
    if (name.empty()) return "First match";
    return name.starts_with(kWord) ? "M" + name.substr(1) : "Match " + name;
}

}  // namespace assay::reports
