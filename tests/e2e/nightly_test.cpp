// Nights of a match and a suite: the built program on a real repository.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/faulty_player_repo.h"

namespace assay::test {

namespace {}  // namespace

TEST_CASE("Nights: one that fails, one that does not build and one without a commit are all told") {
    const FaultyPlayerRepo repo({"none", "broken", "research_loop"});
    const auto night = [&](const std::string& head, const std::string& base) {
        return repo.assay({"run", "suite.yaml", "--set", "programs.head.git.ref=" + head, "--set",
                           "programs.base.git.ref=" + base, "--set",
                           "match={between: [head, base], time: {nodes: 100}, pairs: 2, seed: 1, "
                           "adjudicate: {length: 20}}"});
    };
    const Finished well = night("c1", "c1");
    CHECK_MESSAGE(well.code == 0, well.out, well.err);
    CHECK(night("c2", "c1").code == 4);
    const Finished fails = night("c3", "c1");
    CHECK_MESSAGE(fails.code == 1, fails.out, fails.err);
    const Finished skipped = night("c3", "previous");
    CHECK(skipped.code == 0);
    CHECK(contains(skipped.out, "skipped: no commit since run 3"));

    const std::string runs = repo.assay({"runs"}).out;
    CHECK(contains(runs, "suite"));
    CHECK(contains(runs, " fails\n"));
    const std::string text = repo.assay({"report", "suite", "--history"}).out;
    CHECK(contains(text, "one expectation fails"));
    CHECK(contains(text, "no verdict: head at "));
    CHECK(contains(text, "does not build"));
    const auto json = parsed(repo.assay({"report", "suite", "--history", "--format", "json"}).out);
    CHECK(contains(std::string(json.at("summary").as_string()), "one expectation fails."));
    const auto& nights = json.at("nights").as_array();
    REQUIRE(nights.size() == 3);
    CHECK(nights[0].at("exit_code") == 0);
    CHECK(nights[1].at("outcome") == "no verdict");
    CHECK(nights[1].at("pairs") == 0);
    CHECK(nights[2].at("exit_code") == 1);
    CHECK(nights[2].at("failed_expectations") == 1);
    const std::string page = repo.assay({"report", "suite", "--history", "--format", "html"}).out;
    CHECK(contains(page, "one expectation fails"));
    CHECK(contains(page, "does not build"));
}

}  // namespace assay::test
