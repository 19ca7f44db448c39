#include "tests/support/check_game.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace assay::tests {

namespace {

using rules::Game;
using rules::Move;
using rules::Notation;
using rules::Position;

/// Thrown by a check, caught by check_game_from.
struct Broken {
    std::string promise;
};

void require(bool kept, const std::string& promise) {
    if (!kept) throw Broken{promise};
}

/// Every answer of a position that undo and clones must preserve.
struct Answers {
    std::string text;
    std::uint64_t hash = 0;
    std::optional<rules::Outcome> verdict;  // asked before what makes a list of moves
    int to_move = 0;
    int ply = 0;
    int move_number = 0;
    int quiet_plies = 0;
    std::optional<rules::Outcome> result;
    std::vector<Move> moves;
    std::vector<bool> can_win;

    Answers(const Game& game, const Position& position)
        : text(position.text()),
          hash(position.hash()),
          verdict(position.verdict()),
          to_move(position.to_move()),
          ply(position.ply()),
          move_number(position.move_number()),
          quiet_plies(position.quiet_plies()),
          result(position.result()) {
        position.moves(moves);
        for (int player = 0; player < game.players(); ++player) {
            can_win.push_back(position.can_win(player));
        }
    }

    friend bool operator==(const Answers&, const Answers&) = default;
};

void check_turn(const Game& game, const Position& position, const Answers& answers) {
    require(answers.verdict == answers.result, "verdict() is result()");
    require(answers.result.has_value() == (answers.to_move == rules::kNobody),
            "to_move() is kNobody exactly where result() is set");
    if (answers.result) {
        require(answers.result->scores.players == game.players(), "a result scores every player");
    } else if (answers.to_move == rules::kChance) {
        require(answers.moves.empty(), "moves() is empty where chance moves");
    } else {
        require(answers.to_move >= 0 && answers.to_move < game.players(),
                "to_move() is a player, chance or nobody");
        require(!answers.moves.empty(), "a player to move has a move");
    }
    std::vector<rules::ChanceMove> chances;
    position.chances(chances);
    require(chances.empty() == (answers.to_move != rules::kChance),
            "chances() is empty exactly where chance does not move");
    double sum = 0;
    for (const rules::ChanceMove& chance : chances) sum += chance.probability;
    require(chances.empty() || std::abs(sum - 1) < 1e-9, "chances sum to 1");
}

void check_names(const Game& game, const Position& position, const std::vector<Move>& moves) {
    for (const Notation notation : game.notations()) {
        std::vector<std::string> names;
        for (const Move move : moves) {
            const std::string name = position.name_of(move, notation);
            require(position.move_of(name, notation) == move,
                    "move_of(name_of(move)) is the move: " + name);
            names.push_back(name);
        }
        std::sort(names.begin(), names.end());
        require(std::adjacent_find(names.begin(), names.end()) == names.end(),
                "no two moves share a name");
        require(!position.move_of("", notation), "the empty text names no move");
    }
}

/// contents(), where there are some, show the pieces of the picture.
void check_contents(const Game& game, const Position& position, const rules::Picture& picture) {
    const auto contents = position.contents();
    if (contents.empty()) return;
    using Shown = std::tuple<int, char, std::string_view>;
    std::multiset<Shown> listed;
    std::multiset<Shown> drawn;
    for (const std::uint8_t content : contents) {
        require(content < game.contents().size(), "each of contents() is explained");
        const rules::PictureField& field = game.contents()[content];
        listed.emplace(field.owner, field.letter, field.piece);
    }
    for (const rules::PictureField& field : picture.fields)
        drawn.emplace(field.owner, field.letter, field.piece);
    require(listed == drawn, "contents() are what the picture shows");
}

/// What the game says of itself holds in this position.
void check_info(const Game& game, const Position& position, const Answers& answers) {
    const rules::GameInfo& info = game.info();
    require(info.has_chance || answers.to_move != rules::kChance, "has_chance where chance moves");
    const auto passed = position.passed();
    require(!info.null_moves.empty() || passed == nullptr, "null_moves where a turn can be passed");
    if (passed != nullptr) require(passed->ply() == 0, "a passed position has no history");
    const auto picture = position.picture();
    require(picture.has_value() == (info.board != rules::BoardStyle::None),
            "picture() is set exactly where the game has a board");
    if (picture) {
        require(picture->fields.size() == static_cast<std::size_t>(picture->columns) *
                                              static_cast<std::size_t>(picture->rows),
                "a picture has a field for each column and row");
        for (const rules::PictureField& field : picture->fields) {
            require(field.owner < game.players(), "a piece's owner is a player");
        }
        check_contents(game, position, *picture);
    }
    if (!answers.result) return;
    require(
        std::any_of(info.endings.begin(), info.endings.end(),
                    [&](const rules::Ending& each) { return each.word == answers.result->word; }),
        "an outcome's word is one of GameInfo::endings");
}

void check_moves(const Position& position, const std::vector<Move>& moves, Random& random) {
    std::vector<Move> sorted = moves;
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
            "each legal move is listed once");
    for (const Move move : moves) {
        require(move != rules::kNoMove, "kNoMove is never legal");
        require(position.is_legal(move), "is_legal() agrees with moves()");
    }
    const auto agrees = [&](Move move) {
        return position.is_legal(move) == std::binary_search(sorted.begin(), sorted.end(), move);
    };
    require(agrees(rules::kNoMove), "is_legal(kNoMove) is false");
    for (int i = 0; i < 64; ++i) {
        const std::uint64_t word = random();
        require(agrees(static_cast<Move>(word)), "is_legal() is false for other words");
        require(agrees(static_cast<Move>(word & 0xffffU)), "is_legal() is false for small words");
        if (moves.empty()) continue;
        const Move near = moves[random.below(moves.size())] ^ (Move{1} << (word % 32));
        require(agrees(near), "is_legal() is false for a legal move with one bit flipped");
    }
}

