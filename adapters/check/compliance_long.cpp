// Steps with searches that are ended by a command or need an option, and long games.
#include <algorithm>
#include <string>

#include "adapters/check/check_limits.h"
#include "adapters/check/compliance_steps.h"
#include "adapters/check/random_game.h"
#include "base/text.h"
#include "rules/make_game.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Watches a search that must not end by itself. False, after a failed step, where it did.
bool goes_on(Checkup& c, std::string_view name, const SearchTask& task) {
    const bool is_early = c.answers_early(kPatience);
    if (!is_early && c.talk().trouble().empty()) return true;
    if (is_early) {
        c.say(name, StepState::Fail,
              "expected no bestmove to '" + std::string(task.go) +
                  "' before it is told; it came at once");
    } else {
        c.say(name, StepState::Fail, "expected a search; it " + c.talk().trouble());
    }
    return false;
}

void answer_to_stop(Checkup& c, std::string_view name, const SearchTask& task) {
    const TimePoint since = c.now();
    c.talk().send("stop\n");
    const Answer answer = c.await(task, since);
    if (!answer.trouble.empty()) {
        c.say(name, StepState::Fail, "expected a legal move after stop; " + answer.trouble);
    } else if (answer.was_stopped || answer.took > kStopTime) {
        c.say(name, StepState::Fail,
              "expected an answer to stop within 1.00 s; it came after " + time_text(answer.took));
    } else {
        c.say(name, StepState::Ok, answer.best + " " + time_text(answer.took) + " after stop");
    }
}

void infinite(Checkup& c, const CheckStep& /*step*/) {
    const SearchTask task{"", "", "go infinite", kStopTime};
    c.begin(task);
    if (!goes_on(c, "infinite", task)) return;
    c.say("infinite", StepState::Ok, "it searched until it was told to stop");
    const TimePoint since = c.now();
    const std::string why = c.ping({}, seconds(2));
    c.judge("isready-in-search", "readyok after " + time_text(micros_between(since, c.now())),
            why.empty() ? "" : "expected readyok while it searches; " + why);
    c.drop_if_broken();
    if (!c.has_talk()) return;
    answer_to_stop(c, "stop", task);
    // The readyok that is owed would be taken for the answer to a later isready.
    if (!why.empty()) static_cast<void>(c.start_fresh());
}

void ponder(Checkup& c, const CheckStep& step) {
    const UciOption* const option = c.option("Ponder");
    if (option == nullptr) {
        c.skip_rest(step.names, "it has no option Ponder");
        return;
    }
    const std::string ready = c.ping(setoption_line(option, "Ponder", "true"));
    const SearchTask task{"", "e2e4 e7e5", "go ponder wtime 1500 btime 1500", milliseconds(1500)};
    c.begin(task);
    if (!ready.empty() || !goes_on(c, "ponder", task)) {
        c.drop();
        return;
    }
    c.say("ponder", StepState::Ok, "it searched until it was told of the move");
    const TimePoint since = c.now();
    c.talk().send("ponderhit\n");
    const Answer answer = c.await(task, since);
    const bool is_late = answer.was_stopped || answer.took > task.allowed;
    std::string bad = answer.trouble.empty() && is_late ? "it came after " + time_text(answer.took)
                                                        : answer.trouble;
    if (!bad.empty()) bad = "expected a legal move within 1.50 s of ponderhit; " + bad;
    c.judge("ponderhit", answer.best + " " + time_text(answer.took) + " after ponderhit", bad);
    if (!c.ensure_ready()) return;
    c.begin(task);
    if (!goes_on(c, "ponder-stop", task)) {
        c.drop();
        return;
    }
    answer_to_stop(c, "ponder-stop", task);
    if (!c.has_talk()) return;
    if (!c.ping(setoption_line(option, "Ponder", "false")).empty()) c.drop();
}

