// Why pairs count in schedule order: with 1,000 games at once the pairs that end first are those
// with quick games, and where a program's lost games are the quick ones, a sequential test that
// counts pairs as they end sees a weaker program than there is.
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "harness/match/pair_counter.h"
#include "harness/match/schedule.h"
#include "stats/estimate/likelihood_ratio.h"

using assay::Random;
using assay::harness::GameDigest;
using assay::harness::MatchPlan;
using assay::harness::PairCounter;
using assay::harness::PairDigest;
using assay::harness::Schedule;
using assay::harness::StopPlan;
using assay::harness::Verdict;

namespace {

constexpr int kSlots = 1000;
constexpr double kDraws = 0.5;

MatchPlan closing_plan() {
    MatchPlan plan;
    plan.pairs = 60'000;
    plan.stop.rule = StopPlan::Rule::Closing;
    plan.stop.e0 = 0;
    plan.stop.e1 = 10;
    return plan;
}

/// A fleet under a fake clock, in which time passes from the end of one pair to the next.
class FakeFleet {
public:
    FakeFleet(double nelo, bool in_order, std::uint64_t seed)
        : random_(seed),
          in_order_(in_order),
          plan_(closing_plan()),
          schedule_(plan_.pairs, std::nullopt),
          counter_(plan_) {
        const double sigma = std::sqrt((1 - kDraws) / 4);
        win_ = 0.5 + assay::stats::t_of_nelo(nelo, 1) * sigma - kDraws / 2;
    }

    bool accepts() {
        for (int slot = 0; slot < kSlots; ++slot) begin(0);
        while (counter_.tally().verdict() == Verdict::None && !playing_.empty()) {
            auto [ends, number] = playing_.top();
            playing_.pop();
            const PairDigest pair = pairs_[number];
            if (in_order_) {
                for (const PairDigest& next : schedule_.finished(pair))
                    static_cast<void>(counter_.count(next));
            } else {
                static_cast<void>(counter_.count(pair));
            }
            begin(ends);
        }
        return counter_.tally().verdict() == Verdict::Accepted;
    }

private:
    /// Of a game's usual time, which varies by 35 %.
    double time_of(bool is_lost) {
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += random_.unit();
        return std::exp(0.35 * (sum - 6)) * (is_lost ? 0.7 : 1.0);
    }

    void begin(double now) {
        const auto assignment = schedule_.next();
        if (!assignment) return;
        PairDigest pair;
        pair.pair = assignment->pair;
        for (std::size_t i = 0; i < 2; ++i) {
            const double drawn = random_.unit();
            const bool is_won = drawn < win_;
            const bool is_drawn = !is_won && drawn < win_ + kDraws;
            const float score = is_won ? 1.0F : is_drawn ? 0.5F : 0.0F;
            GameDigest& game = pair.games.at(i);
            game.number = assignment->first_game + static_cast<std::int64_t>(i);
            if (i == 1) game.program = {1, 0};
            game.scores.value[i] = score;
            game.scores.value[1 - i] = 1 - score;
            game.scores.players = 2;
            now += time_of(!is_won && !is_drawn);
        }
        pairs_.push_back(pair);
        playing_.emplace(now, pairs_.size() - 1);
    }

    using Ending = std::pair<double, std::size_t>;  // when, and its place in pairs_

    Random random_;
    bool in_order_;
    MatchPlan plan_;
    Schedule schedule_;
    PairCounter counter_;
    double win_ = 0;
    std::vector<PairDigest> pairs_;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> playing_;
};

int accepted_of(int runs, double nelo, bool in_order) {
    int accepted = 0;
    for (int run = 0; run < runs; ++run)
        accepted +=
            FakeFleet(nelo, in_order, static_cast<std::uint64_t>(run) + 1).accepts() ? 1 : 0;
    return accepted;
}

}  // namespace

TEST_CASE("Schedule: 1,000 games at once bias no test that counts in schedule order") {
    constexpr int kRuns = 16;
    // At the upper bound 95 % are accepted, at the lower one 5 %; as they end, 10 % and 0.1 %.
    CHECK(accepted_of(kRuns, 10, true) >= 13);
    CHECK(accepted_of(kRuns, 0, true) <= 3);
    CHECK(accepted_of(kRuns / 2, 10, false) <= 3);
}
