// What RunnerScreen prints of results, after games and at the end.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/match/tally.h"
#include "harness/tournament/runner_knockout.h"
#include "reports/dropin/runner_screen.h"

namespace assay::reports::dropin {

namespace {

constexpr std::string_view kResultDashes = "--------------------------------------------------";

/// The value of an option as the engine has it: as it was set last, else as it declares it. Empty
/// where it has none.
std::string option_value(const adapters::Identity& identity,
                         const std::vector<std::pair<std::string, std::string>>& set,
                         std::string_view name) {
    const auto is_it = [name](const std::string& known) {
        return equal_ignoring_case(known, name);
    };
    const auto& names = identity.option_names;
    const auto found = std::ranges::find_if(names, is_it);
    if (found == names.end()) return "";
    for (auto option = set.rbegin(); option != set.rend(); ++option)
        if (is_it(option->first)) return option->second;
    const auto index = static_cast<std::size_t>(found - names.begin());
    const auto& values = identity.option_values;
    return index < values.size() ? values[index] : "";
}

}  // namespace

void RunnerScreen::print_results(const harness::GameRecord& game) {
    if (is_cutechess()) {
        print_cutechess_results();
        return;
    }
    const bool is_last = games_over_ == settings_.games;
    const std::int64_t pair = (game.number - 1) / 2 + 1;
    const std::int64_t index = settings_.has_pairs ? pair : games_over_;
    if (is_last || games_over_ % settings_.score_interval == 0) print_score(game.match);
    const bool is_complete = !settings_.has_pairs || is_pair_over_;
    if (is_last || (is_complete && index % settings_.rating_interval == 0)) print_block(game.match);
    const harness::ResultCounts& counts = counts_of(game.match);
    if (!settings_.sprt || !is_pair_over_ || counts.games() == 0) return;
    const double llr = settings_.sprt->llr(counts);
    is_decided_ = llr >= settings_.sprt->upper() || llr <= settings_.sprt->lower();
}

void RunnerScreen::print_score(std::size_t match) {
    if (!settings_.has_cutechess_lines) return;
    const std::vector<std::string> names = names_of(match);
    print_(score_line(names.at(0), names.at(1), counts_of(match)));
}

EngineFacts RunnerScreen::facts_of(std::size_t number) const {
    const Engine& engine = engines_.at(number);
    const auto value = [&](std::string_view name, std::string_view unit) {
        const std::string text = option_value(engine.identity, engine.options, name);
        return text.empty() ? std::string("NULL") : text + std::string(unit);
    };
    return {engine.name, clock_text(engine.time), value("Threads", "t"), value("Hash", "MB")};
}

std::vector<RankedEngine> RunnerScreen::ranked() const {
    std::vector<RankedEngine> lines;
    for (std::size_t i = 0; i < engines_.size(); ++i) {
        RankedEngine& line = lines.emplace_back(engines_[i].failures);
        line.name = engines_[i].name;
        // cutechess-cli counts games, and with pairs single ones do not count in fastchess.
        line.counts = is_cutechess() ? board_.sides(i).all() : board_.of(i);
    }
    return lines;
}

/// fastchess's: of two engines a block of their results, of more a table of all.
void RunnerScreen::print_block(std::size_t match) {
    const bool is_cute = settings_.has_cutechess_lines;
    if (!is_of_two()) {
        const std::string table =
            fastchess_ranking(ranked(), settings_.has_pairs && !is_cute, !is_cute);
        const std::string line(kResultDashes);
        print_(is_cute ? table : line + "\n" + table + "\n" + line);
        return;
    }
    const harness::ResultCounts& counts = counts_of(match);
    if (!is_cute) {
        print_(results_block({facts_of(0), facts_of(1), settings_.book, settings_.has_pairs, counts,
                              settings_.sprt}));
        return;
    }
    print_(elo_difference_line(counts));
    if (settings_.sprt) print_(sprt_line(*settings_.sprt, counts));
}

void RunnerScreen::print_cutechess_results() {
    if (is_of_two()) print_(score_line(engines_[0].name, engines_[1].name, board_.sides(0).all()));
    const auto is_due = [this](std::int64_t interval) {
        return interval > 0 && games_over_ % interval == 0;
    };
    if (is_due(settings_.rating_interval)) print_ranking();
    if (is_due(settings_.outcome_interval)) print_outcomes();
    if (!settings_.sprt || !is_pair_over_) return;
    const double llr = settings_.sprt->llr(board_.between(0, 1));
    is_decided_ = llr >= settings_.sprt->upper() || llr <= settings_.sprt->lower();
}

void RunnerScreen::print_ranking() {
    const ClassicSprt* const sprt = settings_.sprt ? &*settings_.sprt : nullptr;
    if (played_) {
        print_(knockout());
    } else if (is_of_two()) {
        const rules::GameInfo& info = rules_->info();
        print_(cutechess_ranking(engines_[0].name, {info.players.at(0), info.players.at(1)},
                                 board_.sides(0), sprt));
    } else {
        print_(cutechess_table(ranked(), settings_.result_fields, settings_.gauntlet_seeds) + "\n" +
               cutechess_sprt_line(sprt, {}));
    }
}

void RunnerScreen::print_outcomes() {
    print_("");
    for (const Engine& engine : engines_) print_(cutechess_outcomes(engine.name, engine.outcomes));
}

std::string RunnerScreen::knockout() const {
    const auto tournament = harness::make_tournament(*setup_, played_->complete());
    std::vector<BracketTie> ties;
    std::string warnings;
    for (const harness::Tie& tie : tournament->ties()) {
        BracketTie& shown = ties.emplace_back();
        shown.round = tie.round;
        shown.first = engines_.at(tie.better).name;
        if (tie.winner) shown.winner = engines_.at(*tie.winner).name;
        if (!tie.worse) continue;
        shown.second = engines_.at(*tie.worse).name;
        if (tie.is_level)
            warnings += fmt::format(
                "Warning: {} and {} were still level after {} replays: {} goes on by its rank\n",
                shown.first, *shown.second, harness::RunnerKnockout::kMostReplays, *shown.winner);
        for (const harness::MeetingResult& result : played_->begun()) {
            if (result.key().couple() !=
                harness::MeetingResult{tie.better, *tie.worse, 0, {}, 0}.key().couple())
                continue;
            shown.first_half_points += result.half_points(tie.better);
            shown.second_half_points += result.half_points(*tie.worse);
        }
    }
    return warnings + knockout_tree(ties);
}

void RunnerScreen::on_match_end(std::size_t match, const harness::MatchTally& tally) {
    using harness::Verdict;
    const bool is_over =
        tally.verdict() == Verdict::Accepted || tally.verdict() == Verdict::Rejected;
    if (is_cutechess() || !settings_.sprt || !is_over) return;
    print_score(match);
    print_block(match);
    print_(settings_.has_cutechess_lines
               ? "Tournament finished"
               : sprt_end_line(*settings_.sprt, tally.verdict() == Verdict::Accepted));
}

void RunnerScreen::print_end() {
    if (engines_.empty()) return;
    if (is_cutechess()) {
        const auto was_printed = [this](std::int64_t interval) {
            return interval > 0 && games_over_ > 0 && games_over_ % interval == 0;
        };
        if (!was_printed(settings_.rating_interval)) print_ranking();
        if (!was_printed(settings_.outcome_interval)) print_outcomes();
        return;
    }
    if (settings_.has_cutechess_lines) return;
    const auto has_failed = [](const Engine& engine) {
        return engine.timeouts + engine.crashes > 0;
    };
    if (std::ranges::none_of(engines_, has_failed)) return;
    print_("");
    for (const Engine& engine : engines_)
        if (has_failed(engine)) print_(player_lines(engine.name, engine.timeouts, engine.crashes));
    print_("");
}

}  // namespace assay::reports::dropin
