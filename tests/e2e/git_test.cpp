// Versions from git: real repositories, real builds, the built program.
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

using assay::test::times_in;

namespace {

namespace fs = std::filesystem;

/// The gate's config of docs/gate.md, in short games.
void write_gate(const TinyRepo& repo, const std::string& more = "") {
    write_file(repo.dir().path("gate.yaml"),
               "each:\n"
               "  git: {repo: repo, build: [make, -C, src, -j2]}\n"
               "  command: [./src/engine]\n"
               "  options: {Hash: 16, Threads: 1}\n"
               "programs:\n"
               "  head: {git: {ref: HEAD}}\n"
               "  base: {git: {ref: merge-base c1}}\n"
               "match: {between: [head, base], time: {depth: 2}, pairs: 20, seed: 1}\n"
               "stop: {capped: no_regression, minutes: 60}\n"
               "require: {crashes: 0, time_losses: 0}\n" +
                   more);
}

Finished gate(const TinyRepo& repo, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"gate", "gate.yaml"});
    return repo.assay(more);
}

void commit_nothing(const TinyRepo& repo) {
    repo.git({"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--allow-empty",
              "-q", "-m", "later"});
}

fs::path build_of(const TinyRepo& repo, const std::string& ref) {
    const std::string commit = repo.git({"rev-parse", ref}).substr(0, 10);
    for (const auto& entry : fs::directory_iterator(repo.dir().path("assay.db.builds"))) {
        const bool is_it = entry.path().filename().string().starts_with(commit);
        if (is_it && entry.is_directory()) return entry.path();
    }
    return {};
}

}  // namespace

TEST_CASE("Git: a gate builds both versions, and says which commits it played") {
    const TinyRepo repo({"ok", "weaker"});
    write_gate(repo);
    const Finished done = gate(repo, {"--out", "artefacts"});
    CHECK_MESSAGE(done.code == 1, done.out, done.err);
    const std::string head = repo.git({"rev-parse", "c2"});
    const std::string base = repo.git({"rev-parse", "c1"});
    CHECK(contains(done.out, "building head at " + head.substr(0, 7) + " (Commit 2: weaker)"));
    CHECK(contains(done.out, "head " + head.substr(0, 7) + " (HEAD) against base " +
                                 base.substr(0, 7) + " (merge base of c1)"));
    const auto result = parsed(read_file(repo.dir().path("artefacts/result.json")));
    CHECK(result.at("verdict") == "rejected");
    const auto& programs = result.at("programs").as_array();
    CHECK(programs[0].at("source").at("commit") == boost::json::value(head));
    CHECK(programs[1].at("source").at("commit") == boost::json::value(base));
    CHECK(programs[0].at("sha256").as_string().size() == 64);
    CHECK(programs[0].at("build").at("compiler").as_string().size() > 3);
    CHECK(repo.git({"status", "--porcelain"}).empty());
    CHECK(repo.git({"worktree", "list"}).find('\n') == std::string::npos);
}

TEST_CASE("Git: what was built once is not built again") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    CHECK(times_in(gate(repo, {"--pairs", "2"}).out, "building ") == 2);
    CHECK(times_in(gate(repo, {"--pairs", "2"}).out, "building ") == 0);
    // Other steps, or an environment that a build reads, make other builds.
    const Finished other =
        gate(repo, {"--pairs", "2", "--set", "programs.head.git.build=[make, -C, src]"});
    CHECK(times_in(other.out, "building ") == 1);
}

TEST_CASE("Git: a half build and a build whose program was changed are built anew") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    CHECK(gate(repo, {"--pairs", "2"}).code != 2);
    const fs::path place = build_of(repo, "c2");
    REQUIRE(fs::exists(place / "built.json"));
    write_file((place / "tree/src/engine").string(), "#!/bin/sh\nexit 1\n");
    CHECK(times_in(gate(repo, {"--pairs", "2"}).out, "building head") == 1);
    fs::remove(place / "built.json");
    CHECK(times_in(gate(repo, {"--pairs", "2"}).out, "building head") == 1);
}

