// Several stores into one. The output is made as OUTPUT.part and renamed when it is whole, so that
// a merge that is killed leaves no store that looks finished.
//
// All runs of all inputs are put into the order in which they began and numbered anew. Records with
// the same start (to the microsecond), host and name are copies of one run, as a resume on another
// machine or a copied file makes them; their plans, seeds, books and programs must agree, else the
// merge is refused. Copies are united game by game, by (match, pair, game, attempt): a game that
// only one of them has is taken, one that several have must be equal in all columns. Two different
// games under one key mean that the run was continued in two places: which one counts cannot be
// known, so that is refused too. What is not a game (state, findings, versions, meters) comes from
// the copy that has more games, or, with as many, the one that ended later.
//
// Rows are copied by SQL between attached files and never pass through this program's memory; a
// store of 10^6 games takes as long as SQLite needs to write it. Columns are read from the schema,
// so that a new column is copied without a change here. Ids of records are shifted behind the
// largest one of the output.
#include "harness/store/store_merge.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/run_identity.h"
#include "harness/store/sql.h"
#include "harness/store/store.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

/// One run of one input, and its number in the output.
struct Part {
    const std::string* store;
    RunRecord record;
    std::int64_t target = 0;
};

/// "a.db run 3"
std::string place_of(const std::string& store, std::int64_t run) {
    return fmt::format("{} run {}", printable_utf8(store), run);
}

/// Removes the unfinished output, unless keep() is called.
class Draft {
public:
    explicit Draft(const std::string& output)
        : output_(output), file_(output + ".part"), trees_(trees_folder(output)) {
        for (const std::string& path : {output_, file_, trees_}) {
            if (!fs::exists(path)) continue;
            throw Error(fmt::format(
                "{}: already exists; a merge writes a new store: name another file with -o, or "
                "delete what an interrupted merge left",
                printable_utf8(path)));
        }
    }

    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    ~Draft() {
        if (is_kept_) return;
        std::error_code ignored;
        for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(file_ + end, ignored);
        fs::remove_all(trees_, ignored);
    }

    [[nodiscard]] const std::string& file() const { return file_; }

    [[nodiscard]] const std::string& trees() const { return trees_; }

    void keep() {
        fs::rename(file_, output_);
        is_kept_ = true;
    }

private:
    std::string output_;
    std::string file_;
    std::string trees_;
    bool is_kept_ = false;
};

std::vector<std::string> columns_of(SQLite::Database& database, const std::string& table) {
    SQLite::Statement rows(database, "SELECT name FROM pragma_table_info(?) ORDER BY cid");
    rows.bind(1, table);
    std::vector<std::string> names;
    while (rows.executeStep()) names.push_back(rows.getColumn(0).getString());
    return names;
}

/// "a, b, c" of the columns, with `prefix` before each and some replaced by an expression.
std::string column_list(const std::vector<std::string>& columns, const std::string& prefix,
                        const std::vector<std::pair<std::string, std::string>>& replaced = {}) {
    std::string text;
    for (const std::string& column : columns) {
        if (!text.empty()) text += ", ";
        const auto found =
            std::ranges::find(replaced, column, &std::pair<std::string, std::string>::first);
        text += found == replaced.end() ? prefix + column : found->second;
    }
    return text;
}

std::vector<std::string> without(std::vector<std::string> columns,
                                 const std::set<std::string>& left_out) {
    std::erase_if(columns, [&](const std::string& column) { return left_out.contains(column); });
    return columns;
}

/// "s.a IS NOT m.a OR …"
std::string any_differs(const std::vector<std::string>& columns, const std::string& left,
                        const std::string& right) {
    std::string text;
    for (const std::string& column : columns) {
        if (!text.empty()) text += " OR ";
        text += fmt::format("{0}.{2} IS NOT {1}.{2}", left, right, column);
    }
    return text;
}

const std::set<std::string> kGameKey{"run", "match", "pair", "game", "attempt"};

