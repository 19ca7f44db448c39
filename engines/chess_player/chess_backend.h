#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/chess_player/options.h"
#include "engines/uci/search_backend.h"

namespace assay::engines {

/// The chess program behind UCI.
class ChessBackend final : public SearchBackend<PlayerOptions> {
public:
    ChessBackend();
    [[nodiscard]] const rules::Game& game() const override;
    [[nodiscard]] int player_of(const rules::Position& position) const override;
    [[nodiscard]] std::vector<Line> search(const rules::Position& position, const Limits& limits,
                                           Control& control) override;

private:
    [[nodiscard]] std::optional<std::string> check(const PlayerOptions& options) const override;
    std::optional<std::string> open_log() override;

    std::unique_ptr<rules::Game> standard_;
    std::unique_ptr<rules::Game> chess960_;
};

}  // namespace assay::engines
