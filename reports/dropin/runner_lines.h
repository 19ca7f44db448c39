#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "harness/plan/time_control.h"
#include "harness/record/result_counts.h"
#include "reports/dropin/classic_numbers.h"

namespace assay::reports::dropin {

/// The lines that fastchess prints, without the last line end; a text of several lines has the
/// others. Pure: scripts and workers read these lines, so that each is tested as a whole.

/// A game of a match: its number, and the names by colour.
struct GameNames {
    std::int64_t number = 0;
    std::string first;
    std::string second;
};

[[nodiscard]] std::string started_line(const GameNames& game, std::int64_t games);
[[nodiscard]] std::string finished_line(const GameNames& game, std::string_view result,
                                        std::string_view reason);

/// What the head of a block of results says of an engine.
struct EngineFacts {
    std::string name;
    std::string time;     // clock_text()
    std::string threads;  // "1t", or "NULL" where it has no such option
    std::string hash;     // "16MB", or "NULL"
};

/// "10+0.1", "40/60+0.6", "0.1/move", "5 plies", "1000 nodes".
[[nodiscard]] std::string clock_text(const harness::TimeControl& time);

struct ResultsView {
    EngineFacts first;
    EngineFacts second;
    std::string book;  // the file's name; empty: none
    bool has_pairs = true;
    harness::ResultCounts counts;
    std::optional<ClassicSprt> sprt;
};

/// Between two lines of dashes.
[[nodiscard]] std::string results_block(const ResultsView& view);

/// "SPRT ([0.00, 3.00]) completed - H1 was accepted".
[[nodiscard]] std::string sprt_end_line(const ClassicSprt& sprt, bool is_h1);

/// Losses on time and crashes of an engine.
[[nodiscard]] std::string player_lines(std::string_view name, std::int64_t timeouts,
                                       std::int64_t crashes);

[[nodiscard]] std::string crc_line(std::string_view file, std::string_view crc);

/// "Total Time: 00:01:02 (hours:minutes:seconds)".
[[nodiscard]] std::string total_time_line(Micros time);

/// `program`: as it was called.
[[nodiscard]] std::string interrupted_line(std::string_view program, std::string_view config_name);

// With -output format=cutechess.

/// "Score of A vs B: 1 - 0 - 0  [1.000] 1".
[[nodiscard]] std::string score_line(std::string_view first, std::string_view second,
                                     const harness::ResultCounts& counts);
[[nodiscard]] std::string elo_difference_line(const harness::ResultCounts& counts);
[[nodiscard]] std::string sprt_line(const ClassicSprt& sprt, const harness::ResultCounts& counts);

}  // namespace assay::reports::dropin
