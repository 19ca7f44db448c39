// Conditions on a tournament.
//
// A rating is compared through the run's one rating model (stats::RatingTable) by its intervals of
// differences, which hold all together. The mean of all others needs no estimate of its own: it is
// the mean of the differences from each of them, and where all intervals of differences hold, so
// does the interval between the means of their ends.
//
// A pairing is judged by the games of its two programs alone, in the same model: what others scored
// against them says nothing of an opponent that only one of them cannot beat. The intervals of all
// pairings that are asked for hold together by Bonferroni's factor.
//
// All conditions of a run share one error of 5 %. Where both kinds are asked for, each has half of
// it. A tournament that ends when its orders are shown was looked at before; its end is judged as
// one more look, with the share of the error that this look may spend, so that its result is worth
// what docs/statistics.md section 12 says of the looks. An end by precision needs no such care.
#include "harness/conditions/judgement.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/check.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "harness/tournament/tournament_state.h"
#include "stats/estimate/rating.h"
#include "stats/stop/rating_stop.h"

namespace assay::harness {

namespace {

using ConditionKind = TournamentCondition::Kind;

constexpr double kErrorOfRun = 0.05;

/// An interval that grows by others: the means of their values and ends.
class MeanOfDifferences {
public:
    void add(double elo, const stats::Interval& interval) {
        elo_ += elo;
        ++count_;
        low_ = low_ && interval.low ? std::optional(*low_ + *interval.low) : std::nullopt;
        high_ = high_ && interval.high ? std::optional(*high_ + *interval.high) : std::nullopt;
    }

    void put(ConditionResult& result) const {
        const auto count = static_cast<double>(count_);
        result.elo = elo_ / count;
        if (low_) result.interval.low = *low_ / count;
        if (high_) result.interval.high = *high_ / count;
    }

private:
    double elo_ = 0;
    std::size_t count_ = 0;
    std::optional<double> low_ = 0.0;
    std::optional<double> high_ = 0.0;
};

/// With the ends that the results leave open.
stats::Interval interval_with(const stats::RatingDifference& difference, double factor) {
    stats::Interval interval;
    if (difference.ci95.low) interval.low = difference.elo - factor * difference.error;
    if (difference.ci95.high) interval.high = difference.elo + factor * difference.error;
    return interval;
}

class ConditionJudge {
public:
    ConditionJudge(const RunPlan& plan, const PlayedMeetings& played, bool has_changed)
        : plan_(plan),
          tournament_(*plan.tournament),
          played_(played),
          has_changed_(has_changed),
          pairs_(played.rated()),
          singles_(played.rated_singles()) {
        if (!pairs_.empty() || !singles_.empty())
            table_.emplace(plan.programs.size(), singles_, pairs_, stats::RatingSettings());
        set_error();
    }

    [[nodiscard]] TournamentJudgement judge() const {
        TournamentJudgement judgement;
        judgement.is_tainted = played_.harness_losses() > 0;
        for (const TournamentCondition& condition : tournament_.require) {
            ConditionResult result;
            result.condition = condition;
            if (condition.is_of_failures()) {
                judge_failures(result);
            } else if (condition.kind == ConditionKind::Rating) {
                judge_rating(result);
            } else {
                judge_pairings(result);
            }
            if (judgement.is_tainted && !condition.is_of_failures())
                result.state = ConditionState::Undecided;
            judgement.conditions.push_back(std::move(result));
        }
        return judgement;
    }

private:
    [[nodiscard]] std::size_t number_of(const std::string& name) const {
        const auto found = std::ranges::find(plan_.programs, name, &ProgramPlan::name);
        return static_cast<std::size_t>(found - plan_.programs.begin());
    }

    /// Those that the program has games with.
    [[nodiscard]] std::set<std::size_t> opponents_of(std::size_t program) const {
        std::set<std::size_t> met;
        const auto add = [&](const auto& row) {
            if (row.first == program) met.insert(row.second);
            if (row.second == program) met.insert(row.first);
        };
        std::ranges::for_each(pairs_, add);
        std::ranges::for_each(singles_, add);
        return met;
    }

