#include "adapters/check/compliance_lines.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace std::string_literals;
using assay::adapters::byte_complaint;
using assay::adapters::default_complaint;
using assay::adapters::duplicate_names;
using assay::adapters::info_complaint;
using assay::adapters::looks_like_result;
using assay::adapters::match_default_complaints;
using assay::adapters::option_line_complaint;
using assay::adapters::read_uci_option;
using assay::adapters::UciOption;

namespace {

UciOption option_of(const std::string& text) {
    return read_uci_option(text).value_or(UciOption{});
}

}  // namespace

TEST_CASE("Option lines: what the protocol asks of each type is asked") {
    CHECK(option_line_complaint("option name Hash type spin default 16 min 1 max 64").empty());
    CHECK(option_line_complaint("option name Clear Hash type button").empty());
    CHECK(option_line_complaint("option name Book Path type string").empty());
    CHECK(option_line_complaint("option name Style type combo default a var a var b").empty());
    CHECK(option_line_complaint("option type spin").starts_with("no name"));
    CHECK(option_line_complaint("option name Hash").starts_with("no type"));
    CHECK(option_line_complaint("option name Hash type number").starts_with("unknown type"));
    CHECK(option_line_complaint("option name Hash type spin default 1")
              .starts_with("a spin without min and max"));
    CHECK(option_line_complaint("option name Hash type spin default 1 min 9 max 2")
              .starts_with("min above max"));
    CHECK(option_line_complaint("option name S type combo default a")
              .starts_with("a combo without var"));
    CHECK(option_line_complaint("option name Ponder type check").starts_with("no default"));
}

TEST_CASE("Option defaults: one that is no value of its option is named") {
    CHECK(default_complaint(option_of("name Hash type spin default 16 min 1 max 64")).empty());
    CHECK(default_complaint(option_of("name Hash type spin default 128 min 1 max 64")) ==
          "Hash is 1 to 64, not '128'");
    CHECK_FALSE(
        default_complaint(option_of("name Style type combo default x var a var b")).empty());
    CHECK_FALSE(default_complaint(option_of("name Ponder type check default yes")).empty());
    CHECK(default_complaint(option_of("name File type string default <empty>")).empty());
}

TEST_CASE("Option names: those declared twice are listed, whatever their case") {
    CHECK(duplicate_names({option_of("name Hash type button"), option_of("name X type button")})
              .empty());
    CHECK(
        duplicate_names({option_of("name Hash type button"), option_of("name hash type button")}) ==
        std::vector<std::string>{"hash"});
}

TEST_CASE("Match defaults: own books, pondering and threads are named with what to set") {
    const std::vector<UciOption> options{
        option_of("name ownbook type check default true"),
        option_of("name Ponder type check default false"),
        option_of("name Threads type spin default 4 min 1 max 8"),
    };
    CHECK(match_default_complaints(options) ==
          std::vector<std::string>{"plays from its own book unless told not to: set ownbook=false",
                                   "uses several threads unless told not to: set Threads=1"});
}

TEST_CASE("Info lines: missing values, words for numbers and overflow are named") {
    CHECK(info_complaint("depth 3 seldepth 4 score cp -12 nodes 100 pv e2e4").empty());
    CHECK(info_complaint("string anything score cp x").empty());
    CHECK(info_complaint("depth 3 currmove e2e4 currmovenumber 1").empty());
    CHECK(info_complaint("depth nodes 4").starts_with("no value after 'depth'"));
    CHECK(info_complaint("score cp x") == "'score' is 'x'");
    CHECK(info_complaint("nodes 99999999999999999999999").starts_with("a number beyond its range"));
    CHECK(info_complaint("hashfull 2000") == "hashfull is permille, not 2000");
}

TEST_CASE("Info strings: one that reads like a score is seen, a plain one is not") {
    CHECK(looks_like_result("string score cp 900 pv a1a1"));
    CHECK_FALSE(looks_like_result("string NNUE evaluation using net"));
    CHECK_FALSE(looks_like_result("depth 1 score cp 900"));
}

TEST_CASE("Bytes: NULs and broken UTF-8 are named, any language is not") {
    CHECK(byte_complaint("id author Jos\xc3\xa9").empty());
    CHECK(byte_complaint("a\\x41b").empty());
    CHECK(byte_complaint("a\0b"s) == "a NUL byte");
    CHECK(byte_complaint("a\xff"s) == "bytes that are not UTF-8");
}
