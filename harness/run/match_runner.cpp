#include "harness/run/match_runner.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "harness/machine/machine.h"

namespace assay::harness {

namespace {

constexpr Micros kShowEvery{250'000};
constexpr int kMostVoidsAPair = 3;
/// From the first loss on time that a standstill brings to the last: Slot waits as long for
/// answers.
constexpr Micros kOneStandstill{1'000'000};

double process_cpu_us() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

/// A pair after its first game, or the only one of a pair that is void.
PairDigest begun_with(const GameRecord& record) {
    PairDigest pair;
    pair.pair = record.pair;
    pair.attempt = record.attempt;
    pair.opening_index = record.opening_index;
    pair.slot = record.slot;
    pair.machine = record.machine;
    pair.games[static_cast<std::size_t>(record.game)] = digest_of(record);
    return pair;
}

}  // namespace

MatchRunner::MatchRunner(const Setup& setup, Executor& executor, const Clock& clock, SaveGame save,
                         SavePairState save_state, std::vector<Listener*> listeners)
    : setup_(setup),
      executor_(executor),
      clock_(clock),
      save_(std::move(save)),
      save_state_(std::move(save_state)),
      listeners_(std::move(listeners)),
      pairing_(setup_.plan.between,
               Schedule(setup_.plan.pairs, setup_.openings, setup_.plan.runner.counts_as_they_end),
               setup_.opening_of, setup_.plan.runner),
      schedule_(pairing_.schedule()),
      counter_(setup_.plan) {}

MatchRunner::~MatchRunner() = default;

void MatchRunner::restore(std::vector<PairDigest> pairs, std::vector<GameRecord> half_pairs,
                          const RunMeters& meters, PvSummary pv) {
    before_ = meters;
    counter_.tally().set_pv(std::move(pv));
    counter_.tally().set_meters(meters);
    for (std::size_t i = 0; i < std::min(between_games_.size(), meters.between_games.size()); ++i)
        between_games_[i] = meters.between_games[i];
    for (const GameRecord& game : half_pairs)
        plies_before_ += static_cast<std::int64_t>(game.moves.size());
    pairing_.resume(std::move(half_pairs));
    for (const PairDigest& pair : pairs) {
        if (pair.state == PairState::Void) {
            ++voided_;
            counter_.add_void(pair);
        }
        games_over_ += 2;
        plies_before_ += pair.games[0].plies + pair.games[1].plies;
    }
    count(schedule_.restore(std::move(pairs)));
}

void MatchRunner::start(TimePoint now) {
    started_ = now;
    is_running_ = true;
    cpu_started_us_ = process_cpu_us();
    executor_.start(*this, now);
    check_complete();
    offer_work();
}

void MatchRunner::offer_work() {
    while (!is_ending_ && executor_.appetite() > 0) {
        const std::optional<Encounter> encounter = pairing_.next();
        if (!encounter) {
            // Programs without work end beside the games that are still played, unless a pair may
            // turn out to duplicate an earlier one and must be replaced.
            if (!setup_.plan.deterministic) executor_.rest();
            tell_if_all_idle();
            return;
        }
        if (encounter->played) begun_[encounter->pair] = begun_with(*encounter->played);
        executor_.offer(*encounter);
    }
}

void MatchRunner::tell_if_all_idle() {
    if (unsaved_ > 0 && setup_.on_all_idle && executor_.is_idle()) setup_.on_all_idle();
}

void MatchRunner::on_game_started(std::int64_t number, int slot) {
    for (Listener* listener : listeners_) listener->on_game_start(number, slot);
}

void MatchRunner::on_pv_finding(const PvFinding& finding) {
    for (Listener* listener : listeners_) listener->on_pv_finding(finding);
}

bool MatchRunner::on_game(GameRecord record, bool is_void) {
    ++games_over_;
    ++unsaved_;  // first: what follows may end the match, which must wait for this game
    if (!setup_.plan.runner.voids) record.harness_caused = false;
    plies_ += static_cast<std::int64_t>(record.moves.size());
    for (Listener* listener : listeners_) listener->on_game_end(record, is_void);
    note_failures(record);
    counter_.tally().add_pv(record.pv_counts);
    if (auto text = score_view_.add(record)) {
        on_play_warning(record.program[1], "score-view", std::move(*text));
    }

    std::optional<PairDigest> pair;
    auto begun = begun_.find(record.pair);
    if (is_void || record.game == 1) {
        ASSAY_CHECK(is_void || begun != begun_.end());
        pair = begun != begun_.end() ? begun->second : begun_with(record);
        pair->games[static_cast<std::size_t>(record.game)] = digest_of(record);
        if (begun != begun_.end()) begun_.erase(begun);
    } else if (record.pair == schedule_.pairs() && setup_.plan.runner.has_odd_game) {
        pairing_.end_odd_game();
    } else {
        begun_[record.pair] = begun_with(record);
    }
    if (is_void) {
        pair->state = PairState::Void;
        ++voided_;
        if (!is_of_last_standstill()) standstill_ = clock_.now();
        schedule_.replay(record.pair, record.attempt);
    }
    save_(std::move(record), pair);
    return !is_ending_;
}

void MatchRunner::note_failures(const GameRecord& record) {
    if (record.harness_caused) return;
    const bool is_failed = is_failure(record.termination);
    if (!setup_.plan.runner.recovers && is_gone(record.termination)) {
        end_by_failure(record.program_of(record.guilty), record.reason);
        return;
    }
    for (const int program : {0, 1}) {
        const bool is_guilty = record.guilty >= 0 &&
                               record.program[static_cast<std::size_t>(record.guilty)] == program;
        const std::string last = record.reason + "\n" + record.last_lines;
        if (is_guilty && record.termination == Termination::Time) {
            // Counted as a failure only if the program hangs (on_hang), not if it was late
            // (on_late).
            last_loss_on_time_[static_cast<std::size_t>(program)] = last;
        } else if (is_guilty && is_failed) {
            note_failure(program, last);
        } else if (!is_failed || record.termination == Termination::Time) {
            // A game that ended by the opponent's failure says nothing about this program.
            note_success(program);
        }
    }
}

void MatchRunner::note_success(int program) {
    const auto index = static_cast<std::size_t>(program);
    row_before_success_[index] = std::exchange(failures_in_a_row_[index], 0);
}

/// The program failed behind a game that it had ended well, so that this game ends no row of
/// failures.
void MatchRunner::on_fault_between_games(int program, bool is_stall, const std::string& last) {
    const auto index = static_cast<std::size_t>(program);
    FaultsBetweenGames& faults = between_games_[index];
    ++(is_stall ? faults.stalls : faults.crashes);
    failures_in_a_row_[index] += std::exchange(row_before_success_[index], 0);
    note_failure(program, last);
}

void MatchRunner::on_hang(int program) {
    note_failure(program, last_loss_on_time_[static_cast<std::size_t>(program)]);
}

void MatchRunner::on_late(int program) {
    note_success(program);
}

void MatchRunner::note_failure(int program, const std::string& last) {
    const auto index = static_cast<std::size_t>(program);
    row_before_success_[index] = 0;
    const int count = ++failures_in_a_row_[index];
    if (count < setup_.failures_in_a_row) return;
    end_by_failure(program, fmt::format("{} failed in {} games in a row, last: {}",
                                        setup_.names[index], count, last));
}

void MatchRunner::end_by_failure(int program, std::string message) {
    if (is_ending_) return;
    MatchEnd end;
    end.cause = MatchEnd::Cause::KeepsFailing;
    end.program = program;
    end.message = std::move(message);
    finish(std::move(end));
}

void MatchRunner::on_idle() {
    offer_work();
}

void MatchRunner::on_trouble(const Trouble& trouble) {
    const std::string name =
        trouble.program < 0 ? "" : setup_.names[static_cast<std::size_t>(trouble.program)];
    MatchEnd end;
    if (trouble.kind == Trouble::Kind::CannotStart) {
        end.cause = MatchEnd::Cause::CannotStart;
        end.program = trouble.program;
        end.message = fmt::format("{} could not be started: {}", name, trouble.why);
        end.is_silent = trouble.is_silent;
    } else {
        end.cause = MatchEnd::Cause::MachineFailed;
        end.message =
            fmt::format("the machine ({}) cannot start programs: {}{}", this_machine().host,
                        name.empty() ? "" : name + ": ", trouble.why);
    }
    finish(std::move(end));
}

bool MatchRunner::may_void(std::int64_t, int attempt) {
    if (!setup_.plan.runner.voids) return false;
    // A share of all planned games: in the first hours of a long run few games have been played.
    const std::int64_t games = std::max(games_over_, 2 * setup_.plan.pairs);
    return attempt < kMostVoidsAPair && (voided_ < most_voided(games) || is_of_last_standstill());
}

/// One standstill of the machine hits all games that are played at once: they are void together.
bool MatchRunner::is_of_last_standstill() const {
    return standstill_ && micros_between(*standstill_, clock_.now()) < kOneStandstill;
}

void MatchRunner::on_play_warning(int program, std::string_view kind, std::string text) {
    const std::string line = setup_.names[static_cast<std::size_t>(program)] + ": " + text;
    for (Listener* listener : listeners_) listener->on_warning(kind, line);
}

void MatchRunner::on_started(int program, const adapters::Identity& identity) {
    identities_[static_cast<std::size_t>(program)] = identity;
    for (Listener* listener : listeners_) listener->on_program_start(program, identity);
}

void MatchRunner::on_durable(const PairDigest& pair) {
    --unsaved_;
    if (pair.state == PairState::Void) {
        counter_.add_void(pair);
        for (Listener* listener : listeners_) listener->on_pair(pair, tally());
    } else {
        count(schedule_.finished(pair));
        check_complete();
    }
    offer_work();
    close_if_saved();
}

void MatchRunner::on_game_durable() {
    --unsaved_;
    if (setup_.plan.runner.has_odd_game) check_complete();
    close_if_saved();
}

void MatchRunner::on_not_durable(const std::string& reason) {
    --unsaved_;
    on_store_failed(reason);
    close_if_saved();
}

void MatchRunner::on_store_failed(const std::string& reason) {
    // Later failures, such as a pair whose game is missing, are consequences of the first one.
    if (is_ending_ && end_.cause == MatchEnd::Cause::StoreFailed) return;
    MatchEnd end;
    end.cause = MatchEnd::Cause::StoreFailed;
    end.message = reason;
    if (is_ending_) {
        end_ = std::move(end);
    } else {
        finish(std::move(end));
    }
}

void MatchRunner::count(const std::vector<PairDigest>& in_order) {
    for (const PairDigest& pair : in_order) count_one(pair);
}

void MatchRunner::count_one(const PairDigest& finished) {
    const PairDigest pair = counter_.count(finished);
    if (pair.state == PairState::Duplicate) schedule_.extend(1);
    if (pair.state != finished.state) save_state_(pair);
    if (!is_running_) return;  // known from an earlier session
    for (Listener* listener : listeners_) listener->on_pair(pair, tally());
    if (tally().verdict() != Verdict::None && !is_ending_) {
        finish({MatchEnd::Cause::Decided, -1, ""});
    }
}

void MatchRunner::check_complete() {
    if (is_ending_ || !is_running_) return;
    if (tally().verdict() != Verdict::None) {
        finish({MatchEnd::Cause::Decided, -1, ""});
    } else if (schedule_.is_complete() && !pairing_.is_odd_game_open()) {
        finish({schedule_.is_book_exhausted() ? MatchEnd::Cause::BookExhausted
                                              : MatchEnd::Cause::Played,
                -1, ""});
    }
}

bool MatchRunner::is_out_of_time(TimePoint now) const {
    const auto& minutes = setup_.plan.stop.minutes;
    const Micros before = setup_.has_new_budget ? Micros{0} : Micros{before_.wall_us};
    return minutes && micros_between(started_, now) + before >= *minutes;
}

void MatchRunner::tick(TimePoint now) {
    if (!is_running_) return;
    executor_.tick(now);
    if (!is_ending_ && is_out_of_time(now)) finish({MatchEnd::Cause::OutOfTime, -1, ""});
    if (now >= next_show_) {
        next_show_ = now + kShowEvery;
        counter_.tally().set_meters(meters(now));
        for (Listener* listener : listeners_) listener->on_tick(tally());
    }
}

void MatchRunner::interrupt(TimePoint now, Micros grace) {
    if (!is_ending_) finish({MatchEnd::Cause::Interrupted, -1, ""});
    executor_.hurry(now, grace);
}

void MatchRunner::finish(MatchEnd end) {
    if (is_ending_) return;
    is_ending_ = true;
    end_ = std::move(end);
    ended_ = clock_.now();
    counter_.tally().set_meters(meters(ended_));
    executor_.withdraw();
    tell_if_all_idle();
    close_if_saved();
}

/// A pair that was being written when the time ran out counts and may decide the match, because a
/// report made from the store counts it too.
void MatchRunner::close_if_saved() {
    if (!is_ending_ || unsaved_ > 0 || is_closed_) return;
    is_closed_ = true;
    close();
    std::array<Failures, 2> open{};
    for (const auto& [number, pair] : schedule_.waiting_pairs()) {
        for (const GameDigest& game : pair.games) count_failure(open, game);
    }
    for (const auto& [number, pair] : begun_) count_failure(open, pair.games[0]);
    for (const auto& [number, game] : pairing_.first_games()) count_failure(open, digest_of(game));
    counter_.tally().set_failures_in_open_pairs(open);
    counter_.tally().set_meters(meters(ended_));
}

void MatchRunner::close() {
    using Cause = MatchEnd::Cause;
    const bool is_over = end_.cause == Cause::Played || end_.cause == Cause::BookExhausted ||
                         end_.cause == Cause::OutOfTime;
    if (end_.cause == Cause::Decided) count(schedule_.take_waiting());
    if (!is_over) return;
    if (tally().verdict() != Verdict::None) {
        end_.cause = Cause::Decided;
        count(schedule_.take_waiting());
    } else {
        counter_.tally().close(end_.cause == Cause::BookExhausted, end_.cause == Cause::OutOfTime);
    }
}

bool MatchRunner::is_done() const {
    return is_ending_ && unsaved_ == 0 && executor_.is_settled();
}

RunMeters MatchRunner::meters(TimePoint now) const {
    RunMeters meters;
    DelayRecord& delay = meters.delay;
    delay = executor_.delays();
    delay.max_us = std::max(before_.delay.max_us, delay.max_us);
    if (plies_ > 0) {
        delay.cpu_us_per_ply = (process_cpu_us() - cpu_started_us_) / static_cast<double>(plies_);
    }
    // Of earlier sessions only the quantiles are known: take the mean, weighted by moves.
    const std::int64_t plies = plies_before_ + plies_;
    const double share = plies > 0 ? static_cast<double>(plies_) / static_cast<double>(plies) : 0;
    const auto merged = [share](double before, double now_figure) {
        return before * (1 - share) + now_figure * share;
    };
    delay.p50_us = merged(before_.delay.p50_us, delay.p50_us);
    delay.p99_us = merged(before_.delay.p99_us, delay.p99_us);
    delay.cpu_us_per_ply = merged(before_.delay.cpu_us_per_ply, delay.cpu_us_per_ply);
    const TimePoint until = is_ending_ ? ended_ : now;
    meters.wall_us = before_.wall_us + micros_between(started_, until).count();
    meters.voided = voided_;
    meters.between_games = between_games_;
    return meters;
}

}  // namespace assay::harness
