#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "harness/match/tally.h"
#include "stats/data/counts.h"
#include "stats/estimate/estimate.h"

namespace assay::reports {

/// A document on one line, without a line end. Keys stay in the order they were put in. Numbers
/// are the shortest decimals that read back as the same; what is not finite becomes null, and
/// bytes that are no printable UTF-8 become \xNN.
[[nodiscard]] std::string json_text(const boost::json::value& value);

/// The same for a script element of a page: "<", which could end it, is \u003c.
[[nodiscard]] std::string script_json(const boost::json::value& value);

/// The number, or null where there is none or it is not finite.
[[nodiscard]] boost::json::value json_number(std::optional<double> value);

/// The text with what is no printable UTF-8 as \xNN; newlines and tabs are kept.
[[nodiscard]] boost::json::value json_string(std::string_view text);

/// The text as json_string() has it, or null where it is empty.
[[nodiscard]] boost::json::value json_word(std::string_view text);

[[nodiscard]] boost::json::array json_strings(const std::vector<std::string>& texts);

/// [low, high], null where there is no limit.
[[nodiscard]] boost::json::array json_interval(const stats::Interval& interval);

/// {"value","ci95":[low, high]}.
[[nodiscard]] boost::json::object json_estimate(const stats::Estimate& estimate);

/// [LL, LD, DD+WL, WD, WW].
[[nodiscard]] boost::json::array json_counts(const stats::Pentanomial& pairs);

/// {"time_losses","crashes","illegal_moves","stalls"}.
[[nodiscard]] boost::json::object json_failures(const harness::Failures& failures);

}  // namespace assay::reports
