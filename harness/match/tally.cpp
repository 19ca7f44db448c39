// Everything that is counted of a match is counted here, from digests of pairs alone: a live
// session and a report that reads the store feed the same object in the same order and cannot
// disagree.
//
// A crash, a loss on time or an illegal move is scored as the rules of play say, but is no evidence
// of strength. So three more stop rules run beside the one that decides: without the pairs in which
// a program failed, and with each failure as a win of the one side and of the other. Where one of
// them would have decided otherwise, the verdict depends on failures and is tainted. They cost
// three times the rule, so that they are made at the first failure, from the cells that were
// counted until then (one byte a pair); most matches never have them.
//
// Failures are counted twice: in the pairs that count, for the score, and in everything that was
// played, for `require`, which asks what a program did and not what it counted for.
#include "harness/match/tally.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/random.h"
#include "harness/plan/resolved_stop.h"
#include "stats/test/sign_flip.h"

namespace assay::harness {

namespace {

Verdict verdict_of(stats::Decision decision) {
    switch (decision) {
        case stats::Decision::AcceptH1:
            return Verdict::Accepted;
        case stats::Decision::AcceptH0:
            return Verdict::Rejected;
        case stats::Decision::Continue:
            break;
    }
    return Verdict::None;
}

/// The rule `fixed`: a significant score decides by its sign.
Verdict fixed_verdict(const stats::Pentanomial& pairs, double alpha) {
    if (stats::sign_flip_test(pairs).p_value > alpha) return Verdict::Inconclusive;
    return pairs.balance() > 0 ? Verdict::Accepted : Verdict::Rejected;
}

void count(Failures& failures, const Termination& termination) {
    switch (termination.cause) {
        case Termination::Time:
            ++failures.time_losses;
            break;
        case Termination::Crash:
        case Termination::Disconnect:
        case Termination::NoStart:
            ++failures.crashes;
            break;
        case Termination::IllegalMove:
            ++failures.illegal_moves;
            break;
        case Termination::Stall:
            ++failures.stalls;
            break;
        default:
            break;
    }
}

bool has_failed(const GameDigest& game) {
    return is_failure(game.termination) && game.guilty >= 0;
}

/// The cell (PairDigest::cell) that the pair would have if the first program had scored so many
/// half points in each game in which a program failed.
int cell_with_failures_as(const PairDigest& pair, int half_points) {
    int first = pair.cell() / 3;
    int second = pair.cell() % 3;
    if (has_failed(pair.games[0])) first = half_points;
    if (has_failed(pair.games[1])) second = half_points;
    return 3 * first + second;
}

int category_of(int cell) {
    return cell / 3 + cell % 3;
}

/// Results of the first program, of the game in which it had the first move and of the other.
stats::ObservedPair observation_of(const PairDigest& pair, std::uint16_t machine) {
    const bool is_first_first = pair.games[0].program[0] == 0;
    const int with = is_first_first ? pair.cell() / 3 : pair.cell() % 3;
    const int without = is_first_first ? pair.cell() % 3 : pair.cell() / 3;
    return {mix64(pair.games[0].moves_hash, pair.games[1].moves_hash),
            static_cast<std::uint32_t>(pair.opening_index), static_cast<std::uint16_t>(pair.slot),
            static_cast<std::uint8_t>(3 * with + without), machine};
}

void feed(stats::StopRule& rule, int cell) {
    const int draws = (cell / 3 == 1 ? 1 : 0) + (cell % 3 == 1 ? 1 : 0);
    rule.add(category_of(cell), draws);
}

}  // namespace

std::int64_t most_voided(std::int64_t games) {
    constexpr std::int64_t kOneIn = 100;
    return std::max<std::int64_t>(1, games / kOneIn);
}

Failures& Failures::operator+=(const Failures& other) {
    time_losses += other.time_losses;
    crashes += other.crashes;
    illegal_moves += other.illegal_moves;
    stalls += other.stalls;
    return *this;
}

stats::ListedGame listed_game(const GameDigest& game, const std::array<std::size_t, 2>& programs) {
    stats::ListedGame listed;
    listed.first = programs.at(static_cast<std::size_t>(game.program[0]));
    listed.second = programs.at(static_cast<std::size_t>(game.program[1]));
    listed.half_points = half_points(game, game.program[0]);
    return listed;
}

void count_failure(std::array<Failures, 2>& failures, const GameDigest& game) {
    if (!has_failed(game) || game.harness_caused) return;
    const int program = game.program[static_cast<std::size_t>(game.guilty)];
    count(failures[static_cast<std::size_t>(program)], game.termination);
}

struct MatchTally::Scenarios {
    explicit Scenarios(const stats::StopRule& rule)
        : without(rule.fresh()), best(rule.fresh()), worst(rule.fresh()) {}

