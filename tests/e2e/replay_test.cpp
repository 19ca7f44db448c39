// The line that `assay replay` prints, pasted into a shell; versions from git.
#include <filesystem>
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

namespace {

namespace fs = std::filesystem;

/// One pair between two versions from git, whose command is relative as in docs/gate.md.
void play_pair(const TinyRepo& repo, const std::string& time) {
    write_file(repo.dir().path("gate.yaml"),
               "each: {git: {repo: repo, build: [make, -C, src]}, command: [./src/engine]}\n"
               "programs: {head: {env: {TINY: 'a b'}}, base: {git: {ref: c1}}}\n"
               "match: {time: " +
                   time + ", pairs: 1, seed: 1}\nstop: none\n");
    const Finished played = repo.assay({"run", "gate.yaml"});
    REQUIRE_MESSAGE(played.code == 0, played.out, played.err);
}

std::string first_asked_ply(const TinyRepo& repo) {
    const auto game = parsed(repo.assay({"replay", "latest", "1", "--json"}).out);
    for (const auto& ply : game.at("plies").as_array()) {
        if (!ply.at("opening").as_bool()) return std::to_string(ply.at("ply").as_int64());
    }
    return "";
}

std::string shell_line(const TinyRepo& repo, const std::string& ply) {
    const auto json = parsed(repo.assay({"replay", "latest", "1", ply, "--json"}).out);
    return std::string(json.at("plies").at(0).at("shell").as_string());
}

}  // namespace

TEST_CASE("Replay: the line to paste starts a version from git where it was built, from anywhere") {
    const TinyRepo repo({"ok", "ok"});
    for (const char* const time : {"{nodes: 50}", "{depth: 2}", "10+0.1", "{move: 100ms}"}) {
        CAPTURE(time);
        play_pair(repo, time);
        const std::string ply = first_asked_ply(repo);
        const std::string line = shell_line(repo, ply);
        CHECK(contains(repo.assay({"replay", "latest", "1", ply}).out, line));
        for (const char* const shell : {"sh", "bash"}) {
            // A search without a clock may take a minute; the line waits for the answer alone.
            const Finished pasted = run({shell, "-c", line}, "/", 30);
            CAPTURE(line);
            CHECK_MESSAGE(pasted.code == 0, pasted.out, pasted.err);
            CHECK_MESSAGE(contains(pasted.out, "bestmove "), pasted.out, pasted.err);
        }
    }
}

TEST_CASE("Replay: --run asks a version from git, from another folder, until its build is gone") {
    const TinyRepo repo({"ok", "ok"});
    play_pair(repo, "{depth: 2}");
    const std::string ply = first_asked_ply(repo);
    const std::vector<std::string> words{
        ASSAY_BINARY_DIR "/assay",  "replay", "latest", "1", ply, "--run", "--db",
        repo.dir().path("assay.db")};
    const Finished asked = run(words, "/", 60);
    CHECK_MESSAGE(asked.code == 0, asked.out, asked.err);
    CHECK(contains(asked.out, "bestmove "));
    CHECK(asked.err == "");
    for (const auto& entry : fs::recursive_directory_iterator(repo.dir().path("assay.db.builds"))) {
        if (entry.path().filename() == "engine" && entry.is_regular_file())
            std::ofstream(entry.path(), std::ios::app) << '\n';
    }
    CHECK(contains(run(words, "/", 60).err,
                   "/engine, or a file that it names, is not what the run played"));
    fs::remove_all(repo.dir().path("assay.db.builds"));
    const Finished gone = run(words, "/", 60);
    CHECK(gone.code == 4);
    CHECK_MESSAGE(contains(gone.err, "replay: the build of "), gone.err);
    CHECK(contains(gone.err, " is gone ("));
}

}  // namespace assay::test
