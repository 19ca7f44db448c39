#include "reports/web/live_games.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/match_setting.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"
#include "reports/web/charts/charts.h"
#include "reports/web/charts/game_pack.h"
#include "reports/web/page/assets.h"
#include "reports/web/page/template.h"
#include "rules/game.h"

namespace assay::reports::web {

namespace {

using harness::LiveGame;
using harness::LivePlayer;

constexpr std::size_t kMovesOfOne = 40;  // plies, under a large board
constexpr std::size_t kMovesOfMany = 6;
/// Each board takes a millisecond; of more games there is a table.
constexpr std::size_t kMostBoards = 64;
/// A run writes fewer; a file from elsewhere may have any number.
constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kMostPlies = 4096;  // that are played; no real game has more

/// The game with its moves in canonical notation. A move that the rules refuse ends it.
harness::GameRecord record_of(const rules::Game& rules, const LiveGame& game) {
    harness::GameRecord record;
    record.start = game.start;
    std::vector<std::string_view> names = split_words(game.moves);
    names.resize(std::min(names.size(), kMostPlies));
    if (!game.has_text_moves) {
        record.opening.assign(names.begin(), names.end());
        return record;
    }
    std::unique_ptr<rules::Position> position =
        game.start.empty() ? rules.start() : rules.parse(game.start);
    for (const std::string_view name : names) {
        const auto move = position->move_of(name, rules::Notation::Text);
        if (!move || position->to_move() == rules::kNobody) break;
        record.opening.push_back(position->name_of(*move, rules::Notation::Canonical));
        position->make(*move);
    }
    return record;
}

/// "34… d5 35. Qd2": the last `most` plies.
std::string last_moves(const PackedGame& packed, std::size_t most) {
    const std::size_t plies = packed.names.size();
    const std::size_t from = plies > most ? plies - most : 0;
    std::string text;
    for (std::size_t ply = from; ply < plies; ++ply) {
        if (!text.empty()) text += ' ';
        if (packed.players[ply] == packed.first_player) {
            text += fmt::format("{}. ", packed.numbers[ply]);
        } else if (ply == from) {
            text += fmt::format("{}… ", packed.numbers[ply]);
        }
        text += packed.names[ply];
    }
    return text;
}

/// When the running clock of a player is at zero, by the wall clock, in microseconds.
long long end_of_clock(const harness::LiveState& state, const LiveGame& game, std::size_t player) {
    return state.epoch_us + game.turn.count() + game.players[player].clock->count();
}

class Writer {
public:
    Writer(const harness::RunRecord& run, const harness::LiveState& state, long long now_us)
        : run_(run), state_(state), plan_(run.plan.matches.at(state.match)), now_us_(now_us) {
        for (const LiveGame& game : state.games) {
            const harness::MatchPlan& match = match_of(game);
            if (std::ranges::find(rules_, match.game, &Rules::first) == rules_.end())
                rules_.emplace_back(match.game, harness::game_of(match));
        }
    }

    [[nodiscard]] std::string text() const {
        const std::size_t count = shown_games();
        const bool is_one = count == 1;
        const bool are_drawn = !is_table();
        Values page;
        page.set("title", grouped(state_.at_once, "game") + " in play");
        page.set("css", is_one ? "one" : "many");
        page.set("caption", caption());
        page.show("drawn", are_drawn).show("listed", !are_drawn);
        for (std::size_t i = 0; i < count; ++i)
            page.lists["games"].push_back(
                are_drawn ? board_values(state_.games[i], is_one ? kMovesOfOne : kMovesOfMany)
                          : row_values(state_.games[i]));
        return filled(asset("live_games.mustache"), page);
    }

private:
    using Rules = std::pair<rules::GameSource, std::unique_ptr<rules::Game>>;

    [[nodiscard]] const rules::Game& rules_of(const LiveGame& game) const {
        return *std::ranges::find(rules_, match_of(game).game, &Rules::first)->second;
    }

    [[nodiscard]] bool is_table() const {
        return std::max(state_.games.size(),
                        static_cast<std::size_t>(std::max(0, state_.at_once))) > kMostBoards;
    }

    [[nodiscard]] std::size_t shown_games() const {
        return std::min(state_.games.size(), kMostRows);
    }

    [[nodiscard]] std::string caption() const {
        const auto shown = static_cast<int>(shown_games());
        std::string text = run_.plan.matches.size() > 1 && !run_.plan.tournament
                               ? fmt::format("Match {}. ", printable_utf8(plan_.name))
                               : "";
        if (shown < state_.at_once)
            text += fmt::format("The first {} of {}. ", grouped(shown), grouped(state_.at_once));
        text += "Scores are from each player’s own side, as said with its last move.";
        if (is_table()) {
            text += fmt::format(" There are boards of up to {} games at once.", kMostBoards);
        } else if (shown > 1) {
            text += " A game’s number makes its board large.";
        }
        return text;
    }

