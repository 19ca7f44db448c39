// Our players of any game in matches: through the built program where it knows the game, and
// through the harness in this process where a test's game is played.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/clock.h"
#include "base/file.h"
#include "configs/loader/loader.h"
#include "harness/run/run.h"
#include "harness/store/store.h"
#include "rules/game.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

TEST_CASE("Game player: plays chess against the chess player, each through its own knowledge") {
    RunFolder folder;
    folder.write("m.yaml", "programs:\n  any: {command: [" + folder.program("gameplayer") +
                               ", chess]}\n  chess: {command: [" + folder.program("player") +
                               "]}\nmatch: {between: [any, chess], seed: 3, time: {nodes: 500}, "
                               "pairs: 2, adjudicate: {length: 60}}\n");
    const Finished finished = folder.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    const auto run = parsed(finished.out);
    CHECK(run.at("games").as_int64() == 4);
    CHECK(run.at("voided").as_int64() == 0);
    for (const auto& termination : run.at("terminations").as_object()) {
        CAPTURE(std::string(termination.key()));
        const bool is_fault = termination.key() == "illegal_move" || termination.key() == "crash" ||
                              termination.key() == "no_start";
        CHECK(!(is_fault && termination.value().as_int64() > 0));
    }
    CHECK(folder.is_quiet());
}

TEST_CASE("Game player: beats a random player of tic-tac-toe, and no game is lost") {
    rules::register_game("tic-tac-toe",
                         [](const rules::GameSource&) { return tests::make_tic_tac_toe(); });
    const RunFolder folder;
    const std::string player = ASSAY_BINARY_DIR "/tests/engines/small_games_player";
    harness::RunPlan plan = configs::plan_from_text(
        "programs:\n  searches: {command: [" + player +
            ", tic-tac-toe]}\n"
            "  random: {command: [" +
            player +
            ", --game, tic-tac-toe], options: {Seed: 4}}\n"
            "match: {between: [searches, random], seed: 3, time: {depth: 9}, pairs: 3, "
            "concurrency: 1, openings: {book: book.txt}}\n",
        "m.yaml", folder.root());
    folder.write("book.txt", "x-------- o\n---x----- o\n-x------- o\n");
    plan.matches[0].game.name = "tic-tac-toe";
    plan.matches[0].openings.book = folder.root() + "/book.txt";
    harness::RunOptions options;
    options.store = folder.root() + "/assay.db";
    const harness::RunOutcome outcome = harness::execute(plan, options, {}, SteadyClock());
    REQUIRE(outcome.matches.size() == 1);
    CHECK(outcome.before == harness::RunOutcome::Before::Ready);
    const harness::Store store(options.store, harness::Store::Access::Read);
    int games = 0;
    float points = 0;
    store.for_each_game(outcome.run.id, 0, [&](const harness::GameRecord& game) {
        ++games;
        CHECK(game.guilty == -1);
        CHECK(game.score_of(0) >= 0.5F);  // its opening loses for nobody
        points += game.score_of(0);
    });
    CHECK(points > 3);
    CHECK(games == 6);
}
