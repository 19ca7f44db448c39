#include "harness/fleet/worker_speed.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/build/build_versions.h"
#include "harness/build/calibration_run.h"
#include "harness/machine/calibration.h"
#include "harness/match/match_setting.h"
#include "harness/run/stop_signals_held.h"
#include "harness/store/store.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostSpeedBytes = 100;
constexpr std::size_t kMostDriftBytes = 4096;
constexpr Micros kSignalSpread{
    2'000'000};  // far more than it takes to tell all processes of a task

std::optional<double> speed_in(const std::string& path) {
    const auto text = read_start(path, kMostSpeedBytes);
    const auto speed = text ? to_number<double>(trim(*text)) : std::nullopt;
    return speed && *speed > 0 ? speed : std::nullopt;
}

void measure(const RunRecord& run, const MatchPlan& match, int games, const Clock& clock,
             WorkerSpeed& speed) {
    const std::size_t second = match.between[1];
    const VersionRecord& version = run.versions.at(second);
    CalibrationSetup setup;
    setup.program = placed_program(run.plan.programs[second], version);
    setup.spec = spec_of(setup.program, version, match.game.name);
    setup.game = match.game.name;
    setup.slots = games;
    setup.start_limit = run.plan.start_limit;
    const StopSignalsHeld held;
    const CalibrationRun calibration = measure_speed(setup, clock);
    // Slurm ends us and the programs at once: their end may be seen first, and says nothing about
    // the node.
    speed.signal = calibration.signal != 0 ? calibration.signal
                                           : held.take(calibration.nps ? Micros{0} : kSignalSpread);
    if (speed.signal != 0) return;
    if (!calibration.nps) {
        speed.trouble = fmt::format("the speed of {} cannot be measured: {}", version.name,
                                    calibration.failure);
        return;
    }
    speed.nps = *calibration.nps;
}

/// The first to come writes the reference, for all.
double reference_of(const SlurmFolder& folder, const FleetSpec& spec, const std::string& node,
                    double nps) {
    if (spec.reference > 0) return spec.reference;
    const std::string path = folder.file("speed/reference");
    // A process's number is not its own among machines, nor among containers of one.
    const char* const job = std::getenv("SLURM_JOB_ID");  // NOLINT(concurrency-mt-unsafe)
    const std::string own = fmt::format("speed/{}.{}.{}.reference", file_part(node),
                                        file_part(job == nullptr ? "" : job), ::getpid());
    folder.write(own, fmt::format("{:.0f}\n", nps));
    (void)::link(folder.file(own).c_str(), path.c_str());  // fails where there is one
    (void)::unlink(folder.file(own).c_str());
    return speed_in(path).value_or(nps);
}

/// The file of a node's speed, with so many games at once.
std::string speed_file(const std::string& node, std::size_t match, int games) {
    return fmt::format("speed/{}.{}.{}", file_part(node), match, games);
}

/// Of the baseline, the second program.
DriftWatch drift_in(const SlurmFolder& folder, const std::string& speed) {
    return {1, read_start(folder.file(speed + ".drift"), kMostDriftBytes).value_or("")};
}

}  // namespace

void note_speed_in_games(const SlurmFolder& folder, std::size_t match, const std::string& node,
                         int games, const std::string& part) {
    const std::string speed = speed_file(node, match, games);
    DriftWatch drift = drift_in(folder, speed);
    const Store store(part, Store::Access::Read);
    store.for_each_game(store.find_run("latest").value().id, match,
                        [&drift](const GameRecord& game) { drift.add(game); });
    folder.write(speed + ".drift", drift.text());
}

std::optional<NodeSpeed> speed_of_node(const SlurmFolder& folder, const FleetSpec& spec,
                                       const std::string& node) {
    std::optional<std::pair<std::int64_t, std::int64_t>> newest;  // match, games
    const std::string start = file_part(node) + ".";
    for (const std::string& name : folder.names_in("speed")) {
        if (!name.starts_with(start)) continue;
        std::string_view rest = std::string_view(name).substr(start.size());
        const std::size_t dot = rest.find('.');
        if (dot == std::string_view::npos) continue;
        const auto match = to_number<std::int64_t>(rest.substr(0, dot));
        const auto games = to_number<std::int64_t>(rest.substr(dot + 1));
        if (match && games) newest = std::max(newest, std::optional(std::pair(*match, *games)));
    }
    if (!newest) return std::nullopt;
    const auto nps =
        speed_in(folder.file(fmt::format("speed/{}{}.{}", start, newest->first, newest->second)));
    if (!nps) return std::nullopt;
    const auto reference = spec.reference > 0 ? std::optional(spec.reference)
                                              : speed_in(folder.file("speed/reference"));
    return NodeSpeed{*nps, reference ? *reference / *nps : 0};
}

WorkerSpeed worker_speed(const SlurmFolder& folder, const FleetSpec& spec, const RunRecord& run,
                         std::size_t match, const std::string& node, int games,
                         const Clock& clock) {
    WorkerSpeed speed;
    const MatchPlan& plan = run.plan.matches[match];
    if (!spec.scale || (plan.time[0].is_deterministic() && plan.time[1].is_deterministic()))
        return speed;
    const std::string kept = speed_file(node, match, games);
    const auto known = speed_in(folder.file(kept));
    const auto drift = drift_in(folder, kept).trouble();
    if (known && !drift) {
        speed.nps = *known;
    } else {
        measure(run, plan, games, clock, speed);
        if (speed.signal != 0 || !speed.trouble.empty()) return speed;
        folder.write(kept, fmt::format("{:.0f}\n", speed.nps));
        // From here on it is compared with what it is now.
        (void)::unlink(folder.file(kept + ".drift").c_str());
    }
    if (known && drift)
        speed.drift = fmt::format("{}; measured again: {:.0f} nodes a second, and {:.0f} before",
                                  *drift, speed.nps, *known);
    const auto factor = time_factor(reference_of(folder, spec, node, speed.nps), speed.nps);
    if (const auto* const refused = std::get_if<std::string>(&factor)) {
        speed.trouble = *refused;
    } else {
        speed.factor = std::get<double>(factor);
    }
    return speed;
}

}  // namespace assay::harness
