#include "harness/match/replay.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/match_setting.h"

using assay::Error;
using assay::Micros;
using assay::shell_word;
using assay::harness::GameRecord;
using assay::harness::MatchPlan;
using assay::harness::MoveRecord;
using assay::harness::ProgramPlan;
using assay::harness::replay;
using assay::harness::replay_lines;
using assay::harness::replay_shell;
using assay::harness::ReplayStep;
using assay::harness::RunPlan;
using assay::harness::spec_as_written;
using assay::harness::Termination;
using assay::harness::TimeControl;

namespace {

constexpr Micros kSecond{1'000'000};

TimeControl control_of(const std::string& text) {
    std::string why;
    return assay::harness::parse_time_control(text, why).value_or(TimeControl{});
}

RunPlan timed_plan(const std::string& first, const std::string& second) {
    MatchPlan match;
    match.between = {0, 1};
    match.time = {control_of(first), control_of(second)};
    RunPlan plan;
    plan.programs.resize(2);
    plan.matches.push_back(match);
    return plan;
}

MoveRecord move_of(const std::string& name, Micros used) {
    MoveRecord move;
    move.name = name;
    move.used = used;
    return move;
}

/// 1. e4 e5 of the opening, then 2. Nf3 Nc6.
GameRecord sample() {
    GameRecord game;
    game.number = 8;
    game.pair = 3;
    game.game = 1;
    game.program = {1, 0};
    game.opening = {"e2e4", "e7e5"};
    game.moves = {move_of("g1f3", Micros(1'500'400)), move_of("b8c6", kSecond)};
    game.scores.players = 2;
    game.termination = Termination::by_rules("repetition");
    return game;
}

}  // namespace

TEST_CASE("Replay: each ply has the position before and after, and its move in both notations") {
    const GameRecord game = sample();
    const std::vector<ReplayStep> steps = replay(game, timed_plan("8+0.08", "8+0.08"), 0);
    REQUIRE(steps.size() == 4);
    CHECK(steps[0].is_book);
    CHECK(steps[0].commands.empty());
    CHECK(steps[2].ply == 3);
    CHECK(steps[2].move_number == 2);
    CHECK(steps[2].san == "Nf3");
    CHECK(steps[2].name == "g1f3");
    CHECK(steps[2].program == 1);
    CHECK(steps[3].program == 0);
    CHECK(steps[2].limits.player == 0);
    CHECK(steps[3].limits.player == 1);
    CHECK(steps[2].before == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    CHECK(steps[3].before == steps[2].after);
}

TEST_CASE("Replay: the clocks are those that the programs were told") {
    const GameRecord game = sample();
    const std::vector<ReplayStep> steps = replay(game, timed_plan("8+0.08", "60"), 0);
    CHECK(steps[2].commands ==
          "position startpos moves e2e4 e7e5\ngo wtime 60000 btime 8080 binc 80\n");
    // White used 1.5004 s of a minute; Black's increment is not yet paid for the move to come.
    CHECK(steps[3].commands ==
          "position startpos moves e2e4 e7e5 g1f3\ngo wtime 58499 btime 8080 binc 80\n");
    CHECK(steps[2].clock == 60 * kSecond);
    CHECK(steps[3].clock == Micros(8'080'000));
}

TEST_CASE("Replay: nodes and moves to go are told as they were") {
    const GameRecord game = sample();
    const std::vector<ReplayStep> steps = replay(game, timed_plan("nodes 3000", "40/60"), 0);
    CHECK(steps[2].commands ==
          "position startpos moves e2e4 e7e5\ngo wtime 60000 btime 60000 movestogo 40\n");
    CHECK(steps[3].commands == "position startpos moves e2e4 e7e5 g1f3\ngo nodes 3000\n");
    CHECK_FALSE(steps[3].has_clock);
}

TEST_CASE("Replay: where a program failed to move there is one step more, without a move") {
    GameRecord game = sample();
    game.termination = Termination::Crash;
    game.guilty = 0;
    const std::vector<ReplayStep> steps = replay(game, timed_plan("8+0.08", "8+0.08"), 0);
    REQUIRE(steps.size() == 5);
    CHECK(steps[4].name.empty());
    CHECK(steps[4].after.empty());
    CHECK(steps[4].record == nullptr);
    CHECK(steps[4].commands.starts_with("position startpos moves e2e4 e7e5 g1f3 b8c6\ngo wtime "));
}

TEST_CASE("Replay: a record that does not fit the rules is damage, and says where") {
    GameRecord game = sample();
    game.moves[1].name = "b8b8";
    try {
        (void)replay(game, timed_plan("8+0.08", "8+0.08"), 0);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(std::string(error.what()) ==
              "game 8 has the illegal move 'b8b8' at ply 4: the store is damaged");
        CHECK(error.exit_code() == 4);
    }
}

TEST_CASE("Replay: the lines of the protocol bring a fresh program to the position") {
    const GameRecord game = sample();
    const std::vector<ReplayStep> steps = replay(game, timed_plan("depth 8", "depth 8"), 0);
    ProgramPlan program;
    program.command = {"./my engine"};
    program.options = {{"Hash", "16"}, {"Book Path", "it's here"}, {"Clear Hash", ""}};
    CHECK(replay_lines(steps[2], spec_as_written(program, "chess960")) ==
          std::vector<std::string>{
              "uci", "setoption name Hash value 16", "setoption name Book Path value it's here",
              "setoption name Clear Hash", "setoption name UCI_Chess960 value true", "ucinewgame",
              "isready", "position startpos moves e2e4 e7e5", "go depth 8"});
    program.options = {{"Book Path", "it's"}};
    program.dir = "/a b";
    program.env = {{"LD_X", "1"}};
    CHECK(replay_shell(steps[2], spec_as_written(program, "chess")) ==
          "cd '/a b' && p=$(mktemp -u) && mkfifo \"$p\" && env LD_X=1 './my engine' <\"$p\" | "
          "{ exec 3>\"$p\"; rm \"$p\"; printf '%s\\n' uci 'setoption name Book Path value "
          "it'\\''s' ucinewgame isready 'position startpos moves e2e4 e7e5' 'go depth 8' >&3; "
          "timeout 61 sed '/^[[:blank:]]*bestmove/q'; printf '%s\\n' stop quit >&3; exec 3>&-; "
          "cat; }");
}

TEST_CASE("Shell words: only what a shell reads as it stands is left bare") {
    CHECK(shell_word("/usr/games/stockfish") == "/usr/games/stockfish");
    CHECK(shell_word("").size() == 2);
    CHECK(shell_word("a$b") == "'a$b'");
    CHECK(shell_word("~/x") == "'~/x'");
}
