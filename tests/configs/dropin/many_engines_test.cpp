// Command lines of both runners with more than two engines, and what is planned for them.
#include <doctest/doctest.h>

#include "configs/dropin/cutechess_flags.h"
#include "configs/dropin/fastchess_flags.h"
#include "configs/dropin/runner_plan.h"
#include "harness/plan/time_control.h"
#include "tests/configs/dropin/parsing.h"

using namespace assay::configs::dropin;  // NOLINT(google-build-using-namespace): what is tested
using assay::harness::OpeningPolicy;
using assay::harness::PairingOrder;
using assay::harness::TournamentKind;
using assay::harness::TournamentPlan;
using assay::test::CommandLine;
using assay::test::small_machine;
using assay::test::words_of;

namespace {

const std::string kThreeFast =
    "-engine cmd=a name=A -engine cmd=b name=B -engine cmd=c name=C -each tc=1 -openings "
    "file=book.epd ";
const std::string kThreeCute =
    "-engine cmd=a name=A -engine cmd=b name=B -engine cmd=c name=C -each tc=1 proto=uci ";

const std::vector<CommandLine> kManyFastLines{
    {kThreeFast, 0, ""},
    {kThreeFast + "-tournament roundrobin", 0, ""},
    {kThreeFast + "-tournament gauntlet", 0, ""},
    {kThreeFast + "-tournament gauntlet -seeds 2", 0, ""},
    {kThreeFast + "-tournament gauntlet -seeds 9", 0, ""},
    {kThreeFast + "-seeds two", 1, "Error while reading option \"-seeds\" with value \"two\""},
    {kThreeFast + "-seeds", 1, "Error while reading option \"-seeds\" with value \"-seeds\""},
    {kThreeFast + "-tournament round-robin", 1,
     "Error while reading option \"-tournament\" with value \"round-robin\""},
    {kThreeFast + "-tournament pyramid", 1,
     "Error while reading option \"-tournament\" with value \"pyramid\""},
    {kThreeFast + "-tournament", 1,
     "Error while reading option \"-tournament\" with value \"-tournament\""},
    {kThreeFast + "-rounds 3 -games 2 -repeat", 0, ""},
    {kThreeFast + "-rounds 3 -games 1", 0, ""},
    {kThreeFast + "-rounds 1 -games 2 -noswap -reverse", 0, ""},
    {kThreeFast + "-openings policy=round", 0, ""},
    {kThreeFast + "-ratinginterval 3 -scoreinterval 2 -output format=cutechess", 0, ""},
    {kThreeFast + "-variant fischerandom -srand 7", 0, ""},
    {"-engine cmd=a tc=1 -engine cmd=b tc=2+1 -engine cmd=c st=0.1 -openings file=book.epd", 0, ""},
    {"-engine cmd=a tc=1 -engine cmd=b tc=1 -engine cmd=c -openings file=book.epd", 1,
     "Error; no TimeControl specified!"},
    {kThreeFast + "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05", 1,
     "Error: -sprt with more than two engines is not available in assay: play the two that it is "
     "about in a match of their own"},
};

const std::vector<CommandLine> kManyCuteLines{
    {kThreeCute, 0, ""},
    {kThreeCute + "-tournament round-robin -games 2 -rounds 2", 0, ""},
    {kThreeCute + "-tournament gauntlet", 0, ""},
    {kThreeCute + "-tournament knockout -seeds 2", 0, ""},
    {kThreeCute + "-tournament pyramid -games 3", 0, ""},
    {kThreeCute + "-tournament roundrobin", 1, "Warning: Invalid tournament type: roundrobin"},
    {kThreeCute + "-tournament knockout -rounds 2", 1,
     "Warning: Tournament \"knockout\" does not support user-defined round multipliers"},
    {kThreeCute + "-seeds x", 1, "Warning: Invalid value for option \"-seeds\": \"x\""},
    {kThreeCute + "-games 4 -repeat 4", 0, ""},
    {kThreeCute + "-games 4 -repeat 3", 0,
     "Warning: 3 opening repetitions vs 4 games per encounter"},
    {kThreeCute + "-debug", 0, ""},
    {kThreeCute + "-debug all", 0, ""},
    {kThreeCute + "-debug some", 1, "Warning: Invalid value for option \"-debug\": \"some\""},
    {kThreeCute + "-resultformat wide", 0, ""},
    {kThreeCute + "-resultformat Rank,Name,Elo", 0, ""},
    {kThreeCute + "-openings file=book.pgn policy=round", 0, ""},
    {kThreeCute + "-openings file=book.pgn policy=encounter", 0, ""},
    {kThreeCute + "-openings file=book.pgn policy=keep", 1,
     "Warning: Invalid opening shift policy: \"keep\""},
    {kThreeCute + "-openings file=book.pgn policy=none", 1,
     "Warning: Invalid opening shift policy: \"none\""},
    {kThreeCute + "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05", 1,
     "Warning: -sprt with more than two engines is not available in assay: play the two that it is "
     "about in a match of their own"},
    {"-engine cmd=a ponder -engine cmd=b -engine cmd=c -each tc=1 proto=uci", 1,
     "Warning: ponder of some engines alone is not available in assay: give it with -each"},
};

TournamentPlan planned(const ParsedCommand& command) {
    REQUIRE_MESSAGE(command.kind == ParsedCommand::Kind::Play, command.text);
    const auto plan = runner_plan(command.settings, small_machine(), "/here");
    REQUIRE(plan.tournament);
    return *plan.tournament;
}

TournamentPlan fast_plan(const std::string& line) {
    return planned(parse_fastchess(words_of(line), small_machine()));
}

TournamentPlan cute_plan(const std::string& line) {
    return planned(parse_cutechess(words_of(line), small_machine()));
}

}  // namespace

