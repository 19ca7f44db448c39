// Benchmarks, required speed and the control: the built program on the tiny engine.
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

constexpr const char* kConfig =
    "each:\n"
    "  git: {repo: repo, build: [make, -C, src]}\n"
    "  command: ./src/engine\n"
    "  bench: {nodes_per_second: 'Nodes/second +: (\\d+)'}\n"
    "programs: {head: {}, base: {git: {ref: c1}}}\n"
    "match: {time: {depth: 2}, pairs: 20, seed: 1}\n"
    "stop: {capped: no_regression}\n";

Finished bench_gate(const TinyRepo& repo, std::vector<std::string> more = {}) {
    write_file(repo.dir().path("gate.yaml"), kConfig);
    more.insert(more.begin(), {"gate", "gate.yaml"});
    return repo.assay(more);
}

}  // namespace

TEST_CASE(
    "Speed: a version that became much slower breaks the requirement, an equal one does not") {
    const TinyRepo repo({"ok", "slower"});
    const Finished slow = bench_gate(repo, {"--set", "require.speed=-30%", "--out", "artefacts"});
    CHECK_MESSAGE(slow.code == 1, slow.out, slow.err);
    CHECK(contains(slow.out, "required: head: speed -"));
    CHECK(contains(slow.out, "(limit -30 %)"));
    const auto json = parsed(read_file(repo.dir().path("artefacts/result.json")));
    CHECK(json.at("speed").at(0).at("state") == "broken");
    // Eight, or more where a busy machine makes the speeds of one version differ.
    CHECK(json.at("speed").at(0).at("runs").as_int64() % 8 == 0);
    CHECK(contains(read_file(repo.dir().path("artefacts/junit.xml")), "name=\"speed of head\""));
    CHECK(contains(read_file(repo.dir().path("artefacts/report.md")), "| speed | -"));
    // The other way round, and far from the limit: it holds.
    const Finished fast =
        bench_gate(repo, {"--set", "programs.head.git.ref=c1", "--set", "programs.base.git.ref=c2",
                          "--set", "require.speed=-30%"});
    CHECK_MESSAGE(fast.code == 0, fast.out, fast.err);
    CHECK(contains(fast.out, "speed +"));
}

TEST_CASE("Speed: a requirement that is not settled is inconclusive, and every report says so") {
    const TinyRepo repo({"ok", "ok"});
    // Now faster, now slower: no number of runs settles it.
    const std::string count = repo.dir().path("count");
    const std::string script =
        "n=$(cat " + count + " || echo 0); echo $((n + 1)) > " + count +
        "; set -- 1400 700 1000 900 1100; shift $((n % 5)); echo Nodes/second : $1";
    const std::string benches =
        "programs={head: {bench: {command: [sh, -c, '" + script +
        "']}}, base: {git: {ref: c1}, bench: {command: [echo, 'Nodes/second : 1000']}}}";
    const Finished end = bench_gate(repo, {"--set", benches, "--set", "require.speed=-3%", "--out",
                                           "art", "--events", "events"});
    CHECK_MESSAGE(end.code == 3, end.out, end.err);
    CHECK(contains(end.out, "speed of head against base: 8 to 32 runs of each one's benchmark"));
    CHECK(contains(end.out, "required: head: speed "));
    CHECK(contains(read_file(repo.dir().path("events")), "speed_progress"));
    CHECK(contains(read_file(repo.dir().path("art/report.md")), "**inconclusive**, whatever"));
    CHECK(contains(read_file(repo.dir().path("art/junit.xml")), "<skipped message=\"head: speed "));
    CHECK(contains(read_file(repo.dir().path("art/report.html")), "but its speed is not settled."));
    const auto result = parsed(read_file(repo.dir().path("art/result.json")));
    CHECK(result.at("verdict") == "accepted");
    CHECK(result.at("outcome") == "inconclusive");
    CHECK(result.at("exit_code") == 3);
    const auto said = [&](std::vector<std::string> words) { return repo.assay(words).out; };
    CHECK(contains(said({"report"}), "gate: inconclusive, exit 3\n"));
    CHECK_FALSE(contains(said({"report", "--format", "badge"}), "accepted"));
    CHECK(contains(said({"report", "--format", "openmetrics"}),
                   "assay_accepted{config=\"gate\"} 0\n"));
    CHECK(contains(said({"report", "--format", "openmetrics"}),
                   "assay_exit_code{config=\"gate\"} 3\n"));
    CHECK_FALSE(contains(said({"runs"}), "accepted"));
    const auto listed = parsed(said({"runs", "--json"}));
    CHECK(listed.at("outcome") == "inconclusive");
    CHECK(listed.at("exit_code") == 3);
    CHECK(contains(said({"report", "--history", "--format", "json"}),
                   "\"outcome\":\"inconclusive\""));
    CHECK(contains(said({"report", "--history", "--format", "markdown"}), "| inconclusive |"));
    CHECK(contains(said({"report", "--history"}), "  inconclusive  "));
    CHECK(contains(
        said({"gate", "gate.yaml", "--set", benches, "--set", "require.speed=-3%", "--explain"}),
        "judging by run 1"));
}

