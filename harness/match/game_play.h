#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "adapters/protocol/player.h"
#include "adapters/protocol/search.h"
#include "harness/match/adjudicator.h"
#include "harness/match/game_clock.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "openings/read/opening.h"
#include "rules/game.h"

namespace assay::harness {

/// How long a move took, and how much of that the harness caused.
struct MoveTime {
    Micros used{0};
    Micros delay{0};
};

/// Judges one game: holds the position, both clocks and the record, and knows no process. The
/// order of judgement after a move is: legality, flag, rules, resignation, draw, length (an illegal
/// move loses before the flag is looked at; a late move loses even if it mates).
class GamePlay {
public:
    struct Setup {
        std::int64_t number = 1;  // GameRecord::number
        std::int64_t pair = 0;
        int game = 0;  // 0: the first program of `between` moves first in the game's start
        int attempt = 0;
        int slot = 0;
        /// By program: in which notation it writes moves (rules::Game::notation_of).
        std::array<rules::Notation, 2> notation{};
        std::uint64_t luck = 0;  // seeds chance events; the same for both games of a pair
    };

    /// `names` are the programs' names, for sentences. REQUIRES: the opening is legal and does not
    /// end the game, nor do chance events behind it; `game` and `plan` outlive the object.
    GamePlay(const rules::Game& game, const MatchPlan& plan,
             const std::array<std::string, 2>& names, const openings::Opening& opening,
             const Setup& setup);

    [[nodiscard]] bool is_over() const { return over_; }

    /// The player who moves, 0 or 1. REQUIRES: not is_over().
    [[nodiscard]] int mover() const { return mover_; }

    /// Program (0 or 1 of `between`) that plays this player.
    [[nodiscard]] int program_of(int player) const {
        return record_.program[static_cast<std::size_t>(player)];
    }

    /// The game as this player's program is told of it before its first move.
    [[nodiscard]] adapters::GameStart start_of(int player) const;
    /// The mover's request; its views live until the next on_…() call.
    [[nodiscard]] adapters::SearchRequest request() const;
    /// The request of the player who waits, pondering on `expected` (in its own notation), which is
    /// appended to the moves; `moves` is its storage. nullopt where `expected` is not legal or ends
    /// the game.
    [[nodiscard]] std::optional<adapters::SearchRequest> ponder_request(int player,
                                                                        std::string_view expected,
                                                                        std::string& moves) const;
    [[nodiscard]] std::optional<Micros> flag_limit() const;
    /// Where no time decides: how long the answer may take before `stop` is sent.
    [[nodiscard]] Micros wall_limit() const;

    [[nodiscard]] bool needs_clock() const { return flag_limit().has_value(); }

    void on_move(const adapters::BestMove& best, const MoveTime& time);
    /// The mover has not answered and its flag has fallen.
    void on_flag(const MoveTime& time);
    /// A program did not answer: the mover within the wall limit and the second after `stop`, or
    /// either one to a new game.
    void on_stall(int player, const std::string& what);
    /// A program is gone; `player` is to blame.
    void on_gone(int player, const adapters::Gone& gone, bool started);

    /// The last lines of the guilty program, and the last command that it was given.
    void set_last_words(std::string lines, std::string command);
    void set_times(long long started_us, long long ended_us);

    [[nodiscard]] const GameRecord& record() const { return record_; }

    /// REQUIRES: is_over(). Leaves the object empty.
    [[nodiscard]] GameRecord take_record() { return std::move(record_); }

    /// "move 34" of the mover, as records number it.
    [[nodiscard]] std::string where() const;

private:
    [[nodiscard]] std::string name_of(int player) const;

    [[nodiscard]] GameClock& clock(int player) { return clocks_[static_cast<std::size_t>(player)]; }

    [[nodiscard]] bool judge_claim(const adapters::BestMove& best, int player);
    void make(rules::Move move);
    /// Draws chance events until a player moves or the game is over.
    void go_to_player();
    void judge_position();
    /// -1: a draw.
    [[nodiscard]] rules::Scores scores_with_winner(int winner) const;
    void adjudicate(int mover, const std::optional<adapters::Score>& score, int round);
    void lose_on_time(int mover, Micros over, const MoveTime& time);
    void lose(int player, Termination termination, std::string reason);
    void end(const rules::Scores& scores, Termination termination, std::string reason);

    const rules::Game& game_;
    const MatchPlan& plan_;
    std::array<std::string, 2> names_;
    std::unique_ptr<rules::Position> position_;
    std::array<GameClock, 2> clocks_;  // by player
    Adjudicator adjudicator_;
    std::array<rules::Notation, 2> notation_{};  // by player
    std::array<std::string, 2> moves_;  // by player, in its notation, blank-separated, with opening
    std::uint64_t luck_;
    std::uint64_t events_ = 0;  // chance events so far
    GameRecord record_;
    int draw_claimed_by_ =
        -1;          // the player whose last move came with the claim of a draw; -1: it did not
    int mover_ = 0;  // the position would look for a legal move each time it is asked
    bool over_ = false;
};

}  // namespace assay::harness
