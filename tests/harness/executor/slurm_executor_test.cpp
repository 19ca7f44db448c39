#include "harness/executor/slurm_executor.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/harness/executor/test_fleet.h"
#include "tests/support/contains.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test
using assay::test::contains;
using assay::test::TempDir;
using assay::test::TestFleet;
using assay::test::times_in;

TEST_CASE("SlurmExecutor: three batches a slot are offered, whole, and more as parts come") {
    TestFleet fleet(100, 4);
    fleet.offer();
    CHECK(fleet.next == 12);
    fleet.hand_in(1, "4 5 6 7");
    fleet.tick();
    CHECK(fleet.heard.counted.size() == 4);
    fleet.offer();
    CHECK(fleet.next == 16);
    CHECK_FALSE(fleet.executor.is_idle());
}

TEST_CASE("SlurmExecutor: pairs that a part lacks become a batch of their own") {
    TestFleet fleet(8, 4);
    fleet.last = 8;
    fleet.offer();
    fleet.hand_in(0, "0 2");
    fleet.tick();
    fleet.tick();
    const FleetSpec spec = fleet.folder.spec();
    REQUIRE(spec.stretches.size() == 4);
    CHECK(spec.window_of(3) == Shard::Window{0, 1, 1});
    CHECK(spec.window_of(4) == Shard::Window{0, 3, 1});
    // Its attempts come behind the one that lacked them.
    CHECK(spec.first_claim_of(3) == 1);
    for (const auto& [batch, text] : {std::pair{3, "1"}, {4, "3"}, {1, "4 5 6 7"}})
        fleet.hand_in(batch, text);
    fleet.tick();
    CHECK(fleet.executor.is_idle());
    CHECK(fleet.heard.counted.size() == 8);
    for (const auto& [pair, count] : fleet.heard.counted) CHECK(count == 1);
}

TEST_CASE("SlurmExecutor: pairs behind the plan's, which replace duplicates, get batches") {
    TestFleet fleet(4, 4);
    fleet.next = 4;
    fleet.last = 6;
    fleet.offer();
    CHECK(fleet.folder.spec().window_of(2) == Shard::Window{0, 4, 2});
    // A later session finds that batch again and adds none.
    TestFleet other(4, 4);
    other.next = 2;
    other.last = 4;
    other.offer();
    CHECK(other.folder.spec().window_of(2) == Shard::Window{0, 2, 2});
}

TEST_CASE("SlurmExecutor: a damaged part is told, and its batch is waited for again") {
    TestFleet fleet(4, 4);
    fleet.last = 4;
    fleet.offer();
    fleet.hand_in(0, "damaged");
    fleet.tick();
    CHECK(fleet.heard.notes == std::vector<std::string>{"damaged"});
    CHECK_FALSE(fleet.executor.is_idle());
    fleet.hand_in(0, "0 1 2 3");
    fleet.tick();
    CHECK(fleet.executor.is_idle());
}

TEST_CASE(
    "SlurmExecutor: at the end workers are stopped and late parts taken; a pause leaves both") {
    for (const Withdrawal why : {Withdrawal::Over, Withdrawal::Paused}) {
        TestFleet fleet(4, 2);
        fleet.last = 4;
        fleet.offer();
        fleet.executor.withdraw(why);
        fleet.hand_in(1, "2 3");
        CHECK_FALSE(fleet.executor.is_settled());
        fleet.tick();
        CHECK(fleet.executor.is_settled());
        CHECK(fleet.folder.is_stopped() == (why == Withdrawal::Over));
        CHECK(fleet.heard.counted.size() == (why == Withdrawal::Over ? 2U : 0U));
    }
}

