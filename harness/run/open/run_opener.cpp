// Which run a command continues. A run is known by the hash of its plan as the user wrote it, not
// by its name: a resume with another time control under the same name would mix two experiments in
// one set of pairs, so it is refused with the keys that differ. The values that a run is given when
// it begins (seed, derived number of pairs, control match) are in the stored plan and not in the
// hash; a resume takes them from the store. A book or a program with other content than at the
// beginning is refused too.
//
// A new run reads its books on another thread from the moment that it is known to be new, because a
// large book takes longer to read than the store takes to open and the programs take to be hashed.
#include "harness/run/open/run_opener.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "adapters/process/process.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/machine/calibration.h"
#include "harness/machine/machine.h"
#include "harness/match/budget.h"
#include "harness/plan/plan_difference.h"
#include "harness/plan/tournament_plan.h"
#include "harness/program/confinement/confinement.h"
#include "harness/record/run_identity.h"
#include "harness/run/control_match.h"
#include "harness/run/open/going_on.h"
#include "harness/run/open/run_of_plan.h"
#include "harness/store/store.h"
#include "openings/book.h"

namespace assay::harness {

namespace {

std::uint64_t draw_seed() {
    std::random_device device;
    // Short enough to be typed, large enough not to be met twice.
    return (static_cast<std::uint64_t>(device()) << 16U ^ device()) % 1'000'000'000;
}

/// What a start would fail at, told before one is tried. Throws Error.
void check_places(const RunPlan& plan) {
    for (const ProgramPlan& program : plan.programs) {
        std::error_code ignored;
        const bool is_built_later = program.git.has_value();  // and its folder with it
        if (!is_built_later && !program.dir.empty() &&
            !std::filesystem::is_directory(program.dir, ignored)) {
            throw Error(fmt::format("program '{}': there is no folder '{}' (dir)", program.name,
                                    program.dir));
        }
        if (program.confinement) check_confinement(program);
        if (is_built_later) continue;
        if (!program.sandbox.empty() && adapters::find_program(program.sandbox.front()).empty()) {
            throw Error(fmt::format("program '{}': there is no '{}' (sandbox)", program.name,
                                    program.sandbox.front()));
        }
    }
}

void check_same_books(const RunRecord& run, const std::vector<MatchSetting>& settings) {
    for (std::size_t i = 0; i < settings.size() && i < run.book_hashes.size(); ++i) {
        const std::string now = settings[i].book ? settings[i].book->hash() : "";
        if (now == run.book_hashes[i]) continue;
        throw Error(fmt::format(
            "the book '{}' is not the one that run {} began with; start a new run without "
            "--resume, or put the old book back",
            run.plan.matches[i].openings.book, run.id));
    }
}

std::vector<MatchSetting> settings_of(const RunPlan& plan, const std::stop_token& stop = {}) {
    std::vector<MatchSetting> settings;
    for (const MatchPlan& match : distinct_matches(plan)) {
        settings.push_back(make_setting(match, *plan.seed, stop));
    }
    return settings;
}

/// Gives a plan the values that it lacks as written.
void begin_plan(RunPlan& plan) {
    derive_pairs(plan);
    if (plan.control) add_control(plan);
    if (!plan.seed) plan.seed = draw_seed();
}

/// Whether what ended the run says nothing about other commits.
bool was_failed_by_program(const RunRecord& run) {
    const auto does_not_build = [](const VersionRecord& version) {
        return version.build && !version.build->failure.empty() && !version.build->is_machines;
    };
    // Older assays stored only that.
    return run.findings.failed_program.value_or(false) ||
           std::ranges::any_of(run.versions, does_not_build);
}

/// "head at a1b2c3d (HEAD) and base at b2c3d4e (merge base of origin/main)"
std::string sources_text(const RunRecord& run) {
    std::string text;
    for (const VersionRecord& version : run.versions) {
        if (!version.source) continue;
        text += fmt::format("{}{} at {}", text.empty() ? "" : " and ", version.name,
                            source_text(version));
    }
    return text;
}

/// A run may have been carried to another machine.
void note_machine(Store& store, RunOutcome& outcome) {
    const MachineRecord here = this_machine();
    outcome.machine = store.add_machine(outcome.run.id, here);
    if (outcome.machine != 0) outcome.run.other_machines.emplace(outcome.machine, here);
}

/// Whether a program is what it was when a run began; one from git may not have been built yet.
bool is_same_version(const VersionRecord& then, const VersionRecord& now) {
    if (then.source && now.source)
        return then.source->commit == now.source->commit && then.source->tree == now.source->tree;
    return is_same_program(then, now);
}

/// A store knows its runs by their identity, which all shards of a run share.
void check_only_shard(const Store& store, const RunRecord& shard) {
    const std::optional<RunRecord> known = store.find_uid(shard.uid);
    if (!known) return;
    const std::string what = known->shard ? "shard " + text_of(*known->shard) : "a whole";
    if (known->shard == shard.shard)
        throw Error(fmt::format(
            "--shard: {} is in {} already, as run {}; go on with it with --resume, or name another "
            "store with --db",
            what, store.path(), known->id));
    throw Error(fmt::format(
        "--shard: run {} in {} is {} of the same run, and a store has a run once; name a store for "
        "shard {} alone with --db, and put them together with 'assay merge'",
        known->id, store.path(), what, text_of(*shard.shard)));
}

/// How far the files are into which the games of a new run go.
std::vector<GamesFile> games_files(const std::vector<std::string>& paths) {
    std::vector<GamesFile> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) continue;
        const std::uintmax_t size = std::filesystem::file_size(path, error);
        if (!error) files.push_back({place_of(path), size});
    }
    return files;
}

