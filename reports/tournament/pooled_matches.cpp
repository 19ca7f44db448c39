// Adding up the pairs of several matches is right for an estimate whose number of pairs nothing
// has influenced: every match had a fixed length, and it was settled beforehand which matches are
// added. After a sequential test it is not. A test that passes stops at a high score, so that the
// sum lies too high; and two tests that each err in 5 % of the cases do not make one that does.
// Bets do hold: the wealth after all pairs of all matches is a fair game as long as each next pair
// has at most the score of the hypothesis, whoever decided that it is played, and why
// (stats/stop/evidence.h). So the verdict of a pool is that of bets, and the plain figures are
// shown where they can hold.
#include "reports/tournament/pooled_matches.h"

#include "stats/data/sample.h"
#include "stats/stop/evidence.h"

namespace assay::reports {

namespace {

constexpr int kMostCategory = 4;

int category_of(const stats::ObservedPair& pair, bool is_reversed) {
    const int category = pair.cell / 3 + pair.cell % 3;
    return is_reversed ? kMostCategory - category : category;
}

}  // namespace

std::string not_fixed_because(const harness::MatchTally& tally) {
    if (tally.plan().stop.is_sequential()) {
        return tally.rule() == nullptr ? "sequential" : tally.rule()->state().rule;
    }
    return harness::is_cut_short(tally) ? "was stopped" : "";
}

PooledResult pool_matches(const std::vector<PooledMatch>& matches,
                          const stats::EvidenceSettings& settings) {
    PooledResult result;
    const auto rule = stats::make_evidence_rule(settings);
    for (const PooledMatch& match : matches) {
        result.is_fixed = result.is_fixed && not_fixed_because(*match.tally).empty();
        for (const stats::ObservedPair& pair : match.tally->observed()) {
            const int category = category_of(pair, match.is_reversed);
            ++result.pairs.counts[static_cast<std::size_t>(category)];
            rule->add(category);
        }
    }
    result.plain = harness::fixed_estimate(result.pairs);
    result.sign_flip = stats::sign_flip_test(result.pairs);
    result.evidence = rule->state();
    if (rule->decision() != stats::Decision::Continue) result.decided_after = rule->pairs().pairs();
    result.elo_at_every_look = stats::confidence_sequence_elo(stats::sample_of(result.pairs));
    return result;
}

}  // namespace assay::reports
