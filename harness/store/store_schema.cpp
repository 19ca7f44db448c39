#include "harness/store/store_schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace assay::harness {

namespace {

// Results and the programs that made them are JSON arrays, one element a player. Times are
// microseconds, those of the wall clock since 1970. What the statistics read is clustered by
// (run, match, pair, game, attempt); the bulk of a game lies apart in `records`, so that loading
// all pairs of a long run touches none of it.
constexpr std::string_view kVersion1 = R"(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'finished', 'failed')),
  host TEXT NOT NULL,
  cpu TEXT NOT NULL,
  kernel TEXT NOT NULL,
  logical_cores INTEGER NOT NULL,
  physical_cores INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  book_hashes TEXT NOT NULL,
  assay_version TEXT NOT NULL,
  command_line TEXT NOT NULL,
  started_us INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  end_reason TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_name ON runs (name);
CREATE INDEX runs_by_plan ON runs (plan_hash);

CREATE TABLE versions (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  program INTEGER NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  id_name TEXT NOT NULL,
  id_author TEXT NOT NULL,
  files TEXT NOT NULL,
  PRIMARY KEY (run, program)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  delay_p50_us REAL NOT NULL,
  delay_p99_us REAL NOT NULL,
  delay_max_us REAL NOT NULL,
  cpu_us_per_ply REAL NOT NULL,
  wall_us INTEGER NOT NULL,
  voided INTEGER NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  start TEXT NOT NULL,
  opening TEXT NOT NULL,
  moves BLOB NOT NULL,
  last_lines TEXT NOT NULL,
  last_command TEXT NOT NULL
) STRICT;

CREATE TABLE games (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  programs TEXT NOT NULL,
  scores TEXT NOT NULL,
  termination TEXT NOT NULL,
  guilty INTEGER NOT NULL,
  plies INTEGER NOT NULL,
  used_us INTEGER NOT NULL,
  moves_hash INTEGER NOT NULL,
  opening_index INTEGER NOT NULL,
  harness_caused INTEGER NOT NULL,
  started_us INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  record INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (run, match, pair, game, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairs (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('counted', 'duplicate', 'after_stop', 'void')),
  opening_index INTEGER NOT NULL,
  PRIMARY KEY (run, match, pair, attempt)
) STRICT, WITHOUT ROWID;
)";

// `origin`: commit, build and benchmark of a program from git, JSON, or empty. `findings`: what was
// found beside the games, JSON.
constexpr std::string_view kVersion2 = R"(
ALTER TABLE versions ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN findings TEXT NOT NULL DEFAULT '';
)";

// Searches of a suite, and what its queries answered. A search without a tree has no answers;
// nodes found are JSON: [[id, size, path, position], ...].
constexpr std::string_view kVersion3 = R"(
CREATE TABLE searches (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  program INTEGER NOT NULL,
  position INTEGER NOT NULL,
  ended TEXT NOT NULL,
  reason TEXT NOT NULL,
  last_lines TEXT NOT NULL,
  best_move TEXT NOT NULL,
  iteration INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  all_nodes INTEGER NOT NULL,
  packed_bytes INTEGER NOT NULL,
  used_us INTEGER NOT NULL,
  started_us INTEGER NOT NULL,
  tree TEXT NOT NULL,
  PRIMARY KEY (run, program, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  program INTEGER NOT NULL,
  position INTEGER NOT NULL,
  expectation INTEGER NOT NULL,
  value REAL,
  trouble TEXT NOT NULL,
  nodes TEXT NOT NULL,
  PRIMARY KEY (run, program, position, expectation)
) STRICT, WITHOUT ROWID;
)";

// What a history shows of a finished run's match, JSON (match_summary.h). A cache: deleted when the
// run is continued.
constexpr std::string_view kVersion4 = R"(
CREATE TABLE summaries (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  summary TEXT NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
)";

// The machines of a run other than the one in its row, for runs that were continued elsewhere. A
// game's `machine` is 0 for the machine in the run's row.
constexpr std::string_view kVersion5 = R"(
CREATE TABLE machines (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  machine INTEGER NOT NULL,
  host TEXT NOT NULL,
  cpu TEXT NOT NULL,
  kernel TEXT NOT NULL,
  logical_cores INTEGER NOT NULL,
  physical_cores INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  PRIMARY KEY (run, machine)
) STRICT, WITHOUT ROWID;
ALTER TABLE games ADD COLUMN machine INTEGER NOT NULL DEFAULT 0;
)";

// A game's number in its match, from 1. The moves of games written since say who made them
// (move_codec.h, version 2), which an older assay cannot read.
constexpr std::string_view kVersion6 = R"(
ALTER TABLE games ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE games SET number = 2 * pair + game + 1;
CREATE INDEX games_by_number ON games (run, match, number);
)";

// Faults of the programs that lost no game, JSON: [[crashes, stalls], ...] by program of `between`.
constexpr std::string_view kVersion7 = R"(
ALTER TABLE matches ADD COLUMN between_games TEXT NOT NULL DEFAULT '[]';
)";

// Flaws of the lines of moves that programs said (record/pv_finding.h): how many of a kind in a
// game, and the first as JSON where it is kept as an example. A game without has no row.
constexpr std::string_view kVersion8 = R"(
CREATE TABLE pv_findings (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  program INTEGER NOT NULL,
  flaw TEXT NOT NULL,
  count INTEGER NOT NULL,
  example TEXT NOT NULL,
  PRIMARY KEY (run, match, pair, game, attempt, program, flaw)
) STRICT, WITHOUT ROWID;
)";

