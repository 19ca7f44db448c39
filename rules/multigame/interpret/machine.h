#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/multigame/form/form.h"
#include "rules/multigame/form/state.h"
#include "rules/multigame/interpret/code.h"
#include "rules/multigame/interpret/move_list.h"
#include "rules/multigame/interpret/rule_error.h"
#include "rules/multigame/interpret/tables.h"

namespace assay::rules::multigame {

inline constexpr std::uint64_t kSideKey = 0x9d39247e33776d41;

/// A statement that a traced derivation reached, and the finger before it.
struct TracedStep {
    std::int32_t statement = 0;
    std::int16_t finger = kNone;
};

/// Sees the derivations of a list with names: see Machine::watch(). What `test` and `not` try is
/// their own affair, so that a derivation stops at them.
class DerivationWatcher {
public:
    DerivationWatcher() = default;
    DerivationWatcher(const DerivationWatcher&) = delete;
    DerivationWatcher& operator=(const DerivationWatcher&) = delete;
    virtual ~DerivationWatcher() = default;

    /// The last of the steps failed; `name` is what the derivation is called so far.
    virtual void stopped(const std::vector<TracedStep>& steps, const std::string& name) = 0;
    /// The steps led to an output of this name.
    virtual void accepted(const std::vector<TracedStep>& steps, const std::string& name) = 0;
};

/// Counts of a run over many positions, by statement; see Machine::count_statements.
struct StatementCounts {
    std::vector<std::uint64_t> reached;
    std::vector<std::uint64_t> succeeded;
};

/// Interprets a program: holds one position and lists its moves. Between calls it is at the
/// position that load(), apply() and take_back() left. One thread at a time.
class Machine {
public:
    explicit Machine(std::shared_ptr<const Tables> tables);

    [[nodiscard]] const Form& form() const { return tables_->form(); }

    [[nodiscard]] const std::shared_ptr<const Tables>& tables() const { return tables_; }

    void load(const State& state);
    [[nodiscard]] State state() const;

    /// All outputs of main, each move once. Throws RuleError.
    void moves(MoveList& out, bool with_names = false);
    /// The outputs of setup: one, or one for each alternative of its `random`.
    void setups(MoveList& out);
    /// True where the rule succeeds for the side, whoever moves.
    [[nodiscard]] bool holds(int rule, int side);

    /// True where main has an output that is no claim: it stops at the first. Throws RuleError.
    [[nodiscard]] bool can_move();

    /// Makes a move of a list that was made here. A claim changes nothing but the side.
    void apply(const MoveList& list, std::size_t move);
    void take_back(const MoveList& list, std::size_t move);
    /// Makes an outcome of setups(): nobody has moved.
    void apply_setup(const MoveList& list, std::size_t outcome);

    [[nodiscard]] int side() const { return side_; }

    [[nodiscard]] int turn() const { return turn_; }

    [[nodiscard]] std::span<const Content> board() const { return board_; }

    [[nodiscard]] std::span<const std::int32_t> values() const { return values_; }

    /// Equal for equal positions: board, side and all variables that are not silent.
    [[nodiscard]] std::uint64_t key() const { return key_; }

    /// Counts from now on which statements are reached and which succeed, at a third of the speed.
    /// `counts` must outlive the machine; null: no longer.
    void count_statements(StatementCounts* counts) { counts_ = counts; }

    /// Lists with names are made step by step before the watcher's eyes from now on. It must
    /// outlive the machine; null: no longer.
    void watch(DerivationWatcher* watcher) { watcher_ = watcher; }

private:
    struct Registers {
        std::uint64_t key = 0;  // of the changes since the derivation began
        double probability = 1;
        std::int32_t at = 0;  // instruction
        std::int32_t frame = kNone;
        std::int32_t link = kNone;   // innermost repeat or most
        std::int32_t count = 0;      // rounds of the innermost repeat
        std::int32_t scope = kNone;  // innermost open choice of try, test or not
        std::int32_t steps = 0;      // statements of this derivation
        std::int32_t held = kNone;   // the pickup that filled the hand
        std::int32_t events = 0;     // of the name
        std::int32_t path = 0;       // statements, where traced
        std::int32_t decision = kNone;
        std::int16_t finger = kNone;
        std::int16_t reason = kNone;
        std::uint16_t touched = 0;
        std::uint16_t depth = 0;
        std::uint8_t direction = 0;
        std::uint8_t own = 0;
        Content hand = 0;
        Verdict verdict = Verdict::None;
        bool is_again = false;
        bool has_written = false;
        bool is_tested = false;  // within a test or not
    };

    enum class Kind : std::uint8_t {
        Either,
        Try,
        Test,
        Not,
        Find,
        Directions,
        Slide,
        Round,
        Random,
        Fields
    };

    struct Choice {
        Registers saved;
        std::int32_t trail = 0;
        std::int32_t nodes = 0;
        std::int32_t fields = 0;   // height of fields_
        std::int32_t next = 0;     // iteration, or the instruction to go on at
        std::int32_t end = 0;      // of the iteration
        std::int32_t pattern = 0;  // Find, Slide; Test, Not: the statement
        std::int64_t sum = 0;      // Random: of all weights
        double outcomes = 0;       // Random: of the decision, when the last alternative began
        double expected = 0;       // Random: the probability of that alternative
        Kind kind = Kind::Either;
        bool has_succeeded = false;  // Try
    };

