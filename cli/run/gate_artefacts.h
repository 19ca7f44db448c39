#pragma once
#include <fstream>
#include <ostream>
#include <string>

#include "cli/run/play.h"

namespace assay::cli {

/// Where a gate's reports go; empty: nowhere.
struct ArtefactFiles {
    std::string junit;
    std::string markdown;
    std::string out;  // folder of all of them
};

/// Makes the folder. Throws Error where it, or a file that is asked for, could not be written.
void check_artefact_targets(const ArtefactFiles& files);

/// log.txt of the folder: what the terminal shows, line by line as it comes, so that also a gate
/// that is killed has it.
class GateLog {
public:
    explicit GateLog(const ArtefactFiles& files);

    /// Null where no folder is asked for. The first call, or the first line(), begins the file
    /// anew; one after close() goes on with it.
    [[nodiscard]] std::ostream* stream();

    void line(const std::string& text);

    /// False where the file did not take all.
    [[nodiscard]] bool close();

private:
    std::string path_;
    std::ofstream file_;
    bool is_begun_ = false;
};

/// The reports of a run that has ended, and what GitHub is to be told. One that cannot be written
/// is said on standard error and keeps none of the others from being written. The log gets its
/// last line and is closed. Returns the exit code after all: `exit_code`, or that the machine
/// failed.
[[nodiscard]] int write_artefacts(const ArtefactFiles& files, const PlayFlags& flags,
                                  const harness::RunOutcome& outcome, int exit_code, GateLog& log);

/// Those of a gate that had nothing to play; the log is closed. Returns its exit code.
[[nodiscard]] int write_skipped_artefacts(const ArtefactFiles& files, const std::string& reason,
                                          GateLog& log);

/// Those of a gate that ended by an error.
void write_error_artefacts(const ArtefactFiles& files, const std::string& text);

}  // namespace assay::cli
