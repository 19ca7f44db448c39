#include "harness/match/slot.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "base/text.h"

namespace assay::harness {

namespace {

/// After `stop` a program of a match without clocks has this long to answer.
constexpr Micros kStopGrace{1'000'000};

adapters::ProgramSpec pinned(adapters::ProgramSpec spec, const std::vector<int>& cpus) {
    if (!cpus.empty()) spec.cpus = cpus;
    return spec;
}

}  // namespace

Slot::Slot(int number, const SlotContext& context, const std::vector<int>& cpus, SlotOwner& owner)
    : number_(number),
      context_(context),
      owner_(owner),
      running_{RunningProgram(0, pinned(context.specs[0], cpus), context.factory, context.clock,
                              context.shutdown_queue, context.limits, *this),
               RunningProgram(1, pinned(context.specs[1], cpus), context.factory, context.clock,
                              context.shutdown_queue, context.limits, *this)} {}

void Slot::play(const Schedule::Assignment& assignment, const openings::Opening& opening,
                const std::optional<GameRecord>& first) {
    ASSAY_CHECK(is_idle());
    assignment_ = assignment;
    opening_ = opening;
    game_ = first ? 1 : 0;
    begin_game();
}

void Slot::begin_game() {
    GamePlay::Setup setup;
    setup.number = assignment_.first_game + game_;
    setup.pair = assignment_.pair;
    setup.game = game_;
    setup.attempt = assignment_.attempt;
    setup.slot = number_;
    for (const std::size_t program : {0U, 1U})
        setup.notation[program] = context_.game.notation_of(context_.specs[program].protocol);
    setup.luck = mix64(context_.seed, static_cast<std::uint64_t>(assignment_.pair));
    play_.emplace(context_.game, context_.plan, context_.names, opening_, setup);
    state_ = State::Preparing;
    ready_ = {};
    started_us_ = wall_clock_us();
    owner_.on_game_started(*this, play_->record().number);
    for (RunningProgram& running : running_) {
        if (state_ == State::Preparing && !ready_[static_cast<std::size_t>(running.program())]) {
            running.prepare(play_->start_of(player_of(running)));
        }
    }
}

void Slot::on_program_ready(RunningProgram& running) {
    if (std::exchange(silent_[static_cast<std::size_t>(running.program())], false)) {
        owner_.on_late(running.program());
    }
    if (state_ == State::Preparing) {
        const auto program = static_cast<std::size_t>(running.program());
        if (!owner_.has_started(running.program())) {
            owner_.on_started(running.program(), running.player()->identity());
        }
        ready_[program] = true;
        if (!ready_[0] || !ready_[1]) return;
        state_ = State::Playing;
        begin_turn(context_.clock.now());
    } else if (state_ == State::Playing && player_of(running) == play_->mover() && !search_open_) {
        begin_search(context_.clock.now());  // its pondering had missed and is drained now
    }
}

int Slot::player_of(const RunningProgram& running) const {
    return play_->program_of(0) == running.program() ? 0 : 1;
}

void Slot::begin_turn(TimePoint started) {
    turn_started_ = started;
    stop_sent_.reset();
    search_open_ = false;
    write_delay_ = Micros{0};
    queue_before_.reset();
    standstill_before_ = owner_.standstill(started);
    RunningProgram& running = running_of(play_->mover());
    if (running.is_pondering()) {
        const auto& moves = play_->record().moves;
        if (!moves.empty() && moves.back().name == expected_) {
            const TimePoint written = running.ponder_hit();
            write_delay_ = micros_between(started, written);
            search_open_ = true;
        } else {
            running.ponder_miss();
        }
        return;
    }
    begin_search(started);
}

void Slot::begin_search(TimePoint decided) {
    RunningProgram& running = running_of(play_->mover());
    if (!running.is_ready()) return;  // it failed a moment ago; on_program_failed judges
    const TimePoint written = running.go(play_->request());
    write_delay_ += std::max(Micros{0}, micros_between(decided, written));
    search_open_ = true;
}

void Slot::ponder(int player, std::string_view expected) {
    RunningProgram& running = running_of(player);
    if (!context_.plan.ponder || expected.empty() || !running.is_ready()) return;
    const auto request = play_->ponder_request(player, expected, ponder_moves_);
    if (!request) return;
    expected_ = std::string(expected);
    running.go(*request);
}

MoveTime Slot::time_of(TimePoint stamp, TimePoint wake, bool fresh_queue) {
    MoveTime time;
    time.used = std::max(Micros{0}, micros_between(turn_started_, stamp));
    // Taken at the first tick of the turn: what was before it is no excuse for this move.
    const Micros queue = queue_before_ ? owner_.run_queue(fresh_queue) - *queue_before_ : Micros{0};
    time.delay = write_delay_ + std::max(Micros{0}, micros_between(wake, stamp)) +
                 std::max(Micros{0}, queue) +
                 std::max(Micros{0}, owner_.standstill(stamp) - standstill_before_);
    return time;
}

void Slot::on_program_move(RunningProgram& running, const adapters::BestMove& best,
                           adapters::Arrival arrival) {
    if (state_ != State::Playing || player_of(running) != play_->mover() || !search_open_) return;
    const int player = play_->mover();
    const std::optional<Micros> limit = play_->flag_limit();
    const bool late = limit && micros_between(turn_started_, arrival.stamp) > *limit;
    const MoveTime time = time_of(arrival.stamp, arrival.wake, late);
    owner_.on_move_delay(time.delay);
    search_open_ = false;
    const std::string expected(context_.plan.ponder ? best.ponder : std::string_view{});
    play_->on_move(best, time);
    if (play_->is_over()) {
        after_judgement();
        if (late) owner_.on_late(running.program());
        return;
    }
    begin_turn(context_.clock.now());
    if (state_ == State::Playing && !play_->is_over()) ponder(player, expected);
}

void Slot::on_program_go_written(RunningProgram& running, TimePoint when) {
    const bool is_turn =
        state_ == State::Playing && player_of(running) == play_->mover() && search_open_;
    if (!is_turn) return;  // it ponders, and is on no clock
    turn_started_ = when;
    write_delay_ = Micros{0};
    queue_before_.reset();
    standstill_before_ = owner_.standstill(when);
}

void Slot::on_program_relaunch(RunningProgram& running, const std::string& why) {
    owner_.on_play_warning(running.program(), "machine", why);
}

void Slot::on_program_not_launched(RunningProgram& running, const std::string& why) {
    if (state_ != State::Idle) owner_.on_machine_failed(running.program(), why);
}

void Slot::on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                             bool is_stall) {
    const auto program = static_cast<std::size_t>(running.program());
    if (state_ == State::Idle) return;
    if (!started && !owner_.has_started(running.program())) {
        // It has never been well in this run: no game is lost by that.
        if (retries_[program]++ == 0) {
            owner_.on_play_warning(running.program(), "start",
                                   "did not start (" + gone.detail + "); tried once more");
            running.prepare();
            return;
        }
        std::string why = gone.detail;
        if (!running.last_words().empty()) why += "\n" + running.last_words();
        owner_.on_cannot_start(*this, running.program(), why);
        return;
    }
    if (state_ == State::Preparing && !is_stall && running.has_played()) {
        // It is over its last game and has not been asked for a move of this one: whether it ended
        // before or after the new game was announced is chance. A fresh process gets one try.
        owner_.on_play_warning(running.program(), "between-games",
                               "ended between two games (" + gone.detail + "); started anew");
        running.prepare();
        return;
    }
    const int player = player_of(running);
    if (is_stall) {
        play_->on_stall(player, "did not answer (" + gone.detail + ")");
    } else {
        play_->on_gone(player, gone, started);
    }
    after_judgement();
}

