#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "engines/chess_player/chess_search.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "gtql/lang/query_file.h"
#include "gtql/log/import/open_trees.h"
#include "rules/chess/notation.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using namespace assay::engines;
namespace gtql = assay::gtql;

namespace {

void write_name(Move move, char* text, const void* context) {
    (void)context;
    const std::string name = move == kNoMove ? "0000"
                                             : assay::rules::chess::write_uci(
                                                   move, assay::rules::chess::Variant::Standard);
    std::copy_n(name.c_str(), name.size() + 1, text);
}

constexpr auto kFen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";

struct Logged {
    std::vector<Line> lines;
    std::vector<std::unique_ptr<gtql::TreeSource>> trees;
};

Logged log_search(const PlayerOptions& options, const Limits& limits) {
    const assay::test::TempDir dir;
    const std::string path = dir.path("log");
    Logged logged;
    {
        NodeLog log(path, "chess", 0, write_name, nullptr);
        const auto memory = std::make_unique<Memory>();
        memory->size_table(1U << 20U);
        Silence silence;
        const auto position = assay::rules::make_game("chess")->parse(kFen);
        logged.lines = search(*position, options, *memory, limits, silence, &log);
        CHECK(log.error() == "");
    }
    std::vector<std::string> warnings;
    gtql::OpenOptions all;
    all.choice.all = true;
    logged.trees = gtql::open_trees(path, all, warnings);
    return logged;
}

std::vector<std::int64_t> column(const gtql::TreeSource& tree, const std::string& name) {
    const std::vector<gtql::ColumnId> wanted{tree.schema().attribute(name)};
    REQUIRE(wanted[0] >= 0);
    std::vector<std::int64_t> values;
    const auto reader = tree.read(wanted);
    gtql::TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t i = 0; i < block.size; ++i) values.push_back(block.columns[0].at(i));
    }
    return values;
}

std::size_t count_flags(const gtql::TreeSource& tree, unsigned flag) {
    std::size_t count = 0;
    for (const std::int64_t flags : column(tree, "flags")) {
        count += (static_cast<unsigned>(flags) & flag) != 0 ? 1 : 0;
    }
    return count;
}

double ask(const Logged& logged, const std::string& text) {
    const std::array queries{gtql::parse_query("query", text)};
    const auto number = gtql::number_of(gtql::execute(*logged.trees.back(), queries)[0]);
    REQUIRE(number.has_value());
    return *number;
}

/// The paper's Table 4.
double changes(const Logged& logged, int n) {
    return ask(logged, "node: type = PVNode; child: count([]type = type) >= " + std::to_string(n));
}

}  // namespace

TEST_CASE("Log: a tree an iteration, a row a node, and the search is the same as without") {
    Limits limits;
    limits.depth = 6;
    const Logged logged = log_search({}, limits);
    REQUIRE(logged.trees.size() == 6);
    std::uint64_t nodes = 0;
    for (std::size_t i = 0; i < logged.trees.size(); ++i) {
        const gtql::TreeInfo& info = logged.trees[i]->info();
        CHECK(info.complete);
        CHECK(info.iteration == i + 1);
        CHECK(info.search == 0);
        CHECK(info.position == kFen);
        nodes += info.nodes;
    }
    CHECK(nodes == logged.lines[0].nodes);
    const auto memory = std::make_unique<Memory>();
    memory->size_table(1U << 20U);
    Silence silence;
    const auto position = assay::rules::make_game("chess")->parse(kFen);
    const auto lines = search(*position, {}, *memory, limits, silence);
    CHECK(lines[0].nodes == logged.lines[0].nodes);
    CHECK(lines[0].moves == logged.lines[0].moves);
    const gtql::TreeSource& last = *logged.trees.back();
    CHECK(column(last, "value")[0] == lines[0].value);
    CHECK(column(last, "ply")[0] == 0);
    CHECK(column(last, "depth")[0] == 6);
}

