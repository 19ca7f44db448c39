// Runs of a Store, with their versions and meters.
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <sys/stat.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/plan/described_json.h"
#include "harness/plan/plan_secrets.h"
#include "harness/record/build_origin.h"
#include "harness/record/run_identity.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

constexpr std::string_view kRunColumns =
    "id, name, plan, plan_hash, state, host, cpu, kernel, logical_cores, physical_cores, "
    "memory_bytes, book_hashes, assay_version, command_line, started_us, ended_us, end_reason, "
    "findings, uid, shard";

RunState run_state(std::string_view text) {
    if (const auto state = run_state_of(text)) return *state;
    throw StoreDamage{"a run's state"};
}

template <class T>
std::string list_text(const std::vector<T>& list) {
    return json::serialize(json_of(list));
}

/// Reads what list_text() wrote; `what` it is, where it is damaged.
template <class T>
std::vector<T> read_list(const std::string& text, const char* what) {
    try {
        std::vector<T> list;
        read_json(what, json::parse(text), list);
        return list;
    } catch (const std::exception&) {
        throw StoreDamage{what};
    }
}

using FaultCounts = std::pair<std::int64_t, std::int64_t>;  // crashes and stalls

std::string faults_text(const std::vector<FaultsBetweenGames>& faults) {
    std::vector<FaultCounts> counts;
    for (const FaultsBetweenGames& one : faults) counts.emplace_back(one.crashes, one.stalls);
    return list_text(counts);
}

std::vector<FaultsBetweenGames> read_faults(const std::string& text) {
    constexpr const char* kWhat = "the faults between games";
    std::vector<FaultsBetweenGames> faults;
    for (const auto& [crashes, stalls] : read_list<FaultCounts>(text, kWhat)) {
        if (crashes < 0 || stalls < 0) throw StoreDamage{kWhat};
        faults.push_back({crashes, stalls});
    }
    return faults;
}

void write_versions(SQLite::Database& database, std::int64_t run,
                    const std::vector<VersionRecord>& versions) {
    execute(database, "DELETE FROM versions WHERE run = ?", run);
    int program = 0;
    for (const VersionRecord& version : versions) {
        execute(
            database,
            "INSERT INTO versions (run, program, name, path, sha256, id_name, id_author, files, "
            "origin) VALUES (?,?,?,?,?,?,?,?,?)",
            run, program++, version.name, version.path, version.sha256, version.id_name,
            version.id_author, list_text(version.files), origin_json(version));
    }
}

std::vector<VersionRecord> read_versions(SQLite::Database& database, std::int64_t run) {
    SQLite::Statement rows(database,
                           "SELECT name, path, sha256, id_name, id_author, files, origin FROM "
                           "versions "
                           "WHERE run = ? ORDER BY program");
    rows.bind(1, run);
    std::vector<VersionRecord> versions;
    while (rows.executeStep()) {
        VersionRecord& version = versions.emplace_back();
        std::string files;
        std::string origin;
        read_columns(rows, 0, version.name, version.path, version.sha256, version.id_name,
                     version.id_author, files, origin);
        version.files =
            read_list<std::pair<std::string, std::string>>(files, "the files of a program");
        read_origin_json(origin, version);
    }
    return versions;
}

std::optional<Shard> read_shard(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto shard = shard_of(text);
    if (!shard) throw StoreDamage{"a run's shard"};
    return shard;
}

RunRecord read_run(SQLite::Database& database, SQLite::Statement& row) {
    RunRecord run;
    std::string plan;
    std::string state;
    std::string hashes;
    std::string findings;
    std::string shard;
    MachineRecord& machine = run.machine;
    read_columns(row, 0, run.id, run.name, plan, run.plan_hash, state, machine.host, machine.cpu,
                 machine.kernel, machine.logical_cores, machine.physical_cores,
                 machine.memory_bytes, hashes, run.assay_version, run.command_line, run.started_us,
                 run.ended_us, run.end_reason, findings, run.uid, shard);
    run.shard = read_shard(shard);
    run.plan = plan_from_json(plan);
    if (run.shard) {
        run.suite_of_whole = run.plan.suite;
        run.plan = plan_of_shard(std::move(run.plan), *run.shard);
    }
    run.state = run_state(state);
    read_machines(database, run);
    run.book_hashes = read_list<std::string>(hashes, "a run's book hashes");
    run.findings = read_findings_json(findings);
    run.versions = read_versions(database, run.id);
    if (run.uid.empty()) run.uid = derived_uid(run);
    return run;
}

