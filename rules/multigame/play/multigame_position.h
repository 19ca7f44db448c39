#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rules/game.h"
#include "rules/multigame/play/key_history.h"
#include "rules/multigame/play/played_rules.h"

namespace assay::rules::multigame {

/// What all positions of one game share.
struct Program {
    Form form;
    std::shared_ptr<const Tables> tables;
    std::shared_ptr<const CompiledProgram> compiled;  // null: it is interpreted
    GameInfo info;
    std::vector<std::string> endings;    // by text of the form: the word of the ending it is
    std::vector<PictureField> contents;  // by content, as pictures show it
    std::array<std::vector<std::uint8_t>, 2> is_of;  // by side, then content: its piece
    std::vector<std::pair<int, int>> lines;          // of pictures

    /// The ending that a verdict with this reason is; kNone: no reason.
    [[nodiscard]] std::string_view ending(int reason) const;
};

/// A position of a program. Keeps the list of moves of each ply, which is made once and found again
/// by undo(): moves(), result(), to_move() and is_legal() cost one run of `main` together.
class MultigamePosition final : public Position {
public:
    /// The position of a state, or (`is_before_setup`) the one in which chance chooses among the
    /// outcomes of `setup`.
    MultigamePosition(std::shared_ptr<const Program> program, const State& state,
                      bool is_before_setup);

    [[nodiscard]] std::unique_ptr<Position> clone() const override;
    [[nodiscard]] int to_move() const override;
    void moves(std::vector<Move>& out) const override;
    void claims(std::vector<Move>& out) const override;
    void chances(std::vector<ChanceMove>& out) const override;
    [[nodiscard]] bool is_legal(Move move) const override;
    void make(Move move) override;
    void undo() override;

    [[nodiscard]] int ply() const override { return static_cast<int>(plies_.size()) - 1; }

    [[nodiscard]] std::optional<Outcome> result() const override;
    [[nodiscard]] std::optional<Outcome> verdict() const override;
    [[nodiscard]] std::uint64_t hash() const override;
    [[nodiscard]] std::uint64_t signature(Move move) override;
    [[nodiscard]] std::uint64_t search_key() const override;
    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string name_of(Move move, Notation notation) const override;
    [[nodiscard]] std::optional<Move> move_of(std::string_view text,
                                              Notation notation) const override;

    [[nodiscard]] int move_number() const override { return machine_.turn(); }

    [[nodiscard]] int quiet_plies() const override { return ply() - plies_.back().last_capture; }

    [[nodiscard]] bool is_loud(Move best) const override;
    [[nodiscard]] std::optional<Picture> picture() const override;

    [[nodiscard]] std::span<const std::uint8_t> contents() const override {
        return machine_.board();
    }

    /// Makes the decision of this name, after which chance moves. False where there is none.
    bool decide(std::string_view name);

private:
    /// What a value of Move stands for here.
    struct Choice {
        Move move = kNoMove;
        int entry = 0;         // of the list; of a decision: its first outcome
        int decision = kNone;  // a decision of the player
        bool is_loud = false;  // it changes a field where a piece of the other side stands
    };

    /// What is known of a position without its list.
    struct PlyFacts {
        std::uint64_t key = 0;
        Move made = kNoMove;     // that led on from here
        int made_entry = kNone;  // of the list; kNone: a decision, which changes nothing yet
        int pending = kNone;     // the decision whose outcome chance draws here
        bool is_before_setup = false;
        int last_capture = 0;             // ply after which the number of pieces has not changed
        Verdict verdict = Verdict::None;  // said by the move that led here, for its mover
        int reason = kNone;
        int mover = 0;
        bool is_listed = false;
        bool can_move = false;  // known, though there may be no list
        bool goes_on = false;   // known: verdict() has nothing to say
        bool has_list = false;  // Ply::list is this position's
    };

    struct Ply : PlyFacts {
        std::shared_ptr<MoveList> list;  // clones and a pending decision share it
        std::vector<Choice> choices;     // real moves, or outcomes where chance moves
        std::vector<Move> codes;         // of choices: what is listed and looked for lies close
        std::vector<Choice> claims;      // verdicts that the mover may claim beside real moves
    };

    /// The plies from the first position to this one, the last. The memory of plies that were taken
    /// back is used by the next ones, since a search would spend its time on allocation otherwise;
    /// a copy begins without.
    class Plies {
    public:
        Plies() = default;

        Plies(const Plies& other)
            : plies_(other.plies_.begin(),
                     other.plies_.begin() + static_cast<std::ptrdiff_t>(other.size_)),
              size_(other.size_) {}

        Plies& operator=(const Plies&) = delete;
        ~Plies() = default;

        [[nodiscard]] std::size_t size() const { return size_; }

        [[nodiscard]] Ply& operator[](std::size_t n) { return plies_[n]; }

        [[nodiscard]] const Ply& operator[](std::size_t n) const { return plies_[n]; }

        [[nodiscard]] Ply& back() { return plies_[size_ - 1]; }

        [[nodiscard]] const Ply& back() const { return plies_[size_ - 1]; }

        /// A ply of which nothing is known, behind the others. References to others end.
        Ply& push();
        void pop();

    private:
        std::vector<Ply> plies_;  // those from size_ on were taken back
        std::size_t size_ = 0;
    };

    [[nodiscard]] const Ply& listed() const;
    [[nodiscard]] const Ply& listed(bool with_names) const;
    [[nodiscard]] const MoveList& named() const;
    void fill_list(Ply& ply, bool with_names) const;
    void fill_choices(Ply& ply) const;
    [[nodiscard]] Move free_code(std::uint64_t signature, std::size_t entries) const;
    void remember(const Ply& ply);
    [[nodiscard]] bool is_chance_to_move() const;
    [[nodiscard]] const Choice* choice_of(Move move) const;
    [[nodiscard]] std::string own_name(const Choice& choice, const MoveList& list) const;
    [[nodiscard]] std::string rest_of_name(const Choice& outcome, const MoveList& list) const;
    [[nodiscard]] std::string name_without_rest(const MoveList& list) const;
    [[nodiscard]] bool can_move() const;
    [[nodiscard]] std::optional<Outcome> repetition() const;
    [[nodiscard]] Outcome outcome(Verdict verdict, int side, std::string_view word,
                                  OutcomeBasis basis) const;
    [[nodiscard]] std::optional<Outcome> perpetual(std::size_t since) const;
    [[nodiscard]] bool is_near_limit() const;
    [[nodiscard]] bool changes_pieces(const MoveList& list, const MoveEntry& entry) const;
    [[nodiscard]] bool takes(const MoveList& list, const MoveEntry& entry,
                             std::span<const std::uint8_t> theirs) const;

    std::shared_ptr<const Program> program_;
    mutable PlayedRules machine_;
    mutable Plies plies_;
    KeyHistory history_;               // of plies_, where the game has a rule of repetition
    mutable std::size_t asked_ = 0;    // of choices: the one that was asked about last
    mutable std::vector<Move> taken_;  // codes of the list that is made, an open hash table
};

}  // namespace assay::rules::multigame
