// Runs of a Store, with their versions and meters.
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <array>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/plan/plan_secrets.h"
#include "harness/record/build_origin.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

constexpr std::string_view kRunColumns =
    "id, name, plan, plan_hash, state, host, cpu, kernel, logical_cores, physical_cores, "
    "memory_bytes, book_hashes, assay_version, command_line, started_us, ended_us, end_reason, findings";

RunState run_state(std::string_view text) {
    if (const auto state = run_state_of(text)) return *state;
    throw StoreDamage{"a run's state"};
}

std::string hashes_text(const std::vector<std::string>& hashes) {
    return json::serialize(json::value_from(hashes));
}

std::vector<std::string> read_hashes(const std::string& text) {
    try {
        return json::value_to<std::vector<std::string>>(json::parse(text));
    } catch (const std::exception&) {
        throw StoreDamage{"a run's book hashes"};
    }
}

std::string faults_text(const std::vector<FaultsBetweenGames>& faults) {
    json::array list;
    for (const FaultsBetweenGames& one : faults)
        list.push_back(json::array{one.crashes, one.stalls});
    return json::serialize(list);
}

std::vector<FaultsBetweenGames> read_faults(const std::string& text) {
    try {
        std::vector<FaultsBetweenGames> faults;
        for (const auto& [crashes, stalls] :
             json::value_to<std::vector<std::pair<std::int64_t, std::int64_t>>>(
                 json::parse(text))) {
            faults.push_back({crashes, stalls});
        }
        const bool is_possible = std::ranges::all_of(faults, [](const FaultsBetweenGames& one) {
            return one.crashes >= 0 && one.stalls >= 0;
        });
        if (is_possible) return faults;
    } catch (const std::exception&) {
        // Told below.
    }
    throw StoreDamage{"the faults between games"};
}

std::string files_text(const VersionRecord& version) {
    json::array files;
    for (const auto& [path, sha256] : version.files) {
        files.push_back(json::array{json::string(path), json::string(sha256)});
    }
    return json::serialize(files);
}

std::vector<std::pair<std::string, std::string>> read_files(const std::string& text) {
    try {
        std::vector<std::pair<std::string, std::string>> files;
        for (const auto& [path, sha256] :
             json::value_to<std::vector<std::array<std::string, 2>>>(json::parse(text))) {
            files.emplace_back(path, sha256);
        }
        return files;
    } catch (const std::exception&) {
        throw StoreDamage{"the files of a program"};
    }
}

void write_versions(SQLite::Database& database, std::int64_t run,
                    const std::vector<VersionRecord>& versions) {
    SQLite::Statement clear(database, "DELETE FROM versions WHERE run = ?");
    clear.bind(1, run);
    clear.exec();
    SQLite::Statement insert(database,
                             "INSERT INTO versions (run, program, name, path, sha256, "
                             "id_name, id_author, files, origin) VALUES "
                             "(?,?,?,?,?,?,?,?,?)");
    int program = 0;
    for (const VersionRecord& version : versions) {
        insert.bind(1, run);
        insert.bind(2, program++);
        insert.bind(3, version.name);
        insert.bind(4, version.path);
        insert.bind(5, version.sha256);
        insert.bind(6, version.id_name);
        insert.bind(7, version.id_author);
        insert.bind(8, files_text(version));
        insert.bind(9, origin_json(version));
        insert.exec();
        insert.reset();
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
        version.name = rows.getColumn(0).getString();
        version.path = rows.getColumn(1).getString();
        version.sha256 = rows.getColumn(2).getString();
        version.id_name = rows.getColumn(3).getString();
        version.id_author = rows.getColumn(4).getString();
        version.files = read_files(rows.getColumn(5).getString());
        read_origin_json(rows.getColumn(6).getString(), version);
    }
    return versions;
}

void bind_machine(SQLite::Statement& insert, int first, const MachineRecord& machine) {
    insert.bind(first, machine.host);
    insert.bind(first + 1, machine.cpu);
    insert.bind(first + 2, machine.kernel);
    insert.bind(first + 3, machine.logical_cores);
    insert.bind(first + 4, machine.physical_cores);
    insert.bind(first + 5, static_cast<std::int64_t>(machine.memory_bytes));
}

MachineRecord read_machine(SQLite::Statement& row, int first) {
    return {row.getColumn(first).getString(),
            row.getColumn(first + 1).getString(),
            row.getColumn(first + 2).getString(),
            row.getColumn(first + 3).getInt(),
            row.getColumn(first + 4).getInt(),
            static_cast<std::uint64_t>(row.getColumn(first + 5).getInt64())};
}

