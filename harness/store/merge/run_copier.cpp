// Rows are copied by SQL between attached files and never pass through this program's memory; a
// store of 10^6 games takes as long as SQLite needs to write it. Columns are read from the schema,
// so that a new column is copied without a change here. Ids of records are shifted behind the
// largest one of the output.
//
// A game's machine is 0 for the one in its run's row. The shards of a run began on machines of
// their own, so that 0 means another machine in each: the numbers are translated to those of the
// row in the output, which stays the one of the part that came first.
//
// What was derived from pairs, such as summaries, is dropped and made anew from the union.
#include "harness/store/merge/run_copier.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/build_origin.h"
#include "harness/record/suite.h"
#include "harness/store/merge/column_lists.h"
#include "harness/store/sql.h"
#include "harness/store/store.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

/// What of a run's row says where and when it began.
const std::set<std::string> kBeginning{
    "id", "host", "cpu", "kernel", "logical_cores", "physical_cores", "memory_bytes", "started_us"};

/// Refuses a path that leaves the folder of trees: stores may come from elsewhere.
fs::path checked_tree(const MergePart& part, const std::string& name) {
    if (!is_tree_name(name))
        throw Error(fmt::format("{}: '{}' is not the name of a tree", printable_utf8(*part.store),
                                printable_utf8(name)));
    return name;
}

}  // namespace

std::string place_of(const std::string& store, std::int64_t run) {
    return fmt::format("{} run {}", printable_utf8(store), run);
}

RunCopier::RunCopier(const std::string& output)
    : database_(std::make_unique<SQLite::Database>(
          output, SQLite::OPEN_READWRITE | SQLite::OPEN_URI, kStoreBusyMilliseconds)) {
    switch_off_views(*database_);
    for (const char* table :
         {"runs", "versions", "matches", "records", "games", "pairs", "searches", "answers",
          "summaries", "machines", "pv_findings", "builds", "attempts"}) {
        columns_[table] = columns_of(*database_, table);
    }
}

RunCopier::~RunCopier() = default;

void RunCopier::attach(const std::string& store) {
    // A read-only file, as in an archive, is read without a lock.
    const bool is_archive = ::access(store.c_str(), W_OK) != 0 && !fs::exists(store + "-wal");
    execute(*database_, "ATTACH ? AS src", file_uri(store, is_archive ? "immutable=1" : "mode=ro"));
    database_->exec("BEGIN IMMEDIATE");
}

void RunCopier::detach() {
    database_->exec("COMMIT");
    database_->exec("DETACH src");
}

/// Copies a run that the output does not have yet.
void RunCopier::copy(const MergePart& part) {
    const std::string target = std::to_string(part.target);
    run(fmt::format("INSERT INTO main.runs ({}) SELECT {} FROM src.runs WHERE id = ?1",
                    names_of("runs"), column_list(columns_["runs"], "", {{"id", target}})),
        part.record.id);
    for (const char* table : {"versions", "matches"}) copy_rows(table, part, "");
    add_games(part, {});
    for (const char* table : {"pairs", "searches", "answers", "summaries", "machines",
                              "pv_findings", "builds", "attempts"})
        copy_rows(table, part, "");
}

void RunCopier::unite(const MergePart& part, const std::string& other, Row row) {
    const std::string both =
        fmt::format("{} and {} are the same run", place_of(*part.store, part.record.id), other);
    // Checks come before the first row is written: a refusal leaves the output as it was.
    const MachineMap machines = machines_of(part);
    check_games(part, machines, both);
    check_searches(part, both);
    const bool is_taken = row == Row::New || (row == Row::Further && is_this_further(part));
    database_->exec(fmt::format("DELETE FROM main.summaries WHERE run = {}", part.target));
    add_games(part, machines);
    add_machines(part, machines);
    copy_rows("pairs", part, is_taken ? "OR REPLACE " : "OR IGNORE ");
    for (const char* table : {"searches", "answers", "pv_findings"})
        copy_rows(table, part, "OR IGNORE ");
    for (const char* table : {"builds", "attempts"}) copy_with_machines(table, part, machines);
    if (is_taken) take_row(part);
}

