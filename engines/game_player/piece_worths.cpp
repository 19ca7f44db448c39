// What a piece is worth in a game that nobody has taught. A piece is the stronger the more moves it
// has, so games are played at random and at each position the moves of each kind are counted: a
// move is that of the piece whose field it leaves, which is seen by comparing the board before and
// after it. The worth of a kind is its mean number of moves a piece, and the kind with the least
// is worth 100. Pieces that are only put down, as in othello, have no such moves, and all are worth
// the same. This overrates pieces that are shut in at the start less than counting on an empty
// board would, and says nothing about royal pieces, whose worth does not matter: a side never has
// one more or less. It costs some 20 games, about 0.1 s at a million moves a second.
#include "engines/game_player/piece_worths.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"

namespace assay::engines {

namespace {

constexpr int kLeast = 100;
constexpr int kMost = 2000;

struct Counted {
    std::uint64_t pieces = 0;
    std::uint64_t moves = 0;
};

using Counts = std::map<std::string, Counted, std::less<>>;

bool is_same(const rules::PictureField& a, const rules::PictureField& b) {
    return a.owner == b.owner && a.letter == b.letter && a.piece == b.piece;
}

/// Adds the pieces of the side to move and their moves.
void count_moves(rules::Position& position, const std::vector<rules::Move>& moves, Counts& counts) {
    const auto before = position.picture();
    if (!before) return;
    const int mover = position.to_move();
    for (const rules::PictureField& field : before->fields) {
        if (field.owner == mover) ++counts[std::string(field.piece)].pieces;
    }
    for (const rules::Move move : moves) {
        position.make(move);
        const auto after = position.picture();
        position.undo();
        for (std::size_t i = 0; after && i < before->fields.size(); ++i) {
            const rules::PictureField& field = before->fields[i];
            const bool leaves = field.owner == mover && !is_same(field, after->fields[i]);
            if (leaves) ++counts[std::string(field.piece)].moves;
        }
    }
}

void count_game(rules::Position& position, Random& random, Counts& counts) {
    constexpr int kPlies = 80;
    std::vector<rules::Move> moves;
    for (int ply = 0; ply < kPlies && !position.result(); ++ply) {
        if (position.to_move() == rules::kChance) {
            position.make(rules::drawn_event(position, random()));
            continue;
        }
        position.moves(moves);
        // Next to each other positions tell much the same.
        if (ply % 4 == 0) count_moves(position, moves, counts);
        position.make(moves[random.below(moves.size())]);
    }
}

}  // namespace

PieceWorths PieceWorths::learn(const rules::Game& game) {
    constexpr int kGames = 20;
    Counts counts;
    Random random(1995);
    for (int number = 0; number < kGames; ++number) count_game(*game.start(), random, counts);
    const auto mean = [](const Counted& counted) {
        return counted.pieces == 0
                   ? 0.0
                   : static_cast<double>(counted.moves) / static_cast<double>(counted.pieces);
    };
    double least = 0;
    for (const auto& [kind, counted] : counts) {
        const double moves = mean(counted);
        if (moves > 0 && (least == 0 || moves < least)) least = moves;
    }
    PieceWorths worths;
    for (const auto& [kind, counted] : counts) {
        const double moves = least > 0 ? mean(counted) / least : 0;
        worths.put(kind, std::clamp(static_cast<int>(moves * kLeast), kLeast, kMost));
    }
    return worths;
}

std::optional<std::string> PieceWorths::set(std::string_view text) {
    const std::vector<std::string_view> words = split_words(text);
    PieceWorths wanted = *this;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const auto worth = i + 1 < words.size() ? to_number<int>(words[i + 1]) : std::nullopt;
        if (!worth || *worth < -10'000 || *worth > 10'000) {
            return "a number from -10000 to 10000 must stand behind '" + printable_utf8(words[i]) +
                   "', as in 'queen 900 rook 500'";
        }
        wanted.put(words[i], *worth);
    }
    *this = std::move(wanted);
    return std::nullopt;
}

void PieceWorths::put(std::string_view kind, int worth) {
    for (auto& [name, value] : worths_) {
        if (name == kind) {
            value = worth;
            return;
        }
    }
    worths_.emplace_back(kind, worth);
}

int PieceWorths::of(std::string_view kind) const {
    for (const auto& [name, worth] : worths_) {
        if (name == kind) return worth;
    }
    return kLeast;
}

}  // namespace assay::engines
