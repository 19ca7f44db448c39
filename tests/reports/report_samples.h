#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "reports/files/run_json.h"
#include "reports/view/run_view.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

// Runs of every kind, for the tests of reports.
namespace assay::test {

/// A run of one match with its tally; views refer to it.
struct ReportSample {
    explicit ReportSample(harness::RunRecord record = report_run())
        : run(std::move(record)), tally(run.plan.matches[0]) {
        tally.set_meters(sample_meters());
    }

    [[nodiscard]] reports::RunView view() const {
        return {run, {{&tally, failed}}, warnings, "assay.db"};
    }

    harness::RunRecord run;
    harness::MatchTally tally;
    std::vector<reports::FailedGame> failed;
    std::vector<std::string> warnings;
};

inline harness::RunRecord ruled_run(harness::StopPlan::Rule rule, std::int64_t pairs) {
    harness::RunRecord run = report_run();
    run.name = "gate";
    run.command_line = "assay gate gate.yaml";
    run.plan.programs[0].name = "head";
    run.plan.programs[1].name = "base";
    run.plan.matches[0].pairs = pairs;
    run.plan.matches[0].stop.rule = rule;
    return run;
}

/// 50 pairs, no stop rule.
inline ReportSample plain_run() {
    ReportSample sample;
    add_pairs(sample.tally, {4, 9, 18, 12, 7});
    return sample;
}

/// A capped gate that the head passes.
inline ReportSample accepted_run() {
    ReportSample sample(ruled_run(harness::StopPlan::Rule::Capped, 400));
    while (sample.tally.verdict() == harness::Verdict::None)
        add_pairs(sample.tally, {1, 3, 6, 5, 2});
    return sample;
}

inline reports::FailedGame failed_on_time() {
    reports::FailedGame game;
    game.number = 113;
    game.pair = 56;
    game.ply = 34;
    game.program = "head";
    game.termination = harness::Termination::Time;
    game.reason = "head lost on time: 12 ms too late";
    game.last_command =
        "position startpos moves e2e4 e7e5\ngo wtime 812 btime 2210 winc 80 binc 80\n";
    game.last_lines = "info depth 19 score cp -211\nengine: warning\x1b[31m\n";
    return game;
}

/// Twelve pairs whose verdict rests on nine losses on time.
inline ReportSample tainted_run() {
    ReportSample sample(ruled_run(harness::StopPlan::Rule::Fixed, 12));
    for (int i = 0; i < 12; ++i)
        sample.tally.add(i < 9 ? failed_pair(i, 1, harness::Termination::Time, 1)
                               : pair_of(i, 1, 1));
    sample.failed = {failed_on_time()};
    sample.warnings = {"head ignores Hash"};
    return sample;
}

inline ReportSample one_sided_run() {
    harness::RunRecord run = ruled_run(harness::StopPlan::Rule::Sprt, 20);
    run.plan.matches[0].stop.e1 = 5;
    ReportSample sample(run);
    add_pairs(sample.tally, {0, 0, 0, 0, 20});
    return sample;
}

inline ReportSample empty_run() {
    return ReportSample();
}

inline std::vector<ReportSample> report_samples() {
    std::vector<ReportSample> samples;
    samples.push_back(plain_run());
    samples.push_back(accepted_run());
    samples.push_back(tainted_run());
    samples.push_back(one_sided_run());
    samples.push_back(empty_run());
    return samples;
}

inline std::string hostile_text() {
    return "a|b`c\"<script>&'\n\x01\xff\x1b[31m]]>@team #1 =1+1 }{ \\ \xEF\xBF\xBF";
}

/// A sample in which everything that others write is hostile.
inline ReportSample hostile_run() {
    ReportSample sample = tainted_run();
    sample.run.name = hostile_text();
    sample.run.plan.name = hostile_text();
    sample.run.plan.programs[0].name = hostile_text();
    sample.run.plan.programs[0].options = {{hostile_text(), hostile_text()}};
    sample.run.end_reason = hostile_text();
    sample.run.state = harness::RunState::Failed;
    sample.run.machine.host = hostile_text();
    sample.failed[0].reason = hostile_text();
    sample.failed[0].program = hostile_text();
    sample.failed[0].last_lines = hostile_text();
    sample.failed[0].last_command = hostile_text();
    sample.warnings = {hostile_text()};
    return sample;
}

inline boost::json::value json_of_run(const ReportSample& sample) {
    return boost::json::parse(reports::run_json(sample.view()));
}

}  // namespace assay::test
