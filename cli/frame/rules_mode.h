#pragma once
#include <string>

#include "cli/frame/command.h"

namespace assay::cli {

/// Adds --rules, which says whether files of rules are compiled. `mode` outlives the command.
Option* add_rules_mode(Command& command, std::string& mode);

/// From now on games are made as `mode` says: auto, compiled or interpreted. That rules cannot be
/// compiled is said on standard error, once for each game.
void use_rules_mode(const std::string& mode);

}  // namespace assay::cli
