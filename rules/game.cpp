// What all games share: scores, the words of endings, and defaults of the interface. Scores are
// shares of one point, so that they sum to 1 in a game of any number of players: a winner has all
// of it, a draw is equal shares, and a player who loses by its own fault leaves its share to the
// others. Nobody can gain by a fault of a third player more than by winning.
#include "rules/game.h"

#include <algorithm>

#include "base/check.h"
#include "rules/tablebase.h"

namespace assay::rules {

int Scores::winner() const {
    const auto* const end = value.data() + players;
    const auto* const best = std::max_element(value.data(), end);
    if (best == end || std::count(value.data(), end, *best) != 1) return -1;
    return static_cast<int>(best - value.data());
}

Scores scores_with_winner(int winner, std::size_t players) {
    ASSAY_CHECK(players >= 1 && players <= kMostPlayers);
    Scores scores;
    scores.players = static_cast<std::uint8_t>(players);
    for (std::size_t player = 0; player < players; ++player) {
        const bool has_won = static_cast<int>(player) == winner;
        scores.value[player] =
            winner < 0 ? 1.0F / static_cast<float>(players) : (has_won ? 1.0F : 0.0F);
    }
    return scores;
}

Scores scores_with_loser(int loser, std::size_t players) {
    Scores scores;
    scores.players = static_cast<std::uint8_t>(players);
    for (std::size_t player = 0; player < players; ++player) {
        if (static_cast<int>(player) != loser)
            scores.value[player] = 1.0F / static_cast<float>(players - 1);
    }
    return scores;
}

Ending ending_of(const GameInfo& info, std::string_view word) {
    const auto found = std::find_if(info.endings.begin(), info.endings.end(),
                                    [&](const Ending& each) { return each.word == word; });
    return found == info.endings.end() ? Ending{std::string(word), "", ""} : *found;
}

std::string manner_of(const GameInfo& info, std::string_view word) {
    const Ending ending = ending_of(info, word);
    return ending.manner.empty() ? ending.word : ending.manner;
}

std::string state_of(const GameInfo& info, std::string_view word) {
    const Ending ending = ending_of(info, word);
    return ending.state.empty() ? "the rules end it here (" + ending.word + ")" : ending.state;
}

std::string text_of(const Picture& picture, std::string_view indent) {
    std::string out;
    for (std::size_t i = 0; i < picture.fields.size(); ++i) {
        const std::size_t column = i % static_cast<std::size_t>(picture.columns);
        if (column == 0) out += (i == 0 ? "" : "\n") + std::string(indent);
        const PictureField& field = picture.fields[i];
        out += field.is_outside ? ' ' : field.letter == 0 ? '.' : field.letter;
        out += ' ';
    }
    return out + "\n";
}

Move drawn_event(const Position& position, std::uint64_t word) {
    std::vector<ChanceMove> events;
    position.chances(events);
    ASSAY_CHECK(!events.empty());
    // The upper 53 bits, which is what a double holds exactly.
    double left = static_cast<double>(word >> 11U) * 0x1p-53;
    for (const ChanceMove& event : events) {
        if (left < event.probability) return event.move;
        left -= event.probability;
    }
    return events.back().move;  // rounding: the probabilities sum to a little less than 1
}

std::uint64_t Position::signature(Move move) {
    const std::uint64_t before = hash();
    make(move);
    const std::uint64_t after = hash();
    undo();
    return before ^ after;
}

std::string move_label(const GameInfo& info, const Position& position) {
    const std::string number = std::to_string(position.move_number());
    if (!info.numbers_rounds) return number;
    return number + (position.to_move() == info.first_player ? "." : "...");
}

Notation Game::notation_of(std::string_view protocol) const {
    for (const auto& [name, notation] : info().protocols) {
        if (name == protocol) return notation;
    }
    return Notation::Canonical;
}

std::unique_ptr<Tablebase> Game::open_tablebase(const std::string& /*folders*/) const {
    return nullptr;
}

std::string Game::start_text(int number) const {
    ASSAY_CHECK(number >= 0 && number < info().start_positions);
    return start()->text();
}

}  // namespace assay::rules
