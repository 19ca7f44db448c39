// Workers that are started by other means than Slurm, on the same folder.
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/executor/slurm_folder.h"
#include "harness/store/store.h"
#include "tests/executor/fleet_folder.h"
#include "tests/executor/small_disk.h"
#include "tests/support/contains.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::FleetFolder;
using assay::test::SmallDisk;

namespace {

/// An ssh server on loopback with keys of its own, which knows this user alone.
class SshServer {
public:
    explicit SshServer(const std::string& root) : root_(root) {
        std::filesystem::create_directories(root_ + "/ssh");
        for (const char* key : {"host", "user"})
            REQUIRE(assay::test::run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
                                      root_ + "/ssh/" + key},
                                     root_)
                        .code == 0);
        if (::geteuid() == 0) std::filesystem::create_directories("/run/sshd");
        for (int port = 23'000 + static_cast<int>(::getpid()) % 1000; !server_; port += 1000) {
            REQUIRE(port < 60'000);
            start(port);
        }
    }

    /// The client's config, in which this machine is called `box1`.
    [[nodiscard]] std::string client_config() const { return root_ + "/ssh/client"; }

private:
    void start(int port) {
        const std::string number = std::to_string(port);
        write("server", "Port " + number + "\nListenAddress 127.0.0.1\nHostKey " + root_ +
                            "/ssh/host\nAuthorizedKeysFile " + root_ +
                            "/ssh/user.pub\nStrictModes no\nUsePAM no\nPidFile none\n"
                            "PasswordAuthentication no\nPermitRootLogin yes\n");
        write("client", "Host box1\n  HostName 127.0.0.1\n  Port " + number + "\n  IdentityFile " +
                            root_ +
                            "/ssh/user\n  StrictHostKeyChecking no\n  UserKnownHostsFile "
                            "/dev/null\n  LogLevel ERROR\n");
        auto server = std::make_unique<Child>(
            std::vector<std::string>{"/usr/sbin/sshd", "-D", "-e", "-f", root_ + "/ssh/server"},
            root_);
        // It ends where the port is taken.
        while (server->is_running()) {
            if (assay::test::run({"ssh", "-F", client_config(), "box1", "true"}, root_).code != 0)
                continue;
            server_ = std::move(server);
            return;
        }
    }

    void write(const std::string& name, const std::string& text) const {
        assay::File::create(root_ + "/ssh/" + name).write(text);
    }

    std::string root_;
    std::unique_ptr<Child> server_;
};

}  // namespace