    std::unique_ptr<stats::StopRule> without;
    std::unique_ptr<stats::StopRule> best;
    std::unique_ptr<stats::StopRule> worst;
};

MatchTally::MatchTally(const MatchPlan& plan) : MatchTally(plan, make_stop_rule(plan)) {}

MatchTally::MatchTally(const MatchPlan& plan, std::unique_ptr<stats::StopRule> rule)
    : plan_(plan), rule_(std::move(rule)) {}

MatchTally::MatchTally(MatchTally&&) noexcept = default;
MatchTally& MatchTally::operator=(MatchTally&&) noexcept = default;
MatchTally::~MatchTally() = default;

void MatchTally::add(const PairDigest& pair) {
    machine_counts_.add(pair);
    if (pair.state == PairState::Late) {
        ++late_;
        return;
    }
    for (const GameDigest& game : pair.played()) count_failure(all_failures_, game);
    switch (pair.state) {
        case PairState::Counted:
            add_counted(pair);
            break;
        case PairState::Duplicate:
            ++duplicates_;
            return;
        case PairState::AfterStop:
            ++after_stop_;
            return;
        case PairState::Void:
            ++voided_;
            return;
        case PairState::Late:
            return;
    }
    decide_at_the_end();
}

std::int64_t MatchTally::pairs() const {
    return pentanomial_.pairs();
}

void MatchTally::add_counted(const PairDigest& pair) {
    for (const GameDigest& game : pair.played()) {
        const int points = half_points(game, 0);
        ++(points == 2 ? wdl_.wins : points == 1 ? wdl_.draws : wdl_.losses);
        ++terminations_[game.termination];
        first_player_wins_ += game.scores[0] == 1 ? 1 : 0;
        plies_ += game.plies;
        if (!has_failed(game)) continue;
        harness_losses_ += game.harness_caused ? 1 : 0;
        const auto player = static_cast<std::size_t>(game.guilty);
        count(failures_[static_cast<std::size_t>(game.program[player])], game.termination);
    }
    if (pair.is_single) {
        ++singles_;
        return;
    }
    pentanomial_.add(pair.category());
    ++cells_[static_cast<std::size_t>(pair.cell())];
    observed_.push_back(observation_of(pair, machine_index(pair.machine)));
    count_scenarios(pair);
    feed_rules(pair);
}

std::uint16_t MatchTally::machine_index(std::int64_t machine) {
    // Indices are two bytes wide, because one is kept for every pair.
    constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
    const auto found = std::find(machines_.begin(), machines_.end(), machine);
    const auto index = static_cast<std::size_t>(found - machines_.begin());
    if (found == machines_.end() && index < kMost) machines_.push_back(machine);
    return static_cast<std::uint16_t>(std::min(index, kMost - 1));
}

/// What the pair would count for if its failures were scored otherwise.
void MatchTally::count_scenarios(const PairDigest& pair) {
    const bool is_clean = !has_failed(pair.games[0]) && !has_failed(pair.games[1]);
    if (is_clean) without_failures_.add(pair.category());
    best_case_.add(category_of(cell_with_failures_as(pair, 2)));
    worst_case_.add(category_of(cell_with_failures_as(pair, 0)));
}

std::array<Failures, 2> MatchTally::all_failures() const {
    std::array<Failures, 2> all = all_failures_;
    for (const std::size_t program : {0U, 1U}) all[program] += failures_in_open_pairs_[program];
    for (std::size_t i = 0; i < std::min(all.size(), meters_.between_games.size()); ++i) {
        all[i].crashes += meters_.between_games[i].crashes;
        all[i].stalls += meters_.between_games[i].stalls;
    }
    return all;
}

void MatchTally::feed_rules(const PairDigest& pair) {
    if (!rule_) return;
    const bool is_clean = !has_failed(pair.games[0]) && !has_failed(pair.games[1]);
    if (!is_clean && !scenarios_) {
        scenarios_ = std::make_unique<Scenarios>(*rule_);
        for (const std::uint8_t cell : history_) {
            feed(*scenarios_->without, cell);
            feed(*scenarios_->best, cell);
            feed(*scenarios_->worst, cell);
        }
        history_ = {};
    }
    if (scenarios_) {
        if (is_clean) feed(*scenarios_->without, pair.cell());
        feed(*scenarios_->best, cell_with_failures_as(pair, 2));
        feed(*scenarios_->worst, cell_with_failures_as(pair, 0));
    } else {
        history_.push_back(static_cast<std::uint8_t>(pair.cell()));
    }
    // The scenarios are fed behind the decision too: pairs that were in play then count, and a
    // scenario that has not decided yet may do so by them.
    if (verdict_ != Verdict::None) return;
    feed(*rule_, pair.cell());
    // `fixed` is decided once all pairs are in.
    if (plan_.stop.rule == StopPlan::Rule::Fixed || is_too_short(plan_)) return;
    verdict_ = verdict_of(rule_->decision());
}

void MatchTally::decide_at_the_end() {
    if (!rule_ || verdict_ != Verdict::None || pairs() < plan_.pairs) return;
    verdict_ = plan_.stop.rule == StopPlan::Rule::Fixed
                   ? fixed_verdict(pentanomial_, plan_.stop.alpha.value_or(0.05))
                   : Verdict::Inconclusive;
}

void MatchTally::close(bool book_exhausted, bool out_of_time) {
    book_exhausted_ = book_exhausted;
    out_of_time_ = out_of_time;
    if (rule_ && verdict_ == Verdict::None) verdict_ = Verdict::Inconclusive;
}

ScenarioVerdicts MatchTally::scenario_verdicts() const {
    const bool is_fixed = plan_.stop.rule == StopPlan::Rule::Fixed;
    const bool is_cut_short = is_fixed && pairs() < plan_.pairs;
    if (!scenarios_ || is_cut_short || is_too_short(plan_)) return {verdict_, verdict_, verdict_};
    if (is_fixed) {
        const double alpha = plan_.stop.alpha.value_or(0.05);
        return {fixed_verdict(without_failures_, alpha), fixed_verdict(best_case_, alpha),
                fixed_verdict(worst_case_, alpha)};
    }
    return {verdict_of(scenarios_->without->decision()), verdict_of(scenarios_->best->decision()),
            verdict_of(scenarios_->worst->decision())};
}

bool MatchTally::is_voided_too_often() const {
    if (harness_losses_ > 0) return true;
    const std::int64_t played = 2 * (pairs() + duplicates_ + after_stop_ + voided_) + singles_;
    // A share of the whole plan while the match goes on, of the games played when it is over.
    const std::int64_t games =
        verdict_ == Verdict::None ? std::max(played, 2 * plan_.pairs) : played;
    return voided_ > most_voided(games);
}

bool MatchTally::is_changed_by_failures() const {
    if (verdict_ == Verdict::None || !scenarios_) return false;
    const auto contradicts = [this](Verdict other) {
        return (other == Verdict::None ? Verdict::Inconclusive : other) != verdict_;
    };
    const ScenarioVerdicts others = scenario_verdicts();
    return contradicts(others.without_failures) || contradicts(others.best_case) ||
           contradicts(others.worst_case);
}

}  // namespace assay::harness
