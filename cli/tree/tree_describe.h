#pragma once
#include <string>
#include <vector>

#include "gtql/log/import/open_trees.h"

namespace assay::cli {

/// Prints what a file of trees holds: trees, columns with their ranges, constants. Warnings go to
/// standard error. Throws Error where the file cannot be read.
void describe_trees(const std::string& path, const gtql::ImportOptions& options, bool as_json);

/// Reads everything in a file of trees and prints a line for each fault, and one for the file.
/// True where there is none.
[[nodiscard]] bool verify_trees(const std::string& path, const gtql::ImportOptions& options);

/// Printed to standard error, each on a line that begins with "warning: ".
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace assay::cli
