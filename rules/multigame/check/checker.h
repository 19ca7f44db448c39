#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "rules/multigame/check/program_files.h"
#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// What became of a program's files.
struct Checked {
    Form form;  // REQUIRES no errors before it is used
    bool has_errors = false;
    /// Errors in the order of the text; where there are none: warnings.
    std::vector<Diagnostic> problems;
};

/// Reads and checks a program. `files` as files_of() gives them. Throws nothing: what is wrong with
/// the text is in `problems`.
[[nodiscard]] Checked checked(std::vector<FormFile> files);

/// The form of a program without errors; warnings are dropped. Throws SyntaxError with all errors.
[[nodiscard]] Form compiled(std::vector<FormFile> files);

}  // namespace assay::rules::multigame
