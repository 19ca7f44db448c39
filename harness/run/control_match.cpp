// Two watchmen over the measurement itself. The control plays the baseline against itself under the
// conditions of the first match: there the truth is known to be 0, so that a significant score
// shows a fault of the set-up (a side that is faster, a book that is not reversed, a machine with
// an uneven load). Without clocks equal programs must even play mirrored games, and one pair that
// does not is enough. Where there are clocks the sign-flip test decides at 1 %, exactly and without
// an assumption on draws. Its size is a quarter of the match, at most 500 pairs: it finds gross
// faults, not small ones.
//
// Drift compares nodes per second of a program: between the first and the last quarter of the run,
// and with the run before of the same executable. Per program and per machine, because both
// programs of a match may be slowed alike, which no score shows, and because machines of a fleet
// differ by themselves.
#include "harness/run/control_match.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "stats/test/sign_flip.h"

namespace assay::harness {

namespace {

constexpr std::int64_t kLeastPairs = 10;
constexpr std::int64_t kMostControlPairs = 500;
constexpr double kAlarm = 0.01;

/// A program's speed differs by some percent between positions and with the processor's clock. More
/// than a tenth means that the machine has changed.
constexpr double kDrift = 0.10;
constexpr std::size_t kLeastGames = 16;  // for quarters to mean something

double ratio_percent(double now, double before) {
    return (now / before - 1) * 100;
}

bool is_drift(double now, double before) {
    return now > 0 && before > 0 && std::abs(now / before - 1) > kDrift;
}

/// By MachineRecord::id(): machines of a fleet differ in speed, and each has its own share of a
/// run.
std::map<std::int64_t, DriftMeter> meters_of(const Store& store, const RunRecord& run) {
    std::map<std::int64_t, DriftMeter> meters;
    for (const std::size_t match : store.begun_matches(run.id)) {
        const auto late = store.late_attempts(run.id, match);
        store.for_each_game(run.id, match, [&](const GameRecord& game) {
            if (late.contains({game.pair, game.attempt})) return;
            const std::int64_t machine = game.machine == 0 ? run.machine.id() : game.machine;
            const auto [meter, is_new] = meters.try_emplace(machine, run.plan.programs.size());
            meter->second.add(game, run.plan.matches.at(match).between);
        });
    }
    return meters;
}

/// The newest earlier run that finished under the same name on the same machine.
std::optional<RunRecord> run_before(const Store& store, const RunRecord& run) {
    for (RunRecord& earlier : store.runs()) {
        const bool is_like = earlier.id < run.id && earlier.name == run.name &&
                             earlier.state == RunState::Finished &&
                             earlier.machine.host == run.machine.host &&
                             earlier.machine.cpu == run.machine.cpu;
        if (is_like) return std::move(earlier);
    }
    return std::nullopt;
}

/// "name", and of a run of several machines "name on host".
std::string subject_of(const RunRecord& run, std::size_t program, std::int64_t machine) {
    const std::string& name = run.plan.programs[program].name;
    if (run.other_machines.empty()) return name;
    const MachineRecord& record =
        machine == run.machine.id() ? run.machine : run.machine_of(machine);
    return fmt::format("{} on {}", name, record.worker.empty() ? record.host : record.worker);
}

bool is_same_program(const RunRecord& run, const RunRecord& earlier, std::size_t program) {
    return program < earlier.versions.size() && program < run.versions.size() &&
           earlier.versions[program].sha256 == run.versions[program].sha256 &&
           earlier.versions[program].surroundings == run.versions[program].surroundings &&
           earlier.plan.programs[program].options == run.plan.programs[program].options;
}

std::vector<std::string> drift_of(const Store& store, const RunRecord& run) {
    std::vector<std::string> sentences;
    const std::map<std::int64_t, DriftMeter> now = meters_of(store, run);
    const std::optional<RunRecord> earlier = run_before(store, run);
    std::optional<std::map<std::int64_t, DriftMeter>> before;
    // Machines that came while it was played are in the store alone.
    const RunRecord stored = store.find_run(std::to_string(run.id)).value_or(run);
    for (std::size_t i = 0; i < run.plan.programs.size(); ++i) {
        for (const auto& [machine, meter] : now) {
            const SpeedOfRun speed = meter.speed_of(i);
            const std::string name = subject_of(stored, i, machine);
            if (is_drift(speed.last_quarter, speed.first_quarter)) {
                sentences.push_back(fmt::format(
                    "{}: nodes per second changed by {:+.0f} % between the first and the last "
                    "quarter of the run: the machine's speed changed",
                    name, ratio_percent(speed.last_quarter, speed.first_quarter)));
            }
            if (!earlier || !is_same_program(run, *earlier, i)) continue;
            if (!before) before = meters_of(store, *earlier);
            // A machine that the earlier run did not have cannot have changed.
            const auto same = before->find(machine);
            if (same == before->end()) continue;
            const SpeedOfRun then = same->second.speed_of(i);
            if (is_drift(speed.all, then.all)) {
                sentences.push_back(fmt::format(
                    "{}: nodes per second changed by {:+.0f} % since run {}, with the same "
                    "executable: the machine's speed changed",
                    name, ratio_percent(speed.all, then.all), earlier->id));
            }
        }
    }
    return sentences;
}

}  // namespace

void add_control(RunPlan& plan) {
    if (plan.matches.empty()) return;
    MatchPlan control = plan.matches.front();
    const std::size_t baseline = control.between[1];
    control.name = "control";
    control.between = {baseline, baseline};
    control.time[0] = control.time[1];
    // It runs all its pairs: a rule that stops when it sees something would find it by chance more
    // often.
    control.stop = StopPlan();
    control.require = RequirePlan();
    control.pairs = std::clamp(control.pairs / 4, kLeastPairs, kMostControlPairs);
    control.is_control = true;
    plan.matches.push_back(std::move(control));
}

std::string control_alarm(const MatchTally& tally, const std::string& program) {
    const stats::Pentanomial& pairs = tally.pentanomial();
    if (tally.plan().deterministic) {
        const std::int64_t odd = tally.pairs() - pairs[2];
        if (odd == 0) return "";
        return fmt::format(
            "the control differs: {} against itself, without clocks, did not mirror {} of {} "
            "pairs: its search is not repeatable, or something disturbs it",
            program, odd, tally.pairs());
    }
    const stats::SignFlip test = stats::sign_flip_test(pairs);
    if (tally.pairs() == 0 || test.p_value >= kAlarm) return "";
    return fmt::format(
        "the control differs: {} against itself scores LL {}, LD {}, DD+WL {}, WD {}, WW {} "
        "(sign-flip p = {:.2g}): one side has an advantage although both programs are the same",
        program, pairs[0], pairs[1], pairs[2], pairs[3], pairs[4], test.p_value);
}

DriftMeter::DriftMeter(std::size_t programs) : games_(programs) {}

void DriftMeter::add(const GameRecord& game, const std::array<std::size_t, 2>& between) {
    std::array<Played, 2> played{{{game.started_us, 0, 0}, {game.started_us, 0, 0}}};
    for (const MoveRecord& move : game.moves) {
        // A move of less than a millisecond measures the pipe and not the search.
        if (!move.nodes || move.used < Micros(1000)) continue;
        Played& sum = played[static_cast<std::size_t>(game.program_of(move.player))];
        sum.nodes += static_cast<double>(*move.nodes);
        sum.seconds += std::chrono::duration<double>(move.used).count();
    }
    for (std::size_t side = 0; side < 2; ++side) {
        if (played[side].seconds > 0) games_.at(between[side]).push_back(played[side]);
    }
}

SpeedOfRun DriftMeter::speed_of(std::size_t program) const {
    std::vector<Played> games = games_.at(program);
    std::sort(games.begin(), games.end(),
              [](const Played& a, const Played& b) { return a.started_us < b.started_us; });
    const auto speed = [&](std::size_t begin, std::size_t end) {
        double nodes = 0;
        double seconds = 0;
        for (std::size_t i = begin; i < end; ++i) {
            nodes += games[i].nodes;
            seconds += games[i].seconds;
        }
        return seconds >= kLeastSeconds ? nodes / seconds : 0;
    };
    SpeedOfRun result;
    result.all = speed(0, games.size());
    if (games.size() < kLeastGames) return result;
    result.first_quarter = speed(0, games.size() / 4);
    result.last_quarter = speed(games.size() - games.size() / 4, games.size());
    return result;
}

void look_back(RunOutcome& outcome, const Store& store) {
    RunFindings& findings = outcome.run.findings;
    findings.control.clear();
    for (const MatchTally& tally : outcome.matches) {
        if (!tally.plan().is_control) continue;
        const std::size_t program = tally.plan().between[1];
        findings.control = control_alarm(tally, outcome.run.plan.programs[program].name);
    }
    findings.drift = drift_of(store, outcome.run);
}

}  // namespace assay::harness