void RunCopier::take_row(const MergePart& part) {
    const std::string columns = column_list(without(columns_["runs"], kBeginning), "");
    run(fmt::format("UPDATE main.runs SET ({0}) = (SELECT {0} FROM src.runs WHERE id = ?1) "
                    "WHERE id = {1}",
                    columns, part.target),
        part.record.id);
    for (const char* table : {"versions", "matches"}) copy_rows(table, part, "OR REPLACE ");
}

void RunCopier::open_whole(std::int64_t run) {
    RunFindings findings;
    findings.is_of_shards = true;
    execute(*database_,
            "UPDATE main.runs SET shard = '', state = ?, end_reason = '', findings = ?, "
            "command_line = '' WHERE id = ?",
            name_of(RunState::Interrupted), findings_json(findings), run);
}

std::string RunCopier::MachineMap::of(const std::string& column) const {
    if (own == 0 && output == 0) return column;
    // The two swap: the part's own machine gets its number, and the machine that is 0 in the
    // output, where the part knows it by number, becomes 0.
    return fmt::format("CASE {0} WHEN 0 THEN {1} WHEN {2} THEN 0 ELSE {0} END", column, own,
                       output);
}

RunCopier::MachineMap RunCopier::machines_of(const MergePart& part) {
    SQLite::Statement row(*database_,
                          "SELECT r.host, r.cpu, coalesce(m.worker, '') FROM main.runs r LEFT JOIN "
                          "main.machines m ON m.run = r.id AND m.machine = 0 WHERE r.id = ?");
    row.bind(1, part.target);
    row.executeStep();
    MachineRecord output;
    read_columns(row, 0, output.host, output.cpu, output.worker);
    const std::int64_t own = part.record.machine.id();
    if (own == output.id()) return {};
    return {own, output.id()};
}

void RunCopier::copy_with_machines(const std::string& table, const MergePart& part,
                                   const MachineMap& machines) {
    run(fmt::format("INSERT OR IGNORE INTO main.{0} ({1}) SELECT {2} FROM src.{0} WHERE run = ?1",
                    table, names_of(table),
                    column_list(columns_[table], "",
                                {{"run", std::to_string(part.target)},
                                 {"machine", machines.of("machine")}})),
        part.record.id);
}

/// What is newly known of a machine that the output has: facts that this copy does not have stay.
void RunCopier::add_facts(const MergePart& part, const MachineMap& machines) {
    std::string set;
    for (const char* fact :
         {"worker", "slots", "nps", "factor", "skew_us", "assay_version", "trouble"})
        set += fmt::format("{0}{1} = CASE WHEN s.{1} IN (0, '') THEN m.{1} ELSE s.{1} END",
                           set.empty() ? "" : ", ", fact);
    run(fmt::format("UPDATE main.machines AS m SET {} FROM src.machines s WHERE s.run = ?1 AND "
                    "m.run = {} AND m.machine = {}",
                    set, part.target, machines.of("s.machine")),
        part.record.id);
}

void RunCopier::add_machines(const MergePart& part, const MachineMap& machines) {
    add_facts(part, machines);
    copy_with_machines("machines", part, machines);
    if (machines.own == 0) return;
    // Where nothing of a fleet is known of it, the part has it in the run's row alone.
    SQLite::Statement known(*database_,
                            "SELECT 1 FROM main.machines WHERE run = ? AND machine = ?");
    bind_all(known, part.target, machines.own);
    if (!known.executeStep())
        write_machine(*database_, part.target, machines.own, part.record.machine);
}

std::int64_t RunCopier::games_of(std::int64_t run) {
    SQLite::Statement count(*database_, "SELECT count(*) FROM main.games WHERE run = ?");
    count.bind(1, run);
    count.executeStep();
    return count.getColumn(0).getInt64();
}

