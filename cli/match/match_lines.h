#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "base/output_queue.h"
#include "cli/match/runner_log.h"

namespace assay::cli {

/// Lines to standard output, each as soon as it is known, in the one order. Workers take any byte
/// that is no ASCII for a broken stream.
class LineOutput {
public:
    LineOutput();

    /// One or several, without the last line end.
    void line(const std::string& text);

    /// Lines go there too; it lives until `nullptr` or another one is given.
    void log_to(RunnerLog* log) { log_ = log; }

    void finish() { (void)queue_.drain(); }

    /// Nobody reads any more.
    [[nodiscard]] bool is_broken() const { return queue_.error() != 0; }

private:
    /// As good as without a limit: no line may be missing.
    static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

    OutputQueue queue_;
    RunnerLog* log_ = nullptr;
};

/// What engines are told and say, as cutechess-cli's -debug prints it: behind the milliseconds of
/// the match, `>` to the engine or `<` from it, its name, and a number that is its process's.
class EngineLines final : public adapters::LineObserver {
public:
    explicit EngineLines(std::function<void(const std::string& line)> print)
        : print_(std::move(print)) {}

    /// The first process of each gets its place here, whichever says something first.
    void expect(const std::vector<std::string>& programs) {
        for (const std::string& program : programs) expected_.emplace(program, next_++);
    }

    void on_line(std::string_view program, int pid, Direction direction, TimePoint when,
                 std::string_view line) override;

private:
    int number_of(std::string_view program, int pid);

    std::function<void(const std::string& line)> print_;
    TimePoint began_ = SteadyClock().now();
    std::map<int, int> numbers_;           // by process
    std::map<std::string, int> expected_;  // by program of which no process has said anything
    int next_ = 0;
};

}  // namespace assay::cli