/// Copies runs of inputs into the output, one input at a time, attached as `src`.
class Copier {
public:
    explicit Copier(const std::string& output)
        : database_(output, SQLite::OPEN_READWRITE | SQLite::OPEN_URI) {
        for (const char* table : {"runs", "versions", "matches", "records", "games", "pairs",
                                  "searches", "answers", "summaries", "machines", "pv_findings"}) {
            columns_[table] = columns_of(database_, table);
        }
    }

    void attach(const std::string& store) {
        // A read-only file, as in an archive, is read without a lock.
        const bool is_archive = ::access(store.c_str(), W_OK) != 0 && !fs::exists(store + "-wal");
        execute(database_, "ATTACH ? AS src",
                file_uri(store, is_archive ? "immutable=1" : "mode=ro"));
        database_.exec("BEGIN IMMEDIATE");
    }

    void detach() {
        database_.exec("COMMIT");
        database_.exec("DETACH src");
    }

    /// Copies a run that the output does not have yet.
    void copy(const Part& part) {
        const std::string target = std::to_string(part.target);
        run(fmt::format("INSERT INTO main.runs ({}) SELECT {} FROM src.runs WHERE id = ?1",
                        names_of("runs"), column_list(columns_["runs"], "", {{"id", target}})),
            part.record.id);
        for (const char* table : {"versions", "matches"}) copy_rows(table, part, "");
        add_games(part);
        for (const char* table :
             {"pairs", "searches", "answers", "summaries", "machines", "pv_findings"})
            copy_rows(table, part, "");
    }

    /// Adds to a run of the output what only this copy has. Throws Error where the two differ;
    /// `other` names the copy that the output was made from.
    void unite(const Part& part, const std::string& other) {
        const std::string both = fmt::format("{} and {} are the same run, begun on {}",
                                             place_of(*part.store, part.record.id), other,
                                             printable_utf8(part.record.machine.host));
        check_games(part, both);
        check_searches(part, both);
        const bool is_further = is_this_further(part);
        database_.exec(fmt::format("DELETE FROM main.summaries WHERE run = {}", part.target));
        add_games(part);
        copy_rows("pairs", part, is_further ? "OR REPLACE " : "OR IGNORE ");
        for (const char* table : {"searches", "answers", "machines", "pv_findings"})
            copy_rows(table, part, "OR IGNORE ");
        if (!is_further) return;
        const std::string columns = column_list(without(columns_["runs"], {"id"}), "");
        run(fmt::format("UPDATE main.runs SET ({0}) = (SELECT {0} FROM src.runs WHERE id = ?1) "
                        "WHERE id = {1}",
                        columns, part.target),
            part.record.id);
        for (const char* table : {"versions", "matches"}) copy_rows(table, part, "OR REPLACE ");
    }

    [[nodiscard]] std::int64_t games_of(std::int64_t run) {
        SQLite::Statement count(database_, "SELECT count(*) FROM main.games WHERE run = ?");
        count.bind(1, run);
        count.executeStep();
        return count.getColumn(0).getInt64();
    }

    /// Copies the packed trees of this copy of a run.
    void copy_trees(const Part& part, const std::string& trees) {
        SQLite::Statement rows(database_,
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
            fs::copy_file(source, target, fs::copy_options::skip_existing);
            name_tree(part.target, rows.getColumn(0).getInt64(), rows.getColumn(1).getInt64(),
                      renamed.generic_string());
        }
    }

    /// Removes the names of trees that no copy of their run had. Returns how many.
    int forget_missing(const std::string& trees) {
        struct Missing {
            std::int64_t run;
            std::int64_t program;
            std::int64_t position;
        };

        std::vector<Missing> missing;
        {
            SQLite::Statement rows(database_,
                                   "SELECT run, program, position, tree FROM main.searches "
                                   "WHERE tree <> ''");
            while (rows.executeStep()) {
                std::error_code error;
                if (fs::exists(fs::path(trees) / rows.getColumn(3).getString(), error)) continue;
                Missing& one = missing.emplace_back();
                read_columns(rows, 0, one.run, one.program, one.position);
            }
        }
        for (const Missing& one : missing) name_tree(one.run, one.program, one.position, "");
        return static_cast<int>(missing.size());
    }

private:
    [[nodiscard]] std::string names_of(const std::string& table) {
        return column_list(columns_[table], "");
    }