    /// Each game says its own: those of a tournament and the end of a match are played beside
    /// others.
    [[nodiscard]] const harness::MatchPlan& match_of(const LiveGame& game) const {
        const bool is_known = game.match < run_.plan.matches.size();
        return is_known ? run_.plan.matches[game.match] : plan_;
    }

    /// What a board and a row of the table have alike.
    [[nodiscard]] Values game_values(const LiveGame& game) const {
        const bool is_beside = !run_.plan.tournament && game.match != state_.match;
        Values values;
        values.set("slot", fmt::format("{}", game.slot + 1));
        values.set("number", grouped(game.number));
        values.set(
            "pair",
            fmt::format("{}pair {}{}",
                        is_beside ? "match " + printable_utf8(match_of(game).name) + ", " : "",
                        grouped(game.pair + 1), game.attempt > 0 ? ", played again" : ""));
        return values;
    }

    /// The moves are not played here: the last one is shown as it was written.
    [[nodiscard]] Values row_values(const LiveGame& game) const {
        Values values = game_values(game);
        const std::vector<std::string_view> names = split_words(game.moves);
        values.set("ply", grouped(static_cast<std::int64_t>(names.size())));
        values.set("last", names.empty() ? "" : printable_utf8(std::string(names.back())));
        for (std::size_t player = 0; player < game.players.size(); ++player)
            values.lists["players"].push_back(player_values(game, player));
        return values;
    }

    [[nodiscard]] Values board_values(const LiveGame& game, std::size_t most) const {
        PackedGame packed;
        try {
            packed = web::packed(rules_of(game), record_of(rules_of(game), game));
        } catch (const Error&) {
            // The start is no position of this game: the players are shown alone.
        }
        Values values = game_values(game);
        values.set("picture", board_picture(packed, packed.names.size(),
                                            fmt::format("Board of game {}", game.number)));
        values.set("moves", last_moves(packed, most));
        // The board is drawn from the first player's side.
        const std::size_t players = game.players.size();
        for (std::size_t player = 0; player < players; ++player) {
            const bool is_above = players == 2 && player == 1;
            values.lists[is_above ? "above" : "below"].push_back(player_values(game, player));
        }
        return values;
    }

    [[nodiscard]] Values player_values(const LiveGame& game, std::size_t player) const {
        const LivePlayer& shown = game.players[player];
        const rules::GameInfo& info = rules_of(game).info();
        const bool is_mover = static_cast<int>(player) == game.mover;
        Values values;
        const auto program = static_cast<std::size_t>(shown.program);
        const harness::MatchPlan& match = match_of(game);
        values.set("name", program < match.between.size()
                               ? printable_utf8(program_name(run_, match, program))
                               : "");
        values.set("side", player < info.players.size() ? info.players[player] : "");
        values.set("move", is_mover ? " mv" : "");
        const bool is_exact = shown.score && shown.score->bound == adapters::Score::Bound::Exact;
        std::string score = is_exact ? score_text(*shown.score, info.score_unit) : "";
        if (score.starts_with('-')) score.replace(0, 1, "−");  // of mates too
        values.set("score", std::move(score));
        values.set("depth", shown.depth ? fmt::format("depth {}", *shown.depth) : "");
        if (!shown.clock) return values;
        Values clock;
        Micros left = *shown.clock;
        if (is_mover && game.is_open) {
            const long long ends_us = end_of_clock(state_, game, player);
            clock.set("ends", fmt::format("{}", ends_us / 1000)).show("runs", true);
            left = std::min(left, Micros(ends_us - now_us_));
        }
        clock.set("text", clock_text(left));
        values.lists["clock"] = {clock};
        return values;
    }

    const harness::RunRecord& run_;
    const harness::LiveState& state_;
    const harness::MatchPlan& plan_;
    std::vector<Rules> rules_;  // of the games in play
    long long now_us_;
};

}  // namespace

std::string clock_text(Micros left) {
    constexpr long long kTenths = 20'000;
    const long long ms = std::max(0LL, static_cast<long long>(left.count())) / 1000;
    const long long seconds = ms / 1000;
    if (ms < kTenths) return fmt::format("0:{:02}.{}", seconds, ms / 100 % 10);
    if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string live_games(const harness::RunRecord& run, const harness::LiveState& state,
                       long long now_us) {
    if (state.run != run.id || state.match >= run.plan.matches.size() || state.games.empty())
        return "";
    return Writer(run, state, now_us).text();
}

}  // namespace assay::reports::web
