#pragma once
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace assay::reports {

/// A document on one line, without a line end. Keys stay in the order they were put in. Numbers
/// are the shortest decimals that read back as the same; what is not finite becomes null, and
/// bytes that are no printable UTF-8 become \xNN.
[[nodiscard]] std::string json_text(const boost::json::value& value);

/// The number, or null where there is none or it is not finite.
[[nodiscard]] boost::json::value json_number(std::optional<double> value);

/// The text with what is no printable UTF-8 as \xNN; newlines and tabs are kept.
[[nodiscard]] boost::json::value json_string(std::string_view text);

/// The text as json_string() has it, or null where it is empty.
[[nodiscard]] boost::json::value json_word(std::string_view text);

}  // namespace assay::reports
