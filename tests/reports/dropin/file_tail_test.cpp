#include "reports/dropin/file_tail.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "tests/reports/sample_run.h"

using namespace assay;                   // NOLINT(google-build-using-namespace)
using namespace assay::reports::dropin;  // NOLINT(google-build-using-namespace): what is tested
using harness::GameRecord;

namespace {

/// Of two moves, with these the first.
GameRecord game_of(const std::string& first, std::int64_t number) {
    GameRecord game;
    game.number = number;
    game.moves = {test::move(first, adapters::Score{false, 20, {}}, 15, 100),
                  test::move("e7e5", adapters::Score{false, -20, {}}, 15, 100)};
    game.moves[1].player = 1;
    game.scores = test::scores(1, 0);
    game.termination = harness::Termination::WinAdjudicated;
    return game;
}

struct Files {
    std::unique_ptr<rules::Game> rules = rules::make_game("chess");
    RunnerPgnOptions options;
    std::vector<RunnerPlayer> players{{"one", "", "", {}}, {"two", "", "", {}}};

    [[nodiscard]] std::string pgn(const std::string& first, std::int64_t number) const {
        return runner_pgn(options, *rules, players, game_of(first, number), number);
    }

    [[nodiscard]] std::string epd(const std::string& first) const {
        return final_position(options.runner, *rules, game_of(first, 1));
    }

    /// Of a run whose store has games that begin so.
    [[nodiscard]] FileTail tail(const std::vector<std::string>& stored) const {
        FileTail tail(options, *rules, 1);
        tail.add_player("one");
        tail.add_player("two");
        for (const std::string& first : stored) tail.add_game(players, game_of(first, 1));
        return tail;
    }
};

std::string kept_of(const FileTail& tail, const std::string& text) {
    const auto cut = tail.pgn_cut(text);
    return cut ? text.substr(0, cut->size) : "all";
}

}  // namespace

TEST_CASE("FileTail: games behind the last stored one are cut, also a torn one") {
    const Files files;
    const std::string stored = files.pgn("e2e4", 1) + files.pgn("d2d4", 2);
    const std::string lost = files.pgn("c2c4", 3);
    const FileTail tail = files.tail({"d2d4", "e2e4"});
    CHECK(kept_of(tail, stored) == "all");
    CHECK(kept_of(tail, stored + lost) == stored);
    CHECK(tail.pgn_cut(stored + lost + files.pgn("b2b4", 4))->games == 2);
    for (std::size_t size = 1; size < lost.size(); ++size) {
        CHECK_MESSAGE(kept_of(tail, stored + lost.substr(0, size)) == stored, size);
        CHECK_MESSAGE(kept_of(files.tail({}), lost.substr(0, size)).empty(), size);
    }
    // A game that is played again alike.
    CHECK(kept_of(tail, stored + files.pgn("e2e4", 3)) == stored);
}

TEST_CASE("FileTail: what others have written stays, and all before it") {
    Files others;
    others.players[1].name = "three";
    const Files files;
    const std::string stored = files.pgn("e2e4", 1);
    const std::string lost = files.pgn("c2c4", 2);
    const FileTail tail = files.tail({"e2e4"});
    CHECK(kept_of(tail, stored + lost + others.pgn("b2b4", 1)) == "all");
    CHECK(kept_of(tail, stored + others.pgn("b2b4", 1) + lost) == "all");
    // Another match of the same engines begins with its first round again.
    CHECK(kept_of(tail, stored + lost + files.pgn("g1f3", 1)) == "all");
    CHECK(kept_of(tail, stored + lost + "; a remark\n") == "all");
    others = Files();
    others.options.event = "Another Event";
    CHECK(kept_of(tail, stored + others.pgn("b2b4", 3)) == "all");
}

TEST_CASE("FileTail: final positions behind the last stored one are cut, a few at most") {
    const Files files;
    const std::string stored = files.epd("e2e4") + files.epd("d2d4");
    const std::string lost = files.epd("c2c4");
    const FileTail tail = files.tail({"e2e4", "d2d4"});
    CHECK_FALSE(tail.epd_cut(stored, 5));
    CHECK(tail.epd_cut(stored + lost, 5)->size == stored.size());
    CHECK(tail.epd_cut(stored + lost.substr(0, 9), 5)->size == stored.size());
    CHECK(tail.epd_cut(stored + lost + lost, 2)->games == 2);
    CHECK_FALSE(tail.epd_cut(stored + lost + lost, 1));
}
