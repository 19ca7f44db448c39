#include "cli/tree/tree_describe.h"

#include <algorithm>
#include <filesystem>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/log/packed/packed_file.h"

namespace assay::cli {

namespace {

using gtql::ColumnId;
using gtql::TreeSource;

struct ColumnFigures {
    std::string name;
    gtql::Width width = gtql::Width::I8;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::uint64_t bytes = 0;  // in a packed file; 0: not packed
};

std::vector<std::pair<ColumnId, std::string>> columns_of(const TreeSource& tree) {
    std::vector<std::pair<ColumnId, std::string>> columns = {{gtql::kLevelColumn, "level"}};
    const auto& schema = tree.schema();
    if (schema.has_thread) columns.emplace_back(gtql::kThreadColumn, "thread");
    if (schema.has_unfinished) columns.emplace_back(gtql::kUnfinishedColumn, "unfinished");
    for (std::size_t i = 0; i < schema.attributes.size(); ++i)
        columns.emplace_back(static_cast<int>(i), schema.attributes[i].name);
    return columns;
}

void extend(ColumnFigures& figures, std::int64_t least, std::int64_t most, bool is_first) {
    figures.least = is_first ? least : std::min(figures.least, least);
    figures.most = is_first ? most : std::max(figures.most, most);
}

/// From the headers of the blocks if the tree is packed, else from the values.
std::vector<ColumnFigures> figures_of(const TreeSource& tree) {
    std::vector<ColumnFigures> all;
    std::vector<ColumnId> wanted;
    for (const auto& [id, name] : columns_of(tree)) {
        all.push_back({name, gtql::Width::I8, 0, 0, 0});
        wanted.push_back(id);
    }
    if (const auto* const packed = dynamic_cast<const gtql::PackedTree*>(&tree)) {
        for (std::size_t c = 0; c < all.size(); ++c)
            all[c].width = packed->width_of_column(wanted[c]);
        for (std::size_t block = 0; block < packed->blocks(); ++block) {
            const gtql::BlockHead head = packed->block_head(block);
            for (std::size_t c = 0; c < all.size(); ++c) {
                extend(all[c], head.chunks[c].least, head.chunks[c].most, block == 0);
                all[c].bytes += head.chunks[c].size;
            }
        }
        return all;
    }
    const auto reader = tree.read(wanted);
    gtql::TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t c = 0; c < all.size(); ++c) {
            all[c].width = block.columns[c].width;
            for (std::size_t i = 0; i < block.size; ++i) {
                const std::int64_t value = block.columns[c].at(i);
                extend(all[c], value, value, block.first + i == 0);
            }
        }
    }
    return all;
}

boost::json::object json_of(const TreeSource& tree) {
    const auto& info = tree.info();
    boost::json::array columns;
    for (const ColumnFigures& each : figures_of(tree)) {
        boost::json::object column;
        column["name"] = each.name;
        column["width"] = static_cast<int>(each.width);
        column["least"] = each.least;
        column["most"] = each.most;
        if (each.bytes > 0) column["bytes"] = each.bytes;
        columns.emplace_back(std::move(column));
    }
    boost::json::object constants;
    for (const auto& each : tree.schema().constants) constants[each.name] = each.value;
    boost::json::object parameters;
    for (const auto& [name, value] : info.parameters) parameters[name] = value;
    boost::json::object out;
    out["tree"] = info.name;
    out["search"] = info.search;
    out["iteration"] = info.iteration;
    out["nodes"] = info.nodes;
    out["complete"] = info.complete;
    out["game"] = info.game;
    out["position"] = info.position;
    out["moves"] = tree.moves().size();
    out["columns"] = std::move(columns);
    out["constants"] = std::move(constants);
    out["parameters"] = std::move(parameters);
    return out;
}

