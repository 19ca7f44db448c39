// The reports of tournaments that were played: every form of one store, and the rating list of it.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;
namespace json = boost::json;

using assay::test::times_in;

namespace {

/// Four players that differ by their seeds; where it is asked for, a fifth one that aborts.
std::string config_of(RunFolder& folder, const std::string& tournament, bool has_crasher = false) {
    const std::string instant = folder.program("instant");
    std::string text = "programs:\n";
    for (int i = 1; i <= 4; ++i)
        text += "  p" + std::to_string(i) + ": {command: [" + instant +
                "], options: {Seed: " + std::to_string(i) + "}}\n";
    if (has_crasher)
        text +=
            "  bad: {command: [" + folder.program("misbehave") + ", --sin, abort, --at, \"3\"]}\n";
    return text + "tournament: {" + tournament +
           "}\nmatch: {time: {nodes: 10}, concurrency: 2, seed: 7, adjudicate: {length: 40}}\n" +
           "failures_in_a_row: 1000\n";
}

/// The numbers in the page's table of games.
std::vector<std::string> numbers_of_games(const std::string& page) {
    const std::string before = "<td class=\"n\"><a href=\"#game\">";
    std::vector<std::string> numbers;
    for (std::size_t at = page.find(before); at != std::string::npos; at = page.find(before, at)) {
        at += before.size();
        numbers.push_back(page.substr(at, page.find('<', at) - at));
    }
    return numbers;
}

}  // namespace

