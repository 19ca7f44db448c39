// The games of a tournament that its page lists: some of each two programs, so that a cell of the
// crosstable leads to boards. A page with all games of many programs would be too large to open.
#include <algorithm>
#include <tuple>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/plan/plan.h"
#include "reports/view/number_text.h"
#include "reports/web/run_parts.h"
#include "reports/web/tournament/tournament_charts.h"

namespace assay::reports::web {

namespace {

using harness::GameDigest;
using harness::PairDigest;

constexpr std::size_t kMostGames = 240;
constexpr std::size_t kMostOfCouple = 8;

struct Candidate {
    std::int64_t pair = 0;
    int place = 0;  // of the game in its pair
    const GameDigest* game = nullptr;
};

std::string winner_text(const MatchPage& match, const GameDigest& game) {
    const int winner = game.scores.winner();
    if (winner < 0) return "drawn";
    const int program = game.program[static_cast<std::size_t>(winner)];
    return "won by " + match.names.at(static_cast<std::size_t>(program));
}

/// Failures first, then games with a winner, then draws; in each the earliest.
std::vector<Candidate> listed(const std::vector<PairDigest>& pairs, std::size_t most) {
    std::vector<Candidate> games;
    for (const PairDigest& pair : pairs) {
        if (pair.state != harness::PairState::Counted) continue;
        int place = 0;
        for (const GameDigest& game : pair.played()) games.push_back({pair.pair, place++, &game});
    }
    const auto order = [](const Candidate& one) {
        return std::tuple(one.game->guilty < 0, one.game->scores.winner() < 0, one.game->number);
    };
    std::ranges::stable_sort(games, {}, order);
    if (games.size() > most) games.resize(most);
    return games;
}

MatchPage couple_page(const RunView& view, std::size_t index) {
    MatchPage page;
    page.index = index;
    page.plan = &view.run.plan.matches.at(index);
    for (std::size_t program = 0; program < page.names.size(); ++program)
        page.names[program] = printable_utf8(program_name(view.run, *page.plan, program));
    page.sides = side_names(*page.plan);
    page.name = page.names[0] + " – " + page.names[1];
    try {
        page.survey = MoveSurvey(scale_of(harness::game_of(*page.plan)->info()));
    } catch (const Error&) {
        // A game whose rules this version does not know is listed without a board.
    }
    return page;
}

}  // namespace

std::vector<MatchPage> tournament_games(const RunView& view, const harness::Store& store) {
    const TournamentView& tournament = *view.tournament;
    std::vector<std::size_t> couples;
    for (std::size_t row = 0; row < tournament.rows.size(); ++row) {
        for (std::size_t other = row + 1; other < tournament.rows.size(); ++other) {
            if (tournament.between(row, other).games() == 0) continue;
            const std::size_t match = match_between(tournament, row, other);
            if (match < view.run.plan.matches.size()) couples.push_back(match);
        }
    }
    if (couples.size() > kMostGames) couples.resize(kMostGames);
    const std::size_t most =
        couples.empty() ? 0
                        : std::clamp<std::size_t>(kMostGames / couples.size(), 1, kMostOfCouple);
    std::vector<MatchPage> pages;
    for (const std::size_t match : couples) {
        MatchPage page = couple_page(view, match);
        const std::vector<PairDigest> pairs = store.pairs(view.run.id, match);
        for (const Candidate& one : listed(pairs, most)) {
            auto game = store.game_of(view.run.id, match, one.pair, one.place);
            if (!game) continue;
            page.survey.add(*game);
            const bool is_failure = one.game->guilty >= 0;
            const std::string won = winner_text(page, *one.game);
            page.games.push_back({std::move(*game),
                                  is_failure ? std::string(harness::name_of(one.game->termination))
                                  : won == "drawn" ? "drawn"
                                                   : "won",
                                  is_failure ? ended_text(one.game->termination) + ", " + won : won,
                                  page.survey.marks().back()});
        }
        if (!page.games.empty()) pages.push_back(std::move(page));
    }
    return pages;
}

}  // namespace assay::reports::web
