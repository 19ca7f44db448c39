#include "harness/record/pair.h"

#include "base/enum_names.h"
#include "harness/record/move_codec.h"
#include "harness/record/text_hash.h"

namespace assay::harness {

namespace {

constexpr auto kPairStates = enum_names<PairState>("counted", "duplicate", "after_stop", "void");

/// Twice the score as 0, 1, 2.
int half_points(float score) {
    return static_cast<int>(score * 2 + 0.5F);
}

int half_points_of_first(const GameDigest& game) {
    return half_points(game.scores[game.program[0] == 0 ? 0 : 1]);
}

}  // namespace

std::string_view name_of(PairState state) {
    return kPairStates.of(state);
}

std::optional<PairState> pair_state_of(std::string_view name) {
    return kPairStates.find(name);
}

int PairDigest::category() const {
    return half_points_of_first(games[0]) + half_points_of_first(games[1]);
}

int PairDigest::cell() const {
    return 3 * half_points_of_first(games[0]) + half_points_of_first(games[1]);
}

GameDigest digest_of(const GameRecord& game) {
    GameDigest digest;
    digest.number = game.number;
    digest.scores = game.scores;
    digest.program = game.program;
    digest.termination = game.termination;
    digest.guilty = game.guilty;
    digest.plies = static_cast<int>(game.moves.size());
    digest.harness_caused = game.harness_caused;
    // Stored and compared across versions of assay: this computation must never change.
    TextHash hash;
    hash.add(game.start);
    for (const std::string& move : game.opening) hash.add(move);
    for (const MoveRecord& move : game.moves) {
        hash.add(move.name);
        digest.used_us += move.used.count();
    }
    digest.moves_hash = hash.value();
    return digest;
}

PackedMoves pack_moves(const GameRecord& game) {
    return {encode_moves(game.moves), digest_of(game)};
}

}  // namespace assay::harness
