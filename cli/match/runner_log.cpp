#include "cli/match/runner_log.h"

#include <ctime>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::cli {

namespace {

using Level = configs::dropin::LogSettings::Level;

/// "17:03:21.004711", local time.
std::string time_text() {
    constexpr long long kSecond = 1'000'000;
    const long long now = wall_clock_us();
    const auto seconds = static_cast<std::time_t>(now / kSecond);
    std::tm time{};
    ::localtime_r(&seconds, &time);
    return fmt::format("{:02}:{:02}:{:02}.{:06}", time.tm_hour, time.tm_min, time.tm_sec,
                       now % kSecond);
}

Level level_of(const std::string& text) {
    if (text.starts_with("Warning")) return Level::Warn;
    if (text.starts_with("Error")) return Level::Err;
    return text.starts_with("Fatal") ? Level::Fatal : Level::Info;
}

std::string_view label_of(Level level) {
    switch (level) {
        case Level::Warn:
            return "WARN";
        case Level::Err:
            return "ERR";
        case Level::Fatal:
            return "FATAL";
        default:
            return "INFO";
    }
}

}  // namespace

RunnerLog::RunnerLog(const configs::dropin::LogSettings& settings,
                     std::function<void(const std::string& reason)> on_end)
    : file_(settings.appends ? File::append(settings.file) : File::create(settings.file)),
      on_end_(std::move(on_end)),
      level_(settings.level),
      has_engines_(settings.has_engines) {}

void RunnerLog::write(std::string_view label, const std::string& text) {
    if (!on_end_) return;
    try {
        file_.write(
            fmt::format("[{:<6}] [{:>15}] <{:>20}> {}\n", label, time_text(), ::getpid(), text));
    } catch (const Error& error) {
        // Games do not depend on it. What is told is printed, which comes here again.
        std::exchange(on_end_, nullptr)(error.what());
    }
}

void RunnerLog::printed(const std::string& text) {
    const Level level = level_of(text);
    if (level < level_) return;
    write(label_of(level), "fastchess --- " + text + "\n");
}

void RunnerLog::on_line(std::string_view program, int /*pid*/, Direction direction,
                        TimePoint /*when*/, std::string_view line) {
    if (!has_engines_) return;
    const std::string said = printable_utf8(line);
    switch (direction) {
        case Direction::ToProgram:
            write("Engine", fmt::format("{} <--- {}", program, said));
            return;
        case Direction::FromProgram:
            write("Engine", fmt::format("{} ---> {}", program, said));
            return;
        case Direction::FromStderr:
            write("Engine", fmt::format("<stderr> {} ---> {}", program, said));
            return;
    }
}

}  // namespace assay::cli
