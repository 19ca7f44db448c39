#include "reports/dropin/warnings.h"

#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rules/make_game.h"

using namespace assay;
using namespace assay::harness;
using namespace assay::reports::dropin;

namespace {

const std::vector<std::string> kNames{"New-0123456789", "Base-9876543210"};

PvFinding finding_of(PvFlaw flaw) {
    PvFinding finding;
    finding.flaw = flaw;
    finding.program = 1;
    finding.player = 0;
    finding.move = "d8h4";
    finding.line = "info depth 1 pv d8h4 score cp 0";
    finding.moves = "f2f3 e7e5 g2g4";
    return finding;
}

std::string first_part(PvFlaw flaw) {
    const auto chess = rules::make_game("chess");
    const std::string text = pv_warning(finding_of(flaw), kNames, *chess, Parts::OneLine);
    return text.substr(0, text.find(" :: "));
}

bool found(const std::string& line, const char* pattern) {
    return std::regex_search(line, std::regex(pattern));
}

}  // namespace

TEST_CASE("Dropin warnings: every flaw of a line in fastchess's words") {
    CHECK(first_part(PvFlaw::IllegalMove) ==
          "Warning; Illegal PV move - move d8h4 from Base-9876543210");
    CHECK(first_part(PvFlaw::AfterRepetition) ==
          "Warning; PV continues after threefold repetition - move d8h4 from Base-9876543210");
    CHECK(first_part(PvFlaw::AfterCounter) ==
          "Warning; PV continues after fifty-move rule - move d8h4 from Base-9876543210");
    CHECK(first_part(PvFlaw::AfterWin) ==
          "Warning; PV continues after checkmate - move d8h4 from Base-9876543210");
    CHECK(first_part(PvFlaw::AfterDraw) ==
          "Warning; PV continues after stalemate - move d8h4 from Base-9876543210");
    CHECK(first_part(PvFlaw::ShortMate) == "Warning; Incomplete mating PV - from Base-9876543210");
    CHECK(first_part(PvFlaw::LongMate) == "Warning; Too long mating PV - from Base-9876543210");
    CHECK(first_part(PvFlaw::NoMate) ==
          "Warning; Mating PV does not end with checkmate - from Base-9876543210");
    CHECK(first_part(PvFlaw::OtherMove) ==
          "Warning; Bestmove does not match beginning of last PV - move d8h4 from "
          "Base-9876543210");
    for (std::size_t flaw = 0; flaw < kPvFlaws; ++flaw) {
        const auto kind = static_cast<PvFlaw>(flaw);
        const bool is_mate =
            kind == PvFlaw::ShortMate || kind == PvFlaw::LongMate || kind == PvFlaw::NoMate;
        CHECK(needs_check_mate_pvs(kind) == is_mate);
    }
}

TEST_CASE("Dropin warnings: parts on lines of their own, or joined for a test server") {
    const auto chess = rules::make_game("chess");
    PvFinding finding = finding_of(PvFlaw::IllegalMove);
    CHECK(pv_warning(finding, kNames, *chess, Parts::Lines) ==
          "Warning; Illegal PV move - move d8h4 from Base-9876543210\n"
          "Info; info depth 1 pv d8h4 score cp 0\n"
          "Position; startpos\n"
          "Moves; f2f3 e7e5 g2g4");
    finding.start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    finding.moves = "";
    finding.line += " \xff\n";
    CHECK(pv_warning(finding, kNames, *chess, Parts::OneLine) ==
          "Warning; Illegal PV move - move d8h4 from Base-9876543210 :: Info; info depth 1 pv d8h4 "
          "score cp 0 ?? :: Position; fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 "
          ":: Moves; ");
    const auto chess960 = rules::make_game("chess960");
    CHECK(pv_warning(finding, kNames, *chess960, Parts::OneLine).find(" b HAha - 0 1 ::") !=
          std::string::npos);
}

TEST_CASE("Dropin warnings: a mismatch of signs names the other player first, with both lines") {
    const auto chess = rules::make_game("chess");
    PvFinding finding = finding_of(PvFlaw::MateSign);
    finding.mate = 3;
    finding.other_mate = 5;
    finding.line = "info score mate 3";
    finding.other_line = "info score mate 5";
    CHECK(pv_warning(finding, kNames, *chess, Parts::OneLine) ==
          "Warning; Sign mismatch in mate scores 5 and 3 from New-0123456789 (Black) and "
          "Base-9876543210 (White) :: Infos; info score mate 5 ; info score mate 3 :: Position; "
          "startpos :: Moves; f2f3 e7e5 g2g4");
}