std::string without_word(std::string command, const std::string& word) {
    const std::size_t at = command.find(" " + word);
    if (at != std::string::npos) command.erase(at, word.size() + 1);
    return command;
}

}  // namespace

RunOpener::RunOpener(RunPlan& plan, const RunOptions& options)
    : plan_(plan), written_(plan), options_(options) {
    if (options.shard) {
        check_shardable(plan_);
        if (options.extend > 0)
            throw Error(
                "--shard: a shard plays its pairs and no more; --extend the merged run instead");
    }
    if (plan_.slurm) {
        check_divisible(plan_, "executor.slurm");
        if (plan_.slurm->submits && options.plays) SlurmSubmitter::check_installed();
        if (options.shard)
            throw Error(
                "--shard: a shard is played on one machine, and 'executor.slurm' divides the run itself: "
                "leave one of them out");
    }
    if (options.plays) check_places(plan_);
    // Else it is not known yet whether there will be a new run.
    if (options.extend == 0 && !options.resume && !options.add && !options.batch)
        prepare(std::launch::async | std::launch::deferred);
}

RunOpener::~RunOpener() {
    unwanted_.request_stop();
}

void RunOpener::prepare(std::launch policy) {
    begun_ = plan_;
    begin_plan(begun_);
    settings_ = std::async(policy, [this] { return settings_of(begun_, unwanted_.get_token()); });
}

RunOutcome RunOpener::open(Store& store, Versions& versions, std::vector<MatchSetting>& settings) {
    RunOutcome outcome;
    std::optional<RunRecord> earlier;
    if (options_.batch) {
        outcome.run = begin_batch(store, *options_.batch, settings);
        return outcome;
    }
    if (const auto done = done_shard(store, versions); done) {
        outcome.before = RunOutcome::Before::Skipped;
        outcome.before_reason = fmt::format("shard {} has been played: it is run {} in {}",
                                            text_of(*options_.shard), *done, store.path());
        return outcome;
    }
    if (options_.add) {
        earlier = find_tournament(store);
    } else if (options_.extend > 0 || options_.resume) {
        earlier = find_earlier(store, versions);
    }
    if (!earlier && !options_.plays)
        throw Error(fmt::format("--no-play: there is no unfinished run of this config in {}",
                                store.path()));
    if (earlier) return go_on(std::move(*earlier), store, versions, settings);
    const std::vector<VersionRecord> found = versions.resolve();
    if (const auto reason = versions.skip_reason(found)) {
        outcome.before = RunOutcome::Before::Skipped;
        outcome.before_reason = *reason;
        return outcome;
    }
    outcome.run = begin(store, found, settings);
    return outcome;
}

RunOutcome RunOpener::go_on(RunRecord earlier, Store& store, Versions& versions,
                            std::vector<MatchSetting>& settings) {
    RunOutcome outcome;
    if (options_.plays) versions.check_unbuilt(earlier);
    if (const std::string moved = moved_since(earlier, versions); !moved.empty()) {
        versions.say(
            fmt::format("run {} goes on with {}, although {}; without {} a new run "
                        "begins",
                        earlier.id, sources_text(earlier), moved,
                        options_.add          ? "--add"
                        : options_.extend > 0 ? "--extend"
                                              : "--resume"));
    }
    if (options_.add) set_programs(earlier, plan_, store, versions);
    settings = settings_of(earlier.shard ? whole_plan() : earlier.plan);
    check_same_books(earlier, settings);
    // From here on nothing is refused any more.
    if (options_.add) {
        store.transaction([&] {
            store.set_plan(earlier.id, earlier.plan, earlier.plan_hash);
            store.set_versions(earlier.id, earlier.versions);
        });
    }
    if (options_.extend > 0) {
        extend_matches(earlier, store, options_.extend, versions);
        store.set_plan(earlier.id, earlier.plan);
        ++earlier.findings.extensions;
    }
    if (options_.add || options_.extend > 0) begin_budgets(earlier, store);
    outcome.run = std::move(earlier);
    note_machine(store, outcome);
    if (outcome.run.command_line.empty()) {
        // It was put together from shards, each of which had a command of its own.
        outcome.run.command_line =
            without_word(without_word(options_.command_line, "--resume"), "--no-play");
        store.set_command_line(outcome.run.id, outcome.run.command_line);
    }
    store.set_state(outcome.run.id, RunState::Running, "");
    outcome.run.findings.is_gate = options_.gate;
    outcome.run.findings.exit_code.reset();
    store.set_findings(outcome.run.id, outcome.run.findings);
    return outcome;
}

