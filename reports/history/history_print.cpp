// Prints a history as a sentence, JSON, CSV, Markdown and in the form of github-action-benchmark.
#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "reports/history/history.h"
#include "reports/history/history_tables.h"
#include "reports/view/escape.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;

/// What the games, or the expectations of a suite alone, say by themselves.
std::string verdict_of(const Night& night) {
    if (!night.is_played()) return night_word(night);
    if (night.suite) return std::string(harness::name_of(*night.suite));
    if (night.tainted) return "tainted";
    const std::string_view word = harness::name_of(night.verdict);
    return word.empty() ? "played" : std::string(word);
}

/// Sums by name; null where one is not known.
json::object sums_json(const History& history, const Night& night) {
    json::object out;
    for (std::size_t i = 0; i < night.sums.size(); ++i)
        out[json_string(history.queries.at(i)).as_string()] = json_number(night.sums[i]);
    return out;
}

/// The same of the means.
json::object means_json(const History& history, const Night& night) {
    json::object out;
    for (std::size_t i = 0; i < night.answers.size(); ++i) {
        if (history.are_means.at(i))
            out[json_string(history.queries.at(i)).as_string()] = json_number(night.answers[i]);
    }
    return out;
}

json::object night_json(const History& history, const Night& night) {
    return {
        {"run", night.run == 0 ? json::value(nullptr) : json::value(night.run)},
        {"date", night.when_us / 1'000'000},
        {"skipped", night.is_played() ? json::value(nullptr) : json_string(night.skipped)},
        {"verdict", json_word(harness::name_of(night.verdict))},
        {"tainted", night.tainted},
        {"outcome", json_string(night_word(night))},
        {"outcome_reason", json_word(harness::name_of(night.outcome.reason))},
        {"exit_code", night.exit_code ? json::value(*night.exit_code) : json::value(nullptr)},
        {"pairs", night.pairs},
        {"elo", json_estimate(night.elo)},
        {"estimate", json_string(harness::name_of(night.estimate))},
        {"nodes_per_second", json::array{json_number(night.nodes_per_second[0]),
                                         json_number(night.nodes_per_second[1])}},
        {"failed_expectations", night.failed_expectations},
        {"trouble", night.trouble.empty() ? json::value(nullptr) : json_string(night.trouble)},
        {"failures", json_failures(night.failures)},
        {"queries", sums_json(history, night)},
        {"query_means", means_json(history, night)},
        {"suite", night.suite ? json::value{{"state", json_string(harness::name_of(*night.suite))},
                                            {"failed", night.failed_expectations}}
                              : json::value(nullptr)},
        {"version", json_string(night.version)},
        {"opponent", json_string(night.opponent)},
        {"version_text", json_string(night.version_text)},
        {"opponent_text", json_string(night.opponent_text)},
        {"machine", json_string(night.machine)},
        {"compiler", json_string(night.compiler)},
        {"series", night.series},
        {"change", night.change.empty() ? json::value(nullptr) : json_string(night.change)}};
}

json::object step_json(const History& history, const NightStep& step) {
    const Night& night = history.nights[step.night];
    return {{"run", night.run},
            {"date", night.when_us / 1'000'000},
            {"what", step.is_speed ? "nodes_per_second" : "elo"},
            {"change", json_number(step.step.change)},
            {"unit", step.is_speed ? "percent" : "Elo"},
            {"ci95", json_interval(step.step.ci95)},
            {"false_alarm", json_number(step.step.false_alarm)}};
}

std::string number_or_nothing(std::optional<double> value) {
    return value ? plain_number(*value) : "";
}

std::string iso_day(long long us) {
    return fmt::format("{}", us / 1'000'000);
}

const NightStep* last_elo_step(const History& history) {
    for (std::size_t i = history.steps.size(); i-- > 0;)
        if (!history.steps[i].is_speed) return &history.steps[i];
    return nullptr;
}

/// Of a config with a suite alone.
std::string suite_history_sentence(const History& history) {
    const auto latest = history.latest();
    if (!latest) return "No night has a result yet.";
    const Night& night = history.nights[*latest];
    std::string text = "No expectation has a bound";
    if (night.suite == harness::Holds::No) {
        text = night.failed_expectations == 1
                   ? "One expectation fails"
                   : fmt::format("{} expectations fail", night.failed_expectations);
    } else if (night.suite == harness::Holds::Unknown) {
        text = "The expectations are inconclusive";
    } else if (night.suite == harness::Holds::Yes) {
        text = "All expectations hold";
    }
    text += " on " + day_text(night.when_us);
    const std::vector<std::string> changed = changed_answers(history, *latest);
    constexpr std::size_t kMostNamed = 3;
    for (std::size_t i = 0; i < std::min(kMostNamed, changed.size()); ++i)
        text += (i == 0 ? "; since the night before " : ", ") + changed[i];
    if (changed.size() > kMostNamed)
        text += fmt::format(" and {} more", changed.size() - kMostNamed);
    const bool has_earlier = std::any_of(
        history.nights.begin(), history.nights.begin() + static_cast<std::ptrdiff_t>(*latest),
        [](const Night& one) { return one.is_played(); });
    if (has_earlier && changed.empty() && !night.answers.empty())
        text += "; all queries have the same answers as before";
    return text + ".";
}

}  // namespace

