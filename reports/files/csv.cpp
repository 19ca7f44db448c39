#include "reports/files/csv.h"

#include <fmt/format.h>

#include "reports/files/pgn.h"
#include "reports/view/escape.h"
#include "reports/view/run_view.h"

namespace assay::reports {

std::string_view csv_header() {
    return "run,match,pair,game,attempt,first,second,opening,start,result,score,termination,guilty,"
           "plies,seconds,delay_ms,started,reason\n";
}

std::string csv_row(const harness::RunRecord& run, std::size_t match,
                    const harness::GameRecord& game) {
    const harness::MatchPlan& plan = run.plan.matches.at(match);
    const auto name = [&](std::size_t player) {
        return csv(program_name(run, plan, static_cast<std::size_t>(game.program[player])));
    };
    Micros used{0};
    Micros delay{0};
    for (const harness::MoveRecord& move : game.moves) {
        used += move.used;
        delay += move.delay;
    }
    const auto seconds = [](Micros time) { return static_cast<double>(time.count()) / 1e6; };
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.3f},{},{}\n", run.id,
                       csv(plan.name), game.pair + 1, game.number, game.attempt, name(0), name(1),
                       game.opening_index, csv(game.start), pgn_result(game), game.score_of(0),
                       harness::name_of(game.termination),
                       game.guilty < 0 ? "" : name(static_cast<std::size_t>(game.guilty)),
                       game.opening.size() + game.moves.size(), seconds(used),
                       seconds(delay) * 1000, game.started_us / 1'000'000, csv(game.reason));
}

}  // namespace assay::reports
