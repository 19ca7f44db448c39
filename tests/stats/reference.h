#pragma once
#include <string>

#include <boost/json.hpp>

#include "base/file.h"
#include "stats/data/counts.h"
#include "stats/data/sample.h"

/// The reference values of tests/data/stats-reference-shared.json: 40-digit computations with a
/// tolerance per field, described in its `meta`.
namespace assay::test {

inline const boost::json::object& reference() {
    static const boost::json::value document = boost::json::parse(
        assay::read_file(std::string(ASSAY_TEST_DATA) + "/stats-reference-shared.json"));
    return document.as_object();
}

inline double number(const boost::json::object& object, const char* key) {
    return object.at(key).to_number<double>();
}

inline std::string text(const boost::json::object& object, const char* key) {
    return std::string(object.at(key).as_string());
}

inline stats::Pentanomial pentanomial(const boost::json::object& object) {
    stats::Pentanomial pairs;
    for (std::size_t i = 0; i < 5; ++i) {
        pairs.counts[i] = object.at("counts").as_array().at(i).as_int64();
    }
    return pairs;
}

/// The file's trinomial counts stand as [L, D, W].
inline stats::Sample sample(const boost::json::object& object) {
    if (text(object, "kind") == "pentanomial") return stats::sample_of(pentanomial(object));
    const boost::json::array& counts = object.at("counts").as_array();
    return stats::sample_of(
        stats::Wdl{counts.at(2).as_int64(), counts.at(1).as_int64(), counts.at(0).as_int64()});
}

}  // namespace assay::test
