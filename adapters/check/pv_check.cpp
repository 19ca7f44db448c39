// Looks whether the line that a program announces can be played and is as long as the mate that it
// announces. Asking the rules for a result after each move would make the check of long lines
// expensive; the asking is limited to where an end can have come unnoticed: a legal move shows by
// itself that the game goes on, except for repetitions and counters, which need at least four quiet
// plies. A flaw is reported, never punished: programs announce lines from hash tables, and the game
// does not depend on them.
//
// Two programs cannot both announce their own mate in consecutive moves (MateSign). It shows a
// wrong sign or view of the score, which adjudication would believe. Bounds are no announcements.
#include "adapters/check/pv_check.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "base/text.h"

namespace assay::adapters {

namespace {

/// The newest line, or what is known of the best one where the protocol keeps no lines.
std::string_view moves_of(const SearchInfo& info) {
    return info.line.empty() ? std::string_view(info.pv) : info.line_moves();
}

/// The mate that a score announces, 0 if none or not for sure.
int mate_of(const std::optional<Score>& score, int player) {
    if (!score || !score->is_mate || score->bound != Score::Bound::Exact) return 0;
    return seen_by_mover(*score, player).value;
}

/// Moves of both players until a mate in so many moves of the winner.
long long plies_to(int mate) {
    const long long moves = std::llabs(mate);
    return mate > 0 ? 2 * moves - 1 : 2 * moves;
}

/// A walk along a line of moves; takes its moves back when it ends.
class Walk {
public:
    explicit Walk(rules::Position& position) : position_(position) {}

    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    ~Walk() {
        for (; plies_ > 0; --plies_) position_.undo();
    }

    void make(rules::Move move) {
        position_.make(move);
        ++plies_;
    }

    [[nodiscard]] int plies() const { return plies_; }

private:
    rules::Position& position_;
    int plies_ = 0;
};

// A line may have 64 KiB, and each of its moves is made on the thread that all games share.
constexpr int kMostPlies = 256;
/// Fewer reversible plies bring no position back.
constexpr int kLeastRepetition = 4;

/// By PvFlaw.
constexpr std::array<std::string_view, kPvFlaws> kWords{
    "has an illegal move",
    "goes on after the game is won",
    "goes on after the game is drawn",
    "goes on after a repetition has ended the game",
    "goes on after the count of moves has ended the game",
    "is shorter than the mate that it announces",
    "is longer than the mate that it announces",
    "does not end with the mate that it announces",
    "does not begin with the move that was played",
    "announces a mate that contradicts the other program's",
};

}  // namespace

std::string_view words_of(PvFlaw flaw) {
    return kWords.at(static_cast<std::size_t>(flaw));
}

void PvCheck::look(rules::Position& position, const PvAnswer& answer,
                   std::vector<PvTrouble>& found) {
    check_line(position, answer, found);
    const std::string_view moves = moves_of(answer.info);
    if (!answer.best.empty() && !moves.empty()) {
        const std::string_view first = moves.substr(0, moves.find(' '));
        const bool is_same =
            first == answer.best ||
            (answer.move && position.move_of(first, answer.notation) == answer.move);
        if (!is_same) found.push_back({PvFlaw::OtherMove, answer.best});
    }
    check_mate_sign(answer, found);
}

/// Why the line must not go on from here. A legal move says by itself that no player has won and
/// that some are left; so the end is asked for only where a repetition or a count can have brought
/// it. No flaw, and no move, where chance has the turn: what follows is not in the line.
std::optional<PvFlaw> PvCheck::flaw_of_step(const rules::Position& position, bool is_behind_root,
                                            bool is_legal) {
    using rules::OutcomeBasis;
    if (is_legal) {
        if (!is_behind_root || position.quiet_plies() < kLeastRepetition) return std::nullopt;
        const auto over = position.result();
        if (!over || over->basis == OutcomeBasis::Position) return std::nullopt;
        return over->basis == OutcomeBasis::Repetition ? PvFlaw::AfterRepetition
                                                       : PvFlaw::AfterCounter;
    }
    const auto over = position.result();
    if (!over) {
        if (position.to_move() == rules::kChance) return std::nullopt;
        return PvFlaw::IllegalMove;
    }
    position.moves(moves_);
    if (!moves_.empty()) return PvFlaw::IllegalMove;
    return over->scores.winner() >= 0 ? PvFlaw::AfterWin : PvFlaw::AfterDraw;
}

void PvCheck::check_line(rules::Position& position, const PvAnswer& answer,
                         std::vector<PvTrouble>& found) {
    std::string_view rest = moves_of(answer.info);
    if (rest.empty()) return;
    Walk walk(position);
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        const auto move = position.move_of(word, answer.notation);
        if (const auto flaw = flaw_of_step(position, walk.plies() > 0, move.has_value())) {
            found.push_back({*flaw, word});
            return;
        }
        if (!move || walk.plies() == kMostPlies) return;
        walk.make(*move);
    }

    const auto& score = answer.info.line.empty() ? answer.info.score : answer.info.line_score;
    const int mate = mate_of(score, answer.player);
    if (mate == 0) return;
    const auto end = position.result();
    const int winner = end ? end->scores.winner() : -1;
    const bool is_announced = winner >= 0 && (winner == answer.player) == (mate > 0);
    // Where the winner need not be who moved last, as in othello, the other may have the last move.
    const long long plies_of_other = plies_to(mate) + (mate > 0 ? 1 : -1);
    if (is_announced && walk.plies() == plies_of_other) return;
    if (walk.plies() != plies_to(mate)) {
        found.push_back({walk.plies() < plies_to(mate) ? PvFlaw::ShortMate : PvFlaw::LongMate, {}});
        return;
    }
    if (!is_announced) found.push_back({PvFlaw::NoMate, {}});
}

void PvCheck::check_mate_sign(const PvAnswer& answer, std::vector<PvTrouble>& found) {
    const int mate = mate_of(answer.info.score, answer.player);
    const bool is_answer = last_player_ >= 0 && last_player_ != answer.player;
    if (is_answer && mate != 0 && last_mate_ != 0 && (mate > 0) == (last_mate_ > 0)) {
        found.push_back({PvFlaw::MateSign, {}, mate, last_mate_});
        other_line_ = last_line_;
    }
    last_player_ = answer.player;
    last_mate_ = mate;
    last_line_.clear();
    if (mate != 0) last_line_ = answer.info.line;
}

}  // namespace assay::adapters
