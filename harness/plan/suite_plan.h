#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/time_control.h"
#include "rules/make_game.h"

namespace assay::harness {

/// A position of a suite. The plan holds it whole, so that a stored run needs no file.
struct SuitePosition {
    std::string id;    // unique in the suite; the EPD's id, else its number from 1
    std::string text;  // what Game::parse reads

    friend bool operator==(const SuitePosition&, const SuitePosition&) = default;
};

/// What must hold of a query's answer: a count, the value of an aggregate, or 1 and 0 for a
/// statement. Without any bound the answer is only reported.
struct SuiteExpectation {
    /// Whether the bounds are of each position, or of the sum over the suite.
    enum class Scope : std::uint8_t { Position, Suite };

    /// Allowed change against the baseline, in percent; unset: no bound that way.
    struct Change {
        std::optional<double> least;
        std::optional<double> most;
        friend bool operator==(const Change&, const Change&) = default;
    };

    std::string name;    // unique in the suite
    std::string query;   // GTQL
    std::string origin;  // file of the query, for messages; empty: the config itself
    std::optional<double> min;
    std::optional<double> max;
    std::optional<double> exactly;
    std::optional<Change> against_baseline;
    Scope scope = Scope::Position;      // of min, max and exactly
    Scope change_scope = Scope::Suite;  // of against_baseline

    [[nodiscard]] bool is_report() const { return !min && !max && !exactly && !against_baseline; }

    friend bool operator==(const SuiteExpectation&, const SuiteExpectation&) = default;
};

/// Positions that programs search with tree logging, and what must hold of their trees.
struct SuitePlan {
    enum class Keep : std::uint8_t {
        Last,    // the last whole iteration of each search
        All,     // every iteration
        Failed,  // the last whole iteration, where an expectation failed
    };

    std::string source;  // the EPD file as the config names it
    rules::GameSource game{"chess", "", ""};
    std::vector<SuitePosition> positions;
    TimeControl limit;                     // Depth, Nodes or MoveTime; its wall_limit holds
    std::uint64_t log_nodes = 50'000'000;  // the most nodes of a log; 0: no limit
    int log_from_ply = 0;
    Keep keep = Keep::Last;
    std::vector<std::size_t> programs;  // indices into RunPlan::programs; the last is the baseline
    int concurrency = 0;                // searches at once; 0: auto
    std::vector<SuiteExpectation> expectations;

    /// With one program there is nothing to compare with.
    [[nodiscard]] bool has_baseline() const { return programs.size() > 1; }

    friend bool operator==(const SuitePlan&, const SuitePlan&) = default;
};

/// As game_of(MatchPlan) of plan.h.
[[nodiscard]] std::unique_ptr<rules::Game> game_of(const SuitePlan& suite);

}  // namespace assay::harness