std::string night_word(const Night& night) {
    if (!night.is_played()) {
        if (night.run == 0) return "skipped";
        if (night.outcome.word == harness::OutcomeWord::None) return "no result";
        return std::string(harness::name_of(night.outcome.word));
    }
    if (night.suite && !night.is_gate) return std::string(harness::name_of(*night.suite));
    if (night.outcome.word == harness::OutcomeWord::None) return "played";
    return std::string(harness::name_of(night.outcome.word));
}

std::string match_word(const Night& night) {
    if (!night.is_played() || night.suite) return night_word(night);
    if (night.match_word == harness::OutcomeWord::None) return "played";
    return std::string(harness::name_of(night.match_word));
}

namespace {

/// The nights of the newest series that have games and count for no level.
std::string left_out_remark(const History& history) {
    const auto latest = history.latest();
    if (!latest || !history.has_match) return "";
    std::int64_t one_sided = 0;
    std::int64_t tainted = 0;
    for (const Night& night : history.nights) {
        if (!night.is_played() || night.series != history.nights[*latest].series) continue;
        if (night.tainted)
            ++tainted;
        else if (!night.elo.value)
            ++one_sided;
    }
    std::string text;
    if (one_sided > 0)
        text += fmt::format(" {} one-sided (all won or all lost) and {} for no level.",
                            grouped(one_sided, "night is", "nights are"),
                            one_sided == 1 ? "counts" : "count");
    if (tainted > 0)
        text += fmt::format(" {} tainted and {} for no level.",
                            grouped(tainted, "night is", "nights are"),
                            tainted == 1 ? "counts" : "count");
    return text;
}

/// What the sentence about levels and steps does not say of the latest night.
std::string latest_remark(const History& history) {
    const auto latest = history.latest();
    if (!latest || !history.has_match) return "";
    const Night& night = history.nights[*latest];
    const std::string remark = night.remark();
    if (remark.empty()) return "";
    return fmt::format(" On {} {}.", day_text(night.when_us), remark);
}

std::string match_history_sentence(const History& history) {
    const std::string over = history.against_previous ? "the version before it" : history.second;
    const auto latest = history.latest();
    if (!latest) return "No night has a result yet.";
    const NightStep* const step = last_elo_step(history);
    const bool is_current =
        step != nullptr && history.nights[step->night].series == history.nights[*latest].series;
    if (is_current) {
        const bool is_worse = step->step.change < 0;
        const double low =
            std::min(std::abs(*step->step.ci95.low), std::abs(*step->step.ci95.high));
        const double high =
            std::max(std::abs(*step->step.ci95.low), std::abs(*step->step.ci95.high));
        return fmt::format("Since {} {} is {:.1f} Elo {} [{:.1f}, {:.1f}].",
                           day_text(history.nights[step->night].when_us), history.first,
                           std::abs(step->step.change), is_worse ? "weaker" : "stronger", low,
                           high);
    }
    std::size_t played = 0;
    for (const Night& night : history.nights) played += night.is_played() ? 1U : 0U;
    if (history.elo_levels.empty())
        return fmt::format("{}, none of which gives an estimate.",
                           grouped(static_cast<std::int64_t>(played), "night"));
    const stats::Level& level = history.elo_levels.back().level;
    return fmt::format("No step of Elo in this series: {} stands at {} Elo [{}, {}] against {}.",
                       history.first, signed_number(level.mean, 1),
                       signed_number(level.mean - 1.96 * level.error, 1),
                       signed_number(level.mean + 1.96 * level.error, 1), over);
}

}  // namespace

std::string history_sentence(const History& history) {
    if (!history.has_match) return suite_history_sentence(history);
    return match_history_sentence(history) + left_out_remark(history) + latest_remark(history);
}

namespace {

/// The part of a history that each of its matches has.
json::object match_json(const History& history) {
    json::array nights;
    for (const Night& night : history.nights) nights.push_back(night_json(history, night));
    json::array steps;
    for (const NightStep& step : history.steps) steps.push_back(step_json(history, step));
    return {{"match", json_word(history.match)},
            {"first", json_string(history.first)},
            {"second", json_string(history.second)},
            {"against_previous", history.against_previous},
            {"summary", json_string(history_sentence(history))},
            {"nights", nights},
            {"steps", steps}};
}

}  // namespace

