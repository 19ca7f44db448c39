// Queries of a suite, from a file or from the config. Each must give one number, because an
// expectation compares it with bounds: a table is refused when it is read, not after hours of
// searching. A change against the baseline needs its sign: "10%" could mean either way, and a bound
// that is read the other way passes what it should catch.
#include "harness/suite/query.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "base/packing.h"
#include "base/text.h"
#include "gtql/lang/parser.h"
#include "gtql/lang/query_file.h"

namespace assay::harness {

namespace {

/// "+10%" as 10, "-3.5%" as -3.5; a sign is asked for, since it says which way.
std::optional<double> signed_percent(std::string_view text) {
    text = trim(text);
    if (text.size() < 3 || text.back() != '%' || (text.front() != '+' && text.front() != '-'))
        return std::nullopt;
    const auto value = to_number<double>(trim(text.substr(1, text.size() - 2)));
    if (!value || !std::isfinite(*value) || *value < 0) return std::nullopt;
    return text.front() == '-' && *value > 0 ? -*value : *value;  // no -0
}

/// Nullopt where it can be judged.
std::optional<Diagnostic> complaint_of(const gtql::Query& query) {
    if (query.kind != gtql::AnswerKind::Table) return std::nullopt;
    return Source(query.text->path, query.text->text)
        .at(query.range, "an expectation needs one number, and this query gives a table");
}

}  // namespace

void check_suite_query(const std::string& path, const std::string& text, Span range) {
    const auto shared = std::make_shared<const gtql::QueryText>(gtql::QueryText{path, text});
    const gtql::Query query = gtql::parse_query(shared, range, {});
    if (auto complaint = complaint_of(query)) throw SyntaxError(std::move(*complaint));
}

std::vector<SuiteExpectation> read_suite_queries(const std::string& path) {
    const std::string text = read_text(path, kMostTextBytes);
    std::vector<SuiteExpectation> out;
    std::vector<Diagnostic> wrong;
    for (const gtql::NamedQuery& one : gtql::parse_query_file(path, text)) {
        if (auto complaint = complaint_of(one.query)) wrong.push_back(std::move(*complaint));
        SuiteExpectation& expectation = out.emplace_back();
        expectation.query = one.query.one_line();
        expectation.name = one.query.name.empty() ? expectation.query : one.query.name;
        expectation.min = one.bounds.min;
        expectation.max = one.bounds.max;
        if (one.bounds.against_baseline.empty()) continue;
        expectation.against_baseline = parse_change(one.bounds.against_baseline);
        if (!expectation.against_baseline)
            wrong.push_back(
                Source(path, text)
                    .at(one.query.range,
                        fmt::format(
                            "the line above: against_baseline must be +10%, -3% or -10% to +10%, "
                            "found '{}'",
                            printable_utf8(one.bounds.against_baseline))));
    }
    if (!wrong.empty()) throw SyntaxError(std::move(wrong));
    if (out.empty()) throw Error(path + ": there is no query in it");
    return out;
}

std::optional<SuiteExpectation::Change> parse_change(std::string_view text) {
    constexpr std::string_view kTo = " to ";
    SuiteExpectation::Change change;
    if (const std::size_t to = text.find(kTo); to != std::string_view::npos) {
        change.least = signed_percent(text.substr(0, to));
        change.most = signed_percent(text.substr(to + kTo.size()));
        const bool is_range = change.least && change.most && *change.least <= *change.most;
        return is_range ? std::optional(change) : std::nullopt;
    }
    const std::optional<double> one = signed_percent(text);
    if (!one) return std::nullopt;
    (trim(text).front() == '-' ? change.least : change.most) = one;
    return change;
}

}  // namespace assay::harness
