// Several matches of one config on the same places: who plays where is counted from the events.
#include <csignal>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value_to.hpp>
#include <doctest/doctest.h>

#include "base/random.h"
#include "harness/store/store.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::harness::GameDigest;
using assay::harness::PairDigest;
using assay::harness::PairState;
using assay::harness::Store;
using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// Matches of players whose games are the same each time.
std::string config(RunFolder& folder, const std::vector<std::string>& matches) {
    const std::string instant = folder.program("instant");
    std::string text;
    for (int program = 0; program < 3; ++program) {
        const std::string letter(1, static_cast<char>('a' + program));
        text += "  " + letter + ": {command: [" + instant +
                "], options: {Seed: " + std::to_string(program + 1) + "}}\n";
    }
    std::string list;
    for (std::size_t i = 0; i < matches.size(); ++i)
        list += "- {name: m" + std::to_string(i + 1) + ", seed: 3, time: {nodes: 10}, " +
                matches[i] + "}\n";
    return "programs:\n" + text + "matches:\n" + list;
}

struct Count {
    std::map<std::int64_t, std::int64_t> planned;           // pairs, by match that has begun
    std::set<std::pair<std::int64_t, std::int64_t>> begun;  // pairs
    int idle_ends = 0;               // games that ended beside an idle place while pairs were left
    int ends_beside_others = 0;      // games that ended beside games of another match
    std::vector<std::int64_t> ends;  // matches, in the order in which they ended
};

/// `total`: pairs of all matches.
Count counted(const std::string& events, std::size_t places, std::size_t total) {
    Count count;
    std::map<std::int64_t, std::int64_t> match_of_slot;  // of games in play
    std::istringstream lines(events);
    for (std::string line; std::getline(lines, line);) {
        const auto event = parsed(line).as_object();
        const std::string_view name = event.at("event").as_string();
        const auto number = [&event](const char* key) { return event.at(key).as_int64(); };
        if (name == "match_start") count.planned[number("match")] = number("planned");
        if (name == "match_end") count.ends.push_back(number("match"));
        if (name == "game_start") {
            CHECK(match_of_slot.emplace(number("slot"), number("match")).second);
            count.begun.emplace(number("match"), (number("game") - 1) / 2);
        }
        if (name != "game_end") continue;
        if (count.begun.size() < total && match_of_slot.size() < places) ++count.idle_ends;
        for (const auto& [slot, match] : match_of_slot)
            if (match != number("match")) {
                ++count.ends_beside_others;
                break;
            }
        match_of_slot.erase(number("slot"));
    }
    return count;
}

