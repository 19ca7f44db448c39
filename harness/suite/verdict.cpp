// Judging a suite: does an expectation hold for a program, over all positions, against a baseline?
//
// An expectation is a query whose answer at each position is a number, and bounds on it. There are
// two kinds of bounds, and each may be of every position or of the suite as a whole.
//
// Absolute bounds (min, max, exactly) are compared as they stand: with each position's figure, or
// with the sum over the suite. Where the answers do not add up (a share, a greatest value) the sum
// is replaced by the mean; adds_up() decides that from the query.
//
// A bound on the change against the baseline ("at most +5 %") over the suite is where a plain
// comparison of sums misleads. Search trees differ in size by factors of a thousand, so that one
// position may be most of the sum, and a search that changes at all scatters: the sum of an equal
// program is beyond +5 % in a good part of all suites. So a bound of the suite is broken only if
// two things hold:
//   1. the sum (or mean) is beyond the bound, which is what was asked for; and
//   2. the typical position is beyond it, too: over the positions, with
//          d = log((after + 1/2) / (allowed + 1/2)),  allowed = before * (1 + bound),
//      Wilcoxon's signed-rank test of "the d lie symmetrically about 0 or below" has p <= 0.05.
//      The logarithm of the ratio gives positions of all sizes the same weight; half a node keeps
//      an answer of 0 finite and changes the others little. The test needs no normality, and a few
//      outliers cannot decide it. (Wilcoxon, "Individual comparisons by ranking methods",
//      Biometrics Bulletin 1, 1945; the exact distribution is in stats/test/paired_positions.)
// With n positions that changed the smallest p there can be is 2^-n. Below five positions that is
// above 0.05, and no bound could ever be broken; there the smallest p is enough, which means that
// every position is beyond the bound. Where only 1 holds, the expectation holds with a remark.
//
// Measures of solutions need two more rules. Whether a position is solved is 1 or 0, and most
// positions are solved by both versions or by none, so that "the typical position is beyond the
// bound" is never true. There 2. becomes McNemar's exact test of "no change" (one-sided, p <= 0.05)
// on the positions that one version alone solves; at least five are needed. The effort of a
// solution (nodes, time, depth) does not exist where there is none, and leaving such positions out
// would favour the version that solves fewer. They are kept as infinite: sums are over the
// positions that both solve, and in Wilcoxon's test a position that only one solves is farther than
// any other. (Ranking what is only known to lie beyond the limit as the largest: Gehan, "A
// generalized Wilcoxon test for comparing arbitrarily singly-censored samples", Biometrika 52,
// 1965.)
//
// What is not known is never taken for good. A search that failed, is missing or was cut leaves a
// gap: a sum with a gap is no sum, so that bounds of the suite are not judged, and an expectation
// that no position breaks becomes "inconclusive" with the first gap as its reason. A breach at a
// position that is known stands whatever else is missing. The baseline's gaps count only where
// something is asked against it.
//
// Cost: a sort of the searches, then a look at each (expectation, program, position).
#include "harness/suite/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "gtql/lang/parser.h"