TEST_CASE("SlurmExecutor: of late parts no pair counts, and those of other matches are left") {
    TestFleet fleet(2, 2);
    fleet.last = 2;
    fleet.offer();
    fleet.known.between_games = {{1, 0}, {0, 0}};
    const int first = fleet.folder.claim(0, {});
    fleet.hand_in(0, "0");
    assay::File::create(fleet.dir.path("part")).write("0 1");
    CHECK(fleet.folder.hand_in(0, first, fleet.dir.path("part")) == Handed::Late);
    assay::File::create(fleet.folder.file("late/1.0.db")).write("0 1");
    assay::File::create(fleet.folder.file("done/1.db")).write("0 1");
    fleet.tick();
    fleet.executor.withdraw(Withdrawal::Over);
    fleet.tick();
    CHECK(fleet.heard.counted == std::map<std::int64_t, int>{{0, 1}});
    CHECK(fleet.heard.late == std::map<std::int64_t, int>{{0, 1}, {1, 1}});
    CHECK(fleet.heard.crashes == 1);  // of the part that counts
}

TEST_CASE("SlurmExecutor: the file 'stop' of another command pauses the run") {
    TestFleet fleet(4, 2);
    fleet.offer();
    fleet.folder.set_stopped(true);
    fleet.tick();
    REQUIRE(fleet.heard.troubles.size() == 1);
    CHECK(fleet.heard.troubles[0].kind == Trouble::Kind::Stopped);
}

TEST_CASE(
    "SlurmExecutor: a program that fails on two nodes ends a run whose workers others start") {
    TestFleet fleet(4, 2);
    fleet.offer();
    for (const char* node : {"n1", "n2"}) {
        CHECK(fleet.heard.troubles.empty());
        Claim claim;
        claim.node = node;
        const int attempt = fleet.folder.claim(0, claim);
        claim.end = "failed";
        claim.reason = "b could not be started: it exited";
        claim.program = 1;
        fleet.folder.note_end(0, attempt, claim);
        fleet.tick();
    }
    CHECK(fleet.heard.notes == std::vector<std::string>{"n1: b could not be started: it exited",
                                                        "n2: b could not be started: it exited"});
    REQUIRE(fleet.heard.troubles.size() == 1);
    CHECK(fleet.heard.troubles[0].kind == Trouble::Kind::CannotStart);
    CHECK(fleet.heard.troubles[0].names_program);
}

TEST_CASE("SlurmExecutor: a folder that fails ends a run that is played, and no decided one") {
    for (const bool is_decided : {false, true}) {
        TestFleet fleet(4, 2);
        fleet.last = 4;
        fleet.offer();
        if (is_decided) fleet.executor.withdraw(Withdrawal::Over);
        std::filesystem::remove_all(fleet.folder.path());
        fleet.last = 5;  // for which a batch must be added
        fleet.offer();
        CHECK(fleet.executor.is_settled() == is_decided);
        CHECK(fleet.heard.notes.size() == (is_decided ? 1 : 0));
        CHECK(fleet.heard.troubles.size() == (is_decided ? 0 : 1));
    }
}

namespace {

/// Slurm's commands are scripts of this test, which say what they were called with.
struct ScriptedSlurm {
    ScriptedSlurm() : path(std::getenv("PATH")) {
        std::filesystem::create_directory(dir.path("bin"));
        for (const char* name : {"sbatch", "squeue", "scancel", "scontrol"}) say(name, "");
        ::setenv("PATH", (dir.path("bin") + ":" + path).c_str(), 1);
    }

    ScriptedSlurm(const ScriptedSlurm&) = delete;
    ScriptedSlurm& operator=(const ScriptedSlurm&) = delete;

    ~ScriptedSlurm() { ::setenv("PATH", path.c_str(), 1); }

    void say(const std::string& name, const std::string& script) const {
        const std::string file = dir.path("bin/" + name);
        assay::File::create(file + ".new")
            .write("#!/bin/sh\necho \"" + name + " $*\" >> " + dir.path("calls") + "\n" + script);
        std::filesystem::permissions(file + ".new", std::filesystem::perms::owner_all);
        std::filesystem::rename(file + ".new", file);
    }

