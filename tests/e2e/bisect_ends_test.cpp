// The ends of a bisection: the good commit is judged before any other.
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

/// Beside the suite one whose queries also ask for a flag that our player does not log.
void write_queries(const FaultyPlayerRepo& repo, const std::string& queries) {
    std::string suite = read_file(repo.dir().path("suite.yaml"));
    const std::string shipped = ASSAY_SOURCE_DIR "/configs/queries/search-health.gtql";
    suite.replace(suite.find(shipped), shipped.size(), "asked.gtql");
    write_file(repo.dir().path("asked.yaml"), suite);
    write_file(repo.dir().path("asked.gtql"), queries);
}

constexpr const char* kLoop =
    "#! name: re-search loop, max: 0\n"
    "child: count([]flags & ReSearch and [<]flags & ReSearch and []last_move = [<]last_move) > 2\n";
constexpr const char* kUnknown = "#! name: check storm, max: 0\nnode: flags & CheckStorm\n";

std::vector<std::string> words(std::vector<std::string> more) {
    more.insert(more.begin(),
                {"bisect", "asked.yaml", "--good", "c1", "--bad", "main", "--on", "query"});
    return more;
}

}  // namespace

TEST_CASE("Bisect: expectations that the good commit's log cannot answer are left out") {
    const FaultyPlayerRepo repo({"none", "none", "none", "research_loop"});
    write_queries(repo, std::string(kUnknown) + "\n" + kLoop);
    const Finished done = repo.assay(words({"--json"}));
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const auto json = parsed(done.out);
    CHECK(json.at("first_bad") == boost::json::value(repo.git({"rev-parse", "c4"})));
    CHECK_MESSAGE(contains(done.err,
                           "left out, the good commit does not answer 'check storm': "
                           "its log cannot answer: "),
                  done.err);
    // Both ends stand first.
    const auto& steps = json.at("steps").as_array();
    REQUIRE(steps.size() >= 3);
    CHECK(steps[0].at("commit") == boost::json::value(repo.git({"rev-parse", "c1"})));
    CHECK(steps[0].at("judgement") == "good");
    CHECK(steps[1].at("commit") == boost::json::value(repo.git({"rev-parse", "c4"})));
    CHECK(steps[1].at("judgement") == "bad");
    // A step of 'git bisect run' knows it too.
    repo.git({"checkout", "-q", "c2"});
    CHECK(repo.assay({"bisect", "asked.yaml", "--good", "c1", "--on", "query", "--step"}).code ==
          0);
    repo.git({"checkout", "-q", "c4"});
    CHECK(repo.assay({"bisect", "asked.yaml", "--good", "c1", "--on", "query", "--step"}).code ==
          1);
}

TEST_CASE("Bisect: where the good commit answers nothing that is asked, that is exit 2") {
    const FaultyPlayerRepo repo({"none", "none"});
    write_queries(repo, kUnknown);
    const Finished done = repo.assay(words({}));
    CHECK(done.code == 2);
    CHECK_MESSAGE(contains(done.err,
                           "bisect --on query: the good commit answers none of the "
                           "expectations; 'check storm': its log cannot answer: "),
                  done.err);
}

TEST_CASE("Bisect: a good end that is bad itself, or does not build, is said before the search") {
    const FaultyPlayerRepo repo({"research_loop", "none", "broken", "research_loop"});
    write_queries(repo, kLoop);
    const Finished bad = repo.assay(words({}));
    CHECK(bad.code == 3);
    CHECK_MESSAGE(contains(bad.out, "is bad itself, so that no commit after it"), bad.out);
    CHECK_FALSE(contains(bad.out, repo.git({"rev-parse", "--short=7", "c2"}) + " Commit"));
    const Finished broken =
        repo.assay({"bisect", "asked.yaml", "--good", "c3", "--bad", "main", "--on", "query"});
    CHECK(broken.code == 4);
    CHECK_MESSAGE(contains(broken.out, "the good commit cannot be judged: does not build"),
                  broken.out);
}

TEST_CASE("Bisect: a good commit that crashes itself is told, not taken for good") {
    const TinyRepo repo({"crash", "ok", "crash"});
    write_file(repo.dir().path("gate.yaml"),
               "each: {git: {repo: repo, build: [make, -C, src]}, command: ./src/engine}\n"
               "programs: {head: {}, base: {git: {ref: c1}}}\n"
               "match: {time: {depth: 2}, seed: 1}\nskip_if: same_bench\n");
    const Finished done = repo.assay(
        {"bisect", "gate.yaml", "--good", "c1", "--bad", "main", "--on", "crash", "--pairs", "2"});
    CHECK(done.code == 3);
    CHECK_MESSAGE(contains(done.out, "is bad itself"), done.out, done.err);
}

TEST_CASE("Suite: queries that ask for what a log does not have are told before the searches") {
    const FaultyPlayerRepo repo({"none"});
    write_queries(repo, std::string(kUnknown) + "\n" + kLoop);
    const Finished done = repo.assay({"run", "asked.yaml"});
    const std::size_t told = done.out.find("'check storm' will have no answer");
    REQUIRE_MESSAGE(told != std::string::npos, done.out);
    CHECK(contains(done.out, "warning: head: its log cannot answer: "));
    CHECK_FALSE(contains(done.out, "'re-search loop' will have no answer"));
    CHECK(told < done.out.find("positions"));
}

}  // namespace assay::test
