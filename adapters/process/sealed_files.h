#pragma once
#include <optional>
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"

namespace assay::adapters {

/// What is wrong with the first of the files that has no longer the content that it was hashed
/// with, or is gone: a sentence fragment with its path. Nullopt: all are as they were; a copy of
/// the same bytes is no change. Any thread may call.
[[nodiscard]] std::optional<std::string> find_change(const std::vector<SealedFile>& files);

}  // namespace assay::adapters
