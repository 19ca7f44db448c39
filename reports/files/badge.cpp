#include "reports/files/badge.h"

#include <cmath>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/suite_text.h"
#include "reports/text/tournament_words.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;

/// The requirement or expectation that decided the outcome; empty: the games did.
std::string_view broken_part(const harness::Outcome& outcome) {
    switch (outcome.reason) {
        case harness::OutcomeReason::Requirement:
            return "requirement";
        case harness::OutcomeReason::Expectation:
            return "expectation";
        default:
            return "";
    }
}

bool is_error(const harness::Outcome& outcome) {
    return outcome.reason == harness::OutcomeReason::Failure ||
           outcome.reason == harness::OutcomeReason::NotPlayed ||
           outcome.reason == harness::OutcomeReason::Output;
}

std::string_view colour_of(const harness::Outcome& outcome) {
    if (is_error(outcome)) return "lightgrey";
    if (!broken_part(outcome).empty()) return "orange";
    switch (outcome.word) {
        case harness::OutcomeWord::Accepted:
            return "blue";
        case harness::OutcomeWord::Rejected:
            return "orange";
        case harness::OutcomeWord::Tainted:
            return "yellow";
        default:
            return "lightgrey";
    }
}

/// The outcome and the Elo of the match that decided it; of a run without a match its suite's.
std::string message_of(const RunView& view, const harness::Outcome& outcome) {
    if (view.tournament != nullptr) {
        std::string sentence = leader_sentence(*view.tournament);
        sentence.pop_back();  // the full stop
        if (outcome.word == harness::OutcomeWord::None) return sentence;
        return fmt::format("{}: {}", harness::name_of(outcome.word), sentence);
    }
    if (view.matches.empty()) {
        if (view.suite == nullptr) return "no match";
        const std::string sentence = suite_sentence(view);
        return sentence.empty() ? "searched" : sentence;
    }
    const MatchView& match = view.matches.at(outcome.match.value_or(0));
    std::string message(harness::name_of(outcome.word));
    if (message.empty()) message = is_undecided(view, match) ? "no verdict" : "played";
    if (const std::string_view part = broken_part(outcome); !part.empty()) {
        message = fmt::format("{} by {}", harness::is_gate(view.run) ? message : "fails", part);
    }
    if (match.tally->pairs() > 0)
        message += " · Elo " + estimate_text(estimates_of(*match.tally).quoted.elo);
    return message;
}

/// A label's value: backslash, quote and newline are escaped (OpenMetrics 1.0).
std::string label_text(std::string_view text) {
    std::string out;
    for (const char c : printable_utf8(text)) {
        if (c == '\\' || c == '"') out += '\\';
        out += c;
    }
    return out;
}

/// One family with its samples, in the order they came.
struct Family {
    std::string name;
    std::string help;
    std::vector<std::pair<std::string, double>> samples;  // labels, value
};

std::string labels_of(const RunView& view, std::size_t match) {
    const harness::MatchPlan& plan = view.matches[match].tally->plan();
    const std::string name = plan.name.empty() ? fmt::format("{}", match + 1) : plan.name;
    return fmt::format("config=\"{}\",match=\"{}\"", label_text(view.run.name), label_text(name));
}

void add(std::vector<Family>& families, std::string_view name, std::string_view help,
         const std::string& labels, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return;
    for (Family& family : families) {
        if (family.name != name) continue;
        family.samples.emplace_back(labels, *value);
        return;
    }
    families.push_back({std::string(name), std::string(help), {{labels, *value}}});
}

void add_estimate(std::vector<Family>& families, const std::string& name, const std::string& help,
                  const std::string& labels, const stats::Estimate& estimate) {
    add(families, name, help, labels, estimate.value);
    add(families, name + "_low", help + ", lower end of 95 %", labels, estimate.ci95.low);
    add(families, name + "_high", help + ", upper end of 95 %", labels, estimate.ci95.high);
}