namespace assay::harness {

namespace {

constexpr double kError = 0.05;
constexpr double kFar = std::numeric_limits<double>::infinity();

std::string number_text(double value) {
    if (std::isinf(value)) return "not solved";
    return std::nearbyint(value) == value && std::abs(value) < 1e15
               ? fmt::format("{}", static_cast<std::int64_t>(value))
               : plain_number(value);
}

std::string percent_text(double percent) {
    return std::abs(percent) < 100
               ? fmt::format("{}{} %", percent < 0 ? "" : "+", plain_number(percent, 3))
               : fmt::format("{:+.0f} %", percent);
}

/// The change in percent; infinite where it is from 0 to something.
double change_of(double before, double after) {
    if (before == after) return 0;
    if (before == 0)
        return after > 0 ? std::numeric_limits<double>::infinity()
                         : -std::numeric_limits<double>::infinity();
    return 100 * (after - before) / std::abs(before);
}

/// How far `after` is above `before`, allowed to change by `percent`: the log of their ratio, so
/// that positions of all sizes weigh alike. Half a node keeps 0 finite and hardly moves the rest;
/// the sign is that of the plain difference.
double excess(double before, double after, double percent) {
    const double allowed = std::isinf(before) ? before : before + std::abs(before) * percent / 100;
    if (after == allowed) return 0;
    if (std::isinf(after) || std::isinf(allowed)) return after < allowed ? -kFar : kFar;
    if (after < 0 || allowed < 0) return after - allowed;
    return std::log((after + 0.5) / (allowed + 0.5));
}

class Judge {
public:
    Judge(const SuitePlan& suite, const SuiteResult& result, std::size_t expectation,
          std::size_t program)
        : suite_(suite), result_(result), plan_(suite.expectations[expectation]) {
        out_.expectation = expectation;
        out_.program = program;
        out_.measure = plan_.measure;
        out_.is_mean = !adds_up(plan_);
    }

    [[nodiscard]] ExpectationResult judge() {
        for (std::size_t i = 0; i < suite_.positions.size(); ++i) add(i);
        compare();
        if (plan_.is_report()) {
            out_.reason = gap_;
            return std::move(out_);
        }
        out_.holds = Holds::Yes;
        look_at_positions();
        look_at_suite();
        if (out_.holds == Holds::Yes) look_for_gaps();
        return std::move(out_);
    }

private:
    /// The answer of one search; notes why there is none.
    std::optional<double> answer(std::size_t program, std::size_t position, bool& is_finished) {
        const SearchRecord* const search = result_.search(program, position);
        const std::string& id = suite_.positions[position].id;
        if (search == nullptr) {
            note_gap(fmt::format("position {} has not been searched yet", id));
            return std::nullopt;
        }
        if (search->is_failure()) {
            note_gap(fmt::format("position {}: {}: {}", id, name_of(search->end), search->reason));
            return std::nullopt;
        }
        if (search->end == SearchEnd::Unfinished) {
            is_finished = false;
            note_gap(fmt::format("position {}: the search is unfinished: {}", id, search->reason));
        }
        if (out_.expectation >= search->answers.size()) return std::nullopt;
        const QueryAnswer& found = search->answers[out_.expectation];
        if (!plan_.is_query() && !found.value) return kFar;
        if (!found.value) note_gap(fmt::format("position {}: {}", id, found.trouble));
        return found.value;
    }

    void note_gap(std::string why) {
        if (gap_.empty()) gap_ = std::move(why);
        ++gaps_;
    }

    void add(std::size_t position) {
        PositionFigures figures;
        figures.position = position;
        figures.after = answer(out_.program, position, figures.is_finished);
        if (suite_.has_baseline()) {
            // Gaps of the baseline matter only where something is asked against it.
            const auto [gap, gaps] = std::pair(gap_, gaps_);
            bool is_finished = true;
            figures.before = answer(suite_.programs.size() - 1, position, is_finished);
            if (plan_.against_baseline) {
                figures.is_finished = figures.is_finished && is_finished;
            } else {
                gap_ = gap;
                gaps_ = gaps;
            }
        }
        out_.positions.push_back(figures);
    }

    /// Known on both sides.
    [[nodiscard]] bool is_known(const PositionFigures& figures) const {
        return figures.after && (figures.before || !suite_.has_baseline());
    }

    /// And usable for sums.
    [[nodiscard]] static bool is_finite(const PositionFigures& figures) {
        return std::isfinite(*figures.after) && std::isfinite(figures.before.value_or(0));
    }

