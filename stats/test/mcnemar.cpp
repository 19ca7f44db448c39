// Two programs solve the same positions or fail at them. Positions that both solve or neither does
// say nothing about which is better. Of the others each belongs to one program; if the programs are
// equally good, a fair coin decides to which. So the test is the binomial one with p = 1/2 over the
// positions that differ, and exact for any number of them. The usual chi-squared form is an
// approximation that fails where few positions differ, which is the rule for a suite. Comparing the
// two counts as if they came from different positions would throw the pairing away.
//
// The exact p-value is conservative, since few values are possible. The mid-p-value counts the
// probability of what was seen half. (McNemar, "Note on the sampling error of the difference
// between correlated proportions or percentages", Psychometrika 12, 1947; Fagerland, Lydersen and
// Laake, "The McNemar test for binary matched-pairs data", BMC Medical Research Methodology 13:91,
// 2013, compares the forms.) The cost is the number of positions that differ.
#include "stats/test/mcnemar.h"

#include <algorithm>

#include "stats/data/fair_coin.h"

namespace assay::stats {

McNemar test_mcnemar(const PairedSuccesses& counts) {
    const std::int64_t n = counts.differing();
    McNemar out;
    out.first_more = fair_coin_tail(n, counts.only_first);
    out.second_more = fair_coin_tail(n, counts.only_second);
    out.p = std::min(1.0, 2 * std::min(out.first_more, out.second_more));
    const double seen = fair_coin_point(n, counts.only_first);
    // With equal counts the two tails overlap in what was seen.
    out.mid_p = counts.only_first == counts.only_second ? 1 - seen / 2 : out.p - seen;
    return out;
}

}  // namespace assay::stats