std::map<std::int64_t, MachineRecord> read_other_machines(SQLite::Database& database,
                                                          std::int64_t run) {
    SQLite::Statement rows(database,
                           "SELECT machine, host, cpu, kernel, logical_cores, physical_cores, "
                           "memory_bytes FROM machines WHERE run = ?");
    rows.bind(1, run);
    std::map<std::int64_t, MachineRecord> machines;
    while (rows.executeStep()) {
        machines.emplace(rows.getColumn(0).getInt64(), read_machine(rows, 1));
    }
    return machines;
}

RunRecord read_run(SQLite::Database& database, SQLite::Statement& row) {
    RunRecord run;
    run.id = row.getColumn(0).getInt64();
    run.name = row.getColumn(1).getString();
    run.plan = plan_from_json(row.getColumn(2).getString());
    run.plan_hash = row.getColumn(3).getString();
    run.state = run_state(row.getColumn(4).getString());
    run.machine = read_machine(row, 5);
    run.other_machines = read_other_machines(database, run.id);
    run.book_hashes = read_hashes(row.getColumn(11).getString());
    run.assay_version = row.getColumn(12).getString();
    run.command_line = row.getColumn(13).getString();
    run.started_us = row.getColumn(14).getInt64();
    run.ended_us = row.getColumn(15).getInt64();
    run.end_reason = row.getColumn(16).getString();
    run.findings = read_findings_json(row.getColumn(17).getString());
    run.versions = read_versions(database, run.id);
    return run;
}

std::optional<RunRecord> first_run(SQLite::Database& database, SQLite::Statement& row) {
    if (!row.executeStep()) return std::nullopt;
    return read_run(database, row);
}

std::string select_runs(std::string_view rest) {
    return fmt::format("SELECT {} FROM runs {}", kRunColumns, rest);
}

/// An update that changes no run is a bug of the caller.
void exec_for_one(SQLite::Statement& update, std::int64_t run) {
    if (update.exec() != 1) throw Error(fmt::format("internal error: there is no run {}", run), 4);
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
        SQLite::Statement insert(
            database,
            "INSERT INTO runs (name, plan, plan_hash, state, host, cpu, "
            "kernel, logical_cores, physical_cores, memory_bytes, book_hashes, "
            "assay_version, command_line, started_us, ended_us, end_reason, "
            "findings) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        insert.bind(1, run.name);
        insert.bind(2, to_json(run.plan));
        insert.bind(3, run.plan_hash);
        insert.bind(4, std::string(name_of(run.state)));
        bind_machine(insert, 5, run.machine);
        insert.bind(11, hashes_text(run.book_hashes));
        insert.bind(12, run.assay_version);
        insert.bind(13, run.command_line);
        insert.bind(14, std::int64_t{run.started_us});
        insert.bind(15, std::int64_t{run.ended_us});
        insert.bind(16, run.end_reason);
        insert.bind(17, findings_json(run.findings));
        insert.exec();
        id = database.getLastInsertRowid();
        write_versions(database, id, run.versions);
    });
    return id;
}

void Store::set_state(std::int64_t run, RunState state, const std::string& reason) {
    transaction([&] {
        SQLite::Statement update(
            *parts_->database,
            "UPDATE runs SET state = ?, end_reason = ?, ended_us = ? WHERE id = ?");
        update.bind(1, std::string(name_of(state)));
        update.bind(2, reason);
        update.bind(3, std::int64_t{state == RunState::Running ? 0 : wall_clock_us()});
        update.bind(4, run);
        exec_for_one(update, run);
        if (state == RunState::Finished) return;
        SQLite::Statement forget(*parts_->database, "DELETE FROM summaries WHERE run = ?");
        forget.bind(1, run);
        forget.exec();
    });
}

void Store::set_summary(std::int64_t run, std::size_t match, const std::string& summary) {
    transaction([&] {
        SQLite::Statement upsert(
            *parts_->database,
            "INSERT OR REPLACE INTO summaries (run, match, summary) VALUES (?,?,?)");
        upsert.bind(1, run);
        upsert.bind(2, static_cast<std::int64_t>(match));
        upsert.bind(3, summary);
        upsert.exec();
    });
}

std::map<std::pair<std::int64_t, std::size_t>, std::string> Store::summaries() const {
    return parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database, "SELECT run, match, summary FROM summaries");
        std::map<std::pair<std::int64_t, std::size_t>, std::string> found;
        while (rows.executeStep()) {
            found.emplace(std::pair{std::int64_t{rows.getColumn(0).getInt64()},
                                    static_cast<std::size_t>(rows.getColumn(1).getInt64())},
                          rows.getColumn(2).getString());
        }
        return found;
    });
}

