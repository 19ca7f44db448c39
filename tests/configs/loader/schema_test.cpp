// docs/config.md and docs/config.schema.json are printed from the schema's table.
// ASSAY_UPDATE_GOLDEN=1 writes them anew.
#include "configs/loader/schema.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "configs/loader/loader.h"

using assay::configs::advice_on;
using assay::configs::json_schema_text;
using assay::configs::Key;
using assay::configs::keys_under;
using assay::configs::reference_text;
using assay::configs::schema;

namespace {

void check_current(const std::string& name, const std::string& text) {
    const std::string path = std::string(ASSAY_SOURCE_DIR) + "/docs/" + name;
    if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) assay::write_file(path, text);
    CHECK_MESSAGE(assay::read_file(path) == text, path);
}

}  // namespace

TEST_CASE("Schema: the reference and the editors' schema in docs/ are current") {
    check_current("config.md", reference_text());
    check_current("config.schema.json", json_schema_text());
}

TEST_CASE("Schema: every key stands once, under a block, and in the reference") {
    std::set<std::string_view> seen;
    const std::string reference = reference_text();
    for (const Key& key : schema()) {
        CHECK_MESSAGE(seen.insert(key.path).second, key.path);
        const std::size_t dot = key.path.rfind('.');
        if (dot != std::string_view::npos && key.path.substr(0, dot) != "programs.*")
            CHECK_MESSAGE(seen.count(key.path.substr(0, dot)) == 1, key.path);
        CHECK_MESSAGE(reference.find("| `" + std::string(key.name()) + "` |") != std::string::npos,
                      key.path);
    }
}

TEST_CASE("Schema: the editors' schema is JSON whose blocks know the keys that the loader knows") {
    const auto root = boost::json::parse(json_schema_text());
    CHECK(root.at("properties").as_object().size() == keys_under("").size());
    const auto& defs = root.at("$defs");
    CHECK(defs.at("match").at("properties").as_object().size() == keys_under("match").size());
    CHECK(defs.at("match").at("properties").at("pairs").at("maximum") == 1'000'000'000);
    CHECK(defs.at("match").at("properties").at("game").at("type") == "string");
    CHECK(defs.at("stop").at("properties").at("fixed").at("additionalProperties") == false);
}

TEST_CASE("Schema: every word of another harness leads to a key that there is") {
    for (const auto& foreign : assay::configs::foreign_words()) {
        // The path in the last parentheses, NAME standing for a program.
        const std::size_t open = foreign.advice.rfind('(');
        if (open == std::string_view::npos) continue;
        std::string path(
            foreign.advice.substr(open + 1, foreign.advice.find_first_of(",)", open) - open - 1));
        if (const std::size_t name = path.find("NAME"); name != std::string::npos)
            path.replace(name, 4, "*");
        const bool is_known = std::any_of(schema().begin(), schema().end(),
                                          [&](const Key& key) { return key.path == path; });
        CHECK_MESSAGE(is_known, foreign.theirs);
    }
    CHECK(advice_on("TC", "match") == "; assay says 'time' (match.time)");
    CHECK(advice_on("pairs", "") == "; it belongs under 'match' (match.pairs)");
    CHECK(advice_on("apirs", "match") == "; did you mean 'pairs'?");
    CHECK(advice_on("xyzzy", "match").empty());
}

TEST_CASE("Schema: every example config loads") {
    int examples = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ASSAY_SOURCE_DIR) + "/configs")) {
        if (entry.path().extension() != ".yaml") continue;
        ++examples;
        const auto plan = assay::configs::load_config({entry.path().string()});
        CHECK_MESSAGE(plan.name == entry.path().stem().string(), entry.path().string());
        CHECK_MESSAGE((!plan.matches.empty() || plan.suite), entry.path().string());
    }
    CHECK(examples >= 4);
    const auto quickstart =
        assay::configs::load_config({std::string(ASSAY_SOURCE_DIR) + "/configs/quickstart.yaml"});
    CHECK(quickstart.matches.at(0).pairs == 50);
    CHECK(quickstart.matches[0].deterministic);
    CHECK(quickstart.matches[0].stop.rule == assay::harness::StopPlan::Rule::Fixed);
}
