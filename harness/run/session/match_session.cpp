// Plays the matches of a run in one event loop: programs, signals, the store's writer and the
// display meet here and nowhere else. What is decided, is decided below (schedule, runner, stop
// rules); this file connects.
//
// Matches share the places for games. A later match begins when earlier ones cannot fill all
// places, so that the slow last games of a match do not leave the machine idle; an earlier match
// always has the first claim on a free place. Programs go back to a pool between games and matches:
// which of them later matches will take is known from the plan (SessionPrograms), and the rest is
// ended at once to free memory.
//
// A tournament is one long match of many programs: one runner, whose pairing gives out encounters
// of all its pairs.
//
// The store's writer answers from its own thread. Its answers are posted to the loop, so that
// runners are called by one thread only.
#include "harness/run/session/match_session.h"

#include <algorithm>

#include "harness/executor/fleet_match.h"
#include "harness/plan/tournament_plan.h"
#include "harness/record/fleet.h"
#include "harness/record/unsaved_games.h"

namespace assay::harness {

namespace {

constexpr Micros kInterruptGrace{500'000};
constexpr Micros kMetersEvery{2'000'000};
constexpr Micros kShownEvery{500'000};     // the games in play
constexpr Micros kProgressEvery{250'000};  // of a tournament
constexpr std::size_t kMostGamesShown = 256;

}  // namespace

MatchSession::MatchSession(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                           const RunOptions& options, Store& store, LiveFile& live,
                           const std::vector<Listener*>& listeners, const Clock& clock,
                           std::shared_ptr<CoordinatorLock> coordinator)
    : outcome_(outcome),
      settings_(settings),
      options_(options),
      store_(store),
      live_(live),
      listeners_(listeners),
      clock_(clock),
      coordinator_(std::move(coordinator)),
      epoch_us_(wall_clock_us() - micros_between(TimePoint{}, clock.now()).count()),
      loop_(clock, options.log_dir, options.line_observer),
      pool_(loop_.players(), clock, program_limits_of(outcome.run.plan)),
      programs_(outcome.run, options.wishes.lines),
      writer_(
          Store(options.store, Store::Access::Write),
          [this](const Written& written) { loop_.post([this, written] { on_written(written); }); },
          [this](const std::string& error) {
              loop_.post([this, error] { on_store_error(error); });
          }) {
    pool_.tell([this](const std::string& text) {
        for (Listener* listener : listeners_) listener->on_warning("process", text);
    });
    // Other matches have readers of their own, which would fail likewise.
    for (const MatchSetting& failing : settings_) {
        if (!failing.tablebase) continue;
        failing.tablebase->on_failure([this, &failing](const std::string& what) {
            const std::string sentence =
                what + ": games are not adjudicated by tables any more; compare their checksums";
            for (Listener* listener : listeners_) listener->on_warning("tablebase", sentence);
            for (const MatchSetting& setting : settings_) {
                if (setting.tablebase &&
                    setting.tablebase->folders() == failing.tablebase->folders())
                    setting.tablebase->switch_off();
            }
        });
    }
}

MatchSession::~MatchSession() = default;

void MatchSession::play(std::size_t first, std::size_t last) {
    places_.emplace(concurrency_of(outcome_.run.plan, outcome_.run.plan.matches[first]));
    // Before the first one begins: to calibrate a stop rule and to read what was played would hold
    // up games.
    for (std::size_t match = first; match < last; ++match) played_.push_back(prepared(match, last));
    fill_places();
    run_to_end();
    for (const Played& one : begun()) {
        outcome_.ends.push_back(one.runner->end());
        outcome_.matches.push_back(one.runner->take_tally());
    }
    forget_played();
}

MatchSession::Played MatchSession::prepared(std::size_t match, std::size_t last) {
    const RunRecord& run = outcome_.run;
    const MatchPlan& plan = run.plan.matches[match];
    const MatchSetting& setting = settings_[match];
    const auto [a, b] = plan.between;
    Played played;
    played.match = match;
    played.pairing = std::make_unique<MatchPairing>(
        match, plan.between,
        Schedule(plan.pairs, setting.openings, plan.runner.counts_as_they_end,
                 run.shard.value_or(Shard{}),
                 options_.batch ? kAttemptsOfClaim * options_.batch->attempt : 0),
        setting.opening_of, plan.runner);
    MatchRunner::Setup setup;
    setup.match = match;
    setup.names = {run.plan.programs[a].name, run.plan.programs[b].name};
    // Of a batch its own: each that voided a share of the run's would void that share often.
    setup.games = 2 * plan.pairs;
    setup.on_free_place = [this] { fill_places(); };
    setup.is_followed = match + 1 < last;
    setup.plies_of_all = [this] {
        std::int64_t plies = 0;
        for (const Played& one : played_) plies += one.runner->plies();
        return plies;
    };
    prepare(played, programs_.specs_of({a, b}, plan), {{a, plan.time[0]}, {b, plan.time[1]}},
            std::move(setup), {match});
    return played;
}

void MatchSession::begin_next() {
    Played& played = played_[begun_++];
    const RunRecord& run = outcome_.run;
    pool_.keep(programs_.needed_after(first_in_play()));
    const int concurrency = concurrency_of(run.plan, run.plan.matches[played.match]);
    for (Listener* listener : listeners_) {
        listener->on_match_start(run, played.match, concurrency);
        listener->on_restored(played.runner->tally(), played.restored, played.open);
    }
    played.restored = {};
    played.open = {};
    played.runner->start(clock_.now());
}

/// Places that are free go to the matches in their order: a later one gets what those before it
/// cannot fill.
void MatchSession::fill_places() {
    if (has_failed()) return;
    for (std::size_t i = 0; i < begun_; ++i) played_[i].runner->offer_work();
    while (!is_stopping_ && begun_ < played_.size() && places_->has_free() && !has_failed())
        begin_next();
}

bool MatchSession::has_failed() const {
    return std::ranges::any_of(begun(), [](const Played& one) {
        return one.runner->is_ending() && !has_come_to_its_end(one.runner->end());
    });
}

/// That of the plan's matches which is the first that is still played, else the last that was.
std::size_t MatchSession::first_in_play() const {
    for (const Played& one : begun())
        if (!one.is_over) return one.match;
    return begun_ == 0 ? 0 : begun().back().match;
}

bool MatchSession::is_done() const {
    if (!is_stopping_ && begun_ < played_.size() && !has_failed()) return false;
    return std::ranges::all_of(begun(), [](const Played& one) { return one.runner->is_done(); });
}

/// Beside others a match is over when its last game is stored: programs that are still ending may
/// be theirs.
void MatchSession::end_done_matches() {
    if (is_done()) return;
    for (std::size_t i = 0; i < begun_; ++i) {
        if (played_[i].is_over || !played_[i].runner->is_saved()) continue;
        write_meters(played_[i]);  // they change no more
        end_match(played_[i]);
    }
}

void MatchSession::write_meters(const Played& played) {
    MatchRunner& runner = *played.runner;
    for (const std::size_t match : runner.take_changed_matches())
        writer_.enqueue_meters(outcome_.run.id, match, runner.meters(match, clock_.now()));
}

void MatchSession::end_match(Played& played) {
    if (std::exchange(played.is_over, true) || tournament_ != nullptr) return;
    if (outcome_.run.plan.slurm) {
        played.runner->add_attempts(store_.attempts(outcome_.run.id));
        tell_of_machines();
    }
    if (!is_stopping_) pool_.keep(programs_.needed_after(first_in_play()));
    for (Listener* listener : listeners_)
        listener->on_match_end(played.match, played.runner->tally());
}

void MatchSession::tell_of_machines() {
    const auto stored = store_.find_run(std::to_string(outcome_.run.id));
    if (!stored) return;
    outcome_.run.machine = stored->machine;
    outcome_.run.other_machines = stored->other_machines;
    for (Listener* listener : listeners_) listener->on_machines(outcome_.run);
}

void MatchSession::play_tournament() {
    const RunRecord& run = outcome_.run;
    const MatchPlan& shared = run.plan.matches.front();
    const std::vector<std::size_t> entrants = entrants_of(run.plan);
    auto pairing = std::make_unique<TournamentPairing>(run.plan, settings_.front().opening_of,
                                                       run.findings.was_added_to());
    tournament_ = pairing.get();
    Played played;
    played.pairing = std::move(pairing);
    MatchRunner::Setup setup;
    setup.is_tournament = true;
    for (const ProgramPlan& program : run.plan.programs) setup.names.push_back(program.name);
    setup.games = run.plan.tournament->games * least_pairs_of(run.plan);
    std::map<std::size_t, TimeControl> time;
    for (const std::size_t program : entrants) time[program] = run.plan.tournament->time[program];
    ProgramSpecs specs = programs_.specs_of(entrants, shared);
    auto [needed, most] = programs_.needed_in_tournament(specs, shared);
    pool_.keep(std::move(needed), most);
    std::vector<std::size_t> restored = store_.begun_matches(run.id);
    if (restored.empty() || restored.front() != 0) restored.insert(restored.begin(), 0);
    prepare(played, std::move(specs), std::move(time), std::move(setup), restored);
    played_.push_back(std::move(played));
    MatchRunner& runner = *played_.front().runner;
    const TournamentState before = tournament_->state();
    for (Listener* listener : listeners_)
        listener->on_tournament_start(run, before, concurrency_of(run.plan, shared));
    tell_restored(restored);
    begun_ = 1;
    runner.start(clock_.now());
    run_to_end();
    outcome_.ends.push_back(runner.end());
    const TournamentState after = tournament_state(store_, run);
    for (Listener* listener : listeners_) listener->on_tournament_end(run, after);
    forget_played();
}

void MatchSession::forget_played() {
    played_.clear();
    begun_ = 0;
    places_.reset();
}

void MatchSession::tell_restored(const std::vector<std::size_t>& matches) {
    const std::int64_t run = outcome_.run.id;
    for (const std::size_t match : matches) {
        const std::vector<PairDigest> pairs = store_.pairs(run, match);
        const std::vector<GameRecord> open = store_.half_pairs(run, match);
        if (pairs.empty() && open.empty()) continue;
        for (Listener* listener : listeners_) listener->on_tournament_restored(match, pairs, open);
    }
}

void MatchSession::finish() {
    if (loop_.signal() != 0) return;  // they have ended, or a second signal came
    pool_.end_all();
    loop_.run({[this](TimePoint now) { pool_.tick(now); },
               [this] { pool_.hurry(clock_.now(), kInterruptGrace); },
               [this] { return pool_.is_settled(); }});
}

void MatchSession::prepare(Played& played, ProgramSpecs specs,
                           std::map<std::size_t, TimeControl> time, MatchRunner::Setup setup,
                           const std::vector<std::size_t>& restored) {
    const RunRecord& run = outcome_.run;
    const MatchPlan& plan = run.plan.matches[setup.match];
    played.executor = executor_of(setup, std::move(specs), std::move(time));
    setup.matches = run.plan.matches;
    setup.failures_in_a_row = run.plan.failures_in_a_row;
    const std::vector<std::int64_t>& budgets = run.findings.budget_from_us;
    if (setup.match < budgets.size()) setup.budget_from = Micros(budgets[setup.match]);
    if (!plan.runner.voids) setup.most_unsaved = most_unsaved_games(concurrency_of(run.plan, plan));
    add_writes(setup);
    played.runner = std::make_unique<MatchRunner>(
        std::move(setup), *played.pairing, *played.executor, clock_,
        [this](GameRecord game, const std::optional<PairDigest>& pair) {
            save(std::move(game), pair);
        },
        [this](const PairDigest& pair) { writer_.enqueue_pair(outcome_.run.id, pair.match, pair); },
        listeners_);
    restore(played, restored);
}

/// What the runner tells is written down at once: a kill would forget it.
void MatchSession::add_writes(MatchRunner::Setup& setup) {
    setup.on_all_idle = [this] { writer_.hurry(); };
    // No later session may need the program.
    const auto between = outcome_.run.plan.matches[setup.match].between;
    setup.on_identity = [this, between, is_tournament = setup.is_tournament](
                            std::size_t program, const adapters::Identity& identity) {
        name_version(is_tournament ? program : between.at(program), identity);
        writer_.enqueue_versions(outcome_.run.id, versions_to_store());
    };
    setup.on_fault_between_games = [this](std::size_t match) {
        const MatchRunner* const runner = runner_of(match);
        if (runner == nullptr) return;
        writer_.enqueue_meters(outcome_.run.id, match, runner->meters(match, clock_.now()));
    };
}

/// What earlier sessions have played of these matches.
void MatchSession::restore(Played& played, const std::vector<std::size_t>& matches) {
    const RunRecord& run = outcome_.run;
    for (const std::size_t match : matches) {
        std::vector<GameRecord> open = store_.half_pairs(run.id, match);
        std::vector<PairDigest> pairs = store_.pairs(run.id, match);
        if (tournament_ == nullptr) {
            played.open = open;
            played.restored = pairs;
        }
        played.runner->restore(match, std::move(pairs), std::move(open),
                               store_.meters(run.id, match), store_.pv_summary(run.id, match));
    }
    // A fleet's executor writes more of them until the match is over, when all are added.
    if (tournament_ == nullptr && !run.plan.slurm)
        played.runner->add_attempts(store_.attempts(run.id));
}

std::unique_ptr<Executor> MatchSession::executor_of(const MatchRunner::Setup& setup,
                                                    ProgramSpecs specs,
                                                    std::map<std::size_t, TimeControl> time) {
    const RunRecord& run = outcome_.run;
    const MatchPlan& plan = run.plan.matches[setup.match];
    if (run.plan.slurm) return slurm_executor(run, setup.match, store_, coordinator_);
    const MatchSetting& setting = settings_[setup.is_tournament ? 0 : setup.match];
    return std::make_unique<LocalExecutor>(
        LocalExecutor::Setup{
            plan, std::move(specs), std::move(time), *setting.game, concurrency_of(run.plan, plan),
            run.plan.start_limit, pinned_to(run.plan, plan),
            [this] { return queue_meter_.total(); }, run.plan.seed.value_or(0), outcome_.machine,
            options_.wishes.lines_of_moves, setting.tablebase.get(), places_ ? &*places_ : nullptr},
        pool_, clock_);
}

void MatchSession::run_to_end() {
    loop_.run({[this](TimePoint now) { on_tick(now); }, [this] { on_signal(); },
               [this] { return is_done(); }});
    show_games();  // none is left
    writer_.flush();
    write_end();
    for (std::size_t i = 0; i < begun_; ++i) end_match(played_[i]);
}

void MatchSession::save(GameRecord game, const std::optional<PairDigest>& pair) {
    WriteJob job;
    job.run = outcome_.run.id;
    job.match = game.match;
    job.game = std::move(game);
    job.pair = pair;
    writer_.enqueue(std::move(job));
}

/// Null where it is not played any more.
MatchRunner* MatchSession::runner_of(std::size_t match) {
    if (tournament_ != nullptr) return played_.empty() ? nullptr : played_.front().runner.get();
    const auto found = std::ranges::find(played_, match, &Played::match);
    return found == played_.end() ? nullptr : found->runner.get();
}

void MatchSession::on_written(const Written& written) {
    MatchRunner* const runner = runner_of(written.match);
    if (runner == nullptr) return;
    if (!written.is_durable()) {
        runner->on_not_durable(written.error);
    } else if (written.finished) {
        runner->on_durable(*written.finished);
    } else {
        runner->on_game_durable();
    }
    loop_.check();
}

void MatchSession::on_store_error(const std::string& error) {
    // Where the matches are over, their last transaction reports the failure.
    for (std::size_t i = 0; i < begun_; ++i) played_[i].runner->on_store_failed(error);
    loop_.check();
}

void MatchSession::show_games() {
    LiveState state{outcome_.run.id, first_in_play(), 0, epoch_us_, {}};
    for (const Played& one : begun()) one.executor->show_games(kMostGamesShown, state);
    live_.put(std::move(state));
}

void MatchSession::show_progress() {
    TournamentProgress progress = tournament_->progress();
    progress.in_play = concurrency_of(outcome_.run.plan, outcome_.run.plan.matches.front()) -
                       played_.front().executor->appetite();
    for (Listener* listener : listeners_) listener->on_tournament_tick(progress);
}

void MatchSession::on_signal() {
    const TimePoint now = clock_.now();
    if (!options_.drain) return interrupt(now);
    is_stopping_ = true;
    drained_by_ = now + options_.drain();
    for (std::size_t i = 0; i < begun_; ++i) played_[i].runner->drain();
}

void MatchSession::interrupt(TimePoint now) {
    is_stopping_ = true;
    pool_.end_all();  // no match follows
    for (std::size_t i = 0; i < begun_; ++i) played_[i].runner->interrupt(now, kInterruptGrace);
}

void MatchSession::on_tick(TimePoint now) {
    for (std::size_t i = 0; i < begun_; ++i)
        if (!played_[i].is_over) played_[i].runner->tick(now);
    pool_.tick(now);  // programs of matches that are over may still be ending
    if (drained_by_ && now >= *drained_by_) interrupt(now);
    // A match that failed ends the run: the others would play for a result that nobody gets.
    const bool ends_others = begun_ > 1 && has_failed() && !is_stopping_;
    if (options_.stop.stop_requested() || ends_others) interrupt(now);
    if (played_.size() > 1) {
        fill_places();
        end_done_matches();
    }
    if (tournament_ != nullptr && now >= next_progress_) {
        next_progress_ = now + kProgressEvery;
        show_progress();
    }
    if (now >= next_shown_) {
        next_shown_ = now + kShownEvery;
        show_games();
    }
    if (now < next_meters_) return;
    // The minutes used are not forgotten by a kill.
    next_meters_ = now + kMetersEvery;
    for (std::size_t i = 0; i < begun_; ++i)
        if (!played_[i].is_over) write_meters(played_[i]);
}

void MatchSession::name_version(std::size_t program, const adapters::Identity& identity) {
    VersionRecord& version = outcome_.run.versions.at(program);
    version.id_name = identity.name;
    version.id_author = identity.author;
}

void MatchSession::take_identities(const Played& played) {
    const std::vector<std::optional<adapters::Identity>>& known = played.runner->identities();
    const auto between = outcome_.run.plan.matches[played.match].between;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i]) name_version(tournament_ != nullptr ? i : between.at(i), *known[i]);
    }
}

/// Of a batch with the run's own paths, and not those of the copies that it plays.
std::vector<VersionRecord> MatchSession::versions_to_store() const {
    std::vector<VersionRecord> versions = outcome_.run.versions;
    if (!options_.batch) return versions;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        versions[i].path = options_.batch->whole.versions.at(i).path;
        versions[i].files = options_.batch->whole.versions.at(i).files;
    }
    return versions;
}

void MatchSession::write_end() {
    for (const Played& one : begun()) take_identities(one);
    // One transaction, which waits for the disk once.
    store_.transaction([&] {
        for (const Played& one : begun()) {
            for (const std::size_t match : one.runner->begun_matches())
                store_.set_meters(outcome_.run.id, match, one.runner->meters(match, clock_.now()));
        }
        store_.set_versions(outcome_.run.id, versions_to_store());
    });
}

}  // namespace assay::harness
