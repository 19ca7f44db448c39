#pragma once
#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "rules/game.h"
#include "stats/estimate/estimate.h"

namespace assay::reports {

/// How all reports write numbers and times for people.

/// "1,804".
[[nodiscard]] std::string grouped(std::int64_t number);

/// "1 pair", "1,804 pairs". `many`: the plural where it is not the noun with an s.
[[nodiscard]] std::string grouped(std::int64_t number, std::string_view noun,
                                  std::string_view many = "");

/// "+3.4", "-0.2"; a value that rounds to zero is "0.0".
[[nodiscard]] std::string signed_number(double value, int decimals);

/// The number of decimals that the width of the interval justifies: 0, 1 or 2.
[[nodiscard]] int decimals_for(const stats::Estimate& estimate);

/// "+31 [-23, +87]"; one-sided data "> +120 (one-sided)"; without data "unknown".
[[nodiscard]] std::string estimate_text(const stats::Estimate& estimate, int decimals);
[[nodiscard]] std::string estimate_text(const stats::Estimate& estimate);

/// "[-23, +87]"; an end that is not known is "no limit". Empty without any.
[[nodiscard]] std::string interval_text(const stats::Interval& interval, int decimals);

/// A share in percent: "5 %", "0.25 %"; so many significant digits behind the point.
[[nodiscard]] std::string percent(double share);
/// The same with so many decimals: "37.5 %".
[[nodiscard]] std::string percent(double share, int decimals);

/// "0.26", "0.0034", "< 1e-6". In [0, 1].
[[nodiscard]] std::string probability(double p);
/// "p = 0.26", "p < 1e-6".
[[nodiscard]] std::string p_value(double p);

/// Half points as a score: "33.5", "40".
[[nodiscard]] std::string score_text(std::int64_t half_points);

/// What a program said of its position, in the game's unit: "+0.31", "-M4". A game without a unit
/// has plain numbers.
[[nodiscard]] std::string score_text(const adapters::Score& score, const rules::ScoreUnit& unit);

/// "0.04 ms", "1.2 ms", "35 ms".
[[nodiscard]] std::string milliseconds(double microseconds);

/// "4 s", "1:12 min", "2:05 h".
[[nodiscard]] std::string duration(Micros time);

/// The date and time in UTC of microseconds since 1970.
[[nodiscard]] std::tm utc_of(long long us);
/// The same as text: "2026-11-29 10:53".
[[nodiscard]] std::string utc_minute(long long us);

/// "2026-11-28 21:04 UTC", of microseconds since 1970; empty for 0.
[[nodiscard]] std::string time_text_utc(long long us);

/// Rounded to two digits, for estimates of cost: 152 -> 150.
[[nodiscard]] std::int64_t rough(double number);

/// One or two words for tables: "mate", "adjudicated win", "fifty". Lives as long as the
/// termination.
[[nodiscard]] std::string_view short_words(const harness::Termination& termination);

/// What the first two players of a game are called (GameInfo::players), whoever moves first from an
/// opening. "first" and "second" if the rules are not known.
[[nodiscard]] std::array<std::string, 2> side_names(const harness::MatchPlan& plan);

/// The plural of the unit of programs' scores, "pawns"; empty where the game has none.
[[nodiscard]] std::string score_units(const rules::GameInfo& game);

/// Columns of a terminal that UTF-8 text without wide or combining characters takes.
[[nodiscard]] std::size_t columns(std::string_view text);

}  // namespace assay::reports
