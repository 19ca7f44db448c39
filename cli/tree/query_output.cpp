#include "cli/tree/query_output.h"

#include <algorithm>
#include <cctype>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/table.h"
#include "rules/line.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using gtql::AnswerKind;
using gtql::Cell;
using gtql::NodeValues;

std::string text_of(const Cell& cell) {
    if (const auto* const integer = std::get_if<std::int64_t>(&cell)) {
        return fmt::format("{}", *integer);
    }
    if (const auto* const real = std::get_if<double>(&cell)) return fmt::format("{:.3f}", *real);
    if (const auto* const move = std::get_if<std::string>(&cell)) return printable_utf8(*move);
    if (const auto* const truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
    return "none";
}

json::value json_of(const Cell& cell) {
    if (const auto* const integer = std::get_if<std::int64_t>(&cell)) return *integer;
    if (const auto* const real = std::get_if<double>(&cell)) return *real;
    if (const auto* const move = std::get_if<std::string>(&cell)) {
        return json::string(printable_utf8(*move));
    }
    if (const auto* const truth = std::get_if<bool>(&cell)) return *truth;
    return nullptr;
}

bool is_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::isdigit(c) != 0 || c == '-' || c == '.';
    });
}

/// Aligns columns of numbers to the right and others to the left; the first row is the header.
void print_rows(const Table& table, int indent) {
    if (table.empty()) return;
    std::vector<bool> are_numbers(table[0].size(), true);
    for (std::size_t r = 1; r < table.size(); ++r) {
        for (std::size_t c = 0; c < table[r].size(); ++c) {
            if (table[r][c] != "none") are_numbers[c] = are_numbers[c] && is_number(table[r][c]);
        }
    }
    print_table(table, are_numbers, indent);
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

void print_csv(const Table& table) {
    for (const auto& row : table) {
        std::string line;
        for (const std::string& each : row)
            line += (&each == row.data() ? "" : ",") + csv_cell(each);
        fmt::print("{}\n", line);
    }
}

void print_as(const Table& table, QueryShow::Format format, int indent) {
    if (format == QueryShow::Format::Csv) return print_csv(table);
    print_rows(table, indent);
}

std::string line_of(const gtql::NodeView& view) {
    return printable_utf8(assay::joined(view.moves, " "));
}

std::string title_of(const gtql::NamedQuery& query) {
    return query.query.name.empty() ? query.query.one_line() : query.query.name;
}

std::string result_of(const QueryAnswer& each) {
    switch (each.answer.kind) {
        case AnswerKind::Value:
        case AnswerKind::Bool:
            return text_of(each.answer.value);
        case AnswerKind::Table:
            return fmt::format("{} rows", each.answer.count);
        default:
            return fmt::format("{}", each.answer.count);
    }
}

std::string bounds_of(const gtql::Bounds& bounds) {
    std::string out;
    if (bounds.min) out += fmt::format("min {}", *bounds.min);
    if (bounds.max) out += fmt::format("{}max {}", out.empty() ? "" : ", ", *bounds.max);
    return out;
}

std::vector<std::string> header_of(const gtql::TreeSource& tree) {
    std::vector<std::string> header{"id"};
    for (const auto& each : tree.schema().attributes) header.push_back(each.name);
    return header;
}

std::vector<std::string> row_of(const NodeValues& node) {
    std::vector<std::string> row{std::to_string(node.id)};
    for (const Cell& cell : node.values) row.push_back(text_of(cell));
    return row;
}

/// The tree's game; null where nobody says it. Throws Error for one that only a file describes.
std::shared_ptr<const rules::Game> game_of(const gtql::TreeInfo& info, const QueryShow& show) {
    if (show.game != nullptr || info.game.empty()) return show.game;
    if (!rules::name_of_game(info.game)) {
        throw Error("the tree '" + printable_utf8(info.name) + "' is of the game '" +
                    printable_utf8(info.game) + "': name the file of its rules by --game FILE");
    }
    return rules::make_game(info.game);
}

/// The node's board in text; empty where its game has none.
std::string board_of(const QueryAnswer& each, const QueryShow& show, const std::string& position) {
    const auto picture = game_of(each.tree->info(), show)->parse(position)->picture();
    return picture ? rules::text_of(*picture, "  ") : "";
}

void print_nodes(const QueryAnswer& each, const QueryShow& show, int indent) {
    Table table{header_of(*each.tree)};
    if (show.path) table[0].emplace_back("path");
    if (show.fen) table[0].emplace_back("fen");
    for (std::size_t i = 0; i < each.views.size(); ++i) {
        table.push_back(row_of(each.views[i].node));
        if (show.path) table.back().push_back(line_of(each.views[i]));
        if (show.fen) table.back().push_back(each.texts[i].value_or("not known"));
    }
    print_as(table, show.format, indent);
    if (show.format == QueryShow::Format::Csv || (!show.board && !show.children)) return;
    for (std::size_t i = 0; i < each.views.size(); ++i) {
        const gtql::NodeView& view = each.views[i];
        fmt::print("\nnode {}: {}\n", view.node.id, view.moves.empty() ? "root" : line_of(view));
        if (show.board && each.texts[i]) fmt::print("{}", board_of(each, show, *each.texts[i]));
        if (!show.children) continue;
        Table children{header_of(*each.tree)};
        for (const NodeValues& child : view.children) children.push_back(row_of(child));
        if (view.children.empty()) {
            fmt::print("  no children\n");
        } else {
            print_rows(children, 2);
        }
    }
}

json::object json_of(const gtql::TreeSource& tree, const NodeValues& node) {
    json::object out;
    out["id"] = node.id;
    for (std::size_t i = 0; i < node.values.size(); ++i) {
        out[tree.schema().attributes[i].name] = json_of(node.values[i]);
    }
    return out;
}

json::array json_nodes(const QueryAnswer& each, const QueryShow& show) {
    json::array nodes;
    for (std::size_t i = 0; i < each.views.size(); ++i) {
        const gtql::NodeView& view = each.views[i];
        json::object node = json_of(*each.tree, view.node);
        if (show.path) {
            json::array moves;
            for (const std::string& move : view.moves) moves.emplace_back(printable_utf8(move));
            node["path"] = std::move(moves);
            node["path_ids"] = json::value_from(view.path);
        }
        if (show.fen || show.board) {
            node["fen"] = each.texts[i] ? json::value(*each.texts[i]) : json::value(nullptr);
        }
        if (show.children) {
            json::array children;
            for (const NodeValues& child : view.children) {
                children.emplace_back(json_of(*each.tree, child));
            }
            node["children"] = std::move(children);
        }
        nodes.emplace_back(std::move(node));
    }
    return nodes;
}

void print_json(const QueryAnswer& each, const QueryShow& show) {
    const gtql::Answer& answer = each.answer;
    json::object out;
    out["tree"] = printable_utf8(each.tree->info().name);
    out["query"] = printable_utf8(each.query->query.one_line());
    const std::string& name = each.query->query.name;
    out["name"] = name.empty() ? json::value(nullptr) : json::value(printable_utf8(name));
    out["kind"] = gtql::name_of(answer.kind);
    switch (answer.kind) {
        case AnswerKind::Count:
            out["count"] = answer.count;
            break;
        case AnswerKind::Nodes:
            out["count"] = answer.count;
            out["ids"] = json::value_from(answer.ids);
            if (show.needs_views()) out["nodes"] = json_nodes(each, show);
            break;
        case AnswerKind::Table: {
            out["count"] = answer.count;
            out["columns"] = json::value_from(answer.titles);
            json::array rows;
            for (const auto& row : answer.rows) {
                json::array cells;
                for (const Cell& cell : row) cells.push_back(json_of(cell));
                rows.emplace_back(std::move(cells));
            }
            out["rows"] = std::move(rows);
            break;
        }
        default:
            out["value"] = json_of(answer.value);
            break;
    }
    out["complete"] = each.tree->info().complete;
    if (const auto is_kept = holds(each)) out["holds"] = *is_kept;
    fmt::print("{}\n", json::serialize(out));
}

Table rows_of(const gtql::Answer& answer) {
    Table table{answer.titles};
    for (const auto& row : answer.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) cells.push_back(text_of(cell));
        table.push_back(std::move(cells));
    }
    return table;
}

}  // namespace

