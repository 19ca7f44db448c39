#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/protocols.h"
#include "rules/make_game.h"

using assay::SteadyClock;
using assay::adapters::check_program;
using assay::adapters::ComplianceReport;
using assay::adapters::ComplianceStep;
using assay::adapters::ProgramSpec;
using assay::adapters::StepState;

namespace {

ComplianceReport player_report(std::vector<std::string> argv,
                               std::vector<std::pair<std::string, std::string>> options = {}) {
    ProgramSpec spec;
    spec.name = argv.front();
    spec.argv = std::move(argv);
    spec.protocol = "json";
    spec.options = std::move(options);
    const SteadyClock clock;
    return check_program(spec, *assay::rules::make_game(spec.game), {}, clock, {});
}

ComplianceStep player_step(const ComplianceReport& report, const std::string& name) {
    const auto found = std::find_if(report.steps.begin(), report.steps.end(),
                                    [&name](const auto& step) { return step.name == name; });
    return found == report.steps.end() ? ComplianceStep{"missing", StepState::Skipped, {}} : *found;
}

const std::string kPlayer = ASSAY_BINARY_DIR "/tests/engines/json_player";

}  // namespace

TEST_CASE("Player check: a JSON-lines program passes all steps that its protocol has") {
    const ComplianceReport report = player_report({kPlayer});
    for (const ComplianceStep& step : report.steps) {
        CAPTURE(step.name);
        CAPTURE(step.text);
        CHECK((step.state == StepState::Ok || step.state == StepState::Note));
    }
    CHECK(report.steps.size() == 15);
    CHECK(report.passed());
    CHECK(report.identity.name == "assay json player");
}

TEST_CASE("Player check: what is wrong is said at its step, and the rest is checked all the same") {
    const ComplianceReport resigns = player_report({kPlayer}, {{"ResignAt", "1"}});
    CHECK(player_step(resigns, "depth").text == "expected a legal move; it resigned");
    CHECK(player_step(resigns, "quit").state == StepState::Ok);
    CHECK_FALSE(resigns.passed());
    const ComplianceReport noisy = player_report({kPlayer}, {{"Noise", "true"}});
    CHECK(player_step(noisy, "lines").state == StepState::Warning);
    CHECK(noisy.passed());
    const ComplianceReport silent = player_report({"/bin/true"});
    CHECK(player_step(silent, "start").state == StepState::Fail);
    CHECK(player_step(silent, "quit").text == "not reached: it never became ready");
    CHECK(player_report({"/no/such/program"}).start_failure ==
          "/no/such/program: No such file or directory");
}

TEST_CASE("Player check: a program of another game is checked by the rules of that game") {
    const auto game = assay::rules::make_game(
        assay::rules::find_game(ASSAY_SOURCE_DIR "/rules/multigame/programs/connect4.mg"));
    ProgramSpec spec;
    spec.name = "gameplayer";
    spec.argv = {ASSAY_BINARY_DIR "/engines/gameplayer",
                 ASSAY_SOURCE_DIR "/rules/multigame/programs/connect4.mg"};
    spec.game = game->name();
    const SteadyClock clock;
    const ComplianceReport report = check_program(spec, *game, {}, clock, {});
    for (const ComplianceStep& step : report.steps) {
        CAPTURE(step.name);
        CAPTURE(step.text);
        CHECK(step.state != StepState::Fail);
    }
    CHECK(player_step(report, "start").text == "ready for a game of connect4");
    CHECK(player_step(report, "long-game").state == StepState::Ok);
}
