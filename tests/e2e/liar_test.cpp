// Programs that lie in a game whose rules are a text: they play moves that do not exist, claim what
// the rules do not give, tell of mates that are none, and move behind the end. Every game is played
// again from its record, so that no verdict rests on what a program said.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "harness/store/store.h"
#include "rules/make_game.h"
#include "tests/e2e/bench_run.h"

using assay::test::count_at;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;
namespace rules = assay::rules;
namespace harness = assay::harness;

namespace {

constexpr int kLiar = 0;  // of `between`

/// The position behind the last move of the record. Every move was legal where it was made.
std::unique_ptr<rules::Position> replayed(const rules::Game& game,
                                          const harness::GameRecord& record) {
    auto position = record.start.empty() ? game.start() : game.parse(record.start);
    std::vector<std::string> names = record.opening;
    for (const harness::MoveRecord& each : record.moves) names.push_back(each.name);
    for (const std::string& name : names) {
        CAPTURE(name);
        CHECK_FALSE(position->result());
        const auto move = position->move_of(name, rules::Notation::Canonical);
        REQUIRE(move);
        position->make(*move);
    }
    return position;
}

/// `is_survived`: the lie costs nothing, and the rules decide; else it loses the game.
void check_match(const std::string& game_name, const std::string& sin, bool is_survived) {
    CAPTURE(game_name);
    CAPTURE(sin);
    RunFolder folder;
    const std::string path =
        std::string(ASSAY_SOURCE_DIR "/rules/multigame/programs/") + game_name + ".mg";
    folder.write("liar.yaml", "programs:\n  liar: {command: [" + folder.program("misbehave") +
                                  ", --game, " + path + ", --sin, " + sin +
                                  ", --at, '2']}\n  good: {command: [" + folder.program("instant") +
                                  ", --game, " + path +
                                  "]}\nmatch: {between: [liar, good], game: " + path +
                                  ", time: 5+0.5, pairs: 2, concurrency: 1, seed: 1}\n");
    const Finished finished = folder.assay({"run", "liar.yaml", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    CHECK(run.at("games").as_int64() == 4);
    CHECK(run.at("voided").as_int64() == 0);
    CHECK(folder.is_quiet());

    const auto game = rules::make_game(rules::find_game(path));
    const harness::Store store(folder.root() + "/assay.db", harness::Store::Access::Read);
    int games = 0;
    store.for_each_game(1, 0, [&](const harness::GameRecord& record) {
        ++games;
        CAPTURE(record.reason);
        const auto position = replayed(*game, record);
        const auto result = position->result();
        if (is_survived) {
            REQUIRE(result);
            CHECK(record.guilty == -1);
            CHECK(record.scores == result->scores);
            CHECK(record.termination == harness::Termination::by_rules(result->word));
        } else {
            CHECK_FALSE(result);
            CHECK(record.termination.cause == harness::Termination::IllegalMove);
            CHECK(record.program_of(record.guilty) == kLiar);
            CHECK(record.score_of(kLiar) == 0.0F);
        }
    });
    CHECK(games == 4);
}

}  // namespace

TEST_CASE("Liar: a move or a claim that the rules do not give loses a game of a rules text") {
    for (const char* const sin : {"illegal-move", "none-move", "win-claim", "null-move"}) {
        check_match("connect4", sin, false);
    }
    check_match("tictactoe", "old-move", false);
}

TEST_CASE("Liar: mates that are told and moves behind the end change no result") {
    for (const char* const sin : {"mate-scores", "late-move", "two-bestmoves"}) {
        check_match("connect4", sin, true);
        check_match("tictactoe", sin, true);
    }
}

TEST_CASE("Liar: rules that have no answer end the run with their place, and no game counts") {
    RunFolder folder;
    folder.write("r.mg",
                 "dimensions (3,1)\npieces { man 'W' 'B' }\n"
                 "main = find empty field, replace by own man.\n");
    const std::string player = "{command: [" + folder.program("instant") + ", --game, r.mg]}";
    folder.write("r.yaml", "programs:\n  a: " + player + "\n  b: " + player +
                               "\nmatch: {between: [a, b], game: r.mg, time: 5+0.5, pairs: 1, "
                               "concurrency: 1, seed: 1}\n");
    const Finished finished = folder.assay({"run", "r.yaml"});
    CHECK(finished.code == 4);
    CHECK(finished.err.find("r.mg:3:1: error: rule error in 'main': no output") !=
          std::string::npos);
    CHECK(finished.err.find("  position BWW b") != std::string::npos);
    CHECK(folder.is_quiet());
    const Finished report = folder.assay({"report", "--format", "json"});
    CHECK(parsed(report.out).at("games").as_int64() == 0);
}
