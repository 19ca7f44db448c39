#include "harness/match/match_runner.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "harness/machine/machine.h"

namespace assay::harness {

namespace {

constexpr Micros kShowEvery{250'000};
constexpr Micros kGrace{1'000'000};
constexpr int kMostVoidsAPair = 3;

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

MatchRunner::MatchRunner(const Setup& setup, PlayerFactory factory, const Clock& clock,
                         SaveGame save, SavePairState save_state, std::vector<Listener*> listeners)
    : setup_(setup),
      factory_(std::move(factory)),
      clock_(clock),
      save_(std::move(save)),
      save_state_(std::move(save_state)),
      listeners_(std::move(listeners)),
      context_{setup_.game, setup_.plan,     setup_.names,  setup_.specs, factory_,
               clock_,      shutdown_queue_, setup_.limits, setup_.seed},
      schedule_(setup_.plan.pairs, setup_.openings),
      counter_(setup_.plan),
      launches_(setup_.limits.start),
      standstill_([this] { return thread_processor_time() + setup_.run_queue(); }) {}

MatchRunner::~MatchRunner() = default;

void MatchRunner::restore(std::vector<PairDigest> pairs, std::vector<GameRecord> half_pairs,
                          const RunMeters& meters) {
    before_ = meters;
    counter_.tally().set_meters(meters);
    for (GameRecord& game : half_pairs) {
        const std::int64_t pair = game.pair;
        plies_before_ += static_cast<std::int64_t>(game.moves.size());
        half_.insert_or_assign(pair, std::move(game));
    }
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
    queue_ = setup_.run_queue();
    standstill_.tick(now);
    for (int i = 0; i < setup_.concurrency; ++i) {
        const auto index = static_cast<std::size_t>(i);
        const std::vector<int> cpus =
            setup_.cpus.empty() ? std::vector<int>{} : setup_.cpus[index % setup_.cpus.size()];
        slots_.push_back(std::make_unique<Slot>(i, context_, cpus, *this));
    }
    check_complete();
    give_work_to_all();
}

void MatchRunner::give_work_to_all() {
    for (const auto& slot : slots_) {
        if (is_ending_) return;
        if (slot->is_idle()) give_work(*slot);
    }
}

void MatchRunner::give_work(Slot& slot) {
    if (is_ending_) return;
    const auto assignment = schedule_.next();
    if (!assignment) {
        // Its programs end beside the games that are still played, unless a pair may turn out to be
        // another's double and is to be made up for.
        if (!setup_.plan.deterministic) slot.dismiss(kGrace);
        tell_if_all_idle();
        return;
    }
    std::optional<GameRecord> first;
    const auto half = half_.find(assignment->pair);
    if (half != half_.end() && half->second.attempt == assignment->attempt) {
        first = std::move(half->second);
        begun_[assignment->pair] = begun_with(*first);
        half_.erase(half);
    }
    slot.play(*assignment, setup_.opening_of(assignment->pair), first);
}

void MatchRunner::tell_if_all_idle() {
    if (unsaved_ == 0 || !setup_.on_all_idle) return;
    const bool is_idle =
        std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->is_idle(); });
    if (is_idle) setup_.on_all_idle();
}

void MatchRunner::on_game_started(Slot& slot, std::int64_t game_number) {
    for (Listener* listener : listeners_) listener->on_game_start(game_number, slot.number());
}

bool MatchRunner::on_game_over(Slot&, GameRecord record, bool is_void) {
    record.machine = setup_.machine;
    ++games_over_;
    ++unsaved_;  // first: what follows may end the match, which must wait for this game
    plies_ += static_cast<std::int64_t>(record.moves.size());
    for (Listener* listener : listeners_) listener->on_game_end(record, is_void);
    note_failures(record);

    std::optional<PairDigest> pair;
    auto begun = begun_.find(record.pair);
    if (is_void || record.game == 1) {
        ASSAY_CHECK(is_void || begun != begun_.end());
        pair = begun != begun_.end() ? begun->second : begun_with(record);
        pair->games[static_cast<std::size_t>(record.game)] = digest_of(record);
        if (begun != begun_.end()) begun_.erase(begun);
    } else {
        begun_[record.pair] = begun_with(record);
    }
    if (is_void) {
        pair->state = PairState::Void;
        ++voided_;
        schedule_.replay(record.pair, record.attempt);
    }
    save_(std::move(record), pair);
    return !is_ending_;
}

void MatchRunner::note_failures(const GameRecord& record) {
    if (record.harness_caused) return;
    const bool is_failed = is_failure(record.termination);
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
            failures_in_a_row_[static_cast<std::size_t>(program)] = 0;
        }
    }
}

void MatchRunner::on_hang(int program) {
    note_failure(program, last_loss_on_time_[static_cast<std::size_t>(program)]);
}

void MatchRunner::on_late(int program) {
    failures_in_a_row_[static_cast<std::size_t>(program)] = 0;
}

void MatchRunner::note_failure(int program, const std::string& last) {
    const int count = ++failures_in_a_row_[static_cast<std::size_t>(program)];
    if (count < setup_.failures_in_a_row || is_ending_) return;
    MatchEnd end;
    end.cause = MatchEnd::Cause::KeepsFailing;
    end.program = program;
    end.message = fmt::format("{} failed in {} games in a row, last: {}",
                              setup_.names[static_cast<std::size_t>(program)], count, last);
    finish(std::move(end));
}

