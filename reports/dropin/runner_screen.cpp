#include "reports/dropin/runner_screen.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/match/tally.h"
#include "reports/dropin/warnings.h"
#include "reports/files/pgn.h"

namespace assay::reports::dropin {

namespace {

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

int half_points_of(const harness::GameRecord& game, int program) {
    return static_cast<int>(2 * game.score_of(program));
}

/// As much of a stored game as its end needs.
harness::GameRecord end_of(const harness::GameDigest& game) {
    harness::GameRecord end;
    end.number = game.number;
    end.scores = game.scores;
    end.program = game.program;
    end.termination = game.termination;
    end.guilty = game.guilty;
    return end;
}

}  // namespace

RunnerScreen::RunnerScreen(ScreenSettings settings, Print print, Save save, Warned warned)
    : settings_(std::move(settings)),
      print_(std::move(print)),
      save_(std::move(save)),
      warned_(std::move(warned)),
      counts_(settings_.earlier),
      games_over_(settings_.earlier.games()) {
    if (settings_.pgn)
        pgn_ = std::make_unique<RunnerFile>(settings_.pgn_file, settings_.pgn_appends,
                                            settings_.has_crc);
    if (!settings_.epd_file.empty())
        epd_ = std::make_unique<RunnerFile>(settings_.epd_file, settings_.epd_appends, false);
}

RunnerScreen::~RunnerScreen() = default;

void RunnerScreen::on_match_start(const harness::RunRecord& run, std::size_t match,
                                  int /*concurrency*/) {
    const harness::MatchPlan& plan = run.plan.matches.at(match);
    rules_ = harness::game_of(plan);
    runner_ = plan.runner;
    time_.assign(plan.time.begin(), plan.time.end());
    engines_.clear();
    options_.clear();
    for (const std::size_t program : plan.between) {
        Engine& engine = engines_.emplace_back();
        engine.name = run.plan.programs.at(program).name;
        options_.push_back(run.plan.programs[program].options);
    }
}

void RunnerScreen::on_restored(const harness::MatchTally& tally,
                               const std::vector<harness::PairDigest>& pairs,
                               const std::vector<harness::GameRecord>& open) {
    // By (first game's, second game's) results: 3 * first + second, with loss 0, draw 1, win 2.
    for (int cell = 0; cell < std::ssize(tally.cells()); ++cell) {
        for (std::int64_t i = 0; i < tally.cells()[static_cast<std::size_t>(cell)]; ++i) {
            counts_.add_pair(cell / 3, cell % 3);
            sides_of(first_program(runner_.games_before + 1)).add_game(cell / 3);
            sides_of(first_program(runner_.games_before + 2)).add_game(cell % 3);
        }
    }
    games_over_ += tally.games();
    for (const harness::PairDigest& pair : pairs) {
        if (pair.state != harness::PairState::Counted) continue;
        for (const harness::GameDigest& game : pair.games) count_end(end_of(game));
    }
    for (const harness::GameRecord& game : open) {
        count(game);
        count_end(game);
    }
}

void RunnerScreen::on_program_start(int program, const adapters::Identity& identity) {
    Engine& engine = engines_.at(static_cast<std::size_t>(program));
    engine.identity = identity;
    if (settings_.runner == Runner::Cutechess) return;
    for (const adapters::OptionFault& fault : identity.option_faults)
        warn(fault.kind == adapters::OptionFault::Kind::Unknown
                 ? no_option(engine.name, fault.name)
                 : invalid_value(fault.name, fault.value));
}

int RunnerScreen::first_program(std::int64_t number) const {
    const std::int64_t index = (number - runner_.games_before - 1) % 2;
    const std::int64_t turn = (runner_.swaps_sides ? index : 0) + (runner_.begins_reversed ? 1 : 0);
    return static_cast<int>(turn % 2);
}

GameNames RunnerScreen::names_of(std::int64_t number, int first) const {
    return {number, engines_.at(static_cast<std::size_t>(first)).name,
            engines_.at(static_cast<std::size_t>(1 - first)).name};
}

void RunnerScreen::on_game_start(const harness::GameStarted& game) {
    if (is_decided_) return;
    print_(started_line(names_of(game.number, first_program(game.number)), settings_.games));
}

void RunnerScreen::on_game_end(const harness::GameRecord& game, bool /*is_void*/) {
    if (is_decided_) return;
    const bool ends_match = !settings_.recovers && harness::is_gone(game.termination);
    if (ends_match && settings_.runner == Runner::Fastchess)
        warn(
            fmt::format("Game {} stalled / disconnected and no recover option set for engine, "
                        "stopping tournament.",
                        game.number));
    warn_of_game(game);
    if (!ends_match || settings_.runner == Runner::Cutechess) write(game);
    print_(finished_line(names_of(game.number, game.program_of(0)), pgn_result(game),
                         reason_text(settings_.runner, rules_->info(), game)));
    count(game);
    count_end(game);
    print_results(game.pair);
    if (ends_match) is_decided_ = true;
    const std::int64_t autosave = settings_.autosave_interval;
    if (autosave > 0 && games_over_ % autosave == 0) save_(counts_);
}

void RunnerScreen::warn_of_game(const harness::GameRecord& game) {
    if (settings_.runner == Runner::Cutechess) return;
    std::vector<std::string> names;
    for (const Engine& engine : engines_) names.push_back(engine.name);
    for (const harness::MoveRecord& move : game.moves) {
        if (move.player < 0 || move.score) continue;
        const auto program = static_cast<std::size_t>(game.program_of(move.player));
        if (move.score_word == adapters::ScoreWord::Unsaid)
            warn(no_info_line(names.at(program)));
        else if (move.score_word == adapters::ScoreWord::Unreadable)
            warn(no_score(names.at(program), "Invalid score value"));
    }
    for (const std::string& text : game_warnings(game, names)) warn(text);
}

void RunnerScreen::write(const harness::GameRecord& game) {
    if (pgn_) {
        std::vector<RunnerPlayer> players;
        for (int player = 0; player < 2; ++player) {
            const auto program = static_cast<std::size_t>(game.program_of(player));
            const Engine& engine = engines_.at(program);
            players.push_back(
                {engine.name, engine.identity.name, engine.identity.author, time_.at(program)});
        }
        pgn_->write(runner_pgn(*settings_.pgn, *rules_, players, game));
    }
    if (epd_) epd_->write(final_epd(*rules_, game));
    if (pgn_ && settings_.has_crc) print_(crc_line(settings_.pgn_file, pgn_->crc_text()));
}

void RunnerScreen::count(const harness::GameRecord& game) {
    ++games_over_;
    const int half_points = half_points_of(game, 0);
    sides_of(game.program_of(0)).add_game(half_points);
    if (!settings_.has_pairs) counts_.add_game(half_points);
    const auto open = open_pairs_.find(game.pair);
    is_pair_over_ = open != open_pairs_.end();
    if (!is_pair_over_) {
        open_pairs_[game.pair] = half_points;
        return;
    }
    if (settings_.has_pairs) counts_.add_pair(open->second, half_points);
    open_pairs_.erase(open);
}

void RunnerScreen::count_end(const harness::GameRecord& game) {
    const std::string reason = reason_text(settings_.runner, rules_->info(), game);
    for (int player = 0; player < 2; ++player)
        ++engines_.at(static_cast<std::size_t>(game.program_of(player))).reasons[reason];
    if (game.guilty < 0) return;
    Engine& guilty = engines_.at(static_cast<std::size_t>(game.program_of(game.guilty)));
    if (game.termination == harness::Termination::Time) ++guilty.timeouts;
    if (harness::is_gone(game.termination)) ++guilty.crashes;
}

void RunnerScreen::print_results(std::int64_t pair) {
    if (settings_.runner == Runner::Cutechess) {
        print_cutechess_results();
        return;
    }
    const bool is_last = games_over_ == settings_.games;
    const std::int64_t pairs_before = runner_.games_before / 2;
    const std::int64_t index = settings_.has_pairs ? pair + pairs_before + 1 : games_over_;
    if (is_last || games_over_ % settings_.score_interval == 0) print_score();
    const bool is_complete = !settings_.has_pairs || is_pair_over_;
    if (is_last || (is_complete && index % settings_.rating_interval == 0)) print_block();
    if (!settings_.sprt || !is_pair_over_ || counts_.games() == 0) return;
    const double llr = settings_.sprt->llr(counts_);
    is_decided_ = llr >= settings_.sprt->upper() || llr <= settings_.sprt->lower();
}

void RunnerScreen::print_score() {
    if (!settings_.has_cutechess_lines) return;
    print_(score_line(engines_[0].name, engines_[1].name, counts_));
}

EngineFacts RunnerScreen::facts_of(std::size_t program) const {
    const Engine& engine = engines_.at(program);
    const auto value = [&](std::string_view name, std::string_view unit) {
        const std::string text = option_value(engine.identity, options_.at(program), name);
        return text.empty() ? std::string("NULL") : text + std::string(unit);
    };
    return {engine.name, clock_text(time_.at(program)), value("Threads", "t"), value("Hash", "MB")};
}

ResultsView RunnerScreen::results() const {
    return {facts_of(0), facts_of(1), settings_.book, settings_.has_pairs, counts_, settings_.sprt};
}

void RunnerScreen::print_block() {
    if (!settings_.has_cutechess_lines) {
        print_(results_block(results()));
        return;
    }
    print_(elo_difference_line(counts_));
    if (settings_.sprt) print_(sprt_line(*settings_.sprt, counts_));
}

void RunnerScreen::print_cutechess_results() {
    print_(score_line(engines_[0].name, engines_[1].name, counts_));
    const auto is_due = [this](std::int64_t interval) {
        return interval > 0 && games_over_ % interval == 0 && games_over_ < settings_.games;
    };
    const rules::GameInfo& info = rules_->info();
    const ClassicSprt* const sprt = settings_.sprt ? &*settings_.sprt : nullptr;
    if (is_due(settings_.rating_interval))
        print_(cutechess_ranking(engines_[0].name, engines_[1].name,
                                 {info.players.at(0), info.players.at(1)}, sides_, sprt));
    if (is_due(settings_.outcome_interval))
        for (const Engine& engine : engines_)
            print_(cutechess_outcomes(engine.name, engine.reasons));
    if (sprt == nullptr || !is_pair_over_) return;
    const double llr = sprt->llr(counts_);
    is_decided_ = llr >= sprt->upper() || llr <= sprt->lower();
}

void RunnerScreen::on_match_end(std::size_t /*match*/, const harness::MatchTally& tally) {
    using harness::Verdict;
    const bool is_over =
        tally.verdict() == Verdict::Accepted || tally.verdict() == Verdict::Rejected;
    if (settings_.runner == Runner::Cutechess || !settings_.sprt || !is_over) return;
    print_score();
    print_block();
    print_(settings_.has_cutechess_lines
               ? "Tournament finished"
               : sprt_end_line(*settings_.sprt, tally.verdict() == Verdict::Accepted));
}

void RunnerScreen::print_end() {
    if (engines_.empty()) return;
    if (settings_.runner == Runner::Cutechess) {
        if (sides_.all().games() == 0) return;
        const rules::GameInfo& info = rules_->info();
        print_(cutechess_ranking(engines_[0].name, engines_[1].name,
                                 {info.players.at(0), info.players.at(1)}, sides_,
                                 settings_.sprt ? &*settings_.sprt : nullptr));
        for (const Engine& engine : engines_)
            print_(cutechess_outcomes(engine.name, engine.reasons));
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

void RunnerScreen::on_pv_finding(const harness::PvFinding& finding) {
    if (is_decided_ || settings_.runner == Runner::Cutechess) return;
    if (needs_check_mate_pvs(finding.flaw) && !settings_.checks_mate_pvs) return;
    std::vector<std::string> names;
    for (const Engine& engine : engines_) names.push_back(engine.name);
    warn(pv_warning(finding, names, *rules_, settings_.is_test ? Parts::OneLine : Parts::Lines));
}

void RunnerScreen::warn(const std::string& text) {
    print_(text);
    warned_();
}

}  // namespace assay::reports::dropin
