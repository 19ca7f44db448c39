#include "reports/files/junit.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"
#include "harness/build/bench_run.h"
#include "reports/text/suite_text.h"
#include "reports/text/tournament_report.h"
#include "reports/text/tournament_words.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

using harness::Verdict;

enum class Kind { Passed, Failure, Error, Skipped };

struct Case {
    std::string name;
    Kind kind = Kind::Passed;
    std::string message;  // one line
    std::string text;     // the figures
    double seconds = 0;
};

struct Suite {
    std::string name;
    std::string class_name;
    std::vector<Case> cases;

    [[nodiscard]] std::size_t count(Kind kind) const {
        std::size_t found = 0;
        for (const Case& one : cases) found += one.kind == kind ? 1 : 0;
        return found;
    }

    [[nodiscard]] double seconds() const {
        double sum = 0;
        for (const Case& one : cases) sum += one.seconds;
        return sum;
    }
};

std::string figures_text(const MatchView& match) {
    const harness::MatchTally& tally = *match.tally;
    const Figures figures = figures_of(tally);
    const KindOfEstimate quoted = estimates_of(tally).quoted;
    std::string text = "Elo " + estimate_text(quoted.elo);
    if (quoted.has_nelo()) text += "\nnElo " + estimate_text(quoted.nelo);
    if (quoted.kind != EstimateKind::Fixed)
        text += fmt::format("\nestimate: {}", words_of(quoted.kind));
    text += fmt::format("\ngames {}: W {} D {} L {}\npairs: LL {} LD {} DD+WL {} WD {} WW {}\n",
                        tally.games(), tally.wdl().wins, tally.wdl().draws, tally.wdl().losses,
                        tally.pentanomial()[0], tally.pentanomial()[1], tally.pentanomial()[2],
                        tally.pentanomial()[3], tally.pentanomial()[4]);
    if (tally.pairs() > 0 && !is_cut_short(tally)) {
        text += fmt::format("trinomial test {}, sign-flip test {}\n",
                            p_value(figures.trinomial.p_value), p_value(figures.sign_flip.p_value));
    }
    const auto test = test_state(tally);
    const auto bounds = test ? bounds_of(*test) : std::nullopt;
    if (bounds && test->llr) {
        text += fmt::format("{}: LLR {:+.2f} in [{:.2f}, {:+.2f}]\n", rule_words(test->rule),
                            *test->llr, bounds->lower, bounds->upper);
    }
    return text;
}

bool is_odd_control(const RunView& view, const MatchView& match) {
    return match.tally->plan().is_control && !view.run.findings.control.empty();
}

Kind kind_of(const RunView& view, const MatchView& match) {
    const harness::MatchTally& tally = *match.tally;
    if (tally.is_voided_too_often()) return Kind::Error;
    if (is_odd_control(view, match)) return Kind::Skipped;
    if (tally.is_tainted()) return Kind::Skipped;
    switch (tally.verdict()) {
        case Verdict::Accepted:
            return Kind::Passed;
        case Verdict::Rejected:
            return Kind::Failure;
        case Verdict::Inconclusive:
            return view.run.state == harness::RunState::Failed ? Kind::Error : Kind::Skipped;
        case Verdict::None:
            break;
    }
    if (view.run.state == harness::RunState::Failed) return Kind::Error;
    return is_undecided(view, match) ? Kind::Skipped : Kind::Passed;
}

Case verdict_case(const RunView& view, const MatchView& match) {
    const harness::MatchTally& tally = *match.tally;
    Case verdict;
    verdict.name = fmt::format("verdict: {} against {}", program_name(view.run, tally.plan(), 0),
                               program_name(view.run, tally.plan(), 1));
    verdict.kind = kind_of(view, match);
    verdict.message = verdict_sentence(view, match);
    if (is_unplayed(tally) && view.run.state != harness::RunState::Failed) {
        verdict.kind = Kind::Skipped;
        verdict.message = unplayed_reason(view, match);
    }
    if (view.run.state == harness::RunState::Failed && verdict.kind == Kind::Error &&
        !tally.is_voided_too_often()) {
        verdict.message = fmt::format("{}: {}", end_word(view), view.run.end_reason);
        // The failure of the first program is a finding about it, not an error of the machine.
        if (outcome_of(view).reason == harness::OutcomeReason::FirstProgram)
            verdict.kind = Kind::Failure;
    }
    if (verdict.message.empty() && is_odd_control(view, match))
        verdict.message = view.run.findings.control;
    if (verdict.message.empty()) verdict.message = undecided_reason(view, match);
    verdict.text = figures_text(match);
    verdict.seconds = static_cast<double>(tally.meters().wall_us) / 1e6;
    return verdict;
}

