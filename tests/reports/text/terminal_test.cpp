#include "reports/text/terminal.h"

#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "reports/files/events.h"
#include "reports/text/match/live_facts.h"
#include "tests/reports/sample_run.h"
#include "tests/support/contains.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;

namespace {

class FakeClock final : public Clock {
public:
    [[nodiscard]] TimePoint now() const override { return now_; }

    void advance(Micros by) { now_ += by; }

private:
    TimePoint now_{};
};

/// A terminal of 100 columns, a run of it, and what was written.
struct Screen {
    explicit Screen(bool is_live, int width = 100)
        : columns(width),
          terminal(out, {is_live, false, [this] { return columns; }}, clock, "assay.db"),
          tally(run.plan.matches[0]) {
        tally.set_meters(test::sample_meters());
        terminal.on_run_start(run);
        terminal.on_match_start(run, 0, 2);
    }

    void play(int first, int second) {
        const PairDigest pair = test::pair_of(tally.pairs(), first, second);
        tally.add(pair);
        terminal.on_pair(pair, tally);
    }

    [[nodiscard]] std::string written() {
        std::string text = out.str();
        out.str("");
        return text;
    }

    int columns;
    RunRecord run = test::report_run();
    FakeClock clock;
    std::ostringstream out;
    reports::Terminal terminal;
    MatchTally tally;
};

GameRecord crashed_game() {
    GameRecord game;
    game.number = 114;
    game.pair = 56;
    game.game = 1;
    game.program = {1, 0};
    game.scores = test::scores(1, 0);
    game.termination = Termination::Crash;
    game.guilty = 1;
    game.reason = "move-chains crashed: killed by signal 11";
    game.last_command = "position startpos moves e2e4\ngo wtime 812 btime 2210\n";
    game.last_lines = "info depth 19\nAssertion failed.";
    game.moves = {test::move("e2e4")};
    return game;
}

}  // namespace

TEST_CASE("Terminal: the header says what is played and what it can tell") {
    Screen screen(true);
    CHECK(screen.written() ==
          "quickstart · move-chains against transposition-table · 50 pairs · 10+0.1 · 2 games at "
          "once · seed 8841 · run 12 in assay.db\n"
          "no stop rule: 50 pairs can resolve about 68 nElo (95 %, power 50 %)\n\n");
}

TEST_CASE("Terminal: pairs that are played and not counted, as they repeat, are in the block") {
    Screen screen(true, 200);
    screen.play(2, 1);
    CHECK(screen.written().find("duplicate") == std::string::npos);
    PairDigest repeated = test::pair_of(1, 2, 1);
    repeated.state = PairState::Duplicate;
    screen.clock.advance(test::ms(300));
    for (int i = 0; i < 3; ++i) screen.tally.add(repeated);
    screen.terminal.on_pair(repeated, screen.tally);
    const std::string block = screen.written();
    CHECK(block.find(" pairs 1/50   3 duplicates   ") != std::string::npos);
}

TEST_CASE("Terminal: the block is redrawn in place, at most four times a second") {
    Screen screen(true, 200);
    (void)screen.written();
    screen.play(2, 1);
    CHECK(screen.written().starts_with(" pairs 1/50   1 W 1 D 0 L   score 1.5/2   naive Elo "));
    screen.clock.advance(test::ms(100));
    screen.play(2, 1);
    CHECK(screen.written().empty());
    screen.clock.advance(test::ms(150));
    screen.terminal.on_tick(0, screen.tally);
    const std::string again = screen.written();
    CHECK(again.starts_with("\r\x1b[J pairs 2/50 "));
    CHECK(again.find('\n') == std::string::npos);
}

TEST_CASE("Terminal: a narrow terminal gets a block of several lines, each short enough") {
    Screen screen(true, 40);
    (void)screen.written();
    screen.play(2, 1);
    const std::string block = screen.written();
    CHECK(block.find('\n') != std::string::npos);
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() < 40);
    screen.clock.advance(test::ms(300));
    screen.terminal.on_tick(0, screen.tally);
    CHECK(screen.written().starts_with("\r\x1b[2A\x1b[J"));
}

TEST_CASE("Terminal: a block that a narrower terminal has wrapped is erased whole") {
    Screen screen(true, 200);
    screen.play(2, 1);
    (void)screen.written();
    screen.columns = 40;
    screen.clock.advance(test::ms(300));
    screen.terminal.on_tick(0, screen.tally);
    CHECK(screen.written().starts_with("\r\x1b[2A\x1b[J"));
}

TEST_CASE("Terminal: a warning comes above the block, and each one once") {
    Screen screen(true, 200);
    screen.play(2, 1);
    (void)screen.written();
    screen.terminal.on_warning("option", "head has no option Hash");
    const std::string text = screen.written();
    CHECK(text.starts_with("\r\x1b[Jwarning: head has no option Hash\n pairs 1/50"));
    screen.terminal.on_warning("option", "head has no option Hash");
    CHECK(screen.written().empty());
}

