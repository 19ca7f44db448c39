#include "gtql/log/import/export.h"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include <boost/json.hpp>

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

/// Walks over a tree row by row and keeps track of the parent's id.
class Rows {
public:
    explicit Rows(const TreeSource& tree) : tree_(tree), wanted_{kLevelColumn} {
        const TreeSchema& schema = tree.schema();
        for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
            wanted_.push_back(static_cast<int>(i));
            names.push_back(schema.attributes[i].name);
            is_move.push_back(schema.attributes[i].is_move);
        }
        if (schema.has_thread) add(kThreadColumn, "thread");
        if (schema.has_unfinished) add(kUnfinishedColumn, "unfinished");
        // An attribute of that name comes from the log; the level then describes the shape.
        has_ids = schema.attribute("node_id") < 0 && schema.attribute("parent_id") < 0;
        has_level = !has_ids && schema.attribute("level") < 0;
    }

    /// Calls row(id, parent, level, block, i) for each node.
    template <class Row>
    void each(const Row& row) {
        const auto reader = tree_.read(wanted_);
        std::vector<std::uint64_t> path;
        TreeBlock block;
        while (reader->next(block)) {
            for (std::size_t i = 0; i < block.size; ++i) {
                const auto level = static_cast<std::size_t>(block.columns[0].at(i));
                const std::uint64_t id = block.first + i + 1;
                path.resize(level);
                row(id, path.empty() ? 0 : path.back(), block, i);
                path.push_back(id);
            }
        }
    }

    std::vector<std::string> names;  // beside block.columns, which begin with the level
    std::vector<bool> is_move;
    bool has_ids = true;
    bool has_level = false;

private:
    void add(ColumnId id, const char* name) {
        wanted_.push_back(id);
        names.emplace_back(name);
        is_move.push_back(false);
    }

    const TreeSource& tree_;
    std::vector<ColumnId> wanted_;
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
    Rows rows(tree);
    std::vector<std::string> moves;
    for (const std::string& each : tree.moves()) moves.push_back(csv_text(each));
    std::string text = csv_head(tree);
    text += rows.has_ids ? "node_id,parent_id" : "";
    text += rows.has_level ? "level" : "";
    bool is_first = !rows.has_ids && !rows.has_level;
    for (const std::string& name : rows.names) {
        text += (is_first ? "" : ",") + name;
        is_first = false;
    }
    text += "\n";
    rows.each([&](std::uint64_t id, std::uint64_t parent, const TreeBlock& block, std::size_t i) {
        const std::size_t begin = text.size();
        if (rows.has_ids) {
            append(text, static_cast<std::int64_t>(id));
            text += ',';
            append(text, static_cast<std::int64_t>(parent));
        }
        if (rows.has_level) append(text, block.columns[0].at(i));
        for (std::size_t c = 0; c < rows.names.size(); ++c) {
            if (text.size() != begin) text += ',';
            const std::int64_t value = block.columns[c + 1].at(i);
            if (rows.is_move[c]) {
                text += moves[static_cast<std::size_t>(value)];
            } else {
                append(text, value);
            }
        }
        text += '\n';
        if (text.size() < kFlush) return;
        sink(text);
        text.clear();
    });
    sink(text + "#end " + std::to_string(tree.info().nodes) + "\n");
}

void export_jsonl(const TreeSource& tree, const TextSink& sink) {
    Rows rows(tree);
    std::vector<std::string> moves;
    for (const std::string& each : tree.moves())
        moves.push_back(boost::json::serialize(boost::json::value(each)));
    std::string text = json_head(tree);
    rows.each([&](std::uint64_t id, std::uint64_t parent, const TreeBlock& block, std::size_t i) {
        const char* comma = "{";
        const auto key = [&](const std::string& name) {
            text += comma;
            text += '"' + name + "\":";
            comma = ",";
        };
        if (rows.has_ids) {
            key("node_id");
            append(text, static_cast<std::int64_t>(id));
            key("parent_id");
            append(text, static_cast<std::int64_t>(parent));
        }
        if (rows.has_level) {
            key("level");
            append(text, block.columns[0].at(i));
        }
        for (std::size_t c = 0; c < rows.names.size(); ++c) {
            key(rows.names[c]);
            const std::int64_t value = block.columns[c + 1].at(i);
            if (rows.is_move[c]) {
                text += moves[static_cast<std::size_t>(value)];
            } else {
                append(text, value);
            }
        }
        text += "}\n";
        if (text.size() < kFlush) return;
        sink(text);
        text.clear();
    });
    sink(text + "{\"end\":" + std::to_string(tree.info().nodes) + "}\n");
}

}  // namespace assay::gtql
