// Pairs of a Store. A pair is loaded from the columns of its games that tell the result (the bulk
// of a game lies apart in `records`), so that all pairs of a long run are read without a single
// move. Rows come in the order of pair, attempt and game: each pair is put together as they pass,
// and one that lacks a game which it must have means that rows were deleted by hand.
#include <SQLiteCpp/SQLiteCpp.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "harness/store/game_columns.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

PairState pair_state(std::string_view text) {
    if (const auto state = pair_state_of(text)) return *state;
    throw StoreDamage{"a pair's state"};
}

}  // namespace

void Store::write_pair(std::int64_t run, std::size_t match, const PairDigest& pair) {
    transaction([&] {
        // A pair in the store without its games would be counted by a resume, and nobody could say
        // from what. One statement that counts and inserts would need a journal of its own, which
        // took a quarter of the processor time of a match of short games.
        SQLite::Statement& count =
            prepared(parts_->count_games, *parts_->database,
                     "SELECT count(*) FROM games WHERE run = ?1 AND match = ?2 AND pair = ?3 "
                     "AND game IN (0, 1) AND attempt = ?4");
        bind_all(count, run, match, pair.pair, pair.attempt);
        (void)count.executeStep();
        const int games = count.getColumn(0).getInt();
        count.reset();
        // A void pair may end with its first game.
        const int least = pair.is_single || is_replaced(pair.state) ? 1 : 2;
        if (games < least) {
            throw Error(
                fmt::format("internal error: pair {} is written before its games", pair.pair), 4);
        }
        SQLite::Statement& insert =
            prepared(parts_->insert_pair, *parts_->database,
                     "INSERT INTO pairs (run, match, pair, attempt, state, opening_index, single) "
                     "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET "
                     "state = excluded.state, opening_index = excluded.opening_index");
        bind_all(insert, run, match, pair.pair, pair.attempt, name_of(pair.state),
                 pair.opening_index, pair.is_single);
        insert.exec();
    });
}

std::vector<PairDigest> Store::pairs(std::int64_t run, std::size_t match) const {
    return parts_->guarded([&] {
        SQLite::Statement rows(
            *parts_->database,
            fmt::format("SELECT {}, p.pair, p.attempt, p.state, p.opening_index, g.game, g.slot, "
                        "g.machine, g.ended_us, p.single "
                        "FROM pairs p JOIN games g ON g.run = p.run AND g.match = p.match "
                        "AND g.pair = p.pair AND g.attempt = p.attempt "
                        "WHERE p.run = ? AND p.match = ? AND g.game IN (0, 1) "
                        "ORDER BY p.pair, p.attempt, g.game",
                        kDigestColumns));
        bind_all(rows, run, match);
        std::vector<PairDigest> found;
        found.reserve(static_cast<std::size_t>(pair_count(run, match)));
        bool is_open = false;  // the newest pair waits for its second game
        const auto lacks_game = [&] {
            return is_open && !found.back().is_single && !is_replaced(found.back().state);
        };
        while (rows.executeStep()) {
            const int game = rows.getColumn(kDigestSize + 4).getInt();
            if (game == 0) {
                if (lacks_game()) break;
                PairDigest pair;
                pair.match = match;
                read_columns(rows, kDigestSize, pair.pair, pair.attempt);
                pair.state = pair_state(view_of(rows.getColumn(kDigestSize + 2)));
                read_column(rows.getColumn(kDigestSize + 3), pair.opening_index);
                read_columns(rows, kDigestSize + 5, pair.slot, pair.machine);
                read_column(rows.getColumn(kDigestSize + 8), pair.is_single);
                found.push_back(pair);
                is_open = true;
            } else {
                // Each pair has two rows, game 0 first; otherwise rows were deleted by hand.
                if (!is_open || found.back().is_single)
                    throw StoreDamage{"a pair that misses a game"};
                is_open = false;
            }
            GameDigest& digest = found.back().games[static_cast<std::size_t>(game)];
            digest = read_digest(rows, 0);
            read_column(rows.getColumn(kDigestSize + 7), digest.ended_us);
            check_two(digest.scores);
        }
        if (lacks_game()) throw StoreDamage{"a pair that misses a game"};
        return found;
    });
}

std::set<std::pair<std::int64_t, int>> Store::late_attempts(std::int64_t run,
                                                            std::size_t match) const {
    return parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database,
                               "SELECT pair, attempt FROM pairs WHERE run = ? AND match = ? AND "
                               "state = 'late'");
        bind_all(rows, run, match);
        std::set<std::pair<std::int64_t, int>> found;
        while (rows.executeStep())
            found.emplace(rows.getColumn(0).getInt64(), rows.getColumn(1).getInt());
        return found;
    });
}

// One step in the primary key a match, whatever the number of their games.
std::vector<std::size_t> Store::begun_matches(std::int64_t run) const {
    return parts_->guarded([&] {
        SQLite::Statement next(*parts_->database,
                               "SELECT min(match) FROM games WHERE run = ? AND match > ?");
        std::vector<std::size_t> found;
        while (true) {
            next.tryReset();
            bind_all(next, run, found.empty() ? std::int64_t{-1} : std::int64_t(found.back()));
            next.executeStep();
            if (next.getColumn(0).isNull()) return found;
            found.push_back(static_cast<std::size_t>(next.getColumn(0).getInt64()));
        }
    });
}

std::int64_t Store::pair_count(std::int64_t run, std::size_t match) const {
    return parts_->guarded([&] {
        SQLite::Statement row(*parts_->database,
                              "SELECT count(*) FROM pairs WHERE run = ? AND match = ?");
        bind_all(row, run, match);
        row.executeStep();
        return std::int64_t{row.getColumn(0).getInt64()};
    });
}

std::map<int, PairState> Store::attempts_at(std::int64_t run, std::size_t match,
                                            std::int64_t pair) const {
    return parts_->guarded([&] {
        SQLite::Statement& row =
            prepared(parts_->select_attempts, *parts_->database,
                     "SELECT attempt, state FROM pairs WHERE run = ? AND match = ? AND pair = ?");
        bind_all(row, run, match, pair);
        std::map<int, PairState> found;
        while (row.executeStep())
            found.emplace(row.getColumn(0).getInt(), pair_state(view_of(row.getColumn(1))));
        row.reset();
        return found;
    });
}

}  // namespace assay::harness
