// Machines of a Store's runs, and what it keeps of a fleet.
//
// Machine 0 is the one in the run's own row: a run of one machine, the usual case, has no row here.
// Facts come in one at a time (a worker's name at its claim, its speed after a calibration, a
// trouble later), so that a fact that is not known now never wipes out one that was.
//
// An attempt's fate may be told twice and in any order, by the coordinator that gave it up and by
// the worker that finished it all the same. Later news replaces earlier, with two exceptions in the
// statement: a late part is not lost any more, and what was returned or barred is not made late by
// its games.
#include <SQLiteCpp/SQLiteCpp.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

bool has_facts(const MachineRecord& machine) {
    return !machine.worker.empty() || machine.slots != 0 || machine.nps > 0 || machine.factor > 0 ||
           machine.skew_us != 0 || !machine.assay_version.empty() || !machine.trouble.empty();
}

/// `known` with what `newer` says more.
void add_facts(MachineRecord& known, const MachineRecord& newer) {
    const auto take = [](auto& mine, const auto& theirs) {
        if (theirs != std::decay_t<decltype(theirs)>{}) mine = theirs;
    };
    take(known.worker, newer.worker);
    take(known.slots, newer.slots);
    take(known.nps, newer.nps);
    take(known.factor, newer.factor);
    take(known.skew_us, newer.skew_us);
    take(known.assay_version, newer.assay_version);
    take(known.trouble, newer.trouble);
}

RunRecord run_with_machines(SQLite::Database& database, std::int64_t run) {
    RunRecord record;
    record.id = run;
    SQLite::Statement row(database,
                          "SELECT host, cpu, kernel, logical_cores, physical_cores, "
                          "memory_bytes FROM runs WHERE id = ?");
    row.bind(1, run);
    if (!row.executeStep()) throw Error(fmt::format("internal error: there is no run {}", run), 4);
    MachineRecord& machine = record.machine;
    read_columns(row, 0, machine.host, machine.cpu, machine.kernel, machine.logical_cores,
                 machine.physical_cores, machine.memory_bytes);
    read_machines(database, record);
    return record;
}

AttemptFate fate_of(const std::string& text) {
    if (const auto fate = attempt_fate_of(text)) return *fate;
    throw StoreDamage{"what became of an attempt"};
}

}  // namespace

void write_machine(SQLite::Database& database, std::int64_t run, std::int64_t number,
                   const MachineRecord& machine) {
    if (number == 0 && !has_facts(machine)) return;
    execute(database,
            "INSERT OR REPLACE INTO machines (run, machine, host, cpu, kernel, logical_cores, "
            "physical_cores, memory_bytes, worker, slots, nps, factor, skew_us, assay_version, "
            "trouble) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            run, number, machine.host, machine.cpu, machine.kernel, machine.logical_cores,
            machine.physical_cores, machine.memory_bytes, machine.worker, machine.slots,
            machine.nps, machine.factor, machine.skew_us, machine.assay_version, machine.trouble);
}

void read_machines(SQLite::Database& database, RunRecord& run) {
    SQLite::Statement rows(database,
                           "SELECT machine, host, cpu, kernel, logical_cores, physical_cores, "
                           "memory_bytes, worker, slots, nps, factor, skew_us, assay_version, "
                           "trouble FROM machines WHERE run = ?");
    rows.bind(1, run.id);
    while (rows.executeStep()) {
        const std::int64_t number = rows.getColumn(0).getInt64();
        MachineRecord& machine = number == 0 ? run.machine : run.other_machines[number];
        read_columns(rows, 1, machine.host, machine.cpu, machine.kernel, machine.logical_cores,
                     machine.physical_cores, machine.memory_bytes, machine.worker, machine.slots,
                     machine.nps, machine.factor, machine.skew_us, machine.assay_version,
                     machine.trouble);
    }
}

std::int64_t Store::add_machine(std::int64_t run, const MachineRecord& machine) {
    std::int64_t number = 0;
    transaction([&] {
        RunRecord record = run_with_machines(*parts_->database, run);
        number = record.machine.id() == machine.id() ? 0 : machine.id();
        const bool is_known = number == 0 || record.other_machines.contains(number);
        MachineRecord& known = number == 0 ? record.machine : record.other_machines[number];
        if (is_known)
            add_facts(known, machine);
        else
            known = machine;
        write_machine(*parts_->database, run, number, known);
    });
    return number;
}

void Store::write_build(std::int64_t run, const MachineBuild& build) {
    transaction([&] {
        execute(*parts_->database,
                "INSERT OR REPLACE INTO builds (run, machine, program, sha256, compiler, "
                "bench_nodes, nps) VALUES (?,?,?,?,?,?,?)",
                run, build.machine, build.program, build.sha256, build.compiler, build.bench_nodes,
                build.nps);
    });
}

std::vector<MachineBuild> Store::builds(std::int64_t run) const {
    return parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database,
                               "SELECT machine, program, sha256, compiler, bench_nodes, nps FROM "
                               "builds WHERE run = ? ORDER BY machine, program");
        rows.bind(1, run);
        std::vector<MachineBuild> found;
        while (rows.executeStep()) {
            MachineBuild& build = found.emplace_back();
            read_columns(rows, 0, build.machine, build.program, build.sha256, build.compiler,
                         build.bench_nodes, build.nps);
        }
        return found;
    });
}

void Store::write_attempt(std::int64_t run, const AttemptRecord& attempt) {
    transaction([&] {
        execute(*parts_->database,
                "INSERT INTO attempts (run, match, pair, attempt, machine, fate, claimed_us, "
                "ended_us, reason) VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET machine = "
                "excluded.machine, fate = excluded.fate, claimed_us = excluded.claimed_us, "
                "ended_us = excluded.ended_us, reason = excluded.reason WHERE NOT (fate = 'late' "
                "AND excluded.fate = 'lost') AND NOT (fate IN ('returned', 'barred') AND "
                "excluded.fate = 'late')",
                run, attempt.match, attempt.pair, attempt.attempt, attempt.machine,
                name_of(attempt.fate), attempt.claimed_us, attempt.ended_us, attempt.reason);
    });
}

std::vector<AttemptRecord> Store::attempts(std::int64_t run) const {
    return parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database,
                               "SELECT match, pair, attempt, machine, claimed_us, ended_us, "
                               "reason, fate FROM attempts WHERE run = ? "
                               "ORDER BY match, pair, attempt");
        rows.bind(1, run);
        std::vector<AttemptRecord> found;
        while (rows.executeStep()) {
            AttemptRecord& attempt = found.emplace_back();
            std::string fate;
            read_columns(rows, 0, attempt.match, attempt.pair, attempt.attempt, attempt.machine,
                         attempt.claimed_us, attempt.ended_us, attempt.reason, fate);
            attempt.fate = fate_of(fate);
        }
        return found;
    });
}

}  // namespace assay::harness
