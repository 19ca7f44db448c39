#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/game.h"

namespace assay::harness {

/// The moves of a game as one compact blob, as the store keeps it; below 30 bytes a move with
/// all that programs usually say.
///
///     blob     = version(1 byte, 2) players count move* checksum
///     move     = flags [player] name used [left] [delay] [score] [depth] [seldepth] [nodes] [nps]
///                [tbhits] [hashfull] [said] [pv]      -- what flags announce, in this order
///     players  = one more than the highest player who moves, at least 1
///     player   = only where it is not the one after the previous mover (before the first move: 0)
///     name, pv = length bytes
///     left     = the difference from "left after this player's previous move, minus used": mostly
///                the increment
///     checksum = FNV-1a of all bytes before it, 4 bytes, little end first
///
/// Numbers are LEB128, those that may be negative zigzagged. FNV-1a's steps are bijections of its
/// state, so that any single changed byte is found.
/// Version 1 had neither `players` nor `player`: two players moved in turn.
/// An event of chance (rules::kChance) has rules::kMostPlayers as its player and changes nobody's
/// turn. REQUIRES: players of moves are in [0, rules::kMostPlayers), or rules::kChance.
[[nodiscard]] std::string encode_moves(const std::vector<MoveRecord>& moves);

/// Returns what encode_moves was given; nullopt where the bytes are not one of its results (cut,
/// changed, of an unknown version). A claimed count is believed only as far as the bytes could hold
/// it. `first_mover` (0 or 1) is used for blobs of version 1 only: the player who made their first
/// move.
[[nodiscard]] std::optional<std::vector<MoveRecord>> decode_moves(std::string_view bytes,
                                                                  int first_mover = 0);

}  // namespace assay::harness
