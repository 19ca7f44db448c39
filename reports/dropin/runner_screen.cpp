#include "reports/dropin/runner_screen.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/match/tally.h"
#include "harness/record/unsaved_games.h"
#include "reports/dropin/file_tail.h"
#include "reports/dropin/warnings.h"
#include "reports/files/pgn.h"
#include "reports/view/number_text.h"

namespace assay::reports::dropin {

namespace {

/// As much of a stored game as its end needs.
harness::GameRecord end_of(std::size_t match, const harness::GameDigest& game) {
    harness::GameRecord end;
    end.match = match;
    end.number = game.number;
    end.scores = game.scores;
    end.program = game.program;
    end.termination = game.termination;
    end.guilty = game.guilty;
    return end;
}

int half_points_of(const harness::GameRecord& game, int program) {
    return static_cast<int>(2 * game.score_of(program));
}

}  // namespace

RunnerScreen::RunnerScreen(ScreenSettings settings, Print print, Save save, Warned warned)
    : settings_(std::move(settings)),
      print_(std::move(print)),
      save_(std::move(save)),
      warned_(std::move(warned)),
      games_over_(settings_.earlier.games()) {
    if (settings_.pgn)
        pgn_ = std::make_unique<RunnerFile>(settings_.pgn_file, RunnerFile::Kind::Pgn,
                                            settings_.pgn_appends, settings_.has_crc);
    if (!settings_.epd_file.empty())
        epd_ = std::make_unique<RunnerFile>(settings_.epd_file, RunnerFile::Kind::Epd,
                                            settings_.epd_appends, false);
}

RunnerScreen::~RunnerScreen() = default;

std::size_t RunnerScreen::engine_of(std::size_t match, int program) const {
    const auto number = static_cast<std::size_t>(program);
    return between_.empty() ? number : between_.at(match).at(number);
}

std::vector<std::string> RunnerScreen::names_of(std::size_t match) const {
    return {engines_.at(engine_of(match, 0)).name, engines_.at(engine_of(match, 1)).name};
}

GameNames RunnerScreen::names_of(const harness::GameRecord& game) const {
    const std::vector<std::string> names = names_of(game.match);
    const auto first = static_cast<std::size_t>(game.program_of(0));
    return {game.number, names.at(first), names.at(1 - first)};
}

harness::ResultCounts& RunnerScreen::counts_of(std::size_t match) {
    return board_.between(engine_of(match, 0), engine_of(match, 1));
}

void RunnerScreen::begin(const harness::RunRecord& run, const harness::MatchPlan& plan,
                         const std::vector<std::size_t>& programs) {
    rules_ = harness::game_of(plan);
    engines_.clear();
    for (const std::size_t program : programs) {
        Engine& engine = engines_.emplace_back();
        engine.name = run.plan.programs.at(program).name;
        engine.options = run.plan.programs[program].options;
    }
    board_ = Scoreboard(engines_.size());
}

void RunnerScreen::on_match_start(const harness::RunRecord& run, std::size_t match,
                                  int concurrency) {
    const harness::MatchPlan& plan = run.plan.matches.at(match);
    begin(run, plan, {plan.between.begin(), plan.between.end()});
    for (std::size_t i = 0; i < engines_.size(); ++i) engines_[i].time = plan.time.at(i);
    board_.between(0, 1) = settings_.earlier;
    cut_unstored(run, concurrency);
}

void RunnerScreen::on_tournament_start(const harness::RunRecord& run,
                                       const harness::TournamentState& state, int concurrency) {
    begin(run, run.plan.matches.front(), state.setup.programs);
    for (std::size_t i = 0; i < engines_.size(); ++i)
        engines_[i].time = run.plan.tournament->time.at(i);
    for (const harness::MatchPlan& match : run.plan.matches) between_.push_back(match.between);
    setup_ = state.setup;
    if (setup_->kind == harness::TournamentKind::Knockout) played_.emplace(setup_->size());
    cut_unstored(run, concurrency);
}

void RunnerScreen::cut_unstored(const harness::RunRecord& run, int concurrency) {
    const auto begin_of = [&run](const std::unique_ptr<RunnerFile>& file, const std::string& name) {
        const auto begin = file ? run.findings.begin_in(name) : std::nullopt;
        return begin && file->size() > *begin ? begin : std::nullopt;
    };
    const auto pgn = begin_of(pgn_, settings_.pgn_file);
    const auto epd = begin_of(epd_, settings_.epd_file);
    if (!settings_.stored_games || (!pgn && !epd)) return;
    RunnerPgnOptions options;
    options.runner = settings_.runner;
    if (settings_.pgn) options = *settings_.pgn;
    // A tie of a knockout may have any number of games in one round.
    const bool is_knockout = setup_ && setup_->kind == harness::TournamentKind::Knockout;
    const std::int64_t games = settings_.games_an_encounter;
    FileTail tail(options, *rules_, is_knockout ? 0 : settings_.swaps ? (games + 1) / 2 : games);
    for (const Engine& engine : engines_) tail.add_player(engine.name);
    settings_.stored_games(run, [&](const harness::GameRecord& game) {
        tail.add_game(players_of(game), game, setup_ ? 0 : round_of(game));
    });
    const auto reader_of = [](const RunnerFile& file) {
        return [&file](std::uint64_t at, std::size_t size) { return file.read_at(at, size); };
    };
    std::vector<std::string> positions;
    if (pgn) {
        // Half of these at most: what waited for the store, and both games of each pair in play.
        const auto most =
            static_cast<std::size_t>(4 * harness::most_unsaved_games(std::max(1, concurrency)));
        const FoundTail found =
            tail.pgn_tail(FileParts(reader_of(*pgn_), *pgn, FileTail::kBegin), most);
        if (found.cut) positions = found.cut->positions;
        cut(run, *pgn_, settings_.pgn_file, found);
    }
    if (epd)
        cut(run, *epd_, settings_.epd_file,
            tail.epd_tail(FileParts(reader_of(*epd_), *epd, ""), positions));
}

void RunnerScreen::cut(const harness::RunRecord& run, RunnerFile& file, const std::string& name,
                       FoundTail tail) {
    if (tail.cut && settings_.next_begin_in) {
        const auto next = settings_.next_begin_in(run, name, tail.cut->size);
        if (next && *next < file.size())
            tail = {std::nullopt, "another run of the store has written there"};
    }
    if (!tail.why_kept.empty())
        print_(
            fmt::format("Warning: {} keeps what is behind the last stored game, which may stand "
                        "there twice now: {}.",
                        name, tail.why_kept));
    if (!tail.cut) return;
    file.cut(tail.cut->size);
    print_(
        fmt::format("Resuming: what is not in the store was cut from {} and is played again ({}).",
                    name, grouped(tail.cut->games, "game")));
}

void RunnerScreen::restore(std::size_t match, const std::vector<harness::PairDigest>& pairs,
                           const std::vector<harness::GameRecord>& open) {
    for (const harness::PairDigest& pair : pairs) {
        if (pair.state != harness::PairState::Counted) continue;
        for (const harness::GameDigest& game : pair.played()) {
            harness::GameRecord end = end_of(match, game);
            end.pair = pair.pair;
            count(end);
            count_end(end);
        }
        add_played(pair);
    }
    for (harness::GameRecord game : open) {
        game.match = match;
        count(game);
        count_end(game);
    }
}

void RunnerScreen::on_restored(const harness::MatchTally& /*tally*/,
                               const std::vector<harness::PairDigest>& pairs,
                               const std::vector<harness::GameRecord>& open) {
    restore(0, pairs, open);
}

void RunnerScreen::on_tournament_restored(std::size_t match,
                                          const std::vector<harness::PairDigest>& pairs,
                                          const std::vector<harness::GameRecord>& open) {
    restore(match, pairs, open);
}

void RunnerScreen::on_program_start(int program, const adapters::Identity& identity) {
    Engine& engine = engines_.at(static_cast<std::size_t>(program));
    engine.identity = identity;
    if (is_cutechess()) return;
    for (const adapters::OptionFault& fault : identity.option_faults)
        warn(fault.kind == adapters::OptionFault::Kind::Unknown
                 ? no_option(engine.name, fault.name)
                 : invalid_value(fault.name, fault.value));
}

void RunnerScreen::on_game_start(const harness::GameStarted& game) {
    if (is_decided_) return;
    rounds_[{game.match, game.number}] = game.round;
    // A knockout in which two play on has more games than were planned.
    settings_.games = std::max(settings_.games, game.number);
    const std::vector<std::string> names = names_of(game.match);
    const auto first = static_cast<std::size_t>(game.first);
    print_(started_line({game.number, names.at(first), names.at(1 - first)}, settings_.games));
}

void RunnerScreen::on_game_end(const harness::GameRecord& game, bool /*is_void*/) {
    if (is_decided_) return;
    const bool ends_match = !settings_.recovers && harness::is_gone(game.termination);
    warn_of_game(game);
    if (ends_match && !is_cutechess())
        warn(
            fmt::format("Game {} stalled / disconnected and no recover option set for engine, "
                        "stopping tournament.",
                        game.number));
    if (!ends_match || is_cutechess()) write(game);
    print_(finished_line(names_of(game), pgn_result(game),
                         reason_text(settings_.runner, rules_->info(), game)));
    count(game);
    count_end(game);
    print_results(game);
    if (ends_match) is_decided_ = true;
    const std::int64_t autosave = settings_.autosave_interval;
    if (autosave > 0 && games_over_ % autosave == 0) save_(board_);
}

void RunnerScreen::on_pair(const harness::PairDigest& pair, const harness::MatchTally& /*tally*/) {
    add_played(pair);
}

void RunnerScreen::add_played(const harness::PairDigest& pair) {
    if (played_ && pair.state == harness::PairState::Counted)
        (void)played_->add(between_.at(pair.match)[0], between_.at(pair.match)[1], pair);
}

void RunnerScreen::warn_of_game(const harness::GameRecord& game) {
    if (is_cutechess()) return;
    const std::vector<std::string> names = names_of(game.match);
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

std::int64_t RunnerScreen::round_of(const harness::GameRecord& game) {
    const auto round = rounds_.extract({game.match, game.number});
    if (setup_ && is_cutechess()) return round.empty() ? 1 : round.mapped() + 1;
    return (game.number - 1) / std::max<std::int64_t>(1, settings_.games_an_encounter) + 1;
}

std::vector<RunnerPlayer> RunnerScreen::players_of(const harness::GameRecord& game) const {
    std::vector<RunnerPlayer> players;
    for (int player = 0; player < 2; ++player) {
        const Engine& engine = engines_.at(engine_of(game.match, game.program_of(player)));
        players.push_back({engine.name, engine.identity.name, engine.identity.author, engine.time});
    }
    return players;
}

void RunnerScreen::write(const harness::GameRecord& game) {
    const std::int64_t round = round_of(game);
    if (pgn_) pgn_->write(runner_pgn(*settings_.pgn, *rules_, players_of(game), game, round));
    if (epd_) epd_->write(final_position(settings_.runner, *rules_, game));
    if (pgn_ && settings_.has_crc) print_(crc_line(settings_.pgn_file, pgn_->crc_text()));
}

void RunnerScreen::count_sides(const harness::GameRecord& game) {
    board_.add_sides(engine_of(game.match, game.program_of(0)),
                     engine_of(game.match, game.program_of(1)),
                     half_points_of(game, game.program_of(0)));
}

void RunnerScreen::count(const harness::GameRecord& game) {
    ++games_over_;
    count_sides(game);
    const int half_points = half_points_of(game, 0);
    harness::ResultCounts& counts = counts_of(game.match);
    if (!settings_.has_pairs) counts.add_game(half_points);
    const auto open = open_pairs_.find({game.match, game.pair});
    is_pair_over_ = open != open_pairs_.end();
    if (!is_pair_over_) {
        open_pairs_[{game.match, game.pair}] = half_points;
        return;
    }
    if (settings_.has_pairs) counts.add_pair(open->second, half_points);
    open_pairs_.erase(open);
}

void RunnerScreen::count_end(const harness::GameRecord& game) {
    using harness::Termination;
    const std::string reason = reason_text(settings_.runner, rules_->info(), game);
    for (int player = 0; player < 2; ++player) {
        const int program = game.program_of(player);
        ++engines_.at(engine_of(game.match, program))
              .outcomes[cutechess_outcome(half_points_of(game, program), reason)];
    }
    if (game.guilty < 0) return;
    Engine& guilty = engines_.at(engine_of(game.match, game.program_of(game.guilty)));
    const Termination::Cause cause = game.termination.cause;
    if (cause == Termination::Time) ++guilty.timeouts;
    if (harness::is_gone(game.termination)) ++guilty.crashes;
    if (cause == Termination::Time) ++guilty.failures.timeouts;
    if (cause == Termination::IllegalMove) ++guilty.failures.illegal_moves;
    if (cause == Termination::Stall) ++guilty.failures.stalls;
    if (harness::is_gone(game.termination) && cause != Termination::Stall)
        ++guilty.failures.disconnections;
}

void RunnerScreen::on_pv_finding(const harness::PvFinding& finding) {
    if (is_decided_ || is_cutechess()) return;
    if (needs_check_mate_pvs(finding.flaw) && !settings_.checks_mate_pvs) return;
    warn(pv_warning(finding, names_of(finding.match), *rules_,
                    settings_.is_test ? Parts::OneLine : Parts::Lines));
}

void RunnerScreen::warn(const std::string& text) {
    print_(text);
    warned_();
}

}  // namespace assay::reports::dropin