TEST_CASE("Terminal: elsewhere there is a plain line a minute") {
    Screen screen(false);
    (void)screen.written();
    screen.play(2, 1);
    screen.clock.advance(std::chrono::seconds(59));
    screen.play(1, 1);
    CHECK(screen.written().empty());
    screen.clock.advance(std::chrono::seconds(1));
    screen.terminal.on_tick(0, screen.tally);
    const std::string line = screen.written();
    CHECK(line.starts_with("pairs 2/50   1 W 3 D 0 L"));
    CHECK(line.ends_with(" left\n"));
    CHECK(line.find('\x1b') == std::string::npos);
    screen.terminal.on_tick(0, screen.tally);
    CHECK(screen.written().empty());
}

TEST_CASE("Terminal: the live line has Elo, normalized Elo once it means something, duplicates") {
    const RunRecord run = test::report_run();
    MatchTally tally(run.plan.matches[0]);
    test::add_pairs(tally, {0, 0, 0, 0, 1});
    const auto facts_of = [&tally] {
        std::string text;
        for (const std::string& fact : reports::live_facts(tally, reports::MatchSpeed()))
            text += fact + "   ";
        return text;
    };
    const std::string few = facts_of();
    CHECK(few.find("   naive Elo > ") != std::string::npos);
    CHECK(few.find("nElo") == std::string::npos);
    CHECK(few.find("duplicate") == std::string::npos);
    PairDigest again = test::pair_of(1, 2, 2);
    again.state = PairState::Duplicate;
    tally.add(again);
    CHECK(facts_of().starts_with("pairs 1/50   1 duplicate   2 W 0 D 0 L   "));
    test::add_pairs(tally, {4, 4, 4, 4, 4});
    const std::string many = facts_of();
    CHECK(many.find("   naive Elo +") < many.find("   nElo +"));
    CHECK(many.find("   nElo +") != std::string::npos);
    test::add_pairs(tally, {5, 5, 5, 5, 9});
    REQUIRE(tally.pairs() == 50);
    CHECK(facts_of().find("   Elo +") != std::string::npos);  // the number that was planned
}

TEST_CASE("Terminal: a crash is told at once, with what the program said and how to see it") {
    Screen screen(false);
    (void)screen.written();
    screen.terminal.on_game_end(crashed_game(), false);
    CHECK(screen.written() ==
          "  game 114 (pair 57, second game), ply 2: move-chains crashed: killed by signal 11\n"
          "    after 'position startpos moves e2e4'\n"
          "          'go wtime 812 btime 2210'\n"
          "    it had said: info depth 19\n"
          "                 Assertion failed.\n"
          "    again: assay replay 12 114 2\n");
}

TEST_CASE("Terminal: a program that keeps failing does not flood the screen") {
    Screen screen(false);
    for (int i = 0; i < 100; ++i) screen.terminal.on_game_end(crashed_game(), false);
    const std::string text = screen.written();
    CHECK(text.find("further failures of move-chains are counted") != std::string::npos);
    CHECK(text.size() < 2000);
}

TEST_CASE("Terminal: a loss that the harness caused is not shown as a failure") {
    Screen screen(false);
    (void)screen.written();
    GameRecord game = crashed_game();
    game.termination = Termination::Time;
    game.harness_caused = true;
    screen.terminal.on_game_end(game, true);
    CHECK(screen.written().empty());
}

TEST_CASE("Terminal: the end leaves the summary where the block was") {
    Screen screen(true, 200);
    screen.play(2, 1);
    (void)screen.written();
    screen.terminal.on_match_end(0, screen.tally);
    const std::string text = screen.written();
    CHECK(text.starts_with("\r\x1b[Jmove-chains scores 1.5 of 2 against transposition-table.\n"));
    screen.run.state = RunState::Interrupted;
    screen.run.end_reason = "interrupted by signal 2";
    screen.terminal.on_run_end(screen.run);
    CHECK(screen.written() ==
          "stopped: interrupted by signal 2\n"
          "resume: assay run configs/quickstart.yaml --resume\n"
          "report: assay report 12\n");
}

