#include "reports/web/history_page.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "reports/plot/scale.h"
#include "reports/text/suite_text.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "reports/web/charts/history_charts.h"
#include "reports/web/page/assets.h"
#include "reports/web/page/template.h"
#include "reports/web/run_parts.h"

namespace assay::reports::web {

namespace {

/// match_title() within a sentence: the name itself is as it was given.
std::string match_of(const History& history) {
    std::string title = match_title(history);
    title.front() = to_lower(title.front());
    return title;
}

namespace json = boost::json;
using plot::number_text;

constexpr std::size_t kNightsInTable = 60;
constexpr std::size_t kMostQueries = 12;  // with a chart each

std::string interval(const stats::Interval& range, int decimals = 1) {
    if (!range.low && !range.high) return "";
    const auto end = [&](const std::optional<double>& limit) {
        return limit ? number_text(*limit, decimals, true) : std::string("no limit");
    };
    return fmt::format("[{}, {}]", end(range.low), end(range.high));
}

/// "+3.1"; where there is no value, the one limit: "< −140".
std::string elo_text(const stats::Estimate& elo) {
    if (elo.value) return number_text(*elo.value, 1, true);
    if (elo.ci95.high) return "< " + number_text(*elo.ci95.high, 1, true);
    if (elo.ci95.low) return "> " + number_text(*elo.ci95.low, 1, true);
    return "–";
}

std::string speed_text(const std::optional<double>& nodes) {
    if (!nodes) return "–";
    if (*nodes >= 1e6) return fmt::format("{:.2f} M", *nodes / 1e6);
    return grouped(std::llround(*nodes));
}

Mark night_mark(const Night& night) {
    if (!night.is_played()) {
        const harness::OutcomeWord word = night.outcome.word;
        if (word == harness::OutcomeWord::None) return {"inc", "× " + night_word(night)};
        return web::mark_of(word);
    }
    if (night.suite && !night.is_gate) return web::mark_of(*night.suite);
    if (night.outcome.word == harness::OutcomeWord::None) return {"inc", "– played"};
    return web::mark_of(night.outcome.word);
}

/// How the night's match ended by itself, where other matches and the suite of its run are left
/// out.
Mark match_mark(const Night& night) {
    if (match_word(night) == night_word(night)) return night_mark(night);
    if (night.match_word == harness::OutcomeWord::None) return {"inc", "– played"};
    return web::mark_of(night.match_word);
}

/// The word of a mark without the sign before it.
std::string word_of_mark(const Night& night) {
    const auto mark = night_mark(night);
    const std::string_view word(mark.word);
    return std::string(word.substr(word.find(' ') + 1));
}

using Facts = std::vector<std::pair<std::string, std::string>>;

void add_answers(Facts& facts, const History& history, const Night& night) {
    for (std::size_t q = 0; q < night.answers.size() && q < kMostQueries; ++q) {
        if (night.answers[q]) facts.emplace_back(history.queries[q], answer_text(night.answers[q]));
    }
}

void add_origin(Facts& facts, const Night& night) {
    facts.emplace_back("version", night.version_text);
    facts.emplace_back("against", night.opponent_text);
    facts.emplace_back("machine", night.machine);
    facts.emplace_back("compiler", night.compiler);
}

/// What the night of another match of the same run says.
void add_other(Facts& facts, const History& other, std::size_t index) {
    const Night& night = other.nights[index];
    std::string text = night.is_played() ? word_of_mark(night) : night.skipped;
    if (night.is_played() && night.pairs > 0)
        text = fmt::format("Elo {}, {}, {}", shown(night.elo), grouped(night.pairs, "pair"), text);
    if (!night.opponent_text.empty()) text += ", against " + night.opponent_text;
    facts.emplace_back(match_of(other), text);
}

/// What one night's details say, as name and value.
std::vector<std::pair<std::string, std::string>> facts_of_night(const History& history,
                                                                std::size_t index) {
    const Night& night = history.nights[index];
    if (!night.is_played()) {
        return {{"reason", night.skipped},
                {"run", night.run == 0 ? "" : fmt::format("{}", night.run)}};
    }
    std::vector<std::pair<std::string, std::string>> facts;
    if (!history.has_match) {
        facts.emplace_back("suite", word_of_mark(night));
        add_answers(facts, history, night);
        for (const std::string& change : changed_answers(history, index))
            facts.emplace_back("change", change);
        add_origin(facts, night);
        return facts;
    }
    facts.emplace_back("Elo",
                       fmt::format("{}, {}", shown(night.elo), grouped(night.pairs, "pair")));
    for (std::size_t i = index; i-- > 0;) {
        const Night& before = history.nights[i];
        if (!before.is_played() || !before.elo.value || !night.elo.value) continue;
        facts.emplace_back("change",
                           before.series == night.series
                               ? number_text(*night.elo.value - *before.elo.value, 1, true) +
                                     " Elo from the night before"
                               : "not compared: " + night.change);
        break;
    }
    facts.emplace_back(
        "nodes/s", fmt::format("{} {}, {} {}", history.first, speed_text(night.nodes_per_second[0]),
                               history.second, speed_text(night.nodes_per_second[1])));
    facts.emplace_back("failures", failures_text(night.failures));
    if (night.failed_expectations > 0)
        facts.emplace_back("suite", grouped(static_cast<std::int64_t>(night.failed_expectations),
                                            "expectation fails", "expectations fail"));
    facts.emplace_back("cut short", night.trouble);
    add_answers(facts, history, night);
    for (const History& other : history.others) add_other(facts, other, index);
    add_origin(facts, night);
    return facts;
}

std::string title_of(const History& history, std::size_t index) {
    const Night& night = history.nights[index];
    return fmt::format("{}, night {}: {}", day_text(night.when_us, true), index + 1,
                       word_of_mark(night));
}

std::string caption_of(const History& history, std::size_t index) {
    const Night& night = history.nights[index];
    std::string text;
    if (!night.is_played()) text = "No result: " + night.skipped + ". ";
    if (night.tainted)
        text += "Failures would change the verdict; the night counts for no level and no step. ";
    if (!night.change.empty()) text += "A new series begins: " + night.change + ". ";
    for (const NightStep& step : history.steps) {
        if (step.night != index) continue;
        text += fmt::format("A step lies between this night’s version and that of {}: {}{} {}. ",
                            day_text(history.nights[step.before].when_us),
                            number_text(step.step.change, 1, true),
                            step.is_speed ? " % nodes/s" : " Elo", interval(step.step.ci95));
    }
    return text;
}

std::string link_of(const HistoryOptions& options, const Night& night) {
    if (night.run == 0 || !options.link_of) return "";
    return options.link_of(night.run);
}

std::string page_command(const HistoryOptions& options, const Night& night) {
    if (night.run == 0) return "";
    return fmt::format("assay report {} --format html -o run-{}.html{}", night.run, night.run,
                       store_flag(options.store_path));
}

json::object data_of(const History& history, const HistoryOptions& options, std::size_t selected) {
    json::array all;
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        json::array facts;
        for (const auto& [name, value] : facts_of_night(history, i))
            facts.push_back(json::array{json_string(name), json_string(value)});
        const Night& night = history.nights[i];
        all.push_back({{"run", night.run},
                       {"title", json_string(title_of(history, i))},
                       {"caption", json_string(caption_of(history, i))},
                       {"link", json_string(link_of(options, night))},
                       {"command", json_string(page_command(options, night))},
                       {"facts", facts}});
    }
    return {{"selected", selected}, {"nights", all}};
}

Values nights_figure(const History& history) {
    const std::int64_t played =
        std::ranges::count_if(history.nights, [](const Night& night) { return night.is_played(); });
    const auto all = static_cast<std::int64_t>(history.nights.size());
    return key_figure("Nights", grouped(played), fmt::format("{} without a result", all - played));
}

/// Of a suite alone.
void add_suite_figures(std::vector<Values>& out, const History& history, std::size_t latest) {
    const Night& night = history.nights[latest];
    out.push_back(key_figure("Expectations that fail",
                             grouped(static_cast<std::int64_t>(night.failed_expectations)),
                             "in the last night"));
    const auto changed = static_cast<std::int64_t>(changed_answers(history, latest).size());
    out.push_back(key_figure("Queries that changed", grouped(changed),
                             fmt::format("of {}, since the night before", history.queries.size())));
    out.push_back(nights_figure(history));
}

void add_figures(Values& page, const History& history) {
    std::vector<Values>& out = page.lists["figures"];
    const auto latest = history.latest();
    if (!latest) return;
    const Night& night = history.nights[*latest];
    if (!history.elo_levels.empty()) {
        const NightLevel& last = history.elo_levels.back();
        const double half = 1.96 * last.level.error;
        out.push_back(key_figure(
            "Elo, level now", number_text(last.level.mean, 1, true),
            fmt::format(
                "{} {}", interval({last.level.mean - half, last.level.mean + half}),
                grouped(static_cast<std::int64_t>(last.level.end - last.level.begin), "night"))));
    }
    const Mark mark = night_mark(night);
    out.push_back(
        key_figure("Last night", mark.word, day_text(night.when_us, true), "v " + mark.css));
    if (!history.has_match) {
        add_suite_figures(out, history, *latest);
        return;
    }
    out.push_back(key_figure("Nodes/s", speed_text(night.nodes_per_second[0]), night.machine));
    const auto ups = std::ranges::count_if(
        history.steps, [](const NightStep& step) { return step.step.change > 0; });
    const auto all = static_cast<std::int64_t>(history.steps.size());
    out.push_back(key_figure("Steps", grouped(all), fmt::format("{} up, {} down", ups, all - ups)));
    harness::Failures failures;
    for (const Night& one : history.nights) failures += one.failures;
    out.push_back(key_figure("Failures of " + history.first, grouped(failures.total()),
                             failures_text(failures)));
    out.push_back(nights_figure(history));
}

Values step_row(const History& history, std::size_t index, const std::string& what) {
    Values row;
    Values link;
    link.set("index", fmt::format("{}", index));
    row.lists["night"] = {link};
    row.set("from", day_text(history.nights[index].when_us, true)).set_command("what", what);
    row.set("css", "").set("mark", "inc").set("change", "–").set("interval", "–");
    row.set("chance", "–").set("versions", "–");
    return row;
}

Values step_row(const History& history, const NightStep& step, const std::string& suffix) {
    const Night& night = history.nights[step.night];
    const bool is_up = step.step.change > 0;
    Values row = step_row(history, step.night, (step.is_speed ? "nodes/s" : "Elo") + suffix);
    row.set("change", number_text(step.step.change, 1, true) + (step.is_speed ? " %" : ""));
    row.set("interval", interval(step.step.ci95));
    row.set("chance", probability(step.step.false_alarm));
    row.set_command("versions", history.nights[step.before].version + " … " + night.version_text);
    row.set("mark", is_up ? "acc" : "rej").set("state", is_up ? "▲ gain" : "▼ loss");
    return row;
}

/// The steps of one match and where its series begin. `suffix`: behind what changed.
void add_step_rows(std::vector<Values>& rows, const History& history, const std::string& suffix) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < history.nights.size(); ++i) {
        const Night& night = history.nights[i];
        if (!night.change.empty()) {
            rows.push_back(step_row(history, i, night.change + suffix));
            rows.back().set("css", "z").set("state", "new series");
        }
        for (; next < history.steps.size() && history.steps[next].night == i; ++next)
            rows.push_back(step_row(history, history.steps[next], suffix));
    }
}