void multipv(Checkup& c, const CheckStep& /*step*/) {
    const UciOption* const option = c.option("MultiPV");
    if (option == nullptr || option->max.value_or(3) < 3) {
        c.say("multipv", StepState::Skipped, "it has no option MultiPV");
        return;
    }
    std::string why = c.ping(setoption_line(option, "MultiPV", "3"));
    if (why.empty()) {
        const SearchTask task{.go = "go depth 4"};
        const Answer answer = c.search(task);
        why = answer.trouble;
        if (why.empty() && answer.most_lines != 3) {
            why = "the highest multipv was " + std::to_string(answer.most_lines);
        }
    }
    c.judge("multipv", "3 lines were said", why.empty() ? "" : "expected 3 lines; " + why);
    if (c.has_talk() && !c.ping(setoption_line(option, "MultiPV", "1")).empty()) c.drop();
}

void chess960(Checkup& c, const CheckStep& step) {
    const UciOption* const option = c.option("UCI_Chess960");
    if (option == nullptr) {
        c.skip_rest(step.names, "it has no option UCI_Chess960");
        return;
    }
    const std::string why = c.ping(setoption_line(option, "UCI_Chess960", "true") + "ucinewgame\n");
    c.set_chess960(true);
    SearchTask task{"1k1r4/pppp4/8/8/8/8/4PPPP/4NKRB w G - 0 1", "f1g1", "go depth 2"};
    if (why.empty()) {
        const Answer read = c.search(task);
        c.judge("chess960-read", "castling f1g1, king takes rook, was understood",
                read.trouble.empty() ? "" : "expected a legal move after f1g1; " + read.trouble);
    }
    if (why.empty() && c.has_talk()) {
        task.moves = "";
        task.go = "go depth 2 searchmoves f1g1";
        const Answer said = c.search(task);
        if (!said.trouble.empty()) {
            c.say("chess960-said", StepState::Fail,
                  "expected f1g1, the only one of searchmoves; " + said.trouble);
        } else if (said.best != "f1g1") {
            c.say("chess960-said", StepState::Warning,
                  "expected f1g1, the only one of searchmoves; it played " + said.best);
        } else {
            c.say("chess960-said", StepState::Ok, "castling is f1g1, king takes rook");
        }
    }
    c.set_chess960(c.spec().game == "chess960");
    if (!c.has_talk()) return;
    const char* const after = c.spec().game == "chess960" ? "true" : "false";
    if (!c.ping(setoption_line(option, "UCI_Chess960", after) + "ucinewgame\n").empty()) c.drop();
}

void long_games(Checkup& c, const CheckStep& /*step*/) {
    const std::string moves = random_game(*rules::make_game("chess"), kLongGame);
    const SearchTask task{.moves = moves};
    const Answer answer = c.search(task);
    c.judge("long-game", answer.best + " after " + std::to_string(kLongGame) + " plies",
            answer.trouble.empty() ? ""
                                   : "expected a legal move after a game of " +
                                         std::to_string(kLongGame) + " plies; " + answer.trouble);
}

void determinism(Checkup& c, const CheckStep& /*step*/) {
    if (!c.keeps_to_nodes) {
        c.say("repeatable", StepState::Skipped, "it does not keep to go nodes");
        return;
    }
    const SearchTask task{"", "d2d4 g8f6 c2c4", "go nodes 5000", seconds(3)};
    std::vector<Answer> answers;
    for (int i = 0; i < 2; ++i) {
        if (!c.start_fresh()) return;
        answers.push_back(c.search(task));
        if (!c.is_well("repeatable", " to 'go nodes 5000'", answers.back())) return;
    }
    c.judge_repeatable("repeatable", "go nodes 5000", answers);
}

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr CheckStep kLongSteps[] = {
    {.names = "infinite isready-in-search stop", .run = infinite},
    {.names = "ponder ponderhit ponder-stop", .run = ponder},
    {.names = "multipv", .run = multipv},
    {.names = "chess960-read chess960-said", .run = chess960},
    {.names = "long-game", .run = long_games},
    {.names = "repeatable", .run = determinism},
};

}  // namespace

std::span<const CheckStep> long_search_steps() {
    return kLongSteps;
}

}  // namespace assay::adapters
