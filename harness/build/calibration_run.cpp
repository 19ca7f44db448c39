// A processor whose cores are all busy runs each of them slower: shared caches, memory and power.
// Games are played with all places busy, so the speed is measured like that. The median over the
// places leaves out one that shared its core with something else for a while.
#include "harness/build/calibration_run.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "harness/build/bench_run.h"
#include "harness/machine/speed_search.h"
#include "harness/program/program_loop.h"
#include "stats/data/median.h"

namespace assay::harness {

namespace {

/// Two openings, a middle game, an endgame.
const std::vector<std::string>& four_positions() {
    static const std::vector<std::string> kPositions{
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"};
    return kPositions;
}

/// Of other games the start is the one position that is known: it is searched as often.
std::vector<std::string> calibration_positions(const std::string& game) {
    if (game == "chess" || game == "chess960") return four_positions();
    return std::vector<std::string>(four_positions().size());
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
