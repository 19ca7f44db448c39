#include "rules/multigame/object/agreement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.h"
#include "rules/multigame/interpret/perft.h"
#include "rules/multigame/object/compiled_machine.h"

namespace assay::rules::multigame {

namespace {

constexpr int kLongestGame = 300;

std::vector<Change> sorted_changes(const MoveList& list, const MoveEntry& move) {
    const std::span<const Change> changes = list.changes_of(move);
    std::vector<Change> sorted(changes.begin(), changes.end());
    std::ranges::sort(sorted, {}, &Change::place);
    return sorted;
}

std::string difference_of_moves(const MoveList& a, const MoveList& b, std::size_t n) {
    const MoveEntry& one = a.moves[n];
    const MoveEntry& two = b.moves[n];
    if (a.names[n] != b.names[n]) return "move " + a.names[n] + " is called " + b.names[n];
    if (one.signature != two.signature) return "the key of " + a.names[n];
    if (one.verdict != two.verdict || one.reason != two.reason) {
        return "the verdict of " + a.names[n];
    }
    if (one.is_claim != two.is_claim || one.is_again != two.is_again) {
        return "what " + a.names[n] + " is";
    }
    if (one.decision != two.decision || one.probability != two.probability) {
        return "the chance of " + a.names[n];
    }
    if (sorted_changes(a, one) != sorted_changes(b, two)) return "what " + a.names[n] + " changes";
    return "";
}

std::string difference_of_lists(const MoveList& a, const MoveList& b) {
    if (a.moves.size() != b.moves.size()) {
        return std::to_string(a.moves.size()) + " moves, " + std::to_string(b.moves.size()) +
               " compiled";
    }
    for (std::size_t n = 0; n < a.moves.size(); ++n) {
        if (std::string found = difference_of_moves(a, b, n); !found.empty()) return found;
    }
    if (a.decisions != b.decisions) return "the names of decisions";
    const bool same_aliases = std::ranges::equal(
        a.aliases, b.aliases,
        [](const Alias& x, const Alias& y) { return x.name == y.name && x.move == y.move; });
    return same_aliases ? "" : "other names of moves";
}

/// Lists with and without names are made in different ways.
bool is_same_without_names(const MoveList& named, const MoveList& plain) {
    return std::ranges::equal(
        named.moves, plain.moves, [&](const MoveEntry& one, const MoveEntry& two) {
            return one.signature == two.signature && one.verdict == two.verdict &&
                   one.decision == two.decision &&
                   std::ranges::equal(named.changes_of(one), plain.changes_of(two));
        });
}

/// One game after another in both.
class SideBySide {
public:
    SideBySide(const std::shared_ptr<const Tables>& tables,
               const std::shared_ptr<const CompiledProgram>& compiled, std::uint64_t seed)
        : slow_(tables), fast_(compiled), random_(seed) {}

    void begin(const State& from) {
        slow_.load(from);
        fast_.load(from);
    }

    /// Compares the position, and goes on by a random move. The difference, or empty.
    [[nodiscard]] std::string step() {
        if (!list_rules(slow_list_)) {
            is_over_ = true;
            return fast_.moves(fast_list_, true) ? "a rule error that is not reported" : "";
        }
        if (!fast_.moves(fast_list_, true) || !fast_.moves(plain_)) return "no list of moves";
        if (slow_.key() != fast_.key()) return "the key of the position";
        std::string found = difference_of_lists(slow_list_, fast_list_);
        slow_.moves(slow_plain_);
        if (found.empty() && !is_same_without_names(slow_list_, slow_plain_)) {
            found = "the interpreter's list without names";
        }
        if (found.empty() && plain_.moves.size() != fast_list_.moves.size()) {
            found = "the list without names";
        }
        if (found.empty()) found = can_move();
        if (found.empty()) found = perpetual();
        if (found.empty()) found = read_back();
        return found.empty() ? move() : found;
    }

    [[nodiscard]] bool is_over() const { return is_over_; }

    void open() { is_over_ = false; }

    [[nodiscard]] std::string text() const { return text_of(slow_.form(), slow_.state()); }

private:
    [[nodiscard]] bool list_rules(MoveList& list) {
        try {
            slow_.moves(list, true);
            return true;
        } catch (const RuleError&) {
            return false;
        }
    }

    /// The compiled rules may leave the question to the list.
    [[nodiscard]] std::string can_move() {
        const bool can = !std::ranges::all_of(slow_list_.moves, &MoveEntry::is_claim);
        if (slow_.can_move() != can) return "whether there is a move, interpreted";
        return fast_.can_move() == can ? "" : "whether there is a move";
    }

    [[nodiscard]] std::string perpetual() {
        const int rule = slow_.form().repetition.perpetual;
        for (int side = 0; side < 2 && rule != kNone; ++side) {
            if (slow_.holds(rule, side) != fast_.perpetual(side)) return "the rule of repetition";
        }
        return "";
    }

    [[nodiscard]] std::string read_back() {
        const std::string written = text();
        if (fast_.text() != written) return "the text " + fast_.text();
        const State before = fast_.state();
        if (!fast_.read(written)) return "the text is not read";
        const State read = fast_.state();
        const bool is_equal = read == state_of(slow_.form(), written);
        fast_.load(before);
        return is_equal ? "" : "the text is read as another position";
    }

    [[nodiscard]] std::string move() {
        real_.clear();
        for (std::size_t n = 0; n < slow_list_.moves.size(); ++n) {
            if (!slow_list_.moves[n].is_claim) real_.push_back(n);
        }
        is_over_ = real_.empty();
        if (is_over_) return "";
        const std::size_t made = real_[random_.below(real_.size())];
        const State before = slow_.state();
        fast_.apply(plain_, made);
        fast_.take_back(plain_, made);
        if (fast_.state() != before || fast_.key() != slow_.key()) return "a move that is undone";
        slow_.apply(slow_list_, made);
        fast_.apply(fast_list_, made);
        is_over_ = slow_list_.moves[made].verdict != Verdict::None;
        return fast_.state() == slow_.state() ? "" : "the position after " + slow_list_.names[made];
    }

    Machine slow_;
    CompiledMachine fast_;
    Random random_;
    MoveList slow_list_;
    MoveList slow_plain_;
    MoveList fast_list_;
    MoveList plain_;
    std::vector<std::size_t> real_;
    bool is_over_ = false;
};

}  // namespace

std::string disagreement(const std::shared_ptr<const Tables>& tables,
                         const std::shared_ptr<const CompiledProgram>& compiled, int positions,
                         std::uint64_t seed) {
    const std::vector<State> starts = start_states(tables);
    SideBySide both(tables, compiled, seed);
    Random random(seed);
    for (int compared = 0; compared < positions;) {
        both.begin(starts[random.below(starts.size())]);
        both.open();
        for (int ply = 0; ply < kLongestGame && compared < positions && !both.is_over(); ++ply) {
            const std::string text = both.text();
            const std::string found = both.step();
            if (!found.empty()) return found + " in " + text;
            ++compared;
        }
    }
    return "";
}

}  // namespace assay::rules::multigame