void Store::set_versions(std::int64_t run, const std::vector<VersionRecord>& versions) {
    transaction([&] { write_versions(*parts_->database, run, versions); });
}

std::int64_t Store::add_machine(std::int64_t run, const MachineRecord& machine) {
    std::int64_t number = 0;
    transaction([&] {
        SQLite::Statement began(*parts_->database, "SELECT host, cpu FROM runs WHERE id = ?");
        began.bind(1, run);
        if (!began.executeStep()) throw Error(fmt::format("internal error: no run {}", run), 4);
        if (began.getColumn(0).getString() == machine.host &&
            began.getColumn(1).getString() == machine.cpu) {
            return;
        }
        number = machine.id();
        SQLite::Statement insert(*parts_->database,
                                 "INSERT OR IGNORE INTO machines (run, machine, "
                                 "host, cpu, kernel, logical_cores, "
                                 "physical_cores, memory_bytes) VALUES "
                                 "(?,?,?,?,?,?,?,?)");
        insert.bind(1, run);
        insert.bind(2, number);
        bind_machine(insert, 3, machine);
        insert.exec();
    });
    return number;
}

void Store::set_findings(std::int64_t run, const RunFindings& findings) {
    transaction([&] {
        SQLite::Statement update(*parts_->database, "UPDATE runs SET findings = ? WHERE id = ?");
        update.bind(1, findings_json(findings));
        update.bind(2, run);
        exec_for_one(update, run);
    });
}

void Store::set_exit_code(std::int64_t run, int code) {
    transaction([&] {
        SQLite::Statement update(
            *parts_->database,
            "UPDATE runs SET findings = json_set(CASE WHEN findings = '' THEN '{}' ELSE findings "
            "END, '$.exit_code', ?) WHERE id = ? AND state <> ?");
        update.bind(1, code);
        update.bind(2, run);
        update.bind(3, std::string(name_of(RunState::Running)));
        update.exec();
    });
}

void Store::set_meters(std::int64_t run, std::size_t match, const RunMeters& meters) {
    transaction([&] {
        SQLite::Statement upsert(*parts_->database,
                                 "INSERT OR REPLACE INTO matches (run, match, "
                                 "delay_p50_us, delay_p99_us, delay_max_us, "
                                 "cpu_us_per_ply, wall_us, voided, between_games) VALUES "
                                 "(?,?,?,?,?,?,?,?,?)");
        upsert.bind(1, run);
        upsert.bind(2, static_cast<std::int64_t>(match));
        upsert.bind(3, meters.delay.p50_us);
        upsert.bind(4, meters.delay.p99_us);
        upsert.bind(5, meters.delay.max_us);
        upsert.bind(6, meters.delay.cpu_us_per_ply);
        upsert.bind(7, std::int64_t{meters.wall_us});
        upsert.bind(8, meters.voided);
        upsert.bind(9, faults_text(meters.between_games));
        upsert.exec();
    });
}

RunMeters Store::meters(std::int64_t run, std::size_t match) const {
    return parts_->guarded([&] {
        SQLite::Statement row(
            *parts_->database,
            "SELECT delay_p50_us, delay_p99_us, delay_max_us, cpu_us_per_ply, "
            "wall_us, voided, between_games FROM matches WHERE run = ? AND match = ?");
        row.bind(1, run);
        row.bind(2, static_cast<std::int64_t>(match));
        RunMeters meters;
        if (!row.executeStep()) return meters;
        meters.delay = {row.getColumn(0).getDouble(), row.getColumn(1).getDouble(),
                        row.getColumn(2).getDouble(), row.getColumn(3).getDouble()};
        meters.wall_us = row.getColumn(4).getInt64();
        meters.voided = row.getColumn(5).getInt64();
        meters.between_games = read_faults(row.getColumn(6).getString());
        return meters;
    });
}

void Store::set_plan(std::int64_t run, const RunPlan& plan) {
    transaction([&] {
        SQLite::Statement update(*parts_->database, "UPDATE runs SET plan = ? WHERE id = ?");
        update.bind(1, to_json(plan));
        update.bind(2, run);
        exec_for_one(update, run);
    });
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
            SQLite::Statement erase(*parts_->database, sql);
            erase.bind(1, run);
            erase.exec();
        }
    });
}

}  // namespace assay::harness
