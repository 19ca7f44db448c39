// What dies in a cluster, with Slurm's real daemons: nothing is lost, and nothing counts twice.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/executor/fleet_folder.h"
#include "tests/executor/slow_run.h"
#include "tests/support/contains.h"
#include "tests/support/slurm_cluster.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::FleetFolder;
using assay::test::job_of;
using assay::test::kResume;
using assay::test::kSlower;
using assay::test::pairs_of_worker;
using assay::test::SlowRun;
using assay::test::SlurmCluster;
using assay::test::workers_in;

TEST_CASE("Slurm: workers and coordinators that are killed change nothing") {
    const SlurmCluster cluster(2);
    SlowRun run;
    // A coordinator is killed at each of these numbers of parts, and a worker in between.
    std::size_t killed = 0;
    for (const std::size_t parts : {0U, 1U, 2U, 4U}) {
        Child coordinator(run.assay_argv(kResume), run.root());
        REQUIRE(coordinator.until([&] { return run.parts() >= parts; }));
        if (parts > 0) {
            // Where parts came quickly, the run may end before one of its workers is seen.
            (void)coordinator.until([&] { return !workers_in(run.run_folder()).empty(); });
            for (const pid_t pid : workers_in(run.run_folder()))
                killed += ::kill(pid, SIGKILL) == 0 ? 1U : 0U;
        }
        coordinator.signal(SIGKILL);
        (void)coordinator.wait();
    }
    CHECK(killed > 0);
    run.check_end(run.assay(kResume));
}

TEST_CASE("Slurm: a node that is gone with its tasks, and a controller that is away") {
    const SlurmCluster cluster(2);
    SlowRun run;
    Child coordinator(run.assay_argv(kResume), run.root());
    // So soon after a start the controller has not noted it, and begins the task anew.
    REQUIRE(coordinator.until([&] { return !run.names_in("claims").empty(); }));
    CHECK(cluster.control({"kill-ctld"}) == 0);
    CHECK(cluster.control({"restart-ctld"}) == 0);
    CHECK(cluster.control({"kill-node", "n1", "--with-jobs"}) == 0);
    CHECK(cluster.control({"start-node", "n1"}) == 0);
    // It may also find that two tasks have one number, drain their nodes and hold the tasks; who
    // administrates then lets them go on.
    (void)coordinator.until([&] {
        (void)cluster.ask({"scontrol", "update", "nodename=n1,n2", "state=resume"});
        const std::string jobs = cluster.ask({"squeue", "-h", "-t", "PD", "-o", "%F"});
        if (!jobs.empty())
            (void)cluster.ask({"scontrol", "release", jobs.substr(0, jobs.find('\n'))});
        return false;
    });
    REQUIRE_FALSE(coordinator.is_running());  // it came to its end, and not our patience
    run.check_end(coordinator.wait());
}

TEST_CASE("Slurm: of a task that was begun twice the newest copy counts, and the other is late") {
    const SlurmCluster cluster(2);
    SlowRun run("slots: 1, batch: 18");
    Child coordinator(run.assay_argv(kResume), run.root());
    // A worker that is stopped before it has written its claim leaves no trace of its node.
    std::string claim;
    REQUIRE(coordinator.until([&] {
        if (run.names_in("claims").empty()) return false;
        claim = run.read(std::filesystem::relative(run.run_folder(), run.root()).string() +
                         "/claims/0.0");
        return contains(claim, "\"node\"") && !workers_in(run.run_folder()).empty();
    }));
    const pid_t orphan = workers_in(run.run_folder()).front();
    REQUIRE(::kill(orphan, SIGSTOP) == 0);
    const std::string node = contains(claim, "\"n1\"") ? "n1" : "n2";
    CHECK(cluster.control({"kill-node", node}) == 0);
    run.check_end(coordinator.wait());
    CHECK(run.names_in("claims").size() == 2);
    REQUIRE(::kill(orphan, SIGCONT) == 0);
    CHECK(assay::test::has_ended(orphan));
    CHECK(run.names_in("late") == std::vector<std::string>{"0.0.db"});
    const Finished status = run.assay({"fleet", "status", run.run_folder()});
    CHECK_MESSAGE(status.code == 0, status.out, status.err);
}

