// The first bad commit: the built program on repositories of the tiny engine.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/faulty_player_repo.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

namespace {

void write_config(const TinyRepo& repo) {
    write_file(
        repo.dir().path("gate.yaml"),
        "each: {git: {repo: repo, build: [make, -C, src]}, command: ./src/engine, bench: {}}\n"
        "programs: {head: {}, base: {git: {ref: c1}}}\n"
        "match: {time: {depth: 2}, seed: 1}\n");
}

Finished bisect(const TinyRepo& repo, std::vector<std::string> more) {
    more.insert(more.begin(), {"bisect", "gate.yaml", "--good", "c1", "--bad", "main", "--on"});
    return repo.assay(more, 200);
}

Finished bisect_query(const FaultyPlayerRepo& repo, std::vector<std::string> more) {
    more.insert(more.begin(),
                {"bisect", "suite.yaml", "--good", "c1", "--bad", "main", "--on", "query"});
    return repo.assay(more);
}

}  // namespace

TEST_CASE("Bisect: the commit that broke an expectation on the search is found, and which one") {
    const FaultyPlayerRepo repo({"none", "none", "none", "research_loop", "research_loop"});
    const Finished done = bisect_query(repo, {"--json"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const auto json = parsed(done.out);
    CHECK(json.at("first_bad") == boost::json::value(repo.git({"rev-parse", "c4"})));
    CHECK(contains(done.err, "re-search loop: "));
    CHECK(contains(done.err, "good     " + repo.git({"rev-parse", "--short=7", "c3"})));
    // One that this fault does not break: there is nothing to find.
    const Finished other = bisect_query(repo, {"--expect", "extension storm"});
    CHECK(other.code == 3);
    CHECK(contains(other.out, "is not shown to be bad compared with"));
    CHECK(contains(other.out, ": there is nothing to find\n"));
    const Finished none = bisect_query(repo, {"--expect", "extension strom"});
    CHECK(none.code == 2);
    CHECK(contains(none.err, "no expectation 'extension strom'; did you mean 'extension storm'?"));
}

TEST_CASE("Bisect: the commit that made a program weaker is found, past one that does not build") {
    const TinyRepo repo({"ok", "ok", "broken", "weaker", "fixed", "weaker", "ok"});
    // c4 is weaker and still broken; c5 is well again; c6 is the one.
    write_config(repo);
    const Finished done = bisect(repo, {"elo", "--width", "150", "--json"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const auto json = parsed(done.out);
    CHECK(json.at("first_bad") == boost::json::value(repo.git({"rev-parse", "c6"})));
    CHECK(json.at("confidence").as_double() >= 0.94);
    CHECK(contains(done.err, "first bad commit: "));
    // Each judgement may be wrong, that of the bad end too.
    std::size_t decisions = 0;
    for (const auto& step : json.at("steps").as_array())
        decisions += step.at("judgement") == "good" || step.at("judgement") == "bad" ? 1U : 0U;
    CHECK_MESSAGE(contains(done.err, ": " + std::to_string(decisions) + " decisions, each wrong"),
                  done.err);
    // A second time nothing is played: the runs are in the store.
    const Finished again = bisect(repo, {"elo", "--width", "150", "--json"});
    CHECK(parsed(again.out).at("steps") == json.at("steps"));
}

TEST_CASE("Bisect: a crash is found in few pairs") {
    const TinyRepo repo({"ok", "ok", "crash", "ok"});
    write_config(repo);
    const Finished done = bisect(repo, {"crash", "--pairs", "4"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    CHECK(contains(done.out, "first bad commit: " + repo.git({"rev-parse", "--short=7", "c3"})));
    // What would find more is told in the words of what is looked for.
    const Finished none = repo.assay(
        {"bisect", "gate.yaml", "--good", "c1", "--bad", "c2", "--on", "crash", "--pairs", "2"});
    CHECK(none.code == 3);
    CHECK_MESSAGE(contains(none.out, "there is nothing to find, or it takes more --pairs\n"),
                  none.out);
}

TEST_CASE("Bisect: where the commits between cannot be judged a range is given") {
    const TinyRepo repo({"ok", "broken", "broken", "fixed", "crash"});
    write_config(repo);
    const Finished done =
        repo.assay({"bisect", "gate.yaml", "--good", "c1", "--bad", "c3", "--on", "bench"});
    // The bad end itself does not build.
    CHECK(done.code == 3);
    CHECK(contains(done.out, "is not shown to be bad compared with"));
}

TEST_CASE("Bisect: the commit that changed the signature is found") {
    const TinyRepo repo({"ok", "ok", "stronger", "broken", "mended"});
    write_config(repo);
    const Finished done = bisect(repo, {"bench"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    CHECK(contains(done.out, "first bad commit: " + repo.git({"rev-parse", "--short=7", "c3"})));
    CHECK(contains(done.out, "certain: signatures are equal or they differ"));
    // A program without 'bench' has the usual one.
    const Finished undeclared = bisect(repo, {"bench", "--set", "each.bench=null"});
    CHECK_MESSAGE(undeclared.code == 0, undeclared.out, undeclared.err);
    CHECK(contains(undeclared.out,
                   "first bad commit: " + repo.git({"rev-parse", "--short=7", "c3"})));
}

TEST_CASE("Bisect: --step judges a checkout as 'git bisect run' wants") {
    const TinyRepo repo({"ok", "ok", "crash", "broken"});
    write_config(repo);
    const auto step = [&](const char* ref) {
        repo.git({"checkout", "-q", ref});
        return repo
            .assay(
                {"bisect", "gate.yaml", "--good", "c1", "--on", "crash", "--pairs", "2", "--step"})
            .code;
    };
    CHECK(step("c2") == 0);
    CHECK(step("c3") == 1);
    CHECK(step("c4") == 125);
    // What says nothing about a commit must not blame it: git takes 1 to 124 for bad.
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"none.yaml", "--good", "c1", "--on", "crash"},
          {"gate.yaml", "--good", "nowhere", "--on", "crash"},
          {"gate.yaml", "--good", "c1", "--on", "crash", "--no-such-flag"},
          {"gate.yaml", "--good", "c1", "--on", "query"}}) {
        std::vector<std::string> words{"bisect", "--step"};
        words.insert(words.end(), wrong.begin(), wrong.end());
        CHECK(repo.assay(words).code == 128);
    }
}

TEST_CASE("Bisect: what cannot be looked through is exit 2") {
    const TinyRepo repo({"ok", "ok"});
    write_config(repo);
    CHECK(bisect(repo, {"elo", "--set", "each.git=null"}).code == 2);
    const Finished no_suite = bisect(repo, {"query"});
    CHECK(no_suite.code == 2);
    CHECK(contains(no_suite.err, "the config has no 'suite'"));
    CHECK(bisect(repo, {"elo", "--expect", "size"}).code == 2);
    CHECK(repo.assay({"bisect", "gate.yaml", "--good", "c2", "--bad", "c1", "--on", "elo"}).code ==
          2);
}

}  // namespace assay::test
