#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <boost/json/value.hpp>

#include "base/clock.h"
#include "harness/match/tally.h"

namespace assay::reports {

/// What a match still needs, in pairs and at the present speed in time.
struct MatchLeft {
    std::optional<double> expected_pairs;  // on average, if the present estimate is the truth;
                                           // nullopt: the rule has no such law, or too few pairs
    std::int64_t most_pairs = 0;
    std::optional<Micros> expected_time;  // nullopt: expected_pairs is, or the speed is not known
    std::optional<Micros> most_time;
};

/// How fast a match is played.
struct MatchSpeed {
    std::optional<double> us_per_pair;  // nullopt: not known yet
    Micros spent{0};                    // of the minutes that the stop rule allows
};

/// That of the whole match so far, by its meters.
[[nodiscard]] MatchSpeed mean_speed(const harness::MatchTally& tally);

/// Nullopt once the match has ended. Costs about 1 ms.
[[nodiscard]] std::optional<MatchLeft> left_of(const harness::MatchTally& tally,
                                               const MatchSpeed& speed);

/// The expected pairs for people: two digits, at least 1 and at most the most.
[[nodiscard]] std::int64_t expected_pairs(const MatchLeft& left);

/// {"expected_pairs","most_pairs","expected_seconds","most_seconds"}, null what is not known; null
/// where the match has ended.
[[nodiscard]] boost::json::value json_left(const std::optional<MatchLeft>& left);

/// "about 400 pairs left (7 min)"; empty where nothing is expected.
[[nodiscard]] std::string expected_left_text(const MatchLeft& left);
/// "at most 1,088 pairs left (21 min)".
[[nodiscard]] std::string most_left_text(const MatchLeft& left);

/// "1:12 min", "21 min", "3 h": whole minutes or hours where seconds would say too much.
[[nodiscard]] std::string rough_duration(Micros time);

}  // namespace assay::reports
