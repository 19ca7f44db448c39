#include "configs/dropin/fastchess_flags.h"

#include <doctest/doctest.h>

#include "configs/dropin/runner_plan.h"
#include "harness/plan/time_control.h"
#include "tests/configs/dropin/parsing.h"

using namespace assay::configs::dropin;  // NOLINT(google-build-using-namespace): what is tested
using assay::test::CommandLine;
using assay::test::small_machine;
using assay::test::words_of;

namespace {

const std::string kTwo = "-engine cmd=a -engine cmd=b -each nodes=1 ";
const std::string kBook = kTwo + "-openings file=book.epd ";

ParsedCommand parsed(const std::string& line) {
    return parse_fastchess(words_of(line), small_machine());
}

RunnerSettings settings_of(const std::string& line) {
    const ParsedCommand command = parsed(line);
    REQUIRE_MESSAGE(command.kind == ParsedCommand::Kind::Play, command.text);
    return command.settings;
}

std::string reading(const std::string& flag, const std::string& value) {
    return "Error while reading option \"" + flag + "\" with value \"" + value + "\"";
}

const std::string kNoBook =
    "Warning: No opening book specified! Consider using one, otherwise all games will be played from "
    "the starting position.";

const std::vector<CommandLine> kLines{
    {"", 0, "assay with the command line of fastchess"},
    {"-help", 0, "assay with the command line of fastchess"},
    {"--help", 0, "assay with the command line of fastchess"},
    {"-version", 0, "fastchess alpha 1.8.2 (assay 0.1.0)"},
    {"--version", 0, "fastchess alpha 1.8.2 (assay 0.1.0)"},
    {"-v", 0, "fastchess alpha 1.8.2 (assay 0.1.0)"},
    {"version", 1, "Unrecognized option: version parsing failed.: Did you mean \"-version\"?"},
    {"-engne cmd=a", 1, "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?"},
    {"-nothing-like-it", 1, "Unrecognized option: -nothing-like-it parsing failed."},
    {"engine", 1, "Unrecognized option: engine parsing failed.: Did you mean \"-engine\"?"},
    {kBook, 0, ""},
    {kTwo, 0, kNoBook},
    {kTwo + "-recover true", 1, reading("-recover", "true")},
    {kTwo + "-concurrency", 1, reading("-concurrency", "-concurrency")},
    {kTwo + "-concurrency 1 2", 1, reading("-concurrency", "2")},
    {kTwo + "-concurrency one", 1, reading("-concurrency", "one")},
    {kTwo + "-concurrency 5", 1,
     "Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override."},
    {kBook + "-concurrency 5 -force-concurrency", 0, ""},
    {kBook + "-concurrency -1", 0,
     "Info: Adjusted concurrency to 3 based on number of available hardware threads."},
    {kBook + "-concurrency 0", 0,
     "Info: Adjusted concurrency to 4 based on number of available hardware threads."},
    {kBook + "-concurrency 4097 -force-concurrency", 1, "Error: -concurrency must be at most 4096"},
    {kBook + "-pgnout match_line=(", 1, reading("-pgnout", "match_line=(")},
    {kTwo + "-log level", 1, reading("-log", "level")},
    {kTwo + "-log file=x level=loud", 1, reading("-log", "level=loud")},
    {"-engine", 1, reading("-engine", "-engine")},
    {"-engine name=", 1, reading("-engine", "name=")},
    {"-engine =x", 1, reading("-engine", "=x")},
    {"-engine cmd=a tc=hg60", 1, reading("-engine", "tc=hg60")},
    {"-engine cmd=a tc=10+", 1, reading("-engine", "tc=10+")},
    {"-engine cmd=a tc=0/10", 1, reading("-engine", "tc=0/10")},
    {"-engine cmd=a restart=true name=A", 1, reading("-engine", "name=A")},
    {"-engine cmd=a timemargin=-5", 1, reading("-engine", "timemargin=-5")},
    {"-engine cmd=a proto=xboard", 1, reading("-engine", "proto=xboard")},
    {"-engine cmd=a colour=red", 1, reading("-engine", "colour=red")},
    {"-engine cmd=a nodes=10x", 1, reading("-engine", "nodes=10x")},
    {"-engine cmd=a -engine cmd=b", 1, kNoBook},
    {"-engine cmd=a -openings file=book.epd -each tc=1", 1,
     "Error: Need at least two engines to start!"},
    {"-engine cmd=a -engine cmd=b -openings file=book.epd", 1, "Error; no TimeControl specified!"},
    {"-engine cmd=a tc=1 st=1 -engine cmd=b tc=1 -openings file=book.epd", 1,
     "Error; cannot use tc and st together!"},
    {"-engine cmd=/bin/none -engine cmd=b -each tc=1 -openings file=book.epd", 1,
     "Engine binary does not exist: /bin/none"},
    {"-engine cmd=c dir=engines -engine cmd=b -each tc=1 -openings file=book.epd", 1,
     "Engine binary does not exist: engines/c"},
    {"-engine cmd=a dir=engines -engine cmd=b -each tc=1 -openings file=book.epd", 0, ""},
    {"-engine name=A -engine name=A -each tc=1 -openings file=book.epd", 0, ""},
    {"-each", 1, reading("-each", "<none>")},
    {"-each tc=1 x", 1, reading("-each", "tc=1 x")},
    {kTwo + "-openings file=none.epd", 1, reading("-openings", "file=none.epd")},
    {kTwo + "-openings file=book.epd start=0", 1, reading("-openings", "start=0")},
    {kTwo + "-openings file=book.epd policy=encounter", 1,
     reading("-openings", "policy=encounter")},
    {kTwo + "-openings file=book.epd order=any", 1, reading("-openings", "order=any")},
    {kTwo + "-openings file=book.txt", 0,
     "Warning: Unknown opening format, 2. All games will be played from the starting position."},
    {kBook + "-games 3 -rounds 25000", 1, "Error: Exceeded -game limit! Must be less than 2"},
    {kBook + "-games 4", 0, ""},
    {kTwo + "-variant fischerandom", 1, "Error: Please specify a Chess960 opening book"},
    {kTwo + "-variant chess960", 1, reading("-variant", "chess960")},
    {kTwo + "-tournament knockout", 1, reading("-tournament", "knockout")},
    {kBook + "-sprt elo0=5 elo1=0 alpha=0.05 beta=0.05", 1,
     "Error; SPRT: elo0 must be less than elo1!"},
    {kBook + "-sprt elo0=0 elo1=5 alpha=0 beta=0.05", 1,
     "Error; SPRT: alpha must be a decimal number between 0 and 1!"},
    {kBook + "-sprt elo0=0 elo1=5 alpha=0.05 beta=1", 1,
     "Error; SPRT: beta must be a decimal number between 0 and 1!"},
    {kBook + "-sprt elo0=0 elo1=5 alpha=0.5 beta=0.5", 1,
     "Error; SPRT: sum of alpha and beta must be less than 1!"},
    {kBook + "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=best", 1,
     "Error; SPRT: invalid SPRT model!"},
    {kBook + "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=bayesian", 0,
     "Warning; Bayesian SPRT model not available with pentanomial statistics. Disabling "
     "pentanomial reports..."},
    {kBook + "-draw score=-1", 1, reading("-draw", "score=-1")},
    {kBook + "-resign movecount=3 score=600 twosided=maybe", 1,
     reading("-resign", "twosided=maybe")},
    {kTwo + "-debug", 1, reading("-debug", "-debug")},
    {kTwo + "-srand -1", 1, reading("-srand", "-1")},
    {kTwo + "-pgnout games.pgn", 1, reading("-pgnout", "games.pgn")},
    {kBook + "-pgnout", 0, ""},
    {"-quick cmd=a", 1, reading("-quick", "cmd=a")},
    {"-quick cmd=a cmd=b book=book.txt", 1, reading("-quick", "book=book.txt")},
    {"-quick cmd=a cmd=b book=book.epd", 0, ""},
    {"-config file=none.json", 1, "Loading config file: none.json"},
    {"-config discard=false", 1, reading("-config", "discard=false")},
    {kBook + "-tb /tables -tbpieces 5 -tbignore50 -tbadjudicate DRAW", 0, ""},
    {kBook + "-tbadjudicate WIN", 1, reading("-tbadjudicate", "WIN")},
    {kBook + "-wait 100 -log file=x.txt level=trace engine=true -use-affinity 0,2,4-7", 0, ""},
    {kBook + "-log file=x.txt compress=true", 1,
     "Error: -log compress=true is not available in assay: leave it out, and pack the file when the "
     "match is over"},
    {kBook + "-concurrency -9", 1,
     "Error: -concurrency -9 leaves no thread of 4 for a game: raise it"},
};

}  // namespace

