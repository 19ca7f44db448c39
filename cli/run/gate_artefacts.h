#pragma once
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "cli/run/play.h"

namespace assay::cli {

/// Where a gate's reports are written; empty: not written.
struct ArtefactFiles {
    std::string junit;
    std::string markdown;
    std::string out;  // folder of all of them
};

/// The names of all files that are asked for.
[[nodiscard]] std::vector<std::string> names_of(const ArtefactFiles& files);

/// Throws Error where a file that is asked for cannot be written, or would destroy one of `inputs`;
/// it is not asked for any more then.
void check_artefact_targets(ArtefactFiles& files, const std::vector<std::string>& inputs);

/// Creates the folder of all of them. Throws Error.
void make_folder(const ArtefactFiles& files);

/// log.txt of the folder: what the terminal shows, written line by line, so that it is there even
/// if the gate is killed.
class GateLog {
public:
    explicit GateLog(const ArtefactFiles& files);

    /// Null if no folder is asked for. The first call of stream() or line() replaces the file;
    /// calls after close() append.
    [[nodiscard]] std::ostream* stream();

    void line(const std::string& text);

    /// False where the file could not be written completely.
    [[nodiscard]] bool close();

private:
    std::string path_;
    std::ofstream file_;
    bool is_begun_ = false;
};

/// Writes the reports of a run that has ended, and GitHub's annotations and summary. A file that
/// cannot be written is reported on standard error; the others are still written. The log gets its
/// last line and is closed. Returns the final exit code: `exit_code`, or 4 if a write failed.
[[nodiscard]] int write_artefacts(const ArtefactFiles& files, const PlayFlags& flags,
                                  const harness::RunOutcome& outcome, int exit_code, GateLog& log);

/// The same for a gate that had nothing to play. Returns its exit code.
[[nodiscard]] int write_skipped_artefacts(const ArtefactFiles& files, const std::string& reason,
                                          GateLog& log);

/// The same for a gate that ended with an error.
void write_error_artefacts(const ArtefactFiles& files, const std::string& text);

}  // namespace assay::cli
