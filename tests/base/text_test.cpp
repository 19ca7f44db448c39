#include "base/text.h"

#include <cstdint>

#include <doctest/doctest.h>

#include "base/random.h"

TEST_CASE("to_number: takes the whole text or nothing") {
    CHECK(assay::to_number<int>("-12") == -12);
    CHECK_FALSE(assay::to_number<int>("12x"));
    CHECK_FALSE(assay::to_number<int>(" 12"));
    CHECK_FALSE(assay::to_number<int>(""));
    CHECK_FALSE(assay::to_number<std::uint8_t>("256"));
    CHECK(assay::to_number<double>("1.5") == 1.5);
}

TEST_CASE("trim and split_words: runs of blanks separate, CR and LF end a line") {
    CHECK(assay::trim(" \ta b\r\n") == "a b");
    CHECK(assay::trim(" \r\n").empty());
    const auto words = assay::split_words("  bestmove \t e2e4  ");
    REQUIRE(words.size() == 2);
    CHECK(words[0] == "bestmove");
    CHECK(words[1] == "e2e4");
}

TEST_CASE("split_at: a mark has a part on either side, and an empty one counts") {
    using Parts = std::vector<std::string_view>;
    CHECK(assay::split_at("/a:b", ':') == Parts{"/a", "b"});
    CHECK(assay::split_at(":a::", ':') == Parts{"", "a", "", ""});
    CHECK(assay::split_at("", ':') == Parts{""});
}

TEST_CASE("plain_number: digits as people write them, whatever the size") {
    CHECK(assay::plain_number(188.4, 2) == "188");
    CHECK(assay::plain_number(12'345'678.9, 3) == "12345679");
    CHECK(assay::plain_number(1e6) == "1000000");
    CHECK(assay::plain_number(0.05 * 100, 3) == "5");
    CHECK(assay::plain_number(2.345, 3) == "2.35");
    CHECK(assay::plain_number(0.00001, 3) == "0.00001");
    CHECK(assay::plain_number(-3.5) == "-3.5");
    CHECK(assay::plain_number(-1e-30, 3) == "0");
    CHECK(assay::plain_number(0) == "0");
    CHECK(assay::plain_number(9.9996, 4) == "10");
    CHECK(assay::plain_number(1e300, 3).size() == 301);
}

TEST_CASE("printable_utf8: good text passes, everything else is escaped") {
    CHECK(assay::printable_utf8("Zug \xc3\xbc"
                                "ber") ==
          "Zug \xc3\xbc"
          "ber");
    CHECK(assay::printable_utf8(std::string_view("a\0b", 3)) == "a\\x00b");
    CHECK(assay::printable_utf8("\xff\xc3") == "\\xff\\xc3");
    CHECK(assay::printable_utf8("\xc2\x9b[31m") == "\\xc2\\x9b[31m");
    CHECK(assay::printable_utf8("\xc2\xa0") == "\xc2\xa0");
    CHECK(assay::printable_utf8("\xed\xa0\x80") == "\\xed\\xa0\\x80");
    CHECK(assay::printable_utf8("\xc0\xaf") == "\\xc0\\xaf");
    CHECK(assay::printable_utf8("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("printable_utf8: nothing that a CI log would obey comes through") {
    CHECK(assay::printable_utf8("::error::x") == "\\x3a:error::x");
    CHECK(assay::printable_utf8("  ::stop-commands::x") == "  \\x3a:stop-commands::x");
    for (const char* const space : {"\u00a0", "\u1680", "\u2003", "\u202f", "\u3000", " \u2000 "})
        CHECK(assay::printable_utf8(std::string(space) + "::error::x") ==
              std::string(space) + "\\x3a:error::x");
    CHECK(assay::printable_utf8("\u2028::error::x") == "\\xe2\\x80\\xa8\\x3a:error::x");
    CHECK(assay::printable_utf8("\u00e9::x") == "\u00e9::x");
    CHECK(assay::printable_utf8("std::vector, 12::3") == "std::vector, 12::3");
    CHECK(assay::printable_utf8("a ##[group]b") == "a \\x23#[group]b");
    CHECK(assay::printable_utf8("##vso[task.setvariable]") == "\\x23#vso[task.setvariable]");
    CHECK(assay::printable_utf8("## heading #1 ###[") == "## heading #1 #\\x23#[");
    CHECK(assay::printable_lines("a::b\n ::error::x\n::y") == "a::b\n \\x3a:error::x\n\\x3a:y");
}

TEST_CASE("printable_utf8: characters that are not seen are") {
    CHECK(assay::printable_utf8("a\u202eb") == "a\\xe2\\x80\\xaeb");
    CHECK(assay::printable_utf8("\u2066\u200b\u061c\ufeff") ==
          "\\xe2\\x81\\xa6\\xe2\\x80\\x8b\\xd8\\x9c\\xef\\xbb\\xbf");
    CHECK(assay::printable_utf8("\u2014 \u2026 \u2022 \u2192 \u00e9") ==
          "\u2014 \u2026 \u2022 \u2192 \u00e9");
}

TEST_CASE("Random: the sequence of a seed never changes") {
    assay::Random random(1);
    CHECK(random() == 0x910a2dec89025cc1ULL);
    CHECK(random() == 0xbeeb8da1658eec67ULL);
    for (int i = 0; i < 1000; ++i) CHECK(random.below(7) < 7);
}
