// Steps with searches that end by themselves: limits are kept, positions are understood, moves are
// legal.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/check_limits.h"
#include "adapters/check/compliance_steps.h"
#include "adapters/check/pv_check.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The answer to the step's search; nullopt where no legal move came, and the step has failed.
std::optional<Answer> legal_answer(Checkup& c, const CheckStep& step, Micros more = Micros(0)) {
    SearchTask task = step.search;
    task.allowed += more;
    Answer answer = c.search(task);
    if (!c.is_well(step.names, " to '" + std::string(task.go) + "'", answer)) return std::nullopt;
    return answer;
}

void plain(Checkup& c, const CheckStep& step) {
    if (const auto answer = legal_answer(c, step))
        c.say(step.names, StepState::Ok, played(*answer));
}

void depth(Checkup& c, const CheckStep& step) {
    if (const auto answer = legal_answer(c, step))
        c.judge_depth(step.names, *answer, step.search.allowed);
}

void nodes(Checkup& c, const CheckStep& step) {
    const auto answer = legal_answer(c, step);
    c.keeps_to_nodes = answer && c.judge_nodes(step.names, *answer, step.search.allowed);
}

/// The answer must come within the task's time. The program is told to stop only when it is much
/// too late, so that its own lateness is seen.
void timed(Checkup& c, const CheckStep& step) {
    if (const auto answer = legal_answer(c, step, seconds(5)))
        c.judge_time(step.names, *answer, step.search.allowed);
}

/// The search is bound to one move: that one must come, or searchmoves is not kept.
void bound(Checkup& c, const CheckStep& step) {
    if (step.names == "castling-said" && c.spec().game == "chess960") {
        c.say(step.names, StepState::Skipped, "it was set to chess960");
        return;
    }
    const auto answer = legal_answer(c, step);
    if (!answer) return;
    const std::string move(step.search.move);
    if (answer->best == move) {
        c.say(step.names, StepState::Ok, "it played " + move + ", as it was bound to");
    } else {
        c.say(step.names, StepState::Warning,
              "expected " + move + ", the only one of searchmoves; it played " + answer->best);
    }
}

void mate_in_1(Checkup& c, const CheckStep& step) {
    const auto answer = legal_answer(c, step);
    if (!answer) return;
    const bool is_played = answer->best == step.search.move;
    const auto& score = answer->info.score;
    const bool is_said = score && score->is_mate && score->value == 1;
    if (is_played && is_said) {
        c.say("mate-in-1", StepState::Ok, "e1e8, score mate 1");
        return;
    }
    std::string what = "expected e1e8 and 'score mate 1'; it played " + answer->best;
    if (!score) {
        what += " without a score";
    } else {
        what += std::string(" with score ") + (score->is_mate ? "mate " : "cp ") +
                std::to_string(score->value);
    }
    c.say("mate-in-1", StepState::Warning, what);
}

/// Judges the last line of moves before the answer; a match counts its flaws and loses no game by
/// them.
void line_of_moves(Checkup& c, const CheckStep& step) {
    const Answer answer = c.search(step.search);
    if (!c.is_well(step.names, " to '" + std::string(step.search.go) + "'", answer)) return;
    const std::string_view line = answer.info.line_moves();
    if (line.empty()) {
        c.say(step.names, StepState::Skipped, "it says no line of moves (pv)");
        return;
    }
    const auto position = c.position_of(step.search);
    const auto move = position->move_of(answer.best, rules::Notation::Canonical);
    std::vector<PvTrouble> found;
    PvCheck().look(
        *position,
        {position->to_move(), rules::Notation::Canonical, answer.info, answer.best, move}, found);
    if (found.empty()) {
        c.say(step.names, StepState::Ok, printable_utf8(line.substr(0, 100)));
        return;
    }
    std::string what = "expected a legal line of moves that begins with its answer; 'pv " +
                       printable_utf8(line.substr(0, 100)) + "' ";
    for (const PvTrouble& one : found) {
        if (&one != &found.front()) what += ", and ";
        what += words_of(one.flaw);
        if (!one.move.empty()) what += " (" + printable_utf8(one.move.substr(0, 20)) + ")";
    }
    c.say(step.names, StepState::Warning, what);
}

