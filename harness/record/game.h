#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/search.h"
#include "base/clock.h"
#include "harness/record/pv_finding.h"
#include "rules/game.h"

namespace assay::harness {

/// Why a game ended: a cause, and where the rules of the game ended it, the game's word for it.
struct Termination {
    enum Cause : std::uint8_t {
        Rules,
        DrawAdjudicated,
        WinAdjudicated,
        Tablebase,
        Length,       // by the harness's adjudication
        Time,         // the clock ran out; also a late but legal move
        IllegalMove,  // also no move at all
        Crash,        // the process ended in the game
        Disconnect,   // it closed its pipe, or flooded it
        Stall,        // no answer to a ping or within the wall limit of nodes, depth, infinite
        NoStart,      // no handshake
        ClaimResign,
        ClaimDraw,
        Interrupted,  // stopped by the user or for want of a partner; never counted
    };

    Cause cause = Interrupted;
    std::string word;  // rules::Ending::word, "mate"; empty unless the cause is Rules

    Termination() = default;

    // NOLINTNEXTLINE(google-explicit-constructor): a cause other than Rules is a whole termination.
    Termination(Cause given) : cause(given) {}

    /// A word that is the name of another cause gets " by the rules" behind it; an empty one is
    /// "variant".
    [[nodiscard]] static Termination by_rules(std::string_view word);

    friend auto operator<=>(const Termination&, const Termination&) = default;
};

inline constexpr std::size_t kCauses = static_cast<std::size_t>(Termination::Interrupted) + 1;

/// As stores and JSON have it: the word of the rules, or "draw_adjudicated" … (ARCHITECTURE: JSON
/// that scripts rely on). Lives as long as the termination.
[[nodiscard]] std::string_view name_of(const Termination& termination);
/// A name that is no cause's is a word of the rules; nullopt where it is not a short printable
/// text.
[[nodiscard]] std::optional<Termination> termination_of(std::string_view name);
/// For people: "adjudicated draw"; of the rules, the word. Lives as long as the termination.
[[nodiscard]] std::string_view words_of(const Termination& termination);
/// True where a program is to blame: time, illegal move, crash, disconnect, stall, no start.
[[nodiscard]] bool is_failure(const Termination& termination);
/// True where the guilty program is no longer there or does not answer: crash, disconnect, stall,
/// no start.
[[nodiscard]] bool is_gone(const Termination& termination);

/// The programs that play a game, by player.
class Lineup {
public:
    Lineup() = default;
    /// REQUIRES: at most rules::kMostPlayers.
    Lineup(std::initializer_list<int> programs);

    [[nodiscard]] std::size_t size() const { return players_; }

    /// REQUIRES: player < size().
    [[nodiscard]] int operator[](std::size_t player) const { return program_[player]; }

    /// The player that this program is, or -1.
    [[nodiscard]] int player_of(int program) const;

    /// REQUIRES: size() < rules::kMostPlayers.
    void push_back(int program);

    friend bool operator==(const Lineup&, const Lineup&) = default;

private:
    std::array<std::int16_t, rules::kMostPlayers> program_{};
    std::uint8_t players_ = 0;
};

/// One move as played.
struct MoveRecord {
    std::string name;  // canonical notation
    int player = 0;    // who made it; rules::kChance: an event that was drawn
    Micros used{0};    // booked on the clock
    Micros left{0};    // on the mover's clock afterwards; 0 where it has none
    Micros delay{0};   // the harness's own, contained in `used`
    std::optional<adapters::Score> score;
    adapters::ScoreWord score_word = adapters::ScoreWord::Unsaid;  // not stored
    std::optional<int> depth;
    std::optional<int> seldepth;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> nps;
    std::optional<std::uint64_t> tbhits;
    std::optional<int> hashfull;
    std::optional<Micros> said;  // the program's own time
    std::string pv;              // kept only if the run asks for it (RecordWishes)
    // Of its search, by RecordWishes::lines: the last that matched; not stored.
    std::vector<std::string> lines;
};

/// What a run keeps of its games beyond the usual, for listeners that write it down.
struct RecordWishes {
    bool lines_of_moves = false;     // MoveRecord::pv
    std::vector<std::string> lines;  // MoveRecord::lines; see adapters::ProgramSpec::kept_lines
};

/// One finished game.
struct GameRecord {
    std::size_t match = 0;             // of the run's plan; not part of what is stored of a game
    std::int64_t number = 0;           // in its match, from 1; given by the schedule
    std::int64_t pair = 0;             // in schedule order, from 0
    int game = 0;                      // 0 or 1 within the pair
    int attempt = 0;                   // from 0; counts replays after a void
    Lineup program{0, 1};              // by player; in a match of two 0 and 1 of `between`
    std::string start;                 // position text; empty: the game's start
    std::vector<std::string> opening;  // book moves, canonical notation
    std::vector<MoveRecord> moves;     // after the opening
    rules::Scores scores;              // by player
    Termination termination;
    int guilty = -1;              // player to blame, -1: nobody
    std::string reason;           // one sentence with names and numbers
    std::string last_lines;       // of the guilty program: output, then stderr; printable
    std::string last_command;     // what it had been told
    std::string illegal_move;     // of a game lost by one, as it was said; not stored
    Micros overrun{0};            // of a loss on time, beyond the clock; not stored
    bool harness_caused = false;  // a time loss within the harness's own delay: the pair is void,
                                  // unless too many were; then it counts, and taints the run
    // Flaws of the lines that the programs said. Not read back with the game: Store::pv_summary().
    std::vector<PvCount> pv_counts;
    std::uint64_t opening_index = 0;
    long long started_us = 0;  // wall clock, microseconds since 1970
    long long ended_us = 0;
    int slot = 0;
    std::int64_t machine = 0;  // that it was played on: 0 for the one its run began on, else id()

    /// The program (its number in the plan of the match) that a player was.
    [[nodiscard]] int program_of(int player) const {
        return program[static_cast<std::size_t>(player)];
    }

    /// The score of a program; 0 where it does not play in this game.
    [[nodiscard]] float score_of(int program_index) const {
        const int player = program.player_of(program_index);
        return player < 0 ? 0.0F : scores[static_cast<std::size_t>(player)];
    }
};

}  // namespace assay::harness
