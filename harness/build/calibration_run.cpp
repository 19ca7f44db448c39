// A processor whose cores are all busy runs each of them slower: shared caches, memory and power.
// Games are played with all places busy, so the speed is measured like that. The median over the
// places leaves out one that shared its core with something else for a while.
#include "harness/build/calibration_run.h"

#include <array>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "harness/build/bench_run.h"
#include "harness/machine/speed_search.h"
#include "harness/program/program_loop.h"
#include "openings/random_opening.h"
#include "openings/read/book_format.h"
#include "rules/make_game.h"
#include "stats/data/median.h"

namespace assay::harness {

namespace {

constexpr std::array<int, 4> kPliesBefore{0, 8, 20, 40};
constexpr std::uint64_t kSeed = 1;

/// The start and positions of random games, the same on every machine; of a game that is not known
/// by its name the start, as often.
std::vector<std::string> calibration_positions(const std::string& game) {
    try {
        std::vector<std::string> texts;
        const std::unique_ptr<rules::Game> known = rules::make_game(game);
        for (const int plies : kPliesBefore) {
            const openings::Opening opening = openings::random_opening(*known, plies, kSeed, 0);
            texts.push_back(openings::position_after(opening, *known)->text());
        }
        return texts;
    } catch (const Error&) {
        return std::vector<std::string>(kPliesBefore.size());
    }
}

BenchRun bench_of(const ProgramPlan& program) {
    try {
        adapters::CommandRunner runner;
        return run_bench(runner, program);
    } catch (const Error& error) {
        BenchRun failed;
        failed.failure = error.what();
        return failed;
    }
}

CalibrationRun run_benches(const CalibrationSetup& setup) {
    std::vector<BenchRun> runs(static_cast<std::size_t>(setup.slots));
    {
        std::vector<std::jthread> threads;
        for (BenchRun& run : runs)
            threads.emplace_back([&run, &setup] { run = bench_of(setup.program); });
    }
    CalibrationRun result;
    std::vector<double> speeds;
    for (const BenchRun& run : runs) {
        if (!run.failure.empty()) {
            result.failure = "its benchmark " + run.failure;
            return result;
        }
        if (run.said.nodes_per_second) speeds.push_back(*run.said.nodes_per_second);
    }
    if (speeds.size() == runs.size()) result.nps = stats::median(speeds);
    return result;
}

CalibrationRun run_searches(const CalibrationSetup& setup, const Clock& clock) {
    ProgramLoop loop(clock);
    SpeedSearch::Setup search_setup;
    search_setup.spec = setup.spec;
    search_setup.slots = setup.slots;
    search_setup.cpus = setup.cpus;
    search_setup.positions = calibration_positions(setup.game);
    search_setup.move_time = setup.move_time;
    search_setup.limits.start = setup.start_limit;
    search_setup.limits.ready = setup.start_limit;
    SpeedSearch search(std::move(search_setup), loop.players(), clock);
    search.start();
    loop.run({[&](TimePoint now) { search.tick(now); }, [&] { search.stop(); },
              [&] { return search.is_done(); }});
    return {search.nps(), search.failure(), loop.signal(), 0};
}

}  // namespace

CalibrationRun measure_speed(const CalibrationSetup& setup, const Clock& clock) {
    const TimePoint began = clock.now();
    CalibrationRun result;
    if (setup.program.bench) result = run_benches(setup);
    // A benchmark that says no speed is as good as none.
    if (!result.nps && result.failure.empty()) result = run_searches(setup, clock);
    result.seconds = static_cast<double>(micros_between(began, clock.now()).count()) / 1e6;
    return result;
}

}  // namespace assay::harness