TEST_CASE("Tournament reports: all forms of a store have the same table, and rate its ratings") {
    RunFolder folder;
    folder.write("cup.yaml", config_of(folder, "kind: round_robin, rounds: 2, openings: 3"));
    const Finished played = folder.assay({"run", "cup.yaml"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    const Finished text = folder.assay({"report", "cup"});
    REQUIRE_MESSAGE(text.code == 0, text.err);
    CHECK(contains(text.out, "round robin of 4 programs · 12 of 12 meetings, 72 games\n"));
    // What the run printed at its end is what the store gives.
    const std::string table = text.out.substr(text.out.find("rank  program"));
    CHECK(contains(played.out, table.substr(0, table.find("\n\n"))));

    const json::value run = parsed(folder.assay({"report", "cup", "--format", "json"}).out);
    const json::value& cup = run.at("tournament");
    CHECK(run.at("verdict").is_null());
    CHECK(run.at("games").to_number<int>() == 72);
    CHECK_FALSE(run.as_object().contains("matches"));
    CHECK(cup.at("over").as_bool());
    std::map<std::string, double> elo;
    std::map<std::string, double> high;
    double points = 0;
    for (const json::value& program : cup.at("programs").as_array()) {
        const std::string name(program.at("name").as_string());
        elo[name] = program.at("elo").to_number<double>();
        high[name] = program.at("simultaneous95").at(1).to_number<double>();
        points += program.at("points").to_number<double>();
        CHECK(program.at("games").to_number<int>() == 36);
        CHECK(contains(text.out, name));
    }
    CHECK(points == 72);

    for (const char* by : {"commit", "name"}) {
        CAPTURE(by);
        const json::value list =
            parsed(folder.assay({"stats", "rate", "assay.db", "--by", by, "--json"}).out);
        REQUIRE(list.at("programs").as_array().size() == 4);
        for (const json::value& program : list.at("programs").as_array()) {
            const std::string name(program.at("version").at("names").at(0).as_string());
            CAPTURE(name);
            CHECK(std::fabs(program.at("elo").to_number<double>() - elo.at(name)) < 1e-6);
            CHECK(std::fabs(program.at("simultaneous95").at(1).to_number<double>() -
                            high.at(name)) < 1e-6);
        }
    }

    const std::string pgn = folder.assay({"report", "cup", "--format", "pgn"}).out;
    CHECK(times_in(pgn, "[Event \"cup\"]") == 72);
    // Two programs meet in 6 of 2 * 3 rounds; a round has two meetings of six games.
    for (const char* round : {"1.1", "1.6", "6.1", "6.6"}) {
        CAPTURE(round);
        CHECK(times_in(pgn, std::string("[Round \"") + round + "\"]") == 2);
    }
    const std::string csv = folder.assay({"report", "cup", "--format", "standings"}).out;
    CHECK(csv.starts_with("rank,program,version,points,games,"));
    CHECK(contains(csv, ",\"points against p1\","));
    CHECK(contains(csv, ",\"games against p1\""));
    CHECK(std::ranges::count(csv, '\n') == 5);
    const json::value badge = parsed(folder.assay({"report", "cup", "--format", "badge"}).out);
    CHECK(contains(std::string(badge.at("message").as_string()), " of 36 points"));
    const std::string junit = folder.assay({"report", "cup", "--format", "junit"}).out;
    CHECK(contains(junit, "tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"0\""));
    const std::string page = folder.assay({"report", "cup", "--format", "html"}).out;
    CHECK(contains(page, "id=\"standings\""));
    CHECK(contains(page, "id=\"crosstable\""));
    CHECK_FALSE(contains(page, "id=\"test\""));
    CHECK_FALSE(contains(page, "id=\"diag\""));
    // Each cell of the crosstable leads to games of its two, and the first of these has a board.
    for (int match = 1; match <= 6; ++match) {
        const std::string number = std::to_string(match);
        CHECK(contains(page,
                       "<a href=\"#games?match=" + number + "\" data-filter=\"match=" + number));
        CHECK(times_in(page, "data-match=\"" + number + "\"") == 8);
    }
    // No two of them have one number.
    const std::vector<std::string> numbers = numbers_of_games(page);
    CHECK(numbers.size() == 48);
    CHECK(std::set<std::string>(numbers.begin(), numbers.end()).size() == 48);
    CHECK(std::ranges::count(numbers, "1") == 1);
    CHECK(std::ranges::count(numbers, "6-1") == 1);
    CHECK(contains(page, "48 of 72 games; all are in <code>assay report 1"));
    CHECK(contains(page, "<section id=\"game\">"));
    CHECK(contains(page, "Game 1 of p1 – p2: drawn"));
    const std::size_t figures = page.find("<dl class=\"kf\">");
    REQUIRE(figures != std::string::npos);
    CHECK(page.find("<dt>Programs") > figures);
    CHECK(page.find("<dt>Programs") < page.find("</dl>", figures));
    CHECK(contains(folder.assay({"report", "cup", "--format", "markdown"}).out,
                   "| rank | program | points |"));
    const std::string metrics = folder.assay({"report", "cup", "--format", "openmetrics"}).out;
    CHECK(contains(metrics, "assay_points{config=\"cup\",program=\"p1\"} "));
    CHECK(metrics.ends_with("# EOF\n"));
}

TEST_CASE("Tournament reports: a program that crashes stands there with its crashes") {
    RunFolder folder;
    folder.write("cup.yaml", config_of(folder, "kind: gauntlet, rounds: 2", true));
    const Finished played = folder.assay({"run", "cup.yaml"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    const json::value run = parsed(folder.assay({"report", "cup", "--format", "json"}).out);
    std::int64_t crashes = 0;
    for (const json::value& program : run.at("tournament").at("programs").as_array()) {
        const bool is_bad = program.at("name").as_string() == "bad";
        const auto seen = program.at("failures").at("crashes").to_number<std::int64_t>();
        CHECK((seen > 0) == is_bad);
        crashes += seen;
    }
    CHECK(crashes == 4);  // two meetings of two games with the seed
    const std::string text = folder.assay({"report", "cup"}).out;
    CHECK(contains(text, "4 crashes"));
    CHECK(contains(text, "again: assay replay"));
    const std::string page = folder.assay({"report", "cup", "--format", "html"}).out;
    CHECK(contains(page, "4 crashes"));
    CHECK(contains(page, "one-sided, so that the ratings rest on"));
    const std::string junit = folder.assay({"report", "cup", "--format", "junit"}).out;
    CHECK(contains(junit, "tests=\"6\" failures=\"1\""));
    CHECK(contains(junit, "0 of 4 points, 4 crashes\">"));
    const std::string metrics = folder.assay({"report", "cup", "--format", "openmetrics"}).out;
    CHECK(contains(metrics, "assay_crashes{config=\"cup\",program=\"bad\"} 4\n"));
    CHECK(contains(metrics, "assay_stalls{config=\"cup\",program=\"bad\"} 0\n"));
    const Finished none = folder.assay({"report", "cup", "--history", "--format", "text"});
    CHECK(none.code == 2);
    CHECK(contains(none.err, "cup is a tournament, which has no history: 'assay stats rate'"));
    CHECK(contains(folder.assay({"report", "--history"}).err, ": cup is a tournament, which has"));
}

TEST_CASE("Tournament reports: times that differ are told for each program") {
    RunFolder folder;
    std::string text = config_of(folder, "kind: round_robin");
    const std::string one = "time: {nodes: 10}";
    text.replace(text.find(one), one.size(),
                 "time: {p1: {nodes: 10}, p2: {nodes: 25}, p3: {nodes: 10}, p4: {nodes: 10}}");
    folder.write("cup.yaml", text);
    const Finished played = folder.assay({"run", "cup.yaml"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    const std::string page = folder.assay({"report", "cup", "--format", "html"}).out;
    CHECK(contains(page, "time of p1"));
    CHECK(contains(page, "time of p4"));
    CHECK(contains(page, "<dt>time of p2</dt><dd>nodes 25</dd>"));
}

TEST_CASE("Tournament reports: an armageddon is called one in each form, and by a tag in PGN") {
    RunFolder folder;
    folder.write("cup.yaml",
                 config_of(folder, "kind: knockout, games: 1, replays: 0, armageddon: true"));
    REQUIRE(folder.assay({"run", "cup.yaml"}).code == 0);
    const json::value run = parsed(folder.assay({"report", "cup", "--format", "json"}).out);
    std::size_t armageddons = 0;
    for (const json::value& round : run.at("tournament").at("rounds").as_array())
        for (const json::value& meeting : round.at("meetings").as_array())
            if (meeting.at("armageddon").as_bool()) ++armageddons;
    REQUIRE(armageddons > 0);
    CHECK(times_in(folder.assay({"report", "cup", "--format", "pgn"}).out,
                   "[Armageddon \"a draw counts for p") == armageddons);
    CHECK(times_in(folder.assay({"report", "cup"}).out, " (armageddon)\n") == armageddons);
    CHECK(times_in(folder.assay({"report", "cup", "--format", "html"}).out,
                   "<span class=\"s\">armageddon</span>") == armageddons);
}

TEST_CASE("Tournament reports: a knockout and a Swiss have their rounds in every form") {
    for (const char* kind : {"knockout, replays: 2", "swiss, rounds: 3"}) {
        CAPTURE(kind);
        RunFolder folder;
        folder.write("cup.yaml", config_of(folder, std::string("kind: ") + kind));
        REQUIRE(folder.assay({"run", "cup.yaml"}).code == 0);
        const json::value run = parsed(folder.assay({"report", "cup", "--format", "json"}).out);
        const json::value& cup = run.at("tournament");
        const bool is_knockout = std::string(kind).starts_with("knockout");
        CHECK(cup.at("rounds").as_array().size() == (is_knockout ? 2U : 3U));
        CHECK(cup.at("winner").is_null() == !is_knockout);
        const std::string text = folder.assay({"report", "cup"}).out;
        CHECK(contains(text, is_knockout ? "\nfinal\n" : "\nround 3\n"));
        CHECK(contains(folder.assay({"report", "cup", "--format", "html"}).out, "id=\"rounds\""));
    }
}
