#pragma once
#include <string>

#include "configs/dropin/runner_settings.h"

namespace assay::cli {

struct MatchOptions {
    std::string store;  // empty: one that goes with the match, unless it was interrupted
    bool resume = false;
    std::string events;        // file of JSON lines; empty: none
    std::string log_dir;       // protocol lines; empty: none
    std::string called_as;     // for the line that says how to go on
    std::string command_line;  // as it was typed
};

/// Does what the command line asks, in the runner's streams. Returns its exit code.
[[nodiscard]] int run_match(configs::dropin::Runner runner,
                            const configs::dropin::ParsedCommand& command,
                            const configs::dropin::Surroundings& surroundings,
                            const MatchOptions& options);

}  // namespace assay::cli
