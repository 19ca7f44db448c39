#include "reports/dropin/ranking.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/dropin/scoreboard.h"

using namespace assay::reports::dropin;  // NOLINT(google-build-using-namespace): what is tested
using assay::harness::ResultCounts;

namespace {

/// Pairs LL LD (DD and WL) WD WW; the games of the middle ones are drawn.
RankedEngine engine_with_pairs(const std::string& name, const std::vector<int>& pairs) {
    RankedEngine engine;
    engine.name = name;
    const std::vector<std::pair<int, int>> games{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}};
    for (std::size_t kind = 0; kind < pairs.size(); ++kind) {
        for (int i = 0; i < pairs[kind]; ++i)
            engine.counts.add_pair(games[kind].first, games[kind].second);
    }
    return engine;
}

RankedEngine engine_with_games(const std::string& name, int wins, int draws, int losses) {
    RankedEngine engine;
    engine.name = name;
    engine.counts.wins = wins;
    engine.counts.draws = draws;
    engine.counts.losses = losses;
    return engine;
}

std::vector<std::string> fields_of(std::string_view format) {
    const auto fields = result_fields(format);
    REQUIRE(fields);
    return *fields;
}

}  // namespace

TEST_CASE("Ranking: fastchess's table has the digits of a gauntlet that was published") {
    // fastchess issue 1007.
    const std::vector<RankedEngine> engines{
        engine_with_pairs("Juggernaut 1.38", {5, 4, 3, 1, 0}),
        engine_with_pairs("Juggernaut 1.55", {5, 5, 36, 22, 22}),
        engine_with_pairs("CT800 v1.46", {1, 3, 4, 1, 4}),
        engine_with_pairs("Fox Chess 1.0", {2, 2, 9, 0, 0}),
    };
    CHECK(fastchess_ranking(engines, true, true) ==
          "Rank Name                             Elo        +/-       nElo        +/-      Games   "
          "   Score       Draw           Ptnml(0-2)\n"
          "   1 Juggernaut 1.55               101.21      42.63     128.22      50.76        180   "
          "   64.2%      40.0%   [5, 5, 36, 22, 22]\n"
          "   2 CT800 v1.46                    53.88     134.87      57.12     133.55         26   "
          "   57.7%      30.8%      [1, 3, 4, 1, 4]\n"
          "   3 Fox Chess 1.0                 -81.65      75.76    -152.04     133.55         26   "
          "   38.5%      69.2%      [2, 2, 9, 0, 0]\n"
          "   4 Juggernaut 1.38              -190.85     131.22    -255.71     133.55         26   "
          "   25.0%      23.1%      [5, 4, 3, 1, 0]");
}

TEST_CASE("Ranking: in cutechess-cli's table who has no game is behind who has lost all") {
    CHECK(cutechess_table({engine_with_games("new", 0, 0, 0), engine_with_games("beaten", 0, 0, 4),
                           engine_with_games("best", 4, 0, 0)},
                          fields_of("Rank,Name"), std::nullopt) ==
          "Rank Name                      \n"
          "   1 best                      \n"
          "   2 beaten                    \n"
          "   3 new                       \n");
}

TEST_CASE("Ranking: a long name widens the table, and who has no number is last") {
    const std::string name = "an engine of more than twenty-five letters";
    const std::string text = fastchess_ranking(
        {engine_with_games("none", 0, 0, 0), engine_with_games(name, 1, 0, 1)}, false, false);
    CHECK(text.starts_with("Rank Name                                              Elo "));
    CHECK(text.find("\n   1 " + name + "      -0.00 ") != std::string::npos);
    CHECK(text.find("\n   2 none ") != std::string::npos);
    CHECK(text.find("Ptnml") == std::string::npos);
    CHECK(text.ends_with("%"));
}

