#include "tests/support/slurm_cluster.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <doctest/doctest.h>

namespace assay::test {

namespace {

constexpr int kFirstPort = 21'000;
constexpr int kPortsOfOne = 10;
constexpr int kClusters = 1'000;
constexpr int kTries = 20;

void set(const char* name, const std::string& value) {
    REQUIRE(::setenv(name, value.c_str(), 1) == 0);
}

}  // namespace

SlurmCluster::SlurmCluster(int nodes) : nodes_(nodes) {
    // munged refuses a socket that others cannot reach.
    std::filesystem::permissions(dir_.root(), std::filesystem::perms(0755));
    set("SLURM_LOCAL_DIR", dir_.path("s"));
    set("SLURM_LOCAL_NODES", std::to_string(nodes_));
    set("SLURM_CONF", dir_.path("s/slurm.conf"));
    Finished started;
    // Other tests have clusters at the same time, and ports may be anyone's.
    for (int i = 0; i < kTries; ++i) {
        const int place = (static_cast<int>(::getpid()) + 37 * i) % kClusters;
        set("SLURM_LOCAL_PORT", std::to_string(kFirstPort + kPortsOfOne * place));
        started =
            run({"bash", ASSAY_SOURCE_DIR "/tests/support/slurm-local.sh", "start"}, dir_.root());
        if (started.code == 0) return;
        if (started.err.find("is taken") == std::string::npos) break;
    }
    FAIL("Slurm does not start: ", started.out, started.err);
}

SlurmCluster::~SlurmCluster() {
    (void)control({"stop"});
}

int SlurmCluster::control(const std::vector<std::string>& words) const {
    std::vector<std::string> argv{"bash", ASSAY_SOURCE_DIR "/tests/support/slurm-local.sh"};
    argv.insert(argv.end(), words.begin(), words.end());
    return run(argv, dir_.root()).code;
}

std::string SlurmCluster::ask(const std::vector<std::string>& argv) const {
    return run(argv, dir_.root()).out;
}

}  // namespace assay::test
