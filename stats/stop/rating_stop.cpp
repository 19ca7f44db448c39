// Ending a tournament by its ratings.
//
// Whoever looks again and again until an order is shown finds one that is not there: at each look
// the usual intervals miss with 5 %. Here looks are planned, and look k may spend 5 % / (k (k + 1))
// on false orders; the sum over all k is 5 %. Within a look the level is divided among all
// differences of two programs (Bonferroni), so that nothing has to be simulated while games are
// played. Looks follow one another by a factor, since ratings change little between two counts that
// are nearly the same.
//
// Programs that are added or left out change how many pairs a look needs, and so which number a
// look has. After such a change all looks that any number of programs can have had with as many
// pairs are taken as made: those of two programs, whose looks begin first. Each planned number of
// pairs is then looked at once, with a share that no earlier look has spent.
//
// A width needs no such care: it depends on how many games there are and hardly on who won, so that
// an interval which stops growing narrower at a planned width still holds with nearly its 95 %
// (Chow and Robbins, 1965, "On the asymptotic theory of fixed-width sequential confidence intervals
// for the mean"). docs/statistics.md says what simulated tournaments show of both.
#include "stats/stop/rating_stop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "stats/data/normal.h"

namespace assay::stats {

namespace {

constexpr double kError = 0.05;
constexpr double kGrowth = 1.4;
constexpr std::int64_t kPairsAProgram = 10;

std::int64_t first_look(std::size_t programs) {
    return kPairsAProgram * static_cast<std::int64_t>(programs);
}

/// The results connect all of them.
bool is_connected(const RatingTable& table, const std::vector<std::size_t>& programs) {
    return std::ranges::all_of(programs, [&](std::size_t program) {
        return table.ratings()[program].games > 0 &&
               table.connection().component_of(program) ==
                   table.connection().component_of(programs.front());
    });
}

bool has_all_orders(const RatingTable& table, const std::vector<std::size_t>& programs,
                    double error) {
    const double z = bonferroni_factor(error, programs.size() * (programs.size() - 1) / 2);
    for (std::size_t i = 0; i < programs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const RatingDifference one = table.difference(programs[i], programs[j]);
            // An end that the results leave open shows nothing on its side.
            const bool is_bounded =
                one.elo > 0 ? one.ci95.low.has_value() : one.ci95.high.has_value();
            if (!is_bounded || std::fabs(one.elo) <= z * one.error) return false;
        }
    }
    return true;
}

bool is_precise(const RatingTable& table, const std::vector<std::size_t>& programs, double elo) {
    const double z = bonferroni_factor(kError, programs.size());
    return std::ranges::all_of(programs, [&](std::size_t program) {
        const Rating& rating = table.ratings()[program];
        return rating.ci95.low && rating.ci95.high && z * rating.error <= elo;
    });
}

}  // namespace

std::string text_of(const RatingGoal& goal) {
    std::string text;
    if (goal.elo) text = fmt::format("every rating within {:g} Elo", *goal.elo);
    if (goal.orders)
        text += (text.empty() ? "" : " and ") + std::string("the order of each two programs");
    return text;
}

double error_of_look(int number) {
    return kError / (static_cast<double>(number) * (static_cast<double>(number) + 1));
}

double bonferroni_factor(double error, std::size_t number) {
    return normal_quantile(1 - error / (2 * static_cast<double>(std::max<std::size_t>(1, number))));
}

RatingStop::RatingStop(RatingGoal goal, std::vector<std::size_t> asked, std::int64_t played,
                       bool has_changed)
    : goal_(goal), asked_(std::move(asked)), next_(first_look(has_changed ? 2 : asked_.size())) {
    (void)pass(std::max(played, first_look(asked_.size()) - 1));
}

int RatingStop::pass(std::int64_t pairs) {
    int now = look_;
    while (next_ <= pairs) {
        now = look_++;
        next_ = static_cast<std::int64_t>(std::ceil(static_cast<double>(next_) * kGrowth));
    }
    return now;
}

bool RatingStop::shows(std::int64_t pairs, std::size_t programs,
                       const std::vector<RatedPairs>& rows,
                       const std::vector<RatedGames>& singles) {
    ASSAY_CHECK(is_due(pairs));
    const int look = pass(pairs);
    RatingSettings settings;
    settings.draws = 1;  // nothing that is simulated is looked at here
    const RatingTable table(programs, singles, rows, settings);
    return is_connected(table, asked_) && (!goal_.elo || is_precise(table, asked_, *goal_.elo)) &&
           (!goal_.orders || has_all_orders(table, asked_, error_of_look(look)));
}

}  // namespace assay::stats
