// Whether two copies of a run agree, asked of SQLite in one statement a table: where both have a
// row under one key, all columns but those that name a place in one file (ids of records, numbers
// of machines, paths of trees) must be equal, compared with IS NOT so that two NULLs are.
#include <SQLiteCpp/SQLiteCpp.h>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/store/merge/column_lists.h"
#include "harness/store/merge/run_copier.h"
#include "harness/store/sql.h"

namespace assay::harness {

namespace {

const std::set<std::string> kGameKey{"run", "match", "pair", "game", "attempt"};

}  // namespace

void RunCopier::check_games(const MergePart& part, const MachineMap& machines,
                            const std::string& both) {
    std::set<std::string> own = kGameKey;
    own.insert({"record", "machine"});
    SQLite::Statement row(
        *database_,
        fmt::format(
            "SELECT s.match, s.pair, s.number FROM src.games s JOIN src.records sr ON "
            "sr.id = s.record JOIN main.games m ON m.run = ?2 AND m.match = s.match AND "
            "m.pair = s.pair AND m.game = s.game AND m.attempt = s.attempt JOIN "
            "main.records mr ON mr.id = m.record WHERE s.run = ?1 AND ({} OR {} OR {} IS NOT m.machine) LIMIT 1",
            any_differs(without(columns_["games"], own), "s", "m"),
            any_differs(without(columns_["records"], {"id"}), "sr", "mr"),
            machines.of("s.machine")));
    bind_all(row, part.record.id, part.target);
    if (!row.executeStep()) return;
    const std::string& match =
        part.record.plan.matches.at(static_cast<std::size_t>(row.getColumn(0).getInt64())).name;
    const std::int64_t pair = row.getColumn(1).getInt64();
    throw Differs(
        fmt::format("{}, but game {} of '{}' (pair {}) differs: it was played in two places. Merge "
                    "without one of them, or delete it there ('assay runs delete')",
                    both, row.getColumn(2).getInt64(), printable_utf8(match), pair + 1));
}

void RunCopier::check_searches(const MergePart& part, const std::string& both) {
    SQLite::Statement row(
        *database_,
        fmt::format("SELECT s.position FROM src.searches s JOIN main.searches m ON m.run = ?2 "
                    "AND m.program = s.program AND m.position = s.position WHERE s.run = ?1 AND "
                    "({}) LIMIT 1",
                    any_differs(without(columns_["searches"], {"run", "tree"}), "s", "m")));
    bind_all(row, part.record.id, part.target);
    if (!row.executeStep()) return;
    throw Differs(
        fmt::format("{}, but the search of position {} of its suite differs. Merge without "
                    "one of them, or delete it there ('assay runs delete')",
                    both, row.getColumn(0).getInt64() + 1));
}

/// Whether this copy has more games than the output, or as many and ended later.
bool RunCopier::is_this_further(const MergePart& part) {
    SQLite::Statement row(
        *database_,
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

}  // namespace assay::harness
