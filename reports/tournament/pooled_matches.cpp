// Adding up the pairs of several matches is right for an estimate whose number of pairs nothing
// has influenced: every match had a fixed length, and it was settled beforehand which matches are
// added. After a sequential test it is not. A test that passes stops at a high score, so that the
// sum lies too high; and two tests that each err in 5 % of the cases do not make one that does.
// Bets do hold: the wealth after all pairs of all matches is a fair game as long as each next pair
// has at most the score of the hypothesis, whoever decided that it is played, and why
// (stats/stop/evidence.h). The wealth is a product over the pairs, so that their order does not
// matter for it: matches that were played at the same time need none. What it was in between does
// depend on the order, which is not known; so the verdict is that of the wealth at the end alone.
#include "reports/tournament/pooled_matches.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "stats/data/elo.h"
#include "stats/data/sample.h"
#include "stats/stop/evidence.h"

namespace assay::reports {

namespace {

/// Results decide how many pairs two programs of a tournament of this kind play.
bool follows_results(const harness::TournamentPlan& tournament) {
    using Kind = harness::TournamentKind;
    return tournament.kind == Kind::Knockout || tournament.kind == Kind::Swiss ||
           tournament.kind == Kind::LeastPlayed;
}

}  // namespace

std::string not_fixed_because(const PooledMatch& match) {
    const harness::MatchTally& tally = *match.tally;
    if (tally.plan().stop.is_sequential())
        return tally.rule() == nullptr ? "sequential" : tally.rule()->state().rule;
    const auto& tournament = match.run->plan.tournament;
    if (tournament && follows_results(*tournament))
        return std::string(harness::name_of(tournament->kind));
    if (match.run->findings.extensions > 0) return "was extended";
    if (tally.is_out_of_time() || match.run->end_reason == harness::kOutOfTime)
        return "ran out of time";
    if (tally.is_book_exhausted()) return "ran out of openings";
    return tally.pairs() == tally.plan().pairs ? "" : "was stopped";
}

stats::Pentanomial pairs_of(const PooledMatch& match) {
    stats::Pentanomial pairs = match.tally->pentanomial();
    if (match.is_reversed) std::reverse(pairs.counts.begin(), pairs.counts.end());
    return pairs;
}

PooledResult pool_matches(const std::vector<PooledMatch>& matches,
                          const stats::EvidenceSettings& settings) {
    (void)stats::make_evidence_rule(settings);  // throws where they make no test
    PooledResult result;
    for (const PooledMatch& match : matches) {
        result.is_fixed = result.is_fixed && not_fixed_because(match).empty();
        if (match.tally->single_games() > 0)
            throw Error(
                "single games cannot be pooled, as they are no pairs (tournament.games: 1): "
                "assay stats rate takes them");
        const stats::Pentanomial pairs = pairs_of(match);
        for (std::size_t i = 0; i < pairs.counts.size(); ++i)
            result.pairs.counts[i] += pairs.counts[i];
    }
    const stats::Sample sample = stats::sample_of(result.pairs);
    result.plain = harness::fixed_estimate(result.pairs);
    result.sign_flip = stats::sign_flip_test(result.pairs);
    result.ln_e_for = stats::log_e_above(sample, stats::score_of_elo(settings.elo0));
    result.ln_e_against = stats::log_e_below(sample, stats::score_of_elo(settings.elo1));
    if (result.ln_e_for >= -std::log(settings.alpha)) {
        result.decision = stats::Decision::AcceptH1;
    } else if (result.ln_e_against >= -std::log(settings.beta)) {
        result.decision = stats::Decision::AcceptH0;
    }
    result.elo_at_every_look = stats::confidence_sequence_elo(sample);
    return result;
}

}  // namespace assay::reports