TEST_CASE("Slurm: a submission that was accepted is found by the next coordinator") {
    const SlurmCluster cluster(1);
    SlowRun run("slots: 1, batch: 6");
    // It kills who submits, once the controller has the job.
    std::filesystem::create_directories(run.root() + "/bin");
    run.write("bin/sbatch",
              "#!/bin/sh\nenv > " + run.root() +
                  "/environment\nid=$(/usr/bin/sbatch \"$@\") || exit\necho \"$id\" >> " +
                  run.root() + "/accepted\nkill -9 $PPID\n");
    std::filesystem::permissions(run.root() + "/bin/sbatch", std::filesystem::perms::owner_all);
    std::vector<std::string> argv{"/usr/bin/env", "PATH=" + run.root() + "/bin:/usr/bin:/bin"};
    for (const std::string& word : run.assay_argv(kResume)) argv.push_back(word);
    CHECK(assay::test::run(argv, run.root()).code == 128 + SIGKILL);
    // With the mark of what we start, a task on this machine would be killed as left by sbatch.
    CHECK_FALSE(contains(run.read("environment"), "ASSAY_MARK="));
    run.check_end(run.assay(kResume));
    // The three batches of the first submission were not submitted again.
    const std::string jobs = cluster.ask({"squeue", "-h", "-r", "-t", "all", "-o", "%F"});
    CHECK(std::ranges::count(jobs, '\n') == 3);
}

TEST_CASE("Slurm: a batch whose worker is killed is submitted three times at most") {
    const SlurmCluster cluster(1);
    SlowRun run("slots: 1, batch: 18");
    Child coordinator(run.assay_argv(kResume), run.root());
    for (std::size_t i = 1; i <= 3; ++i) {
        REQUIRE(coordinator.until([&] {
            return run.names_in("claims").size() == i && !workers_in(run.run_folder()).empty();
        }));
        for (const pid_t pid : workers_in(run.run_folder())) (void)::kill(pid, SIGKILL);
    }
    const Finished finished = coordinator.wait();
    CHECK(finished.code == 4);
    CHECK_MESSAGE(contains(finished.out + finished.err, "was submitted 3 times in vain"),
                  finished.out, finished.err);
    run.check_end(run.assay(kResume));
}

TEST_CASE("Slurm: a task that is cancelled loses no game for its programs, which die with it") {
    const SlurmCluster cluster(1);
    SlowRun run("slots: 1, batch: 18");
    Child coordinator(run.assay_argv(kSlower), run.root());
    REQUIRE(coordinator.until([&] {
        const std::vector<pid_t> workers = workers_in(run.run_folder());
        return std::ranges::any_of(workers, [](pid_t pid) { return pairs_of_worker(pid) > 0; });
    }));
    // It tells all processes of the task.
    (void)cluster.ask({"scancel", "--name=" + job_of(run.run_folder())});
    const Finished finished = coordinator.wait();
    run.check_end(finished);
    CHECK_FALSE(contains(finished.out + finished.err, "crashed at move"));
    // Slurm may kill the worker before it has handed in what is over.
    CHECK(run.names_in("claims").size() == 2);
}

TEST_CASE("Slurm: TERM hands in the pairs that are over, and what lacks is played elsewhere") {
    const SlurmCluster cluster(1);
    SlowRun run("slots: 1, batch: 18");
    Child coordinator(run.assay_argv(kSlower), run.root());
    pid_t worker = 0;
    REQUIRE(coordinator.until([&] {
        for (const pid_t pid : workers_in(run.run_folder()))
            if (pairs_of_worker(pid) > 0) worker = pid;
        return worker != 0;
    }));
    REQUIRE(::kill(worker, SIGTERM) == 0);
    const Finished finished = coordinator.wait();
    run.check_end(finished);
    std::string claims;
    for (const std::string& name : run.names_in("claims"))
        claims += name + ": " + assay::read_file(run.run_folder() + "/claims/" + name);
    CHECK_MESSAGE(run.parts() == 2, finished.out, finished.err, claims);
}

