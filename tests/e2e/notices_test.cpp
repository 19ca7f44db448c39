// The recipes of docs/notices.md as they stand there, against a local server.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"

using assay::test::Child;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

namespace json = boost::json;

/// A local server that tells what it received.
class NoticeServer {
public:
    explicit NoticeServer(const std::string& folder)
        : child_({"/usr/bin/env", "python3", ASSAY_SOURCE_DIR "/tests/support/notice_server.py"},
                 folder) {
        REQUIRE(child_.until([this] { return !lines().empty(); }));
        ports_ = json::parse(lines().front());
    }

    [[nodiscard]] std::string address(const char* protocol, const std::string& path) const {
        return std::string(protocol) +
               "://127.0.0.1:" + std::to_string(ports_.at(protocol).to_number<int>()) + path;
    }

    /// Those that came since the last call.
    [[nodiscard]] std::vector<json::object> received() {
        std::vector<json::object> out;
        const std::vector<std::string> all = lines();
        for (; seen_ < all.size(); ++seen_) out.push_back(json::parse(all[seen_]).as_object());
        return out;
    }

private:
    /// Whole lines only.
    [[nodiscard]] std::vector<std::string> lines() const {
        std::vector<std::string> out;
        const std::string text = child_.out_so_far();
        std::size_t from = 0;
        for (std::size_t end = 0; (end = text.find('\n', from)) != std::string::npos;
             from = end + 1)
            out.push_back(text.substr(from, end - from));
        return out;
    }

    Child child_;
    json::value ports_;
    std::size_t seen_ = 1;  // the ports
};

/// By the heading above it: the blocks of YAML of the page.
std::vector<std::pair<std::string, std::string>> recipes() {
    const std::string page = assay::read_file(ASSAY_SOURCE_DIR "/docs/notices.md");
    std::vector<std::pair<std::string, std::string>> out;
    for (std::size_t at = 0; (at = page.find("```yaml\n", at)) != std::string::npos;) {
        const std::size_t heading = page.rfind("### ", at) + 4;
        at += 8;
        const std::size_t end = page.find("```", at);
        out.emplace_back(page.substr(heading, page.find('\n', heading) - heading),
                         page.substr(at, end - at));
        at = end;
    }
    return out;
}

/// A name that breaks what puts texts together without care.
constexpr const char* kName = R"(night "one" $(touch hacked) & 'two')";

class Notices {
public:
    Notices() : server(folder.root()) {
        player_ = folder.program("player");
        std::filesystem::create_symlink(ASSAY_BINARY_DIR "/assay", folder.root() + "/assay");
    }

    [[nodiscard]] Finished run(const std::string& recipe, const std::string& path,
                               const std::string& more = "") {
        folder.write("n.yaml",
                     std::string("name: \"night \\\"one\\\" $(touch hacked) & 'two'\"\n") +
                         "programs: {a: {command: [" + player_ + "]}, b: {command: [" + player_ +
                         "]}}\nmatch: {time: {depth: 1}, pairs: 1}\n" + "stop: none\n" + more +
                         recipe);
        std::vector<std::string> argv{"/usr/bin/env",
                                      "WEBHOOK=" + server.address("http", path),
                                      "MAIL_SERVER=" + server.address("smtp", ""),
                                      "MAIL_FROM=ci@example.org",
                                      "MAIL_TO=you@example.org",
                                      "PATH=" + folder.root() + ":/usr/bin:/bin"};
        for (const std::string& word : folder.assay_argv({"run", "n.yaml"})) argv.push_back(word);
        return assay::test::run(argv, folder.root(), 120);
    }

    RunFolder folder;
    NoticeServer server;

private:
    std::string player_;
};

bool has_tools() {
    for (const char* const tool : {"/usr/bin/curl", "/usr/bin/jq", "/usr/bin/python3"}) {
        if (std::filesystem::exists(tool)) continue;
        MESSAGE("skipped: " << tool << " is not installed");
        return false;
    }
    return true;
}

std::string text_of(const json::object& message, const char* key) {
    return std::string(message.at(key).as_string());
}

}  // namespace

TEST_CASE("Notices: every recipe of the manual does what it says") {
    if (!has_tools()) return;
    Notices notices;
    const auto all = recipes();
    REQUIRE(all.size() == 6);
    int number = 0;
    for (const auto& entry : all) {
        const std::string& heading = entry.first;
        const std::string& recipe = entry.second;
        CAPTURE(heading);
        const Finished finished = notices.run(recipe, "/hook");
        ++number;
        CAPTURE(finished.err);
        CHECK(finished.code == 0);
        CHECK(finished.err.find("at_end") == std::string::npos);
        CHECK_FALSE(std::filesystem::exists(notices.folder.root() + "/hacked"));
        const std::vector<json::object> received = notices.server.received();
        if (heading == "A command") {
            CHECK(received.empty());
            continue;
        }
        REQUIRE(received.size() == 1);
        const std::string body = text_of(received[0], "body");
        CAPTURE(body);
        if (heading == "Mail") {
            CHECK(text_of(received[0], "from") == "ci@example.org");
            CHECK(body.find("Subject: " + std::string(kName) + " run " + std::to_string(number) +
                            ": none\n") != std::string::npos);
            CHECK(body.find("| games | 2 |") != std::string::npos);
            continue;
        }
        CHECK(text_of(received[0], "path") == "/hook");
        CHECK(text_of(received[0], "type") == "application/json");
        const json::object sent = parsed(body).as_object();
        if (heading.find("webhook") != std::string::npos) {
            CHECK(sent.at("run").to_number<int>() == number);
            CHECK(sent.at("exit_code").to_number<int>() == 0);
            const Finished report =
                notices.folder.assay({"report", std::to_string(number), "--format", "json"});
            CHECK(parsed(report.out) == json::value(sent));
        } else {
            const std::string text = text_of(sent, heading == "Discord" ? "content" : "text");
            CHECK(text.find(kName) != std::string::npos);
            CHECK(text.find("run " + std::to_string(number)) != std::string::npos);
            CHECK(text.find("after 2 games") != std::string::npos);
        }
    }
    CHECK(assay::read_file(notices.folder.root() + "/results.txt") ==
          std::string(kName) + " none exit 0\n");
}

TEST_CASE("Notices: one of failures only is sent for a failure") {
    if (!has_tools()) return;
    Notices notices;
    const std::string recipe = recipes().back().second;
    notices.folder.write("one.epd", "4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8;\n");
    const std::string suite =
        "suite: {positions: one.epd, limit: {depth: 1}, expect: [{measure: solved, min: LEAST}]}\n";
    for (const std::string least : {"0", "2"}) {
        std::string more = suite;
        more.replace(more.find("LEAST"), 5, least);
        const Finished finished = notices.run(recipe, "/hook", more);
        CAPTURE(finished.err);
        CHECK(finished.code == (least == "0" ? 0 : 1));
        CHECK(notices.server.received().size() == (least == "0" ? 0 : 1));
    }
}

TEST_CASE("Notices: a server that refuses is a warning, and the exit code stays") {
    if (!has_tools()) return;
    Notices notices;
    const Finished finished = notices.run(recipes().front().second, "/refuse");
    CAPTURE(finished.err);
    CHECK(finished.code == 0);
    CHECK(finished.err.find("warning: at_end: sh: exited with code 22") != std::string::npos);
    CHECK(notices.server.received().size() == 1);
}