void check_parse(const Game& game, const Answers& answers) {
    const std::unique_ptr<Position> read = game.parse(answers.text);
    require(read->text() == answers.text, "text() of parse(text) is the text");
    require(read->hash() == answers.hash, "hash() survives text() and parse()");
    require(read->ply() == 0, "a parsed position has ply 0");
    // A win that the last move was said to be may not show in the position: it is left out of
    // texts.
    if (answers.result && answers.moves.empty() && !read->result()) return;
    std::vector<Move> moves;
    read->moves(moves);
    require(moves == answers.moves, "moves() survive text() and parse()");
}

/// Makes and unmakes each of these, on the position itself and on a clone.
void check_undo(const Game& game, Position& position, const Answers& answers,
                const std::vector<Move>& moves) {
    for (const Move move : moves) {
        const std::unique_ptr<Position> clone = position.clone();
        const std::uint64_t signature = position.signature(move);
        clone->make(move);
        require((clone->hash() ^ answers.hash) == signature, "signature() is what a move changes");
        require(Answers(game, position) == answers, "a move on a clone leaves the original alone");
        require(clone->ply() == answers.ply + 1, "ply() counts moves");
        position.make(move);
        require(Answers(game, position) == Answers(game, *clone),
                "a clone answers as the original does");
        position.undo();
        require(Answers(game, position) == answers, "undo() restores every answer");
        clone->undo();
        require(Answers(game, *clone) == answers, "a clone can take moves back");
    }
}

std::vector<Move> events_of(const Position& position, const Answers& answers) {
    if (answers.to_move != rules::kChance) return answers.moves;
    std::vector<rules::ChanceMove> chances;
    position.chances(chances);
    std::vector<Move> events;
    for (const rules::ChanceMove& chance : chances) events.push_back(chance.move);
    return events;
}

void play(const Game& game, Position& position, Random& random, int plies) {
    std::vector<Answers> path;
    for (int i = 0; i <= plies; ++i) {
        const Answers& answers = path.emplace_back(game, position);
        check_turn(game, position, answers);
        check_info(game, position, answers);
        check_moves(position, answers.moves, random);
        const std::vector<Move> events = events_of(position, answers);
        check_names(game, position, events);
        check_parse(game, answers);
        if (!answers.result) check_undo(game, position, answers, events);
        if (answers.result || i == plies) break;
        position.make(events[random.below(events.size())]);
    }
    // All the way back: every earlier position answers as it did.
    for (std::size_t i = path.size() - 1; i-- > 0;) {
        position.undo();
        require(Answers(game, position) == path[i], "undo() of a whole game restores every answer");
    }
}

}  // namespace

std::string check_game_from(const Game& game, const Position& from, std::uint64_t seed, int plies) {
    const std::unique_ptr<Position> position = from.clone();
    Random random(seed);
    try {
        play(game, *position, random, plies);
    } catch (const Broken& broken) {
        return broken.promise + " (" + std::string(game.name()) + ", seed " + std::to_string(seed) +
               ", ply " + std::to_string(position->ply()) + ", " + position->text() + ")";
    }
    return "";
}

std::string check_game(const Game& game, std::uint64_t seed, int plies) {
    return check_game_from(game, *game.start(), seed, plies);
}

}  // namespace assay::tests
