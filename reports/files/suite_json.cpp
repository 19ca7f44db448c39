#include "reports/files/suite_json.h"

#include <cmath>

#include <boost/json/object.hpp>

#include "harness/plan/time_control.h"
#include "harness/suite/solved.h"
#include "harness/suite/verdict.h"
#include "reports/text/suite_text.h"
#include "reports/view/json_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;
using harness::ExpectationResult;
using harness::SuiteExpectation;

constexpr std::size_t kMostNodes = 10;

/// A whole number where it is one.
json::value number_or_null(const std::optional<double>& value) {
    if (value && *value >= -9e15 && *value <= 9e15) {
        const auto whole = static_cast<std::int64_t>(*value);
        if (static_cast<double>(whole) == *value) return whole;
    }
    return json_number(value);
}

json::object bounds(const SuiteExpectation& plan) {
    json::object out{{"min", number_or_null(plan.min)},
                     {"max", number_or_null(plan.max)},
                     {"exactly", number_or_null(plan.exactly)},
                     {"against_baseline", nullptr}};
    if (plan.against_baseline)
        out["against_baseline"] = json::array{json_number(plan.against_baseline->least),
                                              json_number(plan.against_baseline->most)};
    const auto name = [](SuiteExpectation::Scope scope) {
        return scope == SuiteExpectation::Scope::Suite ? "suite" : "position";
    };
    out["per"] = name(plan.scope);
    out["change_per"] = name(plan.change_scope);
    return out;
}

/// Sums over the positions that count. A mean times their number would be off by its
/// rounding.
struct Sums {
    double before = 0;
    double after = 0;
};

Sums sums_of(const ExpectationResult& result, bool has_baseline) {
    Sums out;
    for (const harness::PositionFigures& figures : result.positions) {
        if (!figures.after || (has_baseline && !figures.before)) continue;
        if (!std::isfinite(*figures.after) || !std::isfinite(figures.before.value_or(0))) continue;
        out.after += *figures.after;
        out.before += figures.before.value_or(0);
    }
    return out;
}

json::array positions(const RunView& view, const ExpectationResult& result) {
    json::array out;
    for (const harness::PositionFigures& figures : result.positions)
        out.push_back(
            {{"position", json_string(view.run.plan.suite->positions[figures.position].id)},
             {"before", number_or_null(figures.before)},
             {"after", number_or_null(figures.after)},
             {"finished", figures.is_finished},
             {"breach", figures.is_breach}});
    return out;
}

json::array nodes(const RunView& view, const ExpectationResult& result) {
    json::array out;
    for (const std::size_t position : result.shown) {
        const auto* const found = view.suite->nodes(result, position);
        if (found == nullptr) continue;
        for (const harness::FoundNode& node : *found) {
            if (out.size() == kMostNodes) return out;
            out.push_back({{"position", json_string(view.run.plan.suite->positions[position].id)},
                           {"id", node.id},
                           {"size", node.size},
                           {"path", json_string(node.path)},
                           {"fen", json_string(node.position)}});
        }
    }
    return out;
}

json::object paired(const stats::PairedPositions& test) {
    return {{"more", test.more},
            {"fewer", test.fewer},
            {"equal", test.equal},
            {"sign_p", json_number(test.sign_p)},
            {"wilcoxon_p", json_number(test.wilcoxon_p)}};
}

json::object mcnemar(const stats::PairedSuccesses& counts) {
    const stats::McNemar test = stats::test_mcnemar(counts);
    return {{"both", counts.both},
            {"only_before", counts.only_first},
            {"only_after", counts.only_second},
            {"neither", counts.neither},
            {"p", json_number(test.p)},
            {"mid_p", json_number(test.mid_p)}};
}

json::array strings(const std::vector<std::string>& texts) {
    json::array out;
    for (const std::string& text : texts) out.push_back(json_string(text));
    return out;
}

/// What one search found of its position's solution; null where that is not known.
json::value solution(const RunView& view, const harness::SearchRecord& search) {
    const harness::SolvedPosition one =
        solved_position(*view.run.plan.suite, *view.suite, search.program, search.position);
    if (!one.is_known) return nullptr;
    return json::object{
        {"solved", one.is_solved},
        {"depth", number_or_null(one.depth)},
        {"nodes", number_or_null(one.nodes)},
        {"seconds", one.time_ms ? json_number(*one.time_ms / 1000) : json::value(nullptr)}};
}

