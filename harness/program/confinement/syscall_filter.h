#pragma once
#include <string>

namespace assay::harness {

/// Forbids this process and all that it becomes, for good, the system calls that lead out of a
/// sandbox whose file system is read-only: sockets of other processes, other processes themselves
/// (but where `has_processes`), and the terminal. A sentence where the system cannot; else empty.
[[nodiscard]] std::string forbid_calls(bool has_processes);

}  // namespace assay::harness
