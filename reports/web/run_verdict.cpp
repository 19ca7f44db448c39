// The top of a run's page: the outcome in words and in numbers.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "harness/build/bench_run.h"
#include "reports/plot/scale.h"
#include "reports/text/suite_text.h"
#include "reports/view/escape.h"
#include "reports/view/machine_rows.h"
#include "reports/view/match_left.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"
#include "reports/web/run_parts.h"

namespace assay::reports::web {

namespace {

using harness::MatchTally;
using harness::RunState;
using harness::StopPlan;
using harness::Verdict;

/// The verdict's sentence without its first word, then the number.
std::string match_sentence(const RunView& view, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    std::string text = verdict_sentence(view, *match.view);
    const std::size_t colon = text.find(": ");
    if (colon != std::string::npos) text = text.substr(colon + 2);
    if (text.empty() && tally.pairs() > 0 && !is_open(view))
        text = test_sentence(view, *match.view, match.figures);
    if (tally.pairs() == 0) return text.empty() ? "No pair is finished yet." : text;
    const bool decided =
        tally.verdict() == Verdict::Accepted || tally.verdict() == Verdict::Rejected;
    const KindOfEstimate& quoted = match.estimates.quoted;
    text += fmt::format("{}{} Elo {}", text.empty() ? "" : " ", decided ? "Measured" : "So far",
                        estimate_text(quoted.elo));
    if (quoted.has_nelo()) text += fmt::format(", nElo {},", estimate_text(quoted.nelo));
    text += fmt::format(" after {}.", grouped(tally.pairs(), "pair"));
    if (const std::string note = interval_note(*match.view, match.figures, quoted); !note.empty())
        text += " " + note;
    // A sentence of the outcome begins with a small letter, or with the name of a program.
    if (std::ranges::none_of(match.names,
                             [&](const std::string& name) { return text.starts_with(name); }))
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return plot::with_minus(text);
}

Values part(std::string what, const Mark& mark, std::string sentence) {
    Values values;
    values.set("what", std::move(what)).set("css", mark.css).set("word", mark.word);
    values.set("sentence", std::move(sentence));
    return values;
}

void link(Values& part, const std::string& to, const std::string& label) {
    Values go;
    go.set("to", to).set("label", label);
    part.lists["go"].push_back(go);
}

/// What a gate's process returns, and why.
Values gate_part(const harness::Outcome& outcome) {
    std::string sentence = outcome.exit_code ? fmt::format("Exit code {}: ", *outcome.exit_code)
                                             : std::string("No exit code: ");
    sentence += harness::text_of(outcome.reason);
    return part("Gate", mark_of(outcome.word), sentence + ".");
}

/// The failures of the first programs, where nothing is required of them.
Values no_conditions_part(const std::vector<MatchPage>& matches) {
    std::string text;
    for (const MatchPage& match : matches) {
        if (match.tally().games() == 0 && match.tally().all_failures()[0].total() == 0) continue;
        text += fmt::format("{}Failures of {}{}: {}", text.empty() ? "" : ". ", match.names[0],
                            matches.size() > 1 ? " in " + match_name(match) : "",
                            failures_text(match.tally(), 0));
    }
    return part("Conditions", {"inc", "– none set"},
                text.empty() ? std::string("No game is over yet.") : text + ".");
}

Values conditions_part(const RunView& view, const std::vector<MatchPage>& matches) {
    std::string text;
    const MatchPage* failing = nullptr;  // the first in which one fails
    bool is_open = false;
    bool has_facts = false;  // else a limit holds only because nothing has been played
    for (const MatchPage& match : matches) {
        std::string of_match;
        const MatchTally& tally = match.tally();
        has_facts = has_facts || tally.games() > 0 || tally.all_failures()[0].total() > 0 ||
                    harness::speed_of_match(view.run.findings, match.index) != nullptr;
        for (const Condition& condition : conditions_of(view, match.index)) {
            of_match += (of_match.empty() ? "" : ", ") + condition.text;
            if (!condition.holds && !condition.is_open && failing == nullptr) failing = &match;
            is_open = is_open || condition.is_open;
        }
        if (of_match.empty()) continue;
        if (matches.size() > 1) of_match = match_name(match) + ": " + of_match;
        text += (text.empty() ? "" : "; ") + of_match;
    }
    if (text.empty()) return no_conditions_part(matches);
    if (!has_facts) return part("Conditions", {"inc", "– no games"}, "No game is over yet.");
    Mark mark{"rej", "▼ fail"};
    if (failing == nullptr) mark = is_open ? Mark{"inc", "◆ inconclusive"} : Mark{"acc", "▲ hold"};
    Values values = part("Conditions", mark, text + ".");
    if (failing != nullptr) link(values, "failures" + failing->suffix, "the failures");
    return values;
}

Values suite_part(const RunView& view) {
    const std::size_t failed = failed_expectations(view);
    std::string sentence = suite_sentence(view);
    Mark mark{"inc", "– reported"};
    if (failed > 0) {
        mark = {"rej", failed == 1 ? "▼ fails" : "▼ fail"};
    } else if (view.suite->count(harness::Holds::Unknown) > 0) {
        mark = {"inc", "◆ inconclusive"};
    } else if (!sentence.empty()) {
        mark = {"acc", "▲ holds"};
    }
    if (sentence.empty()) sentence = "No expectation has a bound";
    Values values = part("Suite", mark, sentence + ".");
    if (failed > 0) link(values, "suite", "the suite");
    return values;
}

std::string interval_text(const stats::Estimate& estimate) {
    const auto& [low, high] = estimate.ci95;
    // Without a value the one end stands in its place.
    if (!estimate.value) return "";
    if (!low && !high) return "no limits yet";
    const auto end = [decimals = decimals_for(estimate)](const std::optional<double>& limit) {
        return limit ? plot::number_text(*limit, decimals, true) : std::string("no limit");
    };
    return fmt::format("[{}, {}]", end(low), end(high));
}

std::string value_text(const stats::Estimate& estimate) {
    if (!estimate.value) return plot::with_minus(estimate_text(estimate));
    return plot::number_text(*estimate.value, decimals_for(estimate), true);
}

/// The exit code of a gate; where it is not stored, the one that the facts give.
Values exit_figure(const harness::Outcome& outcome) {
    return key_figure("Exit code",
                      outcome.exit_code ? fmt::format("{}", *outcome.exit_code) : "129, 130, 143",
                      std::string(harness::name_of(outcome.word)));
}

/// What a match in play still needs.
Values left_figure(const MatchLeft& left) {
    std::string most = grouped(left.most_pairs, "pair");
    const std::string most_time = left.most_time ? rough_duration(*left.most_time) : "";
    if (!left.expected_pairs) return key_figure("Left", "at most " + most, most_time);
    if (!most_time.empty()) most += ", " + most_time;
    const std::string time =
        left.expected_time ? rough_duration(*left.expected_time) + "; " : std::string();
    return key_figure("Left", "about " + grouped(expected_pairs(left), "pair"),
                      time + "at most " + most);
}

std::vector<Values> key_figures(const RunView& view, const harness::Outcome& outcome,
                                const std::vector<MatchPage>& matches) {
    const MatchPage& match = deciding(outcome, matches);
    const MatchTally& tally = match.tally();
    std::vector<Values> out;
    const KindOfEstimate& quoted = match.estimates.quoted;
    const std::string kind =
        quoted.kind == EstimateKind::Fixed ? "" : ", " + std::string(words_of(quoted.kind));
    out.push_back(key_figure("Elo" + kind, value_text(quoted.elo), interval_text(quoted.elo)));
    if (quoted.has_nelo())
        out.push_back(
            key_figure("nElo" + kind, value_text(quoted.nelo), interval_text(quoted.nelo)));
    if (quoted.los && tally.pairs() >= stats::kLeastUnits)
        out.push_back(key_figure("LOS", fmt::format("{:.2f}", *quoted.los), ""));
    out.push_back(key_figure("Pairs", grouped(tally.pairs()),
                             fmt::format("of at most {}", grouped(tally.plan().pairs))));
    const stats::Wdl& wdl = tally.wdl();
    out.push_back(key_figure(
        "W D L",
        fmt::format("{} · {} · {}", grouped(wdl.wins), grouped(wdl.draws), grouped(wdl.losses)),
        match.figures.strength.score
            ? fmt::format("{:.1f} % of {} games", 100 * *match.figures.strength.score,
                          grouped(tally.games()))
            : ""));
    if (!is_cut_short(tally) && tally.pairs() > 0)
        out.push_back(key_figure("Sign-flip, exact", p_value(match.figures.sign_flip.p_value),
                                 "if both are equal"));
    const int at_once = tally.plan().concurrency;
    out.push_back(key_figure("Time", duration(Micros(tally.meters().wall_us)),
                             at_once > 0 ? grouped(at_once, "game") + " at once" : ""));
    const std::optional<MatchLeft> left =
        is_open(view) ? left_of(tally, mean_speed(tally)) : std::nullopt;
    if (left) {
        out.push_back(left_figure(*left));
    } else if (is_gate(view.run) && !is_open(view)) {
        out.push_back(exit_figure(outcome));
    } else {
        out.push_back(key_figure("Seed", fmt::format("{}", view.run.plan.seed.value_or(0)), ""));
    }
    return out;
}

void add_condition(std::vector<Condition>& out, std::string_view what, std::int64_t seen,
                   const std::optional<std::int64_t>& most) {
    if (!most) return;
    std::string text = fmt::format("{} {}", what, grouped(seen));
    if (*most > 0 || seen > *most) text += fmt::format(" (at most {})", grouped(*most));
    out.push_back({std::move(text), seen <= *most, false});
}

}  // namespace

std::string shown(const stats::Estimate& estimate) {
    return plot::with_minus(estimate_text(estimate));
}

std::string match_name(const MatchPage& match) {
    const std::string& name = match.plan->name;
    if (!match.name.empty()) return match.name;
    if (name.empty()) return fmt::format("match {}", match.index + 1);
    return name.starts_with("match") ? name : "match " + name;
}

Mark mark_of(harness::Holds holds) {
    switch (holds) {
        case harness::Holds::Yes:
            return {"acc", "▲ holds"};
        case harness::Holds::No:
            return {"rej", "▼ fails"};
        case harness::Holds::Unknown:
            return {"inc", "◆ inconclusive"};
        case harness::Holds::Report:
            break;
    }
    return {"inc", "– reported"};
}

Mark mark_of(harness::OutcomeWord word) {
    switch (word) {
        case harness::OutcomeWord::Accepted:
            return {"acc", "▲ accepted"};
        case harness::OutcomeWord::Rejected:
            return {"rej", "▼ rejected"};
        case harness::OutcomeWord::Tainted:
            return {"tai", "▨ tainted"};
        case harness::OutcomeWord::NoVerdict:
            return {"inc", "× no verdict"};
        case harness::OutcomeWord::Stopped:
            return {"inc", "× stopped"};
        case harness::OutcomeWord::NoChange:
            return {"inc", "– no change"};
        case harness::OutcomeWord::Inconclusive:
        case harness::OutcomeWord::None:
            break;
    }
    return {"inc", "◆ inconclusive"};
}

Mark mark_of(const RunView& view, const MatchTally& tally) {
    if (!view.run.findings.unchanged.empty()) return mark_of(harness::OutcomeWord::NoChange);
    harness::MatchFacts facts;
    facts.verdict = tally.verdict();
    facts.is_tainted = tally.is_tainted();
    // The conditions have a part of their own.
    const harness::OutcomeWord word = harness::match_word(facts, false, view.run.state);
    if (word != harness::OutcomeWord::None) return mark_of(word);
    if (view.run.state == RunState::Running) return {"inc", "… playing"};
    return {"inc", tally.plan().stop.rule == StopPlan::Rule::None ? "– no rule" : "◆ undecided"};
}

std::vector<Condition> conditions_of(const RunView& view, std::size_t match) {
    const MatchTally& tally = *view.matches.at(match).tally;
    const harness::RequirePlan& require = tally.plan().require;
    const harness::Failures failures = tally.all_failures()[0];
    std::vector<Condition> out;
    add_condition(out, "crashes and stalls", failures.crashes + failures.stalls, require.crashes);
    add_condition(out, "losses on time", failures.time_losses, require.time_losses);
    add_condition(out, "illegal moves", failures.illegal_moves, require.illegal_moves);
    if (const auto* const speed = harness::speed_of_match(view.run.findings, match)) {
        out.push_back({plot::with_minus("speed " + harness::speed_text(*speed)),
                       speed->state == harness::SpeedFinding::State::Holds,
                       speed->state == harness::SpeedFinding::State::Undecided});
    }
    return out;
}

void add_gate_part(Values& page, const RunView& view) {
    const harness::Outcome outcome = outcome_of(view);
    if (!is_gate(view.run) || outcome.word == harness::OutcomeWord::None) return;
    std::vector<Values>& parts = page.lists["parts"];
    parts.insert(parts.begin(), gate_part(outcome));
}

void add_verdict(Values& page, const RunView& view, const std::vector<MatchPage>& matches) {
    std::vector<Values>& parts = page.lists["parts"];
    const harness::Outcome outcome = outcome_of(view);
    add_gate_part(page, view);
    page.set("headline", headline_of(view, outcome, matches));
    if (matches.empty()) {
        if (view.suite != nullptr) parts.push_back(suite_part(view));
        page.lists["figures"] = {};
        return;
    }
    for (const MatchPage& match : matches) {
        std::string what = matches.size() > 1 ? match_name(match) : "match";
        what.front() = 'M';
        parts.push_back(
            part(std::move(what), mark_of(view, match.tally()), match_sentence(view, match)));
        if (match.tally().is_tainted())
            link(parts.back(), "failures" + match.suffix, "the failures");
    }
    parts.push_back(conditions_part(view, matches));
    if (view.suite != nullptr) parts.push_back(suite_part(view));
    page.lists["figures"] = key_figures(view, outcome, matches);
    page.show("figures_titled", matches.size() > 1);
    if (matches.size() > 1)
        page.lists["figures_titled"][0].set(
            "title", "Key figures of " + match_name(deciding(outcome, matches)));
}

}  // namespace assay::reports::web
