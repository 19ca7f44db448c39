#include "harness/run/same_programs.h"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace assay;
using namespace assay::harness;
using namespace std::chrono_literals;

namespace {

/// Two programs with one executable, told the same.
RunRecord same_run() {
    RunRecord run;
    run.plan.programs.resize(2);
    run.versions.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        ProgramPlan& program = run.plan.programs[i];
        program.name = i == 0 ? "head" : "base";
        program.command = {"./engine", "--net=a.bin"};
        program.env = {{"A", "1"}, {"B", "2"}};
        program.options = {{"Hash", "16"}};
        run.versions[i].sha256 = "00ff";
        run.versions[i].files = {{"/built/" + program.name + "/a.bin", "11"}};
    }
    run.plan.matches.resize(1);
    run.plan.matches[0].between = {0, 1};
    for (TimeControl& control : run.plan.matches[0].time) {
        control.kind = TimeControl::Kind::MoveTime;
        control.move_time = 100ms;
    }
    return run;
}

Sameness sameness_with(const std::function<void(RunRecord&)>& change) {
    RunRecord run = same_run();
    change(run);
    return sameness_of(run, run.plan.matches[0]);
}

BenchRecord bench_of(std::uint64_t nodes) {
    BenchRecord bench;
    bench.nodes = nodes;
    return bench;
}

}  // namespace

TEST_CASE("Sameness: one executable is the same only where nothing that it is told differs") {
    CHECK(sameness_with([](RunRecord&) {}) == Sameness::SameExecutable);
    // The order of variables says nothing.
    CHECK(sameness_with([](RunRecord& run) {
              run.plan.programs[1].env = {{"B", "2"}, {"A", "1"}};
          }) == Sameness::SameExecutable);
    const std::vector<std::function<void(RunRecord&)>> changes{
        [](RunRecord& run) { run.plan.matches[0].time[1].move_time = 50ms; },
        [](RunRecord& run) { run.plan.programs[1].options[0].second = "32"; },
        [](RunRecord& run) { run.plan.programs[1].command.emplace_back("--more"); },
        [](RunRecord& run) { run.plan.programs[1].env[0].second = "3"; },
        [](RunRecord& run) { run.plan.programs[1].dir = "elsewhere"; },
        [](RunRecord& run) { run.plan.programs[1].protocol = "json"; },
        [](RunRecord& run) { run.plan.programs[1].sandbox = {"nice"}; },
        [](RunRecord& run) { run.plan.programs[1].confinement.emplace(); },
        [](RunRecord& run) { run.plan.programs[1].memory_bytes = 1U << 30U; },
        [](RunRecord& run) { run.plan.programs[1].ping_before_go = true; },
        [](RunRecord& run) { run.versions[1].files[0].second = "22"; },
        [](RunRecord& run) { run.versions[1].sha256 = "00fe"; },
        [](RunRecord& run) { run.versions[1].surroundings = "tree"; },
        [](RunRecord& run) { run.versions[0].sha256 = run.versions[1].sha256 = ""; },
        [](RunRecord& run) { run.plan.matches[0].is_control = true; },
        [](RunRecord& run) { run.versions.pop_back(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        CAPTURE(i);
        CHECK(sameness_with(changes[i]) == Sameness::Different);
    }
}

TEST_CASE("Sameness: equal benchmarks make two executables the same, and others tell one apart") {
    const auto with_benches = [](std::uint64_t first, std::uint64_t second, bool one_executable) {
        return sameness_with([=](RunRecord& run) {
            if (!one_executable) run.versions[1].sha256 = "00fe";
            run.versions[0].bench = bench_of(first);
            run.versions[1].bench = bench_of(second);
        });
    };
    CHECK(with_benches(500, 500, false) == Sameness::SameBench);
    CHECK(with_benches(500, 501, false) == Sameness::Different);
    CHECK(with_benches(500, 501, true) == Sameness::Different);
    CHECK(with_benches(500, 500, true) == Sameness::SameExecutable);
    // Of two scripts whose other files differ the benchmark tells.
    CHECK(sameness_with([](RunRecord& run) {
              run.versions[1].surroundings = "tree";
              run.versions[0].bench = run.versions[1].bench = bench_of(500);
          }) == Sameness::SameBench);
    // A benchmark of no node has compared nothing.
    CHECK(with_benches(0, 0, false) == Sameness::Different);
    CHECK(with_benches(0, 501, true) == Sameness::SameExecutable);
}