TEST_CASE("Git: a build that waited for a lock which was pruned meanwhile takes the new one") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    CHECK(gate(repo, {"--pairs", "2"}).code != 2);
    const fs::path place = build_of(repo, "c2");
    fs::remove_all(place);
    const std::string lock = place.string() + ".lock";
    const int held = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(held >= 0);
    REQUIRE(::flock(held, LOCK_EX) == 0);
    Child waiting({ASSAY_BINARY_DIR "/assay", "gate", "gate.yaml", "--pairs", "2"},
                  repo.dir().root());
    // "-> FLOCK": somebody waits for it.
    const std::string who = " " + std::to_string(waiting.pid()) + " ";
    const auto is_waiting = [&] {
        std::istringstream locks(read_file("/proc/locks"));
        for (std::string line; std::getline(locks, line);)
            if (contains(line, "-> ") && contains(line, who)) return true;
        return false;
    };
    while (!is_waiting() && waiting.is_running())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    fs::remove(lock);
    ::close(held);
    const Finished done = waiting.wait();
    CHECK_MESSAGE(done.code != 2, done.err);
    CHECK(times_in(done.out, "building head") == 1);
    CHECK(fs::exists(lock));
}

TEST_CASE("Git: a build that fails is a result with its log, and no verdict") {
    const TinyRepo repo({"ok", "broken"});
    write_gate(repo);
    const Finished done = gate(repo, {"--out", "artefacts"});
    CHECK(done.code == 4);
    CHECK(contains(done.out, "does not build: 'make -C src -j2' exited with code 2"));
    CHECK(contains(done.out, "this version does not compile"));
    const fs::path place = build_of(repo, "c2");
    CHECK(contains(read_file((place / "log.txt").string()), "$ make -C src -j2"));
    CHECK_FALSE(fs::exists(place / "tree"));
    const auto result = parsed(read_file(repo.dir().path("artefacts/result.json")));
    CHECK(result.at("state") == "failed");
    CHECK(result.at("verdict").is_null());
    CHECK(contains(read_file(repo.dir().path("artefacts/junit.xml")), "<error message="));
    CHECK(contains(repo.assay({"runs"}).out, "failed"));
}

TEST_CASE("Git: a build has limits of time, output and memory") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    const Finished slow = gate(repo, {"--set", "programs.head.git.build=[sleep, 60]", "--set",
                                      "programs.head.git.limit=200ms"});
    CHECK(slow.code == 4);
    CHECK(slow.seconds < 30);
    CHECK(contains(slow.out, "the build took longer than its limit"));
    const Finished loud = gate(repo, {"--set", "programs.head.git.build=[yes]"});
    CHECK(loud.code == 4);
    CHECK(contains(loud.out, "wrote more than 64 MB"));
    const fs::path log = build_of(repo, "HEAD") / "log.txt";
    CHECK(fs::file_size(log) < 3U << 20U);
    CHECK(contains(read_file(log.string()), " left out here]\n"));
    CHECK(contains(read_file(log.string()), "\nwrote more than 64 MB\n"));
    const Finished nothing = gate(repo, {"--set", "programs.head.git.build=[./no-such-step]"});
    CHECK(nothing.code == 4);
    CHECK(contains(nothing.out, "no-such-step"));
    const Finished silent = gate(repo, {"--set", "programs.head.command=[./src/other]"});
    CHECK(silent.code == 4);
    CHECK(contains(silent.out, "the build succeeded, but program 'head': there is no file"));
}

TEST_CASE("Git: a build that is stopped by TERM leaves no process and a run to go on with") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    const std::string begun = repo.dir().path("begun");
    const std::string steps =
        "programs.head.git.build=[[sh, -c, 'sleep 97531 & touch " + begun + "; sleep 97531']]";
    Child child({ASSAY_BINARY_DIR "/assay", "gate", "gate.yaml", "--set", steps},
                repo.dir().root());
    REQUIRE(child.until([&] { return fs::exists(begun); }));
    child.signal(SIGTERM);
    const Finished done = child.wait();
    CHECK(done.code == 128 + SIGTERM);
    CHECK(all_gone("97531"));
    CHECK_MESSAGE(contains(done.out, "\nstopped by a signal\nresume: "), done.out);
    CHECK(contains(repo.assay({"runs"}).out, "interrupted"));
}

