#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/executor/slurm_folder.h"
#include "harness/plan/plan.h"
#include "harness/record/run.h"

namespace assay::harness {

/// A larger file is played where it is.
inline constexpr std::uint64_t kMostShippedBytes = 256ULL << 20U;

/// Copies the executables of a run and the files that their options and arguments name into
/// `blobs/` of its folder, by their SHA-256, so that who rebuilds a program meanwhile changes
/// nothing. Left out is what is installed (below /usr, /opt and the like), larger than
/// kMostShippedBytes, or there already. Throws Error (exit code 2) where a file is no longer the
/// one that the run began with, and (exit code 4) where the folder cannot be written.
void ship_programs(const RunRecord& run, const SlurmFolder& folder);

/// A worker's own copies of what was shipped, each with the SHA-256 that it was asked for by.
class ShippedFiles {
public:
    /// Copies what these programs of the run need to the folder `local`, which is made; where
    /// nothing may be executed there, it plays from `blobs/` itself. Throws Error (exit code 4)
    /// where a copy is damaged or cannot be made.
    ShippedFiles(const SlurmFolder& folder, const RunRecord& run,
                 const std::vector<std::size_t>& programs, const std::string& local);

    /// Gives the programs the paths of the copies: their commands, those of their benchmarks,
    /// options and versions.
    void place(RunRecord& run) const;

    /// By path as the run has it: its copy.
    [[nodiscard]] const std::map<std::string, std::string>& copies() const { return copies_; }

private:
    std::map<std::string, std::string> copies_;
};

}  // namespace assay::harness