TEST_CASE("Work: workers that are started over ssh play a run to the verdict of one machine") {
    FleetFolder folder;
    folder.write_configs(12, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    const SshServer server(folder.root());
    const Finished whole = folder.assay({"gate", "local.yaml", "--db", "whole.db"});
    Child coordinator(folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
    const Finished workers = assay::test::run(
        {"sh", "-c",
         "seq 0 2 | parallel --will-cite -j 1 --ssh 'ssh -F " + server.client_config() +
             "' -S box1 " ASSAY_BINARY_DIR "/assay work --batch " + folder.run_folder()},
        folder.root());
    CHECK_MESSAGE(workers.code == 0, workers.out, workers.err);
    const Finished fleet = coordinator.wait();
    CHECK_MESSAGE(fleet.code == whole.code, fleet.out, fleet.err);
    CHECK(folder.decision_in("fleet.db") == folder.decision_in("whole.db"));
}

TEST_CASE("Work: a task plays as many games at once as it has processors, not as the config says") {
    FleetFolder folder;
    folder.write_configs(4, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    Child coordinator(folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
    std::vector<std::string> argv{"/usr/bin/env", "SLURM_CPUS_PER_TASK=1"};
    for (const std::string& word : folder.assay_argv({"work", "--batch", folder.run_folder(), "0"}))
        argv.push_back(word);
    const Finished worker = assay::test::run(argv, folder.root());
    CHECK_MESSAGE(worker.code == 0, worker.out, worker.err);
    (void)coordinator.wait();
    const assay::harness::Store store(folder.root() + "/fleet.db",
                                      assay::harness::Store::Access::Read);
    const auto run = store.find_run("latest").value();
    const auto pairs = store.pairs(run.id, 0);
    CHECK(pairs.size() == 4);
    for (const auto& pair : pairs) CHECK(run.machine_of(pair.machine).slots == 1);
}

TEST_CASE("Work: a damaged part is put aside with its reason, and its batch played again") {
    FleetFolder folder;
    folder.write_configs(12, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    const Finished whole = folder.assay({"gate", "local.yaml", "--db", "whole.db"});
    std::filesystem::create_directories(folder.root() + "/scratch");
    std::vector<std::string> argv{"/usr/bin/env", "TMPDIR=" + folder.root() + "/scratch"};
    for (const std::string& word : folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}))
        argv.push_back(word);
    Child coordinator(argv, folder.root());
    REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
    const std::string run = folder.run_folder();
    assay::File::create(run + "/tmp/cut.db").write("SQLite format 3");
    std::filesystem::rename(run + "/tmp/cut.db", run + "/done/1.db");
    REQUIRE(coordinator.until(
        [&] { return std::filesystem::exists(folder.root() + "/fleet.db.quarantine/1.db"); }));
    // Another worker has claimed the last batch, and is dead.
    assay::File::create(run + "/claims/2.0").write(R"({"node": "n9", "began_us": 1, "end": ""})");
    for (const char* batch : {"0", "1", "2"}) {
        const Finished worker = folder.assay({"work", "--batch", run, batch, "--slots", "2"});
        CHECK_MESSAGE(worker.code == 0, worker.out, worker.err);
        CHECK(contains(worker.out, "work --again") == (batch[0] == '2'));
    }
    CHECK(folder.names_in("claims").size() == 3);
    CHECK(folder.assay({"work", "--batch", run, "2", "--again"}).code == 0);
    const Finished fleet = coordinator.wait();
    CHECK_MESSAGE(fleet.code == whole.code, fleet.out, fleet.err);
    CHECK(folder.decision_in("fleet.db") == folder.decision_in("whole.db"));
    CHECK(std::filesystem::is_empty(folder.root() + "/scratch"));
    CHECK(folder.assay({"work", "--batch", run, "0"}).code == 0);
    const Finished beyond = folder.assay({"work", "--batch", run, "3"});
    CHECK(beyond.code == 2);
    CHECK_MESSAGE(contains(beyond.err, "there is no batch 3"), beyond.err);
}

TEST_CASE("Work: on a full disk a worker says so, and goes on when there is room again") {
    FleetFolder folder;
    const std::string fleet = folder.root() + "/fleet";
    const SmallDisk disk(fleet);
    if (!disk.is_mounted()) {
        MESSAGE("skipped: this user may not mount a small disk");
        return;
    }
    folder.write_configs(8, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    // The programs have no room on the small disk.
    std::string config = folder.read("fleet.yaml");
    folder.write("fleet.yaml", config.insert(config.find("executor: {") + 11, "ship: false, "));
    Child coordinator(folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    CHECK(coordinator.until([&] { return !folder.run_folder().empty(); }));
    const std::string run = folder.run_folder();
    (void)assay::test::run({"dd", "if=/dev/zero", "of=" + fleet + "/filler", "bs=4k"},
                           folder.root());
    const Finished full = folder.assay({"work", "--batch", run, "0"});
    CHECK(full.code == 4);
    CHECK_MESSAGE(contains(full.err, "No space left on device"), full.err);
    std::filesystem::remove(fleet + "/filler");
    for (const char* batch : {"0", "1"})
        CHECK(folder.assay({"work", "--batch", run, batch}).code == 0);
    const Finished finished = coordinator.wait();
    CHECK_MESSAGE(finished.code != 4, finished.out, finished.err);
}

TEST_CASE(
    "Work: clocks are scaled to the run's reference, and a node that is too slow refuses it") {
    FleetFolder folder;
    const std::string player = folder.program("player");
    for (const char* reference : {"auto", "100M"}) {
        CAPTURE(reference);
        folder.forget_fleet();
        folder.write("fleet.yaml",
                     "programs: {a: {command: [" + player + "]}, b: {command: [" + player +
                         "]}}\nmatch: {time: 1+0.01, pairs: 1, seed: 7, adjudicate: {length: 3}}\n"
                         "executor: {reference: " +
                         reference + ", slurm: {folder: " + folder.root() +
                         "/fleet, submit: false, batch: 1}}\n");
        Child coordinator(
            folder.assay_argv({"run", "fleet.yaml", "--db", std::string(reference) + ".db"}),
            folder.root());
        REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
        const Finished worker =
            folder.assay({"work", "--batch", folder.run_folder(), "0", "--slots", "1"});
        const bool is_measured = std::string(reference) == "auto";
        CHECK_MESSAGE(worker.code == (is_measured ? 0 : 4), worker.out, worker.err);
        CHECK(contains(worker.out, "clocks would be multiplied by ") == !is_measured);
        if (!is_measured) return;
        CHECK(coordinator.wait().code == 0);
        const SQLite::Database store(folder.root() + "/auto.db", SQLite::OPEN_READONLY);
        SQLite::Statement row(store, "SELECT factor FROM machines WHERE nps > 0");
        REQUIRE(row.executeStep());
        CHECK(row.getColumn(0).getDouble() == doctest::Approx(1).epsilon(0.01));
    }
}

TEST_CASE("Work: pairs that replace duplicates, behind the plan's, are played too") {
    FleetFolder folder;
    folder.write_configs(4, "stop: {fixed: {alpha: 0.05}}\n", "submit: false, batch: 4");
    const std::string e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n";
    folder.write("book.epd", e4 + e4 +
                                 "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n"
                                 "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -\n"
                                 "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -\n");
    for (const char* name : {"local.yaml", "fleet.yaml"}) {
        std::string config = folder.read(name);
        config.replace(config.find("book: default"), 13, "book: book.epd, order: sequential");
        folder.write(name, config);
    }
    const Finished whole = folder.assay({"gate", "local.yaml", "--db", "whole.db"});
    Child coordinator(folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
    REQUIRE(coordinator.until([&] { return !folder.run_folder().empty(); }));
    const std::string run = folder.run_folder();
    CHECK(folder.assay({"work", "--batch", run, "0"}).code == 0);
    REQUIRE(coordinator.until([&] {
        return contains(assay::read_start(run + "/spec.json", 10'000).value_or(""), "\"first\":4");
    }));
    const Finished behind = folder.assay({"work", "--batch", run, "1"});
    CHECK_MESSAGE(contains(behind.out, "batch 1 (pairs 5 to 5): 1 pair played"), behind.out,
                  behind.err);
    const Finished fleet = coordinator.wait();
    CHECK_MESSAGE(fleet.code == whole.code, fleet.out, fleet.err);
    CHECK(folder.decision_in("fleet.db") == folder.decision_in("whole.db"));
}

namespace {

/// A run whose programs are wrappers that end with status 143 at TERM, as those of Python and Java
/// do, and a worker of its first batch.
struct WrappedWorker {
    explicit WrappedWorker(const std::string& time, bool is_silent = false) {
        const std::string instant = folder.program("instant");
        wrapper = folder.root() + "/wrapper";
        folder.write("wrapper", "#!/bin/sh\ntrap 'kill $player; exit 143' TERM\nexec 3<&0\n" +
                                    (is_silent ? "sleep 60" : instant) +
                                    " <&3 &\nplayer=$!\nwait $player\n");
        std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
        folder.write_configs(8, "each: {options: {SleepMs: 2}}\nstop: {fixed: {alpha: 0.05}}\n",
                             "submit: false, batch: 8");
        for (const char* name : {"local.yaml", "fleet.yaml"}) {
            std::string config = folder.read(name);
            for (std::size_t at = config.find(instant); at != std::string::npos;
                 at = config.find(instant, at + wrapper.size()))
                config.replace(at, instant.size(), wrapper);
            config.replace(config.find("{nodes: 100}"), 12, time);
            // Its processes are known by their path.
            if (const std::size_t at = config.find("executor: {"); at != std::string::npos)
                config.insert(at + 11, "ship: false, ");
            folder.write(name, config);
        }
        coordinator = std::make_unique<Child>(
            folder.assay_argv({"gate", "fleet.yaml", "--db", "fleet.db"}), folder.root());
        REQUIRE(coordinator->until([&] { return !folder.run_folder().empty(); }));
        run = folder.run_folder();
        worker = std::make_unique<Child>(
            folder.assay_argv({"work", "--batch", run, "0", "--slots", "1"}), folder.root());
    }

    [[nodiscard]] std::string claim() const {
        return assay::read_start(run + "/claims/0.0", 10'000).value_or("");
    }

    FleetFolder folder;
    std::string wrapper;
    std::string run;
    std::unique_ptr<Child> coordinator;
    std::unique_ptr<Child> worker;
};

}  // namespace

TEST_CASE("Work: TERM to all of a task is no crash of its programs, whatever their status") {
    WrappedWorker task("{nodes: 100}");
    std::vector<pid_t> programs;
    REQUIRE(task.worker->until([&] {
        programs = assay::test::processes_with(task.wrapper);
        return programs.size() >= 2;
    }));
    for (const pid_t pid : programs) (void)::kill(pid, SIGTERM);
    task.worker->signal(SIGTERM);
    const Finished ended = task.worker->wait();
    CHECK_MESSAGE(ended.code == 128 + SIGTERM, ended.out, ended.err);
    CHECK_FALSE(contains(task.claim(), "\"failed\""));
    // What lacks becomes further batches.
    const auto has = [&task](std::int64_t batch) {
        return assay::harness::SlurmFolder(task.run).spec().window_of(batch).has_value();
    };
    for (std::int64_t batch = 0; task.coordinator->until([&] { return has(batch); }); ++batch)
        (void)task.folder.assay({"work", "--batch", task.run, std::to_string(batch)});
    const Finished whole = task.folder.assay(
        {"gate", "local.yaml", "--set", "each.options.SleepMs=0", "--db", "whole.db"});
    const Finished fleet = task.coordinator->wait();
    CHECK_MESSAGE(fleet.code == whole.code, fleet.out, fleet.err);
    CHECK(task.folder.decision_in("fleet.db") == task.folder.decision_in("whole.db"));
    CHECK_FALSE(contains(fleet.out + fleet.err, "143"));
}

TEST_CASE("Work: TERM while the speed is measured gives the batch back") {
    WrappedWorker task("{move: 20ms}", true);
    REQUIRE(task.worker->until([&] { return !assay::test::processes_with(task.wrapper).empty(); }));
    task.worker->signal(SIGTERM);
    const Finished ended = task.worker->wait();
    CHECK_MESSAGE(ended.code == 128 + SIGTERM, ended.out, ended.err);
    CHECK_MESSAGE(contains(ended.out,
                           "given back: the task was told to end (time limit, preemption, scancel) "
                           "while its speed was measured"),
                  ended.out, ended.err);
    CHECK(contains(task.claim(), "\"left\""));
    // Another command stops the run: it can go on later.
    (void)task.folder.assay({"fleet", "stop", task.run});
    const Finished fleet = task.coordinator->wait();
    CHECK_MESSAGE(fleet.code == 128 + SIGTERM, fleet.out, fleet.err);
    CHECK_MESSAGE(contains(fleet.out + fleet.err, "has stopped the run"), fleet.out, fleet.err);
}
