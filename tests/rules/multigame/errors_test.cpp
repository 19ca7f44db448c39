// Messages about programs that are wrong. tests/golden/multigame/errors.test: a program, '----',
// and the whole message; '====' between them. ASSAY_UPDATE_GOLDEN=1 rewrites the messages.
// tests/data/multigame/bad: programs with errors and where they are (expected.json).
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/form/state.h"
#include "rules/multigame/interpret/machine.h"
#include "rules/multigame/interpret/perft.h"
#include "tests/rules/multigame/programs.h"

namespace multigame_errors {

namespace {

using assay::rules::multigame::Checked;
using assay::rules::multigame::checked;

/// Programs are cut at every byte in a build that is fast enough.
#ifdef NDEBUG
constexpr std::size_t kCutStep = 1;
#else
constexpr std::size_t kCutStep = 23;
#endif

constexpr std::string_view kEndOfProgram = "----\n";
constexpr std::string_view kEndOfCase = "====\n";

std::string messages_of(std::string_view program) {
    std::string out;
    for (const assay::Diagnostic& each : checked({{"t.mg", std::string(program)}}).problems) {
        out += format(each);
    }
    return out;
}

std::vector<std::string> cases_of(const std::string& file) {
    std::vector<std::string> cases;
    std::string_view rest = file;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(kEndOfCase), rest.size());
        cases.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + kEndOfCase.size(), rest.size()));
    }
    return cases;
}

struct Found {
    std::size_t line = 0;
    std::string message;
    bool is_warning = false;
};

/// What is said of a program: by the checker, or by the interpreter in the start position.
std::vector<Found> problems_of(const std::string& path, const std::string& stage) {
    const Checked program =
        checked(assay::rules::multigame::files_of(path, assay::rules::multigame::read_rules_file));
    std::vector<Found> found;
    if (stage == "check") {
        for (const assay::Diagnostic& each : program.problems) {
            found.push_back({each.line, each.message, each.is_warning});
        }
        return found;
    }
    REQUIRE_FALSE(program.has_errors);
    assay::rules::multigame::Machine machine(
        std::make_shared<assay::rules::multigame::Tables>(program.form));
    assay::rules::multigame::MoveList list;
    try {
        machine.moves(list, true);
    } catch (const assay::rules::multigame::RuleError& error) {
        found.push_back({static_cast<std::size_t>(error.place().line), error.what(), false});
    }
    return found;
}

}  // namespace

TEST_CASE("Multigame errors: every message is the golden one") {
    const std::string path = ASSAY_SOURCE_DIR "/tests/golden/multigame/errors.test";
    std::string updated;
    const std::vector<std::string> cases = cases_of(assay::read_file(path));
    CHECK(cases.size() >= 60);
    for (const std::string& each : cases) {
        const std::size_t end = each.find(kEndOfProgram);
        REQUIRE(end != std::string::npos);
        const std::string program = each.substr(0, end);
        const std::string messages = messages_of(program);
        if (!updated.empty()) updated += kEndOfCase;
        updated += program + std::string(kEndOfProgram) + messages;
        CAPTURE(program);
        if (std::getenv("ASSAY_UPDATE_GOLDEN") == nullptr) {
            CHECK(messages == each.substr(end + kEndOfProgram.size()));
        }
    }
    if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << updated;
}

TEST_CASE(
    "Multigame errors: a file that is no UTF-8 text has one error, at its first foreign byte") {
    const std::string rules = "dimensions (3,3)\nmain = draw.\n";
    std::string wide = "\xff\xfe";
    for (const char c : rules) wide += std::string{c, '\0'};
    CHECK(messages_of(wide).starts_with(
        "t.mg:1:1: error: unknown character '\\xff': the file is no UTF-8 text\n"));
    const auto has_one = [](const std::string& messages) {
        return messages.find("error:") == messages.rfind("error:");
    };
    CHECK(has_one(messages_of(wide)));
    CHECK(
        messages_of("\xef\xbb\xbf" + rules)
            .starts_with(
                "t.mg:1:1: error: the file begins with a byte order mark: save it as UTF-8 without one\n"));
    CHECK(has_one(messages_of("\xef\xbb\xbf" + rules)));
    CHECK(messages_of("dimensions (3,3)\nmain = dr\xe4w.\n")
              .starts_with(
                  "t.mg:2:10: error: unknown character '\\xe4': the file is no UTF-8 text\n"));
    for (const std::string name : {"W\x01", "W\xe4", "W\xe2\x80\xae", ""}) {
        CAPTURE(name);
        CHECK(
            messages_of("sides \"" + name + "\" \"B\"\n" + rules)
                .starts_with("t.mg:1:7: error: a player's name has 1 to 63 printable characters"));
    }
}

