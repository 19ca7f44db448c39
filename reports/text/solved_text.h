#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/solved.h"
#include "harness/suite/verdict.h"
#include "reports/view/run_view.h"
#include "rules/game.h"

namespace assay::reports {

/// How reports show which positions of a suite are solved. REQUIRES, but of measure_text:
/// view.run.plan.suite and view.suite.

/// A value of a measure at one position: "solved", "1,204", "85 ms", "12"; "none" where it is not
/// known, "not solved" where it needs a solution.
[[nodiscard]] std::string measure_text(harness::SuiteMeasure measure,
                                       const std::optional<double>& value);

/// The moves of one position as people read them.
class PositionMoves {
public:
    PositionMoves(const RunView& view, std::size_t position);

    /// "bm Qh3", "bm Kc5 e3", "am Rc8".
    [[nodiscard]] std::string solution() const;
    /// What a program answered; its own text where that is no move here.
    [[nodiscard]] std::string answer(std::size_t program) const;

private:
    [[nodiscard]] std::string name(const std::string& move, rules::Notation notation) const;

    const RunView& view_;
    std::size_t index_;
    std::unique_ptr<rules::Game> game_;          // null: its rules are not known here
    std::unique_ptr<rules::Position> position_;  // null with it
};

/// One line of the table of programs.
struct SolvedRow {
    std::string program;
    std::string solved;  // "24 of 40"
    std::string time;    // of its solutions: "12 s"; empty without one
    std::string nodes;
    std::string depth;  // the mean
};

[[nodiscard]] std::vector<SolvedRow> solved_rows(const RunView& view);

/// "3 solved by head alone, 1 by base alone, McNemar p = 0.62"; empty where it does not apply.
[[nodiscard]] std::string solved_by_text(const RunView& view,
                                         const harness::ExpectationResult& result);

/// Positions that not all programs solve, or that all do or none does, by number in the suite.
struct SolvedGroups {
    std::vector<std::size_t> differing;
    std::vector<std::size_t> by_none;
    std::vector<std::size_t> by_all;
    std::vector<std::size_t> unknown;  // a search of it failed, was cut or is missing
};

[[nodiscard]] SolvedGroups solved_groups(const RunView& view);

/// The table of programs, the positions that tell them apart and those that none solves; empty
/// where the suite is not solving.
[[nodiscard]] std::string solved_table(const RunView& view);
/// The same as Markdown.
[[nodiscard]] std::string solved_markdown(const RunView& view);

}  // namespace assay::reports
