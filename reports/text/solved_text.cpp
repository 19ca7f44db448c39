#include "reports/text/solved_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "reports/text/suite_text.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

using harness::SolvedCount;
using harness::SolvedPosition;
using harness::SuiteMeasure;
using harness::SuitePlan;

constexpr std::size_t kMostListed = 12;  // positions in a line of text

const SuitePlan& asked_suite(const RunView& view) {
    return *view.run.plan.suite;
}

std::string whole(double value) {
    return grouped(static_cast<std::int64_t>(std::llround(value)));
}

std::string time_text(double ms) {
    return ms < 10'000 ? whole(ms) + " ms" : fmt::format("{:.1f} s", ms / 1000);
}

std::string ids(const RunView& view, const std::vector<std::size_t>& positions) {
    std::string out;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (i == kMostListed) return out + fmt::format(" and {} more", positions.size() - i);
        out += (i > 0 ? ", " : "") + printable_utf8(asked_suite(view).positions[positions[i]].id);
    }
    return out;
}

/// Which positions only some of the programs solve, a line for each set of programs.
std::vector<std::string> difference_lines(const RunView& view, const SolvedGroups& groups) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> sets;
    for (const std::size_t position : groups.differing) {
        std::string who;
        for (std::size_t program = 0; program < asked_suite(view).programs.size(); ++program)
            if (solved_position(asked_suite(view), *view.suite, program, position).is_solved)
                who += (who.empty() ? "" : ", ") + printable_utf8(suite_program(view, program));
        const auto found = std::find_if(sets.begin(), sets.end(),
                                        [&](const auto& one) { return one.first == who; });
        if (found == sets.end())
            sets.emplace_back(who, std::vector{position});
        else
            found->second.push_back(position);
    }
    std::vector<std::string> lines;
    for (const auto& [who, positions] : sets)
        lines.push_back(fmt::format("solved by {} alone: {}", who, ids(view, positions)));
    return lines;
}

std::vector<std::string> group_lines(const RunView& view) {
    const SolvedGroups groups = solved_groups(view);
    std::vector<std::string> lines = difference_lines(view, groups);
    if (!groups.by_none.empty())
        lines.push_back(fmt::format(
            "{}: {}", asked_suite(view).programs.size() == 1 ? "not solved" : "solved by none",
            ids(view, groups.by_none)));
    return lines;
}

}  // namespace

std::string measure_text(SuiteMeasure measure, const std::optional<double>& value) {
    if (!value) return "none";
    if (std::isinf(*value)) return "not solved";
    switch (measure) {
        case SuiteMeasure::Solved:
            return *value > 0 ? "solved" : "not solved";
        case SuiteMeasure::Time:
            return time_text(*value);
        default:
            return answer_text(value);
    }
}

PositionMoves::PositionMoves(const RunView& view, std::size_t position)
    : view_(view), index_(position) {
    try {
        game_ = harness::game_of(asked_suite(view));
        position_ = game_->parse(asked_suite(view).positions[position].text);
    } catch (const Error&) {
        position_.reset();  // of another version of assay: moves are shown as they are stored
    }
}

std::string PositionMoves::name(const std::string& move, rules::Notation notation) const {
    const auto known = position_ ? position_->move_of(move, notation) : std::nullopt;
    return known ? position_->name_of(*known, rules::Notation::Text) : printable_utf8(move);
}

std::string PositionMoves::solution() const {
    const harness::SuitePosition& asked = asked_suite(view_).positions[index_];
    std::string out;
    const auto add = [&](const char* opcode, const std::vector<std::string>& moves) {
        if (moves.empty()) return;
        out += (out.empty() ? "" : "; ") + std::string(opcode);
        for (const std::string& move : moves) out += " " + name(move, rules::Notation::Canonical);
    };
    add("bm", asked.best);
    add("am", asked.avoid);
    return out;
}

std::string PositionMoves::answer(std::size_t program) const {
    const harness::SearchRecord* const search = view_.suite->search(program, index_);
    if (search == nullptr || search->best_move.empty()) return "";
    if (!position_) return printable_utf8(search->best_move);
    const auto& plan = view_.run.plan.programs[asked_suite(view_).programs[program]];
    return name(search->best_move, game_->notation_of(plan.protocol));
}

std::vector<SolvedRow> solved_rows(const RunView& view) {
    std::vector<SolvedRow> rows;
    for (const SolvedCount& count : solved_counts(asked_suite(view), *view.suite)) {
        SolvedRow& row = rows.emplace_back();
        row.program = printable_utf8(suite_program(view, count.program));
        row.solved = fmt::format("{} of {}", count.solved, count.known);
        if (count.solved == 0) continue;
        row.time = time_text(count.time_ms);
        row.nodes = whole(count.nodes);
        row.depth = fmt::format("{:.1f}", count.mean_depth);
    }
    return rows;
}

std::string solved_by_text(const RunView& view, const harness::ExpectationResult& result) {
    if (!result.solved) return "";
    return fmt::format(
        "{} solved by {} alone, {} by {} alone, McNemar {}", result.solved->only_second,
        printable_utf8(suite_program(view, result.program)), result.solved->only_first,
        printable_utf8(suite_program(view, asked_suite(view).programs.size() - 1)),
        p_value(stats::test_mcnemar(*result.solved).p));
}

SolvedGroups solved_groups(const RunView& view) {
    SolvedGroups groups;
    const SuitePlan& suite = asked_suite(view);
    for (std::size_t position = 0; position < suite.positions.size(); ++position) {
        std::size_t known = 0;
        std::size_t solved = 0;
        for (std::size_t program = 0; program < suite.programs.size(); ++program) {
            const SolvedPosition one = solved_position(suite, *view.suite, program, position);
            known += one.is_known ? 1 : 0;
            solved += one.is_solved ? 1 : 0;
        }
        (known < suite.programs.size()    ? groups.unknown
         : solved == 0                    ? groups.by_none
         : solved < suite.programs.size() ? groups.differing
                                          : groups.by_all)
            .push_back(position);
    }
    return groups;
}

std::string solved_table(const RunView& view) {
    if (!asked_suite(view).is_solving()) return "";
    const std::vector<SolvedRow> rows = solved_rows(view);
    std::size_t width = 0;
    for (const SolvedRow& row : rows) width = std::max(width, columns(row.program));
    const std::string blank(width, ' ');
    std::string out = fmt::format("  {}  {:>12}  {:>12}  {:>16}  {:>10}\n", blank, "solved", "time",
                                  "nodes", "mean depth");
    for (const SolvedRow& row : rows)
        out += fmt::format("  {}{}  {:>12}  {:>12}  {:>16}  {:>10}\n", row.program,
                           blank.substr(columns(row.program)), row.solved, row.time, row.nodes,
                           row.depth);
    for (const std::string& line : group_lines(view)) out += "  " + line + "\n";
    return out;
}

std::string solved_markdown(const RunView& view) {
    if (!asked_suite(view).is_solving()) return "";
    std::string out =
        "\n| program | solved | time | nodes | mean depth |\n"
        "| --- | ---: | ---: | ---: | ---: |\n";
    for (const SolvedRow& row : solved_rows(view))
        out +=
            fmt::format("| {} | {} | {} | {} | {} |\n", markdown(row.program), markdown(row.solved),
                        markdown(row.time), markdown(row.nodes), markdown(row.depth));
    std::string lines;
    for (const std::string& line : group_lines(view))
        lines += fmt::format("- {}\n", markdown(shortened(line, 600)));
    return lines.empty() ? out : out + "\n" + lines;
}

}  // namespace assay::reports