/// The figures of the run beside its matches: the outcome and the benchmarks.
void add_run(std::vector<Family>& families, const RunView& view) {
    const std::string config = fmt::format("config=\"{}\"", label_text(view.run.name));
    const harness::OutcomeWord word = outcome_of(view).word;
    if (is_gate(view.run) && word != harness::OutcomeWord::None) {
        add(families, "assay_accepted", "1 where the gate accepted the first program, else 0",
            config, word == harness::OutcomeWord::Accepted ? 1 : 0);
    }
    if (view.exit_code) {
        add(families, "assay_exit_code", "exit code of the run", config,
            static_cast<double>(*view.exit_code));
    }
    for (const harness::SpeedFinding& speed : view.run.findings.speed) {
        if (speed.match >= view.matches.size()) continue;
        const std::string labels = labels_of(view, speed.match);
        const std::string help = "how much faster the first program is than the second";
        add(families, "assay_speed_percent", help, labels, speed.percent);
        add(families, "assay_speed_percent_low", help + ", lower end", labels, speed.low);
        add(families, "assay_speed_percent_high", help + ", upper end", labels, speed.high);
    }
}

void add_match(std::vector<Family>& families, const RunView& view, std::size_t match) {
    const harness::MatchTally& tally = *view.matches[match].tally;
    const std::string labels = labels_of(view, match);
    const KindOfEstimate quoted = estimates_of(tally).quoted;
    add_estimate(families, "assay_elo", "Elo of the first program", labels, quoted.elo);
    add_estimate(families, "assay_nelo", "normalized Elo of the first program", labels,
                 quoted.nelo);
    if (const auto test = test_state(tally))
        add(families, "assay_llr", "log-likelihood ratio of the stop rule", labels, test->llr);
    const auto whole = [&](std::string_view name, std::string_view help, std::int64_t value) {
        add(families, name, help, labels, static_cast<double>(value));
    };
    whole("assay_pairs", "counted pairs", tally.pairs());
    whole("assay_wins", "games won by the first program", tally.wdl().wins);
    whole("assay_draws", "games drawn", tally.wdl().draws);
    whole("assay_losses", "games lost by the first program", tally.wdl().losses);
    const harness::Failures failures = tally.all_failures()[0];
    whole("assay_crashes", "crashes of the first program", failures.crashes);
    whole("assay_stalls", "stalls of the first program", failures.stalls);
    whole("assay_time_losses", "losses on time of the first program", failures.time_losses);
    whole("assay_illegal_moves", "illegal moves of the first program", failures.illegal_moves);
    whole("assay_voided_pairs", "pairs voided for the harness's own delay", tally.voided());
    add(families, "assay_harness_delay_p99_seconds", "99 % of the harness's delays are shorter",
        labels, tally.meters().delay.p99_us / 1e6);
}

/// A program of a tournament is a label.
void add_tournament(std::vector<Family>& families, const RunView& view) {
    for (const TournamentRow& row : view.tournament->rows) {
        const std::string labels = fmt::format("config=\"{}\",program=\"{}\"",
                                               label_text(view.run.name), label_text(row.name));
        const auto whole = [&](std::string_view name, std::string_view help, std::int64_t value) {
            add(families, name, help, labels, static_cast<double>(value));
        };
        add(families, "assay_points", "points of a program in a tournament", labels,
            row.standing.points());
        whole("assay_games", "counted games of a program", row.games());
        if (row.rating)
            add_estimate(families, "assay_rating", "Elo of a program, relative to the mean", labels,
                         {row.rating->elo, row.rating->ci95});
        whole("assay_crashes", "crashes of a program", row.failures.crashes);
        whole("assay_stalls", "stalls of a program", row.failures.stalls);
        whole("assay_time_losses", "losses on time of a program", row.failures.time_losses);
        whole("assay_illegal_moves", "illegal moves of a program", row.failures.illegal_moves);
    }
}

}  // namespace

std::string badge_json(const RunView& view) {
    const harness::Outcome outcome = outcome_of(view);
    return json_text(json::object{{"schemaVersion", 1},
                                  {"label", json_string(shortened(view.run.name, 60))},
                                  {"message", json_string(message_of(view, outcome))},
                                  {"color", colour_of(outcome)},
                                  {"isError", is_error(outcome)}}) +
           "\n";
}

std::string open_metrics(const RunView& view) {
    std::vector<Family> families;
    add_run(families, view);
    if (view.tournament != nullptr) {
        add_tournament(families, view);
    } else {
        for (std::size_t i = 0; i < view.matches.size(); ++i) add_match(families, view, i);
    }
    std::string out;
    for (const Family& family : families) {
        out +=
            fmt::format("# TYPE {} gauge\n# HELP {} {}\n", family.name, family.name, family.help);
        for (const auto& [labels, value] : family.samples)
            out += fmt::format("{}{{{}}} {}\n", family.name, labels, value);
    }
    return out + "# EOF\n";
}

}  // namespace assay::reports
