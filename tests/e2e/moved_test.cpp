// `--resume` where the branch has moved since the run began.
#include <csignal>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

namespace {

/// The config of docs/nightly.md in short games, and the branch at the first commit.
void begin_nights(const TinyRepo& repo) {
    write_file(repo.dir().path("nightly.yaml"),
               "each: {git: {repo: repo, build: [make, -C, src]}, command: ./src/engine}\n"
               "programs: {head: {git: {ref: main}}, last: {git: {ref: previous}}}\n"
               "match: {between: [head, last], time: {depth: 1}, pairs: 2, seed: 1}\n"
               "stop: {fixed: {}}\n");
    repo.git({"checkout", "-q", "--detach"});
}

/// A night with the branch at this commit.
Finished night(const TinyRepo& repo, const std::string& commit,
               const std::vector<std::string>& more = {}, const std::string& command = "run") {
    repo.git({"branch", "-f", "main", commit});
    std::vector<std::string> words{command, "nightly.yaml", "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    return repo.assay(words);
}

std::string at(const TinyRepo& repo, const std::string& commit) {
    return repo.git({"rev-parse", "--short=7", commit});
}

}  // namespace

TEST_CASE("Resume: a night that does not build does not keep later commits from being played") {
    const TinyRepo repo({"ok", "ok", "broken", "fixed", "ok"});
    begin_nights(repo);
    CHECK(night(repo, "c2").code == 0);
    CHECK(night(repo, "c3").code == 4);
    // The same commit is tried again: what failed may have been the machine's compiler.
    const Finished again = night(repo, "c3");
    CHECK(again.code == 4);
    CHECK_FALSE(contains(again.out, "is not continued"));
    const Finished mended = night(repo, "c4");
    CHECK_MESSAGE(mended.code == 0, mended.out, mended.err);
    CHECK(contains(mended.out, "run 2 is not continued: it failed with head at " + at(repo, "c3") +
                                   " (main) and last at " + at(repo, "c2") +
                                   " (previous), and main is " + at(repo, "c4") + " now"));
    CHECK(contains(mended.out, "head " + at(repo, "c4") + " (main) against last " + at(repo, "c2") +
                                   " (previous)"));
    // Nor do they meet it again.
    const Finished next = night(repo, "c5");
    CHECK_MESSAGE(next.code == 0, next.out, next.err);
    CHECK(contains(next.out, "head " + at(repo, "c5") + " (main)"));
    CHECK(contains(repo.assay({"runs"}).out, "failed"));
}

TEST_CASE("Resume: a gate whose store outlives a commit judges the commit that is there now") {
    const TinyRepo repo({"ok", "broken", "fixed", "crash", "fixed"});
    begin_nights(repo);
    const std::vector<std::string> base{"--set",          "programs.last.git.ref=c1",
                                        "--set",          "failures_in_a_row=2",
                                        "--inconclusive", "pass"};
    CHECK(night(repo, "c2", base, "gate").code == 4);
    CHECK(night(repo, "c3", base, "gate").code == 0);
    // A program that was well once and then keeps failing is a result about that commit alone.
    CHECK(night(repo, "c4", base, "gate").code == 1);
    const Finished well = night(repo, "c5", base, "gate");
    CHECK_MESSAGE(well.code == 0, well.out, well.err);
    CHECK(contains(well.out, "head " + at(repo, "c5") + " (main)"));
}

TEST_CASE("Resume: a failed night whose config was mended with the branch does not stop the next") {
    const TinyRepo repo({"ok", "broken", "fixed"});
    begin_nights(repo);
    const std::vector<std::string> base{"--set", "programs.last.git.ref=c1"};
    CHECK(night(repo, "c2", base).code == 4);
    std::vector<std::string> other = base;
    other.insert(other.end(), {"--set", "match.pairs=3"});
    CHECK(night(repo, "c2", other).code == 2);
    const Finished mended = night(repo, "c3", other);
    CHECK_MESSAGE(mended.code == 0, mended.out, mended.err);
    CHECK(contains(mended.out, "run 1 is not continued"));
}

TEST_CASE(
    "Resume: a run that was stopped goes on with its commits, and that they are old is said") {
    const TinyRepo repo({"ok", "ok", "ok"});
    begin_nights(repo);
    repo.git({"branch", "-f", "main", "c2"});
    const std::vector<std::string> long_night{
        ASSAY_BINARY_DIR "/assay", "run", "nightly.yaml", "--resume", "--pairs", "400"};
    const auto cut = [&](const std::string& text) {
        Child child(long_night, repo.dir().root());
        const bool is_said = child.says(text);
        child.signal(SIGTERM);
        const Finished ended = child.wait(20);
        CHECK(ended.code == 128 + SIGTERM);
        CHECK_MESSAGE(is_said, ended.out, ended.err);
    };
    cut("fixed: the sign-flip test");
    const std::string sentence = "run 1 goes on with head at " + at(repo, "c2") +
                                 " (main) and last at " + at(repo, "c1") +
                                 " (previous), although main is " + at(repo, "c3") +
                                 " now; without --resume a new run begins";
    repo.git({"branch", "-f", "main", "c3"});
    cut(sentence);
    CHECK_FALSE(contains(repo.assay({"runs"}).out, "\n  2 "));
}

}  // namespace assay::test
