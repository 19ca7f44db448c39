#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/target.h"
#include "cli/frame/values.h"
#include "cli/tree/tree_describe.h"
#include "gtql/log/header_text.h"
#include "gtql/log/import/export.h"
#include "gtql/log/import/open_trees.h"
#include "gtql/log/packed/packed_writer.h"
#include "gtql/log/raw/raw_blocks.h"
#include "reports/plot/tree_map.h"
#include "rules/line.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

struct TreeFlags {
    std::vector<std::string> in;
    std::string out;
    std::string iteration;
    std::vector<std::string> constants;
    std::string position;
    std::string format;
    bool json = false;
    gtql::PackOptions pack;
    reports::TreeMapOptions map;
};

gtql::ImportOptions import_options(const TreeFlags& flags) {
    gtql::ImportOptions options;
    options.position = flags.position;
    for (const std::string& each : flags.constants) {
        const std::size_t equals = std::min(each.find('='), each.size());
        const std::string name = each.substr(0, equals);
        const auto value = to_number<std::int64_t>(each.substr(std::min(equals + 1, each.size())));
        if (!gtql::is_log_name(name) || !value)
            throw Error("--const: expected NAME=NUMBER, found '" + each + "'");
        options.constants.push_back({name, *value});
    }
    return options;
}

gtql::OpenOptions open_options(const TreeFlags& flags) {
    gtql::OpenOptions options;
    options.import = import_options(flags);
    if (flags.iteration == "all") {
        options.choice.all = true;
    } else if (flags.iteration != "last") {
        options.choice.iteration = to_number<std::uint64_t>(flags.iteration);
        if (!options.choice.iteration) {
            throw Error("--iteration: expected a number, 'last' or 'all', found '" +
                        flags.iteration + "'");
        }
    }
    return options;
}

/// Throws Error if the position that the user gave is not one of the tree's game, where the game is
/// known.
void check_position(const gtql::TreeSource& tree, const std::string& given) {
    const gtql::TreeInfo& info = tree.info();
    const bool is_known = rules::name_of_game(info.game).has_value();
    if (given.empty() || info.position != given || !is_known) return;
    (void)rules::text_after(*rules::make_game(info.game), given, {});
}

/// Numbers the searches of several files that are packed into one. Searches of the first file keep
/// their numbers, those of later files follow: only the last of several searches with the same
/// number would be queried.
class SearchNumbers {
public:
    void begin_file() { first_ = next_; }

    std::uint64_t number_of(std::uint64_t search) {
        const std::uint64_t number = first_ + search;
        next_ = std::max(next_, number + 1);
        return number;
    }

private:
    std::uint64_t first_ = 0;  // added to the numbers of this file
    std::uint64_t next_ = 0;
};

/// The only tree of a command that shows or writes one. Throws Error if there are several.
std::unique_ptr<gtql::TreeSource> only_tree(const TreeFlags& flags) {
    std::vector<std::string> warnings;
    auto trees = gtql::open_trees(flags.in.at(0), open_options(flags), warnings);
    print_warnings(warnings);
    if (trees.size() != 1) {
        std::string names;
        for (const auto& each : trees) names += "\n  " + each->info().name;
        throw Error(flags.in.at(0) + ": expected one tree, found " + std::to_string(trees.size()) +
                    "; choose one by --iteration, or pack it alone" + names);
    }
    return std::move(trees.front());
}

void run_pack(const TreeFlags& flags) {
    check_target(flags.out, flags.in);
    gtql::PackedWriter writer(flags.out, flags.pack);
    const gtql::OpenOptions options = open_options(flags);
    std::uint64_t nodes = 0;
    std::size_t trees = 0;
    std::size_t incomplete = 0;
    SearchNumbers numbers;
    for (const std::string& path : flags.in) {
        for (const std::string& each : gtql::tree_files(path)) {
            numbers.begin_file();
            std::vector<std::string> warnings;
            const auto opened = gtql::open_trees(each, options, warnings);
            print_warnings(warnings);
            for (const auto& tree : opened) {
                check_position(*tree, flags.position);
                writer.add(*tree, numbers.number_of(tree->info().search));
                nodes += tree->info().nodes;
                incomplete += tree->info().complete ? 0U : 1U;
                ++trees;
            }
        }
    }
    writer.finish();
    fmt::print(stderr, "{}: {}, {}, {} bytes, {:.3f} a node{}\n", flags.out, counted(trees, "tree"),
               counted(nodes, "node"), writer.bytes(),
               static_cast<double>(writer.bytes()) /
                   static_cast<double>(std::max<std::uint64_t>(1, nodes)),
               incomplete > 0 ? fmt::format("; {} not complete", incomplete) : "");
}

