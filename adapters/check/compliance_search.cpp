// Steps with searches that end by themselves: limits are kept, positions are understood, moves are
// legal.
#include <string>

#include "adapters/check/compliance_steps.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kLateFail{500};
constexpr milliseconds kLateWarning{50};

std::string played(const Answer& answer) {
    return answer.best + " after " + time_text(answer.took);
}

/// Fail where there was trouble; true where there was none.
bool is_well(Checkup& c, std::string_view name, const Quest& quest, const Answer& answer) {
    if (answer.trouble.empty()) return true;
    c.say(name, StepState::Fail, "expected a legal move to '" + quest.go + "'; " + answer.trouble);
    return false;
}

void plain(Checkup& c, std::string_view name, const Quest& quest) {
    const Answer answer = c.search(quest);
    if (is_well(c, name, quest, answer)) c.say(name, StepState::Ok, played(answer));
}

void depth(Checkup& c) {
    const Quest quest{"", "", "go depth 2", seconds(5)};
    const Answer answer = c.search(quest);
    if (!is_well(c, "depth", quest, answer)) return;
    if (answer.was_stopped) {
        c.say(
            "depth", StepState::Warning,
            "expected an end at depth 2; it went on until stop after " + time_text(quest.allowed));
    } else if (answer.info.depth && *answer.info.depth > 2) {
        c.say("depth", StepState::Warning,
              "expected depth 2; it said depth " + std::to_string(*answer.info.depth));
    } else {
        c.say("depth", StepState::Ok, played(answer));
    }
}

void nodes(Checkup& c) {
    const Quest quest{"", "e2e4", "go nodes 2000", seconds(2)};
    const Answer answer = c.search(quest);
    c.keeps_to_nodes = false;
    if (!is_well(c, "nodes", quest, answer)) return;
    const std::uint64_t said = answer.info.nodes.value_or(0);
    if (answer.was_stopped) {
        c.say("nodes", StepState::Warning,
              "expected an end at 2000 nodes; it went on until stop after " +
                  time_text(quest.allowed) + ": limit it by depth or time");
    } else if (said > 20000) {
        c.say("nodes", StepState::Warning,
              "expected 2000 nodes; it searched " + std::to_string(said) +
                  ": limit it by depth or time");
    } else {
        c.keeps_to_nodes = true;
        c.say("nodes", StepState::Ok,
              played(answer) + (said > 0 ? ", " + std::to_string(said) + " nodes of 2000" : ""));
    }
}

// Told to stop only when it is hopelessly late, so that its own lateness is seen.
void timed_search(Checkup& c, std::string_view name, Quest quest, milliseconds allowed) {
    quest.allowed = allowed + seconds(5);
    const Answer answer = c.search(quest);
    if (!is_well(c, name, quest, answer)) return;
    const Micros over = answer.took - allowed;
    const std::string what = "expected an answer within " + time_text(allowed) +
                             "; it came after " + time_text(answer.took) +
                             (answer.was_stopped ? ", when it was stopped" : "");
    if (over > kLateFail) {
        c.say(name, StepState::Fail, what);
    } else if (over > kLateWarning) {
        c.say(name, StepState::Warning, what + ": give it a margin");
    } else {
        c.say(name, StepState::Ok, played(answer) + " of " + time_text(allowed));
    }
}

void move_time(Checkup& c) {
    timed_search(c, "movetime", {"", "", "go movetime 100"}, milliseconds(100));
}

void clocks(Checkup& c) {
    timed_search(c, "clock", {"", "d2d4", "go wtime 1000 btime 1000 winc 20 binc 20"},
                 milliseconds(1000));
}

void moves_to_go(Checkup& c) {
    timed_search(c, "movestogo", {"", "", "go wtime 600 btime 600 movestogo 3"}, milliseconds(600));
}

void short_clock(Checkup& c) {
    timed_search(c, "short-clock", {"", "e2e4 e7e5", "go wtime 50 btime 50"}, milliseconds(50));
}

