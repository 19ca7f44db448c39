#include "cli/stats/stats_input.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/packing.h"
#include "base/text.h"
#include "harness/match/pair_counter.h"
#include "harness/store/store.h"
#include "harness/tournament/version_pool.h"
#include "reports/view/stored_run.h"

namespace assay::cli {

using stats::GameList;
using stats::ListedGame;
using stats::PairList;

namespace {

/// The matches that are asked for: one, or all if none is named.
std::vector<std::size_t> matches_of(const harness::RunRecord& run, const std::string& wanted) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        if (wanted.empty() || wanted == number || wanted == run.plan.matches[i].name) {
            found.push_back(i);
        }
    }
    if (found.empty()) {
        throw Error(fmt::format("run {} has no match '{}'; it has {}", run.id,
                                printable_utf8(wanted), run.plan.matches.size()));
    }
    return found;
}

std::size_t number_of(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
}

GameList games_of_run(const StatsInput& input) {
    const harness::Store store(input.store, harness::Store::Access::Read);
    const harness::RunRecord run = reports::required_run(store, *input.run);
    GameList list;
    std::vector<std::string> books;  // two matches share their openings only within one
    std::int64_t pairs = 0;
    std::int64_t singles = 0;
    for (const std::size_t match : matches_of(run, input.match)) {
        const harness::MatchPlan& plan = run.plan.matches[match];
        const std::array<std::size_t, 2> programs{
            number_of(list.programs, run.plan.programs[plan.between[0]].name),
            number_of(list.programs, run.plan.programs[plan.between[1]].name)};
        const std::size_t book = number_of(books, plan.openings.book);
        for (const harness::PairDigest& pair : harness::counted_pairs(store, run, match)) {
            for (const harness::GameDigest& game : pair.played()) {
                ListedGame listed = harness::listed_game(game, programs);
                listed.pair = pair.is_single ? -1 : pairs;
                listed.opening = static_cast<std::int64_t>((book << 48U) + pair.opening_index);
                list.games.push_back(listed);
            }
            ++(pair.is_single ? singles : pairs);
        }
    }
    list.note = fmt::format("run {} of {}: {} pairs", run.id, printable_utf8(run.name), pairs);
    if (singles > 0) list.note += fmt::format(" and {}", counted(singles, "single game"));
    return list;
}

/// What is odd about the games, on standard error.
void warn_of(const GameList& list, const StatsInput& input) {
    for (const Diagnostic& warning : list.warnings) fmt::print(stderr, "{}", format(warning));
    if (list.duplicates > 0 && !input.leaves_out_duplicates) {
        fmt::print(stderr,
                   "warning: {} the players, moves and result of an earlier one and still {}: "
                   "leave them out with --no-duplicates\n",
                   counted(list.duplicates, "game has", "games have"),
                   plural(list.duplicates, "counts", "count"));
    }
}

void check_one_source(const StatsInput& input) {
    const int sources =
        (input.pgn.empty() ? 0 : 1) + (input.run ? 1 : 0) + (input.table.empty() ? 0 : 1);
    if (sources > 1) throw Error("--pgn, --run and --table exclude each other");
}

}  // namespace

void add_games_options(Command& verb, StatsInput& input) {
    verb.add_option("--pgn", input.pgn, "games of a PGN file; may be given several times")
        ->type_name("FILE");
    verb.add_flag("--no-duplicates", input.leaves_out_duplicates,
                  "leave out games of a PGN that repeat an earlier one");
    verb.add_option("--run", input.run, "games of a run: a number, 'latest', or a config's name")
        ->type_name("RUN");
    verb.add_option("--match", input.match, "which match of the run: its number or name")
        ->type_name("MATCH");
    verb.add_option("--db", input.store, "the run's store")
        ->type_name("FILE")
        ->capture_default_str();
    verb.add_option("--between", input.between,
                    "the two programs; the first one is the point of view")
        ->delimiter(',')
        ->expected(2)
        ->type_name("A,B");
}

GameList read_games(const StatsInput& input) {
    check_one_source(input);
    if (input.run) return games_of_run(input);
    if (!input.table.empty()) return stats::games_of_table(input.table, read_text(input.table));
    if (input.pgn.empty()) throw Error("no games: give --pgn FILE or --run RUN");
    std::vector<std::string> texts;
    for (const std::string& path : input.pgn) texts.push_back(read_text(path));
    std::vector<PgnText> files;
    for (std::size_t i = 0; i < texts.size(); ++i) files.push_back({input.pgn[i], texts[i]});
    GameList list = games_of_pgn(files, input.leaves_out_duplicates);
    warn_of(list, input);
    if (list.games.empty()) {
        throw Error(input.pgn.front() + ": holds no finished game of two programs");
    }
    return list;
}

PairList read_pairs(const StatsInput& input) {
    check_one_source(input);
    if (input.run && input.match.empty()) {
        const harness::Store store(input.store, harness::Store::Access::Read);
        const harness::RunRecord run = reports::required_run(store, *input.run);
        if (run.plan.matches.size() > 1) {
            throw Error(fmt::format("run {} has {} matches: choose one with --match", run.id,
                                    run.plan.matches.size()));
        }
    }
    PairList pairs = stats::pairs_of(read_games(input), input.between);
    if (pairs.pairs() == 0) throw Error("there is no complete pair of games in the input");
    return pairs;
}

}  // namespace assay::cli