    struct Trail {
        std::int32_t place;
        std::int32_t before;
    };

    /// Of a call: where to return and the frame before. Of a repeat: the rounds and the link
    /// before.
    struct Node {
        std::int32_t saved = 0;
        std::int32_t before = kNone;
        std::int64_t value = 0;  // Most
        bool is_measuring = false;
        bool has_value = false;
    };

    enum class Written : std::uint8_t {
        Text,
        Field,
        Piece,
        Picked,
        Put,
        Removed,
        Replaced,
        Passed
    };

    /// What a name is made of.
    struct Event {
        Written what;
        std::int16_t field;
        Content before;
        Content after;
        std::int32_t text;
    };

    enum class Purpose : std::uint8_t { Moves, Setup, Holds, CanMove };

    [[nodiscard]] bool ask(int rule, int side, Purpose purpose);
    void list(MoveList& out, int rule, Purpose purpose, bool with_names);
    void explore_all(int rule, int side, bool is_traced);
    template <bool kTraced>
    void run(Registers r, std::size_t base);
    template <bool kTraced>
    bool step(Registers& r);
    [[nodiscard]] bool back(Registers& r, std::size_t base);
    template <bool kTraced>
    bool spread(Registers& r, const Instruction& each);
    template <bool kTraced>
    bool most(Registers& r, const Instruction& each);
    bool random(Registers& r, const Instruction& each);
    bool next_alternative(Registers& r, Choice& choice);
    void require_one_outcome(const Choice& choice) const;
    bool slide(Registers& r, const Instruction& each);
    [[nodiscard]] bool fails_at_once(std::int32_t guard, const Registers& r, int direction);
    [[nodiscard]] int next_direction(const Registers& r, std::int32_t guard, int from, int stride);
    [[nodiscard]] bool compares(const Statement& each, int own) const;
    [[nodiscard]] bool sees(std::int32_t at, int finger, int direction, int by);
    [[nodiscard]] bool is_reached(const Reached& walk, int finger, int own) const;

    [[nodiscard]] std::int32_t field_in(int variable, int side) const {
        return item(values_, item(form_.variables, variable).read_slot(side));
    }

    void undo_to(std::int32_t trail);
    void put(Registers& r, int field, Content content);
    void set(Registers& r, std::int32_t slot, std::int64_t value);
    void raw_put(std::size_t field, Content content);
    [[nodiscard]] int next_match(int pattern, int own, int from) const;
    [[nodiscard]] std::int64_t value_of(int expression, int own) const;
    [[nodiscard]] int count_of(const Expression& each, int own) const;
    Choice& choose(const Registers& r, Kind kind);
    [[nodiscard]] std::vector<TracedStep> steps_of(const Registers& r) const;
    void note_stop(const Registers& r);
    void note_success(std::int32_t statement);
    void note(Registers& r, Written what, int field, Content before, Content after, int text = 0);
    void accept(const Registers& r);
    void add_output(const Registers& r);
    bool is_known(const Registers& r, std::uint64_t identity, const std::string& name,
                  std::size_t first_change);
    void note_difference(const MoveEntry& known, std::size_t end);
    [[nodiscard]] std::string name_of(const Registers& r, std::int32_t events) const;
    void require_name(const std::string& name) const;
    void finish(Purpose purpose);
    void finish_names();
    [[noreturn]] void fail(const Registers& r, const std::string& what, int statement) const;
    [[noreturn]] void fail_at_main(const std::string& what) const;
    [[noreturn]] void fail_length(const Registers& r) const;
    [[noreturn]] void fail_list_length(const Registers& r, int statement);
    void move_side(bool is_again, int by);

    std::shared_ptr<const Tables> tables_;
    const Form& form_;
    const Instruction* code_ = nullptr;
    const Look* looks_ = nullptr;
    std::vector<Content> board_;
    std::vector<std::int32_t> values_;
    std::vector<std::uint64_t> bits_;  // by content, words: the fields with it
    int side_ = 0;
    int turn_ = 1;
    std::uint64_t key_ = 0;

    std::vector<Choice> choices_;
    std::vector<Trail> trail_;
    std::vector<Node> nodes_;
    std::vector<Event> events_;
    std::vector<int> path_;
    std::vector<std::int16_t> fields_;              // found by spread
    std::vector<std::int16_t>* reached_ = nullptr;  // by the innermost spread
    std::int64_t total_ = 0;                        // statements of this list
    int outputs_ = 0;
    bool is_traced_ = false;
    bool is_explained_ = false;  // what was thrown has its path
    bool has_held_ = false;
    StatementCounts* counts_ = nullptr;
    DerivationWatcher* watcher_ = nullptr;
    std::vector<std::int16_t> path_fingers_;  // beside path_, where watched

    MoveList* out_ = nullptr;
    Purpose purpose_ = Purpose::Moves;
    bool with_names_ = false;
    int rule_ = 0;
    std::vector<std::uint64_t> identities_;  // of the moves of out_
    std::vector<std::uint32_t> table_;       // identity to index + 1
    std::vector<std::uint32_t> stamps_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> place_stamps_;  // by place: seen in this output's changes
    std::uint32_t place_stamp_ = 0;
    std::vector<double> sums_;   // by decision: probabilities of its outcomes so far
    std::vector<int> randoms_;   // by decision: the statement
    std::vector<int> volatile_;  // variables
};

}  // namespace assay::rules::multigame
