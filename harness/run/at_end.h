#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::harness {

/// What the words of `at_end` may name in braces, and the text that stands for it.
using AtEndValues = std::vector<std::pair<std::string, std::string>>;

/// The words with each {name} that there is a value for replaced; all else stays as it is.
[[nodiscard]] std::vector<std::string> with_values(const std::vector<std::string>& words,
                                                   const AtEndValues& values);

/// Runs the program to its end, for a minute at most, with `input` as its standard input. What it
/// says, from either stream, goes to `say`. Returns why it failed, or nullopt. REQUIRES: argv is
/// not empty, and SIGPIPE is ignored.
[[nodiscard]] std::optional<std::string> run_at_end(
    const std::vector<std::string>& argv, std::string_view input,
    const std::function<void(std::string_view)>& say);

}  // namespace assay::harness
