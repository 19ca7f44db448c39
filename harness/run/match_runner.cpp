// The loop of a match, without a loop: every call tells of one event (a game is over, a pair is
// durable, time has passed) and is answered at once. It starts no program and waits for nothing;
// the executor plays, the pairing decides what, the store's writer answers through on_durable(). So
// a test plays a match by calls and a clock of its own.
//
// A game goes through three states, and the order is what a kill must not break: played, durable,
// counted. A pair counts when the store has it, never before, so that what a report of the store
// shows after a kill is what the test had seen. A run ends only when nothing is unsaved: its last
// games may decide it.
//
// A standstill of the machine (another process took the processors, a laptop slept) makes many
// games at once lose on time by the harness's delay. They are void together, although a match may
// void only a share of its pairs: otherwise chance would decide which of them count.
#include "harness/run/match_runner.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "harness/machine/machine.h"
#include "harness/record/fleet.h"

namespace assay::harness {

namespace {

// Four times a second, as terminals are read by people.
constexpr Micros kShowEvery{250'000};
constexpr int kMostVoidsAPair = 3;
static_assert(kMostVoidsAPair < kAttemptsOfClaim);
/// From the first loss on time that a standstill brings to the last: Slot waits as long for
/// answers.
constexpr Micros kOneStandstill{1'000'000};

double process_cpu_us() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

/// A pair after its first game, or the only one of a pair that is void or of an encounter.
PairDigest begun_with(const GameRecord& record) {
    PairDigest pair;
    pair.match = record.match;
    pair.pair = record.pair;
    pair.attempt = record.attempt;
    pair.opening_index = record.opening_index;
    pair.slot = record.slot;
    pair.machine = record.machine;
    pair.games[static_cast<std::size_t>(record.game)] = digest_of(record);
    return pair;
}

}  // namespace

MatchRunner::MatchRunner(Setup setup, Pairing& pairing, Executor& executor, const Clock& clock,
                         SaveGame save, SavePairState save_state, std::vector<Listener*> listeners)
    : setup_(std::move(setup)),
      pairing_(pairing),
      executor_(executor),
      clock_(clock),
      save_(std::move(save)),
      save_state_(std::move(save_state)),
      listeners_(std::move(listeners)),
      first_(state_of(setup_.match)),
      programs_(setup_.names.size()),
      identities_(setup_.names.size()) {}

MatchRunner::~MatchRunner() = default;

MatchRunner::MatchState& MatchRunner::state_of(std::size_t match) {
    return matches_.try_emplace(match, setup_.matches[match]).first->second;
}

std::size_t MatchRunner::index_of(Participant who) const {
    const auto number = static_cast<std::size_t>(who.number);
    return setup_.is_tournament ? setup_.matches[who.match].between.at(number) : number;
}

const std::string& MatchRunner::name_of(Participant who) const {
    return setup_.names.at(index_of(who));
}

void MatchRunner::restore(std::size_t match, std::vector<PairDigest> pairs,
                          std::vector<GameRecord> half_pairs, const RunMeters& meters,
                          PvSummary pv) {
    MatchState& state = state_of(match);
    if (match == setup_.match) before_ = meters;
    state.counter.tally().set_pv(std::move(pv));
    state.counter.tally().set_meters(meters);
    for (std::size_t i = 0; i < std::min(state.between_games.size(), meters.between_games.size());
         ++i)
        state.between_games[i] = meters.between_games[i];
    for (const GameRecord& game : half_pairs)
        plies_before_ += static_cast<std::int64_t>(game.moves.size());
    for (const PairDigest& pair : pairs) {
        if (pair.state == PairState::Void) {
            ++voided_;
            ++state.voided;
        }
        if (is_replaced(pair.state)) state.counter.add_left_out(pair);
        games_over_ += std::ssize(pair.played());
        for (const GameDigest& game : pair.played()) plies_before_ += game.plies;
    }
    count(pairing_.restore(match, std::move(pairs), std::move(half_pairs)));
}

void MatchRunner::add_attempts(const std::vector<AttemptRecord>& attempts) {
    for (const AttemptRecord& attempt : attempts) {
        if (attempt.match < setup_.matches.size() &&
            (setup_.is_tournament || attempt.match == setup_.match))
            state_of(attempt.match).counter.tally().add_attempt(attempt);
    }
}

void MatchRunner::start(TimePoint now) {
    started_ = now;
    is_running_ = true;
    cpu_started_us_ = process_cpu_us();
    plies_started_ = plies_of_all();
    pairing_.begin();
    executor_.start(*this, now);
    check_complete();
    offer_work();
}

void MatchRunner::offer_work() {
    if (is_draining_) return end_if_drained();
    while (!is_ending_ && executor_.appetite() > 0) {
        if (setup_.most_unsaved > 0 && unsaved_ >= setup_.most_unsaved) {
            if (setup_.on_all_idle) setup_.on_all_idle();
            return;
        }
        const std::optional<Encounter> encounter = pairing_.next();
        if (!encounter) {
            // Programs without work end beside the games that are still played, unless a pair may
            // turn out to duplicate an earlier one and must be replaced: then they wait for that,
            // where no other match needs the place.
            if (!plan().deterministic || setup_.is_followed) executor_.rest();
            tell_if_all_idle();
            return;
        }
        if (encounter->played)
            state_of(encounter->match).begun[encounter->pair] = begun_with(*encounter->played);
        executor_.offer(*encounter);
    }
}

void MatchRunner::tell_if_all_idle() {
    if (unsaved_ > 0 && setup_.on_all_idle && executor_.is_idle()) setup_.on_all_idle();
}

void MatchRunner::on_game_started(const GameStarted& game) {
    for (Listener* listener : listeners_) listener->on_game_start(game);
}

void MatchRunner::on_pv_finding(const PvFinding& finding) {
    for (Listener* listener : listeners_) listener->on_pv_finding(finding);
}

bool MatchRunner::on_game(GameRecord record, bool is_void) {
    MatchState& state = state_of(record.match);
    ++games_over_;
    ++unsaved_;  // first: what follows may end the match, which must wait for this game
    if (!plan().runner.voids) record.harness_caused = false;
    plies_ += static_cast<std::int64_t>(record.moves.size());
    for (Listener* listener : listeners_) listener->on_game_end(record, is_void);
    note_failures(record);
    state.counter.tally().add_pv(record.pv_counts);
    const Participant second{record.match, record.program[1]};
    const Participant first{record.match, record.program[0]};
    if (auto text = score_view_.add(record, index_of(first), index_of(second))) {
        on_play_warning(second, "score-view", std::move(*text));
    }

    std::optional<PairDigest> pair;
    auto begun = state.begun.find(record.pair);
    const bool is_begun = begun != state.begun.end();
    const bool is_single = pairing_.is_single(record);
    if (is_void || is_single || record.game == 1) {
        ASSAY_CHECK(is_void || is_single || is_begun);
        pair = is_begun ? begun->second : begun_with(record);
        pair->games[static_cast<std::size_t>(record.game)] = digest_of(record);
        pair->is_single = is_single;
        if (is_begun) state.begun.erase(begun);
    } else if (!pairing_.end_single_game(record)) {
        state.begun[record.pair] = begun_with(record);
    }
    if (is_void) {
        pair->state = PairState::Void;
        ++voided_;
        ++state.voided;
        changed_.insert(record.match);
        if (!is_of_last_standstill()) standstill_ = clock_.now();
        pairing_.replay(*pair);
    }
    save_(std::move(record), pair);
    return !is_ending_;
}

void MatchRunner::note_failures(const GameRecord& record) {
    if (record.harness_caused) return;
    const bool is_failed = is_failure(record.termination);
    if (!plan().runner.recovers && is_gone(record.termination)) {
        end_by_failure({record.match, record.program_of(record.guilty)}, record.reason);
        return;
    }
    for (const int program : {0, 1}) {
        const Participant who{record.match, program};
        const bool is_guilty = record.guilty >= 0 &&
                               record.program[static_cast<std::size_t>(record.guilty)] == program;
        const std::string last = record.reason + "\n" + record.last_lines;
        if (is_guilty && record.termination == Termination::Time) {
            // Counted as a failure only if the program hangs (on_hang), not if it was late
            // (on_late).
            program_of(who).last_loss_on_time = last;
        } else if (is_guilty && is_failed) {
            note_failure(who, last);
        } else if (!is_failed || record.termination == Termination::Time) {
            // A game that ended by the opponent's failure says nothing about this program.
            note_success(who);
        }
    }
}

void MatchRunner::note_success(Participant who) {
    ProgramState& program = program_of(who);
    program.row_before_success = std::exchange(program.failures_in_a_row, 0);
}

/// The program failed behind a game that it had ended well, so that this game ends no row of
/// failures.
void MatchRunner::on_fault_between_games(Participant who, bool is_stall, const std::string& last) {
    FaultsBetweenGames& faults =
        state_of(who.match).between_games[static_cast<std::size_t>(who.number)];
    ++(is_stall ? faults.stalls : faults.crashes);
    changed_.insert(who.match);
    if (setup_.on_fault_between_games) setup_.on_fault_between_games(who.match);
    ProgramState& program = program_of(who);
    program.failures_in_a_row += std::exchange(program.row_before_success, 0);
    note_failure(who, last);
}

void MatchRunner::on_hang(Participant who) {
    note_failure(who, program_of(who).last_loss_on_time);
}

void MatchRunner::on_late(Participant who) {
    note_success(who);
}

void MatchRunner::note_failure(Participant who, const std::string& last) {
    ProgramState& program = program_of(who);
    program.row_before_success = 0;
    const int count = ++program.failures_in_a_row;
    if (count < setup_.failures_in_a_row) return;
    end_by_failure(
        who, fmt::format("{} failed in {} games in a row, last: {}", name_of(who), count, last));
}

/// The store has these pairs already. Behind the decision they are kept, and do not count; where
/// the match has ended without one, a later session finds them in the store.
void MatchRunner::on_part(std::size_t match, std::vector<PairDigest> pairs,
                          std::vector<GameRecord> games) {
    MatchState& state = state_of(match);
    std::set<std::pair<std::int64_t, int>> voids;
    for (const PairDigest& pair : pairs)
        if (is_replaced(pair.state)) voids.emplace(pair.pair, pair.attempt);
    for (GameRecord& game : games) {
        game.match = match;
        state.counter.tally().add_pv(game.pv_counts);
        const bool is_void = voids.contains({game.pair, game.attempt});
        for (Listener* listener : listeners_) listener->on_game_end(game, is_void);
    }
    for (PairDigest& pair : pairs) {
        pair.match = match;
        games_over_ += std::ssize(pair.played());
        for (const GameDigest& game : pair.played()) plies_ += game.plies;
        if (is_replaced(pair.state)) {
            voided_ += pair.state == PairState::Void ? 1 : 0;
            state.voided += pair.state == PairState::Void ? 1 : 0;
            changed_.insert(match);
            state.counter.add_left_out(pair);
            for (Listener* listener : listeners_) listener->on_pair(pair, state.counter.tally());
            continue;
        }
        std::vector<PairDigest> in_order = pairing_.finished(pair);
        if (is_closed_ && tally().verdict() == Verdict::None) continue;
        if (is_closed_) in_order = {pair};
        count(in_order);
    }
    check_complete();
    fill_free_places();
}

void MatchRunner::on_faults_elsewhere(std::size_t match,
                                      const std::vector<FaultsBetweenGames>& faults) {
    std::vector<FaultsBetweenGames>& known = state_of(match).between_games;
    for (std::size_t i = 0; i < std::min(known.size(), faults.size()); ++i) {
        known[i].crashes += faults[i].crashes;
        known[i].stalls += faults[i].stalls;
    }
    changed_.insert(match);
    // The last parts come when no tick follows.
    state_of(match).counter.tally().set_meters(meters(match, is_ending_ ? ended_ : clock_.now()));
}

void MatchRunner::on_fleet_note(std::string_view kind, std::string text) {
    for (Listener* listener : listeners_) listener->on_warning(kind, text);
}

void MatchRunner::on_idle() {
    fill_free_places();
}

/// Of places that matches share an earlier match takes what it can fill, whichever has freed them.
void MatchRunner::fill_free_places() {
    if (setup_.on_free_place) return setup_.on_free_place();
    offer_work();
}

bool MatchRunner::may_void(std::int64_t, int attempt) {
    if (!plan().runner.voids) return false;
    // A share of all planned games: in the first hours of a long run few games have been played.
    const std::int64_t games = std::max(games_over_, setup_.games);
    // Each claim of a fleet has attempts of its own.
    return attempt % kAttemptsOfClaim < kMostVoidsAPair &&
           (voided_ < most_voided(games) || is_of_last_standstill());
}

/// One standstill of the machine hits all games that are played at once: they are void together.
bool MatchRunner::is_of_last_standstill() const {
    return standstill_ && micros_between(*standstill_, clock_.now()) < kOneStandstill;
}

void MatchRunner::on_play_warning(Participant who, std::string_view kind, std::string text) {
    std::string name = name_of(who);
    // Of a tournament the number of a game alone says nothing.
    const bool is_of_meeting = text.starts_with("game ") || kind == "between-games";
    if (setup_.is_tournament && is_of_meeting)
        name += " against " + name_of({who.match, 1 - who.number});
    const std::string line = name + ": " + text;
    for (Listener* listener : listeners_) listener->on_warning(kind, line);
}

void MatchRunner::on_started(Participant who, const adapters::Identity& identity) {
    const std::size_t program = index_of(who);
    identities_[program] = identity;
    if (setup_.on_identity) setup_.on_identity(program, identity);
    for (Listener* listener : listeners_)
        listener->on_program_start(static_cast<int>(program), identity);
}

void MatchRunner::on_durable(const PairDigest& pair) {
    --unsaved_;
    if (pair.state == PairState::Void) {
        PairCounter& counter = state_of(pair.match).counter;
        counter.add_left_out(pair);
        for (Listener* listener : listeners_) listener->on_pair(pair, counter.tally());
    } else {
        count(pairing_.finished(pair));
        check_complete();
    }
    fill_free_places();
    close_if_saved();
}

void MatchRunner::on_game_durable() {
    --unsaved_;
    if (plan().runner.has_odd_game) check_complete();
    if (setup_.most_unsaved > 0) fill_free_places();
    close_if_saved();
}

void MatchRunner::on_not_durable(const std::string& reason) {
    --unsaved_;
    on_store_failed(reason);
    close_if_saved();
}

void MatchRunner::count(const std::vector<PairDigest>& in_order) {
    for (const PairDigest& pair : in_order) count_one(pair);
}

void MatchRunner::count_one(const PairDigest& finished) {
    PairCounter& counter = state_of(finished.match).counter;
    const PairDigest pair = counter.count(finished);
    if (pair.state == PairState::Duplicate) pairing_.extend();
    if (pair.state != finished.state) save_state_(pair);
    if (!is_running_) return;  // known from an earlier session
    for (Listener* listener : listeners_) listener->on_pair(pair, counter.tally());
    if (tally().verdict() != Verdict::None && !is_ending_) {
        finish({MatchEnd::Cause::Decided, -1, ""});
    }
}

void MatchRunner::tick(TimePoint now) {
    if (!is_running_) return;
    executor_.tick(now);
    if (is_draining_) end_if_drained();
    if (!is_ending_ && is_out_of_time(now)) finish({MatchEnd::Cause::OutOfTime, -1, ""});
    if (now >= next_show_) {
        next_show_ = now + kShowEvery;
        first_.counter.tally().set_meters(meters(setup_.match, now));
        if (setup_.is_tournament) return;
        for (Listener* listener : listeners_) listener->on_tick(setup_.match, tally());
    }
}

std::int64_t MatchRunner::plies_of_all() const {
    return setup_.plies_of_all ? setup_.plies_of_all() : plies_;
}

/// Matches that are played at once share the process's time by their plies.
double MatchRunner::cpu_us_per_ply() const {
    const std::int64_t played = plies_of_all() - plies_started_;
    if (plies_ == 0 || played <= 0) return 0;
    return (process_cpu_us() - cpu_started_us_) / static_cast<double>(played);
}

std::vector<std::size_t> MatchRunner::begun_matches() const {
    std::vector<std::size_t> begun;
    for (const auto& [match, state] : matches_) begun.push_back(match);
    return begun;
}

std::vector<std::size_t> MatchRunner::take_changed_matches() {
    changed_.insert(setup_.match);
    const std::set<std::size_t> changed = std::exchange(changed_, {});
    return {changed.begin(), changed.end()};
}

RunMeters MatchRunner::meters(std::size_t match, TimePoint now) const {
    RunMeters meters;
    DelayRecord& delay = meters.delay;
    delay = executor_.delays();
    delay.max_us = std::max(before_.delay.max_us, delay.max_us);
    if (delay.cpu_us_per_ply <= 0)
        delay.cpu_us_per_ply = is_ending_ ? cpu_us_per_ply_at_end_ : cpu_us_per_ply();
    // Of earlier sessions only the quantiles are known: take the mean, weighted by moves.
    const bool is_known = before_.delay.max_us > 0;  // else a kill came before they were stored
    const std::int64_t plies = (is_known ? plies_before_ : 0) + plies_;
    const double share = plies > 0 ? static_cast<double>(plies_) / static_cast<double>(plies) : 0;
    const auto merged = [share](double before, double now_figure) {
        return before * (1 - share) + now_figure * share;
    };
    delay.p50_us = merged(before_.delay.p50_us, delay.p50_us);
    delay.p99_us = merged(before_.delay.p99_us, delay.p99_us);
    delay.cpu_us_per_ply = merged(before_.delay.cpu_us_per_ply, delay.cpu_us_per_ply);
    const MatchState& state = matches_.at(match);
    meters.voided = state.voided;
    meters.between_games = state.between_games;
    if (match != setup_.match) return meters;
    const TimePoint until = is_ending_ ? ended_ : now;
    meters.wall_us = before_.wall_us + micros_between(started_, until).count();
    return meters;
}

}  // namespace assay::harness
