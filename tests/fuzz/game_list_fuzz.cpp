// Results of games as a PGN and as a table: pairs have two games with sides changed, and whatever
// is read can be rated.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "cli/stats/game_list.h"
#include "stats/estimate/rating.h"

namespace {

using namespace assay::stats;
using assay::cli::games_of_pgn;

void rate(const GameList& list) {
    if (list.programs.size() > 8) return;
    assay::stats::RatingSettings settings;
    settings.draws = 20;
    try {
        const assay::stats::RatingTable table(list.programs.size(), rated_games(list, "pair"),
                                              settings);
        for (const auto& rating : table.ratings()) {
            ASSAY_CHECK(std::isfinite(rating.elo) && std::isfinite(rating.error));
        }
    } catch (const assay::Error&) {  // no games
    }
}

void check_pairs(const GameList& list) {
    std::map<std::int64_t, const ListedGame*> seen;
    for (const ListedGame& game : list.games) {
        ASSAY_CHECK(game.first != game.second);
        if (game.pair < 0) continue;
        const auto [other, is_new] = seen.try_emplace(game.pair, &game);
        if (is_new || other->second == nullptr) continue;
        ASSAY_CHECK(other->second->first == game.second && other->second->second == game.first);
        other->second = nullptr;
    }
    for (const auto& [pair, half] : seen) ASSAY_CHECK(half == nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const GameList pgn = games_of_pgn({{"games.pgn", text}});
    check_pairs(pgn);
    rate(pgn);
    if (pgn.programs.size() == 2) {
        ASSAY_CHECK(pairs_of(pgn, {}).pairs() == pgn.pairs());
    }
    try {
        rate(games_of_table("table", text));
    } catch (const assay::Error&) {  // said
    }
    return 0;
}
