#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/loader/plan_reader.h"
#include "harness/plan/protocol_fit.h"
#include "harness/suite/positions.h"
#include "harness/suite/query.h"

namespace assay::configs {

namespace {

using harness::SuiteExpectation;
using harness::SuiteMeasure;
using harness::SuitePlan;
using harness::TimeControl;

constexpr Micros kWallLimit = std::chrono::minutes(10);
constexpr std::uint64_t kMostLogNodes = 10'000'000'000;

bool is_blank(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Where the lines of a block scalar stand whose '|' or '>' is at `at`: as far as they spell
/// `content`, blanks apart.
std::optional<Span> block_of(const std::string& text, std::size_t at, std::string_view content) {
    Span span;
    span.begin = text.find('\n', at);
    if (span.begin == std::string::npos) return std::nullopt;
    span.end = ++span.begin;
    for (const char c : content) {
        if (is_blank(c)) continue;
        while (span.end < text.size() && is_blank(text[span.end])) ++span.end;
        if (span.end == text.size() || text[span.end] != c) return std::nullopt;
        ++span.end;
    }
    while (span.begin < span.end && is_blank(text[span.begin])) ++span.begin;
    return span;
}

/// Where the content of a scalar stands in its text, quotes apart; nullopt where the text spells it
/// with escapes, so that its bytes are no bytes of the content.
std::optional<Span> content_of(const Texts& texts, const Value& node) {
    const std::string& text = texts.at(node.place.text).content;
    Span span = node.place.span;
    if (node.is_quoted && span.begin < text.size() &&
        (text[span.begin] == '|' || text[span.begin] == '>'))
        return block_of(text, span.begin, node.value);
    span.end = std::min(span.end, text.size());
    if (span.begin >= span.end) return std::nullopt;
    const char quote = text[span.begin];
    const bool is_quoted = node.is_quoted && (quote == '"' || quote == '\'');
    if (is_quoted && span.end - span.begin >= 2) {
        ++span.begin;
        --span.end;
    }
    const std::string_view raw = std::string_view(text).substr(span.begin, span.end - span.begin);
    const auto plain = [](std::string_view all) {
        std::string out;
        for (const char c : all)
            if (!is_blank(c)) out += c;
        return out;
    };
    if (plain(raw) != plain(node.value)) return std::nullopt;
    return span;
}

/// The bytes that a diagnostic of this text speaks of.
Span span_of(const std::string& text, const Diagnostic& diagnostic) {
    std::size_t begin = 0;
    for (std::size_t line = 1; line < diagnostic.line && begin < text.size(); ++line)
        begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    begin += diagnostic.column > 0 ? diagnostic.column - 1 : 0;
    return {begin, begin + diagnostic.width};
}

class SuiteReader {
public:
    SuiteReader(const Section& suite, const harness::RunPlan& run)
        : suite_(suite), context_(suite.context()), run_(run) {}

    [[nodiscard]] SuitePlan read() {
        plan_.game = read_game(suite_);
        suite_.need({"positions"});
        suite_.need({"limit"});
        read_programs();
        if (const Value* const list = suite_.find("expect")) read_expectations(*list);
        add_measures();
        read_positions();
        read_limit();
        read_log();
        for (const auto& problem : harness::protocol_problems(run_, plan_)) {
            suite_.complain(suite_.place_of(problem.key), problem.text);
        }
        const std::string keep = suite_.get<std::string>("keep").value_or("last");
        plan_.keep = keep == "all"      ? SuitePlan::Keep::All
                     : keep == "failed" ? SuitePlan::Keep::Failed
                                        : SuitePlan::Keep::Last;
        plan_.concurrency = static_cast<int>(suite_.get<std::int64_t>("concurrency").value_or(0));
        return std::move(plan_);
    }

private:
    void read_positions() {
        const auto path = suite_.path("positions");
        if (!path) return;
        const Value& node = *suite_.find("positions");
        plan_.source = node.value;
        plan_.place.path = *path;
        try {
            plan_.positions =
                harness::read_suite_positions(*path, *harness::game_of(plan_), plan_.is_solving());
        } catch (const SyntaxError& error) {
            for (const Diagnostic& each : error.diagnostics()) context_.complaints.add(each);
        } catch (const Error& error) {
            suite_.complain(node.place, error.what());
        }
    }

    void read_limit() {
        plan_.limit.kind = TimeControl::Kind::Depth;
        if (const Value* const node = suite_.find("limit")) {
            const bool was_fine = context_.complaints.empty();
            plan_.limit = configs::read_limit(context_, *node);
            const TimeControl::Kind kind = plan_.limit.kind;
            const bool is_limit = kind == TimeControl::Kind::Depth ||
                                  kind == TimeControl::Kind::Nodes ||
                                  kind == TimeControl::Kind::MoveTime;
            if (!is_limit && (was_fine || context_.complaints.empty()))
                suite_.complain(node->place,
                                "limit must be {depth: 8}, {nodes: 20000} or {move: 1s}, found " +
                                    described(*node));
        }
        plan_.limit.wall_limit = suite_.get<Micros>("wall_limit").value_or(kWallLimit);
        if (plan_.limit.wall_limit <= Micros(0))
            suite_.complain(suite_.place_of("wall_limit"), "wall_limit must be above 0");
    }

    void read_log() {
        const auto log = suite_.block("log");
        const auto measure = [](const SuiteExpectation& one) { return !one.is_query(); };
        const auto& all = plan_.expectations;
        const bool is_measured_alone = !all.empty() && std::all_of(all.begin(), all.end(), measure);
        plan_.logs_trees = log.has_value() || !is_measured_alone;
        if (!log) return;
        plan_.log_from_ply = static_cast<int>(log->get<std::int64_t>("from_ply").value_or(0));
        if (const auto nodes = log->get<std::uint64_t>("nodes")) plan_.log_nodes = *nodes;
        if (plan_.log_nodes > kMostLogNodes)
            log->complain(log->place_of("nodes"), "nodes must be at most 10G");
    }

    void read_programs() {
        const Value* const node = suite_.find("programs");
        if (node == nullptr) {
            default_programs();
            return;
        }
        if (node->kind != Value::Kind::List || node->items.empty()) {
            suite_.complain(node->place,
                            "programs must be a list of program names, found " + described(*node));
            return;
        }
        for (const Value& item : node->items) {
            const auto index = program_index(suite_, item, run_.programs);
            if (!index) continue;
            const bool is_twice = std::find(plan_.programs.begin(), plan_.programs.end(), *index) !=
                                  plan_.programs.end();
            if (is_twice)
                suite_.complain(item.place, fmt::format("{} is listed twice", described(item)));
            else
                plan_.programs.push_back(*index);
        }
    }

    /// Those of the first match, whose second is the baseline there too; else all.
    void default_programs() {
        if (!run_.matches.empty() && !run_.tournament) {
            plan_.programs = {run_.matches[0].between[0], run_.matches[0].between[1]};
            return;
        }
        for (std::size_t i = 0; i < run_.programs.size(); ++i) plan_.programs.push_back(i);
        if (run_.programs.empty() && context_.complaints.empty())
            suite_.complain(suite_.place(), "a suite needs a program, and none is defined");
    }

    void read_expectations(const Value& list) {
        if (list.kind != Value::Kind::List) {
            suite_.complain(list.place,
                            "expect must be a list of expectations, found " + described(list));
            return;
        }
        for (const Value& item : list.items) {
            const Section section(context_, item, "suite.expect", "an expectation", item.place);
            if (item.kind != Value::Kind::Map) continue;
            if (section.has("queries"))
                read_file_of_queries(section);
            else
                read_expectation(section);
        }
    }

    void read_file_of_queries(const Section& section) {
        if (section.node().members.size() > 1)
            section.complain(
                section.place_of("queries"),
                "'queries' takes no other keys: the file says what must hold, in lines "
                "such as '#! name: size, max: 0'");
        const auto path = section.path("queries");
        if (!path) return;
        const Value& node = *section.find("queries");
        try {
            for (SuiteExpectation& one : harness::read_suite_queries(*path)) {
                one.origin = node.value;
                add(section, node.place, std::move(one));
            }
        } catch (const SyntaxError& error) {
            for (const Diagnostic& each : error.diagnostics()) context_.complaints.add(each);
        } catch (const Error& error) {
            section.complain(node.place, error.what());
        }
    }

    /// Who asks for one measure is told of all: those that are not listed are reported.
    void add_measures() {
        if (!plan_.is_solving()) return;
        for (const SuiteMeasure measure : harness::kSolutionMeasures) {
            if (plan_.expectation_of(measure)) continue;
            SuiteExpectation one;
            one.measure = measure;
            one.name = default_name(measure);
            plan_.expectations.push_back(std::move(one));
        }
    }

    static std::string default_name(SuiteMeasure measure) {
        std::string name(harness::name_of(measure));
        std::replace(name.begin(), name.end(), '_', ' ');
        return name;
    }

    static std::optional<SuiteMeasure> measure_of(std::string_view name) {
        for (const SuiteMeasure one : harness::kSolutionMeasures)
            if (harness::name_of(one) == name) return one;
        return std::nullopt;
    }

    void read_measure(const Section& section) {
        if (section.has("query"))
            section.complain(section.place_of("query"), "'measure' excludes 'query'");
        const auto word = section.get<std::string>("measure");
        const auto measure = word ? measure_of(*word) : std::nullopt;
        if (!measure) return;
        if (plan_.expectation_of(*measure)) {
            section.complain(section.place_of("measure"), *word + " is measured twice");
            return;
        }
        SuiteExpectation one;
        one.measure = *measure;
        one.name = section.get<std::string>("name").value_or(default_name(*measure));
        // How many positions are solved is what one asks of a suite.
        if (one.measure == SuiteMeasure::Solved) one.scope = SuiteExpectation::Scope::Suite;
        read_bounds(section, std::move(one));
    }

    void read_expectation(const Section& section) {
        if (section.has("measure")) {
            read_measure(section);
            return;
        }
        section.need({"query", "queries", "measure"});
        const auto query = section.get<std::string>("query");
        if (!query) return;
        SuiteExpectation one;
        one.query = *query;
        check_query(section, *section.find("query"));
        one.name = section.get<std::string>("name").value_or(*query);
        read_bounds(section, std::move(one));
    }

    void read_bounds(const Section& section, SuiteExpectation one) {
        one.min = section.get<std::int64_t>("min");
        one.max = section.get<std::int64_t>("max");
        one.exactly = section.get<std::int64_t>("exactly");
        if (one.min && one.max && *one.min > *one.max)
            section.complain(section.place_of("min"), "min is above max");
        if (one.exactly && (one.min || one.max))
            section.complain(section.place_of("exactly"), "'exactly' excludes min and max");
        one.against_baseline = read_change(section);
        if (const auto per = section.get<std::string>("per")) {
            const auto scope = *per == "suite" ? SuiteExpectation::Scope::Suite
                                               : SuiteExpectation::Scope::Position;
            one.scope = one.change_scope = scope;
        }
        const Member* const name = member(section, "name");
        const Value& subject = *section.find(one.is_query() ? "query" : "measure");
        add(section, name != nullptr ? name->value.place : subject.place, std::move(one));
    }

    static const Member* member(const Section& section, std::string_view name) {
        for (const Member& one : section.node().members)
            if (one.name == name) return &one;
        return nullptr;
    }

    void check_query(const Section& section, const Value& node) {
        const Texts::Text& text = context_.texts.at(node.place.text);
        try {
            if (const auto span = content_of(context_.texts, node))
                harness::check_suite_query(text.path, text.content, *span);
            else
                harness::check_suite_query("query", node.value, {0, node.value.size()});
        } catch (const SyntaxError& error) {
            for (const Diagnostic& each : error.diagnostics()) {
                if (each.path == text.path)
                    section.complain({node.place.text, span_of(text.content, each)}, each.message);
                else
                    section.complain(
                        node.place, fmt::format("in its column {}: {}", each.column, each.message));
            }
        }
    }

    [[nodiscard]] std::optional<SuiteExpectation::Change> read_change(
        const Section& section) const {
        constexpr std::string_view kExpected =
            "against_baseline must be +10%, -3% or [-10%, +10%], found ";
        const Value* const node = section.find("against_baseline");
        if (node == nullptr) return std::nullopt;
        std::optional<SuiteExpectation::Change> change;
        if (node->kind == Value::Kind::Scalar) {
            change = harness::parse_change(node->value);
        } else if (node->kind == Value::Kind::List && node->items.size() == 2) {
            change = harness::parse_change(node->items[0].value + " to " + node->items[1].value);
        }
        if (!change) {
            section.complain(node->place, std::string(kExpected) + described(*node));
        } else if (plan_.programs.size() == 1) {
            section.complain(section.place_of("against_baseline"),
                             "there is no baseline: the suite has one program");
        }
        return change;
    }

    void add(const Section& section, const Place& place, SuiteExpectation one) {
        const bool is_taken =
            std::any_of(plan_.expectations.begin(), plan_.expectations.end(),
                        [&](const SuiteExpectation& other) { return other.name == one.name; });
        if (is_taken)
            section.complain(
                place, fmt::format("two expectations are called '{}'", printable_utf8(one.name)));
        if (one.against_baseline && plan_.programs.size() == 1 && !one.origin.empty())
            one.against_baseline.reset();  // a shipped file serves suites without a baseline too
        plan_.expectations.push_back(std::move(one));
    }

    const Section& suite_;
    const Context& context_;
    const harness::RunPlan& run_;
    SuitePlan plan_;
};

}  // namespace

harness::SuitePlan read_suite(const Section& suite, const harness::RunPlan& run) {
    return SuiteReader(suite, run).read();
}

}  // namespace assay::configs
