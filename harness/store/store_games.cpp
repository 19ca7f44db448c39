// Games and pairs of a Store.
//
// The bulk of a game (moves, last lines) lies apart in `records`; what counting needs stands in
// `games`, so that all pairs of a long run are loaded without reading a single move. Values from a
// store are checked as any other input: it may come from elsewhere, and a guilty player of 77 would
// be an index out of range later. What fails is StoreDamage, named by what it is.
//
// Lists of scores and programs are JSON that is written and read by hand, "[1,0.5]": a run of 10^5
// games has 2 x 10^5 of them, and each is read whenever the run is.
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/move_codec.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

// The order in which bind_key() and the readers take columns.
constexpr std::string_view kDigestColumns =
    "programs, scores, termination, guilty, plies, used_us, moves_hash, harness_caused, number";
constexpr int kDigestSize = 9;

std::string scores_text(const rules::Scores& scores) {
    std::string text = "[";
    for (std::size_t player = 0; player < scores.players; ++player) {
        std::array<char, 32> digits{};
        char* const end =
            std::to_chars(digits.data(), digits.data() + digits.size(), scores[player]).ptr;
        if (player > 0) text += ',';
        text.append(digits.data(), end);
    }
    return text + "]";
}

/// Visits the numbers of "[1,0.5]"; false where the text is something else.
template <class Number, class Visit>
bool for_each_number(std::string_view text, const Visit& visit) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto number = to_number<Number>(text.substr(0, comma));
        if (!number || !visit(*number)) return false;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return true;
}

/// A win, a draw, a loss, or a share of them.
bool read_scores(std::string_view text, rules::Scores& scores) {
    return for_each_number<float>(text, [&](float score) {
        const bool is_score = score >= 0 && score <= 1;
        if (scores.players == rules::kMostPlayers || !is_score) return false;
        scores.value[scores.players++] = score;
        return true;
    });
}

std::string programs_text(const Lineup& programs) {
    std::string text = "[";
    for (std::size_t player = 0; player < programs.size(); ++player) {
        text += fmt::format("{}{}", player > 0 ? "," : "", programs[player]);
    }
    return text + "]";
}

/// As many as there are scores, and of a match's entrants.
bool read_programs(std::string_view text, std::size_t players, Lineup& programs) {
    programs = {};
    return for_each_number<int>(text,
                                [&](int program) {
                                    if (programs.size() == players || program < 0 ||
                                        program >= static_cast<int>(players))
                                        return false;
                                    programs.push_back(program);
                                    return true;
                                }) &&
           programs.size() == players && players > 0;
}

std::string_view view_of(const SQLite::Column& column) {
    // getText() first: it converts the value, and getBytes() then counts the converted text.
    const char* const text = column.getText();
    return {text, static_cast<std::size_t>(column.getBytes())};
}

GameDigest read_digest(SQLite::Statement& row, int first) {
    GameDigest digest;
    const auto termination = termination_of(view_of(row.getColumn(first + 2)));
    if (!read_scores(view_of(row.getColumn(first + 1)), digest.scores) ||
        !read_programs(view_of(row.getColumn(first)), digest.scores.players, digest.program) ||
        !termination) {
        throw StoreDamage{"a game's result"};
    }
    digest.termination = *termination;
    read_columns(row, first + 3, digest.guilty, digest.plies, digest.used_us, digest.moves_hash,
                 digest.harness_caused, digest.number);
    const bool is_possible = digest.guilty >= -1 &&
                             digest.guilty < static_cast<int>(digest.scores.players) &&
                             digest.plies >= 0 && digest.used_us >= 0 && digest.number >= 0;
    if (!is_possible) throw StoreDamage{"a game's result"};
    return digest;
}

/// Pairs are of two programs.
void check_two(const rules::Scores& scores) {
    if (scores.players != 2) throw StoreDamage{"a pair of games that are not of two players"};
}

PairState pair_state(std::string_view text) {
    if (const auto state = pair_state_of(text)) return *state;
    throw StoreDamage{"a pair's state"};
}

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

SQLite::Statement& prepared(std::unique_ptr<SQLite::Statement>& slot, SQLite::Database& database,
                            std::string_view sql) {
    if (!slot) slot = std::make_unique<SQLite::Statement>(database, std::string(sql));
    slot->tryReset();  // an error of the previous use is not an error of this one
    return *slot;
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

void Store::write_pair(std::int64_t run, std::size_t match, const PairDigest& pair) {
    transaction([&] {
        SQLite::Statement& insert = prepared(
            parts_->insert_pair, *parts_->database,
            "INSERT INTO pairs (run, match, pair, attempt, state, opening_index, single) "
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?8 <= (SELECT count(*) FROM games WHERE run = ?1 AND match = ?2 AND pair = ?3 AND game IN (0, 1) "
            "AND attempt = ?4) ON CONFLICT DO UPDATE SET "
            "state = excluded.state, opening_index = excluded.opening_index");
        // A void pair may end with its first game.
        bind_all(insert, run, match, pair.pair, pair.attempt, name_of(pair.state),
                 pair.opening_index, pair.is_single,
                 pair.is_single || is_replaced(pair.state) ? 1 : 2);
        if (insert.exec() == 1) return;
        // The statement itself counts the games: a pair in the store without its games would be
        // counted by a resume, and nobody could say from what.
        throw Error(fmt::format("internal error: pair {} is written before its games", pair.pair),
                    4);
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
