#include "reports/text/suite_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"
#include "harness/plan/time_control.h"
#include "harness/suite/positions.h"
#include "reports/text/painted.h"
#include "reports/text/solved_text.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

using harness::ExpectationResult;
using harness::Holds;
using harness::SearchRecord;
using harness::SuiteExpectation;
using harness::SuitePlan;

constexpr std::size_t kMostPositionsShown = 3;
constexpr std::size_t kMostNodesShown = 2;
constexpr std::size_t kMostSearchesShown = 5;
constexpr std::size_t kMostRows = 40;  // of Markdown

const SuitePlan& suite_of(const RunView& view) {
    return *view.run.plan.suite;
}

const SuiteExpectation& plan_of(const RunView& view, const ExpectationResult& result) {
    return suite_of(view).expectations[result.expectation];
}

const std::string& position_id(const RunView& view, std::size_t position) {
    return suite_of(view).positions[position].id;
}

/// The query on one line, "node: " apart.
std::string query_text(const std::string& query) {
    std::string out;
    for (const char c : query) {
        const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!is_blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return printable_utf8(trim(out));
}

std::string limit_text(const SuitePlan& suite) {
    return harness::to_text(suite.limit);
}

/// A change, in percent: "+3 %".
std::string signed_percent(double value) {
    return fmt::format("{}{} %", value < 0 ? "" : "+", plain_number(value, 3));
}

std::string_view word_of(Holds holds) {
    return enum_names<Holds>("ok", "FAIL", "?", "-").of(holds);
}

std::string painted_word(Holds holds, bool colour) {
    const std::string padded = fmt::format("{:<5}", word_of(holds));
    const char* const code = holds == Holds::No ? "31" : holds == Holds::Unknown ? "33" : nullptr;
    if (!colour || code == nullptr) return padded;
    return fmt::format("\x1b[{}m{}\x1b[0m", code, padded);
}

std::string padded(std::string_view text, std::size_t width) {
    std::string out(text);
    const std::size_t used = columns(text);
    if (used < width) out.append(width - used, ' ');
    return out;
}

std::string right(std::string_view text, std::size_t width) {
    const std::size_t used = columns(text);
    return used < width ? std::string(width - used, ' ') + std::string(text) : std::string(text);
}

std::string mean_depth(double depth) {
    return fmt::format("{:.1f}", depth);
}

/// A mean of answers.
std::string mean_answer(double mean) {
    constexpr double kManyDigits = 1000;
    return std::abs(mean) < kManyDigits ? plain_number(mean, 4) : answer_text(std::round(mean));
}

/// total_text() behind an arrow, where its first word stands before it.
std::string total_after(const ExpectationResult& result) {
    if (result.measure == harness::SuiteMeasure::Depth) return mean_depth(result.after);
    if (result.measure == harness::SuiteMeasure::Query && result.is_mean)
        return mean_answer(result.after);
    return figure_text(result, result.after);
}

std::string figures_text(const RunView& view, const ExpectationResult& result) {
    if (result.counted == 0)
        return result.measure == harness::SuiteMeasure::Query ? "no answer" : "none";
    if (result.measure == harness::SuiteMeasure::Solved && suite_of(view).has_baseline())
        return fmt::format("{} → {}", answer_text(result.before), total_text(result, result.after));
    if (!suite_of(view).has_baseline()) return total_text(result, result.after);
    return total_text(result, result.before) + " → " + total_after(result);
}

/// "-97.4 %  (9 of 9 smaller, Wilcoxon p = 0.0039)  at most +10 %".
std::string remarks_text(const RunView& view, const ExpectationResult& result) {
    std::string out = change_text(result);
    const std::string solved = solved_by_text(view, result);
    const std::string direction = direction_text(result);
    if (!solved.empty()) {
        out += fmt::format("{}({})", out.empty() ? "" : "  ", solved);
    } else if (!direction.empty()) {
        out += fmt::format("{}({})", out.empty() ? "" : "  ", direction);
    }
    const std::string bound = bound_text(plan_of(view, result));
    if (!bound.empty()) out += (out.empty() ? "" : "  ") + bound;
    return out;
}

std::string node_text(const RunView& view, const harness::FoundNode& node, std::size_t position) {
    std::string out = fmt::format("position {}, node {}, size {}", position_id(view, position),
                                  grouped(static_cast<std::int64_t>(node.id)),
                                  grouped(static_cast<std::int64_t>(node.size)));
    if (!node.path.empty()) out += ": " + shortened(node.path, 120);
    if (!node.position.empty()) out += "   " + node.position;
    return printable_utf8(out);
}

/// " (bm Qh3, played Kb1)" of a measure; empty of a query.
std::string played_text(const RunView& view, const ExpectationResult& result,
                        std::size_t position) {
    if (result.measure == harness::SuiteMeasure::Query) return "";
    const PositionMoves moves(view, position);
    return fmt::format(" ({}, played {})", moves.solution(), moves.answer(result.program));
}

/// How to look at an expectation that fails.
std::string fault_lines(const RunView& view, const ExpectationResult& result) {
    std::string out;
    std::size_t shown = 0;
    for (const std::size_t position : result.shown) {
        if (shown++ == kMostPositionsShown) break;
        const auto& figures = result.positions[position];
        const auto* const nodes = view.suite->nodes(result, position);
        if (nodes == nullptr) {
            out += fmt::format(
                "        position {}: {}{}\n", printable_utf8(position_id(view, position)),
                figures.before ? figure_text(result, figures.before) + " → " : "",
                figure_text(result, figures.after) + played_text(view, result, position));
            continue;
        }
        for (std::size_t i = 0; i < nodes->size() && i < kMostNodesShown; ++i)
            out += "        " + node_text(view, (*nodes)[i], position) + "\n";
    }
    if (!result.shown.empty() && result.measure == harness::SuiteMeasure::Query)
        out += "        " + query_command(view, result, result.shown.front()) + "\n";
    return out;
}

struct Widths {
    std::size_t name = 0;
    std::size_t query = 0;
    std::size_t figures = 0;
};

constexpr std::size_t kWidestName = 32;
constexpr std::size_t kWidestQuery = 48;

std::string shown_name(const RunView& view, const ExpectationResult& result) {
    return printable_utf8(shortened(expectation_name(view, result), kWidestName));
}

std::string shown_query(const RunView& view, const ExpectationResult& result) {
    const SuiteExpectation& plan = plan_of(view, result);
    // An expectation without a name of its own is named after its query.
    return plan.name == plan.query ? "" : shortened(query_text(plan.query), kWidestQuery);
}

std::string row_text(const RunView& view, const ExpectationResult& result, const Widths& widths,
                     bool colour) {
    std::string row = fmt::format("  {} {}  ", painted_word(result.holds, colour),
                                  padded(shown_name(view, result), widths.name));
    if (widths.query > 0) row += padded(shown_query(view, result), widths.query) + "  ";
    row += right(figures_text(view, result), widths.figures) + "  " + remarks_text(view, result);
    row.erase(row.find_last_not_of(' ') + 1);
    row += '\n';
    if (result.holds == Holds::Unknown)
        row += "        inconclusive: " + printable_utf8(shortened(result.reason, 300)) + "\n";
    else if (!result.reason.empty())
        row += "        " + printable_utf8(shortened(result.reason, 300)) + "\n";
    return row;
}

std::string searches_lines(const RunView& view) {
    std::string out;
    std::size_t failed = 0;
    for (const SearchRecord& search : view.suite->searches) {
        if (!search.is_failure() || ++failed > kMostSearchesShown) continue;
        std::string_view said = search.last_lines;
        while (!said.empty() && said.back() == '\n') said.remove_suffix(1);
        said.remove_prefix(said.rfind('\n') == std::string_view::npos ? 0 : said.rfind('\n') + 1);
        out += fmt::format("  {} at position {}: {}: {}\n",
                           printable_utf8(suite_program(view, search.program)),
                           printable_utf8(position_id(view, search.position)),
                           harness::name_of(search.end), printable_utf8(search.reason));
        if (!said.empty())
            out += fmt::format("    it had said: {}\n", printable_utf8(shortened(said, 200)));
    }
    if (failed > kMostSearchesShown)
        out += fmt::format("  and {} more searches failed\n", failed - kMostSearchesShown);
    return out;
}

std::string trees_line(const RunView& view) {
    std::int64_t trees = 0;
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    for (const SearchRecord& search : view.suite->searches) {
        if (search.tree.empty()) continue;
        ++trees;
        nodes += search.nodes;
        bytes += search.packed_bytes;
    }
    if (trees == 0) return "";
    // The folder ends the line: it is copied into the command line of `assay query`.
    const std::string folder =
        fmt::format("{}/{}", harness::trees_folder(view.store_path), view.run.id);
    return fmt::format("  {} of {} nodes, {:.1f} MB, in {}\n", grouped(trees, "tree"),
                       grouped(static_cast<std::int64_t>(nodes)), static_cast<double>(bytes) / 1e6,
                       printable_utf8(shell_word(folder)));
}

}  // namespace

