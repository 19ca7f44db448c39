// What a site does to a run: folders that cannot be used, strange files in them, an older Slurm.
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/unique_fd.h"
#include "tests/executor/fleet_folder.h"
#include "tests/executor/small_disk.h"
#include "tests/support/contains.h"
#include "tests/support/how_many.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::FleetFolder;
using assay::test::is_long;
using assay::test::SmallDisk;

TEST_CASE("Work: where the folder is read-only a worker says so, and goes on when it is mended") {
    FleetFolder folder;
    const std::string fleet = folder.root() + "/fleet";
    const SmallDisk disk(fleet);
    folder.write_configs(8, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    // The programs have no room on the small disk.
    std::string config = folder.read("fleet.yaml");
    folder.write("fleet.yaml", config.insert(config.find("executor: {") + 11, "ship: false, "));
    if (!disk.is_mounted()) {
        MESSAGE("skipped: this user may not mount a small disk");
        return;
    }
    REQUIRE(disk.remount("ro"));
    const Finished refused = folder.assay({"gate", "fleet.yaml", "--db", "fleet.db"});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err, "Read-only file system"), refused.out, refused.err);
    CHECK(contains(refused.err, "executor.slurm.folder"));
    REQUIRE(disk.remount("rw"));

    Child coordinator(folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
    const std::string run = folder.run_folder();
    REQUIRE(disk.remount("ro"));
    const Finished worker = folder.assay({"work", "--batch", run, "0"});
    CHECK(worker.code == 4);
    CHECK_MESSAGE(contains(worker.err, "Read-only file system"), worker.out, worker.err);
    CHECK(coordinator.is_running());
    REQUIRE(disk.remount("rw"));
    for (const char* batch : {"0", "1"})
        CHECK(folder.assay({"work", "--batch", run, batch}).code == 0);
    const Finished finished = coordinator.wait();
    const Finished whole = folder.assay({"gate", "local.yaml", "--db", "whole.db"});
    CHECK_MESSAGE(finished.code == whole.code, finished.out, finished.err);
    CHECK(folder.decision_in("fleet.db") == folder.decision_in("whole.db"));
}

TEST_CASE("Slurm: a folder of another user is refused before anything is submitted") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: this user may give no file away");
        return;
    }
    FleetFolder folder;
    folder.write_configs(8, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    Child first(folder.assay_argv({"run", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    REQUIRE(first.until([&] { return !folder.run_folder().empty(); }));
    first.signal(SIGKILL);
    (void)first.wait();
    REQUIRE(::chown(folder.run_folder().c_str(), 65'534, 65'534) == 0);
    const Finished refused = folder.assay({"run", "fleet.yaml", "--db", "fleet.db", "--resume"});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err, "belongs to another user (number 65534)"), refused.out,
                  refused.err);
    REQUIRE(::chown(folder.run_folder().c_str(), 0, 0) == 0);
    for (const char* batch : {"0", "1"})
        CHECK(folder.assay({"work", "--batch", folder.run_folder(), batch}).code == 0);
    const Finished resumed = folder.assay({"run", "fleet.yaml", "--db", "fleet.db", "--resume"});
    CHECK_MESSAGE(resumed.code == 0, resumed.out, resumed.err);
}

TEST_CASE("Slurm: a million strange names among the parts hold nobody up") {
    const int count = is_long() ? 1'000'000 : 2000;
    FleetFolder folder;
    folder.write_configs(8, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    const Finished whole = folder.assay({"gate", "local.yaml", "--db", "whole.db"});
    Child coordinator(folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
    const std::string run = folder.run_folder();
    const assay::UniqueFd done(::open((run + "/done").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int i = 0; i < count; ++i) {
        const assay::UniqueFd made(::openat(done.get(), (std::to_string(i + 100) + ".db").c_str(),
                                            O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        REQUIRE(made.is_open());
    }
    for (const char* batch : {"0", "1"}) {
        const Finished worker = folder.assay({"work", "--batch", run, batch});
        CHECK_MESSAGE(worker.code == 0, worker.out, worker.err);
    }
    rusage before{};
    rusage after{};
    ::getrusage(RUSAGE_CHILDREN, &before);
    const Finished finished = coordinator.wait();
    ::getrusage(RUSAGE_CHILDREN, &after);
    MESSAGE(count, " names: the coordinator took ",
            static_cast<double>(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                static_cast<double>(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6,
            " s of user time");
    CHECK_MESSAGE(finished.code == whole.code, finished.out, finished.err);
    CHECK(folder.decision_in("fleet.db") == folder.decision_in("whole.db"));
    const Finished status = folder.assay({"fleet", "status", run});
    CHECK_MESSAGE(status.code == 0, status.out, status.err);
    CHECK_MESSAGE(contains(status.out, "batches  2 of 2 done"), status.out);
}

TEST_CASE("Slurm: what an older one does not know is told in its own words") {
    FleetFolder folder;
    folder.write_configs(8, "", "slots: 1");
    std::filesystem::create_directories(folder.root() + "/bin");
    const auto say = [&folder](const std::string& name, const std::string& script) {
        folder.write("bin/" + name, "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(folder.root() + "/bin/" + name,
                                     std::filesystem::perms::owner_all);
    };
    const auto gate = [&folder] {
        folder.forget_fleet();
        std::vector<std::string> argv{"/usr/bin/env", "PATH=" + folder.root() + "/bin:/bin"};
        for (const std::string& word : folder.assay_argv({"gate", "fleet.yaml"}))
            argv.push_back(word);
        return assay::test::run(argv, folder.root());
    };
    for (const char* name : {"squeue", "scancel", "scontrol"}) say(name, "");
    say("sbatch", "echo \"sbatch: unrecognized option '--signal=B:TERM@90'\" >&2\nexit 1");
    const Finished option = gate();
    CHECK(option.code == 4);
    CHECK_MESSAGE(
        contains(option.out + option.err,
                 "Slurm refused the tasks: sbatch: unrecognized option '--signal=B:TERM@90'"),
        option.out, option.err);
    say("squeue", "echo 'squeue: error: Invalid job format specification: K' >&2\nexit 1");
    const Finished format = gate();
    CHECK(format.code == 4);
    CHECK_MESSAGE(contains(format.out + format.err,
                           "Slurm does not tell of the tasks: squeue: error: Invalid job format"),
                  format.out, format.err);
}
