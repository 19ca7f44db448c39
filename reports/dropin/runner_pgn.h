#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/plan/time_control.h"
#include "harness/record/game.h"
#include "reports/dropin/runner_words.h"
#include "rules/game.h"

namespace assay::reports::dropin {

/// What `-pgnout` and its neighbours ask.
struct RunnerPgnOptions {
    enum class Notation : std::uint8_t { San, Lan, Uci };

    Runner runner = Runner::Fastchess;
    Notation notation = Notation::San;  // cutechess-cli: San
    bool min = false;                   // no comments, only the tags that reading needs
    // Parts of a comment; fastchess only.
    bool nodes = false;
    bool seldepth = false;
    bool nps = false;
    bool hashfull = false;
    bool tbhits = false;
    bool timeleft = false;
    bool latency = false;
    bool pv = false;  // needs harness::RecordWishes::lines_of_moves
    std::string event = "Fastchess Tournament";
    std::string site = "?";
};

/// What the tags say of a player.
struct RunnerPlayer {
    std::string name;
    std::string id_name;    // that it said in the handshake
    std::string id_author;  // likewise
    harness::TimeControl time;
};

/// One game as fastchess or cutechess-cli write it, with the empty lines behind tags and moves:
/// their tags in their order, comments
/// `{+0.31/18 0.350s, n=4711, ...}` with the reason in the last one, lines of 80 bytes. An illegal
/// move is not written but named behind the reason. Every line of match_line stands as `line="..."`
/// in its move's comment (MoveRecord::lines). Bytes that would break a reader of the form (braces,
/// quotes, bytes that are no ASCII, results in a comment) are replaced. `players` by player;
/// `round` is the tag's, from 1. Throws Error where the record's start or moves are none of the
/// game.
[[nodiscard]] std::string runner_pgn(const RunnerPgnOptions& options, const rules::Game& rules,
                                     const std::vector<RunnerPlayer>& players,
                                     const harness::GameRecord& game, std::int64_t round);

/// The position at the game's end as the line that -epdout writes: fastchess's is EPD,
/// "... - - hmvc 3; fmvn 41;", cutechess-cli's a FEN.
[[nodiscard]] std::string final_position(Runner runner, const rules::Game& rules,
                                         const harness::GameRecord& game);

/// A move of chess with the piece and both fields: "Ng1f3", "e4xd5", "e7e8=Q+"; castling as in SAN.
[[nodiscard]] std::string lan_of(const std::string& san, const std::string& uci);

/// Text of programs and users as a tag's value has it.
[[nodiscard]] std::string tag_text(std::string_view text);

/// As the tags of times begin in both forms: "2026-11-29T16:04:05".
[[nodiscard]] std::string time_tag_begin(long long us);

}  // namespace assay::reports::dropin