std::string essence(const RunFolder& folder, std::size_t match) {
    const Store store(folder.root() + "/assay.db", Store::Access::Read);
    std::string text;
    for (const PairDigest& pair : store.pairs(1, match)) {
        if (pair.state == PairState::Void) continue;
        text += std::to_string(pair.pair) + ":" + std::to_string(pair.opening_index);
        for (const GameDigest& game : pair.games)
            text += " " + std::to_string(game.number) + "/" + std::to_string(game.plies) + "/" +
                    std::to_string(game.scores.value[0]);
        text += "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("Sharing: no place is idle while a match of the config has pairs left") {
    for (const int places : {2, 3, 4}) {
        CAPTURE(places);
        RunFolder folder;
        const std::string concurrency = ", concurrency: " + std::to_string(places);
        folder.write("m.yaml", config(folder, {"between: [a, b], pairs: 7" + concurrency,
                                               "between: [a, c], pairs: 1" + concurrency,
                                               "between: [b, c], pairs: 6" + concurrency}));
        const Finished run = folder.assay({"run", "m.yaml", "--events", "-"});
        REQUIRE_MESSAGE(run.code == 0, run.err);
        const Count count = counted(run.out, static_cast<std::size_t>(places), 14);
        CHECK(count.planned == std::map<std::int64_t, std::int64_t>{{1, 7}, {2, 1}, {3, 6}});
        CHECK(count.begun.size() == 14);
        CHECK(count.idle_ends == 0);
        CHECK(count.ends_beside_others > 0);
        CHECK(count.ends.size() == 3);
        CHECK(folder.is_quiet());
    }
}

TEST_CASE("Sharing: each match has the pairs and results that it has alone") {
    const std::vector<std::string> matches = {"between: [a, b], pairs: 5, concurrency: 4",
                                              "between: [c, a], pairs: 6, concurrency: 4, stop: "
                                              "{sprt: {elo: [0, 10]}}"};
    RunFolder both;
    both.write("m.yaml", config(both, matches));
    const Finished run = both.assay({"run", "m.yaml"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    for (std::size_t i = 0; i < matches.size(); ++i) {
        CAPTURE(i);
        RunFolder alone;
        alone.write("m.yaml", config(alone, {matches[i]}));
        REQUIRE(alone.assay({"run", "m.yaml"}).code == 0);
        CHECK_FALSE(essence(alone, 0).empty());
        CHECK(essence(both, i) == essence(alone, 0));
    }
}

TEST_CASE("Sharing: matches with other places, minutes or a gate follow one another") {
    const std::string first = "between: [a, b], pairs: 3, concurrency: 4";
    RunFolder folder;
    int number = 0;
    const auto beside = [&](const std::string& second, const std::string& command) {
        const std::string events = "events" + std::to_string(++number);
        folder.write("m.yaml", config(folder, {first, "between: [a, c], pairs: 3, " + second}));
        const Finished run = folder.assay({command, "m.yaml", "--events", events});
        CAPTURE(run.err);
        CHECK(run.code != 2);
        return counted(folder.read(events), 4, 6).ends_beside_others > 0;
    };
    CHECK(beside("concurrency: 4", "run"));
    CHECK_FALSE(beside("concurrency: 3", "run"));
    CHECK_FALSE(beside("concurrency: 4, stop: {minutes: 10}", "run"));
    CHECK_FALSE(beside("concurrency: 4", "gate"));
}

TEST_CASE("Sharing: after kills the matches come to the same end") {
    const std::vector<std::string> matches = {"between: [a, b], pairs: 60, concurrency: 3",
                                              "between: [c, a], pairs: 2, concurrency: 3",
                                              "between: [b, c], pairs: 60, concurrency: 3"};
    RunFolder whole;
    whole.write("m.yaml", config(whole, matches));
    REQUIRE(whole.assay({"run", "m.yaml"}).code == 0);
    RunFolder cut;
    cut.write("m.yaml", config(cut, matches));
    assay::Random random(20261130);
    bool is_over = false;
    for (int i = 0; i < 8 && !is_over; ++i) {
        std::uint64_t changes = 1 + random.below(30);
        Child child(cut.assay_argv({"run", "m.yaml", "--resume", "--json"}), cut.root());
        (void)child.until([&] { return changes-- == 0; });
        child.signal(SIGKILL);
        (void)child.wait();
        is_over = contains(cut.assay({"runs", "--json"}).out, "\"finished\"");
    }
    if (!is_over) REQUIRE(cut.assay({"run", "m.yaml", "--resume"}).code == 0);
    for (std::size_t i = 0; i < matches.size(); ++i) CHECK(essence(cut, i) == essence(whole, i));
}

TEST_CASE("Sharing: a program that keeps failing ends the matches beside it") {
    RunFolder folder;
    std::string text = config(folder, {"between: [a, b], pairs: 1, concurrency: 2",
                                       "between: [a, x], pairs: 50, concurrency: 2",
                                       "between: [b, c], pairs: 5, concurrency: 2"});
    text.insert(text.find("matches:"),
                "  x: {command: [" + folder.program("misbehave") + ", --sin, exit]}\n");
    folder.write("m.yaml", text);
    const Finished run = folder.assay({"run", "m.yaml", "--events", "-"});
    CHECK(run.code == 4);
    CHECK(contains(run.out, "\"state\":\"failed\""));
    CHECK(contains(run.out, "failed in 5 games in a row"));
    CHECK(counted(run.out, 2, 56).planned.count(3) == 0);
    CHECK(folder.is_quiet());
}
