#include "reports/dropin/file_tail.h"

#include <algorithm>
#include <memory>
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
    [[nodiscard]] FileTail tail(const std::vector<std::string>& stored,
                                std::int64_t games_of_sides = 1) const {
        FileTail tail(options, *rules, games_of_sides);
        tail.add_player("one");
        tail.add_player("two");
        for (const std::string& first : stored) tail.add_game(players, game_of(first, 1), 0);
        return tail;
    }
};

constexpr std::size_t kMost = 8;

/// Behind `old`, which is older than the run.
FileParts parts_of(const std::string& text, std::string_view mark, std::size_t old = 0) {
    const auto read = [text](std::uint64_t at, std::size_t size) {
        return text.substr(std::min<std::size_t>(at, text.size()), size);
    };
    return {read, old, mark};
}

FoundTail pgn_tail(const FileTail& tail, const std::string& text, std::size_t most = kMost) {
    return tail.pgn_tail(parts_of(text, FileTail::kBegin), most);
}

/// What is left of the file, or why all of it is.
std::string kept_of(const FileTail& tail, const std::string& text) {
    const FoundTail found = pgn_tail(tail, text);
    CHECK((found.why_kept.empty() || !found.cut));
    return found.cut ? text.substr(0, found.cut->size)
                     : (found.why_kept.empty() ? "clean" : found.why_kept);
}

constexpr const char* kOthers = "it may be somebody else's";

}  // namespace

TEST_CASE("FileTail: games behind the last stored one are cut, also a torn one") {
    const Files files;
    const std::string stored = files.pgn("e2e4", 1) + files.pgn("d2d4", 2);
    const std::string lost = files.pgn("c2c4", 3);
    const FileTail tail = files.tail({"d2d4", "e2e4"});
    CHECK(kept_of(tail, stored) == "clean");
    CHECK(kept_of(tail, stored + lost) == stored);
    const std::string more = stored + lost + files.pgn("b2b4", 4);
    CHECK(pgn_tail(tail, more).cut->games == 2);
    CHECK(pgn_tail(tail, more).cut->positions ==
          std::vector<std::string>{files.epd("c2c4"), files.epd("b2b4")});
    for (std::size_t size = 1; size < lost.size(); ++size) {
        CHECK_MESSAGE(kept_of(tail, stored + lost.substr(0, size)) == stored, size);
        CHECK_MESSAGE(kept_of(files.tail({}), lost.substr(0, size)).empty(), size);
    }
    // A game that is played again alike.
    CHECK(kept_of(tail, stored + files.pgn("e2e4", 3)) == stored);
    // What was there before is not looked at.
    const FoundTail behind =
        tail.pgn_tail(parts_of("; my games" + stored + lost, FileTail::kBegin, 10), kMost);
    CHECK(behind.cut->size == 10 + stored.size());
}

TEST_CASE("FileTail: a stored game is known in any notation and with comments") {
    const Files files;
    const std::string lost = files.pgn("g1f3", 3);
    using Notation = RunnerPgnOptions::Notation;
    for (const Notation notation : {Notation::San, Notation::Lan, Notation::Uci}) {
        Files written;
        written.options.notation = notation;
        const std::string stored = written.pgn("g1h3", 1) + written.pgn("d2d4", 2);
        const FileTail tail = files.tail({"g1h3", "d2d4"});
        CHECK(kept_of(tail, stored) == "clean");
        CHECK(kept_of(tail, stored + lost) == stored);
        const FoundTail found = pgn_tail(tail, stored + written.pgn("g1f3", 3));
        REQUIRE(found.cut);
        CHECK(found.cut->positions == std::vector<std::string>{written.epd("g1f3")});
    }
}

TEST_CASE("FileTail: what others have written stays, and all before it") {
    Files others;
    others.players[1].name = "three";
    const Files files;
    const std::string stored = files.pgn("e2e4", 1);
    const std::string lost = files.pgn("c2c4", 2);
    const FileTail tail = files.tail({"e2e4"});
    CHECK(kept_of(tail, stored + lost + others.pgn("b2b4", 1)) == kOthers);
    CHECK(kept_of(tail, stored + others.pgn("b2b4", 1) + lost) == kOthers);
    // Another match of the same engines begins with its first round again.
    CHECK(kept_of(tail, stored + lost + files.pgn("g1f3", 1)) == kOthers);
    CHECK(kept_of(tail, stored + lost + "; a remark\n") == kOthers);
    others = Files();
    others.options.event = "Another Event";
    CHECK(kept_of(tail, stored + others.pgn("b2b4", 3)) == kOthers);
    // Torn, and another event behind it.
    CHECK(kept_of(tail, stored + lost.substr(0, 150) + "\n\n" + others.pgn("b2b4", 3)) == kOthers);
    CHECK(kept_of(tail, stored + others.pgn("b2b4", 3).substr(0, 60)) == kOthers);
    CHECK(kept_of(files.tail({"e2e4"}, 0), stored + lost) == kOthers);
    CHECK(kept_of(tail, stored + lost.substr(0, lost.find("c4")) + "is a good move ...") ==
          kOthers);
    // What a user has added to a game that is not stored.
    const std::size_t move = lost.find("c4");
    for (const char* const added : {"! ", " $1", " (1. d4)", " {a good move}"})
        CHECK(kept_of(tail, stored + std::string(lost).insert(move + 2, added)) == kOthers);
}

