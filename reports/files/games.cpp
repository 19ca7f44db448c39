#include "reports/files/games.h"

#include <cstddef>
#include <set>
#include <utility>

#include "reports/files/csv.h"
#include "reports/files/pgn.h"

namespace assay::reports {

void write_games(const StoredRun& stored, GameFormat format,
                 const std::function<void(std::string_view)>& out) {
    const harness::RunRecord& run = stored.run();
    const TournamentView* const tournament = stored.tournament();
    if (format == GameFormat::Csv) out(csv_header());
    for (std::size_t match = 0; match < run.plan.matches.size(); ++match) {
        const auto [low, high] = run.plan.matches[match].between;
        PgnWriter::RoundOf round;
        if (tournament != nullptr)
            round = [tournament, low = low, high = high](const harness::GameRecord& game) {
                return tournament->round_text(low, high, game.pair, game.game);
            };
        const PgnWriter pgn(run, match, round);
        std::set<std::pair<std::int64_t, int>> whole;
        for (const harness::PairDigest& pair : stored.store().pairs(run.id, match)) {
            if (!harness::is_replaced(pair.state)) whole.emplace(pair.pair, pair.attempt);
        }
        stored.store().for_each_game(run.id, match, [&](const harness::GameRecord& game) {
            if (!whole.contains({game.pair, game.attempt})) return;
            out(format == GameFormat::Pgn ? pgn.text(game) : csv_row(run, match, game));
        });
    }
}

}  // namespace assay::reports
