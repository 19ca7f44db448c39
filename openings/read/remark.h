#pragma once
#include <cstddef>
#include <string>

namespace assay::openings {

/// A message about an entry's text; offset and width are in that text.
struct Remark {
    std::size_t offset = 0;
    std::size_t width = 1;
    std::string message;
    bool is_ending = false;  // a line that is cut because its game ends: every decided game's is
};

}  // namespace assay::openings
