#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/web/charts/game_pack.h"
#include "reports/web/charts/match_facts.h"
#include "reports/web/charts/move_survey.h"

namespace assay::reports::web {

/// Names of the two programs as the charts write them: "head", "base".
using Names = std::array<std::string, 2>;

/// At most 18 bytes, for places without room.
[[nodiscard]] std::string shortened_name(const std::string& name);

/// A chart drawn once for each width at which it may stand, so that text is always of one size;
/// the style sheet shows one of them. `draw` gets the width and the CSS class of the picture.
using Draw = std::function<std::string(double width, std::string_view css)>;
/// For half a page: phone, and desktop or print.
[[nodiscard]] std::string half_page(const Draw& draw);
/// For the whole width: phone, tablet, desktop.
[[nodiscard]] std::string full_page(const Draw& draw);

/// What the LLR's chart says in words beside its lines.
struct LlrWords {
    std::string accept;  // in the upper region: "accept: not worse"
    std::string reject;
    std::string now;  // at the end of the path: "1,944 pairs"
    std::string llr;  // "LLR +3.37"
    std::string cap = "cap";
};

/// The path of the LLR between its bounds; x runs to the cap. Without `bounds` those that the looks
/// know are drawn.
[[nodiscard]] std::string llr_chart(const std::vector<LookPoint>& looks,
                                    const std::vector<LookPoint>& bounds, bool has_cap,
                                    const LlrWords& words);

/// Elo with its naive interval and the one that holds at every look; at the right `after`, the
/// estimate that the headline has.
[[nodiscard]] std::string elo_chart(const std::vector<EloPoint>& path,
                                    const stats::Estimate& after);

/// The five pair counts, with what equal programs would give (the sign-flip null).
[[nodiscard]] std::string pair_chart(const stats::Pentanomial& pairs);

/// The first program's results as first and as second player.
[[nodiscard]] std::string side_chart(const std::array<stats::Wdl, 2>& as_first, const Names& names,
                                     const std::array<std::string, 2>& sides);

/// One row of the openings' chart.
struct OpeningRow {
    std::string label;
    stats::Pentanomial pairs;
    std::int64_t example = -1;  // a pair that ended as most of them, from 0; -1: none
    std::string open;           // id of a game of that pair in the list; empty: none
};

/// The range of mean results (-1 both lost, +1 both won) that openings without influence keep to
/// with 95 % in so many looks, half its width; for groups of `pairs` pairs.
[[nodiscard]] double chance_range(const std::vector<OpeningRow>& rows, double pairs);
[[nodiscard]] std::string opening_chart(const std::vector<OpeningRow>& rows, const Names& names);

/// Medians of both clocks, and the first program's range.
[[nodiscard]] std::string clock_chart(const std::array<std::vector<ClockPoint>, 2>& clocks,
                                      const Names& names);

/// The harness's delay, logarithmic, with its quantiles written.
[[nodiscard]] std::string delay_chart(const std::vector<DelayBar>& bars,
                                      const harness::DelayRecord& delay);

/// One figure a ply for each program, in the first program's view; nullopt where it said nothing.
struct GameCurves {
    std::array<std::vector<std::optional<double>>, 2> scores;   // in score_units
    std::array<std::vector<std::optional<double>>, 2> seconds;  // left
    std::size_t plies = 0;
    std::string score_units;  // "pawns"; empty: none
};

[[nodiscard]] GameCurves curves_of(const harness::GameRecord& game, const PackedGame& packed);
[[nodiscard]] std::string score_chart(const GameCurves& curves, const Names& names);
[[nodiscard]] std::string seconds_chart(const GameCurves& curves, const Names& names);

/// A board with its pieces (symbols of pieces.svg) and the squares of the last move marked.
[[nodiscard]] std::string board_picture(const PackedGame& game, std::size_t plies,
                                        std::string_view label);

}  // namespace assay::reports::web
