// Single games of a Store, with what their programs said wrong. The bulk of a game (moves, last
// lines) lies apart in `records`, which counting never reads.
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/move_codec.h"
#include "harness/store/game_columns.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

/// Who made the first move after the opening, for games whose blob does not say it: chess, the only
/// game that assay played then, in FEN, whose second field is the side to move.
int first_mover_of_old(const GameRecord& game) {
    const std::vector<std::string_view> fields = split_words(game.start);
    const std::size_t first = fields.size() > 1 && fields[1] == "b" ? 1 : 0;
    return static_cast<int>((first + game.opening.size()) % 2);
}

constexpr std::string_view kGameColumns =
    "pair, game, attempt, opening_index, started_us, ended_us, slot, machine, reason, "
    "start, opening, moves, last_lines, last_command";

/// Columns: the digest's, then kGameColumns.
GameRecord read_game(SQLite::Statement& row, std::size_t match) {
    const GameDigest digest = read_digest(row, 0);
    GameRecord game;
    game.match = match;
    game.number = digest.number;
    game.program = digest.program;
    game.scores = digest.scores;
    game.termination = digest.termination;
    game.guilty = digest.guilty;
    game.harness_caused = digest.harness_caused;
    std::string opening;
    std::string blob;
    read_columns(row, kDigestSize, game.pair, game.game, game.attempt, game.opening_index,
                 game.started_us, game.ended_us, game.slot, game.machine, game.reason, game.start,
                 opening, blob, game.last_lines, game.last_command);
    for (const std::string_view move : split_words(opening)) game.opening.emplace_back(move);
    auto moves = decode_moves(blob, first_mover_of_old(game));
    if (!moves) throw StoreDamage{fmt::format("the moves of game {}", game.number)};
    game.moves = std::move(*moves);
    return game;
}

/// The attempt that stands for its pair comes first: the newest one that did not come late.
constexpr std::string_view kStands =
    "coalesce((SELECT p.state = 'late' FROM pairs p WHERE p.run = g.run AND p.match = g.match AND "
    "p.pair = g.pair AND p.attempt = g.attempt), 0), g.attempt DESC";

std::string select_games(std::string_view condition) {
    return fmt::format("SELECT {}, {} FROM games g JOIN records r ON r.id = g.record WHERE {}",
                       kDigestColumns, kGameColumns, condition);
}

}  // namespace

std::int64_t Store::Parts::write_record(const GameRecord& game, const std::string& moves) {
    SQLite::Statement& insert = prepared(
        insert_record, *database,
        "INSERT INTO records (start, opening, moves, last_lines, last_command) VALUES (?,?,?,?,?)");
    insert.bind(1, game.start);
    insert.bind(2, joined(game.opening, " "));
    insert.bindNoCopy(3, moves.data(), static_cast<int>(moves.size()));
    insert.bind(4, game.last_lines);
    insert.bind(5, game.last_command);
    insert.exec();
    return database->getLastInsertRowid();
}

void Store::Parts::write_pv_counts(std::int64_t run, std::size_t match, const GameRecord& game) {
    for (const PvCount& one : game.pv_counts) {
        SQLite::Statement insert(*database,
                                 "INSERT INTO pv_findings (run, match, pair, game, attempt, "
                                 "program, flaw, count, example) VALUES (?,?,?,?,?,?,?,?,?)");
        bind_all(insert, run, match, game.pair, game.game, game.attempt, one.program,
                 name_of(one.flaw), one.count, one.example ? to_json(*one.example) : "");
        insert.exec();
    }
}

void Store::write_game(std::int64_t run, std::size_t match, const GameRecord& game) {
    write_game(run, match, game, pack_moves(game));
}

void Store::write_game(std::int64_t run, std::size_t match, const GameRecord& game,
                       const PackedMoves& moves) {
    transaction([&] {
        const GameDigest& digest = moves.digest;
        const std::int64_t record = parts_->write_record(game, moves.blob);
        SQLite::Statement& insert =
            prepared(parts_->insert_game, *parts_->database,
                     "INSERT INTO games (run, match, pair, game, attempt, "
                     "programs, scores, termination, guilty, plies, used_us, "
                     "moves_hash, opening_index, harness_caused, started_us, "
                     "ended_us, slot, record, reason, machine, number) VALUES "
                     "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        bind_all(insert, run, match, game.pair, game.game, game.attempt,
                 programs_text(game.program), scores_text(game.scores), name_of(game.termination),
                 game.guilty, digest.plies, digest.used_us, digest.moves_hash, game.opening_index,
                 game.harness_caused, game.started_us, game.ended_us, game.slot, record,
                 game.reason, game.machine, game.number);
        insert.exec();
        parts_->write_pv_counts(run, match, game);
    });
}

