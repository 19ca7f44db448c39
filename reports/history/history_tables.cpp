#include "reports/history/history_tables.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostNights = 30;
constexpr std::size_t kMostSteps = 20;
constexpr std::size_t kMostQueries = 8;

std::string failures_and_remark(const Night& night) {
    const std::string remark = night.remark();
    const std::string failures = failures_text(night.failures);
    if (remark.empty()) return failures;
    return (night.failures.total() == 0 ? "" : failures + "; ") + shortened(remark, 160);
}

std::string run_text(const Night& night) {
    return night.run == 0 ? "" : fmt::format("{}", night.run);
}

/// "skipped: the day had no run".
std::string no_result_text(const Night& night) {
    return night_word(night) + ": " + shortened(night.skipped, 120);
}

/// By row, newest first.
std::vector<std::size_t> latest_nights(const History& history) {
    std::vector<std::size_t> nights;
    for (std::size_t i = history.nights.size(); i-- > 0 && nights.size() < kMostNights;)
        nights.push_back(i);
    return nights;
}

HistoryTable suite_table(const History& history) {
    HistoryTable table{{{"night"}, {"run", true}, {"suite", false, true}}, {}, ""};
    const std::size_t queries = std::min(kMostQueries, history.queries.size());
    for (std::size_t q = 0; q < queries; ++q)
        table.columns.push_back({shortened(history.queries[q], 60), true, true});
    for (const std::size_t at : latest_nights(history)) {
        const Night& night = history.nights[at];
        std::vector<std::string> row{day_text(night.when_us), run_text(night),
                                     night.is_played() ? night_word(night) : no_result_text(night)};
        for (std::size_t q = 0; q < queries; ++q) {
            const auto answer = q < night.answers.size() ? night.answers[q] : std::nullopt;
            row.push_back(answer ? plain_number(*answer) : "");
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// "+3.1"; where there is no value, the one limit: "< -140.0".
std::string elo_text(const stats::Estimate& elo) {
    if (elo.value) return signed_number(*elo.value, 1);
    if (elo.ci95.high) return "< " + signed_number(*elo.ci95.high, 1);
    if (elo.ci95.low) return "> " + signed_number(*elo.ci95.low, 1);
    return "";
}

}  // namespace

std::string pairing_text(const History& history) {
    return history.first + " against " +
           (history.against_previous ? "the version before it" : history.second);
}

HistoryTable steps_table(const History& history) {
    HistoryTable table{{{"from"},
                        {"what"},
                        {"change", true},
                        {"95 %", true},
                        {"false alarm", true},
                        {"versions", false, true}},
                       {},
                       ""};
    const std::size_t skip =
        history.steps.size() > kMostSteps ? history.steps.size() - kMostSteps : 0;
    for (std::size_t i = skip; i < history.steps.size(); ++i) {
        const NightStep& step = history.steps[i];
        const Night& night = history.nights[step.night];
        table.rows.push_back(
            {day_text(night.when_us, true), step.is_speed ? "nodes/s" : "Elo",
             signed_number(step.step.change, 1) + (step.is_speed ? " %" : ""),
             interval_text(step.step.ci95, 1), probability(step.step.false_alarm),
             history.nights[step.before].version + " … " + shortened(night.version_text, 60)});
    }
    if (!table.rows.empty())
        table.note = fmt::format(
            "A step is a change of level that a test finds between two versions; where nothing "
            "changes, it finds one in at most {} of series of nights.",
            percent(kStepAlpha));
    return table;
}

HistoryTable nights_table(const History& history) {
    if (!history.has_match) return suite_table(history);
    HistoryTable table{{{"night"},
                        {"run", true},
                        {"version", false, true},
                        {"verdict", false, true},
                        {"Elo", true},
                        {"95 %", true},
                        {"pairs", true},
                        {"failures", false, true}},
                       {},
                       ""};
    // Other matches, the suite and the exit code may make another word of the whole run.
    const bool has_outcomes = std::ranges::any_of(history.nights, [](const Night& night) {
        return night.is_played() && night_word(night) != match_word(night);
    });
    if (has_outcomes) table.columns.push_back({"whole run", false, true});
    const std::vector<std::string> days = day_labels(history);
    for (const std::size_t at : latest_nights(history)) {
        const Night& night = history.nights[at];
        const std::string version = shortened(night.version_text, 60);
        if (!night.is_played()) {
            table.rows.push_back(
                {days[at], run_text(night), version, no_result_text(night), "", "", "", ""});
            if (has_outcomes) table.rows.back().emplace_back();
            continue;
        }
        table.rows.push_back({days[at], run_text(night), version, match_word(night),
                              elo_text(night.elo),
                              night.elo.value ? interval_text(night.elo.ci95, 1) : "",
                              grouped(night.pairs), failures_and_remark(night)});
        if (has_outcomes) table.rows.back().push_back(night_word(night));
    }
    if (table.rows.size() < history.nights.size())
        table.note = fmt::format("{} earlier nights are in the other formats.",
                                 history.nights.size() - table.rows.size());
    return table;
}

}  // namespace assay::reports
