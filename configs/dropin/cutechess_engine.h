#pragma once
#include <string>
#include <vector>

#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

/// Throws BadWord with the text as cutechess-cli warns.
[[noreturn]] void warn_of(const std::string& text);

/// Reads what stands behind -engine or -each. What assay does not have is added to `refused`.
/// Throws BadWord.
void read_cutechess_engine(const std::vector<std::string>& words, const Surroundings& surroundings,
                           EngineSettings& engine, std::vector<std::string>& refused);

/// The names in the list of engines that cutechess keeps, one a line.
[[nodiscard]] std::string cutechess_engine_names(const Surroundings& surroundings);

}  // namespace assay::configs::dropin