PvSummary Store::pv_summary(std::int64_t run, std::size_t match) const {
    PvSummary summary;
    const std::set<std::pair<std::int64_t, int>> late = late_attempts(run, match);
    for_each_pv_count(run, match, [&](const GameOf& of, const PvCount& count) {
        if (late.contains({of.pair, of.attempt})) return;
        PvSummary::Row row{count.count, 1, {}};
        if (count.example) row.examples.push_back(*count.example);
        summary.add(count.program, count.flaw, row);
    });
    return summary;
}

void Store::for_each_pv_count(
    std::int64_t run, std::size_t match,
    const std::function<void(const GameOf&, const PvCount&)>& visit) const {
    parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database,
                               "SELECT pair, game, attempt, program, flaw, count, example FROM "
                               "pv_findings WHERE run = ? AND match = ? "
                               "ORDER BY pair, game, attempt");
        bind_all(rows, run, match);
        while (rows.executeStep()) {
            GameOf game;
            PvCount one;
            read_columns(rows, 0, game.pair, game.game, game.attempt, one.program);
            read_column(rows.getColumn(5), one.count);
            const auto flaw = pv_flaw_of(view_of(rows.getColumn(4)));
            const bool is_possible = one.program >= 0 &&
                                     one.program < static_cast<int>(rules::kMostPlayers) &&
                                     one.count > 0;
            if (!flaw || !is_possible) throw StoreDamage{"a flaw of a line of moves"};
            one.flaw = *flaw;
            const std::string_view example = view_of(rows.getColumn(6));
            if (!example.empty()) {
                one.example = pv_finding_of(example);
                if (!one.example) throw StoreDamage{"a flaw of a line of moves"};
            }
            visit(game, one);
        }
    });
}

std::vector<GameRecord> Store::half_pairs(std::int64_t run, std::size_t match) const {
    return parts_->guarded([&] {
        SQLite::Statement rows(
            *parts_->database,
            select_games("g.run = ? AND g.match = ? AND g.game = 0 AND NOT EXISTS "
                         "(SELECT 1 FROM games o WHERE o.run = g.run AND o.match = g.match AND "
                         "o.pair = g.pair AND o.attempt = g.attempt AND o.game = 1) AND NOT EXISTS "
                         "(SELECT 1 FROM pairs p WHERE p.run = g.run AND p.match = g.match AND "
                         "p.pair = g.pair AND p.attempt = g.attempt) ORDER BY g.pair, g.attempt"));
        bind_all(rows, run, match);
        std::vector<GameRecord> found;
        while (rows.executeStep()) {
            found.push_back(read_game(rows, match));
            check_two(found.back().scores);
        }
        return found;
    });
}

std::optional<GameRecord> Store::game(std::int64_t run, std::size_t match,
                                      std::int64_t number) const {
    return parts_->guarded([&]() -> std::optional<GameRecord> {
        SQLite::Statement row(*parts_->database,
                              select_games("g.run = ? AND g.match = ? AND g.number = ? "
                                           "ORDER BY " +
                                           std::string(kStands) + " LIMIT 1"));
        bind_all(row, run, match, number);
        if (!row.executeStep()) return std::nullopt;
        return read_game(row, match);
    });
}

std::optional<GameRecord> Store::game_of(std::int64_t run, std::size_t match, std::int64_t pair,
                                         int game) const {
    return parts_->guarded([&]() -> std::optional<GameRecord> {
        SQLite::Statement row(*parts_->database,
                              select_games("g.run = ? AND g.match = ? AND g.pair = ? AND "
                                           "g.game = ? ORDER BY " +
                                           std::string(kStands) + " LIMIT 1"));
        bind_all(row, run, match, pair, game);
        if (!row.executeStep()) return std::nullopt;
        return read_game(row, match);
    });
}

std::optional<GameRecord> Store::game_at(std::int64_t run, std::size_t match,
                                         const GameOf& of) const {
    return parts_->guarded([&]() -> std::optional<GameRecord> {
        SQLite::Statement& row =
            prepared(parts_->select_game, *parts_->database,
                     select_games("g.run = ? AND g.match = ? AND g.pair = ? AND g.game = ? AND "
                                  "g.attempt = ?"));
        bind_all(row, run, match, of.pair, of.game, of.attempt);
        std::optional<GameRecord> found;
        if (row.executeStep()) found = read_game(row, match);
        row.reset();
        return found;
    });
}

void Store::for_each_game(std::int64_t run, std::size_t match,
                          const std::function<void(const GameRecord&)>& visit) const {
    parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database,
                               select_games("g.run = ? AND g.match = ? "
                                            "ORDER BY g.pair, g.game, g.attempt"));
        bind_all(rows, run, match);
        while (rows.executeStep()) visit(read_game(rows, match));
    });
}

}  // namespace assay::harness
