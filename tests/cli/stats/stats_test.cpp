#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "tests/cli/shell.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

using assay::test::contains;
using assay::test::Finished;
using assay::test::shell;
using assay::test::TempDir;

namespace {

boost::json::value json_of(const std::string& arguments) {
    const TempDir folder;
    const Finished run = shell(folder.root(), "$ASSAY stats " + arguments + " --json");
    REQUIRE_MESSAGE(run.code == 0, run.out);
    return boost::json::parse(run.out);
}

/// Four pairs of two programs, two of each of three openings in turn.
std::string sample_pgn() {
    std::string text;
    const char* const moves[] = {"e4", "d4", "c4", "f4", "Nf3", "Nc3", "b3", "g3"};
    const char* const results[] = {"1-0", "0-1", "1/2-1/2", "1/2-1/2",
                                   "1-0", "1-0", "0-1",     "1/2-1/2"};
    for (int game = 0; game < 8; ++game) {
        const bool is_second = game % 2 == 1;
        text += "[Round \"" + std::to_string(game / 2 + 1) + "." + std::to_string(game % 2 + 1) +
                "\"]\n[White \"" + (is_second ? "old" : "new") + "\"]\n[Black \"" +
                (is_second ? "new" : "old") + "\"]\n[Result \"" + results[game] + "\"]\n\n1. " +
                moves[game] + " " + results[game] + "\n\n";
    }
    return text;
}

/// A store with one night: "head" built from one commit against "base" built from another. A
/// commit of b has twice the time, whatever it is called.
void write_night(const std::string& path, long long began, const std::string& head,
                 const std::string& base, int pairs) {
    assay::harness::Store store(path, assay::harness::Store::Access::Write);
    assay::harness::RunRecord run = assay::test::sample_run("night");
    run.started_us = began;
    run.plan.programs[0].command = run.plan.programs[1].command;
    run.versions[1].source = run.versions[0].source;
    run.versions[1].files = run.versions[0].files;
    run.versions[0].source->commit = head;
    run.versions[1].source->commit = base;
    run.versions[0].source->subject = run.versions[1].source->subject = "";
    run.versions[0].source->tree = run.versions[1].source->tree = "";
    for (const std::size_t side : {0U, 1U}) {
        const bool is_b = run.versions[side].source->commit.starts_with('b');
        auto& time = run.plan.matches[0].time[side];
        time.kind = assay::harness::TimeControl::Kind::MoveTime;
        time.move_time = std::chrono::milliseconds(is_b ? 200 : 100);
    }
    const auto id = store.begin_run(run);
    for (int pair = 0; pair < pairs; ++pair) assay::test::write_sample_pair(store, id, pair);
}

std::vector<std::string> names_of(const boost::json::value& list) {
    std::vector<std::string> names;
    for (const auto& program : list.at("programs").as_array()) {
        names.emplace_back(program.at("name").as_string().c_str());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

TEST_CASE("stats: a PGN gives what its counts give") {
    const TempDir folder;
    assay::write_file(folder.path("g.pgn"), sample_pgn());
    // WW, DD, WL, LD for the program that is named first.
    const std::string counts = " --pentanomial 0,1,2,0,1";
    for (const std::string verb : {"pentanomial", "trinomial"}) {
        const Finished pgn = shell(folder.root(), "$ASSAY stats " + verb + " --pgn g.pgn --json");
        const Finished same = shell(folder.root(), "$ASSAY stats " + verb + counts + " --json");
        CHECK(pgn.code == 0);
        CHECK(pgn.out == same.out);
    }
    const Finished mirrored =
        shell(folder.root(), "$ASSAY stats pentanomial --pgn g.pgn --between old,new --json");
    CHECK(mirrored.out ==
          shell(folder.root(), "$ASSAY stats pentanomial --pentanomial 1,0,2,1,0 --json").out);
    const Finished text = shell(folder.root(), "$ASSAY stats sprt --pgn g.pgn --elo1 30");
    CHECK(contains(text.out, "8 games, 4 pairs, by round\nnew against old: 4 pairs\n"));
}

TEST_CASE("stats: a run gives what its counted pairs give") {
    const TempDir folder;
    {
        assay::harness::Store store(folder.path("assay.db"), assay::harness::Store::Access::Write);
        const auto run = assay::test::sample_run("night");
        const auto id = store.begin_run(run);
        using assay::harness::PairState;
        // Of five pairs one is void, and one waits behind a pair that was not finished.
        for (const auto& [pair, attempt] : {std::pair{0, 0}, std::pair{1, 0}, std::pair{1, 1},
                                            std::pair{2, 0}, std::pair{4, 0}}) {
            const bool is_void = pair == 1 && attempt == 0;
            assay::test::write_sample_pair(store, id, pair, attempt,
                                           is_void ? PairState::Void : PairState::Counted);
        }
    }
    const Finished text = shell(folder.root(), "$ASSAY stats pentanomial --run latest");
    CHECK(text.code == 0);
    CHECK(contains(text.out, "run 1 of night: 3 pairs\n"));
    CHECK(contains(text.out, "3 pairs, score"));
    CHECK(shell(folder.root(), "$ASSAY stats rate --run latest").code == 0);
    CHECK(contains(shell(folder.root(), "$ASSAY stats sprt --run none").out,
                   "there is no run 'none'"));
    CHECK(contains(shell(folder.root(), "$ASSAY stats sprt --run latest --match x").out,
                   "run 1 has no match 'x'"));
    CHECK(shell(folder.root(), "$ASSAY stats sprt --run latest --db none.db").code == 2);
}

TEST_CASE("stats: rate prints a table, and JSON with the same figures") {
    const TempDir folder;
    assay::write_file(folder.path("t.csv"), "A,B,50,60,40\nB,C,45,70,35\nA,C,60,60,30\n");
    const Finished text = shell(folder.root(), "$ASSAY stats rate --table t.csv --anchor C=2800");
    CHECK(text.code == 0);
    CHECK(contains(text.out, "C       +2800.0   [+2800, +2800]"));
    const Finished json =
        shell(folder.root(), "$ASSAY stats rate --table t.csv --anchor C=2800 --json");
    const auto table = boost::json::parse(json.out);
    CHECK(table.at("programs").as_array().size() == 3);
    CHECK(table.at("programs").at(0).at("name") == "A");
    CHECK(table.at("programs").at(2).at("elo").to_number<double>() == 2800);
    CHECK(table.at("differences").as_array().size() == 3);
    CHECK(table.at("los").at(0).at(0).is_null());
    CHECK(table.at("components").as_array().size() == 1);
    CHECK(table.at("first_move").is_null());
    CHECK(contains(shell(folder.root(), "$ASSAY stats rate --table t.csv --anchor c=1").out,
                   "there is no program 'c'; did you mean 'C'?"));
}

TEST_CASE("stats: rate names groups that never met and results that are one-sided") {
    const TempDir folder;
    assay::write_file(folder.path("t.csv"), "A,B,10,0,0\nC,D,1,1,1\n");
    const Finished text = shell(folder.root(), "$ASSAY stats rate --table t.csv");
    CHECK(contains(text.out,
                   "These groups never met, and their ratings cannot be compared:\n"
                   "  A, B\n  C, D\n"));
    CHECK(contains(text.out, "The results among A, B are one-sided: half a win and half a loss"));
    CHECK(contains(text.out, "open]"));
    const auto table =
        boost::json::parse(shell(folder.root(), "$ASSAY stats rate --table t.csv --json").out);
    CHECK(table.at("programs").at(0).at("ci95").at(1).is_null());
    CHECK(table.at("components").at(0).at("prior") == true);
    CHECK(table.at("components").at(1).at("one_sided") == false);
    CHECK(table.at("los").at(0).at(2).is_null());
}

TEST_CASE("stats: rate pools runs of several stores by commit, and a copied run counts once") {
    const TempDir folder;
    const std::string a(40, 'a');
    const std::string b(40, 'b');
    const std::string c(40, 'c');
    write_night(folder.path("one.db"), 1'000'000, b, a, 12);
    write_night(folder.path("two.db"), 2'000'000, c, b, 15);
    // An earlier copy of the second night: less of the same run.
    write_night(folder.path("copy.db"), 2'000'000, c, b, 4);
    const Finished found = shell(folder.root(), "$ASSAY stats rate one.db copy.db two.db --json");
    REQUIRE_MESSAGE(found.code == 0, found.out);
    const auto list = boost::json::parse(found.out);
    CHECK(list.at("input") == "27 pairs of 3 versions in 2 runs; 1 copy of a run left out");
    CHECK(names_of(list) ==
          std::vector<std::string>{"aaaaaaa base", "bbbbbbb base", "ccccccc head"});
    CHECK(list.at("clusters") == 27);
    for (const auto& program : list.at("programs").as_array()) {
        const std::string commit = program.at("version").at("commit").as_string().c_str();
        const double games = program.at("games").to_number<double>();
        CHECK(games == (commit == a ? 24 : commit == b ? 54 : 30));
        CHECK(program.at("version").at("runs") == (commit == b ? 2 : 1));
    }
    CHECK(shell(folder.root(), "$ASSAY stats rate two.db one.db copy.db --json").out == found.out);

    const Finished by_name = shell(folder.root(), "$ASSAY stats rate one.db two.db --by name");
    CHECK(contains(by_name.out,
                   "warning: 'head' stands for 2 versions: --by commit tells them apart"));
    CHECK(contains(by_name.out, "27 pairs of 2 versions in 2 runs\n"));
    // Both were built into one executable.
    const Finished by_hash = shell(folder.root(), "$ASSAY stats rate one.db two.db --by sha256");
    CHECK(contains(by_hash.out,
                   "there are no games to rate: 0 pairs of 1 version in 2 runs; 27 pairs of a "
                   "version against itself left out"));
}

TEST_CASE("stats: rate reads stores and PGN files together by name, and refuses what cannot be") {
    const TempDir folder;
    write_night(folder.path("one.db"), 1'000'000, std::string(40, 'b'), std::string(40, 'a'), 12);
    assay::write_file(folder.path("g.pgn"), sample_pgn());
    const auto pgn = boost::json::parse(shell(folder.root(), "$ASSAY stats rate g.pgn --json").out);
    CHECK(names_of(pgn) == std::vector<std::string>{"new", "old"});
    const auto both =
        boost::json::parse(shell(folder.root(), "$ASSAY stats rate g.pgn one.db --json").out);
    CHECK(names_of(both) == std::vector<std::string>{"base", "head", "new", "old"});
    CHECK(both.at("components").as_array().size() == 2);
    const Finished by_commit = shell(folder.root(), "$ASSAY stats rate one.db g.pgn --by commit");
    CHECK(by_commit.code == 2);
    CHECK(contains(by_commit.out, "--by commit: g.pgn knows its players by name only"));
    const Finished opening = shell(folder.root(), "$ASSAY stats rate one.db --cluster opening");
    CHECK(opening.code == 2);
    CHECK(contains(opening.out, "--cluster opening: of several stores games are counted by pair"));
    CHECK(shell(folder.root(), "$ASSAY stats rate one.db --pgn g.pgn").code == 2);
    CHECK(shell(folder.root(), "$ASSAY stats rate --pgn g.pgn --by commit").code == 2);
    CHECK(shell(folder.root(), "$ASSAY stats rate none.db").code == 2);
}

TEST_CASE("stats: rate as CSV and as Markdown has the figures of its JSON") {
    const TempDir folder;
    assay::write_file(folder.path("t.csv"), "A|x,B,50,60,40\nB,C,45,70,35\nA|x,C,60,60,30\n");
    const auto list =
        boost::json::parse(shell(folder.root(), "$ASSAY stats rate --table t.csv --json").out);
    const double best = list.at("programs").at(0).at("elo").to_number<double>();
    const Finished csv = shell(folder.root(), "$ASSAY stats rate --table t.csv --format csv");
    CHECK(csv.out.starts_with("rank_low,rank_high,program,elo,error,low95,high95,"));
    CHECK(contains(csv.out, ",A|x," + fmt::format("{:.3f},", best)));
    CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 4);
    const Finished markdown =
        shell(folder.root(), "$ASSAY stats rate --table t.csv --format markdown");
    CHECK(contains(markdown.out, "| rank | program | Elo | 95 % | 95 % for all at once |"));
    CHECK(contains(markdown.out, fmt::format("| {:+.1f} | ", best)));
    CHECK_FALSE(contains(markdown.out, "A|x"));
    CHECK(contains(markdown.out, "Likelihood of superiority, row over column, in %:"));
    const double los = list.at("los").at(0).at(1).to_number<double>();
    CHECK(contains(markdown.out, fmt::format("| {:.1f} |", 100 * los)));
}

TEST_CASE("stats: rate as a page has the list, its orders and no script, and names its file") {
    const TempDir folder;
    assay::write_file(folder.path("t.csv"), "A<b>,B,50,60,40\nB,C,45,70,35\nA<b>,C,60,60,30\n");
    const auto list =
        boost::json::parse(shell(folder.root(), "$ASSAY stats rate --table t.csv --json").out);
    const double best = list.at("programs").at(0).at("elo").to_number<double>();
    const Finished page =
        shell(folder.root(), "$ASSAY stats rate --table t.csv --format html -o list.html");
    CHECK(page.code == 0);
    CHECK(page.out.empty());
    const std::string html = assay::read_file(folder.path("list.html"));
    CHECK(contains(html, fmt::format("{:+.1f}", best)));
    CHECK(contains(html, "A&lt;b&gt;"));
    CHECK_FALSE(contains(html, "<b>,"));
    CHECK(contains(html, "class=\"by-elo\""));
    CHECK(contains(html, "class=\"by-name\""));
    CHECK_FALSE(contains(html, "class=\"by-date\""));
    CHECK_FALSE(contains(html, "<script"));
    CHECK(shell(folder.root(), "$ASSAY stats rate --table t.csv --format html").out == html);
    const Finished no_page = shell(folder.root(), "$ASSAY stats rate --table t.csv -o list.txt");
    CHECK(no_page.code == 2);
    CHECK(contains(no_page.out + no_page.out, "give --format html"));
    // The input is not replaced by its own list.
    CHECK(shell(folder.root(), "$ASSAY stats rate --table t.csv --format html -o t.csv").code == 2);
}

TEST_CASE("stats: the manual's examples are what the program prints") {
    const TempDir folder;
    const std::string docs = std::string(ASSAY_SOURCE_DIR) + "/docs/";
    const std::string manual =
        assay::read_file(docs + "statistics.md") + assay::read_file(docs + "ratings.md");
    // A file that an example shows is the one that the next ones read.
    const std::string shown = "```\n$ cat ";
    for (std::size_t at = manual.find(shown); at != std::string::npos;
         at = manual.find(shown, at + 1)) {
        const std::size_t begin = at + shown.size();
        const std::size_t line = manual.find('\n', begin);
        assay::write_file(folder.path(manual.substr(begin, line - begin)),
                          manual.substr(line + 1, manual.find("```", line) - line - 1));
    }
    const std::string opening = "```\n$ assay ";
    int examples = 0;
    for (std::size_t at = manual.find(opening); at != std::string::npos;
         at = manual.find(opening, at + 1)) {
        const std::size_t begin = at + opening.size();
        const std::size_t line = manual.find('\n', begin);
        const std::size_t end = manual.find("```", line);
        const std::string command = manual.substr(begin, line - begin);
        CAPTURE(command);
        CHECK(shell(folder.root(), "$ASSAY " + command).out ==
              manual.substr(line + 1, end - line - 1));
        ++examples;
    }
    CHECK(examples >= 5);
}

TEST_CASE(
    "stats: the interval of other tools is symmetric in the score, and counts stay as they are") {
    // fastchess prints -34.86 +/- 62.20 for these counts, and regularises the LLR alone.
    const auto wald = json_of("pentanomial --pentanomial 0,1,4,0,0 --interval wald");
    const auto& elo = wald.at("elo");
    CHECK(elo.at("value").as_double() == doctest::Approx(-34.86).epsilon(0.0002));
    const auto& ends = elo.at("ci95").as_array();
    CHECK((ends[1].as_double() - ends[0].as_double()) / 2 ==
          doctest::Approx(62.20).epsilon(0.0002));
    const auto compat = json_of("pentanomial --pentanomial 0,1,4,0,0 --interval wald --compat");
    CHECK(compat.at("elo").at("value").as_double() == doctest::Approx(-34.80).epsilon(0.0002));
}

TEST_CASE("stats: bounds are nElo unless --model says otherwise, and the scale is always named") {
    const TempDir folder;
    const auto sprt = [&folder](const std::string& model) {
        return shell(folder.root(),
                     "$ASSAY stats sprt --pentanomial 150,2320,4600,2480,170 --elo0 0 --elo1 5" +
                         model)
            .out;
    };
    const std::string normalized = sprt("");
    CHECK(contains(normalized,
                   "  bounds           normalized Elo [0, 5], with these results about logistic "
                   "Elo [0.00, 2.80]\n"));
    CHECK(sprt(" --model normalized") == normalized);
    // The same numbers are another test where they are logistic Elo, as `elo:` of a config is.
    const std::string logistic = sprt(" --model logistic");
    CHECK(contains(logistic, "  bounds           logistic Elo [0, 5]"));
    CHECK(logistic != normalized);
    const Finished help = shell(folder.root(), "$ASSAY stats sprt --help");
    CHECK(contains(help.out, "H0's strength: nElo unless --model says otherwise"));
    CHECK(contains(help.out, "logistic (as `elo:` in a config)"));
}

TEST_CASE("stats: a few results show nothing that the exact test does not show") {
    const TempDir folder;
    for (const std::string few : {"--pentanomial 0,0,3,0,3", "--pentanomial 0,0,0,1,3",
                                  "--wdl 3,1,0", "--pentanomial 2,0,0,0,0 --compat"}) {
        const Finished text = shell(folder.root(), "$ASSAY stats pentanomial " + few);
        CAPTURE(text.out);
        CHECK(text.out.find("This does not show that either is stronger.") != std::string::npos);
        CHECK(text.out.find("exact one") == std::string::npos);
    }
    CHECK(
        shell(folder.root(), "$ASSAY stats pentanomial --wdl 8,1,0").out.find("stronger (95 %)") !=
        std::string::npos);
}

TEST_CASE("stats: wrong arguments are exit code 2 with a sentence") {
    const TempDir folder;
    for (const std::string arguments : {"pentanomial",
                                        "pentanomial --pentanomial 1,2,3",
                                        "pentanomial --pentanomial 1,2,3,4,-5",
                                        "pentanomial --pentanomial 1,2,3,4,5 --pgn x.pgn",
                                        "pentanomial --pgn none.pgn",
                                        "sprt --pentanomial 1,2,3,4,5 --elo0 5 --elo1 5",
                                        "sprt --pentanomial 1,2,3,4,5 --alpha 0",
                                        "sprt --pentanomial 1,2,3,4,5 --alpha nan",
                                        "sprt --pentanomial 1,2,3,4,5 --model x",
                                        "boundary --rule x",
                                        "boundary --alpha 0.7",
                                        "plan --nelo 0",
                                        "plan --nelo 1e-300",
                                        "plan --elo1 1e-300",
                                        "plan --prior nan,1",
                                        "plan --prior 0,inf",
                                        "plan --game-seconds nan",
                                        "plan --model foo",
                                        "plan --model logistic",
                                        "plan --model bayesian --draw-rate 0.5",
                                        "plan --budget 20000",
                                        "plan --rule capped --budget 200 --elo1 1 --alpha 0.05",
                                        "simulate --law 0,0,0,0,1",
                                        "plan --nelo inf",
                                        "plan --prior 0,0",
                                        "plan --elo0 nan",
                                        "plan --rule capped --budget 0",
                                        "simulate --law 1,1,1,1,1",
                                        "simulate --nelo nan",
                                        "trinomial --pairs 3",
                                        "trinomial --pairs 3 --score 1",
                                        "trinomial --pairs -3 --score 1 --null .3,.3",
                                        "rate",
                                        "rate --table none.csv",
                                        "rate --table x --pgn y",
                                        "nothing",
                                        ""}) {
        const Finished run = shell(folder.root(), "$ASSAY stats " + arguments);
        CHECK_MESSAGE(run.code == 2, arguments);
        CHECK_MESSAGE(run.out.size() > 10, arguments);
    }
}

TEST_CASE("stats: adjust corrects lists of tests, and says how") {
    const TempDir folder;
    const Finished text = shell(folder.root(), "$ASSAY stats adjust --p 0.01,0.04,0.03,0.005");
    CHECK(text.code == 0);
    CHECK(contains(text.out, "2 of 4 hold at 0.05 (no false claim among all of them)."));
    const auto json = json_of("adjust --p 0.01,0.04,0.03,0.005 --method bh");
    CHECK(json.at("tests").at(1).at("adjusted").to_number<double>() == 0.04);
    CHECK(json.at("tests").at(1).at("rejected") == true);
    CHECK(json_of("adjust --e 100,1,50 --method ebh").at("tests").at(2).at("rejected") == true);
    CHECK(json_of("adjust --p 0.0001,1 --method lord")
              .at("tests")
              .at(0)
              .as_object()
              .contains("level"));
    for (const std::string arguments : {"", "--p 2", "--p nan", "--e 3", "--p 0.1 --method ebh",
                                        "--p 0.1 --level 0", "--p 0.1 --method x"}) {
        CHECK(shell(folder.root(), "$ASSAY stats adjust " + arguments).code == 2);
    }
}

TEST_CASE("stats: plan turns a time control into hours") {
    // 60 moves a side of 0.1 s on top of 10 s, nine tenths of it used, both sides: 28.8 s.
    const auto timed = json_of("plan --elo1 10 --time 10+0.1 --concurrency 4");
    CHECK(timed.at("hours_per_pair").to_number<double>() ==
          doctest::Approx(2 * 28.8 / 3600 / 4).epsilon(1e-9));
    CHECK(json_of("plan --elo1 10 --time 10+0.1").at("at").as_array().size() == 3);
    const TempDir folder;
    CHECK(shell(folder.root(), "$ASSAY stats plan --time x").code == 2);
    CHECK(shell(folder.root(), "$ASSAY stats plan --time 10 --game-seconds 3").code == 2);
}

TEST_CASE("stats: JSON of every verb has its keys and no NaN") {
    CHECK(json_of("trinomial --pairs 10 --score 8 --null 0.3918,0.3161").at("critical_score") == 8);
    CHECK(json_of("trinomial --pentanomial 4,9,18,12,7").as_object().contains("mid_p"));
    CHECK(json_of("pentanomial --pentanomial 0,0,0,0,9").at("elo").at("value").is_null());
    CHECK(json_of("pentanomial --wdl 3,2,1").at("games") == 6);
    CHECK(json_of("sprt --pentanomial 10,20,30,20,10").at("state") == "continue");
    CHECK(json_of("sprt --pentanomial 0,0,9,0,0").as_object().contains("reason"));
    CHECK(json_of("boundary --rule capped").at("expected_tau").as_array().size() == 3);
    CHECK(json_of("plan --elo1 10").at("cap").is_int64());
    CHECK(json_of("plan --nelo 5 --power 0.9").at("pairs").to_number<double>() > 10000);
    CHECK(json_of("simulate --elo1 80 --runs 5 --seed 3").at("runs") == 5);
}

TEST_CASE("stats: pool adds the matches of two versions up, and says which figures hold") {
    const TempDir folder;
    const std::string a(40, 'a');
    const std::string b(40, 'b');
    write_night(folder.path("one.db"), 1'000'000, b, a, 12);
    write_night(folder.path("two.db"), 2'000'000, a, b, 15);  // the other way round
    write_night(folder.path("copy.db"), 2'000'000, a, b, 4);
    const std::string command = "$ASSAY stats pool one.db copy.db two.db";
    const Finished found = shell(folder.root(), command + " --json");
    REQUIRE_MESSAGE(found.code == 0, found.out);
    const auto pool = boost::json::parse(found.out);
    CHECK(pool.at("pairs") == 27);
    REQUIRE(pool.at("matches").as_array().size() == 2);
    CHECK(pool.at("matches").at(1).at("is_reversed") == true);
    // Each version has its own time, on whichever side it plays.
    CHECK(pool.at("warnings").as_array().empty());
    // The second match, seen from the other side.
    const auto& one = pool.at("matches").at(0).at("pentanomial").as_array();
    const auto& two = pool.at("matches").at(1).at("pentanomial").as_array();
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(pool.at("pentanomial").at(i).as_int64() == one[i].as_int64() + two[i].as_int64());
    }
    // What a list of one long match gives.
    std::string counts;
    for (const auto& count : pool.at("pentanomial").as_array()) {
        counts += (counts.empty() ? "" : ",") + std::to_string(count.as_int64());
    }
    const auto plain = json_of("pentanomial --pentanomial " + counts);
    CHECK(pool.at("plain").at("elo") == plain.at("elo"));
    CHECK(pool.at("plain").at("p_value") == plain.at("sign_flip").at("p_value"));

    const auto turned =
        boost::json::parse(shell(folder.root(), command + " --between aaaaaaa,bbbbbbb --json").out);
    CHECK(turned.at("matches").at(0).at("is_reversed") == true);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(turned.at("pentanomial").at(i) == pool.at("pentanomial").at(4 - i));
    }
    // The plan asks for more pairs than there are: nobody knows why they ended.
    CHECK(pool.at("plain").at("holds") == false);
    const Finished text = shell(folder.root(), command);
    CHECK(contains(text.out, "bbbbbbb base against aaaaaaa head"));
    CHECK(contains(text.out, "does not hold: the results decided how many pairs"));
}

