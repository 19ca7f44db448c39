#pragma once
#include <string>
#include <string_view>

#include "adapters/process/command.h"

namespace assay::harness {

/// Whether a command failed because of the machine and not by its own fault: the disk of `folder`
/// is full, it said the system's words for no room, memory or descriptors, or somebody else's
/// signal ended it (the kernel where memory ran out, an administrator). Commands can say such words
/// of themselves too; that makes their failure the machine's, which no gate passes.
[[nodiscard]] bool is_machines_failure(const adapters::CommandEnd& end, const std::string& folder,
                                       std::string_view said);

}  // namespace assay::harness