/// Copies the packed trees of this copy of a run.
void RunCopier::copy_trees(const MergePart& part, const std::string& trees) {
    SQLite::Statement rows(*database_,
                           "SELECT program, position, tree FROM src.searches "
                           "WHERE run = ?1 AND tree <> ''");
    rows.bind(1, part.record.id);
    while (rows.executeStep()) {
        const fs::path named = checked_tree(part, rows.getColumn(2).getString());
        const fs::path source = fs::path(trees_folder(*part.store)) / named;
        std::error_code error;
        if (!fs::exists(source, error)) continue;
        // The first part of the name is the number of its run.
        const fs::path renamed =
            std::to_string(part.target) / named.lexically_relative(*named.begin());
        const fs::path target = fs::path(trees) / renamed;
        fs::create_directories(target.parent_path());
        // A tree of the same run, program and position is of the same search (check_searches).
        fs::copy_file(source, target, fs::copy_options::skip_existing);
        name_tree(part.target, rows.getColumn(0).getInt64(), rows.getColumn(1).getInt64(),
                  renamed.generic_string());
    }
}

/// Removes the names of trees that no copy of their run had. Returns how many.
int RunCopier::forget_missing(const std::string& trees) {
    // Names are collected first: a table must not be changed while a statement reads it.
    struct Missing {
        std::int64_t run;
        std::int64_t program;
        std::int64_t position;
    };

    std::vector<Missing> missing;
    {
        SQLite::Statement rows(*database_,
                               "SELECT run, program, position, tree FROM main.searches "
                               "WHERE tree <> ''");
        while (rows.executeStep()) {
            std::error_code error;
            const std::string name = rows.getColumn(3).getString();
            if (is_tree_name(name) && fs::exists(fs::path(trees) / name, error)) continue;
            Missing& one = missing.emplace_back();
            read_columns(rows, 0, one.run, one.program, one.position);
        }
    }
    for (const Missing& one : missing) name_tree(one.run, one.program, one.position, "");
    return static_cast<int>(missing.size());
}

std::string RunCopier::names_of(const std::string& table) {
    return column_list(columns_[table], "");
}

void RunCopier::run(const std::string& sql, std::int64_t source_run) {
    execute(*database_, sql, source_run);
}

void RunCopier::copy_rows(const std::string& table, const MergePart& part,
                          const std::string& manner) {
    const std::string target = std::to_string(part.target);
    // A tree's path begins with the number of its run.
    const std::string tree = fmt::format(
        "CASE tree WHEN '' THEN '' ELSE {} || substr(tree, instr(tree, '/')) END", target);
    run(fmt::format("INSERT {}INTO main.{} ({}) SELECT {} FROM src.{} WHERE run = ?1", manner,
                    table, names_of(table),
                    column_list(columns_[table], "", {{"run", target}, {"tree", tree}}), table),
        part.record.id);
}

/// The games that the output does not have, with their records.
void RunCopier::add_games(const MergePart& part, const MachineMap& machines) {
    // Ids of records name nothing outside of `games`, so that moving all by one number keeps the
    // references without a table of old and new ids.
    const std::int64_t shift =
        database_->execAndGet("SELECT coalesce(max(id), 0) FROM main.records").getInt64();
    const std::string is_new = fmt::format(
        "NOT EXISTS (SELECT 1 FROM main.games m WHERE m.run = {} AND m.match = s.match AND "
        "m.pair = s.pair AND m.game = s.game AND m.attempt = s.attempt)",
        part.target);
    run(fmt::format(
            "INSERT INTO main.records ({}) SELECT {} FROM src.records r WHERE r.id IN "
            "(SELECT s.record FROM src.games s WHERE s.run = ?1 AND {})",
            names_of("records"),
            column_list(columns_["records"], "r.", {{"id", fmt::format("r.id + {}", shift)}}),
            is_new),
        part.record.id);
    run(fmt::format(
            "INSERT INTO main.games ({}) SELECT {} FROM src.games s WHERE s.run = ?1 AND {}",
            names_of("games"),
            column_list(columns_["games"], "s.",
                        {{"run", std::to_string(part.target)},
                         {"record", fmt::format("s.record + {}", shift)},
                         {"machine", machines.of("s.machine")}}),
            is_new),
        part.record.id);
}

void RunCopier::name_tree(std::int64_t run, std::int64_t program, std::int64_t position,
                          const std::string& name) {
    execute(*database_,
            "UPDATE main.searches SET tree = ? WHERE run = ? AND program = ? AND position = ?",
            name, run, program, position);
}

}  // namespace assay::harness