/// Writes what `produce` passes to its sink to a file or standard output.
template <class Produce>
void write_out(const std::string& out, const Produce& produce) {
    ReplacedFile file(out);
    produce([&file](std::string_view part) { file.write(part); });
    file.commit();
}

void run_export(const TreeFlags& flags) {
    check_target(flags.out, flags.in);
    const auto tree = only_tree(flags);
    const bool is_json =
        flags.format == "jsonl" || (flags.format.empty() && flags.out.ends_with(".jsonl"));
    write_out(flags.out, [&](const gtql::TextSink& sink) {
        if (is_json) {
            export_jsonl(*tree, sink);
        } else {
            export_csv(*tree, sink);
        }
    });
}

void run_map(const TreeFlags& flags) {
    const bool is_svg = flags.out.ends_with(".svg");
    if (!is_svg && !flags.out.ends_with(".html"))
        throw Error("'" + flags.out + "': expected a name that ends in .html or .svg");
    check_target(flags.out, flags.in);
    const auto tree = only_tree(flags);
    write_file(flags.out, is_svg ? reports::tree_map_svg(*tree, flags.map)
                                 : reports::tree_map_html(*tree, flags.map));
    fmt::print(stderr, "{}: {}\n", flags.out, counted(tree->info().nodes, "node"));
}

void add_input(Command& verb, TreeFlags& flags, bool is_one) {
    const auto option = verb.add_option(
        "TREE", flags.in,
        "packed (.gtl), raw tree log, CSV or JSON lines (the last two plain, .gz or .zst)");
    option->required();
    if (is_one) option->expected(1);
    verb.add_option("--const", flags.constants, "a constant that a table lacks; may be repeated")
        ->type_name("NAME=NUMBER");
    verb.add_option(kPositionFlags, flags.position, "root position that a table lacks")
        ->type_name("FEN");
}

void add_iteration(Command& verb, TreeFlags& flags, const char* otherwise) {
    flags.iteration = otherwise;
    verb.add_option(
            "--iteration", flags.iteration,
            "which iteration of a log: a number, 'all', or 'last': the last complete one of a search")
        ->type_name("N|all|last")
        ->default_str(otherwise);
}

void add_pack(Command& tree, const char* name, const char* description, const char* examples) {
    const auto flags = std::make_shared<TreeFlags>();
    Command* const pack = tree.add_subcommand(name, description);
    add_input(*pack, *flags, false);
    add_iteration(*pack, *flags, "all");
    pack->add_option("-o,--out", flags->out, "file to write, .gtl")->type_name("FILE")->required();
    pack->add_option("--zstd", flags->pack.level, "level of compression, 1 to 19")
        ->type_name("N")
        ->transform(number(1, 19))
        ->capture_default_str();
    pack->add_option("--threads", flags->pack.threads, "columns compressed at once")
        ->type_name("N")
        ->transform(number(1, 64))
        ->capture_default_str();
    pack->add_option("--block", flags->pack.block, "nodes a block")
        ->type_name("N")
        ->transform(number(1U, static_cast<unsigned>(gtql::kMostBlockNodes)))
        ->capture_default_str();
    pack->footer(examples);
    pack->callback([flags] { run_pack(*flags); });
}

void add_looks(Command& tree, Exit& exit) {
    const auto flags = std::make_shared<TreeFlags>();
    Command* const info = tree.add_subcommand("info", "describe tree files");
    add_input(*info, *flags, false);
    info->add_flag("--json", flags->json, "one JSON object a file on standard output");
    info->footer(
        "examples:\n"
        "  assay tree info search.log\n"
        "  assay tree info trees/*.gtl --json");
    info->callback([flags] {
        for (const std::string& path : flags->in) {
            for (const std::string& each : gtql::tree_files(path))
                describe_trees(each, import_options(*flags), flags->json);
        }
    });

    Command* const verify =
        tree.add_subcommand("verify", "read everything and check all checksums; exit 1 if damaged");
    add_input(*verify, *flags, false);
    verify->footer(
        "examples:\n"
        "  assay tree verify trees/*.gtl\n"
        "  assay tree verify search.log");
    verify->callback([flags, &exit] {
        for (const std::string& path : flags->in) {
            for (const std::string& each : gtql::tree_files(path)) {
                if (!verify_trees(each, import_options(*flags))) exit.code = 1;
            }
        }
    });
}

