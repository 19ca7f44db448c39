#include "configs/dropin/result_file.h"

#include <doctest/doctest.h>

#include "configs/dropin/fastchess_flags.h"
#include "configs/dropin/runner_plan.h"
#include "tests/configs/dropin/parsing.h"

using namespace assay::configs::dropin;  // NOLINT(google-build-using-namespace): what is tested
using assay::test::small_machine;
using assay::test::words_of;

namespace {

const std::string kTwoWithBook =
    "-engine cmd=a -engine cmd=b -each nodes=1 -openings file=book.epd ";

RunnerSettings told_settings(const std::string& line) {
    const ParsedCommand command = parse_fastchess(words_of(line), small_machine());
    REQUIRE_MESSAGE(command.kind == ParsedCommand::Kind::Play, command.text);
    return command.settings;
}

}  // namespace

TEST_CASE("Result file: it gives back the settings and the results") {
    RunnerSettings settings = told_settings(
        kTwoWithBook +
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=logistic -draw movenumber=30 "
        "movecount=4 score=5 -pgnout file=x.pgn nodes=true match_line=abc -testEnv -strict "
        "-srand 7 -maxmoves 90");
    ResultCounts results;
    results.add_pair(2, 2);
    results.add_pair(1, 1);
    results.add_pair(0, 1);
    const std::string text =
        result_file_text(settings, {{0, 1, results}}, {"/x/assay.db", "fastchess …"});
    CHECK(text.find("    \"a vs b\": {\n            \"wins\": 2,") != std::string::npos);
    const RunnerSettings read = read_result_file(text, "config.json");
    CHECK(read.earlier == results);
    CHECK(read.earlier_store == "/x/assay.db");
    CHECK(read.seed == 7);
    CHECK(read.sprt.model == "logistic");
    CHECK(read.draw.move_count == 4);
    CHECK(read.pgn.nodes);
    CHECK(read.pgn.match_lines == std::vector<std::string>{"abc"});
    CHECK(read.most_moves == 90);
    CHECK(read.is_test);
    CHECK(read.is_strict);
    CHECK(plan_hash(runner_plan(
              [&] {
                  RunnerSettings whole = read;
                  whole.earlier = {};
                  return whole;
              }(),
              small_machine(), "/here")) ==
          plan_hash(runner_plan(settings, small_machine(), "/here")));

    // What is left of the match goes on where the results end.
    const auto rest = runner_plan(read, small_machine(), "/here");
    CHECK(rest.matches[0].runner.games_before == 6);
    CHECK(rest.matches[0].openings.start == 4);
}

TEST_CASE("Result file: of more than two engines it has a line a couple, and the kind") {
    RunnerSettings settings = told_settings(
        "-engine cmd=a name=A -engine cmd=b name=B -engine cmd=c name=C -each nodes=1 -openings "
        "file=book.epd -tournament gauntlet -seeds 2 -srand 7");
    ResultCounts first;
    first.add_pair(2, 2);
    ResultCounts second;
    second.add_pair(1, 0);
    const std::string text =
        result_file_text(settings, {{0, 1, first}, {1, 2, second}}, {"/x/assay.db", "fastchess"});
    CHECK(text.find("\"A vs B\": {") != std::string::npos);
    CHECK(text.find("\"B vs C\": {") != std::string::npos);
    CHECK(text.find("\"A vs C\": {") == std::string::npos);
    const RunnerSettings read = read_result_file(text, "config.json");
    CHECK(read.engines.size() == 3);
    CHECK(read.tournament == RunnerSettings::Tournament::Gauntlet);
    CHECK(read.seeds == 2);
    CHECK(read.earlier == ResultCounts{});
    CHECK(read.earlier_store == "/x/assay.db");
    CHECK(plan_hash(runner_plan(read, small_machine(), "/here")) ==
          plan_hash(runner_plan(settings, small_machine(), "/here")));
}
