#pragma once
#include <string>
#include <vector>

namespace assay::cli {

/// Throws Error where output could not be written to `path` (check_writable), or where that would
/// destroy what the user needs: one of `inputs`, a database (a store), a program or a config that
/// is there. Call it before the work. Accepts "-" and the empty name.
void check_target(const std::string& path, const std::vector<std::string>& inputs = {});

}  // namespace assay::cli