std::optional<RunRecord> first_run(SQLite::Database& database, SQLite::Statement& row) {
    if (!row.executeStep()) return std::nullopt;
    return read_run(database, row);
}

std::string select_runs(std::string_view rest) {
    return fmt::format("SELECT {} FROM runs {}", kRunColumns, rest);
}

/// A change of a run's row. One that changes no run is a bug of the caller.
template <class... Values>
void execute_for_one(SQLite::Database& database, std::int64_t run, const std::string& set,
                     const Values&... values) {
    const std::string sql =
        fmt::format("UPDATE runs SET {} WHERE id = ?{}", set, sizeof...(values) + 1);
    if (execute(database, sql, values..., run) != 1)
        throw Error(fmt::format("internal error: there is no run {}", run), 4);
}

/// The store is its owner's alone from now on: the plan in it has secrets.
void make_private(const std::string& store) {
    constexpr mode_t kOthers = 077;
    for (const char* const end : {"", "-wal", "-shm"}) {
        const std::string path = store + end;

        struct stat status {};

        if (::stat(path.c_str(), &status) != 0 || (status.st_mode & kOthers) == 0) continue;
        (void)::chmod(path.c_str(), status.st_mode & 07777 & ~kOthers);  // if it is ours
    }
}

}  // namespace

std::int64_t Store::begin_run(const RunRecord& run) {
    if (has_secrets(run.plan)) make_private(parts_->path);
    std::int64_t id = 0;
    transaction([&] {
        SQLite::Database& database = *parts_->database;
        const MachineRecord& machine = run.machine;
        execute(database,
                "INSERT INTO runs (name, plan, plan_hash, state, host, cpu, kernel, logical_cores, "
                "physical_cores, memory_bytes, book_hashes, assay_version, command_line, "
                "started_us, ended_us, end_reason, findings, uid, shard) VALUES "
                "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                run.name, to_json(run.plan), run.plan_hash, name_of(run.state), machine.host,
                machine.cpu, machine.kernel, machine.logical_cores, machine.physical_cores,
                machine.memory_bytes, list_text(run.book_hashes), run.assay_version,
                run.command_line, run.started_us, run.ended_us, run.end_reason,
                findings_json(run.findings), run.uid, run.shard ? text_of(*run.shard) : "");
        id = database.getLastInsertRowid();
        write_versions(database, id, run.versions);
        write_machine(database, id, 0, machine);
    });
    return id;
}

void Store::set_state(std::int64_t run, RunState state, const std::string& reason) {
    transaction([&] {
        execute_for_one(*parts_->database, run, "state = ?, end_reason = ?, ended_us = ?",
                        name_of(state), reason, state == RunState::Running ? 0 : wall_clock_us());
        if (state != RunState::Finished) forget_summaries(run);
    });
}

void Store::forget_summaries(std::int64_t run) {
    transaction([&] { execute(*parts_->database, "DELETE FROM summaries WHERE run = ?", run); });
}

void Store::set_summary(std::int64_t run, std::size_t match, const std::string& summary) {
    transaction([&] {
        execute(*parts_->database,
                "INSERT OR REPLACE INTO summaries (run, match, summary) VALUES (?,?,?)", run, match,
                summary);
    });
}

std::map<std::pair<std::int64_t, std::size_t>, std::string> Store::summaries() const {
    return parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database, "SELECT run, match, summary FROM summaries");
        std::map<std::pair<std::int64_t, std::size_t>, std::string> found;
        while (rows.executeStep()) {
            std::pair<std::int64_t, std::size_t> match;
            read_columns(rows, 0, match.first, match.second);
            found.emplace(match, rows.getColumn(2).getString());
        }
        return found;
    });
}

void Store::set_versions(std::int64_t run, const std::vector<VersionRecord>& versions) {
    transaction([&] { write_versions(*parts_->database, run, versions); });
}

void Store::set_findings(std::int64_t run, const RunFindings& findings) {
    transaction(
        [&] { execute_for_one(*parts_->database, run, "findings = ?", findings_json(findings)); });
}