/// The mover is a queen up, and is the second player: a score below zero is seen from the first
/// player's view, which turns every adjudication around.
void score_view(Checkup& c, const CheckStep& step) {
    const auto answer = legal_answer(c, step);
    if (!answer) return;
    const auto& score = answer->info.score;
    if (!score) {
        c.say(step.names, StepState::Warning, "expected a score; it said none");
        return;
    }
    const std::string said =
        std::string(score->is_mate ? "mate " : "cp ") + std::to_string(score->value);
    if (score->value > 0) {
        c.say(step.names, StepState::Ok, "score " + said + " for the mover, a queen up");
        return;
    }
    if (score->value == 0 && !score->is_mate) {
        c.say(step.names, StepState::Ok, "score cp 0, which speaks for nobody");
        return;
    }
    const bool is_turned = score->is_mate || score->value <= -100;
    c.say(step.names, is_turned ? StepState::Fail : StepState::Warning,
          "expected a score above 0 for Black, who is to move and a queen up; it said " + said +
              ": scores must be from the mover's point of view");
}

/// A position without a legal move. No match asks for one, so that only a crash is a failure and
/// all else a warning.
void over(Checkup& c, const CheckStep& step) {
    const std::string_view name = step.names;
    const Answer answer = c.search(step.search);
    const bool lives = c.has_talk();
    if (answer.trouble.empty() && !answer.was_stopped) {
        c.say(name, StepState::Ok,
              "bestmove " + (answer.best.empty() ? "without a move" : answer.best));
        return;
    }
    const std::string came =
        answer.trouble.empty() ? "it answered only when it was stopped" : answer.trouble;
    const bool ended = !lives && (came.find("it exited") == 0 || came.find("it was killed") == 0);
    c.say(name, ended ? StepState::Fail : StepState::Warning,
          "expected 'bestmove (none)' or 0000 as there is no legal move; " + came);
}

constexpr std::string_view kCastling = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
constexpr std::string_view kPromotion = "8/P5k1/8/8/8/8/7p/K7 w - - 0 1";

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr CheckStep kSearchSteps[] = {
    {"depth", depth, {.go = "go depth 2"}},
    {"nodes", nodes, {.moves = "e2e4", .go = "go nodes 2000", .allowed = seconds(2)}},
    {"movetime", timed, {.go = "go movetime 100", .allowed = milliseconds(100)}},
    {"clock",
     timed,
     {.moves = "d2d4",
      .go = "go wtime 1000 btime 1000 winc 20 binc 20",
      .allowed = milliseconds(1000)}},
    {"movestogo",
     timed,
     {.go = "go wtime 600 btime 600 movestogo 3", .allowed = milliseconds(600)}},
    {"short-clock",
     timed,
     {.moves = "e2e4 e7e5", .go = "go wtime 50 btime 50", .allowed = milliseconds(50)}},
    {"fen", plain, {.fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"}},
    {"moves", plain, {.moves = "e2e4 c7c5 g1f3"}},
    {"en-passant", plain, {.moves = "e2e4 a7a6 e4e5 d7d5 e5d6"}},
    {"castling-read", plain, {.fen = kCastling, .moves = "e1g1 e8c8"}},
    {"castling-said",
     bound,
     {.fen = kCastling, .go = "go depth 2 searchmoves e1g1", .move = "e1g1"}},
    {"promotion-read", plain, {.fen = kPromotion, .moves = "a7a8n h2h1q"}},
    {"promotion-said",
     bound,
     {.fen = kPromotion, .go = "go depth 2 searchmoves a7a8q", .move = "a7a8q"}},
    {"searchmoves", bound, {.go = "go depth 2 searchmoves a2a3", .move = "a2a3"}},
    {"mate-in-1",
     mate_in_1,
     {.fen = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", .go = "go depth 4", .move = "e1e8"}},
    {"pv", line_of_moves, {.moves = "e2e4 e7e5 g1f3 b8c6", .go = "go depth 4"}},
    {"mate-pv", line_of_moves, {.fen = "7k/8/5K2/8/8/8/8/R7 w - - 0 1", .go = "go depth 6"}},
    {"score-view", score_view, {.fen = "3qk3/8/8/8/8/8/8/4K3 b - - 0 1", .go = "go depth 4"}},
    {"mated",
     over,
     {.fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
      .allowed = seconds(2)}},
    {"stalemate", over, {.fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", .allowed = seconds(2)}},
};

}  // namespace

std::span<const CheckStep> search_steps() {
    return kSearchSteps;
}

}  // namespace assay::adapters