void add_steps(Values& page, const History& history) {
    std::vector<Values> rows;
    add_step_rows(rows, history, history.others.empty() ? "" : ", " + match_of(history));
    std::size_t steps = history.steps.size();
    for (const History& other : history.others) {
        add_step_rows(rows, other, ", " + match_of(other));
        steps += other.steps.size();
    }
    page.set("steps_title", steps == 0 ? "Steps: none" : fmt::format("Steps: {}", steps));
    page.set("step_alpha", percent(kStepAlpha));
    page.show("has_steps", !rows.empty());
    if (!rows.empty()) page.lists["has_steps"][0].lists["steps"] = rows;
}

/// "size 2,417,022 · depth 8", the first few.
std::string answers_text(const History& history, const Night& night) {
    constexpr std::size_t kMostShown = 4;
    std::string text;
    std::size_t shown = 0;
    for (std::size_t q = 0; q < night.answers.size() && shown < kMostShown; ++q) {
        if (!night.answers[q]) continue;
        text += fmt::format("{}{} {}", shown++ == 0 ? "" : " · ", history.queries[q],
                            answer_text(night.answers[q]));
    }
    return text.empty() ? "–" : text;
}

void add_nights(Values& page, const History& history) {
    const std::size_t count = std::min(kNightsInTable, history.nights.size());
    double lo = 0;
    double hi = 0;
    for (std::size_t i = history.nights.size() - count; i < history.nights.size(); ++i) {
        const stats::Interval& range = history.nights[i].elo.ci95;
        for (const std::optional<double>& limit : {range.low, range.high}) {
            lo = std::min(lo, limit.value_or(0));
            hi = std::max(hi, limit.value_or(0));
        }
    }
    const std::vector<std::string> days = day_labels(history);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = history.nights.size() - 1 - k;
        const Night& night = history.nights[i];
        const Mark mark = match_mark(night);
        const bool is_bad = night.verdict == harness::Verdict::Rejected;
        Values row;
        row.set("index", fmt::format("{}", i)).set("day", days[i]);
        row.set("version", night.version_text);
        row.set("css", night.is_played() ? "" : "z").set("mark", mark.css).set("word", mark.word);
        std::string note = night.is_played() ? night.change : night.skipped;
        if (history.has_match && !night.remark().empty())
            note += (note.empty() ? "" : " · ") + night.remark();
        if (match_word(night) != night_word(night))
            note += (note.empty() ? "whole run: " : " · whole run: ") + night_word(night);
        row.set("note", note);
        row.set("elo", elo_text(night.elo));
        row.set("interval", night.elo.value ? interval(night.elo.ci95) : "");
        row.set("bar", interval_bar(night.elo, lo, hi, is_bad));
        row.set("pairs", night.is_played() ? grouped(night.pairs) : "–");
        row.set("speed", speed_text(night.nodes_per_second[0]));
        row.set("failures", night.failures.total() == 0 ? "–" : failures_text(night.failures));
        row.set("answers", answers_text(history, night));
        page.lists["nights"].push_back(row);
    }
    page.set("range", fmt::format("{} to {}", number_text(lo, 0, true), number_text(hi, 0, true)));
    page.set("nights_caption",
             count < history.nights.size()
                 ? fmt::format("{} of {} nights; all are in the other forms.", count,
                               grouped(static_cast<std::int64_t>(history.nights.size())))
                 : "A night without a result has its reason. A row opens its night above.");
}

