// The cost of logging for a search, and of packed trees in bytes and time. Processor time, because
// wall time means little on a busy machine. Usage: treelog_bench FOLDER [TREE...]; the files are
// written to the folder.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#define TREELOG_IMPLEMENTATION
#include "gtql/log/import/open_trees.h"
#include "gtql/log/packed/packed_file.h"
#include "gtql/log/packed/packed_writer.h"
#include "gtql/log/treelog.h"

namespace {

using namespace assay::gtql;

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double cpu() {
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double wall() {
    return seconds(CLOCK_MONOTONIC);
}

void name_move(std::int64_t move, char* text, void*) {
    std::snprintf(text, TREELOG_MOVE_TEXT, "m%d", static_cast<int>(move));
}

treelog* declared(const std::string& path) {
    treelog* const log = treelog_new(path.c_str());
    treelog_move_names(log, name_move, nullptr);
    for (const char* const name : {"ply", "depth", "alpha", "beta", "type", "type_exp"})
        treelog_attribute(log, name, TREELOG_ENTRY);
    treelog_attribute(log, "flags", TREELOG_BOTH);
    treelog_attribute(log, "value", TREELOG_EXIT);
    treelog_attribute(log, "type_res", TREELOG_EXIT);
    return log;
}

std::uint64_t work(std::uint64_t seed, int rounds) {
    for (int i = 0; i < rounds; ++i) seed = (seed ^ seed >> 29) * 0xbf58476d1ce4e5b9ULL;
    return seed;
}

/// The shape of a search: five children a node, `rounds` multiplications a node. With Calls it
/// calls treelog.h, which does nothing if `s` is null.
template <bool Calls>
std::uint64_t search(treelog_stream* s, int ply, int depth, std::uint64_t seed, int rounds) {
    const auto move = static_cast<std::int64_t>(seed % 2048);
    const auto score = static_cast<std::int64_t>(seed >> 20 & 1023) - 512;
    if constexpr (Calls)
        TREELOG_ENTER(s, move, ply, depth, score, score + 1, 2, 3,
                      static_cast<std::int64_t>(seed & 63));
    std::uint64_t value = work(seed, rounds);
    for (std::uint64_t i = 0; depth > 0 && i < 5; ++i)
        value ^= search<Calls>(s, ply + 1, depth - 1, value + i, rounds);
    if constexpr (Calls) TREELOG_LEAVE(s, static_cast<std::int64_t>(value & 65), score + 7, 2);
    return value;
}

constexpr int kDepth = 9;
constexpr double kNodes = 2441406;  // of five children a node

template <bool Calls>
double run(treelog_stream* s, int rounds, std::uint64_t& sink) {
    double best = 1e9;
    for (int turn = 0; turn < 5; ++turn) {
        const double begin = cpu();
        treelog_open(s, 0, static_cast<std::uint32_t>(turn), "", nullptr);
        sink ^= search<Calls>(s, 0, kDepth, static_cast<std::uint64_t>(turn), rounds);
        treelog_close(s);
        best = std::min(best, cpu() - begin);
    }
    return best / kNodes * 1e6;
}

void measure_writer(const std::string& folder) {
    const std::string path = folder + "/bench.log";
    treelog* const log = declared(path);
    treelog_stream* const s = treelog_stream_new(log);
    std::uint64_t sink = 0;
    std::printf("best of 5 runs, %.1f M nodes, 9 attributes and a move; processor time a node\n",
                kNodes / 1e6);
    int rounds = 60;
    while (run<false>(nullptr, rounds, sink) < 0.333) rounds += 10;
    const double bare = run<false>(nullptr, rounds, sink);
    const double off = run<true>(nullptr, rounds, sink);
    const double on = run<true>(s, rounds, sink);
    std::printf(
        "searcher of about 3 Mnodes/s: no calls %.3f us, off %.3f us (x %.3f), on %.3f us "
        "(x %.2f, + %.3f us)\n",
        bare, off, off / bare, on, on / bare, on - bare);
    const double empty = run<false>(nullptr, 0, sink);
    const double only = run<true>(s, 0, sink);
    std::printf("searcher without work: no calls %.4f us, on %.3f us: enter and leave %.3f us\n",
                empty, only, only - empty);
    treelog_stream_free(s);
    std::printf("error: %s; %.1f bytes a node in the raw log (%llu)\n",
                treelog_error(log) != nullptr ? treelog_error(log) : "none",
                static_cast<double>(std::filesystem::file_size(path)) / (10 * kNodes),
                static_cast<unsigned long long>(sink & 1));
    treelog_free(log);
    std::filesystem::remove(path);
}

/// The trees repeated below one root, up to at least `nodes` nodes.
std::unique_ptr<Tree> repeated(const std::vector<std::unique_ptr<TreeSource>>& trees,
                               std::uint64_t nodes) {
    const auto& schema = trees.front()->schema();
    Column level;
    std::vector<Column> values(schema.attributes.size());
    level.push(0);
    for (auto& each : values) each.push(0);
    std::vector<ColumnId> ids = {kLevelColumn};
    for (std::size_t i = 0; i < values.size(); ++i) ids.push_back(static_cast<int>(i));
    while (level.size() < nodes) {
        for (const auto& tree : trees) {
            const auto reader = tree->read(ids);
            TreeBlock block;
            while (reader->next(block)) {
                for (std::size_t i = 0; i < block.size; ++i) {
                    level.push(block.columns[0].at(i) + 1);
                    for (std::size_t c = 0; c < values.size(); ++c)
                        values[c].push(block.columns[c + 1].at(i));
                }
            }
        }
    }
    TreeInfo info;
    info.name = "repeated";
    auto tree = std::make_unique<Tree>(info, std::move(level));
    for (std::size_t c = 0; c < values.size(); ++c)
        tree->add_attribute(schema.attributes[c].name, std::move(values[c]));
    return tree;
}

void measure_decoding(const PackedTree& tree, const std::vector<std::string>& names) {
    std::vector<ColumnId> wanted;
    std::string text;
    for (const std::string& name : names) {
        wanted.push_back(name == "level" ? kLevelColumn : tree.schema().attribute(name));
        text += " " + name;
    }
    double best = 1e9;
    double best_cpu = 1e9;
    for (int turn = 0; turn < 3; ++turn) {
        const double begin = wall();
        const double begin_cpu = cpu();
        const auto reader = tree.read(wanted);
        TreeBlock block;
        while (reader->next(block)) {}
        best = std::min(best, wall() - begin);
        best_cpu = std::min(best_cpu, cpu() - begin_cpu);
    }
    const double nodes = static_cast<double>(tree.info().nodes) / 1e6;
    std::printf("  %-42s %5.0f Mnodes/s wall, %5.0f a core\n", text.c_str() + 1, nodes / best,
                nodes / best_cpu);
}

void measure_packing(const std::string& folder, const std::vector<std::string>& paths) {
    std::vector<std::unique_ptr<TreeSource>> trees;
    std::vector<std::string> warnings;
    const std::string path = folder + "/bench.gtl";
    for (const std::string& each : paths) {
        trees.push_back(std::move(open_trees(each, {}, warnings).at(0)));
        for (const int level : {9, 15, 19}) {
            PackOptions options;
            options.level = level;
            PackedWriter writer(path, options);
            const double begin = cpu();
            writer.add(*trees.back());
            writer.finish();
            const auto nodes = static_cast<double>(trees.back()->info().nodes);
            std::printf("%s, zstd %d: %.3f bytes a node, %.2f Mnodes/s a core\n",
                        std::filesystem::path(each).filename().c_str(), level,
                        static_cast<double>(writer.bytes()) / nodes, nodes / (cpu() - begin) / 1e6);
        }
    }
    const auto tree = repeated(trees, 5'000'000);
    PackedWriter writer(path, {});
    writer.add(*tree);
    writer.finish();
    const PackedFile file(RandomAccess::open(path));
    std::printf("decoding %llu nodes, two threads:\n",
                static_cast<unsigned long long>(tree->info().nodes));
    measure_decoding(file.tree(0), {"level"});
    measure_decoding(file.tree(0), {"type"});
    measure_decoding(file.tree(0), {"level", "type", "flags"});
    measure_decoding(file.tree(0), {"level", "value"});
    measure_decoding(file.tree(0), {"alpha", "beta"});
    measure_decoding(file.tree(0), {"level", "last_move"});
    measure_decoding(file.tree(0), {"level", "ply", "depth", "alpha", "beta", "value", "type"});
    std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: treelog_bench FOLDER [TREE...]\n");
        return 2;
    }
    measure_writer(argv[1]);
    if (argc > 2) measure_packing(argv[1], {argv + 2, argv + argc});
    return 0;
}
