#include "reports/dropin/runner_lines.h"

#include <chrono>
#include <cmath>

#include <doctest/doctest.h>

#include "reports/dropin/cutechess_lines.h"

using namespace assay::reports::dropin;  // NOLINT(google-build-using-namespace): what is tested
using namespace std::chrono_literals;    // NOLINT(google-build-using-namespace): literals only
using assay::harness::ResultCounts;
using assay::harness::TimeControl;

namespace {

/// Of published results: [43, 61, 144, 55, 37], of which 25 pairs are two draws.
ResultCounts published() {
    ResultCounts counts;
    counts.pairs_ll = 43;
    counts.pairs_ld = 61;
    counts.pairs_wl = 119;
    counts.pairs_dd = 25;
    counts.pairs_wd = 55;
    counts.pairs_ww = 37;
    counts.wins = 248;
    counts.losses = 266;
    counts.draws = 166;
    return counts;
}

ResultCounts pairs_of(std::int64_t ll, std::int64_t ld, std::int64_t middle, std::int64_t wd,
                      std::int64_t ww) {
    ResultCounts counts;
    counts.pairs_ll = ll;
    counts.pairs_ld = ld;
    counts.pairs_dd = middle;
    counts.pairs_wd = wd;
    counts.pairs_ww = ww;
    return counts;
}

TimeControl clock_with(assay::Micros time, assay::Micros increment, int moves = 0) {
    TimeControl control;
    control.periods = {{moves, time, increment}};
    return control;
}

const EngineFacts kFirst{"A", "10+0.1", "1t", "16MB"};
const EngineFacts kSecond{"B", "10+0.1", "1t", "16MB"};

}  // namespace

TEST_CASE("Runner lines: games begin and end in the words that workers read") {
    CHECK(started_line({1, "A", "B"}, 8) == "Started game 1 of 8 (A vs B)");
    CHECK(finished_line({1, "A", "B"}, "1-0", "White wins by adjudication") ==
          "Finished game 1 (A vs B): 1-0 {White wins by adjudication}");
}

TEST_CASE("Runner lines: a block of results has the digits that were published") {
    ResultsView view{kFirst, kSecond, "UHO_Lichess_4852_v1.epd", true, published(), {}};
    CHECK(results_block(view) ==
          "--------------------------------------------------\n"
          "Results of A vs B (10+0.1, 1t, 16MB, UHO_Lichess_4852_v1.epd):\n"
          "Elo: -9.20 +/- 20.93, nElo: -11.50 +/- 26.11\n"
          "LOS: 19.41 %, DrawRatio: 42.35 %, PairsRatio: 0.88\n"
          "Games: 680, Wins: 248, Losses: 266, Draws: 166, Points: 331.0 (48.68 %)\n"
          "Ptnml(0-2): [43, 61, 144, 55, 37], WL/DD Ratio: 4.76\n"
          "--------------------------------------------------");
}

TEST_CASE("Runner lines: without pairs a block counts games") {
    ResultCounts counts;
    counts.wins = 136;
    counts.losses = 96;
    counts.draws = 111;
    const ResultsView view{
        {"A", "10/move", "NULL", "NULL"}, {"B", "5 plies", "2t", "NULL"}, "", false, counts, {}};
    CHECK(results_block(view) ==
          "--------------------------------------------------\n"
          "Results of A vs B (10/move - 5 plies, NULL - 2t, NULL):\n"
          "Elo: 40.70 +/- 30.43, nElo: 49.77 +/- 36.77\n"
          "LOS: 99.60 %, DrawRatio: 32.36 %\n"
          "Games: 343, Wins: 136, Losses: 96, Draws: 111, Points: 191.5 (55.83 %)\n"
          "--------------------------------------------------");
}

TEST_CASE("Runner lines: an SPRT has the LLR that was published, and always a value") {
    const ClassicSprt sprt{assay::stats::Model::Normalized, 0, 3, 0.05, 0.10, false};
    ResultsView view{kFirst, kSecond, "", true, pairs_of(241, 3440, 6895, 3664, 258), sprt};
    const std::string block = results_block(view);
    CHECK(block.find("\nLLR: 2.90 (100.2%) (-2.25, 2.89) [0.00, 3.00]\n") != std::string::npos);
    CHECK(sprt_end_line(sprt, true) == "SPRT ([0.00, 3.00]) completed - H1 was accepted");
    CHECK(sprt_end_line(sprt, false) == "SPRT ([0.00, 3.00]) completed - H0 was accepted");

    CHECK(sprt.llr(pairs_of(775, 7232, 13896, 7255, 842)) == doctest::Approx(0.0572).epsilon(0.01));
    const ClassicSprt far{assay::stats::Model::Normalized, -1500, -500, 0.05, 0.05, false};
    CHECK(std::isfinite(far.llr(pairs_of(144, 3, 1, 0, 0))));
    CHECK(std::isfinite(far.llr(pairs_of(1, 0, 0, 0, 0))));

    const ClassicSprt logistic{assay::stats::Model::Logistic, 0, 5, 0.05, 0.05, true};
    ResultCounts games;
    games.wins = 880;
    games.losses = 759;
    games.draws = 1863;
    CHECK(sprt_line(logistic, games) ==
          "SPRT: llr 2.95 (100.1%), lbound -2.94, ubound 2.94 - H1 was accepted");
    CHECK(elo_difference_line(games) ==
          "Elo difference: 12.01 +/- 7.87, LOS: 99.86 %, DrawRatio: 53.20 %");
}

