#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/match_summary.h"
#include "harness/match/tally.h"
#include "harness/run/outcome.h"
#include "harness/store/store.h"
#include "harness/suite/verdict.h"
#include "stats/estimate/change_points.h"
#include "stats/estimate/estimate.h"

namespace assay::reports {

/// One night of a history: a run of the config, or a day that had none.
struct Night {
    std::int64_t run = 0;  // 0: no run in the store
    long long when_us = 0;
    std::string skipped;  // why there is no result; empty: there is one
    std::int64_t pairs = 0;
    harness::Verdict verdict = harness::Verdict::None;
    bool tainted = false;
    bool is_gate = false;
    harness::Outcome outcome;                                      // of the run
    harness::OutcomeWord match_word = harness::OutcomeWord::None;  // of the match by itself
    std::optional<int> exit_code;  // of the run; unset in older stores and where it goes on
    stats::Estimate elo;           // of the first program: the one to quote
    harness::EstimateKind estimate = harness::EstimateKind::Fixed;  // its kind
    std::array<std::optional<double>, 2> nodes_per_second;
    harness::Failures failures;  // of the first program
    std::string version;  // of the first program: its commit, else its executable's hash, short
    std::string opponent;
    std::string version_text;  // the same for readers: version_text() of view/version_text.h
    std::string opponent_text;
    std::string machine;   // host and processor
    std::string compiler;  // of the first program, where assay built it
    std::size_t series = 0;
    /// By History::queries: the sum of the query's answers over the suite's positions, or their
    /// mean (harness::adds_up()); unset where one is missing, or the suite was another one.
    std::vector<std::optional<double>> answers = {};
    std::vector<std::optional<double>> sums = {};  // the same, but always the sum
    std::optional<harness::Holds> suite;  // the worst of the suite's expectations; of a suite alone
    std::size_t failed_expectations = 0;  // of the suite, beside a match too
    std::string trouble;  // why the run was cut short, though it has results; else empty
    std::string change;   // what begins a new series here: "machine ci-3 → ci-7"; else empty

    /// What the match does not say: "2 expectations fail", why the run was cut short. Empty where
    /// there is nothing to add.
    [[nodiscard]] std::string remark() const;

    [[nodiscard]] bool is_played() const { return skipped.empty(); }

    /// Whether it counts for levels and steps.
    [[nodiscard]] bool counts() const { return is_played() && !tainted && elo.value.has_value(); }
};

/// A stretch of nights, by index, with what was measured in it.
struct NightLevel {
    std::size_t first = 0;
    std::size_t last = 0;  // included
    stats::Level level;
};

struct NightStep {
    std::size_t night = 0;   // the first of the new level
    std::size_t before = 0;  // the last one of the old level
    bool is_speed = false;   // of nodes a second, in percent; else of Elo
    stats::Step step;
};

/// The nights of one config in the order they were played: those of one match, and in `others`
/// those of the others.
struct History {
    std::string name;
    std::string match;  // its name; empty: a suite alone
    std::string first;  // names of the programs
    std::string second;
    bool has_match = true;             // false: a suite alone, so no Elo, but answers
    bool against_previous = false;     // the second program is another one nearly every night
    std::vector<std::string> queries;  // names of the newest suite's expectations
    std::vector<bool> are_means;       // by query: Night::answers are means
    std::vector<Night> nights;
    std::vector<NightLevel> elo_levels;
    std::vector<NightLevel> speed_levels;  // nodes a second of the first program
    std::vector<NightStep> steps;          // by night
    /// Of the other matches of the newest run, in the plan's order: the same nights, each with the
    /// word of that match, without answers.
    std::vector<History> others = {};

    /// Index of the last night with a result.
    [[nodiscard]] std::optional<std::size_t> latest() const;
};

/// The chance of a step where there is none, in one series of one match's Elo or speed, at most.
inline constexpr double kStepAlpha = 0.01;

/// Reads all runs of the store that have this name (empty: the name of the newest run). The first
/// history is that of the first match whose opponent stays the same, otherwise of the first match.
/// A match is the one of the same name, or at its place where none has the name. A run on
/// another machine, against another opponent or with other settings begins a new series; levels and
/// steps stay within one series. Where no run has a match, the nights are those of the suite.
/// Matches without a summary in the store are counted anew, each in up to a tenth of a second and
/// more for its pairs, unless `memo` knows them.
/// Throws Error where no run has the name.
[[nodiscard]] History history_of(const harness::Store& store, const std::string& name,
                                 harness::SummaryMemo* memo = nullptr);

/// "26 Nov"; the year as well where it is asked.
[[nodiscard]] std::string day_text(long long us, bool has_year = false);

/// The nights' days, by night: with the year where they span many months, and with the time of day
/// where all lie within two days, or the same day would stand there again and again.
[[nodiscard]] std::vector<std::string> day_labels(const History& history);

/// The queries whose answers changed since the night before in the same series, one text for each
/// query: "size 120 → 156".
[[nodiscard]] std::vector<std::string> changed_answers(const History& history, std::size_t night);

/// How the night ended: the word of its run's outcome; of a suite alone, unless it is a gate's, how
/// its expectations stand; "played" without a rule and while it goes on. "skipped": the day had no
/// run; "no result": its run goes on or has none.
[[nodiscard]] std::string night_word(const Night& night);
/// The same of its match by itself, whatever other matches and the suite say.
[[nodiscard]] std::string match_word(const Night& night);

/// "Match ltc", "Match 2" of one that is called so, "First match" where it has no name.
[[nodiscard]] std::string match_title(const History& history);

/// What the history says, in one sentence.
[[nodiscard]] std::string history_sentence(const History& history);

/// {"schema":1,"name","match","nights":[…],"steps":[…],"other_matches":[…]} on one line. A night's
/// "queries" are sums, "query_means" the means of those whose answers do not add up. Each element
/// of "other_matches" has match, first, second, against_previous, summary, nights and steps.
[[nodiscard]] std::string history_json(const History& history);
/// A row a night; queries' answers are sums. "verdict" is of the games or the expectations alone,
/// "outcome" is night_word(), "estimate" the kind of the Elo.
[[nodiscard]] std::string history_csv(const History& history);
/// The sentence, the steps and the last thirty nights of each match.
[[nodiscard]] std::string history_markdown(const History& history);
/// The latest night as github-action-benchmark's customBiggerIsBetter takes it.
[[nodiscard]] std::string history_benchmark(const History& history);

}  // namespace assay::reports
