#include "adapters/check/compliance.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/process/process.h"

using assay::SteadyClock;
using assay::adapters::check_uci;
using assay::adapters::ComplianceLimits;
using assay::adapters::ComplianceReport;
using assay::adapters::ComplianceStep;
using assay::adapters::ProgramSpec;
using assay::adapters::StepState;

namespace {

ComplianceReport report_on(std::vector<std::string> argv, const ComplianceLimits& limits = {}) {
    ProgramSpec spec;
    spec.name = argv.front();
    spec.argv = std::move(argv);
    const SteadyClock clock;
    return check_uci(spec, limits, clock, {});
}

ComplianceStep step_of(const ComplianceReport& report, const std::string& name) {
    const auto found =
        std::find_if(report.steps.begin(), report.steps.end(),
                     [&name](const ComplianceStep& step) { return step.name == name; });
    return found == report.steps.end() ? ComplianceStep{"missing", StepState::Skipped, {}} : *found;
}

std::string text_of(const ComplianceReport& report) {
    std::string text;
    for (const ComplianceStep& step : report.steps) {
        if (step.state == StepState::Ok) continue;
        text += std::string(name_of(step.state)) + " " + step.name + ": " + step.text + "\n";
    }
    return text;
}

/// The step that a sin must be found at, and words of what is said about it.
struct Sin {
    std::string name;
    std::string step;
    StepState state;
    std::string words;
    std::string other_step = {};  // that shows it too
};

std::vector<Sin> table() {
    constexpr StepState kFail = StepState::Fail;
    constexpr StepState kWarning = StepState::Warning;
    return {
        {"exit-at-once", "handshake", kFail, "exited with code 0 in place of uciok"},
        {"no-uciok", "handshake", kFail, "no uciok within"},
        {"late-uciok", "handshake", kWarning, "uciok came only after"},
        {"two-uciok", "uciok-once", kFail, "expected one uciok; it said 2"},
        {"early-uciok", "uciok-once", kFail, "option UCI_Chess960 came after it"},
        {"white-scores", "score-view", kFail, "it said cp -900: scores must be from the mover's"},
        {"no-readyok", "isready", kFail, "no readyok within"},
        {"exit", "movetime", kFail, "exited with code 3"},
        {"abort", "movetime", kFail, "killed by signal 6"},
        {"stop", "movetime", kFail, "it is stopped as if by SIGSTOP"},
        {"deaf", "movetime", kFail, "within 1.00 s; it waits"},
        {"chatter", "movetime", kFail, "KiB of other lines"},
        {"slow-bytes", "whole-lines", kWarning, "came in pieces over"},
        {"flood", "movetime", kFail, "64 MiB without a line end"},
        {"flood-lines", "movetime", kFail, "MiB"},
        {"illegal-move", "movetime", kFail, "the illegal move a1a1"},
        {"none-move", "movetime", kFail, "bestmove (none) although there are 20 legal moves"},
        {"blank-move", "movetime", kFail, "names no move"},
        {"null-move", "movetime", kFail, "bestmove 0000 although"},
        {"upper-move", "movetime", kFail, "small letters"},
        {"two-bestmoves", "one-answer", kFail, "1 more came"},
        {"late-bestmove", "movetime", kFail, "it came after"},
        {"broken-info", "info", kFail, "no value after 'seldepth'"},
        {"overflow-info", "info", kFail, "a number beyond its range"},
        {"string-info", "info-string", kWarning, "it said 'string score cp 900 pv a1a1'"},
        {"binary", "text", kWarning, "a NUL byte"},
        {"crlf", "line-ends", kWarning, "ends with CR LF"},
        {"stderr-inside", "standard-error", kWarning, "it said 'warning:'"},
        {"closed-stdout", "movetime", kFail, "closed its standard output"},
        {"closed-stdin", "movetime", kFail, "closed its standard input"},
        {"ignores-quit", "quit", kFail, "it is still there"},
        {"ignores-term", "quit", kFail, "also 1.00 s after SIGTERM"},
        {"grandchild", "movetime", kFail, "exited with code 0", "left-behind"},
        {"daemon", "left-behind", kFail, "1 was left behind"},
        {"eats-memory", "movetime", kFail, "more than 1 GiB"},
        {"long-line", "line-length", kWarning, "a line of 10000012 bytes"},
        {"abort-between", "ucinewgame", kFail, "killed by signal 6"},
        {"many-options", "handshake", kFail, "of lines without an answer in place of uciok"},
        {"abort-at-stop", "stray-stop", kFail, "killed by signal 6 in place of readyok"},
        {"joins-group", "quit", kFail, "it is still there"},
        {"late-move", "one-answer", kFail, "more came"},
        {"win-claim", "movetime", kFail, "the illegal move win"},
    };
}

ComplianceReport report_on_sin(const std::string& sin) {
    ComplianceLimits limits;
    limits.restarts = 0;
    // Both longer than the delay of late-uciok, which must not be taken for none.
    const bool is_silent = sin.starts_with("no-");
    limits.handshake = std::chrono::milliseconds(is_silent ? 500 : 120000);
    // On a busy machine these need their time until they are caught; others would use all of it up.
    const bool is_at_work = sin == "eats-memory" || sin == "flood";
    if (is_at_work) limits.stop = std::chrono::minutes(1);
    std::vector<std::string> argv{ASSAY_BINARY_DIR "/tests/engines/misbehave"};
    if (!sin.empty()) argv.insert(argv.end(), {"--sin", sin, "--delay", "2500"});
    return report_on(argv, limits);
}

bool shows(const ComplianceReport& report, const Sin& sin) {
    const ComplianceStep step = step_of(report, sin.step);
    const bool is_shown_twice =
        sin.other_step.empty() || step_of(report, sin.other_step).state == StepState::Fail;
    return step.state == sin.state && step.text.find(sin.words) != std::string::npos &&
           is_shown_twice;
}

/// The program without a sin passes. The check's limits are of a machine with time for it: on a
/// busy one a program may be too late, and is asked again.
bool is_clean_found_clean(const std::vector<Sin>& sins) {
    for (int attempt = 0; attempt < 10; ++attempt) {
        const ComplianceReport clean = report_on_sin("");
        const bool is_ok = std::all_of(sins.begin(), sins.end(), [&clean](const Sin& sin) {
            return step_of(clean, sin.step).state == StepState::Ok;
        });
        if (is_ok) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("Compliance: each sin is found at the step meant for it, and told apart by its words") {
    const std::vector<Sin> sins = table();
    CHECK(is_clean_found_clean(sins));
    std::vector<std::future<ComplianceReport>> reports(sins.size());
    constexpr std::size_t kSideBySide = 6;  // most of them only wait
    for (std::size_t i = 0; i < sins.size() + kSideBySide; ++i) {
        if (i < sins.size()) {
            reports[i] = std::async(std::launch::async, report_on_sin, sins[i].name);
        }
        if (i < kSideBySide) continue;
        const Sin& sin = sins[i - kSideBySide];
        ComplianceReport report = reports[i - kSideBySide].get();
        for (int again = 0; again < 10 && !shows(report, sin); ++again)
            report = report_on_sin(sin.name);
        CAPTURE(sin.name);
        CAPTURE(text_of(report));
        CHECK(shows(report, sin));
    }
}

TEST_CASE("Compliance: every sin of misbehave is in the table") {
    const std::string command = ASSAY_BINARY_DIR "/tests/engines/misbehave --list";
    const std::unique_ptr<FILE, int (*)(FILE*)> list(::popen(command.c_str(), "r"), &::pclose);
    REQUIRE(list);
    const std::vector<Sin> sins = table();
    std::array<char, 256> line{};
    int count = 0;
    while (std::fgets(line.data(), static_cast<int>(line.size()), list.get()) != nullptr) {
        const std::string text = line.data();
        const std::string name = text.substr(0, text.find(' '));
        CAPTURE(name);
        // Sins of whole games, which a check does not play, and one that ends with the event loop.
        const bool is_of_games = name == "mate-scores" || name == "old-move" || name == "escape";
        const bool is_listed = std::any_of(sins.begin(), sins.end(),
                                           [&name](const Sin& sin) { return sin.name == name; });
        CHECK(is_listed != is_of_games);
        ++count;
    }
    CHECK(count > 30);
}

TEST_CASE("Compliance: stockfish passes") {
    const std::string program = "/usr/games/stockfish";
    if (::access(program.c_str(), X_OK) != 0) {
        MESSAGE("not installed: " << program);
        return;
    }
    const ComplianceReport report = report_on({program});
    CAPTURE(text_of(report));
    CHECK(report.passed());
    CHECK(report.steps.size() >= 50);
    CHECK(report.identity.name.find("Stockfish") == 0);
}

TEST_CASE("Compliance: flaws of a line of moves are named, also those of a mate") {
    const auto steps_of = [](const std::string& line) {
        return report_on(
            {ASSAY_BINARY_DIR "/tests/engines/misbehave", "--at", "0", "--line", line});
    };
    const ComplianceReport illegal = steps_of("depth 1 score cp 0 pv a1a1");
    CHECK(step_of(illegal, "pv").state == StepState::Warning);
    CHECK(step_of(illegal, "pv").text.find("has an illegal move (a1a1)") != std::string::npos);
    const ComplianceReport short_mate = steps_of("depth 1 score mate 2 pv f6f7");
    CHECK(step_of(short_mate, "mate-pv").state == StepState::Warning);
    CHECK(step_of(short_mate, "mate-pv").text.find("is shorter than the mate") !=
          std::string::npos);
    const ComplianceReport none = steps_of("depth 1 score cp 0");
    CHECK(step_of(none, "pv").state == StepState::Skipped);
}

TEST_CASE("Compliance: a score of the wrong side fails from a pawn on, and a mate always") {
    const auto state_with = [](const std::string& line) {
        return step_of(report_on({ASSAY_BINARY_DIR "/tests/engines/misbehave", "--at", "0",
                                  "--line", "depth 1 score " + line}),
                       "score-view")
            .state;
    };
    CHECK(state_with("mate -3") == StepState::Fail);
    CHECK(state_with("mate 3") == StepState::Ok);
    CHECK(state_with("cp -100") == StepState::Fail);
    CHECK(state_with("cp -99") == StepState::Warning);
}

TEST_CASE("Compliance: bad defaults and habits of real programs are named") {
    struct Habit {
        std::vector<std::string> argv;
        std::string step;
        std::string words;
    };

    const std::vector<Habit> habits{
        {{"/usr/games/toga2"}, "match-defaults", "set OwnBook=false"},
        {{"/usr/games/toga2"}, "nodes", "limit it by depth or time"},
        {{"/usr/games/gnuchess", "--uci"}, "match-defaults", "set OwnBook=false"},
        {{"/usr/games/gnuchess", "--uci"}, "nodes", "limit it by depth or time"},
        {{"/usr/games/glaurung"}, "match-defaults", "set Threads=1"},
        {{"/usr/games/glaurung"}, "match-defaults", "set Ponder=false"},
        {{"/usr/games/gnuchess"}, "handshake", "gnuchess wants --uci"},
    };
    std::map<std::vector<std::string>, std::shared_future<ComplianceReport>> reports;
    ComplianceLimits limits;
    limits.handshake = std::chrono::seconds(3);
    for (const Habit& habit : habits) {
        if (reports.contains(habit.argv)) continue;
        reports[habit.argv] = std::async(std::launch::async, report_on, habit.argv, limits).share();
    }
    for (const Habit& habit : habits) {
        const ComplianceReport& report = reports.at(habit.argv).get();
        if (!report.start_failure.empty()) {
            MESSAGE("not installed: " << habit.argv[0]);
            continue;
        }
        CAPTURE(habit.argv[0]);
        CAPTURE(text_of(report));
        CHECK(step_of(report, habit.step).text.find(habit.words) != std::string::npos);
    }
}

TEST_CASE("Compliance: a program that cannot be executed has no steps but a reason") {
    const ComplianceReport report = report_on({"/no/such/program"});
    CHECK(report.steps.empty());
    CHECK_FALSE(report.passed());
    CHECK(report.start_failure.find("No such file or directory") != std::string::npos);
}

TEST_CASE("Compliance: when the total time is used up the rest is skipped with that reason") {
    ComplianceLimits limits;
    limits.total = assay::Micros(0);
    const ComplianceReport report =
        report_on({ASSAY_BINARY_DIR "/tests/engines/misbehave"}, limits);
    const ComplianceStep step = step_of(report, "depth");
    CHECK(step.state == StepState::Skipped);
    CHECK(step.text == "not reached: the check's 0 ms are used up");
}
