#pragma once
#include <string>
#include <vector>

#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

/// Reads a command line of cutechess-cli 1.5: `words` without the program's name. A refusal's text
/// is for standard error, with "Warning: " where that program says so. Pure.
[[nodiscard]] ParsedCommand parse_cutechess(const std::vector<std::string>& words,
                                            const Surroundings& surroundings);

/// True where only cutechess-cli understands the words: `assay match` takes them for its then.
[[nodiscard]] bool is_for_cutechess(const std::vector<std::string>& words);

}  // namespace assay::configs::dropin
