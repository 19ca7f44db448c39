// Openings of random moves. A paired match needs openings that differ from one another, and a game
// for which nobody has made a book has none; a few random plies spread the games over the first
// positions at no cost. They are no substitute for a book where there is one: uniform moves give
// lopsided positions more often than play does, and such pairs are often split and say little.
//
// A move that ends the game is left out where it is drawn, because an opening must leave something
// to play. Where no other move is left, the whole line is drawn anew: going back only one ply would
// prefer lines near the dead end. The first drawing nearly always succeeds, so that the cost is
// that of listing the moves of `plies` positions.
#include "openings/random_opening.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/random.h"

namespace assay::openings {

namespace {

constexpr int kDrawings = 100;

/// Draws one line; nullopt where it comes to an end.
class Drawing {
public:
    Drawing(const rules::Game& game, std::uint64_t word) : random_(word) {
        const int starts = game.info().start_positions;
        if (starts > 1) {
            const auto number = random_.below(static_cast<std::uint64_t>(starts));
            opening_.start = game.start_text(static_cast<int>(number));
        }
        position_ = opening_.start.empty() ? game.start() : game.parse(opening_.start);
    }

    [[nodiscard]] std::optional<Opening> draw(int plies) {
        if (!draw_events()) return std::nullopt;
        for (int ply = 0; ply < plies; ++ply) {
            if (!draw_move() || !draw_events()) return std::nullopt;
        }
        return std::move(opening_);
    }

private:
    /// Up to the next player's turn; false where the game is over.
    [[nodiscard]] bool draw_events() {
        while (position_->to_move() == rules::kChance) {
            make(rules::drawn_event(*position_, random_()));
        }
        return !position_->result();
    }

    [[nodiscard]] bool draw_move() {
        position_->moves(moves_);
        while (!moves_.empty()) {
            const auto at = static_cast<std::ptrdiff_t>(random_.below(moves_.size()));
            const rules::Move move = moves_[static_cast<std::size_t>(at)];
            position_->make(move);
            const bool ends_game = position_->result().has_value();
            position_->undo();
            if (!ends_game) {
                make(move);
                return true;
            }
            moves_.erase(moves_.begin() + at);
        }
        return false;
    }

    void make(rules::Move move) {
        opening_.moves.push_back(position_->name_of(move, rules::Notation::Canonical));
        position_->make(move);
    }

    Random random_;
    Opening opening_;
    std::unique_ptr<rules::Position> position_;
    std::vector<rules::Move> moves_;
};

}  // namespace

Opening random_opening(const rules::Game& game, int plies, std::uint64_t seed,
                       std::uint64_t number) {
    const std::uint64_t word = mix64(seed, number);
    for (std::uint64_t drawing = 0; drawing < kDrawings; ++drawing) {
        std::optional<Opening> opening = Drawing(game, mix64(word, drawing)).draw(plies);
        if (!opening) continue;
        opening->index = number;
        opening->label = fmt::format("random opening {}", number + 1);
        return std::move(*opening);
    }
    throw Error(fmt::format(
        "no random opening of {} plies was found for {} in {} drawings: its games are over before "
        "that; ask for fewer plies",
        plies, game.name(), kDrawings));
}

}  // namespace assay::openings
