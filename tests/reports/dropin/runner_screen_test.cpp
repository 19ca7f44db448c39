#include "reports/dropin/runner_screen.h"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/match/tally.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

using namespace assay::reports::dropin;  // NOLINT(google-build-using-namespace): what is tested
using assay::harness::GameRecord;
using assay::harness::Lineup;
using assay::harness::Termination;
using assay::harness::TimeControl;

namespace {

assay::harness::RunRecord run_of_two() {
    assay::harness::RunRecord run;
    for (const char* const name : {"A", "B"}) {
        run.plan.programs.emplace_back().name = name;
    }
    run.plan.programs[1].options = {{"Hash", "32"}};
    auto& match = run.plan.matches.emplace_back();
    for (TimeControl& time : match.time) {
        time.kind = TimeControl::Kind::Depth;
        time.depth = 5;
    }
    match.runner.counts_as_they_end = true;
    return run;
}

/// White wins, draws or loses.
GameRecord game_won_by(std::int64_t number, float white) {
    GameRecord game;
    game.number = number;
    game.pair = (number - 1) / 2;
    game.game = static_cast<int>((number - 1) % 2);
    game.program = game.game == 0 ? Lineup{0, 1} : Lineup{1, 0};
    game.scores = assay::rules::scores_with_winner(white == 1 ? 0 : white == 0 ? 1 : -1, 2);
    game.termination = white == 0.5F ? Termination(Termination::DrawAdjudicated)
                                     : Termination(Termination::WinAdjudicated);
    return game;
}

GameRecord lost_on_time(std::int64_t number) {
    GameRecord game = game_won_by(number, 0);
    game.termination = Termination::Time;
    game.guilty = 0;
    game.overrun = assay::Micros(12'345);
    game.last_lines = "bestmove e2e4\n";
    return game;
}

class ShownMatch {
public:
    explicit ShownMatch(ScreenSettings settings)
        : run_(run_of_two()),
          screen_(
              std::move(settings), [this](const std::string& line) { text_ += line + "\n"; },
              [this](const auto&) { ++saves; }, [this] { ++warnings; }) {
        screen_.on_match_start(run_, 0, 1);
        assay::adapters::Identity identity;
        identity.option_names = {"Threads", "Hash"};
        identity.option_values = {"1", "16"};
        screen_.on_program_start(0, identity);
        screen_.on_program_start(1, identity);
    }

    RunnerScreen& operator*() { return screen_; }

    void play(const GameRecord& game) {
        screen_.on_game_start({0, game.number, 0, game.program_of(0)});
        screen_.on_game_end(game, false);
    }

    /// What was printed since the last time.
    std::string text() { return std::exchange(text_, {}); }

    int saves = 0;
    int warnings = 0;

private:
    std::string text_;
    assay::harness::RunRecord run_;
    RunnerScreen screen_;
};

ScreenSettings settings_of(std::int64_t games) {
    ScreenSettings settings;
    settings.games = games;
    settings.rating_interval = 1;
    return settings;
}

std::size_t blocks_in(const std::string& text) {
    return test::times_in(text, "Results of");
}

}  // namespace

TEST_CASE("Runner screen: a block follows each pair as it ends") {
    ShownMatch screen(settings_of(4));
    screen.play(game_won_by(1, 1));
    CHECK(screen.text() ==
          "Started game 1 of 4 (A vs B)\n"
          "Finished game 1 (A vs B): 1-0 {White wins by adjudication}\n");
    screen.play(game_won_by(2, 0.5));
    CHECK(screen.text() ==
          "Started game 2 of 4 (B vs A)\n"
          "Finished game 2 (B vs A): 1/2-1/2 {Draw by adjudication}\n"
          "--------------------------------------------------\n"
          "Results of A vs B (5 plies, 1t, 16MB - 32MB):\n"
          "Elo: 190.85 +/- 0.00, nElo: inf +/- -nan\n"
          "LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf\n"
          "Games: 2, Wins: 1, Losses: 0, Draws: 1, Points: 1.5 (75.00 %)\n"
          "Ptnml(0-2): [0, 0, 0, 1, 0], WL/DD Ratio: -nan\n"
          "--------------------------------------------------\n");
    // The second pair's games end in the other order.
    screen.play(game_won_by(4, 1));
    CHECK(blocks_in(screen.text()) == 0);
    screen.play(game_won_by(3, 1));
    const std::string text = screen.text();
    CHECK(blocks_in(text) == 1);
    CHECK(text.find("Games: 4, Wins: 2, Losses: 1, Draws: 1,") != std::string::npos);
    CHECK(text.find("Ptnml(0-2): [0, 0, 1, 1, 0]") != std::string::npos);
    (*screen).print_end();
    CHECK(screen.text().empty());
}

TEST_CASE("Runner screen: rating intervals count pairs, and the last block is always there") {
    ScreenSettings settings = settings_of(10);
    settings.rating_interval = 2;
    ShownMatch screen(settings);
    for (int number = 1; number <= 10; ++number) screen.play(game_won_by(number, 0.5));
    CHECK(blocks_in(screen.text()) == 3);  // pairs 2 and 4, and the end

    settings.has_pairs = false;
    ShownMatch by_games(settings);
    for (int number = 1; number <= 10; ++number) by_games.play(game_won_by(number, 0.5));
    const std::string text = by_games.text();
    CHECK(blocks_in(text) == 5);
    CHECK(text.find("Ptnml") == std::string::npos);
}

TEST_CASE("Runner screen: a move without a score is warned of, as there") {
    ShownMatch screen(settings_of(4));
    GameRecord game = game_won_by(1, 1);
    game.moves.resize(2);
    game.moves[0].score = assay::adapters::Score{};
    game.moves[1].player = 1;
    screen.play(game);
    CHECK(screen.text() ==
          "Started game 1 of 4 (A vs B)\n"
          "Warning; No info line available to extract score from engine B\n"
          "Finished game 1 (A vs B): 1-0 {White wins by adjudication}\n");
    CHECK(screen.warnings == 1);

    // "mate 0" is a score to fastchess; one without a number is none.
    game.number = 2;
    game.moves[0].score.reset();
    game.moves[0].score_word = assay::adapters::ScoreWord::Read;
    game.moves[1].score_word = assay::adapters::ScoreWord::Unreadable;
    screen.play(game);
    CHECK(screen.text().find("Warning; No info line") == std::string::npos);
    CHECK(screen.warnings == 2);
}

TEST_CASE("Runner screen: faults of options are told when the engine has said what it has") {
    ShownMatch screen(settings_of(4));
    assay::adapters::Identity identity;
    using Fault = assay::adapters::OptionFault;
    identity.option_faults = {{Fault::Kind::Unknown, "Hsh", "1"},
                              {Fault::Kind::BadValue, "Skill Level", "it's"}};
    (*screen).on_program_start(1, identity);
    CHECK(screen.text() ==
          "Warning; B doesn't have option Hsh\n"
          "Warning; Invalid value for option Skill Level; it's\n");
    CHECK(screen.warnings == 2);
}

TEST_CASE("Runner screen: losses on time and crashes of earlier sessions are counted on") {
    ScreenSettings settings = settings_of(4);
    settings.rating_interval = 1'000'000;
    ShownMatch screen(settings);
    GameRecord crash = game_won_by(2, 0);
    crash.termination = Termination::Crash;
    crash.guilty = 0;
    assay::harness::PairDigest pair;
    pair.games[0] = digest_of(lost_on_time(1));
    pair.games[1] = digest_of(crash);
    assay::harness::PairDigest later = pair;
    later.state = assay::harness::PairState::AfterStop;
    auto plan = run_of_two().plan.matches[0];
    assay::harness::MatchTally tally(plan);
    tally.add(pair);
    GameRecord open = lost_on_time(3);
    (*screen).on_restored(tally, {pair, later}, {open});
    (*screen).print_end();
    CHECK(screen.text() ==
          "\nPlayer: A\n  Timeouts: 2\n  Crashed: 0\nPlayer: B\n  Timeouts: 0\n  Crashed: 1\n\n");
}

TEST_CASE("Runner screen: losses on time and crashes are counted below, in capitals") {
    ScreenSettings settings = settings_of(4);
    settings.rating_interval = 1'000'000;
    ShownMatch screen(settings);
    screen.play(lost_on_time(1));
    CHECK(screen.text() ==
          "Started game 1 of 4 (A vs B)\n"
          "Finished game 1 (A vs B): 0-1 {White loses on time (12ms overrun)}\n");
    GameRecord crash = game_won_by(2, 0);
    crash.termination = Termination::Crash;
    crash.guilty = 0;
    screen.play(crash);
    CHECK(screen.text().find("0-1 {White disconnects}") != std::string::npos);
    (*screen).print_end();
    CHECK(screen.text() ==
          "\nPlayer: A\n  Timeouts: 1\n  Crashed: 0\nPlayer: B\n  Timeouts: 0\n  Crashed: 1\n\n");
}

TEST_CASE("Runner screen: without -recover a crash is the last game, and not in the PGN") {
    const assay::test::TempDir dir;
    ScreenSettings settings = settings_of(4);
    settings.recovers = false;
    settings.pgn.emplace();
    settings.pgn_file = dir.path("games.pgn");
    ShownMatch screen(settings);
    GameRecord crash = game_won_by(1, 0);
    crash.termination = Termination::Crash;
    crash.guilty = 0;
    screen.play(crash);
    CHECK(screen.text() ==
          "Started game 1 of 4 (A vs B)\n"
          "Game 1 stalled / disconnected and no recover option set for engine, stopping "
          "tournament.\n"
          "Finished game 1 (A vs B): 0-1 {White disconnects}\n");
    CHECK(assay::read_file(dir.path("games.pgn")).empty());
    screen.play(game_won_by(3, 1));
    CHECK(screen.text().empty());
}

TEST_CASE("Runner screen: a game is in the PGN, and its CRC told, before its line") {
    const assay::test::TempDir dir;
    ScreenSettings settings = settings_of(2);
    settings.pgn.emplace();
    settings.pgn_file = dir.path("games.pgn");
    settings.has_crc = true;
    settings.rating_interval = 1'000'000;
    ShownMatch screen(settings);
    screen.play(game_won_by(1, 1));
    const std::string text = screen.text();
    const std::size_t crc = text.find("File " + settings.pgn_file + " has CRC32: 0x");
    CHECK(crc != std::string::npos);
    CHECK(crc < text.find("Finished game 1"));
    CHECK(assay::read_file(settings.pgn_file).find("[Result \"1-0\"]") != std::string::npos);
}

TEST_CASE("Runner screen: an SPRT ends with its block twice, and nothing of later games is told") {
    ScreenSettings settings = settings_of(200);
    settings.sprt = ClassicSprt{assay::stats::Model::Logistic, 0, 100, 0.05, 0.05, false};
    ShownMatch screen(settings);
    int number = 1;
    std::string text;
    for (; number < 200 && text.find("LLR: 2.9") == std::string::npos; number += 2) {
        text = screen.text();
        screen.play(game_won_by(number, 1));
        screen.play(game_won_by(number + 1, number % 6 == 1 ? 1 : 0));
        const std::string now = screen.text();
        if (now.empty()) break;
        text = now;
    }
    screen.play(game_won_by(number + 2, 1));
    CHECK(screen.text().empty());

    auto plan = run_of_two().plan.matches[0];
    plan.stop.rule = assay::harness::StopPlan::Rule::Sprt;
    plan.stop.model = assay::harness::StopPlan::Model::Logistic;
    plan.stop.e0 = 0;
    plan.stop.e1 = 100;
    plan.stop.is_plain = true;
    plan.pairs = 100;
    assay::harness::MatchTally tally(plan);
    while (tally.verdict() == assay::harness::Verdict::None) {
        assay::harness::PairDigest pair;
        pair.games[0] = digest_of(game_won_by(1, 1));
        pair.games[1] = digest_of(game_won_by(2, 0));
        tally.add(pair);
    }
    (*screen).on_match_end(0, tally);
    const std::string end = screen.text();
    CHECK(blocks_in(end) == 1);
    CHECK(end.ends_with("SPRT ([0.00, 100.00]) completed - H1 was accepted\n"));
}

TEST_CASE("Runner screen: with the other output the score stands after each game") {
    ScreenSettings settings = settings_of(2);
    settings.has_cutechess_lines = true;
    settings.has_pairs = false;
    settings.rating_interval = 1'000'000;
    ShownMatch screen(settings);
    screen.play(game_won_by(1, 1));
    CHECK(screen.text() ==
          "Started game 1 of 2 (A vs B)\n"
          "Finished game 1 (A vs B): 1-0 {White wins by adjudication}\n"
          "Score of A vs B: 1 - 0 - 0  [1.000] 1\n");
    screen.play(game_won_by(2, 1));
    CHECK(screen.text() ==
          "Started game 2 of 2 (B vs A)\n"
          "Finished game 2 (B vs A): 1-0 {White wins by adjudication}\n"
          "Score of A vs B: 1 - 1 - 0  [0.500] 2\n"
          "Elo difference: -0.00 +/- nan, LOS: 50.00 %, DrawRatio: 0.00 %\n");
}

TEST_CASE("Runner screen: cutechess-cli's own end has the ranking and the outcomes") {
    ScreenSettings settings = settings_of(2);
    settings.runner = Runner::Cutechess;
    settings.has_pairs = false;
    settings.rating_interval = 0;
    ShownMatch screen(settings);
    screen.play(game_won_by(1, 1));
    screen.play(game_won_by(2, 0.5));
    CHECK(screen.text() ==
          "Started game 1 of 2 (A vs B)\n"
          "Finished game 1 (A vs B): 1-0 {White wins by adjudication}\n"
          "Score of A vs B: 1 - 0 - 0  [1.000] 1\n"
          "Started game 2 of 2 (B vs A)\n"
          "Finished game 2 (B vs A): 1/2-1/2 {Draw by adjudication}\n"
          "Score of A vs B: 1 - 0 - 1  [0.750] 2\n");
    (*screen).print_end();
    CHECK(screen.text() ==
          "...      A playing White: 1 - 0 - 0  [1.000] 1\n"
          "...      A playing Black: 0 - 0 - 1  [0.500] 1\n"
          "...      White vs Black: 1 - 0 - 1  [0.750] 2\n"
          "Elo difference: 190.8 +/- nan, LOS: 92.1 %, DrawRatio: 50.0 %\n"
          "SPRT: llr 0 (0.0%), lbound -inf, ubound inf\n"
          "\n"
          "Player: A\n"
          "   \"Draw by adjudication\": 1\n"
          "   \"Win: White wins by adjudication\": 1\n"
          "Player: B\n"
          "   \"Draw by adjudication\": 1\n"
          "   \"Loss: White wins by adjudication\": 1\n");
}

TEST_CASE("Runner screen: the results are saved at each autosave interval") {
    ScreenSettings settings = settings_of(8);
    settings.autosave_interval = 3;
    ShownMatch screen(settings);
    for (int number = 1; number <= 8; ++number) screen.play(game_won_by(number, 0.5));
    CHECK(screen.saves == 2);
}

TEST_CASE("Runner screen: results of an earlier session are counted on") {
    ScreenSettings settings = settings_of(4);
    settings.earlier.add_pair(2, 1);
    ShownMatch screen(settings);
    screen.play(game_won_by(3, 1));
    screen.play(game_won_by(4, 1));
    const std::string text = screen.text();
    CHECK(text.find("Games: 4, Wins: 2, Losses: 1, Draws: 1,") != std::string::npos);
}
