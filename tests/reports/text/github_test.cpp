#include "reports/text/github.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::reports;

namespace {

harness::RunRecord gate_run() {
    harness::RunRecord run = test::report_run();
    run.findings.is_gate = true;
    run.plan.matches[0].pairs = 400;
    run.plan.matches[0].stop.rule = harness::StopPlan::Rule::Capped;
    return run;
}

}  // namespace

TEST_CASE("GitHub: one annotation says why, on one line, and none where the gate passes") {
    const harness::RunRecord run = gate_run();
    harness::MatchTally tally(run.plan.matches[0]);
    while (tally.verdict() == harness::Verdict::None) test::add_pairs(tally, {2, 5, 6, 3, 1});
    const RunView view{run, {{&tally, {}}}, {}, "assay.db"};
    CHECK(github_annotation(view, 0).empty());
    CHECK(github_annotation(view, 143).empty());
    const std::string text = github_annotation(view, 1);
    CHECK(text.starts_with("::error title=assay gate%3A rejected::rejected: move-chains is worse"));
    CHECK(std::ranges::count(text, '\n') == 1);
    CHECK(text.ends_with(" assay report 12 shows more.\n"));
    CHECK(github_annotation(view, 3).starts_with("::warning "));
    CHECK(github_annotation(view, 4).starts_with("::error title=assay gate%3A no verdict::"));
}

TEST_CASE("GitHub: what others write cannot end an annotation or begin another") {
    harness::RunRecord run = gate_run();
    run.end_reason = "x\n::error::y\r%0A";
    harness::MatchTally tally(run.plan.matches[0]);
    const RunView view{run, {{&tally, {}}}, {}, "assay.db"};
    const std::string text = github_annotation(view, 4);
    CHECK(std::ranges::count(text, '\n') == 1);
    CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("GitHub: a wrong config is annotated at its lines, ten at most") {
    std::vector<Diagnostic> wrong;
    for (std::size_t line = 1; line <= 12; ++line) {
        Diagnostic one;
        one.path = "gate.yaml";
        one.line = line;
        one.column = 3;
        one.message = "unknown key 'rounds'";
        wrong.push_back(one);
    }
    const std::string text = github_annotations(SyntaxError(wrong));
    CHECK(text.starts_with("::error file=gate.yaml,line=1,col=3::unknown key 'rounds'\n"));
    CHECK(std::ranges::count(text, '\n') == 10);
}

TEST_CASE("GitHub: a wrong flag is annotated without a file") {
    Diagnostic one;
    one.path = "<command line>";
    one.line = 1;
    one.column = 7;
    one.message = "unknown key 'match.pears'; did you mean 'pairs'?";
    CHECK(github_annotations(SyntaxError({one})) ==
          "::error title=command line::unknown key 'match.pears'; did you mean 'pairs'?\n");
}

TEST_CASE("GitHub: outputs are plain words and numbers, empty where there is none") {
    const harness::RunRecord run = gate_run();
    harness::MatchTally tally(run.plan.matches[0]);
    const RunView view{run, {{&tally, {}}}, {}, "assay.db"};
    CHECK(
        github_outputs(view, 4) ==
        "exit_code=4\nrun=12\nverdict=\ntainted=false\noutcome=no verdict\npairs=0\nelo=\nelo_low=\nelo_high=\nnelo="
        "\nllr=\nestimate=fixed\n");
    test::add_pairs(tally, {4, 9, 18, 12, 7});
    const std::string text = github_outputs(view, 3);
    CHECK(text.find("\npairs=50\n") != std::string::npos);
    CHECK(text.find("\nelo=3") != std::string::npos);
}
