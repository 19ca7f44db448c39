#include "cli/stats/game_list.h"

#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"

using namespace assay::stats;

namespace {

GameList games_of_pgn(const std::string& text, bool leaves_out_duplicates = false) {
    return assay::cli::games_of_pgn({{"games.pgn", text}}, leaves_out_duplicates);
}

std::string game(const std::string& white, const std::string& black, const std::string& result,
                 const std::string& tags = "", const std::string& moves = "1. e4 e5 ") {
    return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Result \"" + result + "\"]\n" +
           tags + "\n" + moves + result + "\n\n";
}

std::string fen(const std::string& text) {
    return "[FEN \"" + text + "\"]\n";
}

std::string round(const std::string& text) {
    return "[Round \"" + text + "\"]\n";
}

}  // namespace

TEST_CASE("Game list: games of one opening with sides changed are a pair, however they finish") {
    const GameList list =
        games_of_pgn(game("a", "b", "1-0", fen("x")) + game("a", "b", "0-1", fen("y")) +
                     game("b", "a", "1/2-1/2", fen("y")) + game("b", "a", "0-1", fen("x")));
    REQUIRE(list.games.size() == 4);
    CHECK(list.pairs() == 2);
    CHECK(list.games[0].pair == list.games[3].pair);
    CHECK(list.games[1].pair == list.games[2].pair);
    CHECK(list.note == "4 games, 2 pairs, by opening");
    const PairList pairs = pairs_of(list, {});
    // In the order in which they were completed: LD, then WW.
    CHECK(pairs.cells == std::vector<std::uint8_t>{3 * 0 + 1, 3 * 2 + 2});
    CHECK(pairs.wdl == assay::stats::Wdl{2, 1, 1});
    CHECK(pairs.first_player_wins == 1);
    CHECK(pairs_of(list, {"b", "a"}).pentanomial == pairs.pentanomial.mirrored());
}

TEST_CASE("Game list: rounds N.1 and N.2 keep equal openings apart") {
    const GameList list = games_of_pgn(game("a", "b", "1-0", round("1.1") + fen("x")) +
                                       game("a", "b", "0-1", round("2.1") + fen("x")) +
                                       game("b", "a", "1-0", round("2.2") + fen("x")) +
                                       game("b", "a", "1/2-1/2", round("1.2") + fen("x")));
    CHECK(list.games[0].pair == list.games[3].pair);
    CHECK(list.games[0].opening == list.games[1].opening);
    CHECK(list.note == "4 games, 2 pairs, by opening and round");
}

TEST_CASE("Game list: book moves tell the opening where there is no FEN") {
    const std::string first = "1. e4 {book} e5 {book} 2. Nf3 {+0.10/5 0.1s} ";
    const std::string second = "1. d4 {book} d5 {book} 2. c4 {+0.10/5 0.1s} ";
    const GameList list =
        games_of_pgn(game("a", "b", "1-0", "", first) + game("b", "a", "1-0", "", second) +
                     game("b", "a", "1-0", "", first));
    CHECK(list.pairs() == 1);
    CHECK(list.games[0].pair == list.games[2].pair);
    CHECK(list.games[1].pair == -1);
    CHECK(list.note == "3 games, 1 pairs, by opening; 1 without a partner");
    CHECK(pairs_of(list, {}).single == 1);
}

TEST_CASE("Game list: where nothing is told only neighbours with sides changed are a pair") {
    const GameList list = games_of_pgn(game("a", "b", "1-0") + game("a", "b", "0-1") +
                                       game("b", "a", "1-0") + game("b", "a", "1-0"));
    CHECK(list.pairs() == 1);
    CHECK(list.games[1].pair == list.games[2].pair);
    CHECK(list.note == "4 games, 1 pairs, by order alone; 2 without a partner");
}

TEST_CASE("Game list: games without a result or with one name are left out and counted") {
    const GameList list =
        games_of_pgn(game("a", "b", "*") + game("a", "a", "1-0") + game("a", "b", "1-0"));
    CHECK(list.games.size() == 1);
    CHECK(list.unfinished == 2);
    CHECK(games_of_pgn("").games.empty());
    CHECK(games_of_pgn("no chess at all {").games.empty());
}

TEST_CASE("Game list: more than two programs need two names") {
    const GameList list = games_of_pgn(game("a", "b", "1-0") + game("b", "c", "1-0"));
    CHECK_THROWS_WITH_AS((void)pairs_of(list, {}),
                         "this needs the games of two programs, and there are 3: name two with "
                         "--between A,B",
                         assay::Error);
    CHECK_THROWS_WITH_AS((void)pairs_of(list, {"a", "d"}), "there is no program 'd' in these games",
                         assay::Error);
    CHECK(pairs_of(list, {"a", "b"}).single == 1);
}

