// Writes a tree as rows of text, in the form that import reads back to the same tree. Everything
// that is the same in each row (separators, names of JSON keys, the texts of moves) is made once,
// so that a row is appending of numbers. Text is handed on in pieces of 256 KiB: a tree of 10^8
// nodes does not fit in memory as text.
#include "gtql/log/import/export.h"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "base/text.h"

namespace assay::gtql {

namespace {

constexpr std::size_t kFlush = 1U << 18;

void append(std::string& to, std::int64_t value) {
    std::array<char, 24> digits{};
    to.append(digits.data(),
              std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string json_text(const std::string& text) {
    return boost::json::serialize(boost::json::value(text));
}

/// How a format writes a row: what stands before each cell and behind the last one, and a move.
struct RowForm {
    std::string_view begin;
    bool has_names;
    std::string_view end;
    std::string (*move)(const std::string&);
};

constexpr RowForm kCsvRow{"", false, "\n", csv_text};
constexpr RowForm kJsonRow{"{", true, "}\n", json_text};

/// Writes a tree row by row; a node's id and its parent's come first.
class Rows {
public:
    Rows(const TreeSource& tree, const RowForm& form) : tree_(tree), form_(form) {
        const TreeSchema& schema = tree.schema();
        // An attribute of that name comes from the log; the level then describes the shape.
        has_ids_ = schema.attribute("node_id") < 0 && schema.attribute("parent_id") < 0;
        has_level_ = !has_ids_ && schema.attribute("level") < 0;
        if (has_ids_) names_ = {"node_id", "parent_id"};
        if (has_level_) names_ = {"level"};
        for (std::size_t i = 0; i < schema.attributes.size(); ++i)
            add(static_cast<int>(i), schema.attributes[i].name, schema.attributes[i].is_move);
        if (schema.has_thread) add(kThreadColumn, "thread", false);
        if (schema.has_unfinished) add(kUnfinishedColumn, "unfinished", false);
        for (const std::string& name : names_) {
            const std::string before(before_.empty() ? form.begin : ",");
            before_.push_back(form.has_names ? before + '"' + name + "\":" : before);
        }
        for (const std::string& move : tree.moves()) moves_.push_back(form.move(move));
    }

    /// In the order of the cells of a row.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    /// Writes all rows to `sink`; the first piece begins with `head`, the last ends with `tail`.
    void write(std::string head, const std::string& tail, const TextSink& sink) {
        text_ = std::move(head);
        const auto reader = tree_.read(wanted_);
        std::vector<std::uint64_t> path;
        TreeBlock block;
        while (reader->next(block)) {
            for (std::size_t i = 0; i < block.size; ++i) {
                const auto level = static_cast<std::size_t>(block.columns[0].at(i));
                const std::uint64_t id = block.first + i + 1;
                // The open nodes by level: a node's parent is the last one that was seen one level
                // above.
                path.resize(level);
                write_row(block, i, id, path.empty() ? 0 : path.back());
                path.push_back(id);
                if (text_.size() < kFlush) continue;
                sink(text_);
                text_.clear();
            }
        }
        sink(text_ + tail);
    }

private:
    void add(ColumnId id, const std::string& name, bool is_move) {
        wanted_.push_back(id);
        names_.push_back(name);
        is_move_.push_back(is_move);
    }

    void write_row(const TreeBlock& block, std::size_t row, std::uint64_t id,
                   std::uint64_t parent) {
        std::size_t cell = 0;
        const auto number = [&](std::int64_t value) { append(text_ += before_[cell++], value); };
        if (has_ids_) {
            number(static_cast<std::int64_t>(id));
            number(static_cast<std::int64_t>(parent));
        }
        if (has_level_) number(block.columns[0].at(row));
        for (std::size_t c = 0; c < is_move_.size(); ++c) {
            const std::int64_t value = block.columns[c + 1].at(row);
            if (is_move_[c])
                (text_ += before_[cell++]) += moves_[static_cast<std::size_t>(value)];
            else
                number(value);
        }
        text_ += form_.end;
    }

    const TreeSource& tree_;
    const RowForm& form_;
    std::vector<ColumnId> wanted_{kLevelColumn};
    std::vector<std::string> names_;
    std::vector<std::string> before_;  // each cell
    std::vector<bool> is_move_;        // beside block.columns, which begin with the level
    std::vector<std::string> moves_;   // as the format writes them
    bool has_ids_ = true;
    bool has_level_ = false;
    std::string text_;
};

std::string csv_head(const TreeSource& tree) {
    const TreeInfo& info = tree.info();
    std::string text;
    if (!tree.schema().constants.empty()) {
        text += "#const";
        for (const Constant& each : tree.schema().constants)
            text += " " + each.name + "=" + std::to_string(each.value);
        text += "\n";
    }
    if (!info.game.empty()) text += "#game " + info.game + "\n";
    if (!info.position.empty()) text += "#position " + info.position + "\n";
    text += "#search " + std::to_string(info.search) + "\n";
    text += "#iteration " + std::to_string(info.iteration) + "\n";
    text += "#nodes " + std::to_string(info.nodes) + "\n";
    if (!info.complete) text += "#incomplete\n";
    for (const auto& [name, value] : info.parameters)
        text.append("#parameter ").append(name).append("=").append(value).append("\n");
    return text;
}

std::string json_head(const TreeSource& tree) {
    const TreeInfo& info = tree.info();
    boost::json::object head;
    boost::json::object constants;
    for (const Constant& each : tree.schema().constants) constants[each.name] = each.value;
    boost::json::object parameters;
    for (const auto& [name, value] : info.parameters) parameters[name] = value;
    head["game"] = info.game;
    head["position"] = info.position;
    head["search"] = info.search;
    head["iteration"] = info.iteration;
    head["nodes"] = info.nodes;
    head["complete"] = info.complete;
    head["const"] = std::move(constants);
    head["parameters"] = std::move(parameters);
    return boost::json::serialize(boost::json::object{{"tree", std::move(head)}}) + "\n";
}

}  // namespace

void export_csv(const TreeSource& tree, const TextSink& sink) {
    Rows rows(tree, kCsvRow);
    rows.write(csv_head(tree) + joined(rows.names(), ",") + "\n",
               "#end " + std::to_string(tree.info().nodes) + "\n", sink);
}

void export_jsonl(const TreeSource& tree, const TextSink& sink) {
    Rows(tree, kJsonRow)
        .write(json_head(tree), "{\"end\":" + std::to_string(tree.info().nodes) + "}\n", sink);
}

}  // namespace assay::gtql
