#include "reports/view/json_text.h"

#include <cmath>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/text.h"

namespace assay::reports {

namespace {

void append(std::string& out, const boost::json::value& value);

void append_object(std::string& out, const boost::json::object& object) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : object) {
        if (!first) out += ',';
        first = false;
        out += boost::json::serialize(boost::json::string(key));
        out += ':';
        append(out, member);
    }
    out += '}';
}

void append_array(std::string& out, const boost::json::array& array) {
    out += '[';
    bool first = true;
    for (const boost::json::value& element : array) {
        if (!first) out += ',';
        first = false;
        append(out, element);
    }
    out += ']';
}

/// The documents are only a few levels deep, so the recursion is bounded.
void append(std::string& out, const boost::json::value& value) {
    if (const auto* object = value.if_object()) {
        append_object(out, *object);
    } else if (const auto* array = value.if_array()) {
        append_array(out, *array);
    } else if (const auto* number = value.if_double()) {
        // Boost writes 0.5 as 5E-1, which is right and hard to read.
        out += std::isfinite(*number) ? fmt::format("{}", *number) : "null";
    } else {
        out += boost::json::serialize(value);
    }
}

}  // namespace

std::string json_text(const boost::json::value& value) {
    std::string out;
    append(out, value);
    return out;
}

boost::json::value json_number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return nullptr;
    return *value == 0 ? 0.0 : *value;  // not -0
}

boost::json::value json_string(std::string_view text) {
    std::string clean;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
        clean += printable_utf8(text.substr(0, end));
        if (end < text.size()) clean += text[end];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return boost::json::string(clean);
}

std::string script_json(const boost::json::value& value) {
    std::string out;
    for (const char c : json_text(value)) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out += c;
        }
    }
    return out;
}

boost::json::value json_word(std::string_view text) {
    return text.empty() ? boost::json::value(nullptr) : json_string(text);
}

boost::json::array json_strings(const std::vector<std::string>& texts) {
    boost::json::array out;
    for (const std::string& text : texts) out.push_back(json_string(text));
    return out;
}

boost::json::array json_interval(const stats::Interval& interval) {
    return {json_number(interval.low), json_number(interval.high)};
}

boost::json::object json_estimate(const stats::Estimate& estimate) {
    return {{"value", json_number(estimate.value)}, {"ci95", json_interval(estimate.ci95)}};
}

boost::json::array json_counts(const stats::Pentanomial& pairs) {
    boost::json::array out;
    for (const std::int64_t count : pairs.counts) out.emplace_back(count);
    return out;
}

boost::json::object json_failures(const harness::Failures& failures) {
    return {{"time_losses", failures.time_losses},
            {"crashes", failures.crashes},
            {"illegal_moves", failures.illegal_moves},
            {"stalls", failures.stalls}};
}

}  // namespace assay::reports
