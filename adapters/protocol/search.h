#pragma once
#include <climits>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/static_vector.hpp>

#include "adapters/process/arrival.h"
#include "base/clock.h"
#include "rules/game.h"

namespace assay::adapters {

/// A program's opinion of a position.
struct Score {
    enum class Bound : std::uint8_t { Exact, Lower, Upper };
    enum class View : std::uint8_t { Mover, FirstPlayer };

    bool is_mate = false;  // then `value` counts moves to mate; negative: the viewer is mated
    int value = 0;         // centipawns unless is_mate; positive: good for the viewer
    Bound bound = Bound::Exact;
    View view = View::Mover;  // who is the viewer

    friend bool operator==(const Score&, const Score&) = default;
};

/// The same opinion from the point of view of `mover`, the player who was to move.
[[nodiscard]] constexpr Score seen_by_mover(Score score, int mover) {
    using Bound = Score::Bound;
    if (score.view == Score::View::FirstPlayer && mover != 0) {
        score.value = score.value == INT_MIN ? INT_MAX : -score.value;
        if (score.bound != Bound::Exact) {
            score.bound = score.bound == Bound::Lower ? Bound::Upper : Bound::Lower;
        }
    }
    score.view = Score::View::Mover;
    return score;
}

/// True where `said`, which came later in the same search, takes the place of `known`. A bound is
/// no score: it never replaces an exact one. "Mate in 0" says nothing of a position that has moves,
/// and only such are searched.
[[nodiscard]] constexpr bool replaces(const Score& said, const std::optional<Score>& known) {
    if (said.is_mate && said.value == 0) return false;
    return said.bound == Score::Bound::Exact || !known || known->bound != Score::Bound::Exact;
}

/// What became of the score in the last line (of multipv 1) that says one.
enum class ScoreWord : std::uint8_t {
    Unsaid,      // no line says one
    Read,        // also "mate in 0", which is kept nowhere
    Unreadable,  // its kind or its number is missing or none
};

/// What a program last said of its best line (multipv 1) in one search. A field that it did not
/// say, or that could not be read, is unset. Numbers that overflow are the type's largest. The
/// score is the last exact one, with the depth and the line that came with it; a bound stands there
/// only where no exact score came.
struct SearchInfo {
    std::optional<int> depth;
    std::optional<int> seldepth;
    std::optional<Score> score;
    ScoreWord score_word = ScoreWord::Unsaid;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> nps;
    std::optional<std::uint64_t> tbhits;
    std::optional<int> hashfull;  // permille
    std::optional<Micros> time;   // the program's own measure, protocol's milliseconds
    std::string pv;               // protocol names, blank-separated

    // Its newest line with moves (before one came, with a score), also that of a bound, as it was
    // said; empty where none came, or where the protocol's adapter does not keep it.
    std::string line;
    std::optional<Score> line_score;
    std::size_t moves_at = 0;  // of the line's moves in `line`; their bytes
    std::size_t moves_size = 0;

    // By ProgramSpec::kept_lines: the last line of the search that matched, as it was said.
    std::vector<std::string> kept_lines;

    /// The moves of `line`.
    [[nodiscard]] std::string_view line_moves() const {
        return std::string_view(line).substr(moves_at, moves_size);
    }
};

/// What one player has on its clock when a search begins.
struct ClockSide {
    Micros left{0};
    Micros increment{0};
};

/// The clocks of a game, by player.
using Clocks = boost::container::static_vector<ClockSide, rules::kMostPlayers>;

/// The time control of one player for a whole game. A protocol that tells it once a game needs it
/// here; the clocks of each move are in the search.
struct GameTime {
    Micros base{0};       // of the first period; with increment 0 and base 0: no clock
    Micros increment{0};  // after each move
    int moves = 0;        // in the period; 0: all
    Micros byoyomi{0};    // after the base
    int stones = 0;       // moves in each byoyomi; 0: one
    std::optional<Micros> move_time;
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;
};

/// A game that begins.
struct GameStart {
    std::string start;  // the position's text; empty: the game's start position
    std::string moves;  // of the opening, protocol names, blank-separated
    int player = -1;    // whom the program plays; -1: nobody, it only searches positions
    GameTime time;      // its own
};

/// One search. Views must live until go() returns.
struct SearchRequest {
    std::string_view start;  // the position's text; empty: the game's start position
    std::string_view moves;  // protocol names from there, blank-separated; may be empty
    int player = 0;          // who moves
    Clocks clocks;           // empty: the mover has none
    std::optional<int> moves_to_go;
    std::optional<Micros> move_time;
    std::optional<Micros> byoyomi;  // protocols without it fold it into the clock
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;
    std::optional<int> mate;
    bool infinite = false;
    bool ponder = false;
    std::vector<std::string> search_moves;
};

/// A program's answer to go(). Views live during the callback only.
struct BestMove {
    enum class Kind : std::uint8_t {
        Move,
        Resign,
        ClaimDraw,  // and plays `move`, unless it is empty
        ClaimWin,   // says that the rules give it the game
        Pass,       // a turn without a move
    };

    std::string_view move;    // as written, blanks trimmed; empty where the line named none
    std::string_view ponder;  // empty: none
    const SearchInfo* info = nullptr;  // never null
    Kind kind = Kind::Move;
};

}  // namespace assay::adapters