const std::string& suite_program(const RunView& view, std::size_t program) {
    return view.run.plan.programs[suite_of(view).programs[program]].name;
}

std::string expectation_name(const RunView& view, const ExpectationResult& result) {
    const std::string& name = plan_of(view, result).name;
    if (suite_of(view).programs.size() <= 2) return query_text(name);
    return fmt::format("{} ({})", query_text(name), suite_program(view, result.program));
}

std::string answer_text(const std::optional<double>& value) {
    if (!value) return "none";
    const bool is_whole = std::nearbyint(*value) == *value && std::abs(*value) < 1e15;
    return is_whole ? grouped(static_cast<std::int64_t>(*value)) : plain_number(*value);
}

std::string figure_text(const ExpectationResult& result, const std::optional<double>& value) {
    return result.measure == harness::SuiteMeasure::Query ? answer_text(value)
                                                          : measure_text(result.measure, value);
}

std::string total_text(const ExpectationResult& result, double total) {
    if (result.measure == harness::SuiteMeasure::Solved)
        return fmt::format("{} of {}", answer_text(total), result.counted);
    if (result.measure == harness::SuiteMeasure::Depth) return "mean " + mean_depth(total);
    if (result.measure != harness::SuiteMeasure::Query) return measure_text(result.measure, total);
    return result.is_mean ? "mean " + mean_answer(total) : answer_text(total);
}