// Encounters of one game, which are no pairs: their row has a single game.
constexpr std::string_view kVersion9 = R"(
ALTER TABLE pairs ADD COLUMN single INTEGER NOT NULL DEFAULT 0;
)";

// What tells a run from all others (record/run_identity.h), empty of a run from before; and which
// part of it is in this store ("3/8"), empty: all. The shards of one run share its uid, and a store
// may have several of them.
constexpr std::string_view kVersion10 = R"(
ALTER TABLE runs ADD COLUMN uid TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN shard TEXT NOT NULL DEFAULT '';
)";

// Of a fleet (record/fleet.h): what is known of machines, builds that machines made themselves, and
// attempts that did not count. A pair may be late. In
// `machines` the row 0 holds what is known of the machine in the run's row. A store of version 10
// may have several shards of one run, and keeps them, so that only whole runs are told apart by the
// index; a new shard is refused beside another one (run_opener.cpp).
constexpr std::string_view kVersion11 = R"(
ALTER TABLE machines ADD COLUMN worker TEXT NOT NULL DEFAULT '';
ALTER TABLE machines ADD COLUMN slots INTEGER NOT NULL DEFAULT 0;
ALTER TABLE machines ADD COLUMN nps REAL NOT NULL DEFAULT 0;
ALTER TABLE machines ADD COLUMN factor REAL NOT NULL DEFAULT 0;
ALTER TABLE machines ADD COLUMN skew_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE machines ADD COLUMN assay_version TEXT NOT NULL DEFAULT '';
ALTER TABLE machines ADD COLUMN trouble TEXT NOT NULL DEFAULT '';

CREATE TABLE builds (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  machine INTEGER NOT NULL,
  program INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  compiler TEXT NOT NULL,
  bench_nodes INTEGER,
  nps REAL,
  PRIMARY KEY (run, machine, program)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  machine INTEGER NOT NULL,
  fate TEXT NOT NULL CHECK (fate IN ('lost', 'late', 'returned', 'barred')),
  claimed_us INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (run, match, pair, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairs_with_late (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('counted', 'duplicate', 'after_stop', 'void', 'late')),
  opening_index INTEGER NOT NULL,
  single INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, match, pair, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO pairs_with_late (run, match, pair, attempt, state, opening_index, single)
  SELECT run, match, pair, attempt, state, opening_index, single FROM pairs;
DROP TABLE pairs;
ALTER TABLE pairs_with_late RENAME TO pairs;

CREATE UNIQUE INDEX runs_by_uid ON runs (uid) WHERE uid <> '' AND shard = '';
)";

constexpr std::array kSteps{kVersion1, kVersion2, kVersion3, kVersion4,  kVersion5, kVersion6,
                            kVersion7, kVersion8, kVersion9, kVersion10, kVersion11};

int pragma(SQLite::Database& database, const char* name) {
    return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

/// The file's version; 0 for an empty file. REQUIRES: a transaction, because another process may be
/// creating the store.
std::size_t version_of(SQLite::Database& database, const std::string& path, std::size_t newest) {
    const int application = pragma(database, "application_id");
    const int version = pragma(database, "user_version");
    const bool is_empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
    const bool is_new = is_empty && application == 0 && version == 0;
    if (!is_new && (application != static_cast<int>(kStoreApplicationId) || version < 1)) {
        throw Error(path + ": is not an assay store but another program's SQLite file");
    }
    if (static_cast<std::size_t>(version) > newest) {
        throw Error(
            fmt::format("{}: is a store of version {}, and this assay reads up to version "
                        "{}; use the newer assay that wrote it",
                        path, version, newest));
    }
    const std::string view =
        database
            .execAndGet(
                "SELECT ifnull((SELECT name FROM sqlite_master WHERE type = 'view' AND name "
                "IN ('runs', 'versions', 'matches', 'records', 'games', 'searches', "
                "'answers', 'summaries', 'machines', 'pv_findings', 'builds', 'attempts', "
                "'pairs')), '')")
            .getString();
    if (!view.empty())
        throw Error(path + ": has a view in place of the table '" + view +
                    "', which no assay writes");
    return static_cast<std::size_t>(version);
}

}  // namespace

std::span<const std::string_view> store_migrations() {
    return kSteps;
}

void migrate(SQLite::Database& database, const std::string& path,
             std::span<const std::string_view> steps) {
    {
        const SQLite::Transaction look(database);
        if (version_of(database, path, steps.size()) == steps.size()) return;
    }
    // The version is read anew under the lock: another process may have been faster.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::size_t version = version_of(database, path, steps.size());
    for (const std::string_view step : steps.subspan(version)) {
        database.exec(std::string(step));
    }
    database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                              kStoreApplicationId, steps.size()));
    transaction.commit();
}

bool is_current(SQLite::Database& database, const std::string& path,
                std::span<const std::string_view> steps) {
    const SQLite::Transaction look(database);
    const std::size_t version = version_of(database, path, steps.size());
    if (version == 0) throw Error(path + ": is an empty file, not an assay store");
    return version == steps.size();
}

}  // namespace assay::harness
