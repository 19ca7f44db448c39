#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/game_player/game_options.h"
#include "engines/game_player/piece_worths.h"
#include "engines/search/game_state.h"
#include "engines/uci/search_backend.h"

namespace assay::engines {

/// A player of any game of one or two players without chance, behind UCI.
class GameBackend final : public SearchBackend<GameOptions> {
public:
    /// Throws Error for a game that it does not play.
    explicit GameBackend(std::unique_ptr<rules::Game> game);

    [[nodiscard]] const rules::Game& game() const override { return *game_; }

    [[nodiscard]] std::vector<Line> search(const rules::Position& position, const Limits& limits,
                                           Control& control) override;

private:
    [[nodiscard]] std::optional<std::string> check(const GameOptions& options) const override;
    std::optional<std::string> open_log() override;

    std::unique_ptr<rules::Game> game_;
    bool has_quiet_ = true;              // of has_quiet_moves()
    std::optional<PieceWorths> learnt_;  // at the first search that needs it
    MoveNames names_;                    // of the moves in the log
};

}  // namespace assay::engines
