#pragma once
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "harness/record/game.h"
#include "harness/record/run.h"

namespace assay::test {

inline Micros ms(long long value) {
    return std::chrono::milliseconds(value);
}

inline harness::TimeControl clock_of(Micros time, Micros increment) {
    harness::TimeControl control;
    control.periods = {{0, time, increment}};
    return control;
}

/// A run of one match, move-chains against transposition-table, with every field set.
inline harness::RunRecord report_run() {
    harness::RunRecord run;
    run.id = 12;
    run.name = "quickstart";
    run.plan.name = "quickstart";
    run.plan.programs.resize(2);
    run.plan.programs[0].name = "move-chains";
    run.plan.programs[0].options = {{"Hash", "16"}};
    run.plan.programs[1].name = "transposition-table";
    run.plan.matches.resize(1);
    harness::MatchPlan& match = run.plan.matches[0];
    match.pairs = 50;
    match.concurrency = 2;
    match.time = {clock_of(ms(10'000), ms(100)), clock_of(ms(10'000), ms(100))};
    run.plan.seed = 8841;
    run.plan_hash = "0123456789abcdef";
    run.versions = {{"move-chains", "/opt/mc", "aa11", "Move Chains 1", "the authors", {}},
                    {"transposition-table", "/opt/tt", "bb22", "TT 2", "the authors", {}}};
    run.machine = {"bench-host", "A CPU", "Linux 6.1", 4, 2, 8'000'000'000};
    run.book_hashes = {"cc33"};
    run.assay_version = "0.1.0";
    run.command_line = "assay run configs/quickstart.yaml";
    run.state = harness::RunState::Finished;
    run.started_us = 1'700'000'000'000'000;
    run.ended_us = 1'700'000'060'000'000;
    return run;
}

inline harness::MoveRecord move(std::string name, long long used_ms = 350,
                                long long left_ms = 7650) {
    harness::MoveRecord record;
    record.name = std::move(name);
    record.used = ms(used_ms);
    record.left = ms(left_ms);
    return record;
}

inline harness::MoveRecord move(std::string name, adapters::Score score, int depth,
                                long long used_ms = 350, long long left_ms = 7650) {
    harness::MoveRecord record = move(std::move(name), used_ms, left_ms);
    record.score = score;
    record.depth = depth;
    return record;
}

inline rules::Scores scores(float first, float second) {
    rules::Scores result;
    result.value[0] = first;
    result.value[1] = second;
    result.players = 2;
    return result;
}

/// The golden file's text; with ASSAY_UPDATE_GOLDEN set it is written first.
inline std::string golden(const std::string& name, const std::string& actual) {
    const std::string path = std::string(ASSAY_SOURCE_DIR "/tests/golden/reports/") + name;
    if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << actual;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace assay::test
