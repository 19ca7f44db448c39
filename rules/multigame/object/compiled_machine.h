#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/multigame/form/state.h"
#include "rules/multigame/interpret/move_list.h"
#include "rules/multigame/object/loader.h"
#include "rules/multigame/object/move_room.h"

namespace assay::rules::multigame {

/// Holds one position of a compiled program and lists its moves, as Machine does for one that is
/// interpreted: with the same lists, names and keys. One thread at a time. A copy is another
/// position of the same program.
class CompiledMachine {
public:
    explicit CompiledMachine(std::shared_ptr<const CompiledProgram> program);
    CompiledMachine(const CompiledMachine& other);
    CompiledMachine& operator=(const CompiledMachine& other) = delete;
    ~CompiledMachine() = default;

    void load(const State& state);
    [[nodiscard]] State state() const;

    /// The position's text, as text_of() writes it.
    [[nodiscard]] std::string text() const;
    /// Reads such a text. False where it is none of this game; the position is unchanged.
    [[nodiscard]] bool read(const std::string& text);

    /// False where the position has a rule error or came to a limit: Machine says which, or has
    /// the list.
    [[nodiscard]] bool moves(MoveList& out, bool with_names = false);
    /// The outcomes of setup, where the program was written before its `setup`. False as above.
    [[nodiscard]] bool setups(MoveList& out);
    /// True where the rule of `repetition .. unless perpetual` holds for the side.
    [[nodiscard]] bool perpetual(int side);

    /// True where the side to move has a move that is no claim, found without a list. False: it has
    /// none, or only moves() can tell.
    [[nodiscard]] bool can_move();

    /// Makes a move of a list that was made here or by Machine for the same position.
    void apply(const MoveList& list, std::size_t move);
    void take_back(const MoveList& list, std::size_t move);

    [[nodiscard]] int side() const { return game_->side(state_.data()); }

    [[nodiscard]] int turn() const { return game_->turn(state_.data()); }

    [[nodiscard]] std::uint64_t key() const { return game_->key(state_.data()); }

    [[nodiscard]] std::span<const Content> board() const;
    [[nodiscard]] std::span<const std::int32_t> values() const;

private:
    [[nodiscard]] bool list(MoveList& out, unsigned what);
    [[nodiscard]] bool take_list(MoveList& out, bool with_names) const;
    [[nodiscard]] bool take_names(MoveList& out) const;
    [[nodiscard]] mg_list list_of(const MoveList& from, std::size_t number);

    std::shared_ptr<const CompiledProgram> program_;
    const mg_game* game_;
    std::vector<std::uint64_t> state_;  // its bytes, at an address that suits any type
    MoveRoom room_;
    mg_move made_{};  // what apply() and take_back() hand over
};

}  // namespace assay::rules::multigame
