#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace assay::test {

[[nodiscard]] inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// How often `part`, which is not empty, begins in the text; places may overlap.
[[nodiscard]] inline std::size_t times_in(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace assay::test