    [[nodiscard]] std::size_t count(ConditionKind kind) const {
        return static_cast<std::size_t>(
            std::ranges::count(tournament_.require, kind, &TournamentCondition::kind));
    }

    /// The factors of errors in intervals.
    void set_error() {
        double error = kErrorOfRun;
        bool is_usual = table_.has_value();
        if (tournament_.until.orders) {
            const stats::RatingStop looks(tournament_.until, entrants_of(plan_), played_.pairs(),
                                          has_changed_);
            error = stats::error_of_look(looks.next_number());
            is_usual = false;
        }
        if (count(ConditionKind::Rating) > 0 && count(ConditionKind::Pairings) > 0) {
            error /= 2;
            is_usual = false;
        }
        std::size_t pairings = 0;
        for (const TournamentCondition& one : tournament_.require)
            if (one.kind == ConditionKind::Pairings)
                pairings += opponents_of(number_of(one.program)).size();
        factor_of_pairings_ = stats::bonferroni_factor(error, pairings);
        const std::size_t programs = plan_.programs.size();
        factor_of_ratings_ = is_usual
                                 ? table_->critical()
                                 : stats::bonferroni_factor(error, programs * (programs - 1) / 2);
    }

    void judge_rating(ConditionResult& result) const {
        const TournamentCondition& condition = result.condition;
        const std::size_t program = number_of(condition.program);
        std::vector<std::size_t> others;
        if (condition.over.empty()) {
            others = entrants_of(plan_);
            std::erase(others, program);
        } else {
            others.push_back(number_of(condition.over));
        }
        if (!table_ || others.empty() || program >= plan_.programs.size()) return;
        MeanOfDifferences mean;
        for (const std::size_t other : others) {
            if (other >= plan_.programs.size()) return;
            const stats::RatingDifference one = table_->difference(program, other);
            if (!one.is_comparable) return;
            mean.add(one.elo, interval_with(one, factor_of_ratings_));
        }
        mean.put(result);
        result.state = state_against(result.interval, condition.limit);
    }

    /// The difference that the games of these two alone show.
    [[nodiscard]] stats::RatingDifference between(std::size_t program, std::size_t other) const {
        const auto only = [&](auto rows) {
            std::erase_if(rows, [&](const auto& row) {
                return std::minmax(row.first, row.second) != std::minmax(program, other);
            });
            for (auto& row : rows) {
                row.first = row.first == program ? std::size_t{0} : std::size_t{1};
                row.second = 1 - row.first;
            }
            return rows;
        };
        stats::RatingSettings settings;
        settings.draws = 1;  // nothing that is simulated is looked at here
        return stats::RatingTable(2, only(singles_), only(pairs_), settings).difference(0, 1);
    }

    /// The pairing that decides is the one with the worst state, and of these the one whose lower
    /// end is farthest below.
    void judge_pairings(ConditionResult& result) const {
        const std::size_t program = number_of(result.condition.program);
        constexpr auto kOpen = -1e9;
        const auto rank = [](ConditionState state) {
            return state == ConditionState::Broken ? 0 : state == ConditionState::Undecided ? 1 : 2;
        };
        for (const std::size_t other : opponents_of(program)) {
            const stats::RatingDifference one = between(program, other);
            const stats::Interval interval = interval_with(one, factor_of_pairings_);
            const ConditionState state = state_against(interval, result.condition.limit);
            const bool is_first = result.pairings++ == 0;
            const bool is_worse =
                is_first || rank(state) < rank(result.state) ||
                (state == result.state &&
                 interval.low.value_or(kOpen) < result.interval.low.value_or(kOpen));
            if (!is_worse) continue;
            result.state = state;
            result.elo = one.elo;
            result.interval = interval;
            result.opponent = plan_.programs[other].name;
        }
    }

