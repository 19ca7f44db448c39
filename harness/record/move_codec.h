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
///     blob     = version(1 byte, 1) count move* checksum
///     move     = flags name used [left] [delay] [score] [depth] [seldepth] [nodes] [nps]
///                [tbhits] [hashfull] [said] [pv]      -- what flags announce, in this order
///     name, pv = length bytes
///     left     = what it differs from "left two plies before, minus used": the increment, mostly
///     checksum = FNV-1a of all bytes before it, 4 bytes, little end first
///
/// Numbers are LEB128, those that may be negative zigzagged. FNV-1a's steps are bijections of its
/// state, so that any single changed byte is found.
[[nodiscard]] std::string encode_moves(const std::vector<MoveRecord>& moves);

/// What encode_moves was given; nullopt where the bytes are none of its results (cut, changed, of
/// another version). A claimed count is believed only as far as the bytes could hold it.
[[nodiscard]] std::optional<std::vector<MoveRecord>> decode_moves(std::string_view bytes);

}  // namespace assay::harness
