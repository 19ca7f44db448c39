#pragma once
#include <string>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

namespace assay::test {

/// A Slurm of this test's own, with real daemons on loopback: munged, slurmctld and some slurmd,
/// each a node of one processor. The environment of this process names it (SLURM_CONF). It goes
/// with the object.
class SlurmCluster {
public:
    /// Fails the test where Slurm is not installed: packages.txt names it.
    explicit SlurmCluster(int nodes);
    SlurmCluster(const SlurmCluster&) = delete;
    SlurmCluster& operator=(const SlurmCluster&) = delete;
    ~SlurmCluster();

    /// A command of slurm-local.sh: {"kill-node", "n1"}. Its exit code.
    int control(const std::vector<std::string>& words) const;

    /// What one of Slurm's commands prints.
    [[nodiscard]] std::string ask(const std::vector<std::string>& argv) const;

    [[nodiscard]] const std::string& root() const { return dir_.root(); }

private:
    TempDir dir_;
    int nodes_;
};

}  // namespace assay::test
