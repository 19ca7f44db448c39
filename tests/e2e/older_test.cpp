// What users already have must stay readable: a store, packed trees and a config that an earlier
// state of assay wrote (tests/data/older, with what it printed of them) are read by this one.
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/temp_dir.h"

using assay::test::Finished;
using assay::test::TempDir;

namespace {

const std::string kOlder = ASSAY_SOURCE_DIR "/tests/data/older/";

/// A folder with copies of the older files, where the built program is run.
class OlderFolder {
public:
    OlderFolder() {
        std::filesystem::copy(kOlder, dir_.root(), std::filesystem::copy_options::recursive);
        std::filesystem::create_directory_symlink(ASSAY_BINARY_DIR "/engines",
                                                  dir_.path("engines"));
    }

    [[nodiscard]] Finished assay(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), ASSAY_BINARY_DIR "/assay");
        return assay::test::run(arguments, dir_.root());
    }

    [[nodiscard]] std::string path(const std::string& name) const { return dir_.path(name); }

private:
    TempDir dir_;
};

/// Whether `now` has all that `before` has: keys may be added to an object, nothing else changes.
/// Gives the path of the first difference, or nothing.
std::string difference(const boost::json::value& before, const boost::json::value& now,
                       const std::string& at) {
    if (before.is_object() && now.is_object()) {
        for (const auto& [key, value] : before.as_object()) {
            const auto* const found = now.as_object().if_contains(key);
            const std::string here = at + "." + std::string(key);
            if (found == nullptr) return here + " is gone";
            if (std::string inner = difference(value, *found, here); !inner.empty()) return inner;
        }
        return "";
    }
    if (before.is_array() && now.is_array()) {
        const auto& first = before.as_array();
        const auto& second = now.as_array();
        if (first.size() != second.size()) return at + " has another length";
        for (std::size_t i = 0; i < first.size(); ++i) {
            std::string inner = difference(first[i], second[i], at + "[" + std::to_string(i) + "]");
            if (!inner.empty()) return inner;
        }
        return "";
    }
    if (before == now) return "";
    return at + " was " + boost::json::serialize(before) + " and is " + boost::json::serialize(now);
}

/// Without the tags that name versions, which are younger than the file.
std::string without_version_tags(const std::string& text) {
    const std::regex tag(R"(\[(White|Black)(Commit|Subject|IdName) "[^\n]*\n)");
    return std::regex_replace(text, tag, "");
}

}  // namespace

TEST_CASE("Older files: the JSON of a stored run has every key and value that it had") {
    const OlderFolder folder;
    const Finished done = folder.assay({"report", "1", "--db", "older.db", "--format", "json"});
    REQUIRE_MESSAGE(done.code == 0, done.err);
    CHECK(difference(boost::json::parse(assay::read_file(kOlder + "run.json")),
                     boost::json::parse(done.out), "run") == "");
}

TEST_CASE("Older files: the games of a stored run are exported as they were") {
    const OlderFolder folder;
    for (const std::string form : {"pgn", "csv"}) {
        CAPTURE(form);
        const Finished done = folder.assay({"report", "1", "--db", "older.db", "--format", form});
        REQUIRE_MESSAGE(done.code == 0, done.err);
        CHECK(without_version_tags(done.out) == assay::read_file(kOlder + "games." + form));
    }
}

TEST_CASE("Older files: every report, game list and replay of a stored run can be made") {
    const OlderFolder folder;
    const std::vector<std::vector<std::string>> commands{
        {"report", "1", "--db", "older.db"},
        {"report", "1", "--db", "older.db", "--format", "html", "-o", "page.html"},
        {"report", "1", "--db", "older.db", "--format", "markdown"},
        {"report", "1", "--db", "older.db", "--format", "junit"},
        {"report", "1", "--db", "older.db", "--format", "badge"},
        {"report", "1", "--db", "older.db", "--format", "openmetrics"},
        {"report", "--history", "--db", "older.db"},
        {"runs", "--db", "older.db"},
        {"replay", "1", "3", "5", "--db", "older.db"},
        {"merge", "older.db", "-o", "merged.db"}};
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command[0]);
        CAPTURE(command[1]);
        const Finished done = folder.assay(command);
        CHECK_MESSAGE(done.code == 0, done.err);
    }
    // Plies are counted from 1.
    const Finished none = folder.assay({"replay", "1", "3", "0", "--db", "older.db"});
    CHECK(none.code == 2);
    CHECK(none.out.empty());
}

TEST_CASE("Older files: a config of then becomes the plan of then, so that its runs are resumed") {
    const OlderFolder folder;
    const Finished explained = folder.assay({"run", "older.yaml", "--explain", "--json"});
    REQUIRE_MESSAGE(explained.code == 0, explained.err);
    // The plan holds absolute paths; the config lay in /opt/older.
    std::string text = explained.out;
    const std::string here = folder.path("");
    for (std::size_t at = text.find(here); at != std::string::npos; at = text.find(here, at)) {
        text.replace(at, here.size(), "/opt/older/");
    }
    // Solutions of positions were not read then; --resume knows that.
    boost::json::value plan = boost::json::parse(text);
    for (boost::json::value& position : plan.at("suite").at("positions").as_array())
        position.as_object().erase("best");
    CHECK(plan == boost::json::parse(assay::read_file(kOlder + "plan.json")));
}

TEST_CASE("Older files: packed trees answer queries as they did, and are whole") {
    const OlderFolder folder;
    const std::string tree = "older.db.trees/1/table/LCTII.CMB.01.gtl";
    const Finished answer =
        folder.assay({"query", tree, "node: depth > 1; subtree: count(*) > 2", "--json"});
    CHECK(answer.code == 0);
    CHECK(answer.out == assay::read_file(kOlder + "query.json"));
    const Finished verified = folder.assay({"tree", "verify", tree});
    CHECK_MESSAGE(verified.code == 0, verified.err);
}

TEST_CASE("Older files: a config of then is played") {
    const OlderFolder folder;
    const Finished played = folder.assay({"run", "older.yaml", "--json"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    CHECK(boost::json::parse(played.out).at("games").as_int64() == 12);
}