void fen(Checkup& c) {
    plain(
        c, "fen",
        {"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", "", "go depth 2"});
}

void black(Checkup& c) {
    plain(c, "moves", {"", "e2e4 c7c5 g1f3", "go depth 2"});
}

void en_passant(Checkup& c) {
    plain(c, "en-passant", {"", "e2e4 a7a6 e4e5 d7d5 e5d6", "go depth 2"});
}

/// The search is bound to one move: that one must come, or searchmoves is not kept.
void bound_to(Checkup& c, std::string_view name, Quest quest, const std::string& move,
              const std::string& good) {
    quest.go = "go depth 2 searchmoves " + move;
    const Answer answer = c.search(quest);
    if (!is_well(c, name, quest, answer)) return;
    if (answer.best == move) {
        c.say(name, StepState::Ok, good);
    } else {
        c.say(name, StepState::Warning,
              "expected " + move + ", the only one of searchmoves; it played " + answer.best);
    }
}

void search_moves(Checkup& c) {
    bound_to(c, "searchmoves", {}, "a2a3", "only a2a3 was searched");
}

void castling(Checkup& c) {
    const std::string fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    plain(c, "castling-read", {fen, "e1g1 e8c8", "go depth 2"});
    if (!c.ensure_ready()) return;
    if (c.spec().chess960) {
        c.say("castling-said", StepState::Skipped, "it was set to chess960");
    } else {
        bound_to(c, "castling-said", {fen, "", ""}, "e1g1", "castling is e1g1");
    }
}

void promotion(Checkup& c) {
    const std::string fen = "8/P5k1/8/8/8/8/7p/K7 w - - 0 1";
    plain(c, "promotion-read", {fen, "a7a8n h2h1q", "go depth 2"});
    if (c.ensure_ready()) {
        bound_to(c, "promotion-said", {fen, "", ""}, "a7a8q", "promotion is a7a8q");
    }
}

void mate_in_1(Checkup& c) {
    const Quest quest{"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "", "go depth 4"};
    const Answer answer = c.search(quest);
    if (!is_well(c, "mate-in-1", quest, answer)) return;
    const bool is_played = answer.best == "e1e8";
    const auto& score = answer.info.score;
    const bool is_said = score && score->is_mate && score->value == 1;
    if (is_played && is_said) {
        c.say("mate-in-1", StepState::Ok, "e1e8, score mate 1");
        return;
    }
    std::string what = "expected e1e8 and 'score mate 1'; it played " + answer.best;
    if (!score) {
        what += " without a score";
    } else {
        what += std::string(" with score ") + (score->is_mate ? "mate " : "cp ") +
                std::to_string(score->value);
    }
    c.say("mate-in-1", StepState::Warning, what);
}

/// A position without a legal move: no match asks for it, so what is no crash is a warning.
void over(Checkup& c, std::string_view name, const std::string& fen) {
    const Quest quest{fen, "", "go depth 2", seconds(2)};
    const Answer answer = c.search(quest);
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

void mated(Checkup& c) {
    over(c, "mated", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
}

void stalemate(Checkup& c) {
    over(c, "stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
}

}  // namespace

std::vector<Act> search_acts() {
    return {
        {{"depth"}, depth},
        {{"nodes"}, nodes},
        {{"movetime"}, move_time},
        {{"clock"}, clocks},
        {{"movestogo"}, moves_to_go},
        {{"short-clock"}, short_clock},
        {{"fen"}, fen},
        {{"moves"}, black},
        {{"en-passant"}, en_passant},
        {{"castling-read", "castling-said"}, castling},
        {{"promotion-read", "promotion-said"}, promotion},
        {{"searchmoves"}, search_moves},
        {{"mate-in-1"}, mate_in_1},
        {{"mated"}, mated},
        {{"stalemate"}, stalemate},
    };
}

}  // namespace assay::adapters