std::string bound_text(const SuiteExpectation& expectation) {
    std::string out;
    const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
    if (expectation.min) add("min " + answer_text(expectation.min));
    if (expectation.max) add("max " + answer_text(expectation.max));
    if (expectation.exactly) add("exactly " + answer_text(expectation.exactly));
    if (!out.empty() && expectation.scope == SuiteExpectation::Scope::Suite) out += " in all";
    if (const auto& change = expectation.against_baseline) {
        if (change->least && change->most)
            add(fmt::format("{} to {}", signed_percent(*change->least),
                            signed_percent(*change->most)));
        else if (change->most)
            add(*change->most == 0 ? "not higher" : "at most " + signed_percent(*change->most));
        else if (change->least)
            add(*change->least == 0 ? "not lower" : "at least " + signed_percent(*change->least));
        if (expectation.change_scope == SuiteExpectation::Scope::Position) out += " at each";
    }
    return out;
}

std::string direction_text(const ExpectationResult& result) {
    const auto& paired = result.paired;
    if (paired.changed() == 0) return "";
    const std::int64_t all = paired.changed() + paired.equal;
    std::string text = fmt::format("{} of {} larger, {} smaller", paired.more, all, paired.fewer);
    if (paired.more == 0) text = fmt::format("{} of {} smaller", paired.fewer, all);
    if (paired.fewer == 0) text = fmt::format("{} of {} larger", paired.more, all);
    if (paired.changed() >= 5) text += ", Wilcoxon " + p_value(paired.wilcoxon_p);
    return text;
}

std::string change_text(const ExpectationResult& result) {
    if (!result.change_percent || result.counted == 0) return "";
    const double percent = *result.change_percent;
    constexpr double kFewDigits = 1000;
    if (std::abs(percent) < kFewDigits) return fmt::format("{:+.1f} %", percent);
    return fmt::format("{}{} %", percent < 0 ? "" : "+", grouped(std::llround(percent)));
}

std::string query_command(const RunView& view, const ExpectationResult& result,
                          std::size_t position) {
    std::string query = query_text(plan_of(view, result).query);
    return fmt::format("assay query run:{}/{}/{} '{}' --show path,fen{}", view.run.id,
                       file_part(suite_program(view, result.program)),
                       file_part(position_id(view, position)), query, store_flag(view.store_path));
}

std::string suite_header(const RunView& view, int concurrency) {
    const SuitePlan& suite = suite_of(view);
    std::string text = fmt::format(
        "suite {} · {} · {} · ", suite_name(view),
        grouped(static_cast<std::int64_t>(suite.positions.size()), "position"), limit_text(suite));
    for (std::size_t i = 0; i < suite.programs.size(); ++i) {
        const bool is_last = i + 1 == suite.programs.size();
        if (i > 0) text += is_last ? " against " : " and ";
        text += printable_utf8(suite_program(view, i));
    }
    if (concurrency > 0)
        text += fmt::format(" · {} at once", grouped(concurrency, "search", "searches"));
    return text + "\n";
}

std::string suite_summary(const RunView& view, bool colour) {
    return suite_header(view, 0) + suite_table(view, colour);
}