TEST_CASE("Fastchess flags: command lines end as they do there, with the same first line") {
    CHECK(kLines.size() >= 60);
    for (const CommandLine& expected : kLines) {
        const ParsedCommand command = parsed(expected.line);
        CHECK_MESSAGE(assay::test::exit_code(command) == expected.code, expected.line);
        CHECK_MESSAGE(assay::test::first_line(command) == expected.first, expected.line);
    }
}

TEST_CASE("Fastchess flags: the reason stands below the word that was read") {
    const auto reason = [](const std::string& line) {
        const std::string text = parsed(line).text;
        return text.substr(text.find('\n') + 1);
    };
    CHECK(reason("-recover true") == "Reason: Option \"-recover\" does not accept parameters.");
    CHECK(reason("-rounds") == "Reason: Option \"-rounds\" expects exactly one value.");
    CHECK(reason("-log level") ==
          "Reason: Option \"-log\" expects key=value pairs, got \"level\".");
    CHECK(reason("-sprt") == "Reason: Option \"-sprt\" expects key=value parameters.");
    CHECK(reason("-rounds 1x") == "Reason: Invalid numeric value: \"1x\"");
    CHECK(reason("-engine restart=1") ==
          "Reason: Invalid parameter (must be either \"on\" or \"off\"): 1");
    CHECK(reason("-openings color=x") ==
          "Reason: Unrecognized openings option \"color\" with value \"x\".");
    CHECK(reason("-engine tc=1++1") == "Reason: Invalid time control: \"1++1\"");
    CHECK(reason("-report penta=1") ==
          "Reason: Unrecognized report option \"penta\" with value \"1\".");
    CHECK(reason("-config file=bad.json")
              .starts_with("Reason: bad.json:1:2: error: the JSON text ends too early\n"));
}

