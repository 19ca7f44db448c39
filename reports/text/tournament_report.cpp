#include "reports/text/tournament_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/table_text.h"
#include "reports/text/tournament_words.h"
#include "reports/view/escape.h"
#include "reports/view/match_left.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostRoundLines = 200;
constexpr std::size_t kMostMarkdownWarnings = 10;
/// In bytes; the rest of a summary has 20 KB, and the whole must stay below 64 KB.
constexpr std::size_t kMostMarkdownTable = 20'000;
constexpr std::size_t kMostMarkdownRounds = 10'000;
constexpr std::size_t kMostMarkdownCrosstable = 24;
constexpr std::size_t kMostTextCrosstable = 40;

using Cells = std::vector<std::vector<std::string>>;

std::size_t width_of(const TableColumn& column) {
    std::size_t width = columns(column.head);
    for (const std::string& cell : column.cells) width = std::max(width, columns(cell));
    return width;
}

/// Leaves columns out until a line fits.
std::vector<TableColumn> fitting(std::vector<TableColumn> table, int width) {
    const auto total = [&table] {
        std::size_t sum = 0;
        for (const TableColumn& column : table) sum += width_of(column) + 2;
        return sum - 2;
    };
    while (width > 0 && total() > static_cast<std::size_t>(width)) {
        const auto least = std::ranges::max_element(table, {}, &TableColumn::importance);
        if (least->importance == 0) break;
        table.erase(least);
    }
    return table;
}

std::string table_lines(const TournamentView& view, int width) {
    std::vector<TableColumn> table = table_columns(view);
    for (TableColumn& column : table)
        for (std::string& cell : column.cells) cell = shortened(printable_utf8(cell), 40);
    table = fitting(std::move(table), width);
    Cells rows(view.rows.size() + 1);
    std::vector<bool> is_right;
    for (const TableColumn& column : table) {
        is_right.push_back(column.is_right);
        rows[0].push_back(column.head);
        for (std::size_t i = 0; i < column.cells.size(); ++i)
            rows[i + 1].push_back(column.cells[i]);
    }
    return table_text(rows, is_right);
}

/// Places as heads, points in the cells; empty where it does not fit.
std::string crosstable_lines(const TournamentView& view, int width) {
    const std::size_t count = view.rows.size();
    if (count < 2 || count > kMostTextCrosstable || view.games() == 0) return "";
    Cells rows(count + 1, std::vector<std::string>{"", ""});
    for (std::size_t row = 0; row < count; ++row) {
        rows[0].push_back(fmt::format("{}", row + 1));
        rows[row + 1] = {fmt::format("{}", row + 1),
                         shortened(printable_utf8(view.rows[row].name), 24)};
        for (std::size_t other = 0; other < count; ++other)
            rows[row + 1].push_back(row == other ? "" : cell_text(view.between(row, other)));
    }
    std::vector<bool> is_right(count + 2, true);
    is_right[1] = false;
    std::string text = table_text(rows, is_right);
    std::size_t widest = 0;
    std::string_view rest = text;
    while (!rest.empty()) widest = std::max(widest, columns(take_line(rest)));
    if (width > 0 && widest > static_cast<std::size_t>(width)) return "";
    return "\npoints of the row and of the column\n" + text;
}

/// The winner of the last round goes on to nothing.
std::string_view went_on_word(const TournamentView& view, const TournamentRound& round) {
    return view.winner && &round == &view.rounds.back() ? "won" : "went on";
}

std::string rounds_lines(const TournamentView& view) {
    std::string text;
    std::size_t lines = 0;
    const auto add = [&](const std::string& line) {
        if (lines++ < kMostRoundLines) text += line + "\n";
    };
    for (const TournamentRound& round : view.rounds) {
        add(fmt::format("\n{}", round_name(view, round)));
        for (const RoundMeeting& meeting : round.meetings)
            add("  " + printable_utf8(meeting_text(view, meeting)));
        for (const harness::Bye& bye : round.byes)
            add("  bye: " + printable_utf8(bye_text(view, bye)));
        if (const std::string names = went_on_text(view, round); !names.empty())
            add(fmt::format("  {}: {}", went_on_word(view, round), printable_utf8(names)));
    }
    if (lines > kMostRoundLines)
        text += fmt::format("  and {} more lines\n", lines - kMostRoundLines);
    return text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    return "| " + joined(cells, " | ") + " |\n";
}

std::string markdown_table(const TournamentView& view) {
    const std::vector<TableColumn> table = table_columns(view);
    std::vector<std::string> heads;
    std::vector<std::string> marks;
    for (const TableColumn& column : table) {
        heads.push_back(column.head);
        marks.emplace_back(column.is_right ? "--:" : ":--");
    }
    std::string out = markdown_row(heads) + markdown_row(marks);
    for (std::size_t row = 0; row < view.rows.size(); ++row) {
        std::vector<std::string> cells;
        for (const TableColumn& column : table)
            cells.push_back(markdown(shortened(column.cells[row], 80)));
        const std::string line = markdown_row(cells);
        if (out.size() + line.size() > kMostMarkdownTable)
            return out + fmt::format("\nand {} more programs\n", view.rows.size() - row);
        out += line;
    }
    return out;
}

