#include "cli/stats/game_list.h"

#include <fmt/format.h>

#include "openings/read/pgn_reader.h"

namespace assay::cli {

stats::GameList games_of_pgn(std::string_view text) {
    stats::GameList list;
    stats::Numbering programs;
    stats::Numbering opening_numbers;
    stats::GamePairing pairing;
    openings::PgnReader reader(text);
    openings::PgnGame game;
    while (reader.next(game)) {
        list.faults += static_cast<std::int64_t>(game.faults.size());
        const auto result = openings::result_of(game);
        if (!result) {
            ++list.unfinished;
            continue;
        }
        stats::ListedGame listed;
        listed.first = programs(result->first);
        listed.second = programs(result->second);
        listed.half_points = result->half_points;
        if (!result->opening.empty())
            listed.opening = static_cast<std::int64_t>(opening_numbers(result->opening));
        pairing.add(list, listed, result->opening, result->round);
    }
    list.programs = programs.names();
    list.note = fmt::format("{} games, {}", list.games.size(), pairing.how());
    const std::int64_t single = static_cast<std::int64_t>(list.games.size()) - 2 * pairing.pairs();
    if (single > 0) list.note += fmt::format("; {} without a partner", single);
    if (list.unfinished > 0)
        list.note += fmt::format("; {} without a result or two names, left out", list.unfinished);
    return list;
}

}  // namespace assay::cli
