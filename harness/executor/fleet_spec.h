#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/shard.h"

namespace assay::harness {

/// Raised whenever code changes what a game can come to: workers of another number leave a run
/// alone.
inline constexpr int kPlayVersion = 1;

/// How the pairs of a run are divided into batches: `spec.json` of a run's folder. Stretches are
/// only ever added, so that a batch keeps its number for ever.
struct FleetSpec {
    /// Pairs in a row of one match, in batches of equal size but for the last.
    struct Stretch {
        std::size_t match = 0;
        std::int64_t first = 0;
        std::int64_t pairs = 0;
        std::int64_t batch = 1;  // pairs of a batch
        int claim = 0;           // of its first attempt: earlier ones of its pairs have others

        [[nodiscard]] std::int64_t batches() const { return (pairs + batch - 1) / batch; }

        friend bool operator==(const Stretch&, const Stretch&) = default;
    };

    std::string uid;  // of the run
    int play = kPlayVersion;
    bool scale = true;     // SlurmPlan::scale
    double reference = 0;  // SlurmPlan::reference
    bool ships = false;    // SlurmPlan::ships
    std::vector<Stretch> stretches;

    [[nodiscard]] std::int64_t batches() const;
    /// The pairs of a batch, by its number from 0; nullopt: there is none.
    [[nodiscard]] std::optional<Shard::Window> window_of(std::int64_t batch) const;
    /// The number among all claims of its pairs that its first claim has. REQUIRES: there is such a
    /// batch.
    [[nodiscard]] int first_claim_of(std::int64_t batch) const;
    /// The batches that have this pair, the newest first.
    [[nodiscard]] std::vector<std::int64_t> batches_of(std::size_t match, std::int64_t pair) const;

    friend bool operator==(const FleetSpec&, const FleetSpec&) = default;
};

[[nodiscard]] std::string to_json(const FleetSpec& spec);

/// Throws Error with what is wrong, without the file's name.
[[nodiscard]] FleetSpec fleet_spec_of(std::string_view json);

}  // namespace assay::harness