    void compare() {
        std::vector<double> changes;
        for (const PositionFigures& figures : out_.positions) {
            if (!is_known(figures)) continue;
            if (figures.before) changes.push_back(excess(*figures.before, *figures.after, 0));
            if (!is_finite(figures)) continue;
            ++out_.counted;
            out_.after += *figures.after;
            out_.before += figures.before.value_or(0);
        }
        if (suite_.has_baseline()) out_.paired = stats::test_paired_positions(changes);
        if (suite_.has_baseline() && plan_.measure == SuiteMeasure::Solved)
            out_.solved = solved_by();
        if (out_.counted == 0) return;
        if (out_.is_mean) {
            out_.after /= static_cast<double>(out_.counted);
            out_.before /= static_cast<double>(out_.counted);
        }
        if (!suite_.has_baseline()) return;
        const double change = change_of(out_.before, out_.after);
        if (std::isfinite(change)) out_.change_percent = change;
    }

    [[nodiscard]] stats::PairedSuccesses solved_by() const {
        stats::PairedSuccesses counts;
        for (const PositionFigures& figures : out_.positions) {
            if (!is_known(figures)) continue;
            const bool before = *figures.before > 0;
            const bool after = *figures.after > 0;
            ++(before && after ? counts.both
               : before        ? counts.only_first
               : after         ? counts.only_second
                               : counts.neither);
        }
        return counts;
    }

    /// What is wrong with a figure, or empty.
    [[nodiscard]] std::string absolute_breach(double value) const {
        if (plan_.max && value > *plan_.max)
            return fmt::format("{}, at most {} allowed", number_text(value),
                               number_text(*plan_.max));
        if (plan_.min && value < *plan_.min)
            return fmt::format("{}, at least {} asked", number_text(value),
                               number_text(*plan_.min));
        if (plan_.exactly && value != *plan_.exactly)
            return fmt::format("{}, exactly {} asked", number_text(value),
                               number_text(*plan_.exactly));
        return "";
    }

    [[nodiscard]] std::string change_breach(double before, double after) const {
        const auto& bound = *plan_.against_baseline;
        const double change = change_of(before, after);
        const std::string numbers = number_text(before) + " → " + number_text(after);
        if (bound.most && change > *bound.most)
            return fmt::format("{}, at most {} allowed", numbers, percent_text(*bound.most));
        if (bound.least && change < *bound.least)
            return fmt::format("{}, at least {} asked", numbers, percent_text(*bound.least));
        return "";
    }

    [[nodiscard]] std::string position_breach(const PositionFigures& figures) const {
        std::string breach;
        if (plan_.scope == SuiteExpectation::Scope::Position && figures.after)
            breach = absolute_breach(*figures.after);
        const bool is_change_asked =
            plan_.against_baseline && plan_.change_scope == SuiteExpectation::Scope::Position;
        if (breach.empty() && is_change_asked && figures.before && figures.after)
            breach = change_breach(*figures.before, *figures.after);
        return breach;
    }

    void look_at_positions() {
        std::size_t breaches = 0;
        for (PositionFigures& figures : out_.positions) {
            // The final count of a search that was cut is not known.
            if (!figures.is_finished) continue;
            const std::string breach = position_breach(figures);
            if (breach.empty()) continue;
            figures.is_breach = true;
            if (breaches++ == 0)
                fail(fmt::format("position {}: {}", suite_.positions[figures.position].id, breach));
            out_.shown.push_back(figures.position);
        }
        if (breaches > 1) out_.reason += fmt::format(", and {} positions more", breaches - 1);
        std::stable_sort(out_.shown.begin(), out_.shown.end(),
                         [this](std::size_t a, std::size_t b) { return badness(a) > badness(b); });
    }

    /// To show the worst position first.
    [[nodiscard]] double badness(std::size_t position) const {
        const PositionFigures& figures = out_.positions[position];
        if (!figures.after) return 0;
        const double target = plan_.max        ? *plan_.max
                              : plan_.min      ? *plan_.min
                              : plan_.exactly  ? *plan_.exactly
                              : figures.before ? *figures.before
                                               : 0;
        return std::abs(excess(std::abs(target), std::abs(*figures.after), 0));
    }

