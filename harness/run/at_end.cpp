#include "harness/run/at_end.h"

#include <algorithm>

#include "adapters/process/command.h"
#include "base/check.h"

namespace assay::harness {

namespace {

constexpr adapters::CommandLimits kAtEndLimits{std::chrono::seconds(60), 1U << 20U};

std::string replaced(std::string_view word, const AtEndValues& values) {
    std::string out;
    while (!word.empty()) {
        const std::size_t open = std::min(word.find('{'), word.size());
        out += word.substr(0, open);
        word.remove_prefix(open);
        const std::size_t close = word.find('}');
        if (close == std::string_view::npos) return out.append(word);
        const auto found =
            std::ranges::find(values, word.substr(1, close - 1), &AtEndValues::value_type::first);
        // Only the brace is skipped: '{a{run}' contains a name.
        const std::size_t taken = found == values.end() ? 1 : close + 1;
        out += found == values.end() ? word.substr(0, 1) : std::string_view(found->second);
        word.remove_prefix(taken);
    }
    return out;
}

}  // namespace

std::vector<std::string> with_values(const std::vector<std::string>& words,
                                     const AtEndValues& values) {
    std::vector<std::string> argv;
    argv.reserve(words.size());
    for (const std::string& word : words) argv.push_back(replaced(word, values));
    return argv;
}

std::optional<std::string> run_at_end(const std::vector<std::string>& argv, std::string_view input,
                                      const std::function<void(std::string_view)>& say) {
    ASSAY_CHECK(!argv.empty());
    adapters::ProgramSpec spec;
    spec.name = "at_end";
    spec.argv = argv;
    adapters::CommandRunner runner;
    const adapters::CommandEnd end = runner.run(
        spec, kAtEndLimits, [&](std::string_view bytes, bool) { say(bytes); }, input);
    if (end.is_success()) return std::nullopt;
    return argv.front() + ": " + end.reason;
}

}  // namespace assay::harness
