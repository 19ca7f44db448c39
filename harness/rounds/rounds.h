#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace assay::harness {

/// Two places of a list of programs that meet.
struct Opponents {
    std::size_t first = 0;  // has the first move in the first game
    std::size_t second = 0;

    friend bool operator==(const Opponents&, const Opponents&) = default;
};

/// A cycle of rounds that no result changes, over programs 0 to count - 1. Each round is computed
/// when it is asked for.
class Rounds {
public:
    virtual ~Rounds() = default;

    /// Of one cycle.
    [[nodiscard]] virtual std::int64_t count() const = 0;
    /// Meetings of one cycle.
    [[nodiscard]] virtual std::int64_t meetings() const = 0;
    /// REQUIRES: 0 <= round < count().
    [[nodiscard]] virtual std::vector<Opponents> at(std::int64_t round) const = 0;
};

/// Everyone meets everyone once, nobody twice in a round. Of an odd number one has a bye in each.
[[nodiscard]] std::unique_ptr<Rounds> round_robin_rounds(std::size_t programs);

/// The first `seeds` meet all others once, nobody twice in a round. Seeds do not meet.
/// REQUIRES: 0 < seeds < programs.
[[nodiscard]] std::unique_ptr<Rounds> gauntlet_rounds(std::size_t programs, std::size_t seeds);

/// In round k program k + 1 meets all before it, one after the other.
[[nodiscard]] std::unique_ptr<Rounds> pyramid_rounds(std::size_t programs);

// As other runners have them; who is listed first has the first move.

/// One round: all pairs in the order of the list whose first member is one of the first `limit`.
/// REQUIRES: 0 < limit < programs.
[[nodiscard]] std::unique_ptr<Rounds> listed_rounds(std::size_t programs, std::size_t limit);

/// One round: each program in turn meets those before it, as the one with the first move.
[[nodiscard]] std::unique_ptr<Rounds> newcomer_rounds(std::size_t programs);

/// A round robin by a circle that turns about the first program.
[[nodiscard]] std::unique_ptr<Rounds> circle_rounds(std::size_t programs);

}  // namespace assay::harness