/// "Elo over base: one step".
std::string elo_title(const History& history) {
    const std::string over =
        history.against_previous ? "over the version before" : "over " + history.second;
    const auto steps =
        std::ranges::count_if(history.steps, [](const NightStep& step) { return !step.is_speed; });
    return fmt::format("Elo {}: {}", over,
                       steps == 0   ? "no step"
                       : steps == 1 ? "one step"
                                    : fmt::format("{} steps", steps));
}

void add_other_matches(Values& page, const History& history) {
    for (const History& other : history.others) {
        Values section;
        section.set("title", match_title(other) + ": " + elo_title(other));
        section.set("caption", plot::with_minus(history_sentence(other)));
        section.set("chart", history_elo_chart(other));
        page.lists["others"].push_back(section);
    }
}

void add_charts(Values& page, const History& history) {
    page.set("elo_title",
             (history.others.empty() ? "" : match_title(history) + ": ") + elo_title(history));
    page.set(
        "elo_caption",
        "Dot: a night's estimate to quote. Band: its 95 % interval. "
        "Thick line: the level between steps. ▼ rejected, ○ tainted (counts for no level), ⊥ one "
        "limit alone, × without a result. Select a night to open it.");
    page.set("elo_chart", history_elo_chart(history));
    page.set("speed_chart", history_speed_chart(history));
    page.set("speed_title", page.text["speed_chart"].empty()
                                ? "Nodes a second: not reported by the programs"
                                : "Nodes a second of " + history.first);
    for (std::size_t i = 0; i < std::min(kMostQueries, history.queries.size()); ++i) {
        const std::string chart = history_query_chart(history, i);
        Values query;
        query.set("name", history.queries[i]).set("chart", chart);
        query.set("note", chart.empty() ? ": no night has an answer" : "");
        page.lists["queries"].push_back(query);
    }
    page.set("failures_chart", history_failure_chart(history));
    page.set(
        "failures_title",
        page.text["failures_chart"].empty()
            ? fmt::format("Failures of {}: none", history.first)
            : fmt::format("Failures of {}: losses on time grey, all else orange", history.first));
}

