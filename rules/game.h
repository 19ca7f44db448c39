#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/scores.h"

namespace assay::rules {

class Tablebase;

/// A move of one game, packed by that game; meaningless to others. Never kNoMove.
using Move = std::uint32_t;
inline constexpr Move kNoMove = 0;

/// Who moves: a player's index from 0, or one of these.
inline constexpr int kChance = -1;  // the game itself draws (dice, cards)
inline constexpr int kNobody = -2;  // the game is over

/// One way in which the rules of a game end it. Sentences are put together from these texts.
struct Ending {
    std::string word;    // stored, counted and shown in tables: "mate", "three in a row"
    std::string manner;  // behind "wins by" and "draw by": "checkmate"; empty: the word
    std::string state;   // of a position: "it is mate"; empty: "the rules end it here (WORD)"
};

/// What an outcome depends on. A search may keep an outcome for a position only if it is Position.
enum class OutcomeBasis : std::uint8_t {
    Position,    // on the position alone
    Repetition,  // on earlier equal positions
    Counter,     // on a count of moves
};

/// How a game ended by its rules. Made at each node of a search, so it allocates nothing.
struct Outcome {
    Scores scores;
    std::string_view word;  // Ending::word; lives as long as the game
    OutcomeBasis basis = OutcomeBasis::Position;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// A chance event and how likely it is; the probabilities of a position sum to 1.
struct ChanceMove {
    Move move = kNoMove;
    double probability = 0;
};

/// How moves are written. Values above Text are notations of single protocols, numbered by the
/// game; GameInfo::protocols names them.
enum class Notation : std::uint8_t {
    Canonical,  // every game has it; records and stores use it. Chess: e2e4, e7e8q
    Text,       // what people read; a game without one uses Canonical. Chess: SAN
};

/// What a field of a board shows.
struct PictureField {
    bool is_outside = false;  // no field of the board
    int owner = kNobody;      // the player whose piece stands here; kNobody: neutral or none
    char letter = 0;          // of the piece in boards made of text; 0: the field is empty
    std::string_view piece;   // the piece's name, "knight"; empty where it is the only kind
};

/// A board as it is drawn. Names live as long as the game.
struct Picture {
    int columns = 0;
    int rows = 0;
    std::vector<PictureField> fields;  // row by row, from the top left; columns * rows of them
    /// Of BoardStyle::Lines: pairs of fields that a line joins, by their places in `fields`.
    std::vector<std::pair<int, int>> lines;
};

/// How the fields of a board look.
enum class BoardStyle : std::uint8_t {
    None,       // the game has no board: Position::picture() is always nullopt
    Plain,      // fields with borders
    Chequered,  // light and dark fields, also where some of them are outside the board
    Lines,      // points that lines join
};

/// The unit of the scores that programs report.
struct ScoreUnit {
    std::string name;  // of one unit, "pawn"; empty: the game has no unit, scores are plain numbers
    int parts = 1;     // programs report in such parts of it; chess: 100
};

/// File formats in which openings of a game exist beside texts of positions.
struct OpeningFormats {
    bool pgn = false;
    bool epd = false;
    bool polyglot = false;
};

/// A game's description of itself. Nothing outside the folder of a game knows more about it.
struct GameInfo {
    std::string name;                  // make_game() knows built-in games by it
    std::vector<std::string> aliases;  // other names of it, lower case, also in PGN's Variant tag
    std::vector<std::string> players;  // their names: "White", "Black"; 1 to kMostPlayers
    std::vector<Ending> endings;       // in the order in which tables list them
    bool has_chance = false;           // to_move() may be kChance
    bool has_hidden_information = false;
    /// Names by which search trees write a turn without a move, which Position::passed() makes;
    /// empty: the game has none.
    std::vector<std::string> null_moves;
    /// True where one move number covers a move of each player ("34." and "34..."), false where
    /// each move has a number of its own.
    bool numbers_rounds = false;
    /// Of rounds: who moves first in each. Chess: White, also where Black begins a position.
    int first_player = 0;
    ScoreUnit score_unit;
    BoardStyle board = BoardStyle::None;
    int start_positions = 1;  // Game::start_text() has so many
    OpeningFormats formats;
    /// By which protocols that play several games choose this one; empty: it is their default.
    std::string variant;
    std::string pgn_variant;  // PGN's Variant tag of it; empty: it has none
    /// Protocols whose programs do not write moves in Notation::Canonical, and what they write.
    std::vector<std::pair<std::string, Notation>> protocols;
    /// Said of a player whose opponent cannot win: "cannot be mated".
    std::string cannot_lose = "cannot be beaten";
};

/// How the field calls an opening.
struct OpeningName {
    std::string_view code;  // chess: of the Encyclopaedia of Chess Openings, "C50"
    std::string_view name;
};

/// The game's description of an ending; of a word that it does not list: one with that word alone.
[[nodiscard]] Ending ending_of(const GameInfo& info, std::string_view word);

/// For sentences: "checkmate".
[[nodiscard]] std::string manner_of(const GameInfo& info, std::string_view word);

/// For sentences about a position in which the game is over: "it is mate".
[[nodiscard]] std::string state_of(const GameInfo& info, std::string_view word);

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

