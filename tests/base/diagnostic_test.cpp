#include "base/diagnostic.h"

#include <array>
#include <string_view>

#include <doctest/doctest.h>

using assay::Diagnostic;
using assay::Source;

TEST_CASE("Diagnostic: an offset becomes line, column, source line and caret") {
    const Source source("match.yaml", "name: x\npiars: 200\nseed: 1\n");
    CHECK(format(source.at({8, 13}, "unknown key 'piars'; did you mean 'pairs'?")) ==
          "match.yaml:2:1: error: unknown key 'piars'; did you mean 'pairs'?\n"
          "  piars: 200\n"
          "  ^~~~~\n");
}

TEST_CASE("Diagnostic: an offset behind the text points behind its last line") {
    const Source source("f", "ab");
    CHECK(format(source.at({99, 99}, "unexpected end")) ==
          "f:1:3: error: unexpected end\n  ab\n    ^\n");
}

TEST_CASE("Diagnostic: a line of a megabyte is cut around the caret") {
    const std::string text = std::string(500'000, 'a') + "HERE" + std::string(500'000, 'b');
    const Source source("f", text);
    const std::string message = format(source.at({500'000, 500'004}, "m"));
    CHECK(message.size() < 600);
    CHECK(message.find("HERE") != std::string::npos);
    CHECK(message.find("^~~~") != std::string::npos);
}

TEST_CASE(
    "Diagnostic: a message that quotes a word of a megabyte keeps its beginning and its end") {
    std::string word;
    while (word.size() < 1'000'000) word += "\xc3\xa9";
    for (const std::string_view shift : {"", "x"}) {
        const Source source("f", word);
        const std::string message = format(source.at(
            {0, word.size()}, std::string(shift) + "illegal move '" + word + "': left out"));
        CHECK(message.size() < 3000);
        CHECK(message.find("illegal move '\xc3\xa9") != std::string::npos);
        CHECK(message.find("\xc3\xa9 ... \xc3\xa9") != std::string::npos);
        CHECK(message.find("\xc3\xa9': left out\n") != std::string::npos);
    }
}

TEST_CASE(
    "Diagnostic: neither a terminal nor a CI system obeys the path or the line that is shown") {
    const Source source("::error::\u202ex", " ::error::pwn: 1\na\u202eb: 2\n");
    CHECK(format(source.at({10, 13}, "m")) ==
          "\\x3a:error::\\xe2\\x80\\xaex:1:11: error: m\n"
          "   \\x3a:error::pwn: 1\n"
          "               ^~~\n");
    CHECK(
        format(source.at({22, 23}, "m")).ends_with("  a\\xe2\\x80\\xaeb: 2\n                ^\n"));
}

TEST_CASE("Diagnostic: line 0 speaks of the whole file") {
    Diagnostic d;
    d.path = "x.epd";
    d.message = "no position in it";
    CHECK(format(d) == "x.epd: error: no position in it\n");
}

TEST_CASE("Diagnostic: names are suggested within two edits and never for a shorter word") {
    constexpr std::array<std::string_view, 3> kNames{"pairs", "seed", "stop"};
    CHECK(assay::did_you_mean("piars", kNames) == "; did you mean 'pairs'?");
    CHECK(assay::did_you_mean("SEEDS", kNames) == "; did you mean 'seed'?");
    CHECK(assay::did_you_mean("concurrency", kNames).empty());
    CHECK(assay::did_you_mean("st", kNames).empty());
}

TEST_CASE("SyntaxError: all diagnostics stand in what()") {
    const Source source("f", "a\nb\n");
    const assay::SyntaxError error({source.at({0, 1}, "one"), source.at({2, 3}, "two")});
    CHECK(std::string(error.what()) == "f:1:1: error: one\n  a\n  ^\nf:2:1: error: two\n  b\n  ^");
    CHECK(error.exit_code() == 2);
}

TEST_CASE("SyntaxError: passwords and tokens of addresses are not shown, and the caret stays") {
    const std::string line = "{repo: https://me:word@h/x?t=SECRET, rfe: main}";
    const std::size_t at = line.find("rfe");
    const assay::Source source("c.yaml", line);
    const assay::SyntaxError error(
        source.at({at, at + 3}, "no key 'rfe' beside https://h/x?t=SECRET"));
    CHECK(std::string(error.what()) ==
          "c.yaml:1:38: error: no key 'rfe' beside https://h/x?t=***\n"
          "  {repo: https://*******@h/x?t=******* rfe: main}\n"
          "                                       ^~~");
}