TEST_CASE("Log: every kind of node is marked") {
    Limits limits;
    limits.depth = 7;
    const Logged logged = log_search({}, limits);
    const gtql::TreeSource& tree = *logged.trees.back();
    for (const unsigned flag : {kQNode, kQRootNode, kNullMove, kNullSearch, kReSearch,
                                kReSearchTree, kInCheck, kExtended, kReduced, kTTCut, kStandPat}) {
        CAPTURE(flag);
        CHECK(count_flags(tree, flag) > 0);
    }
    CHECK(count_flags(tree, kChainEnd) == 0);
    CHECK(count_flags(tree, kQRootNode) < count_flags(tree, kQNode));
    CHECK(count_flags(tree, kNullMove) < count_flags(tree, kNullSearch));
    std::map<std::int64_t, std::size_t> types;
    const auto alpha = column(tree, "alpha");
    const auto beta = column(tree, "beta");
    const auto type = column(tree, "type");
    for (std::size_t i = 0; i < type.size(); ++i) {
        ++types[type[i]];
        CHECK((type[i] == 1) == (beta[i] - alpha[i] > 1));
    }
    CHECK(types.size() == 3);
    // The shape that the GTQL paper found: few PV nodes, more CUT than ALL, changes ever rarer.
    REQUIRE(type.size() > 50'000);
    CHECK(ask(logged, "node: count(type = PVNode) * 100 < count(*)"));
    CHECK(ask(logged, "node: count(type = CUTNode) > count(type = ALLNode)"));
    CHECK(changes(logged, 2) > 0);
    CHECK(changes(logged, 5) * 3 < changes(logged, 2));
    CHECK(changes(logged, 9) == 0);
    PlayerOptions chains;
    chains.search.chains = true;
    chains.search.table = false;
    const Logged with_chains = log_search(chains, limits);
    CHECK(count_flags(*with_chains.trees.back(), kChainEnd) > 0);
    // The shipped queries of the paper on chains.
    const auto queries = gtql::parse_query_file(
        "move-chains.gtql", assay::read_file(ASSAY_SOURCE_DIR "/configs/queries/move-chains.gtql"));
    REQUIRE(queries.size() == 5);
    std::vector<double> answers;
    for (const gtql::NamedQuery& one : queries) {
        answers.push_back(*gtql::number_of(
            gtql::execute(*with_chains.trees.back(), std::span(&one.query, 1))[0]));
    }
    CHECK(answers[0] > 100);  // quiescence nodes for 100 others
    CHECK(answers[1] + answers[2] ==
          static_cast<double>(count_flags(*with_chains.trees.back(), kChainEnd)));
    // Most are of one move, and hardly any of more than four.
    CHECK(answers[1] > answers[2]);
    CHECK(answers[2] > 0);
    CHECK(answers[3] * 10 < answers[2]);
    CHECK(answers[4] > 50);
    CHECK(answers[4] <= 100);
}

TEST_CASE("Log: a search that is stopped leaves its last iteration unfinished, the others whole") {
    Limits limits;
    limits.nodes = 20'000;
    const Logged logged = log_search({}, limits);
    REQUIRE(logged.trees.size() > 3);
    for (std::size_t i = 0; i + 1 < logged.trees.size(); ++i) {
        CHECK(logged.trees[i]->info().complete);
    }
    CHECK(!logged.trees.back()->info().complete);
}

TEST_CASE("Faults: each makes trees that differ as it says") {
    const auto with = [](Fault fault, int depth = 4) {
        Limits limits;
        limits.depth = depth;
        PlayerOptions options;
        options.search.fault = fault;
        return log_search(options, limits);
    };
    const Logged sound = with(Fault::None);
    const auto nodes = [](const Logged& logged) { return logged.lines[0].nodes; };
    const Logged disordered = with(Fault::BadOrder);
    CHECK(nodes(disordered) > 3 * nodes(sound));
    CHECK(changes(disordered, 2) > changes(sound, 2));
    CHECK(changes(disordered, 5) > changes(sound, 5));
    // Less deep there is next to nothing to search again.
    const Logged loop = with(Fault::ResearchLoop, 5);
    CHECK(count_flags(*loop.trees.back(), kReSearch) >
          count_flags(*with(Fault::None, 5).trees.back(), kReSearch));
    const Logged endless = with(Fault::QuiescenceWithoutStop);
    const auto share = [](const Logged& logged) {
        return static_cast<double>(count_flags(*logged.trees.back(), kQNode)) /
               static_cast<double>(count_flags(*logged.trees.back(), kQRootNode));
    };
    CHECK(share(endless) > 2 * share(sound));
}

TEST_CASE("Log: a file that cannot be written turns logging off and leaves the search alone") {
    NodeLog log("/nowhere/at/all", "chess", 0, write_name, nullptr);
    CHECK(log.error() == "cannot open /nowhere/at/all");
    const auto memory = std::make_unique<Memory>();
    Silence silence;
    Limits limits;
    limits.depth = 3;
    const auto position = assay::rules::make_game("chess")->parse(kFen);
    PlayerOptions options;
    CHECK(search(*position, options, *memory, limits, silence, &log).size() == 1);
}
