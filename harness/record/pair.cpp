#include "harness/record/pair.h"

#include "base/enum_names.h"
#include "harness/record/fleet.h"
#include "harness/record/move_codec.h"
#include "harness/record/text_hash.h"

namespace assay::harness {

namespace {

constexpr auto kPairStates =
    enum_names<PairState>("counted", "duplicate", "after_stop", "void", "late");

}  // namespace

int attempt_after(PairState state, int attempt) {
    return state == PairState::Late ? (attempt / kAttemptsOfClaim + 1) * kAttemptsOfClaim
                                    : attempt + 1;
}

std::string_view name_of(PairState state) {
    return kPairStates.of(state);
}

std::optional<PairState> pair_state_of(std::string_view name) {
    return kPairStates.find(name);
}

int half_points(const GameDigest& game, int program) {
    const float score = game.scores[game.program[0] == program ? 0 : 1];
    return static_cast<int>(score * 2 + 0.5F);
}

int PairDigest::category() const {
    return half_points(games[0], 0) + half_points(games[1], 0);
}

int PairDigest::cell() const {
    return 3 * half_points(games[0], 0) + half_points(games[1], 0);
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
    digest.ended_us = game.ended_us;
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
