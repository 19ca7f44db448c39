#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/protocols.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/adapters/uci/program_driver.h"

using assay::adapters::ProgramSpec;
using assay::adapters::SearchRequest;
using assay::test::ProgramDriver;

namespace {

/// A program in shell: `cases` are branches on a whole line; those that are not given are answered
/// properly.
ProgramSpec json_scripted(const std::string& cases) {
    ProgramSpec spec = ProgramDriver::spec(
        {"sh", "-c",
         "while read -r line; do case \"$line\" in\n" + cases +
             "\n*'\"hello\"'*) echo '{\"type\":\"hello\",\"name\":\"A\",\"author\":\"B\","
             "\"options\":[\"Hash\",\"TreeLog\"]}';;\n"
             "*'\"new\"'*) echo '{\"type\":\"ready\"}';;\n"
             "*'\"go\"'*) echo '{\"type\":\"move\",\"move\":\"e2e4\"}';;\n"
             "*'\"quit\"'*) exit 0;;\n"
             "esac; done"});
    spec.protocol = "json";
    return spec;
}

std::vector<std::string> json_sent(const ProgramDriver& driver) {
    std::vector<std::string> result;
    for (const std::string& line : driver.lines()) {
        if (line.front() == '>') result.push_back(line.substr(1));
    }
    return result;
}

}  // namespace

TEST_CASE(
    "JSON player: hello, options, new, go, quit; names of options as the program spells them") {
    ProgramSpec spec = json_scripted("");
    spec.game = "chess960";
    spec.options = {{"hash", "16"}, {"Hsah", "1"}};
    spec.options_if_any = {{"treelog", "/x"}, {"Other", "1"}};
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    CHECK(driver.player().identity().name == "A");
    CHECK(driver.best_after("e2e4 e7e5") == "best e2e4");
    driver.player().new_game({});
    CHECK(driver.next() == "ready");
    driver.player().quit();
    CHECK(driver.next() == "gone Exited: exited with code 0");
    CHECK(
        json_sent(driver) ==
        std::vector<std::string>{
            R"({"type":"hello","version":1})",
            R"({"type":"options","game":"chess960","values":{"Hash":"16","Hsah":"1","TreeLog":"/x"}})",
            R"({"type":"new"})",
            R"({"type":"go","moves":["e2e4","e7e5"],"player":0,"depth":1})",
            R"({"type":"new"})",
            R"({"type":"quit"})",
        });
    CHECK(driver.was_warned("the program has no option 'Hsah'; did you mean 'Hash'?"));
}

TEST_CASE("JSON player: lines that are no JSON are warned of once a game, and passed over") {
    ProgramDriver driver(json_scripted(
        "*'\"go\"'*) echo hello; echo '{'; echo '{\"type\":\"info\",\"depth\":\"x\"}'; printf "
        "'%070000d\\n' 0; printf '\\377\\n'; echo '{\"type\":\"unknown\"}'; "
        "echo '{\"type\":\"info\",\"depth\":3}'; echo '{\"type\":\"move\",\"move\":\" e2e4 \"}';;"));
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "best e2e4");
    CHECK(driver.info().depth == 3);
    CHECK(driver.warnings().size() == 3);
    CHECK(driver.was_warned("json-line: no JSON object with a type: 'hello'"));
    CHECK(driver.was_warned("json-field: 'depth' is not a whole number in"));
    CHECK(driver.was_warned("long-line"));
}

TEST_CASE("JSON player: answers to no search, and those written before one, are swallowed") {
    ProgramDriver driver(
        json_scripted("*'\"go\"'*) echo '{\"type\":\"move\",\"move\":\"e2e4\"}';"
                      "echo '{\"type\":\"move\",\"move\":\"d2d4\"}';;"));
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "best e2e4");
    REQUIRE(driver.until([&] { return driver.was_warned("stray-move"); }));
    CHECK(driver.best_after("") == "best e2e4");
}

TEST_CASE("JSON player: a search is stopped; an error before readiness ends the start") {
    ProgramDriver driver(json_scripted(
        "*'\"go\"'*) :;; *'\"stop\"'*) echo '{\"type\":\"move\",\"move\":\"e2e4\"}';;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.infinite = true;
    driver.player().go(request);
    driver.player().stop();
    CHECK(driver.next() == "best e2e4");
    ProgramDriver refusing(
        json_scripted("*'\"options\"'*) echo '{\"type\":\"error\",\"text\":\"no such game\"}';;"));
    CHECK(refusing.start() == "gone Protocol: says: no such game");
    ProgramDriver cut(json_scripted("*'\"hello\"'*) printf '{\"type\":\"hel'; exit 0;;"));
    CHECK(cut.start() == "gone NoHandshake: exited with code 0");
}

TEST_CASE("Protocols: the default is the first") {
    CHECK(assay::adapters::protocol_names() == "uci json");
    CHECK(assay::adapters::protocols().front()->info.name == assay::adapters::kDefaultProtocol);
}
