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

/// Why no confined program may write to this folder, as a sentence; empty where it may. Links are
/// followed. It may not where undoes_sandbox(), nor in a folder of the system (/etc, /usr), nor in
/// a home folder but in a folder of this user's own there.
[[nodiscard]] std::string problem_of_writable(const std::string& folder);

/// Whether the folder holds one of the sandbox's own (/tmp), or lies in /run, /dev, /proc or /sys.
[[nodiscard]] bool undoes_sandbox(const std::string& folder);

/// Whether a relative path names what is not in the folder that it is relative to, as "../x" does.
[[nodiscard]] bool leads_out(const std::string& path);

/// Why a program that is built in `tree` may not have this folder as its own: links lead out of
/// the tree. A sentence; empty where it may, or `dir` is absolute.
[[nodiscard]] std::string problem_of_built_dir(const std::string& tree, const std::string& dir);

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