TEST_CASE("Slurm: batches are taken from their tasks, and a run is stopped") {
    const SlurmCluster cluster(1);
    SlowRun run("slots: 1, batch: 3");
    // Defaults of the user for Slurm's commands, with which no task could be seen, begun or
    // cancelled.
    std::vector<std::string> argv{"/usr/bin/env", "SQUEUE_PARTITION=other",
                                  "SBATCH_PARTITION=other", "SCANCEL_STATE=SUSPENDED"};
    for (const std::string& word : run.assay_argv(
             {"gate", "fleet.yaml", "--db", "fleet.db", "--set", "each.options.SleepMs=200"}))
        argv.push_back(word);
    Child coordinator(argv, run.root());
    REQUIRE(coordinator.until([&] { return !workers_in(run.run_folder()).empty(); }));
    const std::string folder = run.run_folder();
    const Finished beyond = run.assay({"fleet", "requeue", folder, "0", "999"});
    CHECK(beyond.code == 2);
    CHECK_MESSAGE(contains(beyond.err, "there is no batch 999: the run has 6, 0 to 5"), beyond.err);
    CHECK(workers_in(folder).size() == 1);

    const auto tasks = [&] {
        const std::string lines = cluster.ask({"squeue", "-h", "-r", "-t", "all", "-o", "%F"});
        return std::ranges::count(lines, '\n');
    };
    const auto before = tasks();
    const Finished again = run.assay({"fleet", "requeue", folder, "0"});
    CHECK(again.code == 0);
    CHECK_MESSAGE(contains(again.out, "batch 0 is taken from its task"), again.out, again.err);
    REQUIRE(coordinator.until([&] { return tasks() > before; }));

    const Finished stopped = run.assay({"fleet", "stop", folder});
    CHECK_MESSAGE(stopped.code == 0, stopped.out, stopped.err);
    const Finished status = run.assay({"fleet", "status", folder});
    CHECK_MESSAGE(contains(status.out, ", stopped\n"), status.out, status.err);
    const std::size_t begun = run.names_in("claims").size();
    const Finished finished = coordinator.wait();
    CHECK_MESSAGE(finished.code == 128 + SIGTERM, finished.out, finished.err);
    CHECK(run.names_in("claims").size() == begun);
}

TEST_CASE("Slurm: a program that fails on one node alone is named, and the run goes on") {
    const SlurmCluster cluster(2);
    FleetFolder folder;
    const std::string instant = folder.program("instant");
    folder.write(
        "flaky",
        "#!/bin/sh\n[ \"$SLURMD_NODENAME\" = n1 ] && exit 3\n[ -z \"$SLURMD_NODENAME\" ] || env > " +
            folder.root() + "/env\nexec " + instant + "\n");
    std::filesystem::permissions(folder.root() + "/flaky", std::filesystem::perms::owner_all);
    folder.write_configs(9, "stop: {fixed: {alpha: 0.05}}\n", "slots: 2, batch: 3");
    for (const char* name : {"local.yaml", "fleet.yaml"}) {
        std::string config = folder.read(name);
        config.replace(config.find(instant), instant.size(), folder.root() + "/flaky");
        folder.write(name, config);
    }
    const Finished whole = folder.assay({"gate", "local.yaml", "--db", "whole.db"});
    const Finished fleet = folder.assay({"gate", "fleet.yaml", "--db", "fleet.db"});
    CHECK_MESSAGE(fleet.code == whole.code, fleet.out, fleet.err);
    CHECK_MESSAGE(contains(fleet.out + fleet.err, "n1: a could not be started"), fleet.out,
                  fleet.err);
    CHECK(folder.decision_in("fleet.db") == folder.decision_in("whole.db"));
    // Slurm was not told to start the user's login shell, and got few of our variables.
    const std::string env = folder.read("env");
    CHECK(contains(env, "SLURM_JOB_ID="));
    CHECK_FALSE(contains(env, "SLURM_GET_USER_ENV="));
    CHECK_FALSE(contains(env, "SLURM_LOCAL_DIR="));
}