TEST_CASE("Dropin warnings: what is said of a program that failed") {
    CHECK(no_option("A", "Hash Size") == "Warning; A doesn't have option Hash Size");
    CHECK(invalid_value("Hash", "x") == "Warning; Invalid value for option Hash; x");
    CHECK(no_info_line("A") == "Warning; No info line available to extract score from engine A");
    CHECK(no_score("A", "why") == "Warning; Could not extract score from engine A: why");
    CHECK(wrong_move_format("E2E4", "A") ==
          "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move E2E4 played "
          "by A");
    CHECK(illegal_move("a1a1", "A") == "Warning; Illegal move a1a1 played by A");
    CHECK(illegal_move("", "A") == "Warning; Illegal move <none> played by A");
    CHECK(not_responsive("A") == "Warning; Engine A is not responsive");
    CHECK(no_handshake("A") == "Warning; Engine A didn't respond to uci.");
    CHECK(no_output("A") == "Warning; No output from A");
    CHECK(no_best_move("A", "why", "info depth 1") ==
          "Warning; No bestmove found from A because: why. Last line was: info depth 1");
}

TEST_CASE("Dropin warnings: games and events become the warnings that workers look for") {
    GameRecord game;
    game.program = {1, 0};
    game.guilty = 0;
    game.scores = rules::scores_with_loser(0, 2);
    const auto said = [&](Termination::Cause cause) {
        game.termination = cause;
        std::string text;
        for (const std::string& line : game_warnings(game, kNames)) text += line + "|";
        return text;
    };
    game.illegal_move = "a1a1";
    CHECK(said(Termination::IllegalMove) ==
          "Warning; Illegal move a1a1 played by Base-9876543210|");
    game.illegal_move = "E2E4";
    CHECK(said(Termination::IllegalMove) ==
          "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move E2E4 played "
          "by Base-9876543210|Warning; Illegal move E2E4 played by Base-9876543210|");
    game.illegal_move = "";
    CHECK(said(Termination::IllegalMove) ==
          "Warning; Illegal move <none> played by Base-9876543210|");
    CHECK(said(Termination::Stall) == "Warning; Engine Base-9876543210 is not responsive|");
    CHECK(said(Termination::Time) == "Warning; No output from Base-9876543210|");
    game.last_lines = "readyok\ninfo depth 3\nstderr: help\n";
    CHECK(found(said(Termination::Time),
                "Warning; No bestmove found from Base-9876543210 because: .*Last line was: info "
                "depth 3"));
    // A worker counts words that stand for a loss, whoever says them.
    game.last_lines = "info string timeout, stalled on time\n";
    CHECK(found(said(Termination::Time), "Last line was: info string t_imeout, s_talled o_n time"));
    game.last_lines = "info depth 3\nbestmove e2e4\n";
    CHECK(said(Termination::Time) == "");
    // Of a search that has no answer: what is before it is not told.
    game.last_command = "go wtime 1";
    CHECK(said(Termination::Stall) ==
          "Warning; No output from Base-9876543210|Warning; Engine Base-9876543210 is not "
          "responsive|");
    game.last_lines += "info depth 4\n";
    CHECK(said(Termination::Stall) ==
          "Warning; No bestmove found from Base-9876543210 because: Line does not start with "
          "'bestmove'. Last line was: info depth 4|Warning; Engine Base-9876543210 is not "
          "responsive|");
    game.last_lines = "info depth 4\nbestmove\n";
    CHECK(said(Termination::IllegalMove) ==
          "Warning; No bestmove found from Base-9876543210 because: Element 'bestmove' has no "
          "value. Last line was: bestmove|Warning; Illegal move <none> played by "
          "Base-9876543210|");
    CHECK(said(Termination::Crash) == "");
    CHECK(said(Termination::NoStart) == "Warning; Engine Base-9876543210 didn't respond to uci.|");
    game.guilty = -1;
    CHECK(said(Termination::WinAdjudicated) == "");
}