void add_export(Command& tree) {
    const auto flags = std::make_shared<TreeFlags>();
    Command* const verb = tree.add_subcommand("export", "write one tree as CSV or JSON lines");
    add_input(*verb, *flags, true);
    add_iteration(*verb, *flags, "last");
    verb->add_option("-o,--out", flags->out, "file to write (default: standard output)")
        ->type_name("FILE");
    verb->add_option("--format", flags->format,
                     "output format (default: by the file's name, else csv)")
        ->transform(one_of({"csv", "jsonl"}));
    verb->footer(
        "examples:\n"
        "  assay tree export search.gtl -o search.csv\n"
        "  assay tree export search.log --iteration 5 --format jsonl | head");
    verb->callback([flags] { run_export(*flags); });
}

void add_map(Command& tree) {
    const auto flags = std::make_shared<TreeFlags>();
    Command* const verb = tree.add_subcommand(
        "map", "draw one tree as a treemap: a rectangle a node, as large as its subtree");
    add_input(*verb, *flags, true);
    add_iteration(*verb, *flags, "last");
    verb->add_option("-o,--out", flags->out, "file to write, .html or .svg")
        ->type_name("FILE")
        ->required();
    verb->add_option("--colour,--color", flags->map.colour,
                     "attribute or level; 'type' where the tree has it")
        ->type_name("NAME");
    verb->add_option("--node", flags->map.node, "only the subtree of this node_id")
        ->type_name("N")
        ->transform(number(std::uint64_t{1}))
        ->capture_default_str();
    verb->add_option("--rectangles", flags->map.rectangles,
                     "draw at most this many, the largest subtrees")
        ->type_name("N")
        ->transform(number(1, 200'000))
        ->capture_default_str();
    verb->add_option("--width", flags->map.width, "width of the map, in pixels")
        ->type_name("N")
        ->transform(number(200, 20'000))
        ->capture_default_str();
    verb->add_option("--height", flags->map.height, "height of the map, in pixels")
        ->type_name("N")
        ->transform(number(200, 20'000))
        ->capture_default_str();
    verb->footer(
        "examples:\n"
        "  assay tree map search.gtl -o map.html\n"
        "  assay tree map search.gtl -o map.svg --colour depth --node 4711");
    verb->callback([flags] { run_map(*flags); });
}

}  // namespace

void add_tree(Command& app, Exit& exit) {
    Command* const tree = app.add_subcommand("tree", "pack, inspect and convert search-tree logs");
    tree->require_subcommand(1);
    add_pack(*tree, "pack", "pack raw tree logs, as small columns that queries read quickly",
             "examples:\n"
             "  assay tree pack search.log -o search.gtl\n"
             "  assay tree pack logs/ -o all.gtl --iteration last");
    add_pack(*tree, "import", "pack a tree that is a table: CSV or JSON lines, a row a node",
             "Columns: node_id and parent_id, or level; last_move; integers are attributes.\n"
             "\n"
             "examples:\n"
             "  assay tree import pos15.csv.zst -o pos15.gtl\n"
             "  assay tree import mine.csv -o mine.gtl --const PVNode=1 --const CUTNode=2");
    add_looks(*tree, exit);
    add_export(*tree);
    add_map(*tree);

    const auto flags = std::make_shared<TreeFlags>();
    Command* const header = tree->add_subcommand(
        "header", "print treelog.h, the C99 header by which a program logs its search");
    header->add_option("-o,--out", flags->out, "file to write (default: standard output)")
        ->type_name("FILE");
    header->footer(
        "docs/log-your-engine.md shows the twenty lines that a searcher needs.\n"
        "\n"
        "examples:\n"
        "  assay tree header > treelog.h");
    header->callback(
        [flags] { write_out(flags->out, [](const auto& sink) { sink(gtql::treelog_header()); }); });
    tree->footer(
        "Formats: docs/tree-log.md.\n"
        "\n"
        "examples:\n"
        "  assay tree header > treelog.h\n"
        "  assay tree pack search.log -o search.gtl\n"
        "  assay tree info search.gtl");
}

}  // namespace assay::cli