bool Slot::on_program_hung(RunningProgram& running) {
    if (std::exchange(silent_[static_cast<std::size_t>(running.program())], false)) {
        owner_.on_hang(running.program());
    }
    return state_ != State::Idle;
}

void Slot::on_program_warning(RunningProgram& running, std::string_view kind,
                              std::string_view text) {
    std::string where;
    if (play_ && state_ == State::Playing) {
        where = "game " + std::to_string(play_->record().number) + ", " + play_->where() + ": ";
    }
    owner_.on_play_warning(running.program(), kind, where + printable_utf8(text));
}

void Slot::tick(TimePoint now) {
    for (RunningProgram& running : running_) running.tick(now);
    if (state_ != State::Playing) return;
    if (!queue_before_) queue_before_ = owner_.run_queue(false);
    const bool drains = running_of(play_->mover()).is_draining() && play_->needs_clock();
    if (search_open_ || drains) check_deadline(now);
}

void Slot::check_deadline(TimePoint now) {
    const Micros used = micros_between(turn_started_, now);
    if (const std::optional<Micros> limit = play_->flag_limit()) {
        const Micros over = used - *limit;
        if (over <= kFlagGrace) return;
        const MoveTime time = time_of(now, now, true);
        // A silent program's overrun grows until it is more than the harness can have caused.
        if (over <= time.delay && over <= kMostFlagGrace) return;
        play_->on_flag(time);
        silent_[static_cast<std::size_t>(play_->program_of(play_->mover()))] =
            !play_->record().harness_caused;
        after_judgement();
        return;
    }
    if (used <= play_->wall_limit()) return;
    if (!stop_sent_) {
        stop_sent_ = now;
        running_of(play_->mover()).stop();
    }
    if (micros_between(*stop_sent_, now) < kStopGrace) return;
    play_->on_stall(play_->mover(), "did not move within " + duration_text(play_->wall_limit()) +
                                        " and not after stop");
    after_judgement();
}

void Slot::after_judgement() {
    if (const int guilty = play_->record().guilty; guilty >= 0) {
        RunningProgram& running = running_of(guilty);
        running.remember_words();
        play_->set_last_words(running.last_words(), running.last_command());
    }
    for (RunningProgram& running : running_) running.end_game();
    finish_game();
}

void Slot::finish_game() {
    play_->set_times(started_us_, wall_clock_us());
    GameRecord record = play_->take_record();
    search_open_ = false;
    const bool is_void =
        record.harness_caused && owner_.may_void(assignment_.pair, assignment_.attempt);
    const bool go_on = owner_.on_game_over(*this, std::move(record), is_void);
    if (go_on && game_ == 0 && !is_void) {
        game_ = 1;
        begin_game();
        return;
    }
    state_ = State::Idle;
    play_.reset();
    if (go_on) owner_.on_pair_over(*this);
}

void Slot::abort() {
    for (RunningProgram& running : running_) running.end_game();
    state_ = State::Idle;
    search_open_ = false;
    play_.reset();
}

void Slot::dismiss(Micros grace) {
    for (RunningProgram& running : running_) running.dismiss(grace);
}

}  // namespace assay::harness