std::string markdown_crosstable(const TournamentView& view) {
    const std::size_t count = view.rows.size();
    if (count < 2 || count > kMostMarkdownCrosstable || view.games() == 0) return "";
    std::vector<std::string> heads{"", ""};
    std::vector<std::string> marks{"--:", ":--"};
    for (std::size_t i = 0; i < count; ++i) {
        heads.push_back(fmt::format("{}", i + 1));
        marks.emplace_back("--:");
    }
    std::string out =
        "\n<details><summary>crosstable</summary>\n\n" + markdown_row(heads) + markdown_row(marks);
    for (std::size_t row = 0; row < count; ++row) {
        std::vector<std::string> cells{fmt::format("{}", row + 1),
                                       markdown(shortened(view.rows[row].name, 40))};
        for (std::size_t other = 0; other < count; ++other)
            cells.push_back(row == other ? "" : cell_text(view.between(row, other)));
        out += markdown_row(cells);
    }
    return out + "\nPoints of the row and of the column.\n\n</details>\n";
}

std::string markdown_rounds(const TournamentView& view) {
    if (view.rounds.empty()) return "";
    std::string out = "\n<details><summary>rounds</summary>\n\n";
    std::size_t left = view.rounds.size();
    for (const TournamentRound& round : view.rounds) {
        std::string line = fmt::format("- {}: ", round_name(view, round));
        std::size_t parts =
            round.meetings.size() + round.byes.size() + (round.went_on.empty() ? 0 : 1);
        bool is_cut = false;
        const auto add = [&](const std::string& part) {
            is_cut = is_cut || out.size() + line.size() + part.size() > kMostMarkdownRounds;
            if (is_cut) return;
            line += part + (--parts > 0 ? ", " : "");
        };
        for (const RoundMeeting& meeting : round.meetings)
            add(markdown(shortened(meeting_text(view, meeting), 120)));
        for (const harness::Bye& bye : round.byes)
            add("bye: " + markdown(shortened(bye_text(view, bye), 120)));
        if (const std::string names = went_on_text(view, round); !names.empty())
            add(fmt::format("{}: {}", went_on_word(view, round), markdown(shortened(names, 400))));
        if (is_cut) line += fmt::format("and {} more", parts);
        out += line + "\n";
        --left;
        if (is_cut) break;
    }
    if (left > 0)
        out += fmt::format("- and {}\n", grouped(static_cast<std::int64_t>(left), "more round"));
    return out + "\n</details>\n";
}

/// A line a condition: its state and its sentence.
std::vector<std::string> judged_lines(const TournamentView& view) {
    std::vector<std::string> lines;
    if (!view.judged) return lines;
    for (const harness::ConditionResult& one : view.judged->conditions)
        lines.push_back(fmt::format("{}: {}", view.is_over ? name_of(one.state) : "so far",
                                    harness::text_of(one)));
    return lines;
}

}  // namespace

std::string tournament_report(const TournamentView& view, const TournamentStyle& style) {
    std::string text = fmt::format("{} of {} · {}", words_of(view.kind),
                                   grouped(static_cast<std::int64_t>(view.rows.size()), "program"),
                                   progress_text(view));
    if (view.left) text += fmt::format(" · about {} left", rough_duration(*view.left));
    text += "\n" + printable_utf8(leader_sentence(view)) + "\n";
    if (const std::string strength = strength_sentence(view); !strength.empty())
        text += printable_utf8(strength) + "\n";
    text += "\n" + table_lines(view, style.width);
    text += view.rounds.empty() ? crosstable_lines(view, style.width) : rounds_lines(view);
    if (const std::string conditions = conditions_sentence(view); !conditions.empty())
        text += "\n" + printable_utf8(conditions) + "\n";
    if (view.judged) text += "\nconditions (95 % for all of them together)\n";
    for (const std::string& line : judged_lines(view))
        text += fmt::format("  {}\n", printable_utf8(line));
    for (const std::string& warning : view.warnings)
        text += (style.has_colour ? "\x1b[33mwarning\x1b[0m: " : "warning: ") +
                printable_utf8(warning) + "\n";
    return text;
}

std::string tournament_markdown(const TournamentView& view) {
    std::string out = fmt::format(
        "\n**{}** {}\n\n{} of {}, {}.\n\n", markdown(leader_sentence(view)),
        markdown(strength_sentence(view)), words_of(view.kind),
        grouped(static_cast<std::int64_t>(view.rows.size()), "program"), progress_text(view));
    out += markdown_table(view);
    if (const std::string conditions = conditions_sentence(view); !conditions.empty())
        out += "\n" + markdown(conditions) + "\n";
    if (view.judged) out += "\nConditions (95 % for all of them together):\n\n";
    for (const std::string& line : judged_lines(view))
        out += fmt::format("- {}\n", markdown(shortened(line, 300)));
    out += markdown_crosstable(view) + markdown_rounds(view);
    if (!view.warnings.empty()) out += "\n";
    for (std::size_t i = 0; i < view.warnings.size(); ++i) {
        if (i == kMostMarkdownWarnings) {
            out += fmt::format("- and {} more\n", view.warnings.size() - i);
            break;
        }
        out += fmt::format("- warning: {}\n", markdown(shortened(view.warnings[i], 300)));
    }
    return out;
}

}  // namespace assay::reports
