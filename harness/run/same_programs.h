#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/record/run.h"

namespace assay::harness {

/// Whether the programs of a match can differ at all.
enum class Sameness : std::uint8_t {
    Different,       // or nothing tells
    SameBench,       // their benchmarks searched the same number of nodes
    SameExecutable,  // byte for byte
};

/// "same_bench", "same_executable"; Different: "".
[[nodiscard]] std::string_view name_of(Sameness sameness);

/// Pure. Programs are only the same under the same options, arguments, environment and time
/// control. An executable is not the same where the benchmarks of both are known and differ: what
/// it reads at its start may be other files. Versions that are not known are different.
[[nodiscard]] Sameness sameness_of(const RunRecord& run, const MatchPlan& match);

/// "head and base are the same executable with the same options"; Different: "".
[[nodiscard]] std::string sameness_text(const RunRecord& run, const MatchPlan& match);

}  // namespace assay::harness
