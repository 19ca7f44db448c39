#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::rules {

/// A move of one game, packed by that game; meaningless to others. Never kNoMove.
using Move = std::uint32_t;
inline constexpr Move kNoMove = 0;

/// Who moves: a player's index from 0, or one of these.
inline constexpr int kChance = -1;  // the game itself draws (dice, cards)
inline constexpr int kNobody = -2;  // the game is over

inline constexpr std::size_t kMostPlayers = 8;

/// One score a player: 1 won, 0 lost, 0.5 drawn with two players; the sum is the game's affair.
struct Scores {
    std::array<float, kMostPlayers> value{};
    std::uint8_t players = 0;

    [[nodiscard]] float operator[](std::size_t player) const { return value[player]; }

    friend bool operator==(const Scores&, const Scores&) = default;
};

/// Why the rules ended a game. Games without a word of their own use Variant.
enum class Ending : std::uint8_t { Mate, Stalemate, Insufficient, Repetition, Fifty, Variant };

struct Outcome {
    Scores scores;
    Ending ending = Ending::Variant;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// A chance event and how likely it is; the probabilities of a position sum to 1.
struct ChanceMove {
    Move move = kNoMove;
    double probability = 0;
};

/// Where several notations exist, the first is what the game's protocol speaks.
/// Chess: Protocol is UCI's (e2e4, e7e8q), Text is SAN.
enum class Notation : std::uint8_t { Protocol, Text };

/// A position with its history: repetition and move counters that judge a game live here.
/// Copies by clone() share nothing. One thread at a time.
class Position {
public:
    virtual ~Position() = default;
    [[nodiscard]] virtual std::unique_ptr<Position> clone() const = 0;

    /// A player's index, kChance, or kNobody where result() is set.
    [[nodiscard]] virtual int to_move() const = 0;

    /// Appends every legal move, each once; `out` is cleared first. Empty where the game is over by
    /// the rules' own force (mate, stalemate) or chance moves; may be non-empty where a counter or
    /// repetition ended the game. The order depends on the position alone.
    virtual void moves(std::vector<Move>& out) const = 0;

    /// Outcomes of the chance event at a position where to_move() is kChance; empty elsewhere.
    virtual void chances(std::vector<ChanceMove>& out) const { out.clear(); }

    [[nodiscard]] virtual bool is_legal(Move move) const = 0;

    /// REQUIRES: the move is legal here (or one of chances()).
    virtual void make(Move move) = 0;

    /// Takes the last make() back; everything answers as before it. REQUIRES: ply() > 0.
    virtual void undo() = 0;

    /// Moves made since the position was created.
    [[nodiscard]] virtual int ply() const = 0;

    /// Set where the rules end the game here.
    [[nodiscard]] virtual std::optional<Outcome> result() const = 0;

    /// Equal for positions with the same future (side, rights, possible en passant), counters and
    /// history apart.
    [[nodiscard]] virtual std::uint64_t hash() const = 0;

    /// What Game::parse reads back. Chess: FEN with all six fields.
    [[nodiscard]] virtual std::string text() const = 0;

    /// REQUIRES: the move is legal here.
    [[nodiscard]] virtual std::string name_of(Move move, Notation notation) const = 0;

    /// The legal move that the text names, or nullopt (unknown, illegal or ambiguous).
    [[nodiscard]] virtual std::optional<Move> move_of(std::string_view text,
                                                      Notation notation) const = 0;

    /// The number that records print before a move; chess: FEN's full-move number.
    [[nodiscard]] virtual int move_number() const { return ply() + 1; }

    /// Plies since the last irreversible move (chess: pawn move or capture); adjudication of draws
    /// starts anew where it is 0.
    [[nodiscard]] virtual int quiet_plies() const { return ply(); }

    /// False only where `player` cannot win by any sequence of legal moves, as far as material
    /// tells (chess: a bare king; a lone minor piece against a bare king).
    [[nodiscard]] virtual bool can_win(int player) const {
        (void)player;
        return true;
    }
};

/// The immutable facts of a game; makes positions. Any thread may use it.
class Game {
public:
    virtual ~Game() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual int players() const = 0;
    [[nodiscard]] virtual std::span<const Notation> notations() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Position> start() const = 0;

    /// Throws Error with the reason where the text is no position of this game, or one that cannot
    /// be refereed.
    [[nodiscard]] virtual std::unique_ptr<Position> parse(std::string_view text) const = 0;

    /// True where castling is written king-takes-rook in the protocol (UCI_Chess960).
    [[nodiscard]] virtual bool is_chess960() const { return false; }
};

/// "chess" or "chess960" (also "fischerandom", "standard"). Throws Error with the nearest name.
[[nodiscard]] std::unique_ptr<Game> make_game(std::string_view name);

}  // namespace assay::rules