    void judge_failures(ConditionResult& result) const {
        const Failures failures = played_.failures(number_of(result.condition.program));
        switch (result.condition.kind) {
            case ConditionKind::Crashes:
                result.found = failures.crashes + failures.stalls;
                break;
            case ConditionKind::TimeLosses:
                result.found = failures.time_losses;
                break;
            case ConditionKind::IllegalMoves:
                result.found = failures.illegal_moves;
                break;
            case ConditionKind::Rating:
            case ConditionKind::Pairings:
                break;
        }
        result.state = static_cast<double>(result.found) > result.condition.limit
                           ? ConditionState::Broken
                           : ConditionState::Holds;
    }

    const RunPlan& plan_;
    const TournamentPlan& tournament_;
    const PlayedMeetings& played_;
    bool has_changed_;
    std::vector<stats::RatedPairs> pairs_;
    std::vector<stats::RatedGames> singles_;
    std::optional<stats::RatingTable> table_;
    double factor_of_ratings_ = 0;
    double factor_of_pairings_ = 0;
};

std::string end_text(const std::optional<double>& end) {
    return end ? fmt::format("{:+.1f}", *end) : "open";
}

std::string figures_text(const ConditionResult& result) {
    if (!result.elo) return "no games show it";
    return fmt::format("{:+.1f} [{}, {}]", *result.elo, end_text(result.interval.low),
                       end_text(result.interval.high));
}

}  // namespace

std::string_view name_of(ConditionState state) {
    return enum_names<ConditionState>("holds", "broken", "undecided").of(state);
}

std::string_view name_of(TournamentCondition::Kind kind) {
    return enum_names<ConditionKind>("rating", "pairings", "crashes", "time_losses",
                                     "illegal_moves")
        .of(kind);
}

ConditionState state_against(const stats::Interval& interval, double least) {
    if (interval.low && *interval.low >= least) return ConditionState::Holds;
    if (interval.high && *interval.high < least) return ConditionState::Broken;
    return ConditionState::Undecided;
}

std::string text_of(const ConditionResult& result) {
    const TournamentCondition& one = result.condition;
    const auto failures = [&](std::string_view word, std::string_view words) {
        return fmt::format("{}: {}, at most {:g} allowed", one.program,
                           counted(result.found, word, words), one.limit);
    };
    switch (one.kind) {
        case ConditionKind::Crashes:
            return failures("crash or stall", "crashes or stalls");
        case ConditionKind::TimeLosses:
            return failures("loss on time", "losses on time");
        case ConditionKind::IllegalMoves:
            return failures("illegal move", "illegal moves");
        case ConditionKind::Rating:
            return fmt::format("{} rated at least {:+g} Elo over {}: {}", one.program, one.limit,
                               one.over.empty() ? "the mean of all others" : one.over,
                               figures_text(result));
        case ConditionKind::Pairings:
            break;
    }
    const std::string against =
        result.opponent.empty() ? "" : fmt::format(" against {}", result.opponent);
    return fmt::format("{} at least {:+g} Elo in each of {}: {}{}", one.program, one.limit,
                       counted(static_cast<std::int64_t>(result.pairings), "pairing"),
                       figures_text(result), against);
}

ConditionState TournamentJudgement::state() const {
    const auto has = [this](ConditionState wanted) {
        return std::ranges::find(conditions, wanted, &ConditionResult::state) != conditions.end();
    };
    if (has(ConditionState::Broken)) return ConditionState::Broken;
    return has(ConditionState::Undecided) ? ConditionState::Undecided : ConditionState::Holds;
}

std::vector<std::string> TournamentJudgement::sentences(ConditionState state) const {
    std::vector<std::string> out;
    for (const ConditionResult& one : conditions)
        if (one.state == state)
            out.push_back(text_of(one) + (state == ConditionState::Undecided ? ", undecided" : ""));
    return out;
}

std::optional<TournamentJudgement> judge_conditions(const RunPlan& plan,
                                                    const PlayedMeetings& played,
                                                    bool has_changed) {
    if (!plan.tournament || plan.tournament->require.empty()) return std::nullopt;
    return ConditionJudge(plan, played, has_changed).judge();
}

}  // namespace assay::harness
