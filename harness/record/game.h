#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/search.h"
#include "base/clock.h"
#include "rules/game.h"

namespace assay::harness {

/// Why a game ended. Names in stores and JSON are those of name_of().
enum class Termination : std::uint8_t {
    Mate,
    Stalemate,
    Insufficient,
    Repetition,
    Fifty,
    Variant,  // by the rules
    DrawAdjudicated,
    WinAdjudicated,
    Tablebase,
    Length,       // by the harness's adjudication
    Time,         // the clock ran out; also a late but legal move
    IllegalMove,  // also no move at all
    Crash,        // the process ended in the game
    Disconnect,   // it closed its pipe, or flooded it
    Stall,        // no answer to isready or within the wall limit of nodes, depth, infinite
    NoStart,      // no handshake
    ClaimResign,
    ClaimDraw,
    Interrupted,  // stopped by the user or for want of a partner; never counted
};

inline constexpr std::size_t kTerminations = static_cast<std::size_t>(Termination::Interrupted) + 1;

/// "mate", "draw_adjudicated" … (ARCHITECTURE: JSON that scripts rely on).
[[nodiscard]] std::string_view name_of(Termination termination);
[[nodiscard]] std::optional<Termination> termination_of(std::string_view name);
/// For people: "checkmate", "adjudicated draw" …
[[nodiscard]] std::string_view words_of(Termination termination);
/// True where a program is to blame: time, illegal move, crash, disconnect, stall, no start.
[[nodiscard]] bool is_failure(Termination termination);

/// One move as played.
struct MoveRecord {
    std::string name;  // protocol notation
    int player = 0;    // who made it
    Micros used{0};    // booked on the clock
    Micros left{0};    // on the mover's clock afterwards; 0 where it has none
    Micros delay{0};   // the harness's own, contained in `used`
    std::optional<adapters::Score> score;
    std::optional<int> depth;
    std::optional<int> seldepth;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> nps;
    std::optional<std::uint64_t> tbhits;
    std::optional<int> hashfull;
    std::optional<Micros> said;  // the program's own time
    std::string pv;              // kept only if the run asks for it
};

/// One finished game. Game numbers from 1: 2 * pair + game + 1, with pair and game from 0.
struct GameRecord {
    std::int64_t pair = 0;  // in schedule order, from 0
    int game = 0;           // 0 or 1 within the pair
    int attempt = 0;        // from 0; counts replays after a void
    std::array<int, 2> program{
        0, 1};          // player (0 moves first in the game's start) -> 0/1 of `between`
    std::string start;  // position text; empty: the game's start
    std::vector<std::string> opening;  // book moves, protocol notation
    std::vector<MoveRecord> moves;     // after the opening
    rules::Scores scores;              // by player
    Termination termination = Termination::Interrupted;
    int guilty = -1;              // player to blame, -1: nobody
    std::string reason;           // one sentence with names and numbers
    std::string last_lines;       // of the guilty program: output, then stderr; printable
    std::string last_command;     // what it had been told
    bool harness_caused = false;  // a time loss within the harness's own delay: the pair is void,
                                  // unless too many were; then it counts, and taints the run
    std::uint64_t opening_index = 0;
    long long started_us = 0;  // wall clock, microseconds since 1970
    long long ended_us = 0;
    int slot = 0;
    std::int64_t machine = 0;  // that it was played on: 0 for the one its run began on, else id()

    [[nodiscard]] std::int64_t number() const { return 2 * pair + game + 1; }

    /// Program (0 or 1 of `between`) that a player was.
    [[nodiscard]] int program_of(int player) const {
        return program[static_cast<std::size_t>(player)];
    }

    /// The score of program 0 or 1 of `between`.
    [[nodiscard]] float score_of(int program_index) const {
        return scores[program[0] == program_index ? 0 : 1];
    }
};

}  // namespace assay::harness
