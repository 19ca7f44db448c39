#include "configs/dropin/cutechess_flags.h"

#include <doctest/doctest.h>

#include "configs/dropin/runner_plan.h"
#include "tests/configs/dropin/parsing.h"

using namespace assay::configs::dropin;  // NOLINT(google-build-using-namespace): what is tested
using assay::test::CommandLine;
using assay::test::small_machine;
using assay::test::words_of;

namespace {

const std::string kTwoCute =
    "-engine cmd=a name=A proto=uci -engine cmd=b name=B proto=uci -each tc=1 ";

ParsedCommand cute_parsed(const std::string& line) {
    return parse_cutechess(words_of(line), small_machine());
}

const std::vector<CommandLine> kCuteLines{
    {"-version", 0, "fastchess alpha 1.8.2 (assay 0.1.0)"},
    {"-v", 0, "fastchess alpha 1.8.2 (assay 0.1.0)"},
    {"-nonsense --version", 0, "fastchess alpha 1.8.2 (assay 0.1.0)"},
    {"-help", 0, "assay with the command line of cutechess-cli"},
    {kTwoCute + "--help", 0, "assay with the command line of cutechess-cli"},
    {"-engines", 0, "Known"},
    {"", 1, "Warning: At least two engines are needed"},
    {"-nonsense", 1, "Warning: Unknown option: \"-nonsense\""},
    {"word", 1, "Warning: Unknown option: \"word\""},
    {kTwoCute, 0, ""},
    {kTwoCute + "-games 2 -rounds 10 -repeat", 0, ""},
    {kTwoCute + "-games", 1, "Warning: Option \"-games\" needs 1 argument(s)"},
    {kTwoCute + "-engine", 1, "Warning: Option \"-engine\" needs at least 1 argument(s)"},
    {kTwoCute + "-games 1 2", 1, "Warning: Too many arguments for option \"-games\""},
    {kTwoCute + "-games 2 -games 3", 1, "Warning: Multiple instances of option \"-games\""},
    {kTwoCute + "-games x", 1, "Warning: Invalid value for option \"-games\": \"x\""},
    {kTwoCute + "-games 0", 1, "Warning: Invalid value for option \"-games\": \"0\""},
    {kTwoCute + "-rounds -1", 1, "Warning: Invalid value for option \"-rounds\": \"-1\""},
    {kTwoCute + "-concurrency 0", 1, "Warning: Invalid value for option \"-concurrency\": \"0\""},
    {kTwoCute + "-concurrency 4097", 1,
     "Warning: Invalid value for option \"-concurrency\": \"4097\""},
    {kTwoCute + "-sprt elo0=0 elo1=inf alpha=0.05 beta=0.05", 1,
     "Warning: Invalid value for option \"-sprt\": \"elo0=0 elo1=inf alpha=0.05 beta=0.05\""},
    {kTwoCute + "-recover yes", 1, "Warning: Too many arguments for option \"-recover\""},
    {kTwoCute + "-tournament swiss", 1, "Warning: Invalid tournament type: swiss"},
    {kTwoCute + "-tournament round-robin", 0, ""},
    {kTwoCute + "-draw movenumber=40 movecount=4", 1,
     "Warning: Option \"-draw\" needs argument(s): \"score\""},
    {kTwoCute + "-resign movecount=3", 1,
     "Warning: Option \"-resign\" needs argument(s): \"score\""},
    {kTwoCute + "-resign movecount=3 score=600", 0, ""},
    {kTwoCute + "-sprt elo0=0 elo1=5", 1,
     "Warning: Option \"-sprt\" needs argument(s): \"alpha\", \"beta\""},
    {kTwoCute + "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05", 0, ""},
    {kTwoCute + "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=x", 1,
     "Warning: Invalid argument for option \"-sprt\": \"model=x\""},
    {kTwoCute + "-openings file=book.pgn", 0, ""},
    {kTwoCute + "-openings file=book.epd format=epd order=random", 0, "Indexing opening suite..."},
    {kTwoCute + "-openings file=book.epd format=abk", 1,
     "Warning: Invalid opening suite format: \"abk\""},
    {kTwoCute + "-openings order=random", 1,
     "Warning: Option \"-openings\" needs argument(s): \"file\""},
    {kTwoCute + "-openings file=book.epd order=any", 1,
     "Warning: Invalid opening selection order: \"any\""},
    {kTwoCute + "-openings file=none.pgn", 1, "Warning: Can't open opening suite none.pgn"},
    {"-engine cmd=a -engine cmd=b proto=uci -each tc=1", 1, "Warning: Missing chess protocol"},
    {"-engine cmd=a proto=uci -engine cmd=b proto=uci", 1,
     "Warning: Invalid or missing time control"},
    {"-engine name=A proto=uci tc=1 -engine cmd=b proto=uci tc=1", 1,
     "Critical: missing chess engine command"},
    {"-engine cmd=a proto=ucci tc=1", 1, "Warning: Usupported chess protocol: \"ucci\""},
    {"-engine cmd=a tc=ten", 1, "Warning: Invalid time control: \"ten\""},
    {"-engine cmd=a st=0", 1, "Warning: Invalid search time: \"0\""},
    {"-engine cmd=a timemargin=-1", 1, "Warning: Invalid time margin: \"-1\""},
    {"-engine cmd=a depth=0", 1, "Warning: Invalid depth limit: \"0\""},
    {"-engine cmd=a nodes=-3", 1, "Warning: Invalid node limit: \"-3\""},
    {"-engine cmd=a restart=maybe", 1, "Warning: Invalid restart mode: \"maybe\""},
    {"-engine cmd=a colour=red", 1, "Warning: Invalid engine option: \"colour\""},
    {"-engine conf=Unknown", 1, "Warning: Unknown engine configuration: \"Unknown\""},
    {"-engine conf=Known -engine cmd=b proto=uci -each tc=40/60", 0, ""},
    {kTwoCute + "-pgnout games.pgn min fi", 0, ""},
    {kTwoCute + "-pgnout games.pgn max", 1,
     "Warning: Invalid value for option \"-pgnout\": \"games.pgn max\""},
    {kTwoCute + "-repeat", 0, "Warning: 2 opening repetitions vs 1 games per encounter"},
    {kTwoCute + "-tb /tables -tbpieces 5 -tbignore50 -wait 100", 0, ""},
    {kTwoCute + "-tbpieces 0", 1, "Warning: Invalid value for option \"-tbpieces\": \"0\""},
    {kTwoCute + "-tb /tables -tbpieces 2", 1,
     "Warning: Invalid value for option \"-tbpieces\": \"2\""},
    {kTwoCute + "-debug", 0, ""},
};

}  // namespace

