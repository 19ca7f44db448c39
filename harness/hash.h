#pragma once
#include <string>
#include <string_view>

namespace assay::harness {

/// SHA-256 as 64 lower-case hex digits.
[[nodiscard]] std::string sha256_of(std::string_view bytes);

/// SHA-256 of a file's content, read in pieces. Throws Error with the path and the system's reason.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace assay::harness