/// Openings depend on the pairs of the whole run.
RunPlan RunOpener::whole_plan() const {
    RunPlan plan = plan_;
    begin_plan(plan);
    return plan;
}

bool RunOpener::number_as(const RunRecord* run) {
    if (!written_.tournament) return true;
    versions_now_.reset();
    plan_ = written_;
    if (run == nullptr || run->name != written_.name || !run->plan.tournament) return true;
    auto numbered = with_programs(run->plan, written_);
    if (numbered) plan_ = std::move(*numbered);
    return numbered.has_value();
}

void RunOpener::check_order(const RunRecord& run, const std::string& flag) const {
    if (!plan_.tournament) return;
    const TournamentPlan& tournament = *plan_.tournament;
    const TournamentKind kind = tournament.kind;
    const bool is_ranked = kind == TournamentKind::Swiss || kind == TournamentKind::Knockout;
    if (kind == TournamentKind::RoundRobin || kind == TournamentKind::LeastPlayed) return;
    if (is_ranked && tournament.seeding != Seeding::List) return;
    std::string order;
    bool is_same = true;
    std::size_t place = 0;
    for (const std::size_t program : entrants_of(plan_)) {
        const std::string& name = plan_.programs[program].name;
        order += (order.empty() ? "" : ", ") + printable_utf8(name);
        is_same = is_same && written_.programs.at(place++).name == name;
    }
    if (is_same) return;
    throw Error(
        fmt::format("{}: in run {} the order of the programs is {}, and a {} goes by it; list them "
                    "in this order, or start a new run without {}",
                    flag, run.id, order, name_of(kind), flag));
}

const std::vector<VersionRecord>& RunOpener::versions_now(Versions& versions) {
    if (!versions_now_) versions_now_ = versions.resolve(true);
    return *versions_now_;
}

std::string RunOpener::moved_since(const RunRecord& run, Versions& versions) {
    const bool has_source = std::ranges::any_of(
        run.versions, [](const VersionRecord& version) { return version.source.has_value(); });
    if (!has_source) return "";
    try {
        return Versions::moved_text(run, versions_now(versions));
    } catch (const Error&) {
        return "";  // a run that goes on needs neither the ref nor the files that are missing now
    }
}

std::optional<std::int64_t> RunOpener::done_shard(const Store& store, Versions& versions) {
    if (!options_.shard || !options_.resume) return std::nullopt;
    for (const RunRecord& run : store.runs()) {
        const bool is_done = run.shard == options_.shard && run.state == RunState::Finished &&
                             is_run_of(run, plan_) &&
                             shards_uid(run, options_.shard_key) == run.uid;
        if (is_done && std::ranges::equal(run.versions, versions_now(versions), is_same_version))
            return run.id;
    }
    return std::nullopt;
}

bool RunOpener::is_superseded(const RunRecord& run, Versions& versions, bool tells) {
    if (run.state != RunState::Failed || !was_failed_by_program(run)) return false;
    const std::string moved = moved_since(run, versions);
    if (moved.empty()) return false;
    if (tells) {
        versions.say(fmt::format("run {} is not continued: it failed with {}, and {}", run.id,
                                 sources_text(run), moved));
    }
    return true;
}

