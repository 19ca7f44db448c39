#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/plan/plan.h"

namespace assay::harness {

/// Empty if `pattern` is a regular expression with one group, else what is wrong with it.
[[nodiscard]] std::string problem_of_pattern(const std::string& pattern);

/// What was found in the output of a benchmark run.
struct BenchSaid {
    std::optional<std::uint64_t> nodes;
    std::optional<double> nodes_per_second;
};

/// Reads the output of benchmark runs by a plan's patterns, line by line; of several lines that
/// match, the last counts. Lines are read up to 4096 bytes. Usual forms are known without a
/// pattern: "Nodes searched  : 1234", "1234 nodes", "Nodes/second    : 5678", "nps 5678", "5678
/// nps".
class BenchReader {
public:
    /// REQUIRES: the plan's patterns have no problem.
    explicit BenchReader(const BenchPlan& plan);
    BenchReader(const BenchReader&) = delete;
    BenchReader& operator=(const BenchReader&) = delete;
    ~BenchReader();

    [[nodiscard]] BenchSaid read(std::string_view output) const;

private:
    struct Patterns;
    std::unique_ptr<Patterns> patterns_;
};

/// The number of a line "Bench: 1234567" in a commit's message (any case, the last one counts).
[[nodiscard]] std::optional<std::uint64_t> declared_signature(std::string_view message);

}  // namespace assay::harness