void print_text(const TreeSource& tree) {
    const auto& info = tree.info();
    fmt::print("search {}, iteration {}: {}, {}\n", info.search, info.iteration,
               counted(info.nodes, "node"), info.complete ? "complete" : "not complete");
    if (!info.position.empty()) fmt::print("  {} {}\n", info.game, info.position);
    for (const auto& [name, value] : info.parameters) fmt::print("  {}: {}\n", name, value);
    fmt::print("  {:<14} {:>5} {:>12} {:>12} {:>12}\n", "column", "bytes", "least", "most",
               "bytes a node");
    for (const ColumnFigures& each : figures_of(tree)) {
        const double share = static_cast<double>(each.bytes) /
                             static_cast<double>(std::max<std::uint64_t>(1, info.nodes));
        fmt::print("  {:<14} {:>5} {:>12} {:>12} {:>12}\n", each.name, static_cast<int>(each.width),
                   each.least, each.most, each.bytes > 0 ? fmt::format("{:.3f}", share) : "-");
    }
    if (tree.schema().constants.empty()) return;
    fmt::print("  constants     ");
    for (const auto& each : tree.schema().constants) fmt::print(" {}={}", each.name, each.value);
    fmt::print("\n");
}

/// All errors in a packed file.
std::vector<gtql::Remark> faults_of_packed(const std::string& path) {
    const gtql::PackedFile file(gtql::RandomAccess::open(path));
    std::vector<gtql::Remark> faults = file.remarks();
    for (std::size_t i = 0; i < file.size(); ++i) verify(file.tree(i), faults);
    return faults;
}

}  // namespace

void print_warnings(const std::vector<std::string>& warnings) {
    for (const std::string& each : warnings) fmt::print(stderr, "warning: {}\n", each);
}

void describe_trees(const std::string& path, const gtql::ImportOptions& options, bool as_json) {
    const auto file = gtql::TreeFile::open(path, options);
    const std::uint64_t bytes = std::filesystem::file_size(path);
    boost::json::array trees;
    std::uint64_t nodes = 0;
    for (std::size_t i = 0; i < file->size(); ++i) {
        std::vector<std::string> warnings;
        const auto tree = file->tree(i, warnings);
        print_warnings(warnings);
        nodes += tree->info().nodes;
        if (as_json) {
            trees.emplace_back(json_of(*tree));
        } else {
            print_text(*tree);
        }
    }
    const double share =
        static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, nodes));
    if (as_json) {
        boost::json::object out;
        out["schema"] = 1;
        out["path"] = path;
        out["kind"] = file->kind();
        out["bytes"] = bytes;
        out["nodes"] = nodes;
        out["trees"] = std::move(trees);
        fmt::print("{}\n", boost::json::serialize(out));
    } else {
        fmt::print("{}: {}, {} bytes, {}, {}, {:.3f} bytes a node\n", path, file->kind(), bytes,
                   counted(file->size(), "tree"), counted(nodes, "node"), share);
    }
}

bool verify_trees(const std::string& path, const gtql::ImportOptions& options) {
    std::vector<std::string> faults;
    std::uint64_t nodes = 0;
    std::size_t incomplete = 0;
    std::size_t trees = 0;
    try {
        const auto file = gtql::TreeFile::open(path, options);
        trees = file->size();
        if (std::string_view(file->kind()) == "packed") {
            for (const gtql::Remark& each : faults_of_packed(path)) {
                faults.push_back(each.offset == 0 ? each.what
                                                  : fmt::format("{}: byte {}: {}", path,
                                                                each.offset, each.what));
            }
        }
        for (std::size_t i = 0; i < trees; ++i) {
            std::vector<std::string> warnings;
            const auto tree = file->tree(i, warnings);
            nodes += tree->info().nodes;
            incomplete += tree->info().complete ? 0U : 1U;
            if (std::string_view(file->kind()) != "packed")
                faults.insert(faults.end(), warnings.begin(), warnings.end());
        }
    } catch (const Error& error) {
        faults.emplace_back(error.what());
    }
    for (const std::string& each : faults) fmt::print("{}\n", each);
    fmt::print("{}: {}, {}, {}", path, faults.empty() ? "sound" : "damaged", counted(trees, "tree"),
               counted(nodes, "node"));
    fmt::print("{}\n", incomplete > 0 ? fmt::format(", {} not complete", incomplete) : "");
    return faults.empty();
}

}  // namespace assay::cli
