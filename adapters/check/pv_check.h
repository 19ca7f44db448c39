#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/search.h"
#include "rules/game.h"

namespace assay::adapters {

/// What can be wrong with the line of moves (principal variation) that a program said last before
/// its move, or with its score.
enum class PvFlaw : std::uint8_t {
    IllegalMove,      // a move of it is not legal
    AfterWin,         // it goes on where a player has won by the rules' own force (mate)
    AfterDraw,        // the same of a draw (stalemate)
    AfterRepetition,  // it goes on where a repetition has ended the game
    AfterCounter,     // the same of a count of moves (fifty moves)
    ShortMate,        // it announces a mate and is shorter than that
    LongMate,         // or longer
    NoMate,           // or has its length and does not end with it
    OtherMove,        // its first move is not the move that was played
    MateSign,         // two players in turn announce their own mate, or both that of the other
};

inline constexpr std::size_t kPvFlaws = static_cast<std::size_t>(PvFlaw::MateSign) + 1;

/// A sentence fragment about the line: "goes on after the game is won".
[[nodiscard]] std::string_view words_of(PvFlaw flaw);

/// What a program's answer is judged by.
struct PvAnswer {
    int player = 0;
    rules::Notation notation = rules::Notation::Canonical;  // in which it writes moves
    const SearchInfo& info;
    std::string_view best;            // the move that it plays, as written
    std::optional<rules::Move> move;  // the same; nullopt where it is not legal
};

/// A flaw of an answer. `move` is a view into the answer; empty where the line as a whole is meant.
struct PvTrouble {
    PvFlaw flaw = PvFlaw::IllegalMove;
    std::string_view move;
    int mate = 0;        // of MateSign: moves to mate by this player,
    int other_mate = 0;  // and by the one before it
};

/// Judges the lines of moves that the programs of one game say. Of a search only the newest line of
/// its best move is looked at (SearchInfo::line): lines of other moves (multipv) need not agree
/// with it. A line ends in no flaw where the game is over for want of material: programs need not
/// know that rule. What a player said in an earlier game is not compared with.
class PvCheck {
public:
    /// At most one flaw of the line itself, then OtherMove and MateSign where they hold. The
    /// position is the one that was searched, and is as before afterwards.
    void look(rules::Position& position, const PvAnswer& answer, std::vector<PvTrouble>& found);

    /// What the other player had said when MateSign was found.
    [[nodiscard]] const std::string& other_line() const { return other_line_; }

private:
    void check_line(rules::Position& position, const PvAnswer& answer,
                    std::vector<PvTrouble>& found);
    [[nodiscard]] std::optional<PvFlaw> flaw_of_step(const rules::Position& position,
                                                     bool is_behind_root, bool is_legal);
    void check_mate_sign(const PvAnswer& answer, std::vector<PvTrouble>& found);

    int last_player_ = -1;
    int last_mate_ = 0;  // that it announced; 0: none
    std::string last_line_;
    std::string other_line_;
    std::vector<rules::Move> moves_;  // storage
};

}  // namespace assay::adapters
