#pragma once
#include <string>
#include <string_view>

namespace assay {

// Errors are exit code 4 where the machine is at fault (machine_fault.h), else 2.

/// The whole file. Throws Error naming the path and the system's reason.
[[nodiscard]] std::string read_file(const std::string& path);

/// True where a file may be put in the place of `path`: nothing is there, or a regular file of one
/// name. Devices, pipes and symbolic links are written to, not replaced.
[[nodiscard]] bool is_replaceable(const std::string& path);

/// Throws Error where `path` could not be written now: it is a folder, its folder is missing, or
/// the system does not allow it. Looks only; nothing is made. "-" and the empty name pass.
void check_writable(const std::string& path);

/// Makes an empty file of a new name beside `path`, to be renamed to it when it is whole; its name.
/// Throws Error naming `path`.
[[nodiscard]] std::string create_beside(const std::string& path);

/// Writes through a temporary file beside `path` and renames it, so that readers see the old or
/// the new content, never a part; what is not replaceable is written in place. Throws Error naming
/// the path and the system's reason.
void write_file(const std::string& path, std::string_view content);

/// The system's words for errno's value, thread-safe.
[[nodiscard]] std::string system_reason(int error_number);

}  // namespace assay
