#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/record/game.h"

namespace assay::harness {

/// What became of a pair.
enum class PairState : std::uint8_t {
    Counted,    // enters the statistics
    Duplicate,  // deterministic programs played an earlier pair's moves again; not counted
    AfterStop,  // finished after the verdict had been reached; kept, never decides
    Void,       // the harness caused a time loss; replayed under the next attempt
    Late,       // came when a newer attempt had been claimed, or another had counted; kept, never
                // decides
};

/// The pair takes no part in the run: void or late, another attempt stands for it.
[[nodiscard]] constexpr bool is_replaced(PairState state) {
    return state == PairState::Void || state == PairState::Late;
}

/// The attempt that is begun after one that is replaced. A late one is of a claim that is over, and
/// whose worker may send more of it: the next is of a new claim (fleet.h).
[[nodiscard]] int attempt_after(PairState state, int attempt);

/// "counted", "duplicate", "after_stop", "void" or "late".
[[nodiscard]] std::string_view name_of(PairState state);
[[nodiscard]] std::optional<PairState> pair_state_of(std::string_view name);

/// What the statistics need of a finished game; the moves stay in the file.
struct GameDigest {
    std::int64_t number = 0;  // as in GameRecord
    rules::Scores scores;
    Lineup program{0, 1};
    Termination termination;
    int guilty = -1;  // player
    int plies = 0;
    long long used_us = 0;         // both clocks together
    std::uint64_t moves_hash = 0;  // of start, opening and move names
    bool harness_caused = false;   // as in GameRecord
    long long ended_us = 0;        // likewise
};

/// Of program 0 or 1 of `between`: 0 lost, 1 drawn, 2 won.
[[nodiscard]] int half_points(const GameDigest& game, int program);

/// An encounter that is over: as a rule two games of one opening, with sides swapped.
struct PairDigest {
    std::size_t match = 0;  // as in GameRecord
    std::int64_t pair = 0;
    int attempt = 0;
    PairState state = PairState::Counted;
    std::uint64_t opening_index = 0;
    int slot = 0;              // where its first game was played, and
    std::int64_t machine = 0;  // on which machine (GameRecord::machine)
    bool is_single = false;    // a game without a partner: games[1] says nothing
    std::array<GameDigest, 2> games;

    /// The games that it has. Of a pair that is void the second may never have been played.
    [[nodiscard]] std::span<const GameDigest> played() const {
        return {games.data(), is_single ? 1U : games.size()};
    }

    /// Category 0..4 of the first program of `between`: LL, LD, DD or WL, WD, WW.
    /// REQUIRES: it is a pair.
    [[nodiscard]] int category() const;
    /// Index 0..8 in the table of (first game's, second game's) results of the first program:
    /// 3 * first + second with loss 0, draw 1, win 2. REQUIRES: it is a pair.
    [[nodiscard]] int cell() const;
};

[[nodiscard]] GameDigest digest_of(const GameRecord& game);

/// The moves of a game as the store keeps them, an eighth of their size in a GameRecord, and what
/// is known of them.
struct PackedMoves {
    std::string blob;
    GameDigest digest;
};

[[nodiscard]] PackedMoves pack_moves(const GameRecord& game);

}  // namespace assay::harness