    void look_at_suite() {
        // A sum that lacks a position is no sum.
        if (gaps_ > 0 || out_.counted == 0) return;
        if (plan_.scope == SuiteExpectation::Scope::Suite) {
            const std::string breach = absolute_breach(out_.after);
            if (!breach.empty()) {
                fail("over the suite " + breach);
                if (plan_.measure == SuiteMeasure::Solved)
                    show_unsolved();
                else
                    show_farthest(true);
            }
        }
        if (!plan_.against_baseline || plan_.change_scope != SuiteExpectation::Scope::Suite) return;
        const auto& bound = *plan_.against_baseline;
        const double change = change_of(out_.before, out_.after);
        if (bound.most && change > *bound.most) look_beyond(*bound.most, true);
        if (bound.least && change < *bound.least) look_beyond(*bound.least, false);
    }

    /// The sum is beyond `percent`: tests whether the typical position is, too.
    void look_beyond(double percent, bool is_above) {
        if (out_.solved) {
            look_at_solved(percent, is_above);
            return;
        }
        std::vector<double> beyond;
        for (const PositionFigures& figures : out_.positions) {
            const double by = excess(*figures.before, *figures.after, percent);
            beyond.push_back(is_above ? by : -by);
        }
        const stats::PairedPositions test = stats::test_paired_positions(beyond);
        out_.beyond_p = test.wilcoxon_p_more;
        const double enough = std::max(kError, stats::least_p(test.changed()));
        const std::string what =
            fmt::format("{} over the suite, {} {} allowed", percent_or_words(),
                        is_above ? "at most" : "at least", percent_text(percent));
        const std::string seen =
            fmt::format("{} of {} positions are beyond it, one-sided Wilcoxon p = {:.2g}",
                        test.more, beyond.size(), test.wilcoxon_p_more);
        // As the smallest p of so few positions is a power of two, it compares exactly.
        if (test.wilcoxon_p_more <= enough * (1 + 1e-9)) {
            fail(what + "; " + seen);
            show_farthest(is_above);
        } else if (out_.reason.empty()) {
            out_.reason = what + ", but few positions cause it: " + seen;
        }
    }

    /// The same for solved positions: tests whether the change is one at all.
    void look_at_solved(double percent, bool is_above) {
        const stats::McNemar test = stats::test_mcnemar(*out_.solved);
        const double p = is_above ? test.second_more : test.first_more;
        out_.beyond_p = p;
        const std::string what = fmt::format(
            "{} → {} solved, {} {} allowed", number_text(out_.before), number_text(out_.after),
            is_above ? "at most" : "at least", percent_text(percent));
        const std::string seen = fmt::format(
            "{} solved by the baseline alone, {} by this program alone, one-sided "
            "McNemar p = {:.2g}",
            out_.solved->only_first, out_.solved->only_second, p);
        if (p <= kError) {
            fail(what + "; " + seen);
            show_farthest(is_above);
        } else if (out_.reason.empty()) {
            out_.reason = what + ", but chance explains it: " + seen;
        }
    }

    [[nodiscard]] std::string percent_or_words() const {
        return out_.change_percent ? percent_text(*out_.change_percent)
                                   : "from 0 to " + number_text(out_.after);
    }

    void show_farthest(bool is_above) {
        std::vector<std::size_t> order;
        const auto moved = [&](std::size_t position) {
            const PositionFigures& figures = out_.positions[position];
            const double by = excess(figures.before.value_or(0), *figures.after, 0);
            return is_above ? by : -by;
        };
        // Of a measure, those that did not move the wrong way tell nothing.
        for (const PositionFigures& figures : out_.positions)
            if (is_known(figures) && (plan_.is_query() || moved(figures.position) > 0))
                order.push_back(figures.position);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
        for (const std::size_t position : order)
            if (std::find(out_.shown.begin(), out_.shown.end(), position) == out_.shown.end())
                out_.shown.push_back(position);
    }

