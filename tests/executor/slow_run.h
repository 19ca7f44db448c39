#pragma once
#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

#include <doctest/doctest.h>

#include "harness/executor/slurm_folder.h"
#include "tests/executor/fleet_folder.h"
#include "tests/support/contains.h"

namespace assay::test {

inline const std::vector<std::string> kResume{"gate", "fleet.yaml", "--db", "fleet.db", "--resume"};
/// For what must be seen before a task is over.
inline const std::vector<std::string> kSlower{"gate",     "fleet.yaml", "--db",
                                              "fleet.db", "--set",      "each.options.SleepMs=6"};

/// A match that takes a while, so that there is time to kill something in it.
class SlowRun : public FleetFolder {
public:
    explicit SlowRun(const std::string& slurm = "slots: 2, batch: 3", int pairs = 18)
        : pairs_(pairs) {
        write_configs(pairs, "each: {options: {SleepMs: 2}}\nstop: {fixed: {alpha: 0.05}}\n",
                      slurm);
        for (const char* name : {"local.yaml", "fleet.yaml"}) {
            std::string config = read(name);
            config.replace(config.find("length: 60"), 10, "length: 30");
            write(name, config);
        }
        REQUIRE_MESSAGE(local().code != 4, local().err);
    }

    /// The same match on this machine, without the sleep: it takes part in no game's moves.
    const Finished& local() {
        if (local_.code >= 0) return local_;
        local_ =
            assay({"gate", "local.yaml", "--set", "each.options.SleepMs=0", "--db", "whole.db"});
        return local_;
    }

    /// All pairs were counted once, with the games of one machine.
    void check_same(const std::string& what) {
        INFO(what);
        CHECK(decision_in("fleet.db") == decision_in("whole.db"));
        CHECK(games_in("fleet.db", pairs_) == games_in("whole.db", pairs_));
    }

    void check_end(const Finished& finished) {
        CHECK_MESSAGE(finished.code == local().code, finished.out, finished.err);
        check_same(finished.out + finished.err);
        check_claims();
        // What was lost taints the run at once, and not only in a report.
        const Finished report = assay({"report", "--db", "fleet.db"});
        CHECK_MESSAGE(contains(finished.out, "tainted") == contains(report.out, "tainted"),
                      finished.out, report.out, report.err);
    }

    /// Each claim of a pair has counted, come late, or was lost or given back.
    void check_claims() {
        const auto spec = assay::harness::SlurmFolder(run_folder()).spec();
        std::int64_t claimed = 0;
        for (const std::string& name : names_in("claims"))
            claimed += spec.window_of(std::stoll(name.substr(0, name.find('.'))))->pairs;
        const SQLite::Database store(root() + "/fleet.db", SQLite::OPEN_READONLY);
        SQLite::Statement count(store,
                                "SELECT count(*) FROM (SELECT pair, attempt / 4 FROM pairs UNION "
                                "SELECT pair, attempt / 4 FROM attempts)");
        REQUIRE(count.executeStep());
        CHECK(count.getColumn(0).getInt64() == claimed);
    }

private:
    int pairs_;
    Finished local_;
};

/// The workers that play for this folder of a run.
inline std::vector<pid_t> workers_in(const std::string& folder) {
    std::vector<pid_t> workers;
    if (folder.empty()) return workers;  // else those of other tests
    for (const pid_t pid : processes_with(std::string("--batch") + '\0' + folder)) {
        std::error_code ignored;
        const auto program =
            std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", ignored);
        if (program.filename() == "assay") workers.push_back(pid);
    }
    return workers;
}

/// The name of the jobs of a run.
inline std::string job_of(const std::string& folder) {
    return "assay-" + std::filesystem::path(folder).filename().string().substr(0, 8);
}

/// How many pairs this worker has in its own store.
inline int pairs_of_worker(pid_t pid) {
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", ignored)) {
        const std::string path = std::filesystem::read_symlink(entry.path(), ignored).string();
        if (!path.ends_with("/part.db")) continue;
        try {
            SQLite::Database store(path, SQLite::OPEN_READONLY);
            return store.execAndGet("SELECT count(*) FROM pairs").getInt();
        } catch (const SQLite::Exception&) {
            return 0;
        }
    }
    return 0;
}

}  // namespace assay::test