void add_limit(const RunView& view, const MatchView& match, std::string_view one,
               std::string_view what, std::int64_t seen, const std::optional<std::int64_t>& most,
               Suite& suite) {
    if (!most) return;
    Case limit;
    const std::string& program = program_name(view.run, match.tally->plan(), 0);
    limit.name = fmt::format("{} of {}", what, program);
    limit.kind = seen > *most ? Kind::Failure : Kind::Passed;
    limit.message = fmt::format("{}: {}, at most {} allowed", program, grouped(seen, one, what),
                                grouped(*most));
    if (limit.kind == Kind::Passed && match.tally->games() == 0 && seen == 0) {
        limit.kind = Kind::Skipped;
        limit.message = "no game is over yet";
    }
    for (const FailedGame& game : match.failed) {
        if (game.program != program || limit.text.size() > 4000) continue;
        limit.text += fmt::format("game {}, ply {}: {}\n  again: {}\n", game.number, game.ply,
                                  shortened(game.reason, 300),
                                  replay_command(view.run, game, view.store_path));
    }
    suite.cases.push_back(std::move(limit));
}

void add_speed(const RunView& view, std::size_t index, Suite& suite) {
    const harness::SpeedFinding* const speed = harness::speed_of_match(view.run.findings, index);
    if (speed == nullptr) return;
    Case limit;
    const std::string& program = program_name(view.run, view.matches[index].tally->plan(), 0);
    limit.name = fmt::format("speed of {}", program);
    limit.kind = speed->state == harness::SpeedFinding::State::Holds    ? Kind::Passed
                 : speed->state == harness::SpeedFinding::State::Broken ? Kind::Failure
                                                                        : Kind::Skipped;
    limit.message = fmt::format("{}: speed {} after {} runs of each benchmark", program,
                                harness::speed_text(*speed), speed->pairs);
    suite.cases.push_back(std::move(limit));
}

Suite suite_of(const RunView& view, std::size_t index) {
    const MatchView& match = view.matches[index];
    const harness::MatchPlan& plan = match.tally->plan();
    const harness::Failures failures = match.tally->all_failures()[0];
    Suite suite;
    suite.name = view.run.name;
    // The name alone would not be unique where several matches have none.
    if (view.matches.size() > 1)
        suite.name += fmt::format(".{}{}{}", index + 1, plan.name.empty() ? "" : ".", plan.name);
    suite.class_name = "assay." + suite.name;
    suite.cases.push_back(verdict_case(view, match));
    if (is_unplayed(*match.tally)) return suite;
    add_speed(view, index, suite);
    add_limit(view, match, "crash or stall", "crashes or stalls",
              failures.crashes + failures.stalls, plan.require.crashes, suite);
    add_limit(view, match, "loss on time", "losses on time", failures.time_losses,
              plan.require.time_losses, suite);
    add_limit(view, match, "illegal move", "illegal moves", failures.illegal_moves,
              plan.require.illegal_moves, suite);
    return suite;
}

Kind kind_of(harness::Holds holds) {
    switch (holds) {
        case harness::Holds::No:
            return Kind::Failure;
        case harness::Holds::Unknown:
            return Kind::Skipped;
        case harness::Holds::Yes:
        case harness::Holds::Report:
            break;
    }
    return Kind::Passed;
}

std::string expectation_text(const RunView& view, const harness::ExpectationResult& result) {
    const harness::SuitePlan& plan = *view.run.plan.suite;
    const bool is_query = result.measure == harness::SuiteMeasure::Query;
    std::string text =
        (is_query ? plan.expectations[result.expectation].query : expectation_query(view, result)) +
        "\n";
    for (const harness::PositionFigures& figures : result.positions) {
        if (text.size() > 4000) break;
        text +=
            fmt::format("position {}: {}{}{}\n", plan.positions[figures.position].id,
                        figures.before ? figure_text(result, figures.before) + " -> " : "",
                        figure_text(result, figures.after), figures.is_breach ? " (breach)" : "");
    }
    for (const std::size_t position : result.shown) {
        const auto* const nodes = view.suite->nodes(result, position);
        if (nodes == nullptr || text.size() > 6000) continue;
        for (const harness::FoundNode& node : *nodes)
            text +=
                fmt::format("position {}, node {}, size {}: {} {}\n", plan.positions[position].id,
                            node.id, node.size, shortened(node.path, 200), node.position);
    }
    if (!result.shown.empty() && is_query)
        text += "again: " + query_command(view, result, result.shown.front()) + "\n";
    return text;
}