TEST_CASE("Events: a match is told in lines of JSON") {
    std::string text;
    const reports::EventWriter::Now now = [] { return 1'700'000'000'250'000LL; };
    reports::EventWriter events([&](const std::string& line) { text += line; }, now);
    const RunRecord run = test::report_run();
    MatchTally tally(run.plan.matches[0]);
    events.on_run_start(run);
    events.on_match_start(run, 0, 2);
    events.on_game_start({0, 113, 1});
    events.on_game_end(crashed_game(), false);
    const PairDigest pair = test::pair_of(0, 2, 1);
    tally.add(pair);
    events.on_pair(pair, tally);
    events.on_warning("machine", "the machine is \xff busy\n");
    events.on_match_end(0, tally);
    events.on_run_end(run);
    CHECK(text == test::golden("events.jsonl", text));
}

TEST_CASE("Terminal: of two matches in play each has its own facts, and the first the block") {
    for (const bool is_live : {false, true}) {
        CAPTURE(is_live);
        Screen screen(is_live);
        screen.run.plan.matches.push_back(screen.run.plan.matches[0]);
        screen.run.plan.matches[1].name = "second";
        MatchTally other(screen.run.plan.matches[1]);
        screen.play(2, 1);
        screen.terminal.on_match_start(screen.run, 1, 2);
        screen.clock.advance(std::chrono::seconds(120));
        (void)screen.written();
        screen.terminal.on_tick(0, screen.tally);
        const std::string first = screen.written();
        screen.terminal.on_tick(1, other);
        const std::string second = screen.written();
        CHECK(test::contains(first, "pairs 1/50"));
        CHECK(test::contains(first, screen.run.plan.matches[0].name));
        CHECK(test::contains(second, "pairs 0/50") != is_live);
        screen.terminal.on_match_end(0, screen.tally);
        (void)screen.written();
        screen.clock.advance(std::chrono::seconds(120));
        screen.terminal.on_tick(1, other);
        CHECK(test::contains(screen.written(), "pairs 0/50"));
    }
}

TEST_CASE("Events: a pair has what the match still needs, at most once a second") {
    std::string text;
    long long now = 1'700'000'000'000'000LL;
    reports::EventWriter events([&](const std::string& line) { text = line; }, [&] { return now; });
    const RunRecord run = test::report_run();
    MatchTally tally(run.plan.matches[0]);
    events.on_match_start(run, 0, 1);
    const auto left_after = [&](std::int64_t pair, long long later_us) -> std::string {
        now += later_us;
        const PairDigest played = test::pair_of(pair, 2, 1);
        tally.add(played);
        events.on_pair(played, tally);
        const std::size_t at = text.find("\"left\":");
        return at == std::string::npos ? "" : text.substr(at);
    };
    // 50 pairs are planned and a fixed number has no law of its own; two seconds for each.
    CHECK(left_after(0, 2'000'000) ==
          "\"left\":{\"expected_pairs\":null,\"most_pairs\":49,\"expected_seconds\":null,"
          "\"most_seconds\":98}}\n");
    CHECK(left_after(1, 999'999).empty());
    CHECK(left_after(2, 1) ==
          "\"left\":{\"expected_pairs\":null,\"most_pairs\":47,\"expected_seconds\":null,"
          "\"most_seconds\":47}}\n");
}

TEST_CASE("Events: pairs of an earlier session say nothing about the speed of this one") {
    std::string text;
    long long now = 1'700'000'000'000'000LL;
    reports::EventWriter events([&](const std::string& line) { text = line; }, [&] { return now; });
    const RunRecord run = test::report_run();
    MatchTally tally(run.plan.matches[0]);
    for (std::int64_t pair = 0; pair < 20; ++pair) tally.add(test::pair_of(pair, 2, 1));
    events.on_match_start(run, 0, 1);
    now += 2'000'000;
    const PairDigest played = test::pair_of(20, 2, 1);
    tally.add(played);
    events.on_pair(played, tally);
    // 29 of 50 pairs are left, and one took two seconds.
    CHECK(text.ends_with("\"most_pairs\":29,\"expected_seconds\":null,\"most_seconds\":58}}\n"));
}

TEST_CASE("Terminal: a paired benchmark says how long it takes, and is followed") {
    for (const bool is_live : {false, true}) {
        CAPTURE(is_live);
        Screen screen(is_live);
        (void)screen.written();
        const auto tell = [&screen](int done, int next, bool is_over = false) {
            screen.terminal.on_speed_progress({"head", "base", done, next, 32, is_over});
            return screen.written();
        };
        CHECK(tell(0, 8) ==
              "speed of head against base: 8 to 32 runs of each one's benchmark, in turn\n");
        screen.clock.advance(std::chrono::seconds(20));
        const std::string first = tell(1, 8);
        CHECK(first.find("a run of both takes 20 s: settled in 2:40 min to 10:40 min\n") !=
              std::string::npos);
        screen.clock.advance(std::chrono::seconds(20));
        const std::string second = tell(2, 8);
        CHECK(second.empty() == !is_live);  // elsewhere a line a minute
        screen.clock.advance(std::chrono::seconds(60));
        const std::string third = tell(5, 8);
        CHECK(third.find("benchmark runs 5/32   next look in 1:00 min   at most 9:00 min left") !=
              std::string::npos);
        CHECK((third.back() == '\n') == !is_live);
        const std::string end = tell(8, 16, true);
        CHECK(end == (is_live ? "\r\x1b[J" : ""));
    }
}
