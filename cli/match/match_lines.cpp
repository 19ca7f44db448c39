#include "cli/match/match_lines.h"

#include <algorithm>
#include <cstdint>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/dropin/runner_words.h"

namespace assay::cli {

LineOutput::LineOutput() : queue_(STDOUT_FILENO, kMostBytes) {}

void LineOutput::line(const std::string& text) {
    if (log_ != nullptr) log_->printed(text);
    // A knockout's tree stands behind tabs.
    const auto shown = [](std::string_view line) {
        const std::size_t begin = std::min(line.find_first_not_of('\t'), line.size());
        return std::string(begin, '\t') + reports::dropin::ascii_text(line.substr(begin));
    };
    (void)queue_.put(each_line(text, "\n", shown) + "\n");
}

void EngineLines::on_line(std::string_view program, int pid, Direction direction, TimePoint when,
                          std::string_view line) {
    if (direction == Direction::FromStderr) return;
    const int number = number_of(program, pid);
    const auto ms = std::max<std::int64_t>(0, micros_between(began_, when).count() / 1000);
    print_(fmt::format("{} {}{}({}): {}", ms, direction == Direction::ToProgram ? '>' : '<',
                       program, number, printable_utf8(line)));
}

int EngineLines::number_of(std::string_view program, int pid) {
    if (const auto known = numbers_.find(pid); known != numbers_.end()) return known->second;
    const auto place = expected_.find(std::string(program));
    const int number = place == expected_.end() ? next_++ : place->second;
    if (place != expected_.end()) expected_.erase(place);
    return numbers_[pid] = number;
}

}  // namespace assay::cli
