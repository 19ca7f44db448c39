#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/record/run.h"
#include "harness/record/version.h"
#include "reports/history/history.h"
#include "reports/view/version_text.h"

namespace assay::reports {

/// Decides which nights of a history can be compared: those with the same opponent and the same
/// setting.

/// Figures can be compared only between runs with the same setting.
struct Setting {
    std::string host;
    std::string machine;  // host, processor and cores
    std::string compiler;
    std::string opponent;
    std::string rest;  // time, book, variant
};

[[nodiscard]] Setting setting_of(const harness::RunRecord& run, std::size_t match);

/// Of the match's first program, where assay built it.
[[nodiscard]] std::string compiler_of(const harness::RunRecord& run, std::size_t match);
/// Host and processor.
[[nodiscard]] std::string machine_of(const harness::RunRecord& run);

/// The match whose opponent the two newest runs share; else the first. `runs` by id.
[[nodiscard]] std::size_t steady_match(const std::vector<harness::RunRecord>& runs);
/// Whether the match's opponent is another one in most nights.
[[nodiscard]] bool is_against_previous(const std::vector<harness::RunRecord>& runs,
                                       std::size_t match);

/// Adds a night without a run for each missing day, where runs are played daily.
void add_missing(std::vector<Night>& nights);
/// Numbers the series of the nights, and says what begins each. `settings` by run.
void mark_series(History& history, const std::map<std::int64_t, Setting>& settings);

}  // namespace assay::reports