TEST_CASE("Multigame errors: every wrong program is found wrong in the right place") {
    const std::string folder = ASSAY_TEST_DATA "/multigame/bad/";
    const boost::json::value expected =
        boost::json::parse(assay::read_file(folder + "expected.json"));
    for (const boost::json::key_value_pair& entry : expected.as_object()) {
        const std::string file = entry.key();
        const boost::json::object& wanted = entry.value().as_object();
        CAPTURE(file);
        const std::vector<Found> found =
            problems_of(folder + file, std::string(wanted.at("stage").as_string()));
        REQUIRE_FALSE(found.empty());
        std::string all;
        const bool is_warning = wanted.at("severity").as_string() == "warning";
        for (const Found& each : found) {
            all += each.message + "\n";
            CAPTURE(each.message);
            CHECK(each.is_warning == is_warning);
            if (const auto* const lines = wanted.if_contains("lines")) {
                CHECK(each.line >= lines->as_array()[0].to_number<std::size_t>());
                CHECK(each.line <= lines->as_array()[1].to_number<std::size_t>());
            }
        }
        for (const boost::json::value& name : wanted.at("must_name").as_array()) {
            CAPTURE(all);
            CHECK(all.find(name.as_string()) != std::string::npos);
        }
    }
}

TEST_CASE("Multigame errors: a program that is cut anywhere is refused or read, never a crash") {
    for (const std::string& name : assay::tests::shipped_programs()) {
        CAPTURE(name);
        const std::string text = assay::read_file(assay::tests::program_path(name));
        std::size_t refused = 0;
        std::size_t cuts = 0;
        for (std::size_t size = 0; size < text.size(); size += kCutStep) {
            ++cuts;
            try {
                const auto files = assay::rules::multigame::files_of_text(
                    assay::tests::program_path(name), text.substr(0, size));
                if (checked(files).has_errors) ++refused;
            } catch (const assay::SyntaxError&) {
                ++refused;
            }
        }
        CHECK(refused > cuts / 2);
    }
}

TEST_CASE("Multigame errors: a text of a position that is cut anywhere is refused or read") {
    for (const std::string& name : assay::tests::shipped_programs()) {
        CAPTURE(name);
        const auto program = assay::tests::loaded_program(name);
        const auto states = assay::rules::multigame::start_states(program.tables);
        assay::rules::multigame::Machine machine(program.tables);
        machine.load(states.front());
        assay::rules::multigame::MoveList list;
        for (int ply = 0; ply < 3; ++ply) {
            machine.moves(list);
            machine.apply(list, list.moves.size() / 2);
        }
        const std::string text = assay::rules::multigame::text_of(*program.form, machine.state());
        int refused = 0;
        for (std::size_t size = 0; size < text.size(); ++size) {
            const std::string cut = text.substr(0, size);
            try {
                const auto state = assay::rules::multigame::state_of(*program.form, cut);
                const std::string again = assay::rules::multigame::text_of(*program.form, state);
                CHECK(assay::rules::multigame::state_of(*program.form, again) == state);
            } catch (const assay::Error& error) {
                ++refused;
                CHECK(std::string(error.what()).starts_with("the position '"));
            }
        }
        CHECK(refused > 2);
    }
}

TEST_CASE("Multigame errors: nests of repeats are inferred in a time that grows with their size") {
    std::string text = "dimensions (3,3)\npieces { man 'W' 'B' }\nmain = find own man, north, ";
    for (int n = 0; n < 200; ++n) text += "repeat 0 .. infinity times [ try step, ";
    text += "step";
    for (int n = 0; n < 200; ++n) text += " ]";
    const Checked program = checked({{"t.mg", text + ", remove.\n"}});
    CHECK_FALSE(program.has_errors);
}

TEST_CASE("Multigame errors: deep nests are refused") {
    const std::string head = "dimensions (3,3)\npieces { man 'W' 'B' }\nmain = ";
    for (const std::string_view open : {"[", "try ", "not ", "either ", "spread "}) {
        std::string text = head;
        for (int n = 0; n < 10'000; ++n) text += open;
        const Checked program = checked({{"t.mg", text.substr(0, 60'000)}});
        REQUIRE(program.has_errors);
        CHECK(program.problems.front().message.find("nested more than 500 deep") !=
              std::string::npos);
    }
}

TEST_CASE("Multigame errors: a program based on itself is refused with the chain") {
    const auto read = [](const std::string& path) -> std::optional<std::string> {
        if (path == "a.mg") return "based on \"b.mg\"\n";
        if (path == "b.mg") return "\nbased on \"a.mg\"\n";
        return std::nullopt;
    };
    CHECK_THROWS_WITH_AS((void)assay::rules::multigame::files_of("a.mg", read),
                         "b.mg:2:10: error: this file is based on itself: a.mg > b.mg > a.mg\n"
                         "  based on \"a.mg\"\n           ^~~~~~",
                         assay::SyntaxError);
    CHECK_THROWS_WITH_AS((void)assay::rules::multigame::files_of("c.mg", read),
                         "c.mg: error: cannot read this file of rules", assay::SyntaxError);
}

}  // namespace multigame_errors
