#pragma once
#include <string>
#include <vector>

#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

/// Reads a command line of fastchess 1.8.2: `words` without the program's name. Errors and messages
/// are in its words. Pure.
[[nodiscard]] ParsedCommand parse_fastchess(const std::vector<std::string>& words,
                                            const Surroundings& surroundings);

/// Corrects the settings as fastchess does once all flags are read, with what it says then. Throws
/// BadWord where it refuses them.
void correct_fastchess(RunnerSettings& settings, std::vector<Message>& messages,
                       const Surroundings& surroundings);

/// The time control of `tc=`. Throws BadWord.
void read_fastchess_clock(const std::string& text, EngineLimits& limits);

}  // namespace assay::configs::dropin
