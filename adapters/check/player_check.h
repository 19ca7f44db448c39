#pragma once
#include <functional>

#include "adapters/check/compliance.h"
#include "adapters/protocol/protocol.h"
#include "rules/game.h"

namespace assay::adapters {

/// Checks a program through its player, by steps that apply to every protocol; those that need a
/// capability which the protocol lacks are skipped. It sees what a match sees; what a protocol
/// demands of single lines needs steps of its own, as in check_uci(). In all else like check_uci().
/// REQUIRES: `game` is that of spec.game, and has no chance.
[[nodiscard]] ComplianceReport check_player(
    const Protocol& protocol, const ProgramSpec& spec, const rules::Game& game,
    const ComplianceLimits& limits, const Clock& clock,
    const std::function<void(const ComplianceStep&)>& on_step);

}  // namespace assay::adapters
