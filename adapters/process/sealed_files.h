#pragma once
#include <optional>
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"

namespace assay::adapters {

struct FileChange {
    std::string text;  // a sentence fragment with the file's path
    /// It cannot be read now, and the system is why: it is out of descriptors or memory.
    bool is_machines = false;
};

/// What is wrong with the first of the files that has no longer the content that it was hashed
/// with, or is gone. Nullopt: all are as they were; a copy of the same bytes is no change. Any
/// thread may call.
[[nodiscard]] std::optional<FileChange> find_change(const std::vector<SealedFile>& files);

}  // namespace assay::adapters