TEST_CASE("Cutechess flags: command lines end as they do there, with the same first line") {
    CHECK(kCuteLines.size() >= 40);
    for (const CommandLine& expected : kCuteLines) {
        const ParsedCommand command = cute_parsed(expected.line);
        CHECK_MESSAGE(assay::test::exit_code(command) == expected.code, expected.line);
        CHECK_MESSAGE(assay::test::first_line(command) == expected.first, expected.line);
    }
}

TEST_CASE("Cutechess flags: what is wrong is told, and then that the flag's value is") {
    const auto refusal = [](const std::string& line) { return cute_parsed(line).text; };
    CHECK(refusal(kTwoCute + "-openings file=book.epd order=any") ==
          "Warning: Invalid opening selection order: \"any\"\n"
          "Warning: Invalid value for option \"-openings\": \"file=book.epd order=any\"");
    CHECK(refusal(kTwoCute + "-draw movenumber=40") ==
          "Warning: Option \"-draw\" needs argument(s): \"movecount\", \"score\"\n"
          "Warning: Invalid value for option \"-draw\": \"movenumber=40\"");
    CHECK(refusal("-engine cmd=a tc=ten") ==
          "Warning: Invalid time control: \"ten\"\n"
          "Warning: Invalid value for option \"-engine\": \"cmd=a tc=ten\"");
    CHECK(refusal(kTwoCute + "-games 0") == "Warning: Invalid value for option \"-games\": \"0\"");
    CHECK(refusal(kTwoCute + "-tournament swiss") == "Warning: Invalid tournament type: swiss");
    CHECK(refusal(kTwoCute + "-draw") ==
          "Warning: Option \"-draw\" needs argument(s): \"movecount\", \"movenumber\", \"score\"\n"
          "Warning: Empty value for option \"-draw\"");
    // -each is read behind all others, and the engines are looked at all the same.
    CHECK(refusal("-engine cmd=a proto=uci -each colour=red") ==
          "Warning: Invalid engine option: \"colour\"\n"
          "Warning: Invalid or missing time control\n"
          "Warning: At least two engines are needed");
}

TEST_CASE("Cutechess flags: games, openings and clocks become a plan") {
    const ParsedCommand command = cute_parsed(
        "-engine conf=Known -engine cmd=b proto=uci name=B -each tc=40/1:30+0.5 "
        "timemargin=20 -games 2 -rounds 3 -repeat -openings file=book.pgn plies=8 start=3 "
        "-draw movenumber=40 movecount=4 score=10 -resign movecount=3 score=500 twosided=true");
    REQUIRE_MESSAGE(command.kind == ParsedCommand::Kind::Play, command.text);
    const auto plan = runner_plan(command.settings, small_machine(), "/here");
    const auto& match = plan.matches.at(0);
    CHECK(plan.programs[0].command == std::vector<std::string>{"/bin/engine", "--quiet"});
    CHECK(plan.programs[0].dir == "/tmp");
    CHECK(match.pairs == 3);
    CHECK(match.runner.games_an_opening == 2);
    CHECK(match.openings.plies == 8);
    CHECK(match.openings.start == 3);
    CHECK(match.time[0].periods.at(0).moves == 40);
    CHECK(match.time[0].periods.at(0).time == std::chrono::seconds(90));
    CHECK(match.time[0].margin == std::chrono::milliseconds(20));
    REQUIRE(match.adjudicate.resign);
    CHECK(match.adjudicate.resign->both_sides);
    CHECK(match.adjudicate.flag_is_draw_if_none_can_win);
}

TEST_CASE("Cutechess flags: one game is the default, and an hourglass is understood") {
    const ParsedCommand command =
        cute_parsed("-engine cmd=a proto=uci -engine cmd=b proto=uci -each tc=hg60");
    REQUIRE_MESSAGE(command.kind == ParsedCommand::Kind::Play, command.text);
    const auto plan = runner_plan(command.settings, small_machine(), "/here");
    CHECK(plan.matches[0].pairs == 0);
    CHECK(plan.matches[0].runner.has_odd_game);
    CHECK(plan.matches[0].time[0].kind == assay::harness::TimeControl::Kind::Hourglass);
}

TEST_CASE("Cutechess flags: assay match sees whose command line it is") {
    CHECK(is_for_cutechess(words_of(kTwoCute + "-pgnout games.pgn")));
    CHECK(is_for_cutechess(words_of("-engine conf=Known")));
    CHECK(is_for_cutechess(words_of(kTwoCute + "-tournament round-robin")));
    CHECK_FALSE(is_for_cutechess(words_of(kTwoCute + "-pgnout file=games.pgn")));
    CHECK_FALSE(is_for_cutechess(words_of(kTwoCute + "-tournament roundrobin")));
}
