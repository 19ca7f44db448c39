// `ref: worktree` where assay writes into the repository itself.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

namespace {

namespace fs = std::filesystem;

/// A config in the repository's root, committed, as the stores and reports beside it are not.
void commit_config(const TinyRepo& repo) {
    write_file(repo.path() + "/wt.yaml",
               "each: {git: {repo: ., build: [make, -C, src]}, command: ./src/engine}\n"
               "programs: {head: {git: {ref: worktree}}, base: {git: {ref: c1}}}\n"
               "match: {time: {depth: 1}, pairs: 1, seed: 1}\n");
    repo.git({"add", "wt.yaml"});
    repo.git({"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "wt"});
}

/// A shell line in the repository's root; `assay` is the built program.
Finished in_root(const TinyRepo& repo, const std::string& line) {
    return run({"sh", "-c", "cd repo && assay() { " ASSAY_BINARY_DIR "/assay \"$@\"; }\n" + line},
               repo.dir().root(), 100);
}

/// Builds in the folder of a store: those of each version, whatever state they are in.
int builds_in(const fs::path& folder) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        count += fs::exists(entry.path() / "built.json") ? 1 : 0;
    }
    return count;
}

bool is_unchanged(const TinyRepo& repo, const Finished& done) {
    return contains(done.out, "head " + repo.git({"rev-parse", "--short=7", "HEAD"}) + " (");
}

}  // namespace

TEST_CASE("Worktree: a store in the repository's root belongs to no build") {
    const TinyRepo repo({"ok"});
    commit_config(repo);
    const fs::path builds = repo.path() + "/assay.db.builds";
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        const Finished done = in_root(repo, "assay run wt.yaml");
        CHECK_MESSAGE(done.code == 0, done.out, done.err);
        CHECK(contains(done.out, "building head at ") == (i == 0));
        CHECK_MESSAGE(is_unchanged(repo, done), done.out);
        CHECK(builds_in(builds) == 2);
        // What a killed run leaves behind.
        write_file(repo.path() + "/assay.db.live", "games in play");
    }
    for (const auto& entry : fs::directory_iterator(builds)) {
        CHECK_FALSE(fs::exists(entry.path() / "tree/assay.db"));
        CHECK_FALSE(fs::exists(entry.path() / "tree/assay.db.builds"));
    }
}

TEST_CASE("Worktree: outputs of this command and stores of other commands belong to no build") {
    const TinyRepo repo({"ok"});
    commit_config(repo);
    const std::string gate =
        "assay gate wt.yaml --db 'my [nights].sqlite' --out out/gate --junit junit.xml --markdown "
        "m.md --events events --log lines --inconclusive pass >gate.log 2>errors.log; cat gate.log";
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        const Finished done = in_root(repo, gate);
        CHECK_MESSAGE(done.code == 0, done.out, done.err);
        CHECK_MESSAGE(is_unchanged(repo, done), done.out);
        CHECK(contains(done.out, "building head at ") == (i == 0));
        CHECK(fs::exists(repo.path() + "/out/gate/report.html"));
        CHECK(fs::exists(repo.path() + "/lines/head.log"));
    }
    fs::remove_all(repo.path() + "/out");
    for (const char* name : {"junit.xml", "m.md", "events", "gate.log", "errors.log"})
        fs::remove(repo.path() + "/" + name);
    fs::remove_all(repo.path() + "/lines");
    // The other store is no file of the program, nor are its builds.
    const Finished other = in_root(repo, "mkdir sub; assay run wt.yaml --db sub/other.db");
    CHECK_MESSAGE(is_unchanged(repo, other), other.out, other.err);
}

TEST_CASE("Worktree: a store that git ignores and one that is a link are left out as well") {
    const TinyRepo repo({"ok"});
    commit_config(repo);
    write_file(repo.path() + "/.gitignore", "assay.db*\n");
    repo.git({"add", ".gitignore"});
    repo.git({"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "ign"});
    CHECK(is_unchanged(repo, in_root(repo, "assay run wt.yaml && assay run wt.yaml")));
    const Finished linked =
        in_root(repo,
                "ln -s ../elsewhere.db link.db; assay run wt.yaml --db link.db >/dev/null 2>&1; "
                "assay run wt.yaml --db link.db");
    CHECK_MESSAGE(is_unchanged(repo, linked), linked.out, linked.err);
}

TEST_CASE("Worktree: what is neither ignored nor ours makes another build") {
    const TinyRepo repo({"ok"});
    commit_config(repo);
    const std::string commit = repo.git({"rev-parse", "--short=7", "HEAD"});
    // A file of SQLite that is no store of ours may be part of the program.
    write_file(repo.path() + "/book.db", "SQLite format 3" + std::string(100, '\0'));
    const Finished done = in_root(repo, "assay run wt.yaml");
    CHECK_MESSAGE(contains(done.out, "head " + commit + "+ (worktree)"), done.out, done.err);
    bool has_book = false;
    for (const auto& entry : fs::directory_iterator(repo.path() + "/assay.db.builds")) {
        has_book = has_book || fs::exists(entry.path() / "tree/book.db");
    }
    CHECK(has_book);
}

}  // namespace assay::test
