#pragma once
#include <string>

#include "harness/record/live.h"
#include "harness/record/run.h"

namespace assay::reports::web {

/// The games that are being played, as markup for the page of their run: a large board for one
/// game, small boards for several. The rules of the match draw the boards; a game without a board
/// is shown by its moves. `now_us`: the wall clock, by which running clocks show what is left. They
/// also have the moment at which nothing is left, `data-ends`, in milliseconds since 1970, so that
/// the same markup is right for a page that is opened later. Empty where the state is not of this
/// run, or no game is in play. A state that no run can have shows less; it does not throw.
[[nodiscard]] std::string live_games(const harness::RunRecord& run, const harness::LiveState& state,
                                     long long now_us);

/// "1:05:09", "3:07", and with tenths below twenty seconds: "0:07.4". Below 0 it is 0.
[[nodiscard]] std::string clock_text(Micros left);

}  // namespace assay::reports::web
