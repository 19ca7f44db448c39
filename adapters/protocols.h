#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/compliance.h"
#include "adapters/process/event_loop.h"
#include "adapters/protocol/player.h"
#include "adapters/protocol/protocol.h"
#include "rules/game.h"

namespace assay::adapters {

/// All protocols there are, the default first.
[[nodiscard]] std::span<const Protocol* const> protocols();

/// Their names, blank-separated, in that order.
[[nodiscard]] std::string protocol_names();

/// The protocol of that name, or null.
[[nodiscard]] const Protocol* find_protocol(std::string_view name);

/// The same; throws Error where there is none, naming those there are. `whose`: who speaks
/// it, for the sentence: " of program 'a'", or empty.
[[nodiscard]] const Protocol& protocol_named(std::string_view name, std::string_view whose = "");

/// A hint behind "no readiness", where a program answered the greeting of `spoken`, a protocol, as
/// programs of the xboard protocol answer words that they do not know, or with a list of its
/// features. Empty where nothing in `said`, its lines, is of that kind.
[[nodiscard]] std::string other_protocol(const std::vector<std::string>& said,
                                         std::string_view spoken);

/// Checks a program by the steps of spec.protocol for this game: its own, or those that all
/// protocols and games share. Blocks until the end; see check_uci(). Throws as above. REQUIRES:
/// `game` is that of spec.game, and has no chance.
[[nodiscard]] ComplianceReport check_program(
    const ProgramSpec& spec, const rules::Game& game, const ComplianceLimits& limits,
    const Clock& clock, const std::function<void(const ComplianceStep&)>& on_step);

/// A player for spec.protocol. `listener` and `observer` (may be null) must outlive it.
/// Throws as above.
[[nodiscard]] std::unique_ptr<Player> make_player(EventLoop& loop, const ProgramSpec& spec,
                                                  PlayerListener& listener, LineObserver* observer);

}  // namespace assay::adapters
