// What a run that workers play tells, and what it stands: with the built program, and workers that
// the test starts.
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "base/sha256.h"
#include "harness/executor/slurm_folder.h"
#include "tests/executor/fleet_folder.h"
#include "tests/support/contains.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::FleetFolder;

namespace {

namespace fs = std::filesystem;

constexpr const char* kFixed = "stop: {fixed: {alpha: 0.05}}\n";

/// A run whose coordinator waits for workers.
struct WaitingRun {
    explicit WaitingRun(int pairs, const std::string& slurm, const std::string& more = kFixed) {
        folder.write_configs(pairs, more, "submit: false, " + slurm);
    }

    void start(const std::vector<std::string>& words = {"gate", "fleet.yaml", "--db", "fleet.db"}) {
        coordinator.emplace(folder.assay_argv(words), folder.root());
        REQUIRE(coordinator->until([&] { return !folder.run_folder().empty(); }));
        run = folder.run_folder();
    }

    [[nodiscard]] Finished work(int batch, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"work", "--batch", run, std::to_string(batch)};
        words.insert(words.end(), more.begin(), more.end());
        return folder.assay(words);
    }

    [[nodiscard]] std::string claim(const std::string& name) const {
        return assay::read_start(run + "/claims/" + name, 10'000).value_or("");
    }

    void change_config(const std::string& from, const std::string& to) const {
        std::string config = folder.read("fleet.yaml");
        const std::size_t at = config.find(from);
        REQUIRE(at != std::string::npos);
        folder.write("fleet.yaml", config.replace(at, from.size(), to));
    }

    FleetFolder folder;
    std::string run;
    std::optional<Child> coordinator;
};

std::int64_t count_in(const std::string& store, const std::string& rows) {
    SQLite::Database database(store, SQLite::OPEN_READONLY);
    return database.execAndGet("SELECT count(*) FROM " + rows).getInt64();
}

}  // namespace

TEST_CASE("Work: a folder in the place of a part is put aside, and its batch is played") {
    WaitingRun fleet(8, "batch: 4");
    fleet.start();
    fs::create_directories(fleet.run + "/done/1.db");
    const std::string aside = fleet.folder.root() + "/fleet.db.quarantine/1.db";
    REQUIRE(fleet.coordinator->until([&] { return fs::exists(aside + ".reason"); }));
    for (const int batch : {0, 1}) CHECK(fleet.work(batch).code == 0);
    const Finished ended = fleet.coordinator->wait();
    CHECK_MESSAGE(contains(ended.out + ended.err, "1.db: is a folder, and a part is a file"),
                  ended.out, ended.err);
    CHECK(fs::is_directory(aside));
    CHECK(count_in(fleet.folder.root() + "/fleet.db", "pairs WHERE state = 'counted'") == 8);
}

TEST_CASE("Work: one that is told to end when all of its batch is in play ends well") {
    WaitingRun fleet(2, "batch: 2", "each: {options: {SleepMs: 30}}\n" + std::string(kFixed));
    fleet.change_config("executor: {", "executor: {ship: false, ");
    fleet.start();
    Child worker(fleet.folder.assay_argv({"work", "--batch", fleet.run, "0", "--slots", "2"}),
                 fleet.folder.root());
    const std::string program = fleet.folder.root() + "/instant";
    REQUIRE(worker.until([&] { return assay::test::processes_with(program).size() >= 4; }));
    worker.signal(SIGTERM);
    const Finished ended = worker.wait();
    CHECK_MESSAGE(ended.code == 0, ended.out, ended.err);
    CHECK(contains(ended.out, "2 pairs played"));
    CHECK(fleet.coordinator->wait().code != 4);
}

TEST_CASE("Work: reports of a run have its workers' delay, and the slot-hours") {
    WaitingRun fleet(4, "batch: 2");
    fleet.start();
    for (const int batch : {0, 1}) CHECK(fleet.work(batch).code == 0);
    CHECK(fleet.coordinator->wait().code != 4);
    const Finished json = fleet.folder.assay({"report", "--db", "fleet.db", "--format", "json"});
    const boost::json::value run = assay::test::parsed(json.out);
    const boost::json::value& harness = run.at("harness");
    CHECK(harness.at("cpu_us_per_ply").to_number<double>() > 0);
    CHECK(harness.at("delay_us").at("p50").to_number<double>() > 0);
    CHECK(harness.at("delay_us").at("max").to_number<double>() >=
          harness.at("delay_us").at("p99").to_number<double>());
    CHECK(run.at("slot_hours").at("counted").to_number<double>() > 0);
    CHECK(run.at("slot_hours").at("lost").to_number<double>() == 0);
    const Finished page =
        fleet.folder.assay({"report", "--db", "fleet.db", "--format", "html", "-o", "run.html"});
    REQUIRE_MESSAGE(page.code == 0, page.err);
    const std::string html = fleet.folder.read("run.html");
    CHECK(contains(html, "slot-hours: "));
    CHECK_FALSE(contains(html, "not measured yet"));
}

