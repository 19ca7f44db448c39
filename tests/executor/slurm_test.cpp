// What Slurm's users meet first: the way from nothing to a verdict, and what is refused.
#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/executor/fleet_folder.h"
#include "tests/support/contains.h"
#include "tests/support/slurm_cluster.h"

using assay::test::contains;
using assay::test::Finished;
using assay::test::FleetFolder;
using assay::test::SlurmCluster;

TEST_CASE("Slurm: what is not to be had is told in one sentence") {
    const SlurmCluster cluster(1);
    FleetFolder folder;
    folder.write_configs(8, "", "partition: nope");
    const Finished partition = folder.assay({"run", "fleet.yaml"});
    CHECK(partition.code == 4);
    CHECK_MESSAGE(contains(partition.out + partition.err, "Slurm refused the tasks"), partition.out,
                  partition.err);
    CHECK(contains(partition.out + partition.err, "nvalid partition"));
    folder.forget_fleet();

    // Of another user: this needs a user who may give files away.
    if (::geteuid() == 0) {
        std::filesystem::create_directories(folder.root() + "/fleet");
        folder.write_configs(8, "", "slots: 1");
        const Finished resumed = folder.assay({"run", "fleet.yaml", "--db", "b.db"});
        REQUIRE_MESSAGE(resumed.code == 0, resumed.out, resumed.err);
        REQUIRE(::chown(folder.run_folder().c_str(), 65'534, 65'534) == 0);
        const Finished worker = folder.assay({"work", "--batch", folder.run_folder(), "0"});
        CHECK(worker.code == 2);
        CHECK_MESSAGE(contains(worker.err, "belongs to another user"), worker.err);
    }
}

TEST_CASE("Slurm: without its commands a run says what to install") {
    FleetFolder folder;
    folder.write_configs(8, "", "slots: 1");
    const Finished finished = assay::test::run(
        {"/usr/bin/env", "PATH=/nowhere", ASSAY_BINARY_DIR "/assay", "run", "fleet.yaml"},
        folder.root());
    CHECK(finished.code == 2);
    CHECK_MESSAGE(contains(finished.err, "there is no 'sbatch' in PATH"), finished.err);
    CHECK(contains(finished.err, "apt-get install slurm-client"));
}

TEST_CASE("Slurm: the page's commands lead from nothing to a verdict") {
    const SlurmCluster cluster(2);
    FleetFolder folder;
    std::filesystem::rename(folder.program("instant"), folder.root() + "/new");
    std::filesystem::rename(folder.program("instant"), folder.root() + "/old");
    const std::string page = assay::read_file(ASSAY_SOURCE_DIR "/docs/slurm.md");
    const std::size_t begin = page.find("```\n") + 4;
    std::istringstream lines(page.substr(begin, page.find("```\n", begin) - begin));
    int commands = 0;
    for (std::string line; std::getline(lines, line); ++commands) {
        CAPTURE(line);
        if (const auto path = line.find("/shared/me/fleet"); path != std::string::npos)
            line.replace(path, 16, folder.root() + "/fleet");
        // Its own time control and rule would take hours.
        if (line.starts_with("assay gate") && !contains(line, "--explain"))
            line.insert(std::string("assay gate match.yaml").size(),
                        " --set 'match.time={nodes: 100}' --set 'stop={fixed: {}}' --pairs 12");
        const Finished finished = assay::test::run(
            {"sh", "-c", "PATH=" ASSAY_BINARY_DIR ":$PATH; " + line}, folder.root());
        CHECK_MESSAGE((finished.code == 0 || finished.code == 3), finished.out, finished.err);
        if (contains(line, "--explain")) {
            CHECK_MESSAGE(contains(finished.out, "Slurm, 16 tasks of 1 processor"), finished.out);
            CHECK(contains(finished.out, "batches     "));
            CHECK(contains(finished.out, "overshoot   about "));
        }
    }
    CHECK(commands == 5);
    CHECK(folder.parts() > 0);
}
