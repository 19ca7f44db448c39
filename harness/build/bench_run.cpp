// Compares the speed of two programs by their benchmarks. Speed depends on the processor's
// temperature and on who else runs, so that the two are run in turns and each pair gives one ratio;
// what drifts slowly is the same in both runs of a pair. The centre of the logarithms of the
// ratios, with its interval, is robust against single runs that were disturbed.
//
// The test looks at most three times, after 8, 16 and kMostPairs pairs, each time at a level of 5 %
// / 3: together they err with at most 5 %. More looks would each need a smaller level and decide
// later.
#include "harness/build/bench_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/build/machines_failure.h"
#include "harness/program/confinement/confinement.h"
#include "stats/data/median.h"
#include "stats/test/paired_ratio.h"

namespace assay::harness {

namespace {

constexpr adapters::CommandLimits kBenchLimits{std::chrono::minutes(10), 16U << 20U};
constexpr std::array<std::size_t, 3> kLooks{8, 16, SpeedTest::kMostPairs};
constexpr double kConfidence = 1 - 0.05 / kLooks.size();

double percent_of(double log_ratio) {
    return std::expm1(log_ratio) * 100;
}

}  // namespace

BenchRun run_bench(adapters::CommandRunner& runner, const ProgramPlan& program) {
    adapters::ProgramSpec spec;
    spec.name = program.name;
    spec.argv = program.bench->command;
    if (spec.argv.empty()) {
        spec.argv = program.command;
        spec.argv.emplace_back("bench");
    }
    confine(spec, program);
    spec.dir = program.dir;
    spec.env = program.env;
    spec.memory_bytes = program.memory_bytes;
    std::string output;
    const adapters::CommandEnd end = runner.run(
        spec, kBenchLimits, [&](std::string_view bytes, bool /*is_error*/) { output += bytes; });
    if (end.how == adapters::CommandEnd::How::NotLaunched) {
        throw Error(program.name + ": the system did not start its bench: " + end.reason, 4);
    }
    BenchRun run;
    run.is_interrupted = end.how == adapters::CommandEnd::How::Interrupted;
    if (!end.is_success()) {
        run.failure = end.reason;
        // A limit that the config sets is the program's to keep to.
        run.is_machines =
            program.memory_bytes == 0 && is_machines_failure(end, program.dir, output);
        if (const std::string reason = failure_of_sandbox(program, output); !reason.empty()) {
            run.failure = "failed in its sandbox: " + reason;
            run.is_machines = true;
        }
    }
    run.said = BenchReader(*program.bench).read(output);
    return run;
}

int SpeedTest::next_look(int pairs) {
    const auto found = std::find_if(kLooks.begin(), kLooks.end(), [pairs](std::size_t look) {
        return static_cast<int>(look) > pairs;
    });
    return found == kLooks.end() ? kMostPairs : static_cast<int>(*found);
}

SpeedTest::SpeedTest(double limit) {
    finding_.limit = limit;
}

void SpeedTest::add(double first, double second) {
    first_.push_back(first);
    second_.push_back(second);
    finding_.pairs = static_cast<int>(first_.size());
    if (std::find(kLooks.begin(), kLooks.end(), first_.size()) != kLooks.end()) look();
}

void SpeedTest::look() {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < first_.size(); ++i) {
        ratios.push_back(std::log(first_[i] / second_[i]));
    }
    const stats::Centre centre = stats::centre_of(ratios, kConfidence);
    finding_.percent = percent_of(centre.value);
    finding_.low = percent_of(centre.low);
    finding_.high = percent_of(centre.high);
    finding_.nodes_per_second = {stats::median(first_), stats::median(second_)};
    if (finding_.low >= finding_.limit) finding_.state = SpeedFinding::State::Holds;
    if (finding_.high < finding_.limit) finding_.state = SpeedFinding::State::Broken;
}

bool SpeedTest::is_over() const {
    return finding_.state != SpeedFinding::State::Undecided || first_.size() >= kMostPairs;
}

SpeedFinding SpeedTest::finding() const {
    return finding_;
}

SpeedRun compare_speed(adapters::CommandRunner& runner, const ProgramPlan& first,
                       const ProgramPlan& second, double limit,
                       const std::function<void(int pairs)>& on_pair) {
    const std::array<const ProgramPlan*, 2> programs{&first, &second};
    SpeedTest test(limit);
    SpeedRun result;
    for (std::size_t pair = 0; !test.is_over(); ++pair) {
        std::array<double, 2> speeds{};
        // The two take turns in going first, so that warm caches favour neither.
        for (const std::size_t turn : {pair % 2, 1 - pair % 2}) {
            const BenchRun run = run_bench(runner, *programs[turn]);
            result.is_interrupted = run.is_interrupted;
            result.guilty = turn;
            result.failure = run.failure;
            result.is_machines = run.is_machines;
            if (run.is_interrupted || !run.failure.empty()) return result;
            if (!run.said.nodes_per_second) {
                result.failure = "reported no nodes per second";
                return result;
            }
            speeds[turn] = *run.said.nodes_per_second;
        }
        test.add(speeds[0], speeds[1]);
        if (on_pair && !test.is_over()) on_pair(static_cast<int>(pair) + 1);
    }
    result.finding = test.finding();
    return result;
}

const SpeedFinding* speed_of_match(const RunFindings& findings, std::size_t match) {
    const auto found =
        std::find_if(findings.speed.begin(), findings.speed.end(),
                     [match](const SpeedFinding& speed) { return speed.match == match; });
    return found == findings.speed.end() ? nullptr : &*found;
}

std::string speed_text(const SpeedFinding& speed) {
    std::string text =
        fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}] (limit {}{} %)", speed.percent, speed.low,
                    speed.high, speed.limit < 0 ? "" : "+", plain_number(speed.limit));
    if (speed.state == SpeedFinding::State::Undecided) {
        text += ": inconclusive, the interval contains the limit";
    }
    return text;
}

}  // namespace assay::harness