TEST_CASE("Work: a node that has become slower is measured again, and named") {
    WaitingRun fleet(2, "batch: 1");
    const std::string player = fleet.folder.program("player");
    fleet.folder.write(
        "fleet.yaml", "programs: {a: {command: [" + player + "]}, b: {command: [" + player +
                          "]}}\nmatch: {time: 1+0.01, pairs: 2, seed: 7, adjudicate: {length: 3}}\n"
                          "executor: {slurm: {folder: " +
                          fleet.folder.root() + "/fleet, submit: false, batch: 1}}\n");
    fleet.start({"run", "fleet.yaml", "--db", "fleet.db"});
    CHECK(fleet.work(0, {"--slots", "1"}).code == 0);
    std::string speed;
    for (const std::string& name : fleet.folder.names_in("speed"))
        if (name.ends_with(".drift")) speed = fleet.run + "/speed/" + name;
    REQUIRE(speed.ends_with(".0.1.drift"));
    CHECK_FALSE(assay::read_file(speed).empty());
    // Its games of hours before.
    assay::write_file(speed, "1\n0 300 3000000 1\n5 300 1000000 1\n");
    CHECK(fleet.work(1, {"--slots", "1"}).code == 0);
    CHECK_FALSE(contains(assay::read_file(speed), "0 300"));
    const std::string sentence =
        "the baseline searched 67 % fewer nodes a second in hour 6 than at first; measured again: ";
    CHECK_MESSAGE(contains(fleet.claim("1.0"), sentence), fleet.claim("1.0"));
    const Finished ended = fleet.coordinator->wait();
    CHECK_MESSAGE(contains(ended.out + ended.err, sentence), ended.out, ended.err);
    const Finished status = fleet.folder.assay({"fleet", "status", fleet.run});
    CHECK_MESSAGE(contains(status.out, sentence), status.out, status.err);
    CHECK(count_in(fleet.folder.root() + "/fleet.db",
                   "machines WHERE trouble LIKE 'the baseline searched%'") == 1);
}

TEST_CASE("Work: programs that are rebuilt while batches wait change nothing") {
    for (const bool ships : {true, false}) {
        CAPTURE(ships);
        WaitingRun fleet(4, "batch: 2");
        if (!ships) fleet.change_config("executor: {", "executor: {ship: false, ");
        const Finished whole = fleet.folder.assay({"gate", "local.yaml", "--db", "whole.db"});
        fleet.start();
        CHECK(fleet.work(0).code == 0);
        // Another program, in the place of the one that the run began with.
        fs::remove(fleet.folder.root() + "/instant");
        fs::copy_file(ASSAY_BINARY_DIR "/engines/player", fleet.folder.root() + "/instant");
        const Finished worker = fleet.work(1);
        CHECK_MESSAGE(worker.code == (ships ? 0 : 4), worker.out, worker.err);
        if (!ships) {
            fleet.coordinator->signal(SIGKILL);
            continue;
        }
        const Finished ended = fleet.coordinator->wait();
        CHECK_MESSAGE(ended.code == whole.code, ended.out, ended.err);
        CHECK(fleet.folder.games_in("fleet.db", 4) == fleet.folder.games_in("whole.db", 4));
        CHECK(fleet.folder.names_in("blobs").size() == 1);
    }
}

