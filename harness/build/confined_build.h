#pragma once
#include <string>
#include <string_view>

#include "adapters/process/program_spec.h"
#include "harness/plan/plan.h"

namespace assay::harness {

/// Confines a step of the build of a confined program: it writes in the built tree `folder` and in
/// folders for temporary files of its own, has the network where the program has it, and may start
/// processes. Of the environment it has PATH, HOME, LANG, LC_* and what compilers and make are told
/// by. Its home folder is empty but for folders of PATH, and the objects of git that the tree
/// borrows. Throws Error as confine() does. REQUIRES: program.confinement; spec.argv is the step.
void confine_build(adapters::ProgramSpec& spec, const ProgramPlan& program,
                   const std::string& folder);

/// What bubblewrap said where it failed to start a step, which has said `first` at first; empty
/// where it did not fail.
[[nodiscard]] std::string failure_of_build_sandbox(const ProgramPlan& program,
                                                   std::string_view first);

}  // namespace assay::harness
