#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "adapters/check/pv_check.h"
#include "adapters/protocol/player.h"
#include "adapters/protocol/search.h"
#include "harness/match/adjudicator.h"
#include "harness/match/game_clock.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "harness/record/live.h"
#include "openings/read/opening.h"
#include "rules/chance.h"
#include "rules/game.h"
#include "rules/tablebase.h"

namespace assay::harness {

/// How long a move took, and how much of that the harness caused.
struct MoveTime {
    Micros used{0};
    Micros delay{0};
};

/// A program that plays in a game.
struct GameEntrant {
    std::string name;  // for sentences
    TimeControl time;
    rules::Notation notation = rules::Notation::Canonical;  // in which it writes moves
};

/// Which entrant each player is: at turn 0 entrant 0 is player 0, and with each further turn every
/// entrant moves on by one player.
[[nodiscard]] Lineup lineup_of(std::size_t entrants, int turn);

/// Judges one game of any number of players: holds the position, their clocks and the record, and
/// knows no process. The order of judgement after a move is: legality, flag, rules, tablebase,
/// resignation, draw, length (an illegal move loses before the flag is looked at; a late move loses
/// even if it mates). A player who loses by its own fault or resigns has 0, and the others share
/// one point (rules::scores_with_loser): the game ends there, also in a game of more than two. A
/// draw is claimed where every player's last move came with the claim.
class GamePlay {
public:
    struct Setup {
        std::size_t match = 0;    // GameRecord::match
        std::int64_t number = 1;  // GameRecord::number
        std::int64_t pair = 0;
        int game = 0;  // within its encounter
        int turn = 0;  // see lineup_of()
        int attempt = 0;
        int slot = 0;
        std::uint64_t luck = 0;  // seeds chance events; the same for all games of an encounter
        rules::Drawing chance = rules::Drawing::Ordinal;
        bool checks_pv = true;  // MatchPlan::check_pv
        bool keeps_pv = false;  // RecordWishes::lines_of_moves
        const rules::Tablebase* tablebase =
            nullptr;  // AdjudicatePlan::tablebase; outlives the game
    };

    /// REQUIRES: there are as many entrants as the game has players; the opening is legal and does
    /// not end the game, nor do chance events behind it; `game` outlives the object.
    GamePlay(const rules::Game& game, std::span<const GameEntrant> entrants,
             const AdjudicatePlan& adjudicate, const openings::Opening& opening,
             const Setup& setup);

    [[nodiscard]] bool is_over() const { return over_; }

    /// The player who moves. REQUIRES: not is_over().
    [[nodiscard]] int mover() const { return mover_; }

    /// The entrant that is this player.
    [[nodiscard]] int program_of(int player) const {
        return record_.program[static_cast<std::size_t>(player)];
    }

    /// The game as this player's program is told of it before its first move.
    [[nodiscard]] adapters::GameStart start_of(int player) const;
    /// The mover's request; its views live until the next on_…() call.
    [[nodiscard]] adapters::SearchRequest request() const;
    /// The request of a player who waits, pondering on `expected` (in its own notation), which is
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
    /// any one to a new game.
    void on_stall(int player, const std::string& what);
    /// A program is gone; `player` is to blame.
    void on_gone(int player, const adapters::Gone& gone, bool started);

    /// The last lines of the guilty program, and the last command that it was given.
    void set_last_words(std::string lines, std::string command);
    void set_times(long long started_us, long long ended_us);

    /// What was found wrong with the lines of moves that came with on_move() since the last call.
    [[nodiscard]] std::vector<PvFinding> take_findings() { return std::exchange(findings_, {}); }

    [[nodiscard]] const GameRecord& record() const { return record_; }

    /// REQUIRES: is_over(). Leaves the object empty.
    [[nodiscard]] GameRecord take_record() { return std::move(record_); }

    /// The game as far as it is played, for whoever watches. Its programs are counted as entrants
    /// are; turn and is_open are the caller's to set.
    [[nodiscard]] LiveGame live() const;

    /// "move 34" of the mover, as records number it.
    [[nodiscard]] std::string where() const;

private:
    [[nodiscard]] const std::string& name_of(int player) const;

    [[nodiscard]] const GameClock& clock(int player) const {
        return clocks_[static_cast<std::size_t>(player)];
    }

    [[nodiscard]] std::size_t players() const { return clocks_.size(); }

    [[nodiscard]] MoveRecord record_of(rules::Move move, const adapters::SearchInfo& info,
                                       int player, const MoveTime& time) const;
    [[nodiscard]] std::string granted_claim(const adapters::BestMove& best, int player) const;
    void check_pv(const adapters::BestMove& best, std::optional<rules::Move> move, int player);
    [[nodiscard]] bool judge_claim(const adapters::BestMove& best, int player);
    void make(rules::Move move);
    /// Draws chance events until a player moves or the game is over.
    void go_to_player();
    void judge_position();
    [[nodiscard]] bool all_others_claimed_draw(int player) const;
    [[nodiscard]] bool can_others_win(int player) const;
    void ask_tables();
    void adjudicate(int mover, const std::optional<adapters::Score>& score, int round);
    void lose_on_time(int mover, Micros over, const MoveTime& time);
    void lose(int player, Termination termination, std::string reason);
    void end(const rules::Scores& scores, Termination termination, std::string reason);

    const rules::Game& game_;
    bool is_flag_drawn_;  // AdjudicatePlan::flag_is_draw_if_none_can_win
    std::optional<AdjudicatePlan::Tables> tables_;
    const rules::Tablebase* tablebase_;  // may be null
    std::unique_ptr<rules::Position> position_;
    std::vector<std::string> names_;  // by player, as all that follow
    std::vector<GameClock> clocks_;
    std::vector<rules::Notation> notation_;
    std::vector<std::string> moves_;  // in its notation, blank-separated, with the opening
    Adjudicator adjudicator_;
    rules::ChanceSource chance_;
    rules::Move last_ = rules::kNoMove;  // that was made
    GameRecord record_;
    bool checks_pv_;
    bool keeps_pv_;
    adapters::PvCheck pv_check_;
    std::vector<adapters::PvTrouble> troubles_;  // storage of check_pv()
    std::vector<PvFinding> findings_;
    std::uint32_t draw_claims_ = 0;  // a bit a player: all moves since its last one claimed a draw
    int mover_ = 0;  // the position would look for a legal move each time it is asked
    bool over_ = false;
};

}  // namespace assay::harness