TEST_CASE("Git: --resume plays the commits that the run began with") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    const std::vector<std::string> argv{
        ASSAY_BINARY_DIR "/assay", "run", "gate.yaml", "--set", "stop=none", "--set",
        "match.pairs=400"};
    // Neither is played to its end: 400 pairs are more than a signal takes to arrive.
    const auto cut = [&](const std::vector<std::string>& words, const std::string& text) {
        Child child(words, repo.dir().root());
        const bool is_said = child.says(text);
        child.signal(SIGTERM);
        const Finished ended = child.wait();
        CHECK(ended.code == 128 + SIGTERM);
        CHECK_MESSAGE(is_said, ended.out, ended.err);
        return ended.out;
    };
    cut(argv, "no stop rule");
    const std::string begun = repo.git({"rev-parse", "--short=7", "HEAD"});
    commit_nothing(repo);
    std::vector<std::string> again = argv;
    again.emplace_back("--resume");
    CHECK(contains(cut(again, "head " + begun), "run 1 in"));
}

TEST_CASE("Git: 'worktree' is the files as they are now, ignored ones left out") {
    const TinyRepo repo({"ok"});
    write_gate(repo);
    const std::vector<std::string> flags{"--pairs", "2", "--set", "programs.head.git.ref=worktree"};
    const std::string commit = repo.git({"rev-parse", "--short=7", "HEAD"});
    CHECK(contains(gate(repo, flags).out, "head " + commit + " (worktree)"));
    // Weaker, not committed; and a file that git has not met.
    write_file(
        repo.path() + "/src/traits.h",
        "#include \"extra.h\"\n#define DEPTH 1\n#define WASTE 0\n#define CRASH_AT_PLY 0\n#define "
        "RANDOM 0\n");
    write_file(repo.path() + "/src/extra.h", "#define BENCH_ROUNDS 1\n");
    const std::string before = repo.git({"status", "--porcelain"});
    const Finished changed = gate(repo, flags);
    CHECK(contains(changed.out, "building head at " + commit + "+"));
    CHECK(contains(changed.out, "head " + commit + "+ (worktree)"));
    CHECK(repo.git({"status", "--porcelain"}) == before);
    CHECK(times_in(gate(repo, flags).out, "building ") == 0);
}

TEST_CASE("Git: 'previous' is the head of the last finished run, and no commit is no run") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    const std::vector<std::string> flags{"--set", "programs.base.git.ref=previous", "--set",
                                         "match.pairs=4"};
    const Finished first = gate(repo, flags);
    CHECK(contains(first.out, "no run of 'gate' has finished yet"));
    CHECK(
        contains(first.out, "base " + repo.git({"rev-parse", "--short=7", "c1"}) + " (previous)"));
    const Finished again = gate(repo, flags);
    CHECK(again.code == 0);
    CHECK(again.out == "skipped: no commit since run 1\n");
    const Finished json =
        gate(repo, {"--set", "programs.base.git.ref=previous", "--set", "match.pairs=4", "--json"});
    CHECK(parsed(json.out).at("skipped") == "no commit since run 1");
    const std::string junit = repo.dir().path("skipped.xml");
    std::vector<std::string> reported = flags;
    reported.insert(reported.end(), {"--junit", junit});
    CHECK(gate(repo, reported).code == 0);
    CHECK(contains(read_file(junit), "<skipped message=\"no commit since run 1\">"));
    commit_nothing(repo);
    const Finished next = gate(repo, flags);
    CHECK(contains(next.out, "base " + repo.git({"rev-parse", "--short=7", "c2"}) + " (previous)"));
}

TEST_CASE("Git: a file remote is mirrored and fetched, and origin/main is its main") {
    const TinyRepo repo({"ok"});
    write_gate(repo);
    const std::string url = "file://" + repo.path();
    const std::vector<std::string> flags{"--pairs", "2",
                                         "--set",   "each.git.repo=" + url,
                                         "--set",   "programs.base.git.ref=merge-base origin/main"};
    CHECK(contains(gate(repo, flags).out, "head " + repo.git({"rev-parse", "--short=7", "c1"})));
    commit_nothing(repo);
    CHECK(contains(gate(repo, flags).out, "head " + repo.git({"rev-parse", "--short=7", "HEAD"})));
}