TEST_CASE("FileTail: a round that began behind a later one that is stored is somebody else's") {
    const Files files;
    constexpr std::int64_t kSecond = 1'000'000;
    const auto timed = [](const std::string& first, std::int64_t round, std::int64_t second) {
        GameRecord game = game_of(first, 2 * round - 1);
        game.started_us = second * kSecond;
        return game;
    };
    const auto pgn = [&files](const GameRecord& game, std::int64_t round) {
        return runner_pgn(files.options, *files.rules, files.players, game, round);
    };
    // Two at once: the first game of round 1 was in play when its run was killed.
    const GameRecord second = timed("e2e4", 2, 100);
    const GameRecord third = timed("d2d4", 3, 160);
    FileTail tail(files.options, *files.rules, 1);
    tail.add_player("one");
    tail.add_player("two");
    tail.add_game(files.players, third, 3);
    tail.add_game(files.players, second, 2);
    const std::string stored = pgn(second, 2) + pgn(third, 3);
    CHECK(kept_of(tail, stored + pgn(timed("c2c4", 1, 100), 1)) == stored);
    CHECK(kept_of(tail, stored + pgn(timed("c2c4", 1, 101), 1)) == kOthers);
    // Nothing later is stored.
    CHECK(kept_of(tail, stored + pgn(timed("c2c4", 4, 500), 4)) == stored);
    // The second game of a round waits for the first.
    const GameRecord other = timed("b2b4", 2, 400);
    const std::vector<RunnerPlayer> turned{files.players[1], files.players[0]};
    const std::string late = runner_pgn(files.options, *files.rules, turned, other, 2);
    CHECK(kept_of(tail, stored + late) == stored);
}

TEST_CASE("FileTail: nothing is cut where a stored game is not found, or too much is there") {
    const Files files;
    const FileTail tail = files.tail({"e2e4", "d2d4"});
    std::string others;
    for (int round = 1; round <= 40; ++round) others += files.pgn("c2c4", round);
    CHECK(kept_of(tail, others) == "the file lacks 2 of the 2 games that the store has");
    CHECK(kept_of(tail, files.pgn("e2e4", 1) + files.pgn("c2c4", 3)) ==
          "the file lacks 1 of the 2 games that the store has");
    // A user's variation in a stored game.
    std::string stored = files.pgn("e2e4", 1) + files.pgn("d2d4", 2);
    const std::string annotated = std::string(stored).insert(stored.find("e4") + 2, " (1. c4)");
    CHECK(kept_of(tail, annotated + files.pgn("c2c4", 3)) ==
          "the file lacks 1 of the 2 games that the store has");
    CHECK(kept_of(tail, annotated) == "clean");
    CHECK(kept_of(files.tail({}), others) == "no stored game tells whose it is");
    CHECK(kept_of(files.tail({}), files.pgn("c2c4", 1) + files.pgn("c2c4", 2).substr(0, 99)) ==
          "no stored game tells whose it is");
    for (int round = 3; round <= 10; ++round) stored += files.pgn("c2c4", round);
    CHECK(pgn_tail(tail, stored).cut->games == kMost);
    CHECK(kept_of(tail, stored + files.pgn("c2c4", 11)) ==
          "there are more games behind the last stored one than are in play at once");
}

TEST_CASE("FileTail: final positions are cut with their games, and no others") {
    const Files files;
    const std::string stored = files.epd("e2e4") + files.epd("d2d4");
    const std::string lost = files.epd("c2c4");
    const FileTail tail = files.tail({"e2e4", "d2d4"});
    const auto kept = [&](const std::string& text, const std::vector<std::string>& positions) {
        const FoundTail found = tail.epd_tail(parts_of(text, ""), positions);
        return found.cut ? text.substr(0, found.cut->size)
                         : (found.why_kept.empty() ? "clean" : found.why_kept);
    };
    CHECK(kept(stored, {}) == "clean");
    CHECK(kept(stored, {lost}) == "clean");
    CHECK(kept(stored + lost, {lost}) == stored);
    CHECK(kept(stored + lost.substr(0, 9), {files.epd("b2b4"), lost}) == stored);
    CHECK(kept(stored + lost + lost, {lost, lost}) == stored);
    // Nothing tells whose these lines are.
    CHECK(kept(stored + lost + lost, {lost}) == kOthers);
    CHECK(kept(stored + lost, {}) == kOthers);
    CHECK(kept(stored + files.epd("b2b4"), {lost}) == kOthers);
    CHECK(kept(files.epd("e2e4") + lost, {lost}) ==
          "the file lacks 1 of the 2 games that the store has");
}
