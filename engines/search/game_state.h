#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/search/path.h"
#include "engines/search/state.h"
#include "rules/game.h"

namespace assay::engines {

/// Knowledge of a game beyond its rules, for one position object and all moves made there. A game
/// overrides what it knows.
class Knowledge {
public:
    virtual ~Knowledge() = default;

    [[nodiscard]] virtual Abilities abilities() const { return {}; }

    /// The player to move; where the game is over, the one whom judge() tells the value.
    [[nodiscard]] virtual int side() const = 0;

    /// See SearchState. The hash of the position is `key`, and the path leads to it.
    [[nodiscard]] virtual std::optional<Judgement> judge(const Path& path, std::uint64_t key,
                                                         int ply) const = 0;
    [[nodiscard]] virtual int stuck(int ply) const = 0;

    [[nodiscard]] virtual int evaluate() const { return 0; }

    [[nodiscard]] virtual bool in_check() const { return false; }

    [[nodiscard]] virtual bool is_noisy(Move move) const { return promise(move) > 0; }

    [[nodiscard]] virtual int promise(Move move) const {
        (void)move;
        return 0;
    }

    [[nodiscard]] virtual int gain(Move move) const {
        (void)move;
        return kInfinite;
    }

    [[nodiscard]] virtual bool wastes(Move move) const {
        (void)move;
        return false;
    }

    [[nodiscard]] virtual int move_class(Move move) const {
        (void)move;
        return 0;
    }

    [[nodiscard]] virtual std::uint64_t history_key(Move move) const { return move; }

    [[nodiscard]] virtual std::uint64_t table_key(std::uint64_t hash) const { return hash; }

    [[nodiscard]] virtual Origin origin(Move move) const {
        (void)move;
        return {};
    }
};

/// Knows the rules alone: result() tells the value of an ended game, and all others are even. Any
/// game of two players. Loses no more than the rules' own repetition, which result() sees.
class RulesOnly : public Knowledge {
public:
    explicit RulesOnly(const rules::Position& position) : position_(position) {}

    [[nodiscard]] int side() const override;
    [[nodiscard]] std::optional<Judgement> judge(const Path& path, std::uint64_t key,
                                                 int ply) const override;

    [[nodiscard]] int stuck(int ply) const override {
        (void)ply;
        return 0;
    }

protected:
    [[nodiscard]] const rules::Position& position() const { return position_; }

private:
    const rules::Position& position_;
};

/// The names of the moves of a search, for its tree log: most games can name a move only where it
/// is made. Where a game gives two moves of different positions one code, both have the name of the
/// first.
class MoveNames {
public:
    /// REQUIRES: the move is legal at this position.
    void learn(const rules::Position& position, Move move);

    /// A NodeLog::MoveName, whose context is the MoveNames.
    static void write(Move move, char* text, const void* names);

private:
    std::unordered_map<Move, std::string> names_;
};

/// The value of an outcome to `player`, `ply` plies below the root.
[[nodiscard]] int value_of_outcome(const rules::Outcome& outcome, int player, int ply);

/// The SearchState of a position behind the interface of all games. The position is changed during
/// a search and restored after it. REQUIRES: both references outlive this.
class GameState {
public:
    /// `earlier`: hashes of the game's positions before this one, oldest first.
    GameState(rules::Position& position, const Knowledge& knowledge,
              std::span<const std::uint64_t> earlier = {})
        : position_(position), knowledge_(knowledge), path_(earlier) {}

    /// Keeps the names of all moves made there. May be null.
    void keep_names(MoveNames* names) { names_ = names; }

    [[nodiscard]] Abilities abilities() const { return knowledge_.abilities(); }

    [[nodiscard]] int side() const { return knowledge_.side(); }

    [[nodiscard]] std::uint64_t hash() const { return position_.hash(); }

    [[nodiscard]] std::uint64_t table_key() const {
        return knowledge_.table_key(position_.search_key());
    }

    void moves(MoveBuffer& out) {
        position_.moves(list_);
        out.append(list_);
    }

    void noisy(MoveBuffer& out) {
        position_.moves(list_);
        for (const Move move : list_) {
            if (knowledge_.is_noisy(move)) out.push(move);
        }
    }

    void make(Move move);
    void undo();

    // Position::passed() gives another position object, which a search in place cannot use.
    void pass() {}

    void unpass() {}

    [[nodiscard]] static bool may_pass() { return false; }

    [[nodiscard]] bool is_legal(Move move) const { return position_.is_legal(move); }

    [[nodiscard]] std::optional<Judgement> judge(int ply) {
        return knowledge_.judge(path_, position_.hash(), ply);
    }

    [[nodiscard]] int stuck(int ply) const { return knowledge_.stuck(ply); }

    [[nodiscard]] bool in_check() const { return knowledge_.in_check(); }

    [[nodiscard]] int evaluate() const { return knowledge_.evaluate(); }

    [[nodiscard]] int promise(Move move) const { return knowledge_.promise(move); }

    [[nodiscard]] int gain(Move move) const { return knowledge_.gain(move); }

    [[nodiscard]] bool wastes(Move move) const { return knowledge_.wastes(move); }

    [[nodiscard]] int move_class(Move move) const { return knowledge_.move_class(move); }

    [[nodiscard]] std::uint64_t history_key(Move move) const {
        return knowledge_.history_key(move);
    }

    [[nodiscard]] std::uint64_t signature(Move move);

    [[nodiscard]] Origin origin(Move move) const { return knowledge_.origin(move); }

private:
    rules::Position& position_;
    const Knowledge& knowledge_;
    MoveNames* names_ = nullptr;
    Path path_;
    std::vector<Move> list_;
};

}  // namespace assay::engines