void Store::set_command_line(std::int64_t run, const std::string& command_line) {
    transaction([&] { execute_for_one(*parts_->database, run, "command_line = ?", command_line); });
}

void Store::set_exit_code(std::int64_t run, int code) {
    transaction([&] {
        execute(
            *parts_->database,
            "UPDATE runs SET findings = json_set(CASE WHEN findings = '' THEN '{}' ELSE findings "
            "END, '$.exit_code', ?) WHERE id = ? AND state <> ?",
            code, run, name_of(RunState::Running));
    });
}

void Store::set_meters(std::int64_t run, std::size_t match, const RunMeters& meters) {
    transaction([&] {
        const DelayRecord& delay = meters.delay;
        execute(*parts_->database,
                "INSERT OR REPLACE INTO matches (run, match, delay_p50_us, delay_p99_us, "
                "delay_max_us, cpu_us_per_ply, wall_us, voided, between_games) VALUES "
                "(?,?,?,?,?,?,?,?,?)",
                run, match, delay.p50_us, delay.p99_us, delay.max_us, delay.cpu_us_per_ply,
                meters.wall_us, meters.voided, faults_text(meters.between_games));
    });
}

RunMeters Store::meters(std::int64_t run, std::size_t match) const {
    return parts_->guarded([&] {
        SQLite::Statement row(
            *parts_->database,
            "SELECT delay_p50_us, delay_p99_us, delay_max_us, cpu_us_per_ply, "
            "wall_us, voided, between_games FROM matches WHERE run = ? AND match = ?");
        bind_all(row, run, match);
        RunMeters meters;
        if (!row.executeStep()) return meters;
        std::string faults;
        read_columns(row, 0, meters.delay.p50_us, meters.delay.p99_us, meters.delay.max_us,
                     meters.delay.cpu_us_per_ply, meters.wall_us, meters.voided, faults);
        meters.between_games = read_faults(faults);
        return meters;
    });
}

void Store::set_plan(std::int64_t run, const RunPlan& plan) {
    transaction([&] { execute_for_one(*parts_->database, run, "plan = ?", to_json(plan)); });
}

void Store::set_plan(std::int64_t run, const RunPlan& plan, const std::string& plan_hash) {
    transaction([&] {
        execute_for_one(*parts_->database, run, "plan = ?, plan_hash = ?", to_json(plan),
                        plan_hash);
    });
    if (has_secrets(plan)) make_private(parts_->path);
}

std::optional<RunRecord> Store::find_run(const std::string& selector) const {
    return parts_->guarded([&] {
        SQLite::Database& database = *parts_->database;
        if (selector.empty() || selector == "latest") {
            SQLite::Statement row(database, select_runs("ORDER BY id DESC LIMIT 1"));
            return first_run(database, row);
        }
        if (const auto id = to_number<std::int64_t>(selector)) {
            SQLite::Statement row(database, select_runs("WHERE id = ?"));
            row.bind(1, *id);
            return first_run(database, row);
        }
        SQLite::Statement row(database, select_runs("WHERE name = ? ORDER BY id DESC LIMIT 1"));
        row.bind(1, selector);
        return first_run(database, row);
    });
}

std::optional<RunRecord> Store::find_uid(const std::string& uid) const {
    // The identity of a run from before is derived from its row.
    std::vector<RunRecord> all = runs();
    const auto found = std::find_if(all.rbegin(), all.rend(),
                                    [&](const RunRecord& run) { return run.uid == uid; });
    if (found == all.rend()) return std::nullopt;
    return std::move(*found);
}

std::vector<RunRecord> Store::runs() const {
    return parts_->guarded([&] {
        SQLite::Database& database = *parts_->database;
        SQLite::Statement rows(database, select_runs("ORDER BY id DESC"));
        std::vector<RunRecord> found;
        while (rows.executeStep()) found.push_back(read_run(database, rows));
        return found;
    });
}

void Store::delete_run(std::int64_t run) {
    transaction([&] {
        // The records of a run are found through its games, so they go first.
        for (const char* sql : {"DELETE FROM records WHERE id IN "
                                "(SELECT record FROM games WHERE run = ?)",
                                "DELETE FROM runs WHERE id = ?"}) {
            execute(*parts_->database, sql, run);
        }
    });
}

}  // namespace assay::harness
