#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "harness/match/estimates.h"
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
    /// The estimate to quote; nullopt in stores of versions that did not compute it.
    std::optional<MatchEstimate> quoted;

    friend bool operator==(const MatchSummary&, const MatchSummary&) = default;
};

/// Medians over some of the match's games, spread evenly, of nodes over booked time; whole
/// numbers.
[[nodiscard]] std::array<std::optional<double>, 2> nodes_per_second_of(const Store& store,
                                                                       std::int64_t run,
                                                                       std::size_t match,
                                                                       std::size_t games);

/// `games`: the number of games that the speeds are measured in. Costs up to 100 ms beside them.
[[nodiscard]] MatchSummary summary_of(const MatchTally& tally, const Store& store, std::int64_t run,
                                      std::size_t match, std::size_t games = 40);

[[nodiscard]] std::string to_json(const MatchSummary& summary);
/// Nullopt if the text is not a summary.
[[nodiscard]] std::optional<MatchSummary> summary_from_json(const std::string& text);

/// Summaries of matches that have none in the store, for a server that is asked for the same runs
/// again and again. Any thread may call.
class SummaryMemo {
public:
    /// What `counted` gave for the match when the run had as many pairs and the same state.
    [[nodiscard]] MatchSummary of(const Store& store, const RunRecord& run, std::size_t match,
                                  std::size_t games, const std::function<MatchSummary()>& counted);

private:
    static constexpr std::size_t kMost = 4096;

    /// When the run began, its id, match, pairs, state, games for the speeds.
    using Key =
        std::tuple<long long, std::int64_t, std::size_t, std::int64_t, RunState, std::size_t>;

    std::mutex mutex_;
    std::map<Key, MatchSummary> known_;
};

}  // namespace assay::harness
