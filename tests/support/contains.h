#pragma once
#include <string>
#include <string_view>

namespace assay::test {

[[nodiscard]] inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace assay::test