TEST_CASE("Many engines: command lines of fastchess end as they do there") {
    for (const CommandLine& expected : kManyFastLines) {
        const ParsedCommand command = parse_fastchess(words_of(expected.line), small_machine());
        CHECK_MESSAGE(assay::test::exit_code(command) == expected.code, expected.line);
        CHECK_MESSAGE(assay::test::first_line(command) == expected.first, expected.line);
    }
}

TEST_CASE("Many engines: command lines of cutechess-cli end as they do there") {
    for (const CommandLine& expected : kManyCuteLines) {
        const ParsedCommand command = parse_cutechess(words_of(expected.line), small_machine());
        CHECK_MESSAGE(assay::test::exit_code(command) == expected.code, expected.line);
        CHECK_MESSAGE(assay::test::first_line(command) == expected.first, expected.line);
    }
}

TEST_CASE("Many engines: fastchess's flags become a tournament in its order") {
    const TournamentPlan plan = fast_plan(kThreeFast + "-tournament gauntlet -seeds 2 -rounds 5");
    CHECK(plan.order == PairingOrder::Fastchess);
    CHECK(plan.kind == TournamentKind::Gauntlet);
    CHECK(plan.seeds == 2);
    CHECK(plan.rounds == 5);
    CHECK(plan.games == 2);
    CHECK(plan.openings == 1);
    CHECK(fast_plan(kThreeFast + "-tournament gauntlet -seeds 9").seeds == 2);
    const TournamentPlan single = fast_plan(kThreeFast + "-games 1 -rounds 4");
    CHECK(single.games == 1);
    CHECK(single.rounds == 4);
}

TEST_CASE("Many engines: each engine has the limit that it was given") {
    const TournamentPlan plan = fast_plan(
        "-engine cmd=a tc=1 -engine cmd=b tc=2+1 -engine cmd=c st=0.1 -openings file=book.epd");
    REQUIRE(plan.time.size() == 3);
    CHECK(to_text(plan.time[0]) == "1");
    CHECK(to_text(plan.time[1]) == "2+1");
    CHECK(plan.time[2].move_time == std::chrono::milliseconds(100));
}

TEST_CASE("Many engines: cutechess-cli's flags become a tournament in its order") {
    const TournamentPlan plan =
        cute_plan(kThreeCute + "-games 4 -rounds 2 -repeat -openings file=book.pgn policy=round");
    CHECK(plan.order == PairingOrder::Cutechess);
    CHECK(plan.kind == TournamentKind::RoundRobin);
    CHECK(plan.games == 2);
    CHECK(plan.openings == 2);
    CHECK(plan.rounds == 2);
    CHECK(plan.policy == OpeningPolicy::Round);
    CHECK(cute_plan(kThreeCute + "-games 3").games == 1);
    CHECK(cute_plan(kThreeCute + "-games 3").openings == 3);
    CHECK(cute_plan(kThreeCute + "-games 4 -repeat 4").games_an_opening == 4);
    const TournamentPlan knockout =
        cute_plan(kThreeCute + "-tournament knockout -games 4 -seeds 1");
    CHECK(knockout.kind == TournamentKind::Knockout);
    CHECK(knockout.games_an_encounter == 4);
    CHECK(knockout.seeds == 1);
}
