#pragma once
#include <CLI/CLI.hpp>

#include "cli/frame/commands.h"

namespace assay::cli {

/// `assay book build`. `book` and `exit` outlive the call.
void add_book_build(CLI::App& book, Exit& exit);

}  // namespace assay::cli
