// What the workflow files of docs/ci meet in a container.
#include <filesystem>
#include <regex>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/contains.h"
#include "tests/support/tiny_repo.h"

namespace assay::test {

namespace {

namespace fs = std::filesystem;

constexpr uid_t kOther = 12345;

/// The commands of a workflow file that make git trust the checkout.
std::vector<std::string> trusting_lines(const std::string& file) {
    const std::string text = read_file(ASSAY_SOURCE_DIR "/docs/ci/" + file);
    std::vector<std::string> lines;
    const std::regex command("git config [^\n]*safe.directory[^\n]*");
    for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it)
        lines.push_back(it->str());
    return lines;
}

Finished gate(const TinyRepo& repo, const std::string& setting, const std::string& before) {
    const std::string folder = repo.dir().path("home");
    fs::create_directories(folder);
    return run({"env", "HOME=" + folder, setting, "GITHUB_WORKSPACE=" + repo.path(),
                "CI_PROJECT_DIR=" + repo.path(), "sh", "-c",
                before + ASSAY_BINARY_DIR "/assay gate gate.yaml --inconclusive pass"},
               repo.dir().root(), 100);
}

/// The commands of a workflow file that run assay, in the order in which they stand there.
std::vector<std::string> assay_lines(const std::string& file) {
    const std::string text = read_file(ASSAY_SOURCE_DIR "/docs/ci/" + file);
    std::vector<std::string> lines;
    const std::regex command("\n *(?:run:|-) ((?:assay/bin/)?assay [^\n]*)");
    for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it)
        lines.push_back((*it)[1].str());
    return lines;
}

/// As GitHub fills a command in.
std::string filled(std::string line, int shard) {
    line =
        std::regex_replace(line, std::regex(R"(\$\{\{ matrix.shard \}\})"), std::to_string(shard));
    return std::regex_replace(line, std::regex(R"(\$\{\{ github.run_id \}\})"), "77");
}

}  // namespace

TEST_CASE("CI: the steps of both matrix workflows come to one machine's verdict") {
    for (const char* const file : {"github-matrix.yml", "gitlab-matrix.yml"}) {
        CAPTURE(file);
        const TinyRepo repo({"ok", "ok"});
        const std::string root = repo.dir().root();
        write_file(repo.dir().path("gate.yaml"),
                   "each: {git: {repo: repo, build: [make, -C, src]}, command: [./src/engine]}\n"
                   "programs: {head: {}, base: {git: {ref: c1}}}\n"
                   "match: {time: {depth: 1}, pairs: 20, seed: 1}\nstop: {fixed: {}}\n");
        fs::create_directories(root + "/assay/bin");
        fs::create_symlink(ASSAY_BINARY_DIR "/assay", root + "/assay/bin/assay");
        const auto step = [&root](const std::string& line, int shard) {
            return run({"env", "PATH=" + root + "/assay/bin:/usr/bin:/bin",
                        "CI_NODE_INDEX=" + std::to_string(shard), "CI_NODE_TOTAL=8",
                        "CI_PIPELINE_ID=77", "sh", "-c", filled(line, shard)},
                       root, 100);
        };
        const std::vector<std::string> lines = assay_lines(file);
        REQUIRE(lines.size() == 3);
        for (int shard = 1; shard <= 8; ++shard) {
            const Finished played = step(lines[0], shard);
            CHECK_MESSAGE(played.code == 0, played.out, played.err);
            if (shard == 3) fs::remove(root + "/shard-3.db");  // this job's artefact was lost
        }
        const Finished merged = step(lines[1], 0);
        CHECK_MESSAGE(merged.code == 0, merged.out, merged.err);
        CHECK_MESSAGE(contains(merged.out, "lacks 3 of 20 pairs"), merged.out);
        const Finished whole = step("assay gate gate.yaml --db whole.db", 0);
        const Finished judged = step(lines[2], 0);
        const int pass =
            contains(lines[2], "--inconclusive pass") && whole.code == 3 ? 0 : whole.code;
        CHECK_MESSAGE(judged.code == pass, judged.out, judged.err);
        CHECK(fs::exists(root + "/artefacts/junit.xml"));
    }
}

TEST_CASE("CI: a checkout of another owner is refused with git's whole advice, which helps") {
    const TinyRepo repo({"ok", "ok"});
    write_file(repo.dir().path("gate.yaml"),
               "each: {git: {repo: repo, build: [make, -C, src]}, command: [./src/engine]}\n"
               "programs: {head: {}, base: {git: {ref: c1}}}\n"
               "match: {time: {depth: 1}, pairs: 1, seed: 1}\nstop: {fixed: {}}\n");
    // git's own switch for tests of git, where only root can give files away.
    const Finished refused = gate(repo, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "");
    CHECK(refused.code == 2);
    CHECK_MESSAGE(
        contains(refused.err, "detected dubious ownership in repository at '" + repo.path() + "'"),
        refused.err);
    CHECK_MESSAGE(
        contains(refused.err, "git config --global --add safe.directory " + repo.path() + "\n"),
        refused.err);
    if (::geteuid() != 0) return;
    for (const auto& entry : fs::recursive_directory_iterator(repo.path()))
        REQUIRE(::lchown(entry.path().c_str(), kOther, kOther) == 0);
    REQUIRE(::lchown(repo.path().c_str(), kOther, kOther) == 0);
    CHECK(gate(repo, "LC_ALL=C", "").code == 2);
    for (const char* const file : {"github-gate.yml", "gitlab-ci.yml"}) {
        CAPTURE(file);
        const std::vector<std::string> lines = trusting_lines(file);
        REQUIRE(lines.size() == 1);
        const Finished done = gate(repo, "LC_ALL=C", lines.front() + " && ");
        CHECK_MESSAGE(done.code == 0, done.out, done.err);
        fs::remove(repo.dir().path("home/.gitconfig"));
    }
}

}  // namespace assay::test