TEST_CASE("Git: what cannot be resolved is exit 2, with what to do") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);

    struct Case {
        const char* what;
        std::string set;
        std::string message;
    };

    REQUIRE(run({"git", "clone", "-q", "--depth", "1", "file://" + repo.path(), "shallow"},
                repo.dir().root())
                .code == 0);
    const Case cases[] = {
        {"ref", "programs.head.git.ref=c22",
         repo.path() + " has no commit 'c22'; did you mean 'c2'?"},
        {"branch", "programs.base.git.ref=merge-base origin/main",
         repo.path() + " has no commit 'origin/main'; did you mean 'main'?"},
        {"folder", "each.git.repo=nowhere", "git.repo: there is no folder"},
        {"no repository", "each.git.repo=/", "not a git repository"},
        {"remote", "each.git.repo=file:///nowhere", "git.repo file:///nowhere: "},
        {"shallow", "each.git.repo=shallow", "'fetch-depth: 0'"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const Finished done = gate(repo, {"--set", c.set});
        CHECK(done.code == 2);
        CHECK_MESSAGE(contains(done.err, c.message), done.err);
    }
    CHECK(contains(repo.assay({"runs"}).err, "there is no such store"));
}

TEST_CASE("Git: a hook's variables do not lead a build astray") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    const Finished done = run({"env", "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index",
                               ASSAY_BINARY_DIR "/assay", "gate", "gate.yaml", "--pairs", "2"},
                              repo.dir().root());
    CHECK_MESSAGE(contains(done.out, "built head"), done.out, done.err);
}

TEST_CASE("Git: a build may ask git for its version") {
    const TinyRepo repo({"ok", "ok"});
    write_gate(repo);
    const Finished done = gate(repo, {"--pairs", "2", "--set",
                                      "each.git.build=[[git, describe, --tags], [make, -C, src]]"});
    CHECK(contains(done.out, "built head"));
    CHECK(contains(read_file((build_of(repo, "c2") / "log.txt").string()), "\nc2\n"));
}

TEST_CASE("Git: a submodule's relative address is beside the repository, as git has it") {
    const TinyRepo repo({"ok"});
    const std::string root = repo.dir().root();
    const auto made =
        run({"sh", "-c",
             "git init -q library && cd library && echo hello > f && git add f && git "
             "-c user.name=t -c user.email=t@example.org commit -qm 1"},
            root);
    REQUIRE_MESSAGE(made.code == 0, made.err);
    repo.git(
        {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "sub"});
    repo.git({"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "with it"});
    write_gate(repo);
    write_file(repo.dir().path(".gitconfig"), "[protocol \"file\"]\n  allow = always\n");
    const Finished done = run({"env", "HOME=" + root, ASSAY_BINARY_DIR "/assay", "gate",
                               "gate.yaml", "--pairs", "1", "--set", "programs.base.git.ref=HEAD",
                               "--set", "each.git.build=[[cat, sub/f], [make, -C, src]]"},
                              root, 100);
    CHECK_MESSAGE(contains(done.out, "built head"), done.out, done.err);
    CHECK(contains(read_file((build_of(repo, "HEAD") / "log.txt").string()), "\nhello\n"));
}

TEST_CASE("Git: the first config of the guide runs as it stands") {
    const TinyRepo repo({"ok", "ok"});
    repo.git({"update-ref", "refs/remotes/origin/main", "c1"});
    const std::string guide = read_file(ASSAY_SOURCE_DIR "/docs/gate.md");
    const std::string fence = "```yaml\n";
    const std::size_t begin = guide.find(fence) + fence.size();
    const std::string config = guide.substr(begin, guide.find("```", begin) - begin);
    CHECK(contains(config, "merge-base origin/main"));
    fs::create_directories(repo.path() + "/ci");
    write_file(repo.path() + "/ci/gate.yaml", config);
    const Finished done = repo.assay({"gate", "repo/ci/gate.yaml"});
    INFO(done.out, done.err);
    CHECK(contains(done.out, "accepted: head is not worse than base"));
    CHECK(contains(done.out, "  speed "));
    // On a machine that is busy with other things 32 runs may not settle 3 percent.
    CHECK((done.code == 0 || done.code == 3));
}

}  // namespace assay::test