/// Searches that failed are one case: a program that does not search is an error of the build.
Case searches_case(const RunView& view) {
    Case all;
    all.name = "searches";
    std::size_t failed = 0;
    for (const harness::SearchRecord& search : view.suite->searches) {
        all.seconds += static_cast<double>(search.used_us) / 1e6;
        if (!search.is_failure()) continue;
        ++failed;
        if (all.text.size() < 4000)
            all.text +=
                fmt::format("{} at position {}: {}: {}\n", suite_program(view, search.program),
                            view.run.plan.suite->positions[search.position].id,
                            harness::name_of(search.end), shortened(search.reason, 300));
    }
    if (failed > 0) all.kind = Kind::Error;
    all.message = fmt::format("{} of {} searches are done, {} failed", view.suite->searches.size(),
                              view.suite->planned, failed);
    return all;
}

Suite suite_of_positions(const RunView& view) {
    Suite suite;
    suite.name = view.run.name + ".suite";
    suite.class_name = "assay." + suite.name;
    suite.cases.push_back(searches_case(view));
    for (const harness::ExpectationResult& result : view.suite->expectations) {
        Case one;
        one.name = "expectation: " + expectation_name(view, result);
        one.kind = kind_of(result.holds);
        one.message =
            result.reason.empty() ? std::string(harness::name_of(result.holds)) : result.reason;
        one.text = expectation_text(view, result);
        suite.cases.push_back(std::move(one));
    }
    return suite;
}

Case case_of(const harness::ConditionResult& condition) {
    Case one;
    const std::string text = harness::text_of(condition);
    const harness::TournamentCondition& asked = condition.condition;
    one.name =
        "condition: " + (asked.is_of_failures()
                             ? fmt::format("{} of {}", harness::name_of(asked.kind), asked.program)
                             : text.substr(0, text.rfind(": ")));
    one.kind = condition.state == harness::ConditionState::Holds    ? Kind::Passed
               : condition.state == harness::ConditionState::Broken ? Kind::Failure
                                                                    : Kind::Skipped;
    one.message = fmt::format("{}: {}", harness::name_of(condition.state), text);
    return one;
}

/// How far the tournament is, a case a condition, and a case a program with its place. A program
/// that crashed or hung fails its case; time losses and illegal moves cost games, and are told in
/// it.
Suite suite_of_tournament(const RunView& view) {
    const TournamentView& tournament = *view.tournament;
    Suite suite;
    suite.name = view.run.name;
    suite.class_name = "assay." + suite.name;
    Case whole;
    whole.name = "tournament";
    if (view.run.state == harness::RunState::Failed) {
        whole.kind = Kind::Error;
        whole.message = fmt::format("{}: {}", end_word(view), view.run.end_reason);
    } else {
        whole.kind = tournament.is_complete() ? Kind::Passed : Kind::Skipped;
        whole.message =
            fmt::format("{}. {}", progress_text(tournament), leader_sentence(tournament));
    }
    whole.text = tournament_report(tournament, {});
    if (view.run.ended_us > view.run.started_us)
        whole.seconds = static_cast<double>(view.run.ended_us - view.run.started_us) / 1e6;
    suite.cases.push_back(std::move(whole));
    if (tournament.judged && view.run.state == harness::RunState::Finished)
        for (const harness::ConditionResult& condition : tournament.judged->conditions)
            suite.cases.push_back(case_of(condition));
    for (const TournamentRow& row : tournament.rows) {
        Case one;
        one.name = row.name;
        one.kind = row.failures.crashes + row.failures.stalls > 0 ? Kind::Failure : Kind::Passed;
        one.message = fmt::format(
            "rank {}, {} of {}, {}", row.standing.rank, score_text(row.standing.half_points),
            counted(row.standing.possible_points(), "point"),
            row.failures.total() > 0 ? failures_text(row.failures) : std::string("no failure"));
        if (row.rating)
            one.text = fmt::format("Elo {} {}\n", signed_number(row.rating->elo, 1),
                                   interval_text(row.rating->simultaneous95, 0));
        suite.cases.push_back(std::move(one));
    }
    return suite;
}