    /// Endings that the rules let the player to move claim in place of a move; `out` is cleared
    /// first. They are legal and have names, and are not among moves(): to make one ends the game.
    virtual void claims(std::vector<Move>& out) const { out.clear(); }

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

    /// result(), for those who ask at each node of a search: it may be found without the list of
    /// moves. A fault of the rules that only the list meets stays unnoticed here.
    [[nodiscard]] virtual std::optional<Outcome> verdict() const { return result(); }

    /// Equal for positions with the same future (side, rights, possible en passant), counters and
    /// history apart.
    [[nodiscard]] virtual std::uint64_t hash() const = 0;

    /// hash() here, xor hash() behind the move: the same for moves that change the same things,
    /// whatever else stands on the board. The position is as before. REQUIRES: the move is legal.
    [[nodiscard]] virtual std::uint64_t signature(Move move);

    /// By which a search may keep what it found here: hash(), and of counters that are no part of
    /// it how near they are to a number at which the rules do something else. For a few moves
    /// around it, what was found with another count is not used.
    [[nodiscard]] virtual std::uint64_t search_key() const { return hash(); }

    /// What Game::parse reads back. Chess: FEN with all six fields.
    [[nodiscard]] virtual std::string text() const = 0;

    /// REQUIRES: the move is legal here, or one of chances().
    [[nodiscard]] virtual std::string name_of(Move move, Notation notation) const = 0;

    /// The legal move, or event of chances(), that the text names; nullopt where it is unknown,
    /// illegal or ambiguous.
    [[nodiscard]] virtual std::optional<Move> move_of(std::string_view text,
                                                      Notation notation) const = 0;

    /// The number that records print before a move; see GameInfo::numbers_rounds. Chess: FEN's
    /// full-move number.
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

    /// The position with the turn passed, as searches ask what would happen then (a null move); its
    /// history is forgotten. Null where the game has no null moves or the mover may not pass.
    [[nodiscard]] virtual std::unique_ptr<Position> passed() const { return nullptr; }

    /// Equal for positions that are the same opening of a paired game: those with equal hash(), and
    /// those that differ only in which player has which side, where the game has that symmetry.
    [[nodiscard]] virtual std::uint64_t opening_key() const { return hash(); }

    /// True where a static judgement of the position is not to be trusted: the mover is under
    /// attack, or `best`, a legal move here or kNoMove, changes the material.
    [[nodiscard]] virtual bool is_loud(Move best) const {
        (void)best;
        return false;
    }

    /// What stands on each field, as numbers that Game::contents() explains: picture() for those
    /// who ask at each node of a search. Empty where a game has no such numbers.
    [[nodiscard]] virtual std::span<const std::uint8_t> contents() const { return {}; }

    /// The board as a picture; nullopt where GameInfo::board is None.
    [[nodiscard]] virtual std::optional<Picture> picture() const { return std::nullopt; }
};

/// The board in text, each row after `indent`: letters of pieces, '.' for an empty field and a
/// blank outside the board, a blank behind each.
[[nodiscard]] std::string text_of(const Picture& picture, std::string_view indent);

/// The event of a position where chance moves that a random word draws by their probabilities.
/// REQUIRES: to_move() is kChance.
[[nodiscard]] Move drawn_event(const Position& position, std::uint64_t word);

/// "34." and "34..." before a move where numbers cover a round, else "34".
[[nodiscard]] std::string move_label(const GameInfo& info, const Position& position);

/// The immutable facts of a game; makes positions. Any thread may use it.
class Game {
public:
    virtual ~Game() = default;
    /// Lives as long as the game.
    [[nodiscard]] virtual const GameInfo& info() const = 0;

    [[nodiscard]] std::string_view name() const { return info().name; }

    [[nodiscard]] int players() const { return static_cast<int>(info().players.size()); }

    /// The notation in which programs of this protocol ("uci") write moves.
    [[nodiscard]] Notation notation_of(std::string_view protocol) const;

    [[nodiscard]] virtual std::span<const Notation> notations() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Position> start() const = 0;

    /// Throws Error with the reason where the text is no position of this game, or one that cannot
    /// be refereed.
    [[nodiscard]] virtual std::unique_ptr<Position> parse(std::string_view text) const = 0;

    /// By number in Position::contents(); lives as long as the game.
    [[nodiscard]] virtual std::span<const PictureField> contents() const { return {}; }

    /// The text of one of GameInfo::start_positions set-ups, from 0. REQUIRES: there is such a one.
    [[nodiscard]] virtual std::string start_text(int number) const;

    /// The name of the opening whose known line ends with this position; nullopt elsewhere, and
    /// where openings of the game have no names.
    [[nodiscard]] virtual std::optional<OpeningName> opening_name(const Position& position) const {
        (void)position;
        return std::nullopt;
    }

    /// Tables of perfect play in these folders, with ':' between them; null where there is no such
    /// thing for the game. Throws Error where they cannot be read.
    [[nodiscard]] virtual std::unique_ptr<Tablebase> open_tablebase(
        const std::string& folders) const;
};

}  // namespace assay::rules