    [[nodiscard]] std::string calls() const {
        return assay::read_start(dir.path("calls"), 100'000).value_or("");
    }

    /// A line of squeue for the task of a batch.
    static std::string task(int batch, const std::string& state, const std::string& reason) {
        return "echo '7|" + std::to_string(batch) + "|" + state + "|" + reason + "||" +
               std::string(32, 'a') + ":0'\n";
    }

    /// Asks on until it is so.
    template <class Condition>
    static void until(TestFleet& fleet, Condition condition) {
        while (!condition()) {
            fleet.executor.tick(fleet.now);
            std::this_thread::yield();
        }
    }

    /// Until the queue has been asked once more, after the time from one question to the next.
    void ask_again(TestFleet& fleet) const {
        const auto asked = [this] { return std::ranges::count(calls(), '\n'); };
        const auto before = asked();
        fleet.now += std::chrono::seconds(16);
        until(fleet, [&] { return asked() > before; });
    }

    TempDir dir;
    std::string path;
};

}  // namespace

TEST_CASE(
    "SlurmExecutor: no more tasks are submitted than slots, and fewer where the site says so") {
    const ScriptedSlurm slurm;
    TestFleet fleet(100, 4, true);
    fleet.offer();
    slurm.until(fleet, [&] { return contains(slurm.calls(), "sbatch"); });
    CHECK(contains(slurm.calls(), "--array=0-1%2"));
    slurm.say("sbatch", "echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2; exit 1\n");
    slurm.say("squeue", ScriptedSlurm::task(0, "R", "None") + ScriptedSlurm::task(1, "R", "None"));
    fleet.hand_in(0, "0 1 2 3");
    fleet.hand_in(1, "4 5 6 7");
    fleet.tick();
    slurm.until(fleet, [&] {
        return contains(slurm.calls(), "--array=0-1%2 --job-name=assay-aaaaaaaa --comment=" +
                                           std::string(32, 'a') + ":2");
    });
    slurm.until(fleet, [&] { return !fleet.heard.notes.empty(); });
    CHECK(contains(fleet.heard.notes.front(), "takes no 2 more of this run's tasks"));
    fleet.tick();
    slurm.until(fleet, [&] { return contains(slurm.calls(), "--array=0%2"); });
    CHECK(fleet.heard.troubles.empty());
}

TEST_CASE("SlurmExecutor: once the site takes tasks again, more are submitted with each array") {
    const ScriptedSlurm slurm;
    slurm.say("sbatch",
              "test $(grep -c '^sbatch ' " + slurm.dir.path("calls") +
                  ") -gt 1 || { echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2; exit 1; }\n");
    TestFleet fleet(100, 4, true);
    const auto arrays = [&] {
        const std::string calls = slurm.calls();
        std::vector<std::string> found;
        for (std::size_t at = calls.find("--array="); at != std::string::npos;
             at = calls.find("--array=", at + 1))
            found.push_back(calls.substr(at + 8, calls.find(' ', at) - at - 8));
        return found;
    };
    fleet.offer();
    // Two are refused, and one is taken; the other place gets the next one.
    for (const std::size_t submissions : {1U, 2U, 3U}) {
        fleet.tick();
        slurm.until(fleet, [&] { return arrays().size() == submissions; });
    }
    CHECK(arrays() == std::vector<std::string>{"0-1%2", "0%2", "0%2"});
    fleet.hand_in(0, "0 1 2 3");
    fleet.hand_in(1, "4 5 6 7");
    fleet.tick();
    slurm.until(fleet, [&] { return arrays().size() == 4; });
    CHECK(arrays().back() == "0-1%2");
    CHECK(fleet.heard.troubles.empty());
}

TEST_CASE("SlurmExecutor: a batch whose parts are no good is submitted three times, no more") {
    const ScriptedSlurm slurm;
    TestFleet fleet(4, 4, true);
    fleet.last = 4;
    fleet.offer();
    const auto calls_of = [&](const std::string& command) {
        return times_in(slurm.calls(), command + " ");
    };
    for (const std::size_t time : {1U, 2U, 3U}) {
        CHECK(fleet.heard.troubles.empty());
        fleet.tick();
        slurm.until(fleet, [&] { return calls_of("sbatch") == time; });
        // The queue is asked when the answer to the submission has been heard.
        const std::size_t before = calls_of("squeue");
        fleet.now += std::chrono::seconds(16);
        slurm.until(fleet, [&] { return calls_of("squeue") > before; });
        fleet.hand_in(0, "damaged");
        fleet.tick();
        CHECK(fleet.heard.notes.size() == time);
    }
    REQUIRE(fleet.heard.troubles.size() == 1);
    CHECK(fleet.heard.troubles[0].kind == Trouble::Kind::FleetFailed);
    CHECK(contains(fleet.heard.troubles[0].why, "submitted 3 times in vain, last: damaged"));
}

TEST_CASE("SlurmExecutor: tasks that wait beside one that runs are nothing to tell") {
    const ScriptedSlurm slurm;
    slurm.say("squeue",
              ScriptedSlurm::task(0, "R", "None") + ScriptedSlurm::task(1, "PD", "Resources"));
    TestFleet fleet(8, 4, true);
    fleet.last = 8;
    fleet.offer();
    for (int i = 0; i < 8; ++i) slurm.ask_again(fleet);
    CHECK(fleet.heard.notes.empty());
    slurm.say("squeue",
              ScriptedSlurm::task(0, "PD", "Resources") + ScriptedSlurm::task(1, "PD", "Priority"));
    for (int i = 0; i < 9 && fleet.heard.notes.empty(); ++i) slurm.ask_again(fleet);
    REQUIRE(fleet.heard.notes.size() == 1);
    CHECK(contains(fleet.heard.notes[0], "no task runs"));
}

TEST_CASE("SlurmExecutor: a queue that cannot be read ends the run") {
    const ScriptedSlurm slurm;
    slurm.say("squeue",
              "echo 'squeue: fatal: Could not establish a configuration source' >&2\nexit 1\n");
    TestFleet fleet(4, 4, true);
    fleet.offer();
    slurm.until(fleet, [&] { return !fleet.heard.troubles.empty(); });
    CHECK(fleet.heard.troubles[0].kind == Trouble::Kind::FleetFailed);
    CHECK(contains(fleet.heard.troubles[0].why, "configuration source"));
}

TEST_CASE(
    "SlurmExecutor: why no task runs is told, and after the end tasks are waited for a minute") {
    const ScriptedSlurm slurm;
    slurm.say("squeue", ScriptedSlurm::task(0, "PD", "PartitionTimeLimit"));
    TestFleet fleet(4, 4, true);
    fleet.last = 4;
    fleet.offer();
    for (int i = 0; i < 9 && fleet.heard.notes.empty(); ++i) slurm.ask_again(fleet);
    REQUIRE(fleet.heard.notes.size() == 1);
    CHECK_MESSAGE(contains(fleet.heard.notes[0], "PartitionTimeLimit"), fleet.heard.notes[0]);
    fleet.executor.withdraw(Withdrawal::Over);
    slurm.until(fleet, [&] { return contains(slurm.calls(), "scancel"); });
    for (int i = 0; i < 3; ++i) slurm.ask_again(fleet);
    CHECK_FALSE(fleet.executor.is_settled());
    fleet.now += std::chrono::seconds(20);
    slurm.until(fleet, [&] { return fleet.executor.is_settled(); });
    REQUIRE(fleet.heard.notes.size() == 2);
    CHECK(contains(fleet.heard.notes[1], "1 task in the queue: 'scancel 7' ends them"));
}

TEST_CASE("SlurmExecutor: what a person takes from a task is none of the three submissions") {
    const ScriptedSlurm slurm;
    TestFleet fleet(4, 4, true);
    fleet.last = 4;
    fleet.offer();
    const auto submitted = [&] { return times_in(slurm.calls(), "sbatch"); };
    // The queue never knows the task: it is gone each time.
    for (std::size_t i = 1; i <= 5; ++i) {
        while (submitted() < i) {
            fleet.now += std::chrono::seconds(1);
            fleet.executor.tick(fleet.now);
            std::this_thread::yield();
            REQUIRE(fleet.heard.troubles.empty());
        }
        if (i <= 3) fleet.folder.note_requeued(0);
        while (fleet.heard.notes.size() < i && fleet.heard.troubles.empty()) {
            fleet.now += std::chrono::seconds(1);
            fleet.executor.tick(fleet.now);
            std::this_thread::yield();
        }
    }
    REQUIRE(fleet.heard.notes.size() == 5);
    CHECK(
        contains(fleet.heard.notes[2], "batch 0 was taken from its task by 'assay fleet requeue'"));
    CHECK(contains(fleet.heard.notes[3], "the task of batch 0 is gone (it left no word)"));
    slurm.until(fleet, [&] {
        fleet.now += std::chrono::seconds(1);
        return !fleet.heard.troubles.empty();
    });
    CHECK(contains(fleet.heard.troubles[0].why, "was submitted 3 times in vain"));
}

TEST_CASE("SlurmExecutor: a task that could not write to the folder is not said to be killed") {
    const ScriptedSlurm slurm;
    TestFleet fleet(4, 4, true);
    fleet.last = 4;
    fleet.offer();
    Claim claim;
    claim.node = "n1";
    (void)fleet.folder.claim(0, claim);
    // To write there fails, as on a full disk: root may write to a folder of mode 0500 too.
    std::filesystem::remove_all(fleet.folder.file("tmp"));
    assay::File::create(fleet.folder.file("tmp")).write("");
    slurm.until(fleet, [&] {
        fleet.now += std::chrono::seconds(1);
        return !fleet.heard.notes.empty();
    });
    CHECK_MESSAGE(contains(fleet.heard.notes[0], "it could not write to the folder: "),
                  fleet.heard.notes[0]);
    CHECK_FALSE(contains(fleet.heard.notes[0], "killed"));
}

TEST_CASE("SlurmExecutor: at the end a task that completes is waited for while its claim is open") {
    for (const bool has_ended : {true, false}) {
        CAPTURE(has_ended);
        const ScriptedSlurm slurm;
        slurm.say("squeue", ScriptedSlurm::task(0, "CG", "None"));
        TestFleet fleet(4, 4, true);
        fleet.last = 4;
        fleet.offer();
        slurm.until(fleet, [&] { return contains(slurm.calls(), "squeue"); });
        Claim claim;
        claim.node = "n1";
        claim.began_us = 1;
        const int attempt = fleet.folder.claim(0, claim);
        claim.end = "left";
        if (has_ended) fleet.folder.note_end(0, attempt, claim);
        fleet.executor.withdraw(Withdrawal::Over);
        if (has_ended) {
            // What the site does behind a task (an epilog) may take minutes.
            slurm.until(fleet, [&] { return fleet.executor.is_settled(); });
            CHECK(fleet.heard.notes.empty());
            continue;
        }
        slurm.until(fleet, [&] { return contains(slurm.calls(), "scancel"); });
        const auto looks = [&] {
            const std::string calls = slurm.calls();
            return std::ranges::count(calls.substr(calls.find("scancel")), '\n');
        };
        for (int i = 0; i < 2; ++i) {
            const auto before = looks();
            fleet.now += std::chrono::seconds(16);
            slurm.until(fleet, [&] { return looks() > before; });
        }
        CHECK_FALSE(fleet.executor.is_settled());
        // Its worker hands in what is over.
        fleet.folder.note_end(0, attempt, claim);
        fleet.now += std::chrono::seconds(16);
        slurm.until(fleet, [&] { return fleet.executor.is_settled(); });
        CHECK(fleet.heard.notes.empty());
    }
}