    void run(const std::string& sql, std::int64_t source_run) {
        execute(database_, sql, source_run);
    }

    void copy_rows(const std::string& table, const Part& part, const std::string& manner) {
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
    void add_games(const Part& part) {
        const std::int64_t shift =
            database_.execAndGet("SELECT coalesce(max(id), 0) FROM main.records").getInt64();
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
                             {"record", fmt::format("s.record + {}", shift)}}),
                is_new),
            part.record.id);
    }

    void check_games(const Part& part, const std::string& both) {
        std::set<std::string> own = kGameKey;
        own.insert("record");
        SQLite::Statement row(
            database_,
            fmt::format(
                "SELECT s.match, s.pair, s.number FROM src.games s JOIN src.records sr ON "
                "sr.id = s.record JOIN main.games m ON m.run = ?2 AND m.match = s.match AND "
                "m.pair = s.pair AND m.game = s.game AND m.attempt = s.attempt JOIN "
                "main.records mr ON mr.id = m.record WHERE s.run = ?1 AND ({} OR {}) LIMIT 1",
                any_differs(without(columns_["games"], own), "s", "m"),
                any_differs(without(columns_["records"], {"id"}), "sr", "mr")));
        bind_all(row, part.record.id, part.target);
        if (!row.executeStep()) return;
        const std::string& match =
            part.record.plan.matches.at(static_cast<std::size_t>(row.getColumn(0).getInt64())).name;
        const std::int64_t pair = row.getColumn(1).getInt64();
        throw Error(fmt::format(
            "{}, but game {} of '{}' (pair {}) differs: the run was continued in two places. Merge "
            "without one of them, or delete it there ('assay runs delete')",
            both, row.getColumn(2).getInt64(), printable_utf8(match), pair + 1));
    }

    void check_searches(const Part& part, const std::string& both) {
        SQLite::Statement row(
            database_,
            fmt::format(
                "SELECT s.position FROM src.searches s JOIN main.searches m ON m.run = ?2 "
                "AND m.program = s.program AND m.position = s.position WHERE s.run = ?1 AND "
                "({}) LIMIT 1",
                any_differs(without(columns_["searches"], {"run", "tree"}), "s", "m")));
        bind_all(row, part.record.id, part.target);
        if (!row.executeStep()) return;
        throw Error(
            fmt::format("{}, but the search of position {} of its suite differs. Merge without "
                        "one of them, or delete it there ('assay runs delete')",
                        both, row.getColumn(0).getInt64() + 1));
    }

    /// Whether this copy has more games than the output, or as many and ended later.
    bool is_this_further(const Part& part) {
        SQLite::Statement row(
            database_,
            "SELECT (SELECT count(*) FROM src.games WHERE run = ?1) + (SELECT count(*) FROM "
            "src.searches WHERE run = ?1), (SELECT count(*) FROM main.games WHERE run = ?2) + "
            "(SELECT count(*) FROM main.searches WHERE run = ?2), (SELECT ended_us FROM src.runs "
            "WHERE id = ?1) > (SELECT ended_us FROM main.runs WHERE id = ?2)");
        bind_all(row, part.record.id, part.target);
        row.executeStep();
        std::int64_t here = 0;
        std::int64_t there = 0;
        bool is_later = false;
        read_columns(row, 0, here, there, is_later);
        return here > there || (here == there && is_later);
    }

    /// Refuses a path that leaves the folder of trees: stores may come from elsewhere.
    static fs::path checked_tree(const Part& part, const std::string& name) {
        fs::path path(name);
        const bool leads_out = std::any_of(path.begin(), path.end(),
                                           [](const fs::path& step) { return step == ".."; });
        if (path.is_absolute() || leads_out || std::distance(path.begin(), path.end()) < 2)
            throw Error(fmt::format("{}: '{}' is not the name of a tree",
                                    printable_utf8(*part.store), printable_utf8(name)));
        return path;
    }

    void name_tree(std::int64_t run, std::int64_t program, std::int64_t position,
                   const std::string& name) {
        execute(database_,
                "UPDATE main.searches SET tree = ? WHERE run = ? AND program = ? AND position = ?",
                name, run, program, position);
    }

    SQLite::Database database_;
    std::map<std::string, std::vector<std::string>> columns_;
};

