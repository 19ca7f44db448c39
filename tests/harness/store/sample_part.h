#pragma once
#include <SQLiteCpp/SQLiteCpp.h>
#include <string>
#include <variant>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/sha256.h"
#include "harness/store/part/part_import.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

// Parts of a run and the store that they are imported into.
namespace assay::test {

using harness::PairState;
using harness::PartFault;
using harness::RunRecord;
using harness::Store;

inline RunRecord whole_run() {
    RunRecord run = sample_run();
    run.uid = "0123456789abcdef0123456789abcdef";
    run.plan.matches[0].pairs = 100;
    return run;
}

inline RunRecord workers_run() {
    RunRecord run = whole_run();
    run.machine = {"n1", "AMD EPYC", "6.1.0", 8, 4, 1};
    run.machine.slots = 3;
    run.machine.nps = 1.5e6;
    run.machine.factor = 1.25;
    run.machine.assay_version = "0.2.0";
    run.findings.drift = {"it got slower"};
    return run;
}

class PartTest {
public:
    [[nodiscard]] std::string path(const std::string& name) const { return dir_.path(name); }

    /// A part that is not closed: pair 4 as it is, pair 5 void and played again.
    void write(const std::string& name, const RunRecord& run, int plies = 60) const {
        Store store(path(name), Store::Access::Write);
        const std::int64_t id = store.begin_run(run);
        store.transaction([&] {
            write_pair(store, id, 4, 0, PairState::Counted, plies);
            write_pair(store, id, 5, 0, PairState::Void, plies);
            write_pair(store, id, 5, 1, PairState::Counted, plies);
            harness::RunMeters meters;
            meters.wall_us = 77;
            meters.between_games = {{1, 0}, {0, 2}};
            store.set_meters(id, 0, meters);
            store.write_build(id, {0, 1, "ab", "g++ 12", 123U, 5e5});
        });
    }

    static void write_pair(Store& store, std::int64_t run, std::int64_t pair, int attempt,
                           PairState state, int plies = 60) {
        harness::GameRecord first = sample_game(pair, 0, attempt, plies);
        first.opening_index = 17 + static_cast<std::uint64_t>(pair);
        harness::PvFinding example;
        example.line = "e2e5";
        first.pv_counts = {{harness::PvFlaw::IllegalMove, 1, 3, example}};
        store.write_game(run, 0, first);
        store.write_game(run, 0, sample_game(pair, 1, attempt, plies));
        store.write_pair(run, 0, sample_pair(pair, attempt, state, plies));
    }

    /// The same, closed; its path.
    [[nodiscard]] std::string part(const std::string& name, const RunRecord& run = workers_run(),
                                   int plies = 60) const {
        write(name, run, plies);
        harness::close_part(path(name));
        return path(name);
    }

    /// The run that parts are imported into, in "all.db", behind another one.
    std::int64_t open_run() const {
        Store store(path("all.db"), Store::Access::Write);
        RunRecord other = sample_run("other");
        other.uid = "ff";
        store.begin_run(other);
        return store.begin_run(whole_run());
    }

    /// Into that run, from this part.
    [[nodiscard]] std::variant<harness::Imported, PartFault> import(
        std::int64_t run, const std::string& part, const harness::PartAsked& asked = {}) const {
        Store store(path("all.db"), Store::Access::Write);
        return harness::import_part(store, store.find_run(std::to_string(run)).value(), part,
                                    asked);
    }

    /// Changes a closed part by SQL, and seals it again.
    void change(const std::string& name, const std::string& sql) const {
        SQLite::Database(path(name), SQLite::OPEN_READWRITE).exec(sql);
        seal(path(name), unsealed(read_file(path(name))));
    }

    static std::string unsealed(std::string bytes) {
        constexpr std::size_t kSeal = 80;
        const std::size_t mark = bytes.rfind("assay part sha2:");
        return bytes.substr(0, mark == bytes.size() - kSeal ? mark : bytes.size());
    }

    static void seal(const std::string& path, const std::string& bytes) {
        write_file(path, bytes + "assay part sha2:" + sha256_of(bytes));
    }

private:
    assay::test::TempDir dir_;
};

inline PartFault fault_of(const std::string& file, const RunRecord& run,
                          const harness::PartAsked& asked = {}) {
    auto result = harness::read_part(file, run, asked);
    REQUIRE(std::holds_alternative<PartFault>(result));
    return std::get<PartFault>(result);
}

inline harness::Imported imported(const std::variant<harness::Imported, PartFault>& result) {
    if (const auto* const fault = std::get_if<PartFault>(&result)) FAIL(fault->sentence);
    return std::get<harness::Imported>(result);
}

}  // namespace assay::test
