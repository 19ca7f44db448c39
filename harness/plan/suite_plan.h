#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/time_control.h"
#include "rules/make_game.h"

namespace assay::harness {

/// A position of a suite. The plan holds it whole, so that a stored run needs no file.
struct SuitePosition {
    std::string id;                  // unique in the suite; the EPD's id, else its number from 1
    std::string text;                // what Game::parse reads
    std::vector<std::string> best;   // EPD's bm: one of them solves it; Notation::Canonical
    std::vector<std::string> avoid;  // EPD's am: none of them does
    std::string comment;             // EPD's c0

    /// It says which moves solve it.
    [[nodiscard]] bool has_solution() const { return !best.empty() || !avoid.empty(); }

    friend bool operator==(const SuitePosition&, const SuitePosition&) = default;
};

/// What an expectation is about: the answer of a query over a search's tree, or the search itself
/// and whether it solved its position. A position is solved if the move that the program answers is
/// a solution; the other measures are those of the first moment from which its best move was a
/// solution until the end.
enum class SuiteMeasure : std::uint8_t {
    Query,
    Solved,  // 1 or 0
    Depth,   // that the program named
    Nodes,   // that it named
    Time,    // by the harness's clock, in milliseconds
};

/// "query", "solved", "solution_depth", "solution_nodes", "solution_time".
[[nodiscard]] std::string_view name_of(SuiteMeasure measure);

/// The measures of a solution, in the order in which reports show them.
inline constexpr std::array kSolutionMeasures{SuiteMeasure::Solved, SuiteMeasure::Time,
                                              SuiteMeasure::Nodes, SuiteMeasure::Depth};

/// What must hold of a query's answer (a count, the value of an aggregate, or 1 and 0 for a
/// statement), or of a measure. Without any bound it is only reported.
struct SuiteExpectation {
    /// Whether the bounds are of each position, or of the sum over the suite.
    enum class Scope : std::uint8_t { Position, Suite };

    /// Allowed change against the baseline, in percent; unset: no bound that way.
    struct Change {
        std::optional<double> least;
        std::optional<double> most;
        friend bool operator==(const Change&, const Change&) = default;
    };

    std::string name;  // unique in the suite
    SuiteMeasure measure = SuiteMeasure::Query;
    std::string query;   // GTQL; empty of other measures
    std::string origin;  // file of the query, for messages; empty: the config itself
    std::optional<double> min;
    std::optional<double> max;
    std::optional<double> exactly;
    std::optional<Change> against_baseline;
    Scope scope = Scope::Position;      // of min, max and exactly
    Scope change_scope = Scope::Suite;  // of against_baseline

    [[nodiscard]] bool is_query() const { return measure == SuiteMeasure::Query; }

    [[nodiscard]] bool is_report() const { return !min && !max && !exactly && !against_baseline; }

    friend bool operator==(const SuiteExpectation&, const SuiteExpectation&) = default;
};

/// Where a suite's positions were read. It is neither stored nor compared: the positions are.
struct PlaceOfPositions {
    std::string path;  // absolute; empty: not known

    friend bool operator==(const PlaceOfPositions&, const PlaceOfPositions&) { return true; }
};

/// Positions that programs search, with or without tree logging, and what must hold of it.
struct SuitePlan {
    enum class Keep : std::uint8_t {
        Last,    // the last whole iteration of each search
        All,     // every iteration
        Failed,  // the last whole iteration, where an expectation failed
    };

    std::string source;  // the EPD file as the config names it
    rules::GameSource game{"chess", "", ""};
    std::vector<SuitePosition> positions;
    PlaceOfPositions place;
    TimeControl limit;  // Depth, Nodes or MoveTime; its wall_limit holds
    bool logs_trees = true;
    std::uint64_t log_nodes = 50'000'000;  // the most nodes of a log; 0: no limit
    int log_from_ply = 0;
    Keep keep = Keep::Last;
    std::vector<std::size_t> programs;  // indices into RunPlan::programs; the last is the baseline
    int concurrency = 0;                // searches at once; 0: auto
    std::vector<SuiteExpectation> expectations;

    /// A measure of solutions is asked for; then all are, and all positions have solutions.
    [[nodiscard]] bool is_solving() const;

    /// The expectation with this measure; nullopt where there is none. Query: the first query.
    [[nodiscard]] std::optional<std::size_t> expectation_of(SuiteMeasure measure) const;

    /// With one program there is nothing to compare with.
    [[nodiscard]] bool has_baseline() const { return programs.size() > 1; }

    friend bool operator==(const SuitePlan&, const SuitePlan&) = default;
};

/// As game_of(MatchPlan) of plan.h.
[[nodiscard]] std::unique_ptr<rules::Game> game_of(const SuitePlan& suite);

}  // namespace assay::harness
