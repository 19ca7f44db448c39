#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/record/suite.h"
#include "stats/test/mcnemar.h"
#include "stats/test/paired_positions.h"

namespace assay::harness {

/// Whether an expectation holds.
enum class Holds : std::uint8_t {
    Yes,
    No,
    Unknown,  // a search that it needs is unfinished or failed, or the query has no answer there
    Report,   // it has no bound
};

/// "holds", "fails", "inconclusive", "report".
[[nodiscard]] std::string_view name_of(Holds holds);

/// A position's answers; unset where there is none.
struct PositionFigures {
    std::size_t position = 0;
    std::optional<double> before;  // the baseline's
    std::optional<double> after;
    // Infinite: the measure needs a solution, and the search found none.
    bool is_finished = true;  // false: one of the two searches was cut; its figure is of less
    bool is_breach = false;   // a bound of each position does not hold here
};

/// One expectation of one program against the baseline (or alone).
struct ExpectationResult {
    std::size_t expectation = 0;                 // index into SuitePlan::expectations
    std::size_t program = 0;                     // index into SuitePlan::programs
    SuiteMeasure measure = SuiteMeasure::Query;  // the expectation's
    Holds holds = Holds::Report;
    std::string reason;  // one sentence where it does not hold, or is not known; else a remark
    std::vector<PositionFigures> positions;  // by position of the suite

    /// Over the positions of which both figures are known (all that are, without a baseline): the
    /// sum, or the mean of a query whose answers do not add up.
    double before = 0;
    double after = 0;
    bool is_mean = false;
    std::int64_t counted = 0;              // such positions
    std::optional<double> change_percent;  // of these; unset without a baseline or from 0
    stats::PairedPositions paired;         // of the change, position by position

    /// Of a suite that asks which positions are solved, with a baseline: solved by the baseline is
    /// the first of these. Set for SuiteMeasure::Solved alone.
    std::optional<stats::PairedSuccesses> solved;
    /// p-value of "no more than `against_baseline` allows" (of SuiteMeasure::Solved: of "no
    /// change"), where that is of the whole suite and the sum is beyond it.
    std::optional<double> beyond_p;

    /// Positions to show a person, the worst first: those that break a bound; of a bound on the
    /// suite, those that moved farthest the wrong way.
    std::vector<std::size_t> shown;
};

/// A suite, judged.
struct SuiteResult {
    std::vector<ExpectationResult> expectations;  // by expectation, then program
    std::vector<SearchRecord> searches;           // by position, then program
    std::size_t planned = 0;                      // searches

    [[nodiscard]] std::size_t count(Holds holds) const;

    [[nodiscard]] bool is_whole() const { return searches.size() == planned; }

    /// Null where it has not been made.
    [[nodiscard]] const SearchRecord* search(std::size_t program, std::size_t position) const;

    /// The first few nodes that the query found there; null where none were stored.
    [[nodiscard]] const std::vector<FoundNode>* nodes(const ExpectationResult& result,
                                                      std::size_t position) const;
};

/// Whether the query's answers at several positions add up to something: numbers of nodes do, and
/// statements (to the number of positions where they are true); a share or a greatest value does
/// not. Where an absolute bound is of the sum, the sum is what was asked for.
[[nodiscard]] bool adds_up(const SuiteExpectation& expectation);

/// Judges what is known. Absolute bounds are asked of every program but the baseline (of the only
/// one, where there is no other). A bound on the change over the suite is broken where the sum is
/// beyond it and the change is not a few odd positions' doing: Wilcoxon's test of "beyond the
/// bound" has p <= 0.05, or as small as so few positions can give; for solved positions, McNemar's
/// test of "no change" has p <= 0.05. Pure. REQUIRES: the plan has a suite.
[[nodiscard]] SuiteResult judge(const RunPlan& plan, std::vector<SearchRecord> searches);

}  // namespace assay::harness
