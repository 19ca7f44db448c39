#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/packing.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/values.h"
#include "cli/tree/query_output.h"
#include "cli/tree/query_prompt.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/query_file.h"
#include "gtql/log/import/open_trees.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

struct QueryFlags {
    std::vector<std::string> words;  // trees, then the query unless it comes from elsewhere
    std::vector<std::string> files;
    bool is_prompt = false;
    bool json = false;
    bool csv = false;
    std::string ids = "50";
    std::vector<std::string> show;
    int level = 2;
    std::string iteration;
    std::vector<std::string> constants;
    std::string position;
    std::string game;
    std::string db = "assay.db";
};

std::uint64_t most_ids(const QueryFlags& flags) {
    if (flags.ids == "all") return gtql::kAllIds;
    const auto number = to_number<std::uint64_t>(flags.ids);
    if (!number) throw Error("--ids: expected a number or 'all', found '" + flags.ids + "'");
    return *number;
}

QueryShow show_of(const QueryFlags& flags) {
    QueryShow show;
    show.position = flags.position;
    if (!flags.game.empty()) show.game = rules::make_game(rules::find_game(flags.game));
    if (flags.json && flags.csv) throw Error("--json and --csv exclude each other");
    if (flags.json) show.format = QueryShow::Format::Json;
    if (flags.csv) show.format = QueryShow::Format::Csv;
    for (const std::string& each : flags.show) {
        if (each == "path") {
            show.path = true;
        } else if (each == "fen" || each == "text") {
            show.fen = true;
        } else if (each == "board") {
            show.board = true;
        } else if (each == "children") {
            show.children = true;
        } else {
            constexpr std::array<std::string_view, 5> kWords{"path", "fen", "text", "board",
                                                             "children"};
            throw Error("--show: expected path, fen (or text), board or children, found '" + each +
                        "'" + did_you_mean(each, kWords));
        }
    }
    return show;
}

gtql::OpenOptions open_options(const QueryFlags& flags) {
    gtql::OpenOptions options;
    options.import.position = flags.position;
    if (flags.iteration == "all") {
        options.choice.all = true;
    } else if (!flags.iteration.empty()) {
        options.choice.iteration = to_number<std::uint64_t>(flags.iteration);
        if (!options.choice.iteration) {
            throw Error("--iteration: expected a number or 'all', found '" + flags.iteration + "'");
        }
    }
    for (const std::string& each : flags.constants) {
        const std::size_t equals = each.find('=');
        const auto value = to_number<std::int64_t>(equals == std::string::npos
                                                       ? std::string_view()
                                                       : std::string_view(each).substr(equals + 1));
        if (!value) throw Error("--const: expected NAME=NUMBER, found '" + each + "'");
        options.import.constants.push_back({each.substr(0, equals), *value});
    }
    return options;
}

/// "run:12" is the folder of that run's trees, "run:12/head" that of one program, and
/// "run:12/head/CMB.04" the tree of one position.
std::string path_of(const std::string& word, const QueryFlags& flags) {
    if (!word.starts_with("run:")) return word;
    std::string folder = flags.db + ".trees/" + word.substr(4);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder + ".gtl", ignored)) return folder + ".gtl";
    if (!std::filesystem::is_directory(folder, ignored)) {
        throw Error(word + ": no trees of that run in '" + flags.db + ".trees'");
    }
    return folder;
}

std::vector<std::unique_ptr<gtql::TreeSource>> open_all(const QueryFlags& flags) {
    if (flags.words.empty()) throw Error("expected a file of trees");
    const gtql::OpenOptions options = open_options(flags);
    std::vector<std::unique_ptr<gtql::TreeSource>> trees;
    std::vector<std::string> warnings;
    for (const std::string& word : flags.words) {
        for (const std::string& path : gtql::tree_files(path_of(word, flags))) {
            for (auto& tree : gtql::open_trees(path, options, warnings)) {
                trees.push_back(std::move(tree));
            }
        }
    }
    for (const std::string& each : warnings) fmt::print(stderr, "{}\n", each);
    return trees;
}

/// The queries. Removes the last word from the trees if it is a query.
std::vector<gtql::NamedQuery> queries_of(QueryFlags& flags) {
    const gtql::ParseOptions options{flags.level};
    std::vector<gtql::NamedQuery> queries;
    for (const std::string& path : flags.files) {
        for (auto& each : gtql::parse_query_file(path, read_text(path, kMostTextBytes), options)) {
            queries.push_back(std::move(each));
        }
    }
    std::error_code too_long;  // to be a file's name, as a query may well be
    const bool has_query = !flags.words.empty() &&
                           flags.words.back().find_first_of(":;<>= ") != std::string::npos &&
                           !flags.words.back().starts_with("run:") &&
                           !std::filesystem::exists(flags.words.back(), too_long);
    if (has_query) {
        gtql::NamedQuery query;
        query.query = gtql::parse_query("<query>", flags.words.back(), options);
        query.line = 1;
        queries.push_back(std::move(query));
        flags.words.pop_back();
    }
    if (queries.empty() && flags.files.empty()) {
        throw Error("expected a query such as 'node: count(*)' as the last word, or -f FILE.gtql");
    }
    if (queries.empty()) throw Error(flags.files[0] + ": no query in this file");
    return queries;
}

