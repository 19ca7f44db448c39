#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engines/search/control.h"
#include "engines/search/time_plan.h"
#include "rules/game.h"

namespace assay::engines {

/// A `go` command.
struct GoCommand {
    Limits limits;
    ClockTold white;
    ClockTold black;
    bool ponders = false;
    bool infinite = false;
    std::vector<std::string> wrong;  // a sentence for each invalid limit
};

/// Reads the text after `go`. Unknown words are skipped. A limit without a number is 1, so that the
/// search ends; an increment without a clock is used as the clock.
[[nodiscard]] GoCommand read_go(std::string_view text, const rules::Position& position);

/// "cp 31" or "mate -4".
[[nodiscard]] std::string score_text(int value);

}  // namespace assay::engines