std::string suite_table(const RunView& view, bool colour) {
    std::string text = solved_table(view);
    Widths widths;
    for (const ExpectationResult& result : view.suite->expectations) {
        widths.name = std::max(widths.name, columns(shown_name(view, result)));
        widths.query = std::max(widths.query, columns(shown_query(view, result)));
        widths.figures = std::max(widths.figures, columns(figures_text(view, result)));
    }
    for (const ExpectationResult& result : view.suite->expectations) {
        text += row_text(view, result, widths, colour);
        if (result.holds == Holds::No) text += fault_lines(view, result);
    }
    if (!view.suite->is_whole())
        text += fmt::format("  {} of {} searches are done\n", view.suite->searches.size(),
                            view.suite->planned);
    return text + searches_lines(view) + trees_line(view);
}

std::string suite_sentence(const RunView& view) {
    const harness::SuiteResult& suite = *view.suite;
    const auto fails = static_cast<std::int64_t>(suite.count(Holds::No));
    const auto unknown = static_cast<std::int64_t>(suite.count(Holds::Unknown));
    const auto holds = static_cast<std::int64_t>(suite.count(Holds::Yes));
    const std::int64_t all = fails + unknown + holds;
    if (all == 0) return "";
    if (fails > 0) {
        std::string names;
        for (const ExpectationResult& one : suite.expectations)
            if (one.holds == Holds::No)
                names += (names.empty() ? "" : ", ") + shown_name(view, one);
        return fmt::format("{} of {} {}: {}", fails, grouped(all, "expectation"),
                           plural(fails, "fails", "fail"), names);
    }
    if (unknown > 0)
        return fmt::format("{} of {} {} inconclusive", unknown, grouped(all, "expectation"),
                           plural(unknown, "is", "are"));
    return grouped(holds, "expectation holds", "expectations hold");
}

std::string suite_name(const RunView& view) {
    return printable_utf8(std::filesystem::path(suite_of(view).source).stem().string());
}

std::string suite_caption(const RunView& view) {
    const SuitePlan& suite = suite_of(view);
    return fmt::format("{}, {}",
                       grouped(static_cast<std::int64_t>(suite.positions.size()), "position"),
                       limit_text(suite));
}

std::size_t failed_expectations(const RunView& view) {
    return view.suite == nullptr ? 0 : view.suite->count(Holds::No);
}

std::string expectation_query(const RunView& view, const ExpectationResult& result) {
    if (result.measure != harness::SuiteMeasure::Query)
        return fmt::format("measure: {}", harness::name_of(result.measure));
    return query_text(plan_of(view, result).query);
}

std::string first_fault(const RunView& view, const ExpectationResult& result) {
    if (result.shown.empty()) return "";
    const auto* const nodes = view.suite->nodes(result, result.shown.front());
    return nodes == nullptr ? "" : node_text(view, nodes->front(), result.shown.front());
}

std::string suite_markdown(const RunView& view) {
    std::string header = suite_header(view, 0);
    header.pop_back();
    std::string out = fmt::format("\n{}\n", markdown(shortened(header, 400)));
    if (const std::string sentence = suite_sentence(view); !sentence.empty())
        out += fmt::format("\n**suite:** {}\n", markdown(shortened(sentence, 600)));
    out += solved_markdown(view);
    const auto& results = view.suite->expectations;
    if (!results.empty()) out += "\n| | expectation | found | |\n| --- | --- | ---: | --- |\n";
    std::size_t rows = 0;
    for (const ExpectationResult& one : results) {
        if (rows++ == kMostRows) {
            out += fmt::format("| | and {} more | | |\n", results.size() - kMostRows);
            break;
        }
        out += fmt::format("| {} | {} | {} | {} |\n", harness::name_of(one.holds),
                           markdown(shortened(expectation_name(view, one), 80)),
                           markdown(figures_text(view, one)),
                           markdown(shortened(remarks_text(view, one), 160)));
    }
    std::string faults;
    for (const ExpectationResult& one : results) {
        if (one.holds != Holds::No || faults.size() > 6000) continue;
        faults += fmt::format("- {}: {}\n", markdown(shortened(expectation_name(view, one), 80)),
                              markdown(shortened(one.reason, 300)));
        const std::string fault = first_fault(view, one);
        if (!fault.empty()) faults += fmt::format("  - {}\n", markdown(shortened(fault, 400)));
    }
    if (!faults.empty()) out += "\n" + faults;
    std::string failed;
    for (const SearchRecord& search : view.suite->searches) {
        if (!search.is_failure() || failed.size() > 3000) continue;
        failed += fmt::format(
            "- {} at position {}: {}: {}\n", markdown(suite_program(view, search.program)),
            markdown(position_id(view, search.position)), harness::name_of(search.end),
            markdown(shortened(search.reason, 200)));
    }
    return failed.empty() ? out : out + "\n" + failed;
}

}  // namespace assay::reports
