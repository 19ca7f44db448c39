// Each event of a program is judged by what the slot does at that moment (State), for a program may
// answer, fail or end at any time: between two games its end is a fault that costs nothing, while a
// game is prepared it may get one more process, and only where it owes a move does it lose the
// game.
//
// A clock is judged by the stamp of the answer, not by the tick that finds the flag fallen: the
// loop may have been late itself. So a silent program is left some time beyond its flag
// (kFlagGrace), in which an answer still tells by how much it was late, and longer while the
// harness's own delay could explain the rest.
//
// Events of the executor (on_game, on_idle, on_trouble) may begin the next encounter or end the run
// before they return: nothing of the game may be used after them.
#include "harness/executor/slot/slot.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/random.h"
#include "base/text.h"
#include "harness/executor/node_limit.h"

namespace assay::harness {

namespace {

/// After `stop` a program of a match without clocks has this long to answer.
constexpr Micros kStopGrace{1'000'000};

adapters::ProgramSpec pinned(adapters::ProgramSpec spec, const std::vector<int>& cpus) {
    if (!cpus.empty()) spec.cpus = cpus;
    return spec;
}

}  // namespace

Slot::Slot(int number, SlotContext& context, std::vector<int> cpus)
    : number_(number),
      context_(context),
      cpus_(std::move(cpus)),
      programs_(context.pool, *this),
      turn_(context.meters) {}

void Slot::play(const Encounter& encounter) {
    ASSAY_CHECK(is_idle());
    take_programs(encounter);
    encounter_ = encounter;
    game_ = encounter.played ? 1 : 0;
    begin_when_due(context_.clock.now());
}

void Slot::begin_when_due(TimePoint now) {
    if (due_ && now < *due_) {
        state_ = State::Waiting;
        return;
    }
    begin_game();
}

void Slot::take_programs(const Encounter& encounter) {
    std::vector<adapters::ProgramSpec> specs;
    for (const std::size_t program : encounter.entrants)
        specs.push_back(pinned(context_.specs.at(program), cpus_));
    programs_.take(specs, encounter_.match);
}

Participant Slot::participant_of(const RunningProgram& running) const {
    return programs_.left_as(running).value_or(Participant{encounter_.match, running.program()});
}

const TimeControl& Slot::limits_of(std::size_t place) const {
    if (!encounter_.times.empty()) return encounter_.times.at(place);
    return context_.time.at(encounter_.entrants.at(place));
}

std::vector<GameEntrant> Slot::entrants() const {
    std::vector<GameEntrant> entrants;
    for (const SlotPrograms::Member& member : programs_.members()) {
        const adapters::ProgramSpec& spec = member.running->spec();
        entrants.push_back(
            {spec.name, limits_of(entrants.size()), context_.game.notation_of(spec.protocol)});
    }
    return entrants;
}

void Slot::begin_game() {
    GamePlay::Setup setup;
    setup.match = encounter_.match;
    setup.number = encounter_.first_game + game_;
    setup.pair = encounter_.pair;
    setup.game = game_;
    setup.turn = encounter_.turn_of(game_);
    setup.attempt = encounter_.attempt;
    setup.slot = number_;
    setup.luck = mix64(context_.seed, static_cast<std::uint64_t>(encounter_.pair));
    setup.chance = context_.plan.chance;
    setup.checks_pv = context_.plan.check_pv;
    setup.keeps_pv = context_.keeps_pv;
    setup.tablebase = context_.tablebase;
    play_.emplace(context_.game, entrants(), context_.plan.adjudicate, encounter_.opening_of(game_),
                  setup);
    state_ = State::Preparing;
    for (SlotPrograms::Member& member : programs_.members()) member.is_ready = false;
    started_us_ = wall_clock_us();
    context_.events.on_game_started({encounter_.match, play_->record().number, number_,
                                     play_->program_of(0), encounter_.round});
    for (SlotPrograms::Member& member : programs_.members()) {
        if (state_ == State::Preparing && !member.is_ready)
            member.running->prepare(play_->start_of(player_of(*member.running)));
    }
}

std::optional<LiveGame> Slot::live() const {
    if (!play_ || play_->is_over() || state_ == State::Waiting) return std::nullopt;
    LiveGame game = play_->live();
    game.is_open = state_ == State::Playing;
    if (game.is_open) game.turn = micros_between(TimePoint{}, turn_.started());
    return game;
}

int Slot::programs_for(const Encounter& encounter) const {
    int here = 0;
    const SlotPrograms::Members& members = programs_.members();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const bool is_needed = std::ranges::find(encounter.entrants, encounter_.entrants[i]) !=
                               encounter.entrants.end();
        if (is_needed && members[i].running != nullptr) ++here;
    }
    return here;
}