void MatchRunner::on_pair_over(Slot& slot) {
    give_work(slot);
}

void MatchRunner::on_cannot_start(Slot&, int program, const std::string& why) {
    MatchEnd end;
    end.cause = MatchEnd::Cause::CannotStart;
    end.program = program;
    end.message = fmt::format("{} could not be started: {}",
                              setup_.names[static_cast<std::size_t>(program)], why);
    finish(std::move(end));
}

void MatchRunner::on_machine_failed(int program, const std::string& why) {
    finish_for_machine(setup_.names[static_cast<std::size_t>(program)] + ": " + why);
}

void MatchRunner::finish_for_machine(const std::string& why) {
    MatchEnd end;
    end.cause = MatchEnd::Cause::MachineFailed;
    end.message =
        fmt::format("the machine ({}) cannot start programs: {}", this_machine().host, why);
    finish(std::move(end));
}

void MatchRunner::check_launches(TimePoint now) {
    bool is_any_waiting = false;
    std::uint64_t steps = 0;
    for (const auto& slot : slots_) {
        for (const RunningProgram& running : slot->running()) {
            is_any_waiting = is_any_waiting || running.is_waiting_for_launch();
            steps += running.launch_steps();
        }
    }
    if (!launches_.is_stuck(now, is_any_waiting, steps)) return;
    finish_for_machine(fmt::format("none was started within {} s, and others wait for that",
                                   launches_.limit().count() / 1'000'000));
}

bool MatchRunner::may_void(std::int64_t, int attempt) {
    // A share of all planned games: in the first hours of a long run few games have been played.
    const std::int64_t games = std::max(games_over_, 2 * setup_.plan.pairs);
    return attempt < kMostVoidsAPair && voided_ < most_voided(games);
}

void MatchRunner::on_play_warning(int program, std::string_view kind, std::string text) {
    const std::string line = setup_.names[static_cast<std::size_t>(program)] + ": " + text;
    for (Listener* listener : listeners_) listener->on_warning(kind, line);
}

Micros MatchRunner::run_queue(bool fresh) {
    if (fresh) queue_ = setup_.run_queue();
    return queue_;
}

void MatchRunner::on_started(int program, const adapters::Identity& identity) {
    identities_[static_cast<std::size_t>(program)] = identity;
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
    give_work_to_all();
    close_if_saved();
}

void MatchRunner::on_game_durable() {
    --unsaved_;
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
    if (!is_running_) return;  // known from an earlier sitting
    for (Listener* listener : listeners_) listener->on_pair(pair, tally());
    if (tally().verdict() != Verdict::None && !is_ending_) {
        finish({MatchEnd::Cause::Decided, -1, ""});
    }
}

void MatchRunner::check_complete() {
    if (is_ending_ || !is_running_) return;
    if (tally().verdict() != Verdict::None) {
        finish({MatchEnd::Cause::Decided, -1, ""});
    } else if (schedule_.is_complete()) {
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
    queue_ = setup_.run_queue();
    standstill_.tick(now);
    for (const auto& slot : slots_) {
        if (!is_ending_) slot->tick(now);
    }
    if (!is_ending_) check_launches(now);
    shutdown_queue_.tick(now);
    if (!is_running_) return;
    if (!is_ending_ && is_out_of_time(now)) finish({MatchEnd::Cause::OutOfTime, -1, ""});
    if (now >= next_show_) {
        next_show_ = now + kShowEvery;
        counter_.tally().set_meters(meters(now));
        for (Listener* listener : listeners_) listener->on_tick(tally());
    }
}

void MatchRunner::interrupt(TimePoint now, Micros grace) {
    if (!is_ending_) finish({MatchEnd::Cause::Interrupted, -1, ""});
    shutdown_queue_.hurry(now, grace);
}

void MatchRunner::finish(MatchEnd end) {
    if (is_ending_) return;
    is_ending_ = true;
    end_ = std::move(end);
    ended_ = clock_.now();
    counter_.tally().set_meters(meters(ended_));
    for (const auto& slot : slots_) {
        if (!slot->is_idle()) slot->abort();
        slot->dismiss(kGrace);
    }
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
    for (const auto& [number, game] : half_) count_failure(open, digest_of(game));
    counter_.tally().set_failures_in_open_pairs(open);
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
    return is_ending_ && unsaved_ == 0 && shutdown_queue_.is_empty();
}

RunMeters MatchRunner::meters(TimePoint now) const {
    RunMeters meters;
    DelayRecord& delay = meters.delay;
    delay.p50_us = delays_.quantile_us(0.5);
    delay.p99_us = delays_.quantile_us(0.99);
    delay.max_us = std::max(before_.delay.max_us, delays_.max_us());
    if (plies_ > 0) {
        delay.cpu_us_per_ply = (process_cpu_us() - cpu_started_us_) / static_cast<double>(plies_);
    }
    // Of earlier sittings only the quantiles are known: take the mean, weighted by moves.
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
    return meters;
}

}  // namespace assay::harness