void check_inputs(const std::vector<std::string>& inputs) {
    std::set<fs::path> seen;
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (seen.insert(fs::weakly_canonical(input, ignored)).second) continue;
        throw Error(fmt::format("{}: is named twice", printable_utf8(input)));
    }
}

/// Checks what must be equal in all copies of a run, wherever it was continued.
void check_same_run(const Part& one, const Part& other) {
    const auto refuse = [&](const std::string& what) {
        throw Error(fmt::format(
            "{} and {} began at the same moment on {}, but {}: they are not copies of one run",
            place_of(*one.store, one.record.id), place_of(*other.store, other.record.id),
            printable_utf8(one.record.machine.host), what));
    };
    if (one.record.plan_hash != other.record.plan_hash) refuse("their plans differ");
    if (one.record.plan.seed != other.record.plan.seed) refuse("their seeds differ");
    if (one.record.book_hashes != other.record.book_hashes) refuse("their books differ");
    const auto& left = one.record.versions;
    const auto& right = other.record.versions;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const bool is_same = i < left.size() && i < right.size() &&
                             left[i].sha256 == right[i].sha256 && left[i].files == right[i].files;
        if (!is_same) {
            refuse(fmt::format("program '{}' is a different file (SHA-256)",
                               printable_utf8((i < left.size() ? left : right)[i].name)));
        }
    }
}

/// All runs of all inputs in the order of the output, with their numbers there.
std::vector<Part> numbered(const std::vector<std::string>& inputs, MergeResult& result) {
    std::vector<Part> parts;
    for (const std::string& input : inputs) {
        for (RunRecord& run : Store(input, Store::Access::Read).runs())
            parts.push_back({&input, std::move(run)});
    }
    std::ranges::stable_sort(parts, {}, [](const Part& part) { return identity_of(part.record); });
    const Part* last = nullptr;
    for (Part& part : parts) {
        if (last != nullptr && identity_of(last->record) == identity_of(part.record)) {
            check_same_run(part, *last);
        } else {
            result.runs.push_back(
                {static_cast<std::int64_t>(result.runs.size()) + 1, part.record.name, {}, 0});
        }
        part.target = result.runs.back().run;
        result.runs.back().from.push_back({*part.store, part.record.id});
        last = &part;
    }
    return parts;
}

}  // namespace

MergeResult merge_stores(const std::vector<std::string>& inputs, const std::string& output) {
    check_inputs(inputs);
    MergeResult result;
    const std::vector<Part> parts = numbered(inputs, result);
    std::string at_work = output;  // the file that SQLite's complaint is about
    try {
        Draft draft(output);
        { const Store made(draft.file(), Store::Access::Write); }
        {
            Copier copier(draft.file());
            std::map<std::int64_t, std::string> from;
            for (const std::string& input : inputs) {
                at_work = input;
                copier.attach(input);
                for (const Part& part : parts) {
                    if (part.store != &input) continue;
                    const auto found = from.find(part.target);
                    if (found == from.end()) {
                        copier.copy(part);
                        from[part.target] = place_of(input, part.record.id);
                    } else {
                        copier.unite(part, found->second);
                    }
                    copier.copy_trees(part, draft.trees());
                }
                copier.detach();
            }
            at_work = output;
            result.missing_trees = copier.forget_missing(draft.trees());
            for (MergedRun& run : result.runs) run.games = copier.games_of(run.run);
        }
        draft.keep();
    } catch (const SQLite::Exception&) {
        rethrow_store_error(at_work);
    } catch (const fs::filesystem_error& error) {
        throw Error(fmt::format("{}: cannot write the trees: {}", printable_utf8(output),
                                error.code().message()),
                    4);
    }
    return result;
}

}  // namespace assay::harness
