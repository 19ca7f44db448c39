#pragma once
#include <functional>

#include "adapters/check/compliance.h"
#include "adapters/protocol/protocol.h"

namespace assay::adapters {

/// Checks a program by its player: what every protocol has, as far as the protocol can be asked for
/// it. It sees what a match sees; what a protocol demands of single lines needs steps of its own,
/// as check_uci() has. Else as check_uci().
[[nodiscard]] ComplianceReport check_player(
    const Protocol& protocol, const ProgramSpec& spec, const ComplianceLimits& limits,
    const Clock& clock, const std::function<void(const ComplianceStep&)>& on_step);

}  // namespace assay::adapters