std::optional<bool> holds(const QueryAnswer& answer) {
    const gtql::Bounds& bounds = answer.query->bounds;
    if (!bounds.min && !bounds.max) return std::nullopt;
    const auto number = number_of(answer.answer);
    if (!number) return false;
    return (!bounds.min || *number >= *bounds.min) && (!bounds.max || *number <= *bounds.max);
}

void look_at_nodes(QueryAnswer& each, const QueryShow& show) {
    if (each.answer.kind != AnswerKind::Nodes || !show.needs_views()) return;
    each.views = look_at(*each.tree, each.answer.ids, {.values = true, .children = show.children});
    const gtql::TreeInfo& info = each.tree->info();
    each.texts.resize(each.views.size());
    const std::string& position = info.position.empty() ? show.position : info.position;
    if ((!show.fen && !show.board) || position.empty()) return;
    const auto game = game_of(info, show);
    if (game == nullptr) return;
    for (std::size_t i = 0; i < each.views.size(); ++i) {
        each.texts[i] = rules::text_after(*game, position, each.views[i].moves);
    }
}

void print_answer(const QueryAnswer& each, const QueryShow& show, bool is_alone) {
    if (show.format == QueryShow::Format::Json) return print_json(each, show);
    const bool is_text = show.format == QueryShow::Format::Text;
    if (!is_alone && is_text) {
        fmt::print("{}  {}\n", each.tree->info().name, title_of(*each.query));
    }
    const int indent = is_alone ? 0 : 2;
    const auto is_kept = holds(each);
    if (is_text && is_kept && !*is_kept) {
        fmt::print("{:{}}does not hold: {}\n", "", indent, bounds_of(each.query->bounds));
    }
    switch (each.answer.kind) {
        case AnswerKind::Nodes:
            if (is_text) {
                fmt::print("{:{}}{}\n", "", indent, counted(each.answer.count, "node"));
            }
            if (!each.views.empty() || !is_text) print_nodes(each, show, indent);
            if (is_text && each.answer.count > each.answer.ids.size() && !each.views.empty()) {
                fmt::print("{:{}}... and {} more; --ids all gives all\n", "", indent,
                           each.answer.count - each.answer.ids.size());
            }
            break;
        case AnswerKind::Table:
            print_as(rows_of(each.answer), show.format, indent);
            break;
        default:
            fmt::print("{:{}}{}\n", "", is_text ? indent : 0, result_of(each));
            break;
    }
}

void print_numbers(const std::vector<QueryAnswer>& answers, QueryShow::Format format) {
    Table table{{"tree", "query", "answer", "holds"}};
    bool has_bounds = false;
    for (const QueryAnswer& each : answers) {
        const auto is_kept = holds(each);
        has_bounds = has_bounds || is_kept;
        const std::string kept = !is_kept ? "" : (*is_kept ? "yes" : "NO");
        table.push_back({each.tree->info().name, title_of(*each.query), result_of(each),
                         is_kept ? kept + " (" + bounds_of(each.query->bounds) + ")" : ""});
    }
    if (!has_bounds) {
        for (auto& row : table) row.pop_back();
    }
    print_as(table, format, 0);
}

}  // namespace assay::cli
