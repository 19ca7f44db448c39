// Every config that ships, that a document prints or that `assay init` writes comes to a verdict
// with what it allows itself.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "configs/loader/loader.h"
#include "tests/cli/shell.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using assay::read_file;
using assay::shell_word;
using assay::write_file;
using assay::test::contains;
using assay::test::Finished;
using assay::test::shell;
using assay::test::TempDir;

constexpr const char* kInconclusive = "will most likely end inconclusive";

struct Config {
    std::string where;  // "docs/gate.md, config 1"
    std::string text;
};

/// The blocks of a document that are whole configs: they name programs.
std::vector<Config> configs_of(const std::string& file) {
    const std::string text = read_file(std::string(ASSAY_SOURCE_DIR) + "/" + file);
    const std::string fence = "```yaml\n";
    std::vector<Config> found;
    for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
        at += fence.size();
        const std::string block = text.substr(at, text.find("```", at) - at);
        if (!contains("\n" + block, "\nprograms:")) continue;
        found.push_back({fmt::format("{}, config {}", file, found.size() + 1), block});
    }
    return found;
}

/// A place where everything exists that configs name.
class Place {
public:
    Place() {
        for (const char* const file :
             {"book.epd", "suites/lct2.epd", "queries/search-health.gtql"}) {
            fs::create_directories(fs::path(dir_.path(file)).parent_path());
        }
        const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        write_file(dir_.path("book.epd"), start + "\n");
        write_file(dir_.path("suites/lct2.epd"), start + " id \"one\";\n");
        fs::create_directory_symlink(ASSAY_SOURCE_DIR "/rules", dir_.path("rules"));
        fs::copy_file(ASSAY_SOURCE_DIR "/configs/queries/search-health.gtql",
                      dir_.path("queries/search-health.gtql"));
    }

    /// What --explain prints of a config file, with programs that exist.
    [[nodiscard]] Finished explained(const std::string& path, const std::string& command) const {
        std::string line = "$ASSAY " + command + " " + shell_word(path) + " --explain";
        for (const auto& program : assay::configs::load_config({path}).programs) {
            if (program.git) continue;
            line += " --set " + shell_word("programs." + program.name + ".command=[/bin/true]");
        }
        return shell(dir_.root(), line);
    }

    [[nodiscard]] std::string path(const std::string& name) const { return dir_.path(name); }

    [[nodiscard]] const std::string& root() const { return dir_.root(); }

private:
    TempDir dir_;
};

void check_config(const Place& place, const std::string& where, const std::string& path) {
    CAPTURE(where);
    std::vector<std::string> commands{"run"};
    if (contains(where, "gate")) commands.emplace_back("gate");
    for (const std::string& command : commands) {
        const Finished done = place.explained(path, command);
        CHECK_MESSAGE(done.code == 0, done.out);
        CHECK_MESSAGE(!contains(done.out, kInconclusive), done.out);
    }
}

}  // namespace

TEST_CASE("Configs: those that ship come to a verdict with what they allow themselves") {
    const Place place;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(ASSAY_SOURCE_DIR "/configs")) {
        if (entry.path().extension() != ".yaml") continue;
        check_config(place, entry.path().filename().string(), entry.path().string());
        ++count;
    }
    CHECK(count >= 10);
}

TEST_CASE("Configs: those that documents print come to a verdict with what they allow themselves") {
    const Place place;
    std::vector<std::string> files{"README.md"};
    for (const auto& entry : fs::directory_iterator(ASSAY_SOURCE_DIR "/docs")) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".md") files.push_back("docs/" + name);
    }
    std::map<std::string, std::size_t> counts;
    for (const std::string& file : files) {
        for (const Config& config : configs_of(file)) {
            write_file(place.path("printed.yaml"), config.text);
            check_config(place, config.where, place.path("printed.yaml"));
            ++counts[file];
        }
    }
    for (const char* const file : {"README.md", "docs/config.md", "docs/gate.md",
                                   "docs/migrating.md", "docs/nightly.md", "docs/suites.md"}) {
        CAPTURE(file);
        CHECK(counts[file] >= 1);
    }
}

TEST_CASE(
    "Configs: those of 'assay init' come to a verdict, also with the rule that they suggest") {
    const Place place;
    const std::string programs = " --program /bin/true --program /bin/false --force";
    CHECK(shell(place.root(), "$ASSAY init gate.yaml --gate" + programs).code == 0);
    check_config(place, "init gate", place.path("gate.yaml"));
    CHECK(shell(place.root(), "$ASSAY init run.yaml" + programs).code == 0);
    check_config(place, "init", place.path("run.yaml"));
    const std::string text = read_file(place.path("run.yaml"));
    CHECK(contains(text, "\n# stop:"));
    write_file(place.path("run.yaml"),
               std::regex_replace(text, std::regex("\n# stop:"), "\nstop:"));
    check_config(place, "init with its rule", place.path("run.yaml"));
}

TEST_CASE("Configs: a budget of pairs or of minutes that no verdict fits into is said") {
    const Place place;
    const auto header = [&](const std::string& match, const std::string& stop) {
        write_file(place.path("c.yaml"),
                   "programs: {a: {command: /bin/true}, b: {command: /bin/true}}\nmatch: " + match +
                       "\nstop: " + stop + "\n");
        return place.explained(place.path("c.yaml"), "run").out;
    };
    const std::string many = "{time: 8+0.08, pairs: 400000, concurrency: 2}";
    CHECK(contains(header("{time: 8+0.08, pairs: 5000}", "{closing: gain}"), kInconclusive));
    CHECK_FALSE(contains(header(many, "{closing: gain}"), kInconclusive));
    // 23 s of thinking a game, two at once: about 156 pairs an hour.
    CHECK(contains(
        header(many, "{closing: gain, minutes: 60}"),
        "you allow 400,000 in 1:00 h, which hold about 156: " + std::string(kInconclusive)));
    CHECK(
        contains(header("{time: 8+0.08, pairs: 5000, concurrency: 2}", "{fixed: {}, minutes: 60}"),
                 " in 1:00 h, which hold about 156: " + std::string(kInconclusive)));
    CHECK_FALSE(
        contains(header("{time: 8+0.08, pairs: 150, concurrency: 2}", "{fixed: {}, minutes: 60}"),
                 kInconclusive));
    CHECK_FALSE(contains(header("{time: {nodes: 100}, pairs: 150}", "{fixed: {}, minutes: 60}"),
                         kInconclusive));
}
