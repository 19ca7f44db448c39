#include "harness/run/match_session.h"

#include <algorithm>
#include <set>

#include "harness/build/build_versions.h"
#include "harness/plan/tournament_plan.h"

namespace assay::harness {

namespace {

constexpr Micros kInterruptGrace{500'000};
constexpr Micros kMetersEvery{2'000'000};
constexpr Micros kShownEvery{500'000};     // the games in play
constexpr Micros kProgressEvery{250'000};  // of a tournament
constexpr std::size_t kMostGamesShown = 256;

/// Programs of a tournament that wait for their next game, a game at once: as many again as play,
/// twice over. A tournament of few programs starts each once and for all; one of many does not fill
/// the memory.
constexpr std::size_t kIdleAGame = 4;
constexpr std::size_t kLeastIdle = 8;

RunningProgram::Limits limits_of(const RunPlan& plan) {
    RunningProgram::Limits limits;
    limits.start = plan.start_limit;
    limits.ready = plan.ready_limit.value_or(plan.start_limit);
    return limits;
}

}  // namespace

MatchSession::MatchSession(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                           const RunOptions& options, Store& store, LiveFile& live,
                           const std::vector<Listener*>& listeners, const Clock& clock)
    : outcome_(outcome),
      settings_(settings),
      options_(options),
      store_(store),
      live_(live),
      listeners_(listeners),
      clock_(clock),
      epoch_us_(wall_clock_us() - micros_between(TimePoint{}, clock.now()).count()),
      loop_(clock, options.log_dir, options.line_observer),
      pool_(loop_.players(), clock, limits_of(outcome.run.plan)),
      writer_(
          Store(options.store, Store::Access::Write),
          [this](const Written& written) { loop_.post([this, written] { on_written(written); }); },
          [this](const std::string& error) {
              loop_.post([this, error] { on_store_error(error); });
          }) {
    pool_.tell([this](const std::string& text) {
        for (Listener* listener : listeners_) listener->on_warning("process", text);
    });
}

MatchSession::~MatchSession() = default;

void MatchSession::play(std::size_t match) {
    match_ = match;
    const RunRecord& run = outcome_.run;
    const MatchPlan& plan = run.plan.matches[match];
    const MatchSetting& setting = settings_[match];
    const auto [a, b] = plan.between;
    pool_.keep(needed_after(match));
    pairing_ = std::make_unique<MatchPairing>(
        match, plan.between,
        Schedule(plan.pairs, setting.openings, plan.runner.counts_as_they_end,
                 run.shard.value_or(Shard{})),
        setting.opening_of, plan.runner);
    MatchRunner::Setup setup;
    setup.match = match;
    setup.names = {run.plan.programs[a].name, run.plan.programs[b].name};
    setup.games = 2 * plan.pairs;
    const std::vector<GameRecord> open = begin(
        specs_of({a, b}, plan), {{a, plan.time[0]}, {b, plan.time[1]}}, std::move(setup), {match});
    const std::vector<PairDigest> pairs = store_.pairs(run.id, match);
    for (Listener* listener : listeners_) {
        listener->on_match_start(run, match, concurrency_of(run.plan, plan));
        listener->on_restored(runner_->tally(), pairs, open);
    }
    run_to_end();
    write_end({a, b});
    for (Listener* listener : listeners_) listener->on_match_end(match_, runner_->tally());
    outcome_.matches.push_back(runner_->take_tally());
    runner_.reset();
    executor_.reset();
}

void MatchSession::play_tournament() {
    match_ = 0;
    const RunRecord& run = outcome_.run;
    const MatchPlan& shared = run.plan.matches.front();
    const std::vector<std::size_t> entrants = entrants_of(run.plan);
    auto pairing = std::make_unique<TournamentPairing>(run.plan, settings_.front().opening_of);
    tournament_ = pairing.get();
    pairing_ = std::move(pairing);
    MatchRunner::Setup setup;
    setup.is_tournament = true;
    for (const ProgramPlan& program : run.plan.programs) setup.names.push_back(program.name);
    setup.games = run.plan.tournament->games * least_pairs_of(run.plan);
    std::map<std::size_t, TimeControl> time;
    for (const std::size_t program : entrants) time[program] = run.plan.tournament->time[program];
    Specs specs = specs_of(entrants, shared);
    keep_programs_of_tournament(specs, shared);
    std::vector<std::size_t> restored = store_.begun_matches(run.id);
    if (restored.empty() || restored.front() != 0) restored.insert(restored.begin(), 0);
    (void)begin(std::move(specs), std::move(time), std::move(setup), restored);
    const TournamentState before = tournament_->state();
    for (Listener* listener : listeners_)
        listener->on_tournament_start(run, before, concurrency_of(run.plan, shared));
    tell_restored(restored);
    run_to_end();
    std::vector<std::size_t> programs(run.plan.programs.size());
    for (std::size_t i = 0; i < programs.size(); ++i) programs[i] = i;
    write_end(programs);
    const TournamentState after = tournament_state(store_, run);
    for (Listener* listener : listeners_) listener->on_tournament_end(run, after);
    runner_.reset();
    executor_.reset();
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

MatchSession::Specs MatchSession::specs_of(const std::vector<std::size_t>& programs,
                                           const MatchPlan& match) const {
    Specs specs;
    for (const std::size_t program : programs) {
        const VersionRecord& version = outcome_.run.versions.at(program);
        const ProgramPlan placed = placed_program(outcome_.run.plan.programs[program], version);
        specs[program] = spec_of(placed, version, match.game.name);
        specs[program].ponder = match.ponder;
        specs[program].kept_lines = options_.wishes.lines;
    }
    return specs;
}

/// The programs that later matches of this run will take from the pool, and how many of each.
/// Pinned programs are not kept: slots of a later match need not have the same processors.
MatchSession::NeededPrograms MatchSession::needed_after(std::size_t match) const {
    NeededPrograms needed;
    const RunPlan& run = outcome_.run.plan;
    for (std::size_t later = match + 1; later < run.matches.size(); ++later) {
        const MatchPlan& plan = run.matches[later];
        if (plan.affinity) continue;
        for (const auto& [program, spec] : specs_of({plan.between[0], plan.between[1]}, plan)) {
            const auto entrants = std::ranges::count(plan.between, program);
            const int most = static_cast<int>(entrants) * concurrency_of(run, plan);
            const auto known =
                std::ranges::find(needed, spec, &std::pair<adapters::ProgramSpec, int>::first);
            if (known == needed.end()) {
                needed.emplace_back(spec, most);
            } else {
                known->second = std::max(known->second, most);
            }
        }
    }
    return needed;
}

void MatchSession::keep_programs_of_tournament(const Specs& specs, const MatchPlan& match) {
    const int concurrency = concurrency_of(outcome_.run.plan, match);
    std::vector<std::vector<int>> cpus = pinned_to(outcome_.run.plan, match);
    if (cpus.empty()) cpus.emplace_back();  // one kind of each program, which is not pinned
    NeededPrograms needed;
    for (const auto& [program, spec] : specs) {
        for (const std::vector<int>& set : cpus) {
            needed.emplace_back(spec, concurrency);
            if (!set.empty()) needed.back().first.cpus = set;
        }
    }
    pool_.keep(std::move(needed),
               std::max(kLeastIdle, kIdleAGame * static_cast<std::size_t>(concurrency)));
}

std::vector<GameRecord> MatchSession::begin(Specs specs, std::map<std::size_t, TimeControl> time,
                                            MatchRunner::Setup setup,
                                            const std::vector<std::size_t>& restored) {
    const RunRecord& run = outcome_.run;
    const std::size_t shared = setup.match;
    const MatchPlan& plan = run.plan.matches[shared];
    const MatchSetting& setting = settings_[setup.is_tournament ? 0 : shared];
    executor_ = std::make_unique<LocalExecutor>(
        LocalExecutor::Setup{plan, std::move(specs), std::move(time), *setting.game,
                             concurrency_of(run.plan, plan), run.plan.start_limit,
                             pinned_to(run.plan, plan), [this] { return queue_meter_.total(); },
                             run.plan.seed.value_or(0), outcome_.machine,
                             options_.wishes.lines_of_moves, setting.tablebase.get()},
        pool_, clock_);
    setup.matches = run.plan.matches;
    setup.failures_in_a_row = run.plan.failures_in_a_row;
    const std::vector<std::int64_t>& budgets = run.findings.budget_from_us;
    if (shared < budgets.size()) setup.budget_from = Micros(budgets[shared]);
    setup.on_all_idle = [this] { writer_.hurry(); };
    // At once: a kill would forget it, and no later session may need the program.
    setup.on_identity = [this, between = plan.between, is_tournament = setup.is_tournament](
                            std::size_t program, const adapters::Identity& identity) {
        const std::size_t number = is_tournament ? program : between.at(program);
        VersionRecord& version = outcome_.run.versions.at(number);
        version.id_name = identity.name;
        version.id_author = identity.author;
        writer_.enqueue_versions(outcome_.run.id, outcome_.run.versions);
    };
    runner_ = std::make_unique<MatchRunner>(
        std::move(setup), *pairing_, *executor_, clock_,
        [this](GameRecord game, const std::optional<PairDigest>& pair) {
            save(std::move(game), pair);
        },
        [this](const PairDigest& pair) { writer_.enqueue_pair(outcome_.run.id, pair.match, pair); },
        listeners_);
    std::vector<GameRecord> open_of_shared;
    for (const std::size_t match : restored) {
        std::vector<GameRecord> open = store_.half_pairs(run.id, match);
        if (match == shared) open_of_shared = open;
        runner_->restore(match, store_.pairs(run.id, match), std::move(open),
                         store_.meters(run.id, match), store_.pv_summary(run.id, match));
    }
    return open_of_shared;
}

void MatchSession::run_to_end() {
    runner_->start(clock_.now());
    loop_.run({[this](TimePoint now) { on_tick(now); }, [this] { interrupt(clock_.now()); },
               [this] { return runner_->is_done(); }});
    show_games();  // none is left
    writer_.flush();
}

void MatchSession::save(GameRecord game, const std::optional<PairDigest>& pair) {
    WriteJob job;
    job.run = outcome_.run.id;
    job.match = game.match;
    job.game = std::move(game);
    job.pair = pair;
    writer_.enqueue(std::move(job));
}

void MatchSession::on_written(const Written& written) {
    if (!runner_) return;
    if (!written.is_durable()) {
        runner_->on_not_durable(written.error);
    } else if (written.finished) {
        runner_->on_durable(*written.finished);
    } else {
        runner_->on_game_durable();
    }
    loop_.check();
}

void MatchSession::on_store_error(const std::string& error) {
    if (!runner_) return;  // the match is over; its last transaction reports the failure
    runner_->on_store_failed(error);
    loop_.check();
}

void MatchSession::show_games() {
    LiveState state{outcome_.run.id, match_, 0, epoch_us_, {}};
    executor_->show_games(kMostGamesShown, state);
    live_.put(std::move(state));
}

void MatchSession::show_progress() {
    TournamentProgress progress = tournament_->progress();
    progress.in_play = concurrency_of(outcome_.run.plan, outcome_.run.plan.matches.front()) -
                       executor_->appetite();
    for (Listener* listener : listeners_) listener->on_tournament_tick(progress);
}

void MatchSession::interrupt(TimePoint now) {
    pool_.end_all();  // no match follows
    runner_->interrupt(now, kInterruptGrace);
}

void MatchSession::on_tick(TimePoint now) {
    runner_->tick(now);
    if (options_.stop.stop_requested()) interrupt(now);
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
    for (const std::size_t match : runner_->take_changed_matches())
        writer_.enqueue_meters(outcome_.run.id, match, runner_->meters(match, now));
}

/// `programs`: of the plan, in the order of the runner's.
void MatchSession::write_end(const std::vector<std::size_t>& programs) {
    std::vector<VersionRecord>& versions = outcome_.run.versions;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const auto& identity = runner_->identities()[i];
        if (!identity) continue;
        VersionRecord& version = versions[programs[i]];
        version.id_name = identity->name;
        version.id_author = identity->author;
    }
    // One transaction, which waits for the disk once.
    store_.transaction([&] {
        for (const std::size_t match : runner_->begun_matches())
            store_.set_meters(outcome_.run.id, match, runner_->meters(match, clock_.now()));
        store_.set_versions(outcome_.run.id, versions);
    });
    outcome_.ends.push_back(runner_->end());
}

}  // namespace assay::harness