TEST_CASE("stats: pool refuses what it cannot pool, and says what to do") {
    const TempDir folder;
    const std::string a(40, 'a');
    const std::string b(40, 'b');
    const std::string c(40, 'c');
    write_night(folder.path("one.db"), 1'000'000, b, a, 12);
    write_night(folder.path("two.db"), 2'000'000, c, b, 15);
    assay::write_file(folder.path("g.pgn"), sample_pgn());
    const auto refused = [&folder](const std::string& arguments, const std::string& words) {
        const Finished run = shell(folder.root(), "$ASSAY stats pool " + arguments);
        CAPTURE(run.out);
        CHECK(run.code == 2);
        CHECK(contains(run.out, words));
    };
    refused("one.db two.db", "several versions have met: choose two with --between");
    refused("one.db two.db --between ccccccc,aaaaaaa", "have not met");
    refused("one.db --between bbbbbbb,bbbbbbb", "both are one version");
    refused("one.db --between bbbbbbb,none", "there is no version 'none'");
    // Seven digits of a commit are the fewest that name it.
    refused("one.db two.db --between bbbbbb,aaaaaaa", "there is no version 'bbbbbb'");
    refused("one.db two.db --between head,base", "'head' is 'bbbbbbb");
    refused("g.pgn", "g.pgn is not a store");
    refused("none.db", "none.db");
    refused("one.db --elo0 5 --elo1 0", "elo");
    refused("", "FILE");
    CHECK(shell(folder.root(), "$ASSAY stats pool one.db two.db --between bbbbbbb,aaaaaaa").code ==
          0);
}