TEST_CASE("Ranking: cutechess-cli's table has the digits of a tournament that was published") {
    // A round robin of three, ten games each two.
    const std::vector<RankedEngine> engines{
        engine_with_games("stockfish", 9, 4, 7),
        engine_with_games("Woodpusher (1.5.0)", 9, 7, 4),
        engine_with_games("Woodpusher (1.4.2)", 4, 5, 11),
    };
    CHECK(cutechess_table(engines, fields_of("default"), std::nullopt) ==
          "Rank Name                          Elo     +/-   Games   Score    Draw \n"
          "   1 Woodpusher (1.5.0)             89     131      20   62.5%   35.0% \n"
          "   2 stockfish                      35     145      20   55.0%   20.0% \n"
          "   3 Woodpusher (1.4.2)           -127     149      20   32.5%   25.0% \n");
    CHECK(cutechess_table(engines, fields_of("Rank, Name,W,L,D,Points"), std::nullopt)
              .starts_with("Rank Name                         Wins  Losses   Draws   Points \n"
                           "   1 Woodpusher (1.5.0)              9       4       7     12.5 \n"));
}

TEST_CASE("Ranking: equals stand in the reverse order of the list, a gauntlet's first on top") {
    const std::vector<RankedEngine> engines{
        engine_with_games("A", 3, 0, 3), engine_with_games("B", 1, 0, 1),
        engine_with_games("C", 1, 0, 1), engine_with_games("D", 0, 0, 0)};
    const std::vector<std::string> minimal = fields_of("minimal");
    const std::string blanks(24, ' ');
    CHECK(cutechess_table(engines, minimal, std::nullopt) ==
          "Rank Name                      \n   1 C" + blanks + " \n   2 B" + blanks + " \n   3 A" +
              blanks + " \n   4 D" + blanks + " \n");
    CHECK(cutechess_table(engines, minimal, 0) == "Rank Name                      \n   0 A" +
                                                      blanks + " \n   1 C" + blanks + " \n   2 B" +
                                                      blanks + " \n   3 D" + blanks + " \n");
}

TEST_CASE("Ranking: fields that are none are told from those that are") {
    CHECK(fields_of("concise") ==
          std::vector<std::string>{"Rank", "Name", "Elo", "Error", "Games"});
    CHECK_FALSE(result_fields("Rank,WhiteScore"));
    const std::string help = result_format_help();
    CHECK(help.find("\nordo\n   Rank,Name,Elo,Points,Games,Score") != std::string::npos);
    CHECK(help.find(" Discon Stall") != std::string::npos);
}

TEST_CASE("Ranking: the tree of a knockout, a column a round") {
    std::vector<BracketTie> ties(4);
    ties[0] = {0, "A", std::nullopt, "A", 0, 0};
    ties[1] = {0, "C", "E", "E", 1, 3};
    ties[2] = {0, "B", std::nullopt, "B", 0, 0};
    ties[3] = {0, "D", "F", std::nullopt, 1, 0};
    CHECK(knockout_tree(ties) ==
          "A\n\t\tA\nbye\n\nC\n\t\tE (0.5-1.5)\nE\n\nB\n\t\tB\nbye\n\nD\n\t\t... (0.5-0)\nF");
    ties[3].winner = "D";
    ties.push_back({1, "A", "E", std::nullopt, 0, 0});
    ties.push_back({1, "B", "D", std::nullopt, 0, 0});
    const std::string two = knockout_tree(ties);
    CHECK(two.find("\nbye\n\t\t\t\t...\nC\n") != std::string::npos);
}

TEST_CASE("Scoreboard: an engine's results are those against all, seen by it") {
    Scoreboard board(3);
    board.between(0, 1).add_pair(2, 1);
    board.between(1, 2).add_pair(2, 2);
    board.add_sides(1, 0, 2);
    const ResultCounts second = board.of(1);
    CHECK(second.wins == 2);
    CHECK(second.losses == 1);
    CHECK(second.draws == 1);
    CHECK(second.pairs_ld == 1);
    CHECK(second.pairs_ww == 1);
    CHECK(board.of(2).pairs_ll == 1);
    CHECK(board.sides(1).as_first.wins == 1);
    CHECK(board.sides(0).as_second.losses == 1);
    CHECK(board.sides(2).all().games() == 0);
}