bool is_plain(const QueryAnswer& each) {
    return each.answer.kind != gtql::AnswerKind::Nodes &&
           each.answer.kind != gtql::AnswerKind::Table;
}

/// True if all bounds hold.
bool run_queries(QueryFlags flags) {
    const QueryShow show = show_of(flags);
    gtql::ExecuteOptions options;
    options.ids = most_ids(flags);
    const std::vector<gtql::NamedQuery> named = queries_of(flags);
    std::vector<gtql::Query> queries;
    queries.reserve(named.size());
    for (const auto& each : named) queries.push_back(each.query);
    const auto trees = open_all(flags);
    std::vector<QueryAnswer> answers;
    for (const auto& tree : trees) {
        std::vector<gtql::Answer> found = gtql::execute(*tree, queries, options);
        for (std::size_t i = 0; i < found.size(); ++i) {
            QueryAnswer answer;
            answer.tree = tree.get();
            answer.query = &named[i];
            answer.answer = std::move(found[i]);
            answers.push_back(std::move(answer));
        }
    }
    bool is_kept = true;
    bool are_numbers = answers.size() > 1 && show.format != QueryShow::Format::Json;
    for (const QueryAnswer& each : answers) {
        is_kept = is_kept && holds(each).value_or(true);
        are_numbers = are_numbers && is_plain(each);
    }
    if (are_numbers) {
        print_numbers(answers, show.format);
    } else {
        for (QueryAnswer& each : answers) {
            look_at_nodes(each, show);
            print_answer(each, show, answers.size() == 1);
            each.views.clear();
        }
    }
    const bool wants_position = show.fen || show.board;
    for (const auto& tree : trees) {
        if (!wants_position || !show.position.empty() || !tree->info().position.empty()) continue;
        fmt::print(stderr, "{}: the log does not say the root position; give it with --position\n",
                   tree->info().name);
    }
    return is_kept;
}

void run_prompt(const QueryFlags& flags) {
    gtql::ExecuteOptions options;
    options.ids = most_ids(flags);
    const auto trees = open_all(flags);
    if (trees.size() != 1) {
        throw Error(
            fmt::format("-i: expected one tree, found {}; choose with --iteration", trees.size()));
    }
    run_query_prompt(*trees[0], {flags.level}, options, show_of(flags));
}

}  // namespace

void add_query(Command& app, Exit& exit) {
    Command* const query = app.add_subcommand("query", "query search trees with GTQL");
    const auto flags = std::make_shared<QueryFlags>();
    query->add_option("TREE... QUERY", flags->words,
                      "files or folders of trees (packed, raw, CSV, JSON lines) or run:N, then the "
                      "query");
    query
        ->add_option("-f,--file", flags->files,
                     "queries from a .gtql file, all in one pass; a line '#! name: N, max: 0' "
                     "before a query says what must hold")
        ->type_name("FILE");
    query->add_flag("-i,--prompt", flags->is_prompt, "ask one tree from a prompt");
    query->add_flag("--json", flags->json, "one JSON object a line for each tree and query");
    query->add_flag("--csv", flags->csv, "comma-separated values");
    query->add_option("--ids", flags->ids, "so many ids of the nodes found; or all")
        ->type_name("N|all")
        ->capture_default_str();
    query
        ->add_option("--show", flags->show,
                     "of each node found: path, fen, board, children (a list with commas)")
        ->type_name("WHAT,...")
        ->delimiter(',');
    query
        ->add_option("--level", flags->level,
                     "1: the language of the GTQL paper and nothing more; 2: all of it")
        ->type_name("1|2")
        ->transform(number(1, 2))
        ->capture_default_str();
    query
        ->add_option("--iteration", flags->iteration,
                     "a number, or all (default: the last complete one of each search)")
        ->type_name("N|all");
    query->add_option("--const", flags->constants, "a constant that a CSV lacks; may be repeated")
        ->type_name("NAME=NUMBER");
    query
        ->add_option(kPositionFlags, flags->position,
                     "root position, for a tree that does not have it")
        ->type_name("FEN");
    query->add_option("--game", flags->game, "the game of a tree whose rules are a file")
        ->type_name("GAME");
    query->add_option("--db", flags->db, "the store whose trees run:N means")
        ->type_name("FILE")
        ->capture_default_str();
    query->footer(
        "The language is described in docs/gtql.md.\n"
        "\n"
        "examples:\n"
        "  assay query pos16.csv.zst 'node: count(type = PVNode)'\n"
        "  assay query trees/ 'node: flags & QRootNode; subtree: count(*) > 200' --show path,fen\n"
        "  assay query base.gtl head.gtl -f queries/health.gtql --json\n"
        "  assay query night.gtl 'node: count(*), avg(value) by depth' --csv\n"
        "  assay query -i night.gtl\n"
        "\n"
        "exit codes: 0 answered · 1 a bound of a .gtql file does not hold · 2 wrong flags, query or\n"
        "file");
    query->callback([flags, &exit] {
        if (flags->is_prompt) return run_prompt(*flags);
        if (!run_queries(*flags)) exit.code = 1;
    });
}

}  // namespace assay::cli
