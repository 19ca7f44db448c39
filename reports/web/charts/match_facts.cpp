// What a page draws of a match beside its tally: the counted pairs are walked once more in the
// order in which the stop rule saw them, with a fresh rule, so that the curve of the test is the
// one that decided. Fewer than 802 points are kept, and always the one at which it decided.
#include "reports/web/charts/match_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/diagnostic.h"
#include "reports/view/run_view.h"
#include "rules/game.h"
#include "stats/data/sample.h"
#include "stats/stop/evidence.h"

namespace assay::reports::web {

namespace {

using harness::GameDigest;
using harness::MatchTally;
using harness::PairDigest;

constexpr std::int64_t kMostPoints = 400;

void count(stats::Wdl& counts, int half_points) {
    counts.wins += half_points == 2 ? 1 : 0;
    counts.draws += half_points == 1 ? 1 : 0;
    counts.losses += half_points == 0 ? 1 : 0;
}

/// Every ending that the game and the harness know, none of which has happened yet.
std::vector<Ending> known_endings(const harness::MatchPlan& plan) {
    std::vector<Ending> endings;
    try {
        const std::unique_ptr<rules::Game> rules = harness::game_of(plan);
        for (const rules::Ending& each : rules->info().endings)
            endings.push_back({harness::Termination::by_rules(each.word)});
    } catch (const Error&) {
        // A game whose rules this version does not know: those that happened are added.
    }
    for (std::size_t cause = harness::Termination::Rules + 1; cause < harness::kCauses; ++cause)
        endings.push_back({static_cast<harness::Termination::Cause>(cause)});
    return endings;
}

Ending& ending_of(MatchFacts& facts, const harness::Termination& termination) {
    const auto found = std::ranges::find(facts.endings, termination, &Ending::termination);
    return found != facts.endings.end() ? *found : facts.endings.emplace_back(Ending{termination});
}

void count_game(MatchFacts& facts, const GameDigest& game, std::size_t half) {
    const int first = half_points(game, 0);
    Ending& ending = ending_of(facts, game.termination);
    ending.first_won += first == 2 ? 1 : 0;
    ending.drawn += first == 1 ? 1 : 0;
    ending.second_won += first == 0 ? 1 : 0;
    const auto mover = static_cast<std::size_t>(game.program[0]);
    const int movers = mover == 0 ? first : 2 - first;
    count(facts.as_first[mover], movers);
    count(facts.halves[half], movers);
}

int draws_of(const PairDigest& pair) {
    return (pair.cell() / 3 == 1 ? 1 : 0) + (pair.cell() % 3 == 1 ? 1 : 0);
}

/// Wald's bounds as they are compared with; of the others, whose correction moves with each look,
/// the curve that they were calibrated as.
LookPoint look_of(const stats::StopRule& rule, std::int64_t pairs) {
    const stats::TestState state = rule.state();
    const auto compared = state.rule == "sprt" ? reports::bounds_of(state) : std::nullopt;
    if (compared) return {pairs, state.llr, compared->lower, compared->upper};
    return {pairs, state.llr, state.lower, state.upper};
}

EloPoint elo_of(const stats::Pentanomial& counts) {
    const stats::Sample sample = stats::sample_of(counts);
    return {counts.pairs(), stats::estimate_strength(sample).elo,
            stats::confidence_sequence_elo(sample)};
}

/// Walks the counted pairs once more, as the stop rule saw them.
void trace(MatchFacts& facts, const MatchTally& tally, const std::vector<PairDigest>& pairs) {
    const std::int64_t total = tally.pairs();
    const std::unique_ptr<stats::StopRule> rule = tally.rule() ? tally.rule()->fresh() : nullptr;
    const std::int64_t step = std::max<std::int64_t>(1, total / kMostPoints);
    stats::Pentanomial counts;
    bool has_decided = false;
    for (const PairDigest& pair : pairs) {
        if (counts.pairs() == total) break;
        if (pair.state != harness::PairState::Counted) continue;
        counts.add(pair.category());
        const std::int64_t done = counts.pairs();
        const bool is_shown = done % step == 0 || done == total;
        if (rule && !has_decided) {
            has_decided = rule->add(pair.category(), draws_of(pair)) != stats::Decision::Continue;
            if (is_shown || has_decided) facts.looks.push_back(look_of(*rule, done));
        }
        if (is_shown) facts.elo.push_back(elo_of(counts));
    }
}

}  // namespace

MatchFacts facts_of(const MatchTally& tally, const std::vector<PairDigest>& pairs) {
    MatchFacts facts;
    facts.endings = known_endings(tally.plan());
    std::map<std::uint64_t, OpeningCount> openings;
    std::int64_t done = 0;
    for (const PairDigest& pair : pairs) {
        // Those behind are finished, but wait for one that is not.
        if (done == tally.pairs()) break;
        if (pair.state != harness::PairState::Counted) continue;
        const std::size_t half = 2 * done++ < tally.pairs() ? 0 : 1;
        for (const GameDigest& game : pair.games) count_game(facts, game, half);
        OpeningCount& opening = openings[pair.opening_index];
        opening.index = pair.opening_index;
        opening.a_pair = pair.pair;
        opening.pairs.add(pair.category());
    }
    for (const auto& [index, opening] : openings) facts.openings.push_back(opening);
    trace(facts, tally, pairs);
    return facts;
}

std::vector<LookPoint> bounds_of(const MatchTally& tally, std::int64_t until) {
    using Rule = harness::StopPlan::Rule;
    if (!tally.rule()) return {};
    const std::int64_t last = tally.rule()->cap().value_or(until);
    std::vector<LookPoint> out;
    if (tally.plan().stop.rule == Rule::Sprt) {
        const LookPoint now = look_of(*tally.rule(), last);
        for (const std::int64_t at : {std::int64_t{0}, last})
            out.push_back({at, std::nullopt, now.lower, now.upper});
        return out;
    }
    constexpr std::int64_t kSteps = 80;
    for (std::int64_t i = 0; i <= kSteps; ++i) {
        const std::int64_t at = last * i / kSteps;
        if (!out.empty() && out.back().pairs == at) continue;
        if (const auto bounds = tally.rule()->bounds_after(at))
            out.push_back({at, std::nullopt, bounds->lower, bounds->upper});
    }
    return out;
}

}  // namespace assay::reports::web