TEST_CASE("Runner lines: one-sided results are shown as the runner shows them") {
    ResultCounts counts;
    counts.add_pair(2, 2);
    const ResultsView view{kFirst, kSecond, "", true, counts, {}};
    const std::string block = results_block(view);
    CHECK(block.find("\nElo: inf +/- ") != std::string::npos);
    CHECK(block.find("PairsRatio: inf\n") != std::string::npos);
    CHECK(block.find("Points: 2.0 (100.00 %)\n") != std::string::npos);
}

TEST_CASE("Runner lines: time controls in the head of a block") {
    CHECK(clock_text(clock_with(10s, 100ms)) == "10+0.1");
    CHECK(clock_text(clock_with(60s, 600ms, 40)) == "40/60+0.6");
    CHECK(clock_text(clock_with(500ms, 0ms)) == "0.5");
    CHECK(clock_text(clock_with(8s, 80ms)) == "8+0.08");
    TimeControl other;
    other.kind = TimeControl::Kind::MoveTime;
    other.move_time = 100ms;
    CHECK(clock_text(other) == "0.1/move");
    other.kind = TimeControl::Kind::Nodes;
    other.nodes = 1000;
    CHECK(clock_text(other) == "1000 nodes");
    other.depth = 5;
    CHECK(clock_text(other) == "5 plies");
}

TEST_CASE("Runner lines: what stands below the last game") {
    CHECK(player_lines("A", 2, 1) == "Player: A\n  Timeouts: 2\n  Crashed: 1");
    CHECK(crc_line("games.pgn", "0x1c291ca3") == "File games.pgn has CRC32: 0x1c291ca3");
    CHECK(total_time_line(3'723'000'000us) == "Total Time: 01:02:03 (hours:minutes:seconds)");
    CHECK(interrupted_line("./fastchess", "config.json") ==
          "Tournament was interrupted. To resume the tournament, run: ./fastchess -config "
          "file=config.json");
}

TEST_CASE("Runner lines: cutechess-cli's score, ranking and outcomes") {
    SideCounts counts;
    counts.as_first.wins = 3;
    counts.as_first.draws = 1;
    counts.as_second.losses = 1;
    counts.as_second.draws = 3;
    CHECK(score_line("A", "B", counts.all()) == "Score of A vs B: 3 - 1 - 4  [0.625] 8");
    CHECK(cutechess_ranking("A", {"White", "Black"}, counts, nullptr) ==
          "...      A playing White: 3 - 0 - 1  [0.875] 4\n"
          "...      A playing Black: 0 - 1 - 3  [0.375] 4\n"
          "...      White vs Black: 4 - 0 - 4  [0.750] 8\n"
          "Elo difference: 88.7 +/- 189.9, LOS: 85.7 %, DrawRatio: 50.0 %\n"
          "SPRT: llr 0 (0.0%), lbound -inf, ubound inf");
    const ClassicSprt sprt{assay::stats::Model::Logistic, 0, 5, 0.05, 0.05, true};
    const std::string with_test = cutechess_ranking("A", {"White", "Black"}, counts, &sprt);
    CHECK(with_test.find("\nSPRT: llr 0.0") != std::string::npos);
    CHECK(with_test.ends_with("%), lbound -2.94, ubound 2.94"));
    CHECK(cutechess_outcome(2, "White mates") == "Win: White mates");
    CHECK(cutechess_outcome(0, "White mates") == "Loss: White mates");
    CHECK(cutechess_outcome(1, "Draw by stalemate") == "Draw by stalemate");
    CHECK(cutechess_outcomes("A", {{"Win: White mates", 3}, {"Draw by stalemate", 1}}) ==
          "Player: A\n   \"Draw by stalemate\": 1\n   \"Win: White mates\": 3");
}
