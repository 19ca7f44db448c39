#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "harness/match/pair_counter.h"
#include "harness/match/schedule.h"
#include "harness/plan/resolved_stop.h"
#include "stats/estimate/likelihood_ratio.h"

namespace assay::test {

/// How a FakeFleet plays.
struct FleetShape {
    int slots = 1000;        // games at once
    int unit = 1;            // pairs that a slot takes at once, and plays one after the other
    bool in_order = true;    // pairs count in schedule order, else as they end
    double of_lost = 1;      // time of a game that the first program loses, to that of another one
    double of_games = 0.35;  // by how much the times of games vary (of their logarithm)
    double of_machines = 0;  // and those of slots, each of which keeps its speed
};

/// What a FakeFleet's test came to.
struct FleetEnd {
    bool is_accepted = false;
    std::int64_t counted = 0;  // pairs that the decision rests on
    std::int64_t in_vain = 0;  // played or begun besides
};

/// A fleet under a fake clock, in which time passes from the end of one pair to the next, with the
/// real Schedule and PairCounter. Half of the games are drawn; games do not depend on each other.
class FakeFleet {
public:
    /// `rule`: of this plan; it is asked for fresh ones alone.
    FakeFleet(const harness::MatchPlan& plan, const stats::StopRule& rule, double nelo,
              const FleetShape& shape, std::uint64_t seed)
        : random_(mix64(seed)),
          shape_(shape),
          schedule_(plan.pairs, std::nullopt),
          counter_(plan, rule.fresh()) {
        const double sigma = std::sqrt((1 - kDraws) / 4);
        win_ = 0.5 + stats::t_of_nelo(nelo, 1) * sigma - kDraws / 2;
    }

    FleetEnd play() {
        slots_.resize(static_cast<std::size_t>(shape_.slots));
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
            slots_[slot].speed = varied(shape_.of_machines);
            begin(slot, 0);
        }
        while (!is_decided() && !playing_.empty()) {
            const auto [ends, slot] = playing_.top();
            playing_.pop();
            end(slots_[slot]);
            if (!is_decided()) begin(slot, ends);
        }
        const harness::MatchTally& tally = counter_.tally();
        return {tally.verdict() == harness::Verdict::Accepted, tally.pairs(),
                begun_ - tally.pairs()};
    }

private:
    struct Slot {
        double speed = 1;
        std::vector<harness::Schedule::Assignment> unit;  // what is left of it, the next one last
        harness::PairDigest pair;
    };

    static constexpr double kDraws = 0.5;

    [[nodiscard]] bool is_decided() const {
        return counter_.tally().verdict() != harness::Verdict::None;
    }

    /// About 1, with this deviation of the logarithm.
    double varied(double by) {
        if (by == 0) return 1;
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += random_.unit();
        return std::exp(by * (sum - 6));
    }

    void begin(std::size_t number, double now) {
        Slot& slot = slots_[number];
        if (slot.unit.empty()) {
            for (int i = 0; i < shape_.unit; ++i)
                if (const auto assignment = schedule_.next()) slot.unit.push_back(*assignment);
            std::ranges::reverse(slot.unit);
        }
        if (slot.unit.empty()) return;
        const harness::Schedule::Assignment assignment = slot.unit.back();
        slot.unit.pop_back();
        ++begun_;
        slot.pair = {};
        slot.pair.pair = assignment.pair;
        for (std::size_t i = 0; i < 2; ++i) {
            const double drawn = random_.unit();
            const bool is_won = drawn < win_;
            const bool is_drawn = !is_won && drawn < win_ + kDraws;
            const float score = is_won ? 1.0F : is_drawn ? 0.5F : 0.0F;
            harness::GameDigest& game = slot.pair.games.at(i);
            game.number = assignment.first_game + static_cast<std::int64_t>(i);
            if (i == 1) game.program = {1, 0};
            game.scores.value[i] = score;
            game.scores.value[1 - i] = 1 - score;
            game.scores.players = 2;
            const bool is_lost = !is_won && !is_drawn;
            now += slot.speed * varied(shape_.of_games) * (is_lost ? shape_.of_lost : 1);
        }
        playing_.emplace(now, number);
    }

    void end(const Slot& slot) {
        if (!shape_.in_order) {
            static_cast<void>(counter_.count(slot.pair));
            return;
        }
        for (const harness::PairDigest& next : schedule_.finished(slot.pair))
            static_cast<void>(counter_.count(next));
    }

    using Ending = std::pair<double, std::size_t>;  // when, and in which slot

    Random random_;
    FleetShape shape_;
    harness::Schedule schedule_;
    harness::PairCounter counter_;
    double win_ = 0;
    std::int64_t begun_ = 0;
    std::vector<Slot> slots_;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> playing_;
};

/// Many tests of one fleet.
struct FleetRuns {
    int runs = 0;
    int accepted = 0;
    double counted = 0;  // on average
    double in_vain = 0;

    [[nodiscard]] double share() const { return static_cast<double>(accepted) / runs; }
};

/// `runs` tests `closing` with bounds 0 and 10 nElo at this true strength, by two threads.
inline FleetRuns fleet_runs(int runs, double nelo, const FleetShape& shape) {
    harness::MatchPlan plan;
    plan.pairs = 400'000;
    plan.stop.rule = harness::StopPlan::Rule::Closing;
    plan.stop.e0 = 0;
    plan.stop.e1 = 10;
    const auto rule = harness::make_stop_rule(plan);
    const auto some = [&](int first, int last) {
        FleetRuns sum;
        for (int run = first; run < last; ++run) {
            const FleetEnd end =
                FakeFleet(plan, *rule, nelo, shape, static_cast<std::uint64_t>(run) + 1).play();
            ++sum.runs;
            sum.accepted += end.is_accepted ? 1 : 0;
            sum.counted += static_cast<double>(end.counted);
            sum.in_vain += static_cast<double>(end.in_vain);
        }
        return sum;
    };
    auto half = std::async(std::launch::async, some, 0, runs / 2);
    FleetRuns sum = some(runs / 2, runs);
    const FleetRuns other = half.get();
    sum.runs += other.runs;
    sum.accepted += other.accepted;
    sum.counted = (sum.counted + other.counted) / sum.runs;
    sum.in_vain = (sum.in_vain + other.in_vain) / sum.runs;
    return sum;
}

}  // namespace assay::test
