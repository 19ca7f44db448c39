#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rules/multigame/interpret/machine.h"

namespace assay::rules::multigame {

/// The positions from which play starts: one, or one for each alternative of `setup`.
[[nodiscard]] std::vector<State> start_states(const std::shared_ptr<const Tables>& tables);

/// What makes two moves of a position different.
enum class Different : std::uint8_t {
    Positions,  // that they lead to
    Names,      // also the ways of one capture, which are one move but have names of their own
};

/// Counts sequences of moves. Keeps the lists of all plies, so that counting allocates nothing.
class MoveCounter {
public:
    explicit MoveCounter(std::shared_ptr<const Tables> tables,
                         Different different = Different::Positions)
        : machine_(std::move(tables)), by_name_(different == Different::Names) {}

    [[nodiscard]] const std::shared_ptr<const Tables>& tables() const { return machine_.tables(); }

    /// The number of sequences of `depth` moves from a position. Real moves only; outcomes of
    /// chance are moves; a position that is over has none. Throws RuleError.
    [[nodiscard]] std::uint64_t count(const State& from, int depth);

    /// The same, summed over start_states().
    [[nodiscard]] std::uint64_t count_from_start(int depth);

    /// The same below each move, by name, in order; other names of a move follow it where names
    /// make the difference. REQUIRES: depth > 0.
    [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> divide(const State& from,
                                                                            int depth);

private:
    std::uint64_t below(int depth);

    Machine machine_;
    bool by_name_;
    std::vector<MoveList> lists_;  // by depth
};

}  // namespace assay::rules::multigame
