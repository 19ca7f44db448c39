// Steps about the end of the program, and about all lines that it wrote during the check.
#include <string>

#include "adapters/check/check_limits.h"
#include "adapters/check/compliance_steps.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;

constexpr int kManyAnswers = 1000;

void left_behind(Checkup& c) {
    const int left = c.notes().left_behind;
    c.judge("left-behind", "no process was left behind",
            left == 0 ? ""
                      : "expected no process after its end; " + std::to_string(left) + " " +
                            std::string(plural(left, "was", "were")) + " left behind");
}

void quit(Checkup& c, const CheckStep& /*step*/) {
    const TimePoint since = c.now();
    c.talk().send("quit\n");
    Talk& talk = c.talk();
    const bool is_in_time = talk.ends_within(kEndTime);
    if (is_in_time) {
        c.judge_end("quit", talk.exit_status(), micros_between(since, c.now()));
    } else {
        std::string what = "expected an end within 1.00 s of quit; it is still there";
        talk.terminate();
        if (!talk.ends_within(kEndTime)) what += ", also 1.00 s after SIGTERM";
        c.say("quit", StepState::Fail, what);
    }
    const int lines = talk.lines_dropped();
    c.say("silent-end", lines == 0 ? StepState::Ok : StepState::Warning,
          lines == 0 ? "nothing was written after quit"
                     : "expected no output after quit; it wrote " + counted(lines, "line"));
    c.drop();
}

void quit_in_search(Checkup& c, const CheckStep& /*step*/) {
    if (!c.start_fresh()) return;
    c.talk().send("position startpos\ngo infinite\n");
    static_cast<void>(c.answers_early(milliseconds(100)));
    c.talk().send("quit\n");
    const bool is_in_time = c.talk().ends_within(kEndTime);
    c.judge(
        "quit-in-search", "quit ended it in a search",
        is_in_time ? "" : "expected an end within 1.00 s of quit in a search; " + c.talk().state());
    c.drop();
}

void end_of_input(Checkup& c, const CheckStep& /*step*/) {
    if (!c.start_fresh()) return;
    c.talk().close_input();
    const bool is_in_time = c.talk().ends_within(kEndTime);
    c.say("end-of-input", is_in_time ? StepState::Ok : StepState::Warning,
          is_in_time
              ? "ended when its input was closed"
              : "expected an end within 1.00 s of the end of its input; " + c.talk().state());
    c.drop();
}

void note(Checkup& c, std::string_view name, StepState odd, const std::string& text,
          std::string_view expected, std::string_view good) {
    if (text.empty()) {
        c.say(name, StepState::Ok, std::string(good));
    } else {
        c.say(name, odd, "expected " + std::string(expected) + "; " + text);
    }
}

void stream(Checkup& c, const CheckStep& /*step*/) {
    if (!c.has_searched) return;
    left_behind(c);
    const StreamNotes& notes = c.notes();
    note(c, "info", StepState::Fail, notes.info, "well-formed info lines",
         "all info lines were well-formed");
    note(c, "info-string", StepState::Warning,
         notes.fake_info.empty() ? "" : "it said '" + notes.fake_info + "'",
         "no score in an info string, which careless readers take for one",
         "no info string reads like a score");
    const int surplus = notes.surplus_answers;
    c.judge("one-answer", "one bestmove to each go",
            surplus == 0 ? ""
                         : "expected one bestmove to each go; " +
                               (surplus < kManyAnswers ? std::to_string(surplus) : "very many") +
                               " more came");
    note(c, "line-ends", StepState::Warning, notes.line_end, "lines that end with LF",
         "lines end with LF");
    note(c, "text", StepState::Warning, notes.bytes, "text", "all lines were text");
    note(c, "line-length", StepState::Warning, notes.long_line, "lines of at most 64 KiB",
         "no line was longer than 64 KiB");
    note(c, "whole-lines", StepState::Warning, notes.slow_line,
         "whole lines, flushed at their ends", "lines came whole");
    note(c, "standard-error", StepState::Warning,
         notes.errors.empty() ? "" : "it said '" + notes.errors + "'", "nothing on standard error",
         "nothing on standard error");
    c.say("memory", StepState::Note,
          "grew by " + std::to_string(notes.most_memory >> 20U) + " MiB while it played");
}

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr CheckStep kEndSteps[] = {
    {.names = "quit silent-end", .run = quit},
    {.names = "quit-in-search", .run = quit_in_search},
    {.names = "end-of-input", .run = end_of_input},
    {.names = "left-behind info info-string one-answer line-ends text line-length whole-lines "
              "standard-error memory",
     .run = stream,
     .needs_ready = false},
};

}  // namespace

std::span<const CheckStep> end_steps() {
    return kEndSteps;
}

}  // namespace assay::adapters