/// The positions' solutions and each program's count; null where the suite does not ask.
json::value solving(const RunView& view) {
    const harness::SuitePlan& suite = *view.run.plan.suite;
    if (!suite.is_solving()) return nullptr;
    json::array positions;
    for (const harness::SuitePosition& position : suite.positions)
        positions.push_back({{"position", json_string(position.id)},
                             {"fen", json_string(position.text)},
                             {"best", strings(position.best)},
                             {"avoid", strings(position.avoid)},
                             {"comment", json_string(position.comment)}});
    json::array programs;
    for (const harness::SolvedCount& count : solved_counts(suite, *view.suite))
        programs.push_back({{"program", json_string(suite_program(view, count.program))},
                            {"known", count.known},
                            {"solved", count.solved},
                            {"nodes", number_or_null(count.nodes)},
                            {"seconds", json_number(count.time_ms / 1000)},
                            {"mean_depth", count.solved > 0 ? json_number(count.mean_depth)
                                                            : json::value(nullptr)}});
    return json::object{{"programs", std::move(programs)}, {"positions", std::move(positions)}};
}

}  // namespace

json::array expectations_json(const RunView& view) {
    json::array out;
    if (view.suite == nullptr) return out;
    const harness::SuitePlan& suite = *view.run.plan.suite;
    for (const ExpectationResult& result : view.suite->expectations) {
        const SuiteExpectation& plan = suite.expectations[result.expectation];
        const bool has_after = result.counted > 0;
        const bool has_before = has_after && suite.has_baseline();
        const Sums sums = sums_of(result, suite.has_baseline());
        out.push_back(
            {{"name", json_string(plan.name)},
             {"measure", json_string(harness::name_of(plan.measure))},
             {"query", json_string(plan.query)},
             {"program", json_string(suite_program(view, result.program))},
             {"against", suite.has_baseline()
                             ? json_string(suite_program(view, suite.programs.size() - 1))
                             : json::value(nullptr)},
             {"state", json_string(harness::name_of(result.holds))},
             {"reason", json_string(result.reason)},
             {"before", has_before ? number_or_null(sums.before) : nullptr},
             {"after", has_after ? number_or_null(sums.after) : nullptr},
             {"total", result.is_mean ? "mean" : "sum"},
             {"mean_before",
              result.is_mean && has_before ? number_or_null(result.before) : nullptr},
             {"mean_after", result.is_mean && has_after ? number_or_null(result.after) : nullptr},
             {"change_percent", json_number(result.change_percent)},
             {"counted", result.counted},
             {"bounds", bounds(plan)},
             {"paired",
              suite.has_baseline() ? json::value(paired(result.paired)) : json::value(nullptr)},
             {"mcnemar",
              result.solved ? json::value(mcnemar(*result.solved)) : json::value(nullptr)},
             {"beyond_p", json_number(result.beyond_p)},
             {"positions", positions(view, result)},
             {"nodes", nodes(view, result)}});
    }
    return out;
}

json::value suite_json(const RunView& view) {
    if (view.suite == nullptr) return nullptr;
    const harness::SuitePlan& suite = *view.run.plan.suite;
    json::array programs;
    for (std::size_t i = 0; i < suite.programs.size(); ++i)
        programs.push_back(json_string(suite_program(view, i)));
    json::array searches;
    for (const harness::SearchRecord& search : view.suite->searches)
        searches.push_back(
            {{"program", json_string(suite_program(view, search.program))},
             {"position", json_string(suite.positions[search.position].id)},
             {"end", json_string(harness::name_of(search.end))},
             {"reason", json_string(search.reason)},
             {"best_move", json_string(search.best_move)},
             {"iteration", search.iteration},
             {"nodes", search.nodes},
             {"all_nodes", search.all_nodes},
             {"seconds", json_number(static_cast<double>(search.used_us) / 1e6)},
             {"solution", solution(view, search)},
             {"tree", search.tree.empty() ? json::value(nullptr) : json_string(search.tree)}});
    return json::object{{"positions", suite.positions.size()},
                        {"programs", std::move(programs)},
                        {"limit", json_string(harness::to_text(suite.limit))},
                        {"planned", view.suite->planned},
                        {"solving", solving(view)},
                        {"searches", std::move(searches)}};
}

}  // namespace assay::reports