std::string history_json(const History& history) {
    json::object out{{"schema", 1}, {"name", json_string(history.name)}};
    for (auto& [key, value] : match_json(history)) out[key] = std::move(value);
    json::array others;
    for (const History& other : history.others) others.push_back(match_json(other));
    out["other_matches"] = std::move(others);
    out["step_alpha"] = kStepAlpha;
    return json_text(out) + "\n";
}

std::string history_csv(const History& history) {
    std::string out =
        "run,unix_time,verdict,reason,pairs,elo,elo_low,elo_high,nps_first,nps_second,time_losses,"
        "crashes,illegal_moves,stalls,version,opponent,machine,compiler,series,change,"
        "outcome,estimate";
    for (const std::string& query : history.queries) out += "," + csv("query " + query);
    out += "\r\n";
    for (const Night& night : history.nights) {
        out += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            night.run == 0 ? "" : fmt::format("{}", night.run), iso_day(night.when_us),
            verdict_of(night), csv(night.skipped), night.pairs, number_or_nothing(night.elo.value),
            number_or_nothing(night.elo.ci95.low), number_or_nothing(night.elo.ci95.high),
            number_or_nothing(night.nodes_per_second[0]),
            number_or_nothing(night.nodes_per_second[1]), night.failures.time_losses,
            night.failures.crashes, night.failures.illegal_moves, night.failures.stalls,
            csv(night.version), csv(night.opponent), csv(night.machine), csv(night.compiler),
            night.series, csv(night.change), night_word(night),
            night.elo.value ? harness::name_of(night.estimate) : "");
        for (std::size_t i = 0; i < history.queries.size(); ++i)
            out += "," + number_or_nothing(i < night.sums.size() ? night.sums[i] : std::nullopt);
        out += "\r\n";
    }
    return out;
}

namespace {

std::string table_markdown(const HistoryTable& table) {
    if (table.rows.empty()) return "";
    const auto line = [](const std::vector<std::string>& cells) {
        std::string out = "|";
        for (const std::string& cell : cells) out += (cell.empty() ? "" : " " + cell) + " |";
        return out + "\n";
    };
    std::vector<std::string> titles;
    std::vector<std::string> rule;
    for (const HistoryTable::Column& column : table.columns) {
        titles.push_back(column.is_foreign ? markdown(column.title) : column.title);
        rule.emplace_back(column.is_right ? "---:" : "---");
    }
    std::string out = "\n" + line(titles) + line(rule);
    for (std::vector<std::string> row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            if (table.columns[i].is_foreign) row[i] = markdown(row[i]);
        out += line(row);
    }
    if (!table.note.empty()) out += "\n" + table.note + "\n";
    return out;
}

std::string tables_markdown(const History& history) {
    return table_markdown(steps_table(history)) + table_markdown(nights_table(history));
}

}  // namespace

std::string history_markdown(const History& history) {
    std::string out =
        fmt::format("### assay history: {}\n", markdown(shortened(history.name, 200)));
    const auto sentence = [](const History& one) {
        return fmt::format("\n{}\n", markdown(shortened(history_sentence(one), 600)));
    };
    if (!history.has_match) return out + sentence(history) + tables_markdown(history);
    const auto add = [&](const History& one) {
        if (!history.others.empty())
            out += fmt::format("\n#### {}: {}\n", markdown(shortened(match_title(one), 200)),
                               markdown(shortened(pairing_text(one), 200)));
        out += sentence(one) + tables_markdown(one);
    };
    add(history);
    for (const History& other : history.others) add(other);
    return out;
}

std::string history_benchmark(const History& history) {
    json::array out;
    if (const auto latest = history.latest()) {
        const Night& night = history.nights[*latest];
        const std::string extra = fmt::format("run {} · {} pairs · {} · {}", night.run, night.pairs,
                                              night.version, night.machine);
        if (night.elo.value) {
            const std::string range =
                night.elo.ci95.low && night.elo.ci95.high
                    ? fmt::format("+- {:.1f}", (*night.elo.ci95.high - *night.elo.ci95.low) / 2)
                    : "";
            out.push_back({{"name", json_string(history.name + ": Elo of " + history.first)},
                           {"unit", "Elo"},
                           {"value", json_number(night.elo.value)},
                           {"range", range},
                           {"extra", json_string(extra)}});
        }
        for (std::size_t i = 0; i < night.answers.size(); ++i) {
            if (!night.answers[i]) continue;
            out.push_back({{"name", json_string(history.name + ": query " + history.queries[i])},
                           {"unit", "answer"},
                           {"value", json_number(night.answers[i])},
                           {"extra", json_string(extra)}});
        }
        if (night.nodes_per_second[0]) {
            out.push_back({{"name", json_string(history.name + ": speed of " + history.first)},
                           {"unit", "nodes/s"},
                           {"value", json_number(night.nodes_per_second[0])},
                           {"extra", json_string(extra)}});
        }
    }
    return json_text(out) + "\n";
}

}  // namespace assay::reports
