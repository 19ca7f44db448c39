// Rounds that are known beforehand.
//
// Round robin: the circle method. With m programs (m even; an odd number gets a ghost, and who
// meets it has a bye) the last one stands in the middle and the others on a circle of m - 1 places.
// In round r place r meets the middle, and r + k meets r - k for k = 1 .. m/2 - 1. Two places a and
// b meet in the one round with 2r = a + b modulo m - 1, which exists as m - 1 is odd: everyone
// meets everyone once.
//
// First moves: r + k has it where k is odd, else r - k. A place is r + k once for each k, and r - k
// once for each k: it is first m/2 - 1 times and second as often. The middle alternates, which adds
// one to either count. So nobody is first more than once more often than second, and with an odd
// number of programs all are first exactly as often as second.
//
// Gauntlet: the meetings are the edges of a complete bipartite graph, which needs as many rounds as
// its greater side has members: in round r, member i of the smaller side meets member r + i of the
// greater one (modulo its size).
#include "harness/rounds/rounds.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay::harness {

namespace {

/// All meet all, in rounds in which everyone plays: with a ghost where the number is odd; who
/// meets it has a bye.
class FullRounds : public Rounds {
public:
    explicit FullRounds(std::size_t programs)
        : programs_(programs), even_(programs + programs % 2) {}

    [[nodiscard]] std::int64_t count() const final { return static_cast<std::int64_t>(even_ - 1); }

    [[nodiscard]] std::int64_t meetings() const final {
        return static_cast<std::int64_t>(programs_ * (programs_ - 1) / 2);
    }

protected:
    [[nodiscard]] std::size_t programs() const { return programs_; }

    /// With the ghost.
    [[nodiscard]] std::size_t even() const { return even_; }

private:
    std::size_t programs_;
    std::size_t even_;
};

class RoundRobinRounds final : public FullRounds {
public:
    using FullRounds::FullRounds;

    [[nodiscard]] std::vector<Opponents> at(std::int64_t round) const override {
        const std::size_t circle = even() - 1;
        const auto r = static_cast<std::size_t>(round);
        std::vector<Opponents> meet;
        meet.reserve(programs() / 2);
        const bool has_middle = programs() == even();
        if (has_middle && r % 2 == 0) meet.push_back({circle, r});
        if (has_middle && r % 2 == 1) meet.push_back({r, circle});
        for (std::size_t k = 1; k < even() / 2; ++k) {
            const std::size_t ahead = (r + k) % circle;
            const std::size_t behind = (r + circle - k) % circle;
            if (k % 2 == 1) {
                meet.push_back({ahead, behind});
            } else {
                meet.push_back({behind, ahead});
            }
        }
        return meet;
    }
};

class GauntletRounds final : public Rounds {
public:
    GauntletRounds(std::size_t programs, std::size_t seeds)
        : seeds_(seeds), others_(programs - seeds) {}

    [[nodiscard]] std::int64_t count() const override {
        return static_cast<std::int64_t>(std::max(seeds_, others_));
    }

    [[nodiscard]] std::int64_t meetings() const override {
        return static_cast<std::int64_t>(seeds_ * others_);
    }

    [[nodiscard]] std::vector<Opponents> at(std::int64_t round) const override {
        const std::size_t few = std::min(seeds_, others_);
        const std::size_t many = std::max(seeds_, others_);
        const auto r = static_cast<std::size_t>(round);
        std::vector<Opponents> meet;
        for (std::size_t i = 0; i < few; ++i) {
            const std::size_t j = (r + i) % many;
            const std::size_t seed = seeds_ <= others_ ? i : j;
            const std::size_t other = seeds_ + (seeds_ <= others_ ? j : i);
            // Over the rounds, and within one, either has the first move in turn.
            if ((r + i) % 2 == 0) {
                meet.push_back({seed, other});
            } else {
                meet.push_back({other, seed});
            }
        }
        return meet;
    }

private:
    std::size_t seeds_;
    std::size_t others_;
};

class PyramidRounds final : public Rounds {
public:
    explicit PyramidRounds(std::size_t programs) : programs_(programs) {}

    [[nodiscard]] std::int64_t count() const override {
        return static_cast<std::int64_t>(programs_ - 1);
    }

    [[nodiscard]] std::int64_t meetings() const override {
        return static_cast<std::int64_t>(programs_ * (programs_ - 1) / 2);
    }

    [[nodiscard]] std::vector<Opponents> at(std::int64_t round) const override {
        const auto newcomer = static_cast<std::size_t>(round + 1);
        std::vector<Opponents> meet;
        for (std::size_t other = 0; other < newcomer; ++other) {
            if ((newcomer + other) % 2 == 0) {
                meet.push_back({newcomer, other});
            } else {
                meet.push_back({other, newcomer});
            }
        }
        return meet;
    }

private:
    std::size_t programs_;
};

/// All of one round, as they are given.
class OneRound final : public Rounds {
public:
    explicit OneRound(std::vector<Opponents> meet) : meet_(std::move(meet)) {}

    [[nodiscard]] std::int64_t count() const override { return 1; }

    [[nodiscard]] std::int64_t meetings() const override { return std::ssize(meet_); }

    [[nodiscard]] std::vector<Opponents> at(std::int64_t /*round*/) const override { return meet_; }

private:
    std::vector<Opponents> meet_;
};

/// Two rows, the lower one read backwards, make a circle of which the upper left corner stands
/// still; each round turns it by one place, and who stand one above the other meet. An odd number
/// gets a ghost, which is last in the list.
class CircleRounds final : public FullRounds {
public:
    using FullRounds::FullRounds;

    [[nodiscard]] std::vector<Opponents> at(std::int64_t round) const override {
        const std::size_t turning = even() - 1;
        const auto at_place = [&](std::size_t place) {
            return 1 + (place + turning - static_cast<std::size_t>(round) % turning) % turning;
        };
        std::vector<Opponents> meet;
        for (std::size_t column = 0; column < even() / 2; ++column) {
            const std::size_t upper = column == 0 ? 0 : at_place(column - 1);
            const std::size_t lower = at_place(turning - 1 - column);
            if (upper < programs() && lower < programs()) meet.push_back({upper, lower});
        }
        return meet;
    }
};

}  // namespace

std::unique_ptr<Rounds> listed_rounds(std::size_t programs, std::size_t limit) {
    std::vector<Opponents> meet;
    for (std::size_t first = 0; first < limit; ++first)
        for (std::size_t second = first + 1; second < programs; ++second)
            meet.push_back({first, second});
    return std::make_unique<OneRound>(std::move(meet));
}

std::unique_ptr<Rounds> newcomer_rounds(std::size_t programs) {
    std::vector<Opponents> meet;
    for (std::size_t newcomer = 1; newcomer < programs; ++newcomer)
        for (std::size_t other = 0; other < newcomer; ++other) meet.push_back({newcomer, other});
    return std::make_unique<OneRound>(std::move(meet));
}

std::unique_ptr<Rounds> circle_rounds(std::size_t programs) {
    return std::make_unique<CircleRounds>(programs);
}

std::unique_ptr<Rounds> round_robin_rounds(std::size_t programs) {
    return std::make_unique<RoundRobinRounds>(programs);
}

std::unique_ptr<Rounds> gauntlet_rounds(std::size_t programs, std::size_t seeds) {
    return std::make_unique<GauntletRounds>(programs, seeds);
}

std::unique_ptr<Rounds> pyramid_rounds(std::size_t programs) {
    return std::make_unique<PyramidRounds>(programs);
}

}  // namespace assay::harness
