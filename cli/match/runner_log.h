#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "adapters/protocol/player.h"
#include "base/file.h"
#include "configs/dropin/runner_settings.h"

namespace assay::cli {

/// The file of fastchess's -log: what is printed, from a level on, and with `engine=true` what
/// engines are told and say, each line as that program writes it. Every line is in the file at
/// once. A line that cannot be written (the disk is full) is told of, and is the last. One thread.
class RunnerLog final : public adapters::LineObserver {
public:
    /// Throws Error where the file cannot be opened. REQUIRES: settings.file is not empty.
    RunnerLog(const configs::dropin::LogSettings& settings,
              std::function<void(const std::string& reason)> on_end);

    /// A text that was printed; its level is that of its first word.
    void printed(const std::string& text);

    void on_line(std::string_view program, int pid, Direction direction, TimePoint when,
                 std::string_view line) override;

private:
    void write(std::string_view label, const std::string& text);

    File file_;
    std::function<void(const std::string& reason)> on_end_;  // empty: has been told
    configs::dropin::LogSettings::Level level_;
    bool has_engines_;
};

}  // namespace assay::cli
