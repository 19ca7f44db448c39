#include "reports/web/run_page.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/number_text.h"
#include "reports/web/opening_groups.h"
#include "reports/web/page/assets.h"
#include "reports/web/run_parts.h"
#include "reports/web/tournament/tournament_section.h"

namespace assay::reports::web {

namespace {

using harness::GameRecord;
using harness::PairDigest;

/// The moves of so many games of a match are read; more would take seconds and change no median.
constexpr std::int64_t kSurveyedGames = 3000;

/// Numbers of the games to look into: all, or as many spread evenly, both games of a pair together.
std::vector<std::pair<std::int64_t, int>> surveyed(const std::vector<PairDigest>& pairs) {
    std::vector<std::pair<std::int64_t, int>> counted_pairs;
    for (const PairDigest& pair : pairs)
        if (pair.state == harness::PairState::Counted)
            counted_pairs.emplace_back(pair.pair, pair.category());
    const std::size_t most = kSurveyedGames / 2;
    if (counted_pairs.size() <= most) return counted_pairs;
    std::vector<std::pair<std::int64_t, int>> out;
    for (std::size_t i = 0; i < most; ++i)
        out.push_back(counted_pairs[i * counted_pairs.size() / most]);
    return out;
}

MatchPage match_page(const RunView& view, std::size_t index, const harness::Store& store) {
    MatchPage page;
    page.index = index;
    page.view = &view.matches[index];
    page.suffix = index == 0 ? "" : fmt::format("-{}", index + 1);
    const harness::MatchPlan& plan = page.tally().plan();
    page.plan = &plan;
    for (const std::size_t program : std::array<std::size_t, 2>{0, 1})
        page.names[program] = printable_utf8(program_name(view.run, plan, program));
    page.sides = side_names(plan);
    page.pairs = store.pairs(view.run.id, index);
    page.facts = facts_of(page.tally(), page.pairs);
    page.figures = figures_of(page.tally());
    page.estimates = estimates_of(page.tally());
    page.test = test_state(page.tally());
    const GameReader read = [&store, &view, index](std::int64_t number) {
        return store.game(view.run.id, index, number);
    };
    const std::unique_ptr<rules::Game> rules = harness::game_of(plan);
    page.survey = MoveSurvey(scale_of(rules->info()));
    OpeningGroups openings(page, *rules);
    for (const auto& [pair, category] : surveyed(page.pairs)) {
        for (const int game : {0, 1}) {
            const auto record = store.game_of(view.run.id, index, pair, game);
            if (!record) continue;
            page.survey.add(*record);
            openings.add(*record, category);
        }
    }
    openings.finish(read);
    page.games = games_of_interest(view.run, page.tally(), page.pairs, page.survey, read);
    add_opening_games(page, read);
    return page;
}

/// Whether the boards of a match are drawn with symbols of pieces.svg.
bool has_pictures(const harness::MatchPlan& plan) {
    const auto game = harness::game_of(plan);
    const auto board = board_of(*game, *game->start());
    return board && !board->pieces.empty();
}

void add_links(Values& page, const RunView& view) {
    const auto add = [&](std::string to, std::string label) {
        Values link;
        link.set("to", "#" + std::move(to)).set("label", std::move(label));
        page.lists["links"].push_back(link);
    };
    if (!page.lists["has_games"].empty()) add("in-play", "Games in play");
    if (!page.lists["warned"].empty()) add("warnings", "Warnings");
    if (view.tournament != nullptr)
        for (const auto& [id, label] : tournament_links(*view.tournament)) add(id, label);
    const bool is_played = !view.matches.empty() && view.tournament == nullptr;
    if (is_played) {
        add("test", "Test");
        add("pairs", "Pairs");
        add("ends", "Ends");
        add("time", "Time");
        add("openings", "Openings");
    }
    if (view.suite != nullptr) add("suite", "Suite");
    if (is_played) add("diag", "Diagnostics");
    add("again", "Reproduce");
    if (!page.lists["listed"].empty()) add("games", "Games");
    if (!page.lists["board"].empty()) add("game", "Board");
}

void add_forms(Values& page, const RunView& view) {
    for (const std::string_view format : {"json", "junit", "markdown", "csv"}) {
        Values form;
        form.set_command("command", fmt::format("assay report {} --format {}{}", view.run.id,
                                                format, store_flag(view.store_path)));
        form.show("last", format == "csv");
        page.lists["forms"].push_back(form);
    }
}

std::set<std::size_t> couples_of(const std::vector<MatchPage>& matches) {
    std::set<std::size_t> couples;
    for (const MatchPage& match : matches) couples.insert(match.index);
    return couples;
}

/// "assay gate": the first two words of the command.
std::string command_of(const harness::RunRecord& run) {
    const std::vector<std::string_view> words = split_words(run.command_line);
    if (words.size() < 2 || words[0] != "assay") return "assay";
    return fmt::format("assay {} · {}", printable_utf8(words[1]), run.name);
}

}  // namespace

std::string run_page(const RunView& view, const harness::Store& store, const PageOptions& options) {
    const TournamentView* const tournament = view.tournament;
    std::vector<MatchPage> matches;
    for (std::size_t i = 0; i < view.matches.size() && tournament == nullptr; ++i)
        matches.push_back(match_page(view, i, store));
    Values page;
    page.set("run", fmt::format("{}", view.run.id)).set("version", view.run.assay_version);
    page.set("ran", command_of(view.run));
    const long long when = view.run.ended_us > 0 ? view.run.ended_us : view.run.started_us;
    page.set("when", fmt::format("{}, {}", time_text_utc(when), harness::name_of(view.run.state)));
    page.set("style", std::string(asset("style.css")));
    page.set("script", std::string(asset("page.js")) + std::string(asset("run.js")) +
                           (options.is_live ? std::string(asset("live.js")) : ""));
    const bool is_live = options.is_live && view.run.state == harness::RunState::Running;
    page.show("live", is_live);
    page.set("live_games", is_live ? options.games : "");
    page.set("now", fmt::format("{}", options.now_us / 1000));
    page.show("has_games", is_live && !options.games.empty());
    if (!matches.empty()) {
        Values between;
        between.set("first", matches[0].names[0]).set("second", matches[0].names[1]);
        page.lists["between"] = {between};
    }
    const std::vector<MatchPage> couples =
        tournament != nullptr ? tournament_games(view, store) : std::vector<MatchPage>();
    page.show("played", !matches.empty());
    page.show("listed", !matches.empty() || !couples.empty());
    page.show("figured", !matches.empty() || view.tournament != nullptr);
    if (tournament != nullptr) {
        add_tournament_head(page, *tournament);
        add_gate_part(page, view);
        page.set("tournament", tournament_sections(*tournament, couples_of(couples)));
    } else {
        add_verdict(page, view, matches);
        page.set("tournament", "");
    }
    page.set("title", fmt::format("{} (run {})", page.text["headline"], view.run.id));
    add_warnings(page, view);
    for (const MatchPage& match : matches)
        page.lists["matches"].push_back(match_values(view, match));
    add_suite(page, view);
    add_diagnostics(page, matches, view.run);
    add_machines(page, matches, view.run);
    add_environment(page, view);
    add_games(page, view, tournament != nullptr ? couples : matches);
    if (is_live && std::ranges::any_of(view.run.plan.matches, has_pictures))
        page.set("pieces", std::string(asset("pieces.svg")));
    add_links(page, view);
    add_forms(page, view);
    return filled(asset("run.mustache"), page);
}

}  // namespace assay::reports::web