std::string counts(std::size_t tests, std::size_t failures, std::size_t errors, std::size_t skipped,
                   double seconds) {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                       failures, errors, skipped, seconds);
}

std::string_view element_name(Kind kind) {
    return enum_names<Kind>("", "failure", "error", "skipped").of(kind);
}

/// At most one system-out a case: GitLab's reader fails at two.
std::string elements(const Case& one, const std::string& attachments) {
    const std::string body = xml_lines(one.message + "\n" + one.text);
    const std::string message = xml(first_line(one.message));
    const std::string_view name = element_name(one.kind);
    std::string out = attachments;
    if (name.empty()) {
        out = body + out;
    } else if (!out.empty()) {
        out = "\n" + out;
    }
    std::string text;
    if (!name.empty())
        text = fmt::format("      <{} message=\"{}\">{}</{}>\n", name, message, body, name);
    if (!out.empty()) text += fmt::format("      <system-out>{}</system-out>\n", out);
    return text;
}

/// The outcome of a gate that has ended.
std::string properties_of(const RunView& view) {
    const harness::Outcome outcome = outcome_of(view);
    if (!is_gate(view.run) || outcome.word == harness::OutcomeWord::None) return "";
    const auto property = [](std::string_view name, std::string_view value) {
        return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
    };
    std::string out = "    <properties>\n" + property("outcome", harness::name_of(outcome.word)) +
                      property("outcome_reason", harness::name_of(outcome.reason));
    if (outcome.exit_code) out += property("exit_code", fmt::format("{}", *outcome.exit_code));
    return out + "    </properties>\n";
}

/// `attachments`: lines for the first case and for those that did not pass. `properties`: an
/// element that stands before the cases.
std::string text_of(const Suite& suite, const std::string& attachments = "",
                    const std::string& properties = "") {
    std::string out =
        fmt::format("  <testsuite name=\"{}\" {}>\n", xml(suite.name),
                    counts(suite.cases.size(), suite.count(Kind::Failure), suite.count(Kind::Error),
                           suite.count(Kind::Skipped), suite.seconds()));
    out += properties;
    for (const Case& one : suite.cases) {
        out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n",
                           xml(suite.class_name), xml(one.name), one.seconds);
        const bool has_attachments = &one == &suite.cases.front() || one.kind != Kind::Passed;
        out += elements(one, has_attachments ? attachments : "") + "    </testcase>\n";
    }
    return out + "  </testsuite>\n";
}

std::string document(const std::string& figures, const std::string& suites) {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\" {}>\n{}"
        "</testsuites>\n",
        figures, suites);
}

/// A suite with a single case, for a gate without a run.
Suite gate_suite(Kind kind, const std::string& text) {
    Case only;
    only.name = "gate";
    only.kind = kind;
    only.message = shortened(text.substr(0, text.find('\n')), 300);
    only.text = shortened(text, 10'000);
    Suite suite;
    suite.name = "gate";
    suite.class_name = "assay.gate";
    suite.cases.push_back(std::move(only));
    return suite;
}

}  // namespace

std::string junit_error(const std::string& text) {
    return document(counts(1, 0, 1, 0, 0), text_of(gate_suite(Kind::Error, text)));
}

std::string junit_skipped(const std::string& reason) {
    return document(counts(1, 0, 0, 1, 0), text_of(gate_suite(Kind::Skipped, reason)));
}

std::string junit_report(const RunView& view, const std::vector<std::string>& attachments) {
    std::string files;
    for (const std::string& path : attachments)
        files += fmt::format("[[ATTACHMENT|{}]]\n", xml(path));
    std::string body;
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
    double seconds = 0;
    std::string properties = properties_of(view);
    const auto add = [&](const Suite& suite) {
        // The run's outcome stands in its first suite.
        body += text_of(suite, files, std::exchange(properties, ""));
        tests += suite.cases.size();
        failures += suite.count(Kind::Failure);
        errors += suite.count(Kind::Error);
        skipped += suite.count(Kind::Skipped);
        seconds += suite.seconds();
    };
    if (view.tournament != nullptr) add(suite_of_tournament(view));
    for (std::size_t i = 0; i < view.matches.size() && view.tournament == nullptr; ++i)
        add(suite_of(view, i));
    if (view.suite != nullptr) add(suite_of_positions(view));
    return document(counts(tests, failures, errors, skipped, seconds), body);
}

}  // namespace assay::reports
