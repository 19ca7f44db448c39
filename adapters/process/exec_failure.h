#pragma once
#include <string>

namespace assay::adapters {

/// Why the system did not execute the file `path`, where execve() failed with `error_number`: what
/// is wrong with the file, such as an interpreter that is missing, else the system's words. One
/// sentence fragment, without the path.
[[nodiscard]] std::string exec_failure_text(const std::string& path, int error_number);

/// Why `word`, which has no slash, names no program: "is not in PATH" and what to write instead.
[[nodiscard]] std::string not_in_path_text(const std::string& word);

}  // namespace assay::adapters
