#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::harness {

// What a run keeps of a fleet beside its games: store tables `builds` and `attempts`. Which batches
// there are, and what became of them, its folder knows alone (executor/slurm_folder.h).

/// A program as one machine has it, where each builds its own.
struct MachineBuild {
    std::int64_t machine = 0;  // as GameRecord::machine
    int program = 0;           // of the plan
    std::string sha256;
    std::string compiler;
    std::optional<std::uint64_t> bench_nodes;
    std::optional<double> nps;

    friend bool operator==(const MachineBuild&, const MachineBuild&) = default;
};

/// Why an attempt at a pair did not count.
enum class AttemptFate : std::uint8_t {
    Lost,      // its worker was never heard of again
    Late,      // it came when a newer attempt had been claimed
    Returned,  // the worker gave it back
    Barred,    // the worker was barred, and its pairs are played again
};

[[nodiscard]] std::string_view name_of(AttemptFate fate);
[[nodiscard]] std::optional<AttemptFate> attempt_fate_of(std::string_view name);

/// How many attempts (GameRecord::attempt) one claim of a pair has: of claim c those from
/// kAttemptsOfClaim * c on, one more for each void pair.
inline constexpr int kAttemptsOfClaim = 4;

/// AttemptRecord::machine of a worker that was lost before it told where it runs.
inline constexpr std::int64_t kNoMachine = -1;

/// An attempt at a pair that did not count.
struct AttemptRecord {
    std::size_t match = 0;
    std::int64_t pair = 0;
    int attempt = 0;           // the first one of its claim
    std::int64_t machine = 0;  // as GameRecord::machine, or kNoMachine
    AttemptFate fate = AttemptFate::Lost;
    long long claimed_us = 0;  // wall clock; 0: not known
    long long ended_us = 0;
    std::string reason;

    friend bool operator==(const AttemptRecord&, const AttemptRecord&) = default;
};

}  // namespace assay::harness