    void show_unsolved() {
        for (const PositionFigures& figures : out_.positions)
            if (figures.after && *figures.after == 0) out_.shown.push_back(figures.position);
    }

    void fail(const std::string& reason) {
        if (out_.holds != Holds::No) out_.reason = reason;
        out_.holds = Holds::No;
    }

    void look_for_gaps() {
        if (gaps_ == 0) return;
        out_.holds = Holds::Unknown;
        out_.reason = gap_;
        if (gaps_ > 1) out_.reason += fmt::format(", and {} searches more", gaps_ - 1);
    }

    const SuitePlan& suite_;
    const SuiteResult& result_;
    const SuiteExpectation& plan_;
    ExpectationResult out_;
    std::string gap_;  // the first reason why something is not known
    std::size_t gaps_ = 0;
};

}  // namespace

std::string_view name_of(Holds holds) {
    return enum_names<Holds>("holds", "fails", "inconclusive", "report").of(holds);
}

bool adds_up(const SuiteExpectation& expectation) {
    if (!expectation.is_query()) return expectation.measure != SuiteMeasure::Depth;
    const bool has_absolute = expectation.min || expectation.max || expectation.exactly;
    if (has_absolute && expectation.scope == SuiteExpectation::Scope::Suite) return true;
    try {
        const gtql::Query query = gtql::parse_query(expectation.name, expectation.query);
        if (query.kind != gtql::AnswerKind::Value) return true;
        return query.columns.at(0).steps.size() == 1 &&
               query.calls.at(0).function == gtql::Function::Sum;
    } catch (const SyntaxError&) {
        return false;  // of another version of assay
    }
}

std::size_t SuiteResult::count(Holds holds) const {
    return static_cast<std::size_t>(
        std::count_if(expectations.begin(), expectations.end(),
                      [&](const ExpectationResult& one) { return one.holds == holds; }));
}

const SearchRecord* SuiteResult::search(std::size_t program, std::size_t position) const {
    const auto found = std::lower_bound(
        searches.begin(), searches.end(), std::pair(position, program),
        [](const SearchRecord& one, const std::pair<std::size_t, std::size_t>& key) {
            return std::pair(one.position, one.program) < key;
        });
    const bool is_it =
        found != searches.end() && found->program == program && found->position == position;
    return is_it ? &*found : nullptr;
}

const std::vector<FoundNode>* SuiteResult::nodes(const ExpectationResult& result,
                                                 std::size_t position) const {
    const SearchRecord* const found = search(result.program, position);
    if (found == nullptr || result.expectation >= found->answers.size()) return nullptr;
    const auto& nodes = found->answers[result.expectation].nodes;
    return nodes.empty() ? nullptr : &nodes;
}

SuiteResult judge(const RunPlan& plan, std::vector<SearchRecord> searches) {
    const SuitePlan& suite = *plan.suite;
    const bool is_of_plan = std::ranges::all_of(searches, [&](const SearchRecord& search) {
        return search.program < suite.programs.size() && search.position < suite.positions.size();
    });
    if (!is_of_plan)
        throw Error("the store is damaged: it has a search that its run did not ask for", 4);
    SuiteResult result;
    result.searches = std::move(searches);
    std::sort(result.searches.begin(), result.searches.end(),
              [](const SearchRecord& a, const SearchRecord& b) {
                  return std::pair(a.position, a.program) < std::pair(b.position, b.program);
              });
    result.planned = suite.programs.size() * suite.positions.size();
    const std::size_t judged = suite.has_baseline() ? suite.programs.size() - 1 : 1;
    for (std::size_t expectation = 0; expectation < suite.expectations.size(); ++expectation)
        for (std::size_t program = 0; program < judged; ++program)
            result.expectations.push_back(Judge(suite, result, expectation, program).judge());
    return result;
}

}  // namespace assay::harness