void Slot::on_program_ready(RunningProgram& running) {
    if (SlotPrograms::is_leaving(running)) return;  // watch_leaving() sees it
    if (std::exchange(programs_.member_of(running).is_silent, false)) {
        context_.events.on_late(participant_of(running));
    }
    if (state_ == State::Preparing) {
        const auto place = static_cast<std::size_t>(running.program());
        if (context_.started.insert(encounter_.entrants[place]).second) {
            context_.events.on_started(participant_of(running), running.player()->identity());
        }
        programs_.member_of(running).is_ready = true;
        if (!programs_.are_all_ready()) return;
        state_ = State::Playing;
        begin_turn(context_.clock.now());
    } else if (state_ == State::Playing && player_of(running) == play_->mover() && !search_open_) {
        begin_search(context_.clock.now());  // its pondering had missed and is drained now
    }
}

void Slot::begin_turn(TimePoint started) {
    turn_.begin(started);
    stop_sent_.reset();
    flag_.reset();
    search_open_ = false;
    RunningProgram& running = running_of(play_->mover());
    if (running.is_pondering()) {
        const auto& moves = play_->record().moves;
        if (!moves.empty() && moves.back().name == expected_) {
            turn_.add_write(started, running.ponder_hit());
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
    turn_.add_write(decided, running.go(play_->request()));
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

void Slot::on_program_move(RunningProgram& running, const adapters::BestMove& best,
                           adapters::Arrival arrival) {
    if (SlotPrograms::is_leaving(running) || state_ != State::Playing ||
        player_of(running) != play_->mover() || !search_open_)
        return;
    const int player = play_->mover();
    const std::optional<Micros> limit = play_->flag_limit();
    const bool late = limit && turn_.used(arrival.stamp) > *limit;
    const MoveTime time = turn_.time_of(arrival.stamp, arrival.wake, late);
    context_.meters.delays.add(time.delay);
    search_open_ = false;
    if (flag_) {
        const Participant who = participant_of(running);
        play_->on_flag(*flag_);
        after_judgement();
        context_.events.on_late(who);
        return;
    }
    warn_of_ignored_nodes(running, best, time.used);
    const std::string expected(context_.plan.ponder ? best.ponder : std::string_view{});
    play_->on_move(best, time);
    for (PvFinding& finding : play_->take_findings()) {
        finding.match = encounter_.match;
        context_.events.on_pv_finding(finding);
    }
    if (play_->is_over()) {
        const Participant who = participant_of(running);  // it may belong to the pool afterwards
        after_judgement();
        if (late) context_.events.on_late(who);
        return;
    }
    begin_turn(context_.clock.now());
    if (state_ == State::Playing && !play_->is_over()) ponder(player, expected);
}

void Slot::warn_of_ignored_nodes(const RunningProgram& running, const adapters::BestMove& best,
                                 Micros used) {
    const std::size_t program = encounter_.entrants.at(static_cast<std::size_t>(running.program()));
    const std::uint64_t asked = limits_of(static_cast<std::size_t>(running.program())).nodes;
    if (context_.told_of_nodes.contains(program)) return;
    const std::string said =
        ignored_nodes_text({asked, best.info->nodes, used, stop_sent_.has_value()});
    if (said.empty()) return;
    context_.told_of_nodes.insert(program);
    context_.events.on_play_warning(participant_of(running), "nodes",
                                    said + "; give it a clock, a depth or a time for each move");
}

void Slot::on_program_go_written(RunningProgram& running, TimePoint when) {
    const bool is_turn = !SlotPrograms::is_leaving(running) && state_ == State::Playing &&
                         player_of(running) == play_->mover() && search_open_;
    if (!is_turn) return;  // it ponders, and is on no clock
    turn_.begin(when);
}

void Slot::on_program_relaunch(RunningProgram& running, const std::string& why) {
    context_.events.on_play_warning(participant_of(running), "machine", why);
}

void Slot::on_program_not_launched(RunningProgram& running, const std::string& why) {
    if (state_ == State::Idle) return;
    context_.events.on_trouble({Trouble::Kind::MachineFailed, participant_of(running), why, false});
}

void Slot::on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                             bool is_stall) {
    if (SlotPrograms::is_leaving(running)) return programs_.drop(running);
    if (state_ == State::Idle || state_ == State::Waiting) {
        tell_fault(running, gone, is_stall, "ended between two games");
        return;
    }
    if (gone.reason == adapters::GoneReason::Replaced) {
        context_.events.on_trouble({Trouble::Kind::CannotStart, participant_of(running),
                                    printable_utf8(gone.detail), false});
        return;
    }
    const bool is_unready = gone.reason == adapters::GoneReason::Unready;
    const bool loses_unready = is_unready && context_.plan.runner.loses_unready;
    const std::size_t program = encounter_.entrants.at(static_cast<std::size_t>(running.program()));
    if (!started && !loses_unready && !context_.started.contains(program))
        return retry_start(running, gone);
    if (state_ == State::Preparing && !is_stall && running.has_played()) {
        // It is over its last game and has not been asked for a move of this one: whether it ended
        // before or after the new game was announced is chance. A fresh process gets one try.
        tell_fault(running, gone, false, "ended between two games");
        if (state_ == State::Preparing) running.prepare();
        return;
    }
    const int player = player_of(running);
    if (is_stall || loses_unready) {
        play_->on_stall(player, "did not answer (" + gone.detail + ")");
    } else {
        play_->on_gone(player, gone, started);
    }
    after_judgement();
}

/// It has never been well in this run: no game is lost by that, and one more process is tried.
void Slot::retry_start(RunningProgram& running, const adapters::Gone& gone) {
    if (programs_.member_of(running).retries++ == 0) {
        context_.events.on_play_warning(participant_of(running), "start",
                                        "did not start (" + gone.detail + "); tried once more");
        running.prepare();
        return;
    }
    std::string why = gone.detail;
    if (!running.last_words().empty()) why += "\n" + running.last_words();
    context_.events.on_trouble({Trouble::Kind::CannotStart, participant_of(running), why,
                                gone.reason == adapters::GoneReason::Silent});
}

/// No game is lost by it.
void Slot::tell_fault(const RunningProgram& running, const adapters::Gone& gone, bool is_stall,
                      std::string_view when) {
    const std::string how = gone.detail.empty() ? "ended" : printable_utf8(gone.detail);
    context_.events.on_play_warning(participant_of(running), "between-games",
                                    fmt::format("{} ({}); started anew", when, how));
    context_.events.on_fault_between_games(
        participant_of(running), is_stall,
        fmt::format("{}: {}\n{}", when, how, running.last_words()));
}

bool Slot::on_program_hung(RunningProgram& running, const adapters::Gone& gone) {
    if (SlotPrograms::is_leaving(running)) {
        const Participant who = participant_of(running);
        programs_.drop(running);
        context_.events.on_hang(who);
        return false;
    }
    const bool is_stall = gone.reason == adapters::GoneReason::Protocol;
    if (std::exchange(programs_.member_of(running).is_silent, false)) {
        // It lost the game by that.
        context_.events.on_hang(participant_of(running));
    } else if (!is_stall) {
        tell_fault(running, gone, false, "ended when a game was over and it was told to stop");
    } else if (!gone.detail.empty()) {
        tell_fault(running, gone, true, "did not stop when a game was over");
    }
    return state_ != State::Idle;
}

void Slot::on_program_warning(RunningProgram& running, std::string_view kind,
                              std::string_view text) {
    std::string where;
    if (play_ && state_ == State::Playing) {
        where = "game " + std::to_string(play_->record().number) + ", " + play_->where() + ": ";
    }
    context_.events.on_play_warning(participant_of(running), kind, where + printable_utf8(text));
}

void Slot::tick(TimePoint now) {
    programs_.watch_leaving(now, [this](const Participant& who) { context_.events.on_late(who); });
    SlotPrograms::Members& members = programs_.members();
    for (std::size_t i = 0; i < members.size(); ++i) {
        // What a program tells in its tick may take all programs away from here.
        if (members[i].running) members[i].running->tick(now);
    }
    if (state_ == State::Waiting) begin_when_due(now);
    if (state_ != State::Playing) return;
    turn_.tick();
    const bool drains = running_of(play_->mover()).is_draining() && play_->needs_clock();
    if (search_open_ || drains) check_deadline(now);
}

void Slot::check_deadline(TimePoint now) {
    const Micros used = turn_.used(now);
    if (const std::optional<Micros> limit = play_->flag_limit()) {
        const Micros over = used - *limit;
        if (over <= kFlagGrace) return;
        const MoveTime time = turn_.time_of(now, now, true);
        // A silent program's overrun grows until it is more than the harness can have caused.
        if (over <= time.delay && over <= kMostFlagGrace) return;
        if (search_open_ && context_.plan.runner.late_answer > Micros{0}) {
            await_late_answer(now, time);
            return;
        }
        play_->on_flag(time);
        programs_.member_of(running_of(play_->mover())).is_silent = !play_->record().harness_caused;
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

/// The flag has fallen: whether the program is late or hangs is what its answer to `stop` shows.
void Slot::await_late_answer(TimePoint now, const MoveTime& time) {
    RunningProgram& running = running_of(play_->mover());
    if (!flag_) {
        flag_ = time;
        stop_sent_ = now;
        running.stop();
    }
    const Micros limit = context_.plan.runner.late_answer;
    if (micros_between(*stop_sent_, now) < limit) return;
    running.remember_words();
    running.replace();
    play_->on_stall(play_->mover(),
                    "did not answer within " + duration_text(limit) + " of its lost time");
    after_judgement();
}

void Slot::after_judgement() {
    if (const int guilty = play_->record().guilty; guilty >= 0) {
        RunningProgram& running = running_of(guilty);
        running.remember_words();
        play_->set_last_words(running.last_words(), running.last_command());
    }
    for (const SlotPrograms::Member& member : programs_.members()) member.running->end_game();
    finish_game();
}

void Slot::finish_game() {
    play_->set_times(started_us_, wall_clock_us());
    GameRecord record = play_->take_record();
    search_open_ = false;
    if (context_.plan.runner.wait > Micros{0})
        due_ = context_.clock.now() + context_.plan.runner.wait;
    record.machine = context_.machine;
    const bool is_void =
        record.harness_caused && context_.events.may_void(encounter_.pair, encounter_.attempt);
    const bool go_on = context_.events.on_game(std::move(record), is_void);
    if (go_on && game_ + 1 < encounter_.games && !is_void) {
        ++game_;
        begin_when_due(context_.clock.now());
        return;
    }
    state_ = State::Idle;
    play_.reset();
    if (go_on) context_.events.on_idle();
}

void Slot::abort() {
    for (SlotPrograms::Member& member : programs_.members()) {
        if (member.running) member.running->end_game();
    }
    programs_.forget_silent();
    state_ = State::Idle;
    search_open_ = false;
    play_.reset();
}

void Slot::give_back() {
    ASSAY_CHECK(is_idle());
    programs_.give_back(encounter_.match);
}

}  // namespace assay::harness
