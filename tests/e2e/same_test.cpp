// Programs that are the same: said before the games, and skipped where that is asked for.
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

namespace {

/// A gate between two commits whose programs carry their commit in a text, so that equal sources
/// make different executables.
void write_gate(const TinyRepo& repo, const std::string& head, const std::string& base,
                const std::string& more = "skip_if: same_bench\n") {
    write_file(repo.dir().path("gate.yaml"),
               "each: {git: {repo: repo, build: [make, -C, src]}, command: [./src/engine]}\n"
               "programs: {head: {git: {ref: " +
                   head + "}}, base: {git: {ref: " + base +
                   "}}}\n"
                   "match: {time: {depth: 1}, pairs: 4, seed: 1}\nstop: {fixed: {}}\n" +
                   more);
}

/// An extra build step after which an executable ends with its commit's id.
constexpr const char* kStamped =
    "each.git.build=[[make, -C, src], [sh, -c, 'git rev-parse HEAD >> src/engine']]";

}  // namespace

TEST_CASE("Same programs: one executable twice is said before the games, which are still played") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo, "c1", "c1", "");
    const Finished done = repo.assay({"run", "gate.yaml"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const std::size_t said =
        done.out.find("head and base are the same executable with the same options: only chance");
    REQUIRE_MESSAGE(said != std::string::npos, done.out);
    CHECK(said < done.out.find("fixed: the sign-flip test"));
    const auto json = parsed(repo.assay({"report", "--format", "json"}).out);
    CHECK(json.at("same") == "same_executable");
    CHECK(json.at("pairs") == 4);
    CHECK(contains(repo.assay({"report", "--format", "markdown"}).out,
                   "| programs | head and base are the same executable with the same options |"));
    // Other options, or another clock, are a difference.
    for (const char* const set :
         {"programs.head.options.Hash=2", "match.time={head: {depth: 1}, base: {depth: 2}}"}) {
        CAPTURE(set);
        const Finished other = repo.assay({"run", "gate.yaml", "--set", set});
        CHECK_FALSE(contains(other.out, "the same executable"));
    }
}

TEST_CASE("Same programs: skip_if ends a gate with 'no change' and exit code 0, in all reports") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo, "c2", "c1");
    const Finished done =
        repo.assay({"gate", "gate.yaml", "--set", kStamped, "--out", "out", "--json"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const std::string why = "no change: head and base have the same benchmark (";
    CHECK_MESSAGE(contains(done.err, "skipped: " + why), done.err);
    CHECK(contains(done.err, "the benchmark of head at "));
    const auto json = parsed(done.out);
    CHECK(json.at("outcome") == "no change");
    CHECK(json.at("outcome_reason") == "same_programs");
    CHECK(json.at("verdict").is_null());
    CHECK(json.at("pairs") == 0);
    CHECK(json.at("exit_code") == 0);
    CHECK(contains(std::string(json.at("skipped").as_string()), why));
    CHECK(json.at("same") == "same_bench");
    const auto in_out = [&](const char* name) {
        return read_file(repo.dir().path(std::string("out/") + name));
    };
    CHECK(contains(in_out("report.md"), "gate: **no change**, exit 0"));
    CHECK(contains(in_out("report.md"), why));
    CHECK(contains(in_out("junit.xml"), "<skipped message=\"" + why));
    CHECK_FALSE(contains(in_out("junit.xml"), "<failure"));
    CHECK(contains(in_out("report.html"), why));
    CHECK(contains(repo.assay({"report", "--format", "badge"}).out, "\"no change\""));
    CHECK(contains(repo.assay({"report"}).out, why));
}

TEST_CASE("Same programs: a night that changes nothing is skipped, and its history marks it") {
    const TinyRepo repo({"ok", "ok", "stronger"});
    write_gate(repo, "c2", "c1");
    const Finished skipped = repo.assay({"run", "gate.yaml", "--set", kStamped});
    CHECK_MESSAGE(skipped.code == 0, skipped.out, skipped.err);
    CHECK(contains(skipped.out, "skipped: no change: head and base have the same benchmark"));
    CHECK_FALSE(contains(skipped.out, "fixed: the sign-flip test"));
    // A commit that searches other nodes is played.
    write_gate(repo, "c3", "c1");
    const Finished played = repo.assay({"run", "gate.yaml", "--set", kStamped});
    CHECK_MESSAGE(played.code == 0, played.out, played.err);
    CHECK(contains(played.out, "fixed: the sign-flip test"));
    CHECK(contains(played.out, "  bench head "));
    CHECK(contains(repo.assay({"report", "--format", "markdown"}).out, "| bench | head "));
    const std::string history = repo.assay({"report", "gate", "--history"}).out;
    CHECK(contains(history, "no change: head and base have the same benchmark"));
    const auto json = parsed(repo.assay({"report", "gate", "--history", "--format", "json"}).out);
    const auto& nights = json.at("nights").as_array();
    REQUIRE(nights.size() == 2);
    CHECK(nights[0].at("outcome") == "no change");
    CHECK(contains(repo.assay({"runs"}).out, "no change"));
    // More games of it are played all the same.
    write_gate(repo, "c2", "c1");
    const Finished extended = repo.assay({"run", "gate.yaml", "--set", kStamped, "--extend", "1"});
    CHECK_MESSAGE(extended.code == 0, extended.out, extended.err);
    CHECK(contains(extended.out, "fixed: the sign-flip test"));
}

TEST_CASE("Same programs: skip_if skips one executable without a benchmark of its own") {
    const TinyRepo repo({"ok"});
    write_file(repo.dir().path("gate.yaml"),
               "each: {command: " ASSAY_BINARY_DIR
               "/tests/engines/misbehave}\n"
               "programs: {head: {}, base: {}}\nskip_if: same_bench\n"
               "match: {time: {depth: 1}, pairs: 1, seed: 1}\nstop: {fixed: {}}\n");
    const Finished same = repo.assay({"gate", "gate.yaml"});
    CHECK_MESSAGE(same.code == 0, same.out, same.err);
    CHECK(contains(same.out, "skipped: no change: head and base are the same executable"));
    // Options have one name in capitals and small letters, and values have not.
    const Finished cases = repo.assay({"gate", "gate.yaml", "--set", "programs.head.options.Hash=2",
                                       "--set", "programs.base.options.hash=2"});
    CHECK(contains(cases.out, "skipped: no change: head and base are the same executable"));
    // Other options: nothing says that they are the same.
    const Finished other = repo.assay(
        {"gate", "gate.yaml", "--set", "programs.head.options.Hash=2", "--inconclusive", "pass"});
    CHECK_MESSAGE(contains(other.out, "fixed: the sign-flip test"), other.out, other.err);
}

TEST_CASE("Same programs: skip_if plays one script in two places without a benchmark") {
    const TinyRepo repo({"ok"});
    const auto start = [&](const std::string& folder) {
        std::filesystem::create_directory(repo.dir().path(folder));
        const std::string script = repo.dir().path(folder + "/start");
        write_file(script, "#!/bin/sh\n[ \"$1\" = bench ] && exit 3\nexec " ASSAY_BINARY_DIR
                           "/tests/engines/misbehave\n");
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    };
    start("one");
    start("two");
    write_file(repo.dir().path("gate.yaml"),
               "programs: {head: {command: ./one/start}, base: {command: ./two/start}}\n"
               "skip_if: same_bench\n"
               "match: {time: {depth: 1}, pairs: 1, seed: 1}\nstop: {fixed: {}}\n");
    const Finished played = repo.assay({"gate", "gate.yaml", "--inconclusive", "pass"});
    CHECK_MESSAGE(contains(played.out, "fixed: the sign-flip test"), played.out, played.err);
    CHECK_FALSE(contains(played.out, "skipped: no change"));
}

TEST_CASE("Same programs: a script of two commits is one program where all their files are equal") {
    const TinyRepo repo({"ok"});
    const auto commit = [&](const std::string& name, const std::string& depth) {
        write_file(repo.path() + "/start",
                   "#!/bin/sh\n[ \"$1\" = bench ] && exit 3\nexec " ASSAY_BINARY_DIR
                   "/tests/engines/misbehave\n");
        std::filesystem::permissions(repo.path() + "/start", std::filesystem::perms::owner_all);
        write_file(repo.path() + "/evaluation.py", depth);
        (void)repo.git({"add", "-A"});
        (void)repo.git({"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q",
                        "--allow-empty", "-m", name});
        (void)repo.git({"tag", name});
    };
    commit("one", "depth = 1");
    commit("other", "depth = 2");
    commit("equal", "depth = 2");
    const auto played = [&](const std::string& head, const std::string& base) {
        write_file(repo.dir().path("gate.yaml"),
                   "each: {git: {repo: repo}, command: [./start]}\n"
                   "programs: {head: {git: {ref: " +
                       head + "}}, base: {git: {ref: " + base +
                       "}}}\nmatch: {time: {depth: 1}, pairs: 1, seed: 1}\nstop: {fixed: {}}\n");
        const Finished done = repo.assay({"run", "gate.yaml"});
        CHECK_MESSAGE(done.code == 0, done.out, done.err);
        return done.out;
    };
    CHECK_FALSE(contains(played("other", "one"), "the same executable"));
    CHECK(contains(played("equal", "other"), "head and base are the same executable"));
}

TEST_CASE("Same programs: skip_if needs a match, and a word that it knows") {
    const TinyRepo repo({"ok"});
    write_gate(repo, "c1", "c1", "skip_if: same_bnech\n");
    const Finished wrong = repo.assay({"run", "gate.yaml"});
    CHECK(wrong.code == 2);
    CHECK_MESSAGE(contains(wrong.err, "did you mean 'same_bench'"), wrong.err);
}

}  // namespace assay::test
