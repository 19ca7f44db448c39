#pragma once
#include "cli/frame/command.h"
#include "cli/frame/commands.h"

namespace assay::cli {

/// `assay book build`. `book` and `exit` outlive the call.
void add_book_build(Command& book, Exit& exit);

}  // namespace assay::cli
