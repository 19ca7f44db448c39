#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/program_spec.h"
#include "harness/plan/plan.h"

namespace assay::harness {

/// The word by which assay, called by itself inside of a sandbox, gives up what a confined program
/// must not do and becomes the program: `assay kStartConfined kAlone|kWithProcesses PROGRAM
/// ARGUMENTS`.
inline constexpr std::string_view kStartConfined = "start-confined";
inline constexpr std::string_view kAlone = "alone";
inline constexpr std::string_view kWithProcesses = "with-processes";

/// Sets what is put before the command of `spec`: the words of the program's sandbox or, where it
/// is confined, those of bubblewrap, and then the bare environment. Throws Error where the program
/// may write to a folder of which problem_of_writable() speaks. REQUIRES: spec.argv is set.
void confine(adapters::ProgramSpec& spec, const ProgramPlan& program);

/// Why no confined program may write to this folder, as a sentence; empty where it may. A folder
/// that holds one of the sandbox's own, or lies in the system's, would undo the sandbox.
[[nodiscard]] std::string problem_of_writable(const std::string& folder);

/// Tries whether programs can be confined on this machine, by starting one that does nothing.
/// Throws Error where not: exit code 2 where bubblewrap is not installed or a folder is missing, 4
/// where the system forbids what it needs. REQUIRES: program.confinement.
void check_confinement(const ProgramPlan& program);

/// What bubblewrap said where it failed to start a confined program; empty where it said nothing.
[[nodiscard]] std::string failure_of_sandbox(const ProgramPlan& program, std::string_view said);

/// Becomes the program of `words` (kStartConfined says them), which cannot undo that. Returns only
/// where it fails: a sentence.
[[nodiscard]] std::string start_confined(const std::vector<std::string>& words);

}  // namespace assay::harness
