#include "reports/text/match/failed_games.h"

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostGames = 5;

/// Up to `most` lines of a text in quotes, under each other behind `title`.
std::string indented(std::string_view title, std::string_view rest, int most,
                     std::string_view quote) {
    std::string text;
    for (int lines = 0; lines < most && !rest.empty(); ++lines) {
        const std::string line = printable_utf8(trim(take_line(rest)));
        const std::string before = lines == 0 ? std::string(title) : std::string(title.size(), ' ');
        if (!line.empty()) {
            text += fmt::format("    {}{}{}{}\n", before, quote, shortened(line, 200), quote);
        }
    }
    return text;
}

/// At most `count` lines from the end of the text.
std::string_view last_lines_of(std::string_view text, int count) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    std::size_t begin = text.size();
    for (int i = 0; i < count && begin != std::string_view::npos; ++i) {
        begin = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    }
    return begin == std::string_view::npos ? text : text.substr(begin + 1);
}

}  // namespace

std::string failed_game_text(const harness::RunRecord& run, const FailedGame& game,
                             const std::string& store) {
    const std::string what = game.reason.empty() ? fmt::format("{}: {}", game.program,
                                                               harness::words_of(game.termination))
                                                 : game.reason;
    // A tournament has many games of one number.
    const harness::MatchPlan& plan = run.plan.matches.at(game.match);
    const std::string meeting = run.plan.tournament
                                    ? printable_utf8(program_name(run, plan, 0) + " against " +
                                                     program_name(run, plan, 1) + ", ")
                                    : "";
    const bool is_of_games = run.plan.tournament && run.plan.tournament->games == 1;
    const std::string place = is_of_games ? ""
                                          : fmt::format(" (pair {}, {} game)", game.pair + 1,
                                                        game.game == 0 ? "first" : "second");
    std::string text = fmt::format("  {}game {}{}, ply {}: {}\n", meeting, game.number, place,
                                   game.ply, printable_utf8(what));
    // The position and the command that started the search.
    text += indented("after ", game.last_command, 2, "'");
    text += indented("it had said: ", last_lines_of(game.last_lines, 4), 4, "");
    return text + fmt::format("    again: {}\n", replay_command(run, game, store));
}

std::string failed_games_text(const RunView& view, std::span<const MatchView> matches) {
    std::string text;
    std::size_t games = 0;
    for (const MatchView& match : matches) {
        for (const FailedGame& game : match.failed) {
            if (games++ < kMostGames) text += failed_game_text(view.run, game, view.store_path);
        }
    }
    if (games > kMostGames) text += fmt::format("  and {} more\n", games - kMostGames);
    return text;
}

}  // namespace assay::reports
