#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/protocol/search.h"
#include "base/clock.h"
#include "harness/plan/suite_plan.h"
#include "harness/record/suite.h"
#include "rules/game.h"

namespace assay::harness {

/// The moment from which a search's best move was a solution until its end.
struct Solution {
    int depth = 0;            // as the program named it; 0: it did not
    std::uint64_t nodes = 0;  // the same
    Micros time{0};           // since the search began, by the harness's clock

    friend bool operator==(const Solution&, const Solution&) = default;
};

/// Follows the best move of one search. Lines of a program that name no move do not change it; of a
/// line that does, the first move counts, whether or not its score is a bound.
class SolutionWatch {
public:
    /// Both must outlive it. `protocol`: of the program, by which it names moves. Throws Error
    /// where the position's text is none of this game. REQUIRES: position.has_solution().
    SolutionWatch(const SuitePosition& position, const rules::Game& game,
                  std::string_view protocol);

    void on_info(const adapters::SearchInfo& info, Micros since_go);
    /// The search is over. Without a line that named this move, it was found at the end.
    void on_answer(std::string_view move, const adapters::SearchInfo& info, Micros since_go);

    /// Nullopt where the answer does not solve the position, or there is none yet.
    [[nodiscard]] const std::optional<Solution>& solution() const { return solution_; }

private:
    void follow(std::string_view move, const adapters::SearchInfo& info, Micros since_go);
    [[nodiscard]] bool is_solution(std::string_view move) const;

    const SuitePosition& asked_;
    std::unique_ptr<rules::Position> position_;
    rules::Notation notation_;
    std::string last_move_;          // as the program wrote it
    std::optional<Solution> since_;  // the best move is a solution
    std::optional<Solution> solution_;
};

/// A measure as a query's answer. One that needs a solution where there is none has no value.
/// REQUIRES: the measure is not Query.
[[nodiscard]] QueryAnswer answer_of(SuiteMeasure measure, const std::optional<Solution>& solution);

}  // namespace assay::harness
