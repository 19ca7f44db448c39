#include <algorithm>
#include <csignal>
#include <string>
#include <sys/stat.h>

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "base/random.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/how_many.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

struct Essence {
    std::string counts;
    std::int64_t pairs;
};

Essence essence(const std::string& json) {
    const auto run = parsed(json);
    return {boost::json::serialize(run.at("pentanomial")) + boost::json::serialize(run.at("wdl")) +
                boost::json::serialize(run.at("terminations")),
            run.at("pairs").as_int64()};
}

}  // namespace

TEST_CASE("Resume: after kills at random moments nothing is lost and nothing counted twice") {
    const int kills = assay::test::is_long() ? 100 : 10;
    const int pairs = 8 * kills;
    RunFolder whole;
    whole.write("m.yaml", whole.repeatable_config(pairs));
    const Finished uncut = whole.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(uncut.code == 0, uncut.err);

    RunFolder cut;
    cut.write("m.yaml", cut.repeatable_config(pairs));
    bool is_over = false;
    int was_killed = 0;
    assay::Random random(20261127);
    for (int i = 0; i < kills; ++i) {
        // At a moment of what it writes: from before there is a store to among many games.
        std::uint64_t changes = 1 + random.below(30);
        CAPTURE(changes);
        Child child(cut.assay_argv({"run", "m.yaml", "--resume", "--json"}), cut.root());
        (void)child.until([&] { return changes-- == 0; });
        child.signal(SIGKILL);
        was_killed += child.wait().code == 128 + SIGKILL ? 1 : 0;
        CHECK(cut.is_quiet());
        // A --resume after the end would begin a second run.
        is_over = cut.assay({"runs", "--json"}).out.find("\"finished\"") != std::string::npos;
        if (is_over) break;
    }
    CHECK(was_killed > 2);
    const Finished rest = is_over ? cut.assay({"report", "--format", "json"})
                                  : cut.assay({"run", "m.yaml", "--resume", "--json"});
    REQUIRE_MESSAGE(rest.code == 0, rest.err);
    CHECK(essence(rest.out).counts == essence(uncut.out).counts);
    CHECK(essence(rest.out).pairs == pairs);
    const Finished runs = cut.assay({"runs", "--json"});
    CHECK(std::count(runs.out.begin(), runs.out.end(), '\n') == 1);  // a line a run
}

TEST_CASE("Resume: crashes between games are not forgotten by a kill") {
    RunFolder folder;
    folder.write("m.yaml", "programs:\n  bad: {command: [" + folder.program("misbehave") +
                               ", --sin, abort-between]}\n  good: {command: [" +
                               folder.program("instant") +
                               "]}\nmatch: {between: [bad, good], pairs: 20, time: {nodes: 10}, "
                               "concurrency: 1, seed: 7, adjudicate: {length: 40}}\n"
                               "failures_in_a_row: 1000\n");
    const std::vector<std::string> words{"run", "m.yaml", "--resume", "--json"};
    Child child(folder.assay_argv(words), folder.root());
    REQUIRE(child.until([&] { return folder.games_stored() >= 20; }));
    child.signal(SIGKILL);
    REQUIRE(child.wait().code == 128 + SIGKILL);
    const int games = folder.games_stored();
    const auto crashes = [](const Finished& report) {
        return parsed(report.out).at("failures").at(0).at("crashes").as_int64();
    };
    // Behind each game one, but for those of which no kill lets a process write.
    const Finished killed = folder.assay({"report", "--format", "json"});
    CHECK(crashes(killed) >= games - 3);
    CHECK(crashes(killed) <= games);
    const Finished resumed = folder.assay(words);
    REQUIRE_MESSAGE(resumed.code == 0, resumed.err);
    CHECK(crashes(resumed) >= 36);
    CHECK(crashes(folder.assay({"report", "--format", "json"})) == crashes(resumed));
}

TEST_CASE("Signals: the first interrupt stops, leaves no child, and resumes") {
    for (const int signal : {SIGINT, SIGTERM}) {
        RunFolder folder;
        folder.write("m.yaml", folder.repeatable_config(100'000));
        Child child(folder.assay_argv({"run", "m.yaml"}), folder.root());
        REQUIRE(child.until([&] { return folder.games_stored() >= 40; }));
        child.signal(signal);
        const Finished finished = child.wait();
        CAPTURE(finished.out);
        CAPTURE(finished.err);
        CHECK(finished.code == 128 + signal);
        CHECK(folder.is_quiet());
        CHECK(finished.out.find("--resume") != std::string::npos);
        const Finished report = folder.assay({"report", "--format", "json"});
        CHECK(parsed(report.out).at("games").as_int64() > 0);
    }
}

TEST_CASE("Signals: the first interrupt does not wait for the end of a long search") {
    RunFolder folder;
    const std::string player = folder.program("player");
    // All that is sent to the programs is in a file, too.
    folder.write("m.yaml", "each: {command: [/bin/sh, -c, 'tee -a sent | " + player +
                               "']}\nprograms: {a: {}, b: {}}\nmatch: {between: [a, b], time: "
                               "{move: 1h}, pairs: 1, openings: {book: none}}\n");
    folder.write("sent", "");
    Child child(folder.assay_argv({"run", "m.yaml"}), folder.root());
    REQUIRE(child.until([&] { return contains(folder.read("sent"), "\ngo "); }));
    child.signal(SIGINT);
    const Finished finished = child.wait();
    CAPTURE(finished.err);
    CHECK(finished.code == 130);
    CHECK(folder.is_quiet());
    CHECK(finished.out.find("--resume") != std::string::npos);
}

TEST_CASE("Signals: a second interrupt waits for no program that goes on after quit and TERM") {
    // The first interrupt alone says quit, then TERM, then kills. On a busy machine the second one
    // may come after TERM: then this is tried again.
    bool was_at_once = false;
    for (int attempt = 0; attempt < 20 && !was_at_once; ++attempt) {
        RunFolder folder;
        folder.write("told", "");
        folder.write("m.yaml",
                     "each: {command: [/bin/sh, -c, 'exec " + folder.program("misbehave") +
                         " --sin ignores-term 2>>told']}\nprograms: {a: {}, b: {}}\nmatch: "
                         "{between: [a, b], time: 60+1, pairs: 1000, openings: {book: none}}\n");
        Child child(folder.assay_argv({"run", "m.yaml"}), folder.root());
        REQUIRE(child.until([&] { return folder.games_stored() > 0; }));
        child.signal(SIGINT);
        REQUIRE(child.until([&] { return contains(folder.read("told"), "quit"); }));
        child.signal(SIGINT);
        CHECK(child.wait().code == 130);
        CHECK(folder.is_quiet());
        was_at_once = !contains(folder.read("told"), "TERM");
    }
    CHECK(was_at_once);
}

TEST_CASE("Signals: a run that is still being opened ends at once, however long its book takes") {
    RunFolder folder;
    folder.write("m.yaml", folder.repeatable_config(10));
    const std::string book = folder.root() + "/book.epd";
    REQUIRE(::mkfifo(book.c_str(), 0600) == 0);
    // Under this name it is read, and whoever reads it waits for ever.
    const std::string pipe = "/proc/self/root" + book;
    Child child(folder.assay_argv({"run", "m.yaml", "--set", "match.openings=" + pipe}),
                folder.root());
    REQUIRE(child.says("reading the book '" + pipe + "' from a pipe"));
    child.signal(SIGINT);
    CHECK(child.wait().code == 130);
}