TEST_CASE("Bench: a signature that is not met stops the run before the first game") {
    const TinyRepo repo({"ok", "ok"});
    const Finished wrong = bench_gate(repo, {"--set", "programs.head.bench.signature=1234567"});
    CHECK(wrong.code == 1);
    CHECK(contains(wrong.out, "its signature is 1234567 nodes (programs.head.bench.signature)"));
    CHECK(contains(wrong.out, "this is not the intended build"));
    CHECK(bench_gate(repo, {"--set", "programs.base.bench.signature=1234567"}).code == 4);
    const Finished right = bench_gate(repo, {"--set", "each.bench.signature=148420", "--json"});
    CHECK_MESSAGE(right.code == 0, right.out, right.err);
    CHECK(parsed(right.out).at("programs").at(0).at("bench").at("nodes") == 148420);
}

TEST_CASE("Bench: a commit's message may declare its signature") {
    const TinyRepo repo({"ok"});
    const auto commit = [&](const char* message) {
        repo.git({"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--allow-empty",
                  "-q", "-m", message});
    };
    commit("A change\n\nBench: 148420");
    CHECK(bench_gate(repo, {"--set", "each.bench.signature=commit"}).code == 0);
    commit("A change\n\nBench: 148421");
    const Finished wrong = bench_gate(repo, {"--set", "each.bench.signature=commit"});
    CHECK(wrong.code == 1);
    CHECK(contains(wrong.out, "its signature is 148421 nodes (its commit's message)"));
}

TEST_CASE("Bench: a commit that declares no signature is told of before the first game") {
    const TinyRepo repo({"ok", "ok"});
    const Finished done =
        bench_gate(repo, {"--set", "programs.head.bench.signature=commit", "--events", "events"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const std::size_t said = done.out.find(
        "warning: head at " + repo.git({"rev-parse", "c2"}).substr(0, 7) +
        " (HEAD): its commit's message has no line 'Bench: NODES', so that its signature is not "
        "checked (programs.head.bench.signature: commit), only that its benchmark ends well\n");
    CHECK_MESSAGE(said < done.out.find(" pairs "), done.out);
    CHECK_FALSE(contains(done.out, "base at c1: its commit's message"));
    CHECK(contains(read_file(repo.dir().path("events")), "\"signature\""));
}

TEST_CASE("Bench: one that fails, or says nothing, is no verdict") {
    const TinyRepo repo({"ok", "ok"});
    const Finished failed = bench_gate(repo, {"--set", "each.bench.command=[false]"});
    CHECK(failed.code == 4);
    CHECK(contains(failed.out, "its bench exited with code 1; 'programs."));
    // A benchmark that another's signal ends is run again by --resume, whatever its commit.
    const Finished killed =
        bench_gate(repo, {"--set", "each.bench.command=[sh, -c, 'kill -KILL $$']"});
    CHECK(killed.code == 4);
    CHECK(contains(killed.out, "the machine ended it"));
    const Finished mute = bench_gate(
        repo, {"--set", "each.bench.command=[echo, hello]", "--set", "require.speed=-3%"});
    CHECK(mute.code == 4);
    CHECK(contains(mute.out, "its bench reported no nodes per second"));
}

TEST_CASE("Control: a baseline that plays like itself raises no alarm") {
    const TinyRepo repo({"ok", "ok"});
    const Finished done = bench_gate(repo, {"--set", "control=true", "--json"});
    CHECK_MESSAGE(done.code == 0, done.out, done.err);
    const auto json = parsed(done.out);
    CHECK(json.at("control").is_null());
    CHECK(json.at("matches").at(1).at("name") == "control");
    CHECK(json.at("matches").at(1).at("between").at(1) == "base");
    CHECK(json.at("matches").at(1).at("pairs") == 10);
}

TEST_CASE("Control: a baseline whose moves are drawn by lot is found out, and taints") {
    const TinyRepo repo({"random", "fixed"});
    // Nearly every game is resigned by somebody, so that a pair is mirrored by chance in half of
    // the cases, and all 15 of the control once in 30,000 runs.
    const Finished done =
        bench_gate(repo, {"--set", "control=true", "--out", "artefacts", "--set", "match.pairs=60",
                          "--set", "match.adjudicate.resign={moves: 2, score: 300, sides: one}"});
    CHECK_MESSAGE(done.code == 3, done.out, done.err);
    CHECK(contains(done.out, "warning: the control differs: base against itself"));
    CHECK(contains(read_file(repo.dir().path("artefacts/report.md")), "the control differs"));
}

}  // namespace assay::test
