#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "openings/book.h"
#include "openings/order.h"
#include "openings/read/opening.h"
#include "rules/game.h"

namespace assay::openings {

/// Which positions make a book. Scores are centipawns.
struct BuildRules {
    std::uint64_t count = 1000;  // openings wanted
    std::uint64_t seed = 1;
    int fewest_plies = 8;  // of the walk that leads to a position
    int most_plies = 9;
    int least_score = 0;  // of the better side
    int most_score = 25;
    int stable = 25;  // the two evaluations may differ by at most this
    int spread = 45;  // a move of the walk that loses this much is kept e times less often
    std::uint64_t walk_nodes = 1000;  // of a search in the walk; 0: moves are drawn without search
    std::uint64_t nodes = 20'000;     // of the final evaluation; 0: by depth
    int depth = 0;
    bool quiet = true;  // only positions that are not loud (rules::Position::is_loud)
};

/// A search whose answer a candidate needs.
struct BuildQuery {
    std::string start;  // position's text; empty: the game's start
    std::string moves;
    int player = 0;           // who moves there
    std::uint64_t nodes = 0;  // 0: by depth
    int depth = 0;
    bool is_common = false;  // so near the root that other candidates need it too
};

/// The program's answer, from the view of the side to move.
struct BuildAnswer {
    std::optional<int> score;  // unset: none, or a mate
    bool is_exact = true;
    std::string best;  // move, in the protocol's notation
};

/// Why a candidate does not enter the book.
enum class Refusal : std::uint8_t { Window, Unsteady, Loud, Repeated, NoMove, Failing };
inline constexpr std::size_t kRefusals = 6;

/// "score outside the window", "judgements apart", …
[[nodiscard]] std::string_view text_of(Refusal refusal);

/// One random walk from a start, and the evaluation of its last position. A pure function of rules,
/// number and answers, so a book does not depend on the order in which searches end. Moves are
/// drawn one by one from the legal ones and kept with probability exp(-loss / spread); the last
/// move is kept if a short search puts it into the window. Two evaluations follow: one with a third
/// of the nodes (or two plies less depth), and the final one.
class Candidate {
public:
    /// `from`: where the walk begins.
    Candidate(const BuildRules& rules, const rules::Game& game, Opening from, std::uint64_t number);

    /// The search that it needs next; nullopt once it is decided.
    [[nodiscard]] const std::optional<BuildQuery>& query() const { return query_; }

    /// REQUIRES: query().
    void answer(const BuildAnswer& answer);
    void refuse(Refusal why);

    [[nodiscard]] std::uint64_t number() const { return number_; }

    [[nodiscard]] const std::optional<Refusal>& refusal() const { return refusal_; }

    /// The moves of the walk so far.
    [[nodiscard]] const Opening& opening() const { return opening_; }

    /// rules::Position::opening_key() of the walk's present position.
    [[nodiscard]] std::uint64_t key() const;

    /// The final evaluation, from the side to move. REQUIRES: decided and not refused.
    [[nodiscard]] int score() const { return score_; }

    /// True where the walk has ended and only evaluations are left.
    [[nodiscard]] bool is_at_end() const { return stage_ >= Stage::Quick; }

private:
    enum class Stage : std::uint8_t { Base, Trial, Quick, Full };

    void ask(Stage stage);
    void go_on();
    void try_move();
    void take_trial(const BuildAnswer& answer);
    void judge(const BuildAnswer& answer);
    [[nodiscard]] bool is_in_window(int score, int slack) const;
    [[nodiscard]] bool is_loud(const std::string& best) const;

    BuildRules rules_;
    std::uint64_t number_;
    Random random_;
    Opening opening_;
    std::unique_ptr<rules::Position> position_;
    int plies_left_ = 0;
    std::vector<rules::Move> untried_;
    rules::Move trial_ = rules::kNoMove;
    Stage stage_ = Stage::Base;
    std::optional<BuildQuery> query_;
    std::optional<Refusal> refusal_;
    bool is_scored_ = false;  // score_ is of the position
    int score_ = 0;
};

/// An opening of the book that is being built.
struct BuiltOpening {
    std::uint64_t number = 0;  // of the candidate, from 0
    int score = 0;             // from the side to move
    Opening opening;
};

/// Hands out candidates and decides, in their order, which of them enter the book. Knows no
/// programs. One thread.
class BookBuilder {
public:
    /// `from`: walks begin at its openings, drawn at random, each once before any comes again;
    /// null: at the game's start (where it has several: at one drawn by the seed). With no plies to
    /// walk, each opening of `from` is looked at once. Both must outlive it. Throws Error (exit 2)
    /// where the rules contradict themselves.
    BookBuilder(const BuildRules& rules, const rules::Game& game, const Book* from);

    /// Takes the first `count` openings that an earlier session kept, in order, and continues
    /// behind the last of them. Call it before next().
    void restore(std::vector<BuiltOpening> kept);

    /// Null where the book is full or every opening of `from` has been handed out.
    [[nodiscard]] std::unique_ptr<Candidate> next();

    /// True where its position is in the book already. Asking early saves searches.
    [[nodiscard]] bool is_known(const Candidate& candidate) const;

    /// A candidate of next() is decided.
    void settle(std::unique_ptr<Candidate> candidate);

    [[nodiscard]] const std::vector<BuiltOpening>& kept() const { return kept_; }

    [[nodiscard]] bool is_full() const { return kept_.size() >= rules_.count; }

    /// True where the book is full, or nothing is left to hand out or to settle.
    [[nodiscard]] bool is_done() const;

    /// Candidates handed out that are not decided yet: all those behind a late one wait for it.
    [[nodiscard]] std::uint64_t ahead() const { return next_ - due_; }

    /// Candidates decided in this session, and those decided since one was kept.
    [[nodiscard]] std::uint64_t tried() const { return tried_; }

    [[nodiscard]] std::uint64_t tried_in_vain() const { return in_vain_; }

    [[nodiscard]] std::uint64_t refused(Refusal why) const {
        return refused_.at(static_cast<std::size_t>(why));
    }

private:
    [[nodiscard]] Opening root(std::uint64_t number) const;
    [[nodiscard]] bool has_candidates() const;
    void decide(const Candidate& candidate);

    BuildRules rules_;
    const rules::Game& game_;
    const Book* from_;
    std::optional<OpeningOrder> order_;
    std::uint64_t next_ = 0;
    std::uint64_t due_ = 0;  // the candidate that is decided next
    std::map<std::uint64_t, std::unique_ptr<Candidate>> waiting_;
    std::unordered_set<std::uint64_t> keys_;
    std::vector<BuiltOpening> kept_;
    std::uint64_t tried_ = 0;
    std::uint64_t in_vain_ = 0;
    std::array<std::uint64_t, kRefusals> refused_{};
};

}  // namespace assay::openings
