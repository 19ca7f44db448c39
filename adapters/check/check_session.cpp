// What checks of all protocols share: reporting steps, and going on after a failure. A step that
// breaks the program must not decide about those behind it, so that the program is started anew for
// the next one; but a program that breaks at each step would take a start limit each, hence the
// bound on restarts and on the total. Steps that were not reached are said too: a list without them
// would look like one that passed.
#include "adapters/check/check_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "adapters/check/check_limits.h"
#include "base/text.h"

namespace assay::adapters {

std::string time_text(Micros time) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    if (ms < 1000) return std::to_string(ms) + " ms";
    const std::string rest = std::to_string(1000 + ms % 1000);
    return std::to_string(ms / 1000) + "." + rest.substr(1, 2) + " s";
}

std::string played(const Answer& answer) {
    return answer.best + " after " + time_text(answer.took);
}

std::string did_text(std::string_view what) {
    return (what.starts_with("killed") ? "was " : "") + std::string(what);
}

void CheckSession::say(std::string_view name, StepState state, std::string text) {
    report_.steps.push_back({std::string(name), state, std::move(text)});
    if (on_step_) on_step_(report_.steps.back());
}

void CheckSession::judge(std::string_view name, std::string good, std::string bad) {
    if (bad.empty()) {
        say(name, StepState::Ok, std::move(good));
    } else {
        say(name, StepState::Fail, std::move(bad));
    }
}

void CheckSession::skip_rest(std::string_view names, const std::string& why) {
    for (const std::string_view name : split_words(names)) {
        const auto& steps = report_.steps;
        const bool was_said =
            std::any_of(steps.begin(), steps.end(),
                        [name](const ComplianceStep& step) { return step.name == name; });
        if (!was_said) say(name, StepState::Skipped, why);
    }
}

void CheckSession::skip_rest(std::string_view names) {
    skip_rest(names, "not reached" + (why_not_.empty() ? "" : ": " + why_not_));
}

bool CheckSession::start_fresh() {
    drop();
    const std::string why = restart();
    if (why.empty()) return true;
    drop();
    give_up("restarted, it gave " + why);
    return false;
}

bool CheckSession::ensure_ready() {
    if (!why_not_.empty()) return false;
    if (now() >= end_) {
        give_up("the check's " + time_text(limits_.total) + " are used up");
        return false;
    }
    if (is_ready()) return true;
    if (restarts_ == limits_.restarts) {
        give_up("it had to be restarted " + std::to_string(restarts_) + " times");
        return false;
    }
    ++restarts_;
    return start_fresh();
}

bool CheckSession::is_well(std::string_view name, std::string_view asked, const Answer& answer) {
    if (answer.trouble.empty()) return true;
    say(name, StepState::Fail,
        "expected a legal move" + std::string(asked) + "; " + answer.trouble);
    return false;
}

void CheckSession::judge_depth(std::string_view name, const Answer& answer, Micros allowed) {
    if (answer.was_stopped) {
        say(name, StepState::Warning,
            "expected an end at depth 2; it went on until stop after " + time_text(allowed));
    } else if (answer.info.depth && *answer.info.depth > 2) {
        say(name, StepState::Warning,
            "expected depth 2; it said depth " + std::to_string(*answer.info.depth));
    } else {
        say(name, StepState::Ok, played(answer));
    }
}

bool CheckSession::judge_nodes(std::string_view name, const Answer& answer, Micros allowed) {
    const std::uint64_t said = answer.info.nodes.value_or(0);
    if (answer.was_stopped || said > 20'000) {
        say(name, StepState::Warning,
            (answer.was_stopped ? "expected an end at 2000 nodes; it went on until stop after " +
                                      time_text(allowed)
                                : "expected 2000 nodes; it searched " + std::to_string(said)) +
                ": limit it by depth or time");
        return false;
    }
    say(name, StepState::Ok,
        played(answer) + (said > 0 ? ", " + std::to_string(said) + " nodes of 2000" : ""));
    return true;
}

void CheckSession::judge_time(std::string_view name, const Answer& answer, Micros allowed) {
    const Micros over = answer.took - allowed;
    const std::string what = "expected an answer within " + time_text(allowed) +
                             "; it came after " + time_text(answer.took) +
                             (answer.was_stopped ? ", when it was stopped" : "");
    if (over > kLateFail) {
        say(name, StepState::Fail, what);
    } else if (over > kLateWarning) {
        say(name, StepState::Warning, what + ": give it a margin");
    } else {
        say(name, StepState::Ok, played(answer) + " of " + time_text(allowed));
    }
}

void CheckSession::judge_repeatable(std::string_view name, const std::string& what,
                                    std::span<const Answer> answers) {
    const Answer& first = answers.front();
    const bool is_same = std::ranges::all_of(answers, [&first](const Answer& answer) {
        return answer.best == first.best && answer.info.nodes == first.info.nodes &&
               answer.info.score == first.info.score;
    });
    say(name, StepState::Note,
        what + (is_same ? " twice: the same move, score and nodes, so games can be repeated"
                        : " twice: " + first.best + " and " + answers.back().best +
                              " with different figures, so games cannot be repeated"));
}

void CheckSession::judge_end(std::string_view name, const ExitStatus& status, Micros took) {
    const bool is_clean = status.signal == 0 && status.exit_code == 0;
    say(name, is_clean ? StepState::Ok : StepState::Warning,
        is_clean ? "ended " + time_text(took) + " after quit"
                 : "expected an end with code 0 after quit; it " + did_text(text_of(status)));
}

}  // namespace assay::adapters