TEST_CASE("Fastchess flags: -each comes last wherever it stands and overrides the engines") {
    const RunnerSettings settings = settings_of(
        "-each nodes=50 option.Hash=2 -engine cmd=a nodes=7 option.Hash=1 -engine cmd=b -each "
        "option.Threads=3 -openings file=book.epd");
    REQUIRE(settings.engines.size() == 2);
    CHECK(settings.engines[0].limits.nodes == 50);
    const std::vector<std::pair<std::string, std::string>> options{
        {"Hash", "1"}, {"Hash", "2"}, {"Threads", "3"}};
    CHECK(settings.engines[0].options == options);
    const auto plan = runner_plan(settings, small_machine(), "/here");
    CHECK(plan.programs[0].options.front() == std::pair<std::string, std::string>{"Threads", "3"});
}

TEST_CASE("Fastchess flags: durations are rounded to the millisecond that was written") {
    const auto limits = [](const std::string& tc) {
        EngineLimits read;
        read_fastchess_clock(tc, read);
        return read;
    };
    CHECK(limits("3+0.03").time == 3000);
    CHECK(limits("3+0.03").increment == 30);
    CHECK(limits("8.00+0.08").increment == 80);
    CHECK(limits("0.002").time == 2);
    CHECK(limits("2+0.02s").increment == 20);
    CHECK(limits("40/1:9.65+0.1").moves == 40);
    CHECK(limits("40/1:9.65+0.1").time == 69'650);
    CHECK(limits("inf").time == 0);
    CHECK(settings_of("-engine cmd=a -engine cmd=b -each st=0.15 -openings file=book.epd")
              .engines[0]
              .limits.move_time == 150);
    const auto plan = runner_plan(
        settings_of("-engine cmd=a -engine cmd=b -each tc=3+0.03 -openings file=book.epd"),
        small_machine(), "/here");
    CHECK(to_text(plan.matches[0].time[0]) == "3+0.03");
}

TEST_CASE("Fastchess flags: a worker's command line becomes a plan") {
    const RunnerSettings settings = settings_of(
        "-testEnv -recover -repeat -games 2 -rounds 16 -ratinginterval 1 -scoreinterval 1 "
        "-autosaveinterval 0 -report penta=true -pgnout file=results.pgn append=false -crc32 "
        "pgn=true -site http://x/tests/view/1 -event 'Batch 0: New vs Base' -srand "
        "18446744073709551615 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 "
        "-variant standard -concurrency 3 -openings file=book.epd format=epd order=random plies=16 "
        "start=17 -check-mate-pvs -engine name=New-a tc=10.000+0.100 cmd=a dir=engines "
        "option.Hash=16 -engine name=Base-b tc=10.000+0.100 cmd=a dir=engines option.Hash=16 -each "
        "proto=uci option.Threads=1");
    CHECK(settings.is_test);
    CHECK(settings.pgn.has_crc);
    CHECK_FALSE(settings.pgn.appends);
    CHECK(settings.event == "Batch 0: New vs Base");
    const auto plan = runner_plan(settings, small_machine(), "/here");
    const auto& match = plan.matches.at(0);
    CHECK(plan.seed == 18'446'744'073'709'551'615U);
    CHECK(plan.programs[0].command == std::vector<std::string>{"/here/engines/a"});
    CHECK(plan.programs[0].dir == "/here/engines");
    CHECK(match.pairs == 16);
    CHECK_FALSE(match.runner.has_odd_game);
    CHECK(match.runner.games_an_opening == 2);
    CHECK(match.runner.counts_as_they_end);
    CHECK_FALSE(match.runner.voids);
    CHECK(match.runner.recovers);
    CHECK(match.openings.book == "/here/book.epd");
    CHECK(match.openings.start == 17);
    CHECK(match.openings.scheme == assay::harness::OpeningsPlan::Scheme::Shuffled);
    REQUIRE(match.adjudicate.draw);
    CHECK(match.adjudicate.draw->from == 34);
    REQUIRE(match.adjudicate.resign);
    CHECK_FALSE(match.adjudicate.resign->both_sides);
    CHECK_FALSE(match.adjudicate.flag_is_draw_if_none_can_win);
    CHECK(match.concurrency == 3);
}

TEST_CASE("Fastchess flags: tables, a wait and processors become parts of the plan") {
    using Result = assay::harness::AdjudicatePlan::Tables::Result;
    const auto plan = runner_plan(
        settings_of(kBook + "-tb /a:tb -tbpieces 5 -tbignore50 -tbadjudicate WIN_LOSS -wait 250 "
                            "-use-affinity 3,0-1"),
        small_machine(), "/here");
    const auto& match = plan.matches.at(0);
    REQUIRE(match.adjudicate.tablebase);
    CHECK(match.adjudicate.tablebase->path == "/a:/here/tb");
    CHECK(match.adjudicate.tablebase->pieces == 5);
    CHECK_FALSE(match.adjudicate.tablebase->counts_quiet_moves);
    CHECK(match.adjudicate.tablebase->result == Result::Win);
    CHECK(match.runner.wait == std::chrono::milliseconds(250));
    CHECK(match.affinity);
    CHECK(match.cpus == std::vector<int>{3, 0, 1});
    CHECK(settings_of(kBook + "-use-affinity").affinity_cpus.empty());
    CHECK(settings_of(kBook + "-wait -5").wait == 0);  // as the saved file can hold it
}

TEST_CASE("Fastchess flags: one game an opening, also an odd number of them") {
    const auto plan = runner_plan(settings_of(kBook + "-games 1 -rounds 5 -noswap -reverse"),
                                  small_machine(), "/here");
    const auto& match = plan.matches.at(0);
    CHECK(match.pairs == 2);
    CHECK(match.runner.has_odd_game);
    CHECK(match.runner.games_an_opening == 1);
    CHECK_FALSE(match.runner.swaps_sides);
    CHECK(match.runner.begins_reversed);
}

TEST_CASE("Fastchess flags: nodes may stand beside a clock") {
    const auto plan = runner_plan(
        settings_of("-engine cmd=a tc=inf nodes=9 -engine cmd=b tc=5 nodes=7 depth=3 -openings "
                    "file=book.epd"),
        small_machine(), "/here");
    using Kind = assay::harness::TimeControl::Kind;
    CHECK(plan.matches[0].time[0].kind == Kind::Nodes);
    CHECK(plan.matches[0].time[1].kind == Kind::Clock);
    CHECK(plan.matches[0].time[1].nodes == 7);
    CHECK(plan.matches[0].time[1].depth == 3);
}

TEST_CASE("Fastchess flags: defaults and corrections") {
    const RunnerSettings settings = settings_of("-quick cmd=./a cmd=./a book=book.epd");
    CHECK(settings.engines[0].name == "./a1");
    CHECK(settings.engines[1].name == "./a2");
    CHECK(settings.rounds == 25'000);
    CHECK(settings.concurrency == 2);
    CHECK(settings.has_cutechess_output);
    CHECK_FALSE(settings.has_penta);
    CHECK(settings.draw.move_number == 30);

    const RunnerSettings plain = settings_of(
        "-engine cmd=bin/a.out -engine cmd=a -each nodes=1 "
        "-openings file=book.epd -ratinginterval 0");
    CHECK(plain.engines[0].name == "a");
    CHECK(plain.engines[1].name == "a_2");
    CHECK(plain.rounds == 2);
    CHECK(plain.rating_interval > 1'000'000'000);
    CHECK(plain.event == "Fastchess Tournament");
    CHECK(settings_of(kBook + "-games 10").rounds == 10);
    // As many rounds as a test may need, where none are asked for.
    CHECK(settings_of(kBook + "-rounds 0 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05").rounds ==
          500'000);
    CHECK(settings_of(kBook + "-pgnout").pgn.file == "fastchess_20261129_170000.pgn");
    CHECK(settings_of(kBook + "-repeat abc").games == 2);
    CHECK(settings_of(kBook + "-event My Event").event == "MyEvent");
    CHECK_FALSE(settings_of(kBook + "-games 1").has_penta);
}

TEST_CASE("Fastchess flags: an engine to be checked goes before all else") {
    const ParsedCommand command = parsed("--compliance ./engine --fast");
    CHECK(command.kind == ParsedCommand::Kind::Compliance);
    CHECK(command.compliance == std::vector<std::string>{"./engine", "--fast"});
    CHECK(parsed("--compliance").kind == ParsedCommand::Kind::Refuse);
}