std::optional<RunRecord> RunOpener::find_earlier(const Store& store, Versions& versions) {
    const bool extends = options_.extend > 0;
    if (extends && plan_.tournament)
        throw Error(
            "--extend adds pairs to the matches of a run, and this one is a tournament: start a new "
            "run with more rounds, or add programs with --add");
    const RunRecord* newest = nullptr;  // of this name, whatever its plan
    const RunRecord* shard = nullptr;   // the newest of this plan, where a whole run is asked for
    bool is_superseded_known = false;
    std::vector<RunRecord> runs = store.runs();
    for (RunRecord& run : runs) {
        const bool is_wanted = extends || run.state != RunState::Finished;
        const bool is_of_plan = is_wanted && number_as(&run) && is_run_of(run, plan_);
        if (is_of_plan && run.shard != options_.shard) {
            if (!options_.shard && !shard) shard = &run;
            continue;
        }
        const bool is_same = is_of_plan;
        const bool is_named = is_same || run.name == plan_.name;
        if (is_wanted && is_named && !extends) {
            const bool is_newest = newest == nullptr && !is_superseded_known;
            if (is_superseded(run, versions, is_newest)) {
                is_superseded_known = true;
                continue;
            }
        }
        if (is_same) {
            check_order(run, extends ? "--extend" : "--resume");
            return std::move(run);
        }
        if (newest == nullptr && run.name == plan_.name) newest = &run;
    }
    if (shard != nullptr)
        throw Error(fmt::format(
            "{}: run {} in {} is shard {} of this config's run; continue it with --shard "
            "{}, or merge the shards first: assay merge shard-*.db -o all.db",
            extends ? "--extend" : "--resume", shard->id, store.path(), text_of(*shard->shard),
            text_of(*shard->shard)));
    if (newest != nullptr && (extends || newest->state != RunState::Finished)) {
        (void)number_as(newest);
        refuse_other_plan(*newest, plan_, extends ? "--extend" : "--resume", store.path());
    }
    (void)number_as(nullptr);
    if (extends) throw Error("--extend: there is no run of this config in " + store.path());
    return std::nullopt;
}

RunRecord RunOpener::find_tournament(const Store& store) {
    if (!plan_.tournament)
        throw Error(
            "--add plays what a tournament lacks with more programs, and this is none: more pairs of a "
            "match are played with --extend");
    std::vector<RunRecord> runs = store.runs();
    const auto newest = std::ranges::find_if(runs, [this](const RunRecord& run) {
        return run.name == plan_.name && run.plan.tournament;
    });
    if (newest == runs.end()) refuse_missing_tournament(runs, plan_.name, store.path());
    refuse_other_kind(*newest, plan_, store.path());
    if (!number_as(&*newest))
        throw Error(
            fmt::format("a tournament has at most {} programs, and run {} would have more "
                        "with those that are left out by now; start a new run",
                        kMostEntrants, newest->id));
    if (!is_same_tournament(newest->plan, plan_))
        refuse_other_plan(*newest, plan_, "--add", store.path());
    check_order(*newest, "--add");
    return std::move(*newest);
}

RunRecord RunOpener::begin(Store& store, const std::vector<VersionRecord>& versions,
                           std::vector<MatchSetting>& settings) {
    if (!settings_.valid()) prepare(std::launch::deferred);
    RunRecord run;
    run.name = plan_.name;
    run.plan = begun_;
    run.plan_hash = plan_hash(plan_);
    run.versions = versions;
    run.machine = this_machine();
    settings = settings_.get();
    for (const MatchSetting& setting : settings) {
        run.book_hashes.push_back(setting.book ? setting.book->hash() : "");
    }
    run.assay_version = options_.assay_version;
    run.command_line = options_.command_line;
    run.findings.is_gate = options_.gate;
    run.findings.games_files = games_files(options_.games_files);
    run.started_us = wall_clock_us();
    run.shard = options_.shard;
    run.uid = run.shard ? shards_uid(run, options_.shard_key) : drawn_uid();
    if (run.shard) check_only_shard(store, run);
    run.id = store.begin_run(run);
    if (run.shard) run.plan = plan_of_shard(std::move(run.plan), *run.shard);
    return run;
}

RunRecord RunOpener::begin_batch(Store& store, const BatchOptions& batch,
                                 std::vector<MatchSetting>& settings) {
    begun_ = plan_;
    settings = settings_of(begun_);
    RunRecord run = batch.whole;
    check_same_books(run, settings);
    run.state = RunState::Running;
    run.machine = this_machine();
    run.machine.worker = batch.worker;
    run.machine.slots = batch.games;
    run.machine.nps = batch.nps;
    run.machine.factor = batch.factor;
    run.machine.trouble = batch.trouble;
    run.machine.assay_version = options_.assay_version;
    run.other_machines.clear();
    run.findings = {};
    run.assay_version = options_.assay_version;
    run.started_us = wall_clock_us();
    run.ended_us = 0;
    run.shard = Shard{1, 1, batch.window};
    run.id = store.begin_run(run);
    run.plan = plan_of_shard(std::move(run.plan), *run.shard);
    if (batch.place) batch.place(run);
    for (MatchPlan& match : run.plan.matches) {
        match.concurrency = batch.games;
        if (batch.factor > 0)
            for (TimeControl& time : match.time) time = scaled(time, batch.factor);
    }
    return run;
}

}  // namespace assay::harness