TEST_CASE("Fleet: a second coordinator, on a copy of the store, is told of the first") {
    WaitingRun fleet(4, "batch: 2");
    fleet.start();
    REQUIRE(fleet.coordinator->until([&] { return fs::exists(fleet.run + "/coordinator"); }));
    CHECK(fleet.work(0).code == 0);
    const std::string root = fleet.folder.root();
    SQLite::Database(root + "/fleet.db", SQLite::OPEN_READONLY)
        .exec("VACUUM INTO '" + root + "/copy.db'");
    const Finished second =
        fleet.folder.assay({"gate", "fleet.yaml", "--db", "copy.db", "--resume"});
    CHECK_MESSAGE(second.code == 2, second.out, second.err);
    CHECK_MESSAGE(contains(second.err, "another assay coordinates this run: process " +
                                           std::to_string(fleet.coordinator->pid())),
                  second.err);
    CHECK(contains(second.err, "/fleet.db"));
    // Its run is not cut off.
    CHECK(count_in(root + "/copy.db", "runs WHERE state = 'interrupted'") == 1);
    // One that was killed is followed.
    fleet.coordinator->signal(SIGKILL);
    REQUIRE(fleet.coordinator->wait().code == 128 + SIGKILL);
    fleet.start({"gate", "fleet.yaml", "--db", "copy.db", "--resume"});
    CHECK(fleet.work(1).code == 0);
    CHECK(fleet.coordinator->wait().code != 4);
    CHECK(count_in(root + "/copy.db", "pairs WHERE state = 'counted'") == 4);
    CHECK_FALSE(fs::exists(fleet.run + "/coordinator"));
}

TEST_CASE("Fleet: a part that comes when the coordinator has ended is recorded by status") {
    WaitingRun fleet(4, "batch: 2");
    fleet.start();
    // An attempt that another one follows, and that ends after the run.
    CHECK(fleet.work(0).code == 0);
    const std::string late = fleet.run + "/late/0.1.db";
    fs::copy_file(fleet.run + "/done/0.db", fleet.folder.root() + "/late.db");
    CHECK(fleet.work(1).code == 0);
    CHECK(fleet.coordinator->wait().code != 4);
    const std::string store = fleet.folder.root() + "/fleet.db";
    const std::vector<std::string> status{"fleet", "status", "fleet.yaml", "--db", "fleet.db"};
    CHECK_FALSE(contains(fleet.folder.assay(status).out, "came after the end"));
    // The attempts of the part are those of the second claim.
    assay::File::create(fleet.run + "/claims/0.1").write(R"({"node": "n9", "began_us": 1})");
    {
        SQLite::Database part(fleet.folder.root() + "/late.db", SQLite::OPEN_READWRITE);
        part.exec("UPDATE games SET attempt = attempt + 4; UPDATE pairs SET attempt = attempt + 4");
    }
    std::string bytes = assay::read_file(fleet.folder.root() + "/late.db");
    bytes.resize(bytes.rfind("assay part sha2:"));
    assay::write_file(late, bytes + "assay part sha2:" + assay::sha256_of(bytes));
    const Finished shown = fleet.folder.assay(status);
    CHECK_MESSAGE(contains(shown.out, "1 part with 2 pairs came after the end"), shown.out,
                  shown.err);
    CHECK(count_in(store, "pairs WHERE state = 'late' AND attempt = 4") == 2);
    CHECK(count_in(store, "pairs WHERE state = 'counted'") == 4);
    CHECK_FALSE(contains(fleet.folder.assay(status).out, "came after the end"));
    // A damaged one is put aside and told, in JSON too.
    assay::write_file(fleet.run + "/late/1.1.db", "damaged");
    std::vector<std::string> as_json = status;
    as_json.emplace_back("--json");
    const Finished told = fleet.folder.assay(as_json);
    CHECK_MESSAGE(contains(told.out, R"("sentences":[")"), told.out, told.err);
    CHECK_FALSE(contains(told.out, "played again"));
}

TEST_CASE("Fleet: a run that goes on here says that workers still play it") {
    WaitingRun fleet(4, "batch: 2");
    fleet.start();
    assay::File::create(fleet.run + "/claims/1.0")
        .write(R"({"node": "n9", "began_us": 1, "end": ""})");
    fleet.coordinator->signal(SIGKILL);
    REQUIRE(fleet.coordinator->wait().code == 128 + SIGKILL);
    const std::vector<std::string> resume{"gate", "local.yaml", "--db", "fleet.db", "--resume"};
    const Finished here = fleet.folder.assay(resume);
    CHECK_MESSAGE(contains(here.out + here.err,
                           "workers have claimed 1 batch of the run and not ended, and "
                           "what they play is not taken here: 'assay fleet stop "),
                  here.out, here.err);
    CHECK(here.code != 4);
    CHECK(count_in(fleet.folder.root() + "/fleet.db", "pairs WHERE state = 'counted'") == 4);
}
