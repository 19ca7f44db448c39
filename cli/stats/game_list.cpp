#include "cli/stats/game_list.h"

#include <array>
#include <functional>
#include <unordered_set>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "openings/read/pgn_reader.h"

namespace assay::cli {

namespace {

constexpr std::size_t kMostWarnings = 20;

/// Two games of the same players, start, moves and result are one game, whatever their other tags
/// say. Zero: a game without moves, which is like any other without.
std::size_t fingerprint(const openings::PgnGame& game, const openings::PgnResult& result) {
    if (game.moves.empty()) return 0;
    std::string text = result.first + "\n" + result.second + "\n";
    text += static_cast<char>('0' + result.half_points);
    text += result.opening;
    for (const openings::PgnMove& move : game.moves) text.append("\n").append(move.san);
    return std::hash<std::string>{}(text);
}

class PgnGames {
public:
    explicit PgnGames(bool leaves_out_duplicates) : leaves_out_duplicates_(leaves_out_duplicates) {}

    void add(const PgnText& file) {
        const Source source(file.path, file.text);
        openings::PgnReader reader(file.text);
        openings::PgnGame game;
        while (reader.next(game)) {
            list_.faults += static_cast<std::int64_t>(game.faults.size());
            const auto result = openings::result_of(game);
            if (!result) {
                ++list_.unfinished;
                continue;
            }
            if (!result->contradiction.empty()) complain(source, game, *result);
            const std::size_t print = fingerprint(game, *result);
            if (print != 0 && !seen_.insert(print).second) {
                ++list_.duplicates;
                if (leaves_out_duplicates_) continue;
            }
            add(*result);
        }
    }

    [[nodiscard]] stats::GameList take() {
        list_.programs = programs_.names();
        list_.note = fmt::format("{} games, {}", list_.games.size(), pairing_.how());
        const std::int64_t single =
            static_cast<std::int64_t>(list_.games.size()) - 2 * pairing_.pairs();
        if (single > 0) list_.note += fmt::format("; {} without a partner", single);
        if (list_.unfinished > 0) {
            list_.note +=
                fmt::format("; {} without a result or two names, left out", list_.unfinished);
        }
        if (list_.duplicates > 0 && leaves_out_duplicates_) {
            list_.note += fmt::format("; {} left out", counted(list_.duplicates, "duplicate"));
        }
        return std::move(list_);
    }

private:
    void add(const openings::PgnResult& result) {
        stats::ListedGame listed;
        listed.first = programs_(result.first);
        listed.second = programs_(result.second);
        listed.half_points = result.half_points;
        if (!result.opening.empty()) {
            listed.opening = static_cast<std::int64_t>(opening_numbers_(result.opening));
        }
        pairing_.add(list_, listed, result.opening, result.round);
    }

    void complain(const Source& source, const openings::PgnGame& game,
                  const openings::PgnResult& result) {
        if (list_.warnings.size() >= kMostWarnings) return;
        constexpr std::array<std::string_view, 3> kWords{"0-1", "1/2-1/2", "1-0"};
        Diagnostic warning = source.at(
            {game.result_offset, game.result_offset + game.result.size()},
            fmt::format("the Result tag says {}, the marker after the moves {}: the tag counts",
                        kWords.at(static_cast<std::size_t>(result.half_points)),
                        result.contradiction));
        warning.is_warning = true;
        list_.warnings.push_back(std::move(warning));
    }

    bool leaves_out_duplicates_;
    stats::GameList list_;
    stats::Numbering programs_;
    stats::Numbering opening_numbers_;
    stats::GamePairing pairing_;
    std::unordered_set<std::size_t> seen_;
};

}  // namespace

stats::GameList games_of_pgn(const std::vector<PgnText>& files, bool leaves_out_duplicates) {
    PgnGames games(leaves_out_duplicates);
    for (const PgnText& file : files) games.add(file);
    return games.take();
}

}  // namespace assay::cli
