#pragma once
#include <string>

#include <boost/json.hpp>

#include "tests/cli/shell.h"

namespace assay::test {

/// All commands with their flags, as `assay help-page json` prints them.
inline boost::json::array all_commands() {
    const Finished printed = shell("/", "$ASSAY help-page json");
    REQUIRE(printed.code == 0);
    return boost::json::parse(printed.out).as_array();
}

[[nodiscard]] inline std::string text_at(const boost::json::value& object, const char* key) {
    return std::string(object.at(key).as_string());
}

/// The flag as it is typed, the long one where there is one.
[[nodiscard]] inline std::string name_of(const boost::json::value& flag) {
    return std::string(flag.at("names").as_array().back().as_string());
}

}  // namespace assay::test
