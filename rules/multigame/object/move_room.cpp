#include "rules/multigame/object/move_room.h"

#include <algorithm>

namespace assay::rules::multigame {

namespace {

constexpr std::size_t kFirstRoom = 256;
constexpr std::size_t kMostRoom = std::size_t{1} << 17U;  // twice as many as a list may have
constexpr std::size_t kChangesAMove = 8;

}  // namespace

void MoveRoom::make_room(const mg_game& game, std::size_t moves, bool with_names) {
    if (moves_.size() < moves) {
        moves_.resize(moves);
        table_.assign(moves * 2, 0);
        list_.stamp = list_.move_count = 0;
    }
    const std::size_t changes = moves * kChangesAMove + game.fields + game.slots;
    if (changes_.size() < changes) changes_.resize(changes);
    if (with_names && names_.size() < moves_.size()) {
        names_.resize(moves_.size());
        decisions_.resize(game.has_chance != 0 ? moves_.size() : 0);
    }
    list_.moves = moves_.data();
    list_.changes = changes_.data();
    list_.names = with_names ? reinterpret_cast<char(*)[32]>(names_.data()) : nullptr;
    list_.decisions = with_names ? reinterpret_cast<char(*)[32]>(decisions_.data()) : nullptr;
    list_.table = table_.data();
    list_.move_room = static_cast<std::uint32_t>(moves_.size());
    list_.change_room = static_cast<std::uint32_t>(changes_.size());
    list_.table_room = static_cast<std::uint32_t>(table_.size());
}

int MoveRoom::list_moves(const mg_game& game, void* state, unsigned what) {
    std::size_t moves = std::max(kFirstRoom, moves_.size());
    while (true) {
        make_room(game, moves, (what & MG_NAMES) != 0);
        const int result = game.moves(state, &list_, what);
        if (result != MG_FULL) return result;
        if (moves >= kMostRoom) return MG_FAULT;
        moves *= 2;
    }
}

}  // namespace assay::rules::multigame