TEST_CASE("Game list: ratings are clustered as asked") {
    const GameList list =
        games_of_pgn(game("a", "b", "1-0", fen("x")) + game("b", "a", "1-0", fen("x")) +
                     game("a", "c", "1-0", fen("x")) + game("c", "a", "0-1", fen("x")));
    CHECK(rated_games(list, "pair")[0].cluster != rated_games(list, "pair")[2].cluster);
    CHECK(rated_games(list, "opening")[0].cluster == rated_games(list, "opening")[2].cluster);
    CHECK(rated_games(list, "game")[0].cluster == -1);
    CHECK(rated_games(list, "pair")[3].losses == 1);
}

TEST_CASE("Game list: a pair without a change of sides is rated as it was played") {
    GameList list;
    list.programs = {"a", "b"};
    // a has the first move in both games of the pair, and b in both of the next.
    list.games = {{0, 1, 2, 0, -1}, {0, 1, 1, 0, -1}, {1, 0, 0, 1, -1}, {1, 0, 2, 1, -1}};
    const assay::stats::RatedCounts counts = rated_counts(list);
    REQUIRE(counts.pairs.size() == 2);
    for (const assay::stats::RatedGames& half : counts.pairs[0].games()) CHECK(half.first == 0);
    CHECK(counts.pairs[0].games()[0].wins == 1);
    CHECK(counts.pairs[0].games()[1].draws == 1);
    for (const assay::stats::RatedGames& half : counts.pairs[1].games()) CHECK(half.first == 1);
    CHECK(counts.pairs[1].games()[0].losses == 1);
    CHECK(counts.pairs[1].games()[1].wins == 1);
    CHECK(counts.games.empty());
}

TEST_CASE("Game list: a table has its rows, sides where its head says so, and clusters") {
    const GameList plain = games_of_table("t", "# results\nA, B, 10, 5, 3\n\nB;C;1;2;3\n");
    REQUIRE(plain.counts.size() == 2);
    CHECK(plain.programs == std::vector<std::string>{"A", "B", "C"});
    CHECK(plain.counts[0].wins == 10);
    CHECK(plain.counts[0].losses == 3);
    CHECK_FALSE(plain.counts[0].has_first_move);
    CHECK(plain.counts[1].cluster == -1);
    const GameList sides =
        games_of_table("t", "first,second,wins,draws,losses,pair\nA,B,1,0,0,p1\nB,A,0,1,0,p1\n");
    CHECK(sides.counts[0].has_first_move);
    CHECK(sides.counts[0].cluster == sides.counts[1].cluster);
    CHECK(games_of_table("t", "A B 1 2 3").counts.size() == 1);
    CHECK_THROWS_AS((void)pairs_of(plain, {}), assay::Error);
}

TEST_CASE("Game list: a table's faults are told with their places, all at once") {
    CHECK_THROWS_WITH_AS((void)games_of_table("t", "A,B,10,0,x\nB,B,3,4,5\nD\nA,B,1,-1,0\n"),
                         "t:1:10: error: expected a count from 0 to 1000000000, found 'x'\n"
                         "  A,B,10,0,x\n"
                         "           ^\n"
                         "t:2:3: error: a program cannot be rated by games with itself\n"
                         "  B,B,3,4,5\n"
                         "    ^\n"
                         "t:3:1: error: expected 'A,B,wins,draws,losses', found 1 fields\n"
                         "  D\n"
                         "  ^\n"
                         "t:4:7: error: expected a count from 0 to 1000000000, found '-1'\n"
                         "  A,B,1,-1,0\n"
                         "        ^~",
                         assay::SyntaxError);
    CHECK_THROWS_AS((void)games_of_table("t", "\n# nothing\n"), assay::Error);
}

TEST_CASE("Game list: the Result tag counts where the word behind the moves contradicts it") {
    const std::string text =
        "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 0-1\n\n"
        "[White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n\n1. e4 e5 1-0\n";
    const GameList list = games_of_pgn(text);
    REQUIRE(list.games.size() == 2);
    CHECK(list.games[0].half_points == 2);
    CHECK(list.games[1].half_points == 2);  // "*" says nothing
    REQUIRE(list.warnings.size() == 1);
    CHECK(
        assay::format(list.warnings[0]) ==
        "games.pgn:5:10: warning: the Result tag says 1-0, the marker after the moves 0-1: the tag "
        "counts\n  1. e4 e5 0-1\n           ^~~\n");
}

TEST_CASE("Game list: a game that repeats an earlier one is counted as a duplicate, or left out") {
    const std::string one = game("a", "b", "1-0", round("1.1"));
    const std::string text = one + game("b", "a", "1-0", round("1.2")) + one +
                             game("a", "b", "1-0", round("2.1")) + game("a", "b", "0-1") +
                             game("a", "b", "1-0", "", "1. d4 ") + game("a", "b", "1-0", fen("x"));
    const GameList all = games_of_pgn(text);
    CHECK(all.duplicates == 2);
    CHECK(all.games.size() == 7);
    const GameList once = games_of_pgn(text, true);
    CHECK(once.duplicates == 2);
    CHECK(once.games.size() == 5);
    CHECK(once.note.ends_with("; 2 duplicates left out"));
    // Games without a move are alike and still no copies.
    const std::string bare = game("a", "b", "1-0", "", "");
    CHECK(games_of_pgn(bare + bare).duplicates == 0);
}
