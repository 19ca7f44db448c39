#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace assay::harness {

/// The word by which assay, called by itself inside of a sandbox, forbids new processes and becomes
/// the program: `assay kStartAlone PROGRAM ARGUMENTS`.
inline constexpr std::string_view kStartAlone = "start-alone";

/// The words that are put before the program's command: its sandbox's, or, where it is confined,
/// those of bubblewrap. `executable`: as resolved.
[[nodiscard]] std::vector<std::string> wrapper_of(const ProgramPlan& program,
                                                  const std::string& executable);

/// Tries whether programs can be confined on this machine, by starting one that does nothing.
/// Throws Error where not: exit code 2 where bubblewrap is not installed, 4 where the system
/// forbids what it needs. REQUIRES: program.confinement.
void check_confinement(const ProgramPlan& program);

/// Becomes the program, which can start no other process (threads are free), nor can it undo that.
/// Returns only where it fails: a sentence.
[[nodiscard]] std::string start_alone(const std::vector<std::string>& command);

}  // namespace assay::harness