void add_selected(Values& page, const History& history, const HistoryOptions& options,
                  std::size_t selected) {
    if (history.nights.empty()) return;
    const Night& night = history.nights[selected];
    page.set("night_title", title_of(history, selected));
    page.set("night_caption", caption_of(history, selected));
    for (const auto& [name, value] : facts_of_night(history, selected)) {
        if (value.empty()) continue;
        Values fact;
        fact.set("name", name).set("value", value);
        page.lists["night_facts"].push_back(fact);
    }
    const std::string link = link_of(options, night);
    page.set("night_link", link.empty() ? "#night" : link);
    page.set("night_run", link.empty() ? "" : fmt::format("Open run {}", night.run));
    page.set_command("night_command", page_command(options, night));
}

void add_forms(Values& page, const History& history, const std::string& store) {
    for (const std::string_view format : {"json", "csv", "markdown", "benchmark"}) {
        Values form;
        form.set_command("command", fmt::format("assay report {} --history --format {}{}",
                                                shell_word(printable_utf8(history.name)), format,
                                                store_flag(store)));
        form.show("last", format == "benchmark");
        page.lists["forms"].push_back(form);
    }
}

}  // namespace

std::string history_page(const History& history, const HistoryOptions& options) {
    Values page;
    page.set("style", std::string(asset("style.css")));
    page.set("script", std::string(asset("page.js")) + std::string(asset("history.js")));
    page.set("name", history.name).set("first", history.first);
    page.show("fixed", !history.against_previous || !history.has_match);
    page.set("second", history.second);
    page.show("matched", history.has_match);
    page.show("alone", !history.has_match);
    page.show("compared", history.has_match || !history.second.empty());
    page.set("headline", plot::with_minus(history_sentence(history)));
    page.set("store", options.store_path);
    if (!history.nights.empty()) {
        page.set("span",
                 fmt::format("{} to {}",
                             grouped(static_cast<std::int64_t>(history.nights.size()), "night"),
                             day_text(history.nights.back().when_us, true)));
    }
    const std::size_t selected =
        history.latest().value_or(history.nights.empty() ? 0 : history.nights.size() - 1);
    add_figures(page, history);
    add_charts(page, history);
    add_other_matches(page, history);
    add_selected(page, history, options, selected);
    add_steps(page, history);
    add_nights(page, history);
    add_forms(page, history, options.store_path);
    page.set("data", script_json(data_of(history, options, selected)));
    return filled(asset("history.mustache"), page);
}

}  // namespace assay::reports::web
