#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/match/tally.h"
#include "harness/store/store.h"
#include "stats/data/counts.h"

namespace assay::harness {

/// What a history shows of a finished match. Stored when the run ends, so that a history of a
/// thousand nights reads no pairs.
struct MatchSummary {
    std::int64_t pairs = 0;  // counted
    stats::Pentanomial pentanomial{};
    Verdict verdict = Verdict::None;
    bool is_tainted = false;
    Failures failures;                                      // of the first program
    std::array<std::optional<double>, 2> nodes_per_second;  // by program of `between`
    Failures all_failures;  // of the first program, as MatchTally::all_failures() counts; those of
                            // `failures` in older stores

    friend bool operator==(const MatchSummary&, const MatchSummary&) = default;
};

/// Medians over some of the match's games, spread evenly, of nodes over booked time; whole
/// numbers.
[[nodiscard]] std::array<std::optional<double>, 2> nodes_per_second_of(const Store& store,
                                                                       std::int64_t run,
                                                                       std::size_t match,
                                                                       std::size_t games);

/// `games`: the number of games that the speeds are measured in.
[[nodiscard]] MatchSummary summary_of(const MatchTally& tally, const Store& store, std::int64_t run,
                                      std::size_t match, std::size_t games = 40);

[[nodiscard]] std::string to_json(const MatchSummary& summary);
/// Nullopt if the text is not a summary.
[[nodiscard]] std::optional<MatchSummary> summary_from_json(const std::string& text);

}  // namespace assay::harness
