#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engines/search/control.h"
#include "rules/game.h"

namespace assay::engines {

/// A program behind the UCI protocol: its options and its search. All calls come from one thread.
class Backend {
public:
    /// Options in force that the loop itself needs.
    struct Settings {
        int lines = 1;  // of MultiPV
        Micros overhead{0};
    };

    virtual ~Backend() = default;

    /// The lines that answer `uci`, without "uciok".
    [[nodiscard]] virtual std::string declaration() const = 0;
    /// Sets one option, which apply_options() puts into force. nullopt, or a sentence with the
    /// mistake.
    virtual std::optional<std::string> set_option(std::string_view name,
                                                  std::string_view value) = 0;
    /// Puts the options into force if they are compatible; cheap without a change. Returns
    /// sentences for the user.
    virtual std::vector<std::string> apply_options() = 0;
    [[nodiscard]] virtual Settings settings() const = 0;
    /// The game that is played by the options in force. Lives as long as the backend.
    [[nodiscard]] virtual const rules::Game& game() const = 0;
    /// Forgets everything about earlier games.
    virtual void forget() = 0;
    /// Who moves, as far as it can be told, also where the game is over.
    [[nodiscard]] virtual int player_of(const rules::Position& position) const;
    /// REQUIRES: `position` is one of game().
    [[nodiscard]] virtual std::vector<Line> search(const rules::Position& position,
                                                   const Limits& limits, Control& control) = 0;
};

}  // namespace assay::engines
