#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <sys/stat.h>
#include <thread>

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "base/random.h"
#include "tests/e2e/bench_run.h"

using assay::test::Child;
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

void sleep_ms(std::uint64_t ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

}  // namespace

TEST_CASE("Resume: after kills at random moments nothing is lost and nothing counted twice") {
    const int kills = assay::test::is_long() ? 100 : 10;
#ifdef NDEBUG
    const int pairs = 60 * kills;  // as fast as it is, it must not be over before the kills
#else
    const int pairs = 6 * kills;
#endif
    RunFolder whole;
    whole.write("m.yaml", whole.repeatable_config(pairs));
    const Finished uncut = whole.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(uncut.code == 0, uncut.err);
    const auto slice = static_cast<std::uint64_t>(1000 * uncut.seconds / kills);

    RunFolder cut;
    cut.write("m.yaml", cut.repeatable_config(pairs));
    bool is_over = false;
    assay::Random random(20261127);
    for (int i = 0; i < kills; ++i) {
        const std::uint64_t after = 20 + random.below(slice + 200);
        CAPTURE(after);
        Child child(cut.assay_argv({"run", "m.yaml", "--resume", "--json"}), cut.root());
        sleep_ms(after);
        child.signal(SIGKILL);
        (void)child.wait(10);
        CHECK(cut.is_quiet());
        // A --resume after the end would begin a second run.
        is_over = cut.assay({"runs", "--json"}).out.find("\"finished\"") != std::string::npos;
        if (is_over) break;
    }
    const Finished rest = is_over ? cut.assay({"report", "--format", "json"})
                                  : cut.assay({"run", "m.yaml", "--resume", "--json"});
    REQUIRE_MESSAGE(rest.code == 0, rest.err);
    CHECK(essence(rest.out).counts == essence(uncut.out).counts);
    CHECK(essence(rest.out).pairs == pairs);
    const Finished runs = cut.assay({"runs", "--json"});
    CHECK(std::count(runs.out.begin(), runs.out.end(), '\n') == 1);  // a line a run
}

TEST_CASE("Signals: the first interrupt stops within two seconds, leaves no child, and resumes") {
    for (const int signal : {SIGINT, SIGTERM}) {
        RunFolder folder;
        folder.write("m.yaml", folder.repeatable_config(100'000));
        Child child(folder.assay_argv({"run", "m.yaml"}), folder.root());
        while (child.out_so_far().find("run 1 in") == std::string::npos) sleep_ms(10);
        sleep_ms(1500);
        child.signal(signal);
        const Finished finished = child.wait(20);
        CAPTURE(finished.out);
        CAPTURE(finished.err);
        CHECK(finished.code == 128 + signal);
        CHECK(finished.seconds < 2.5);
        CHECK(folder.is_quiet());
        CHECK(finished.out.find("--resume") != std::string::npos);
        const Finished report = folder.assay({"report", "--format", "json"});
        CHECK(parsed(report.out).at("games").as_int64() > 0);
    }
}

TEST_CASE("Signals: the first interrupt does not wait for the end of a long search") {
    RunFolder folder;
    folder.write("m.yaml", "each: {command: [" + folder.program("player") +
                               "]}\nprograms: {a: {}, b: {}}\nmatch: {between: [a, b], time: "
                               "{move: 1h}, pairs: 1, openings: {book: none}}\n");
    Child child(folder.assay_argv({"run", "m.yaml"}), folder.root());
    for (int i = 0; i < 6000 && child.out_so_far().find("run 1 in") == std::string::npos; ++i)
        sleep_ms(10);
    REQUIRE(child.out_so_far().find("run 1 in") != std::string::npos);
    sleep_ms(1500);
    child.signal(SIGINT);
    const Finished finished = child.wait(60);  // of the search's hour
    CAPTURE(finished.err);
    CHECK(finished.code == 130);
    CHECK(folder.is_quiet());
    CHECK(finished.out.find("--resume") != std::string::npos);
}

TEST_CASE("Signals: a second interrupt ends at once") {
    RunFolder folder;
    const std::string misbehave = folder.program("misbehave");
    folder.write("m.yaml",
                 "each: {command: [" + misbehave + ", --sin, ignores-term]}\n" +
                     "programs: {a: {}, b: {}}\nmatch: {between: [a, b], time: 60+1, pairs: 1000, "
                     "openings: {book: none}}\n");
    Child child(folder.assay_argv({"run", "m.yaml"}), folder.root());
    sleep_ms(1000);
    child.signal(SIGINT);
    sleep_ms(50);
    child.signal(SIGINT);
    const Finished finished = child.wait(20);
    CHECK(finished.code == 130);
    CHECK(finished.seconds < 1);
    CHECK(folder.is_quiet());
}

TEST_CASE("Signals: a run that is still being opened ends at once, however long its book takes") {
    RunFolder folder;
    folder.write("m.yaml", folder.repeatable_config(10));
    const std::string book = folder.root() + "/book.epd";
    REQUIRE(::mkfifo(book.c_str(), 0600) == 0);  // whoever reads it waits for ever
    Child child(folder.assay_argv({"run", "m.yaml", "--set", "match.openings=" + book}),
                folder.root());
    sleep_ms(500);
    child.signal(SIGINT);
    const Finished finished = child.wait(10);
    CHECK(finished.code == 130);
    CHECK(finished.seconds < 2);
    CHECK(finished.out.find("reading the book '" + book + "' from a pipe") != std::string::npos);
}
