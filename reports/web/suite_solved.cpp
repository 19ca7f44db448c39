// The tables of a suite's page that show which positions are solved.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/solved_text.h"
#include "reports/text/suite_text.h"
#include "reports/web/run_parts.h"

namespace assay::reports::web {

namespace {

using harness::SolvedPosition;
using harness::SuiteMeasure;

constexpr std::size_t kMostPositionRows = 400;

Values cell_of(const SolvedPosition& one, const std::string& answer) {
    Values cell;
    cell.set("move", answer);
    cell.set("css", one.is_solved ? "acc" : one.is_known ? "rej" : "inc");
    cell.set("mark", one.is_solved ? "✓" : one.is_known ? "✗" : "?");
    cell.set("word", one.is_solved ? "solved" : one.is_known ? "not solved" : "not known");
    cell.show("effort", one.is_solved);
    if (one.is_solved)
        cell.lists["effort"][0]
            .set("time", measure_text(SuiteMeasure::Time, one.time_ms))
            .set("nodes", measure_text(SuiteMeasure::Nodes, one.nodes))
            .set("depth", measure_text(SuiteMeasure::Depth, one.depth));
    return cell;
}

Values position_row(const RunView& view, std::size_t index) {
    const harness::SuitePlan& suite = *view.run.plan.suite;
    const PositionMoves moves(view, index);
    Values row;
    row.set("id", printable_utf8(suite.positions[index].id));
    row.set("comment", suite.positions[index].comment).set("text", suite.positions[index].text);
    row.set("solution", moves.solution());
    for (std::size_t program = 0; program < suite.programs.size(); ++program)
        row.lists["cells"].push_back(
            cell_of(solved_position(suite, *view.suite, program, index), moves.answer(program)));
    return row;
}

}  // namespace

void add_solved(Values& section, const RunView& view) {
    section.lists["solving"] = {};
    const harness::SuitePlan& suite = *view.run.plan.suite;
    if (!suite.is_solving()) return;
    Values& table = section.lists["solving"].emplace_back();
    for (const SolvedRow& row : solved_rows(view)) {
        Values& program = table.lists["programs"].emplace_back();
        program.set("name", row.program).set("solved", row.solved).set("time", row.time);
        program.set("nodes", row.nodes).set("depth", row.depth);
    }
    // Those that tell the programs apart come first.
    const SolvedGroups groups = solved_groups(view);
    std::vector<std::size_t> order;
    for (const auto* const group :
         {&groups.differing, &groups.by_none, &groups.unknown, &groups.by_all})
        order.insert(order.end(), group->begin(), group->end());
    std::string caption =
        suite.programs.size() == 1
            ? "Unsolved positions come first."
            : "Positions that only some programs solve come first, then those that none solves.";
    if (order.size() > kMostPositionRows) {
        caption += fmt::format(" {} of {} are shown.", kMostPositionRows, order.size());
        order.resize(kMostPositionRows);
    }
    table.set("caption", caption);
    for (const std::size_t index : order) table.lists["rows"].push_back(position_row(view, index));
}

}  // namespace assay::reports::web
