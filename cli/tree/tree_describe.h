#pragma once
#include <string>
#include <vector>

#include "gtql/log/import/open_trees.h"

namespace assay::cli {

/// Prints what a file of trees holds: trees, columns with their ranges, constants. Warnings go to
/// standard error. Throws Error where the file cannot be read.
void describe_trees(const std::string& path, const gtql::ImportOptions& options, bool as_json);

/// Reads a file of trees completely and prints a line for each error and one for the file. True if
/// there is no error.
[[nodiscard]] bool verify_trees(const std::string& path, const gtql::ImportOptions& options);

/// Prints each on a line of standard error that begins with "warning: ".
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace assay::cli
