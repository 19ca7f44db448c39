#include "adapters/uci/uci_info.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using assay::adapters::read_uci_info;
using assay::adapters::Score;
using assay::adapters::SearchInfo;

namespace {

template <class Number>
void add(std::string& text, const char* name, const std::optional<Number>& value) {
    if (value) text += std::string(name) + std::to_string(*value) + " ";
}

std::string dump(const SearchInfo& info) {
    std::string text;
    add(text, "d", info.depth);
    add(text, "sd", info.seldepth);
    if (info.score) {
        text += (info.score->is_mate ? "mate" : "cp") + std::to_string(info.score->value);
        if (info.score->bound == Score::Bound::Lower) text += "+";
        if (info.score->bound == Score::Bound::Upper) text += "-";
        text += " ";
    }
    add(text, "n", info.nodes);
    add(text, "nps", info.nps);
    add(text, "tb", info.tbhits);
    add(text, "h", info.hashfull);
    if (info.time) text += "us" + std::to_string(info.time->count()) + " ";
    return text + "[" + info.pv + "]";
}

// The warning as "field=value", "field" where the value is missing.
std::string read(SearchInfo& info, std::string_view line) {
    const auto warning = read_uci_info(line, info);
    return std::string(warning.field) + (warning.value.empty() ? "" : "=") +
           std::string(warning.value);
}

}  // namespace

TEST_CASE("UCI info: a line becomes fields") {
    struct Case {
        std::string_view what;
        std::string_view line;
        std::string_view expected;
        std::string_view warning;
    };

    const std::vector<Case> cases{
        {"all fields",
         "depth 12 seldepth 20 multipv 1 score cp 34 nodes 12345 nps 99 hashfull 17 tbhits 3 time "
         "250 pv e2e4 e7e5 g1f3",
         "d12 sd20 cp34 n12345 nps99 tb3 h17 us250000 [e2e4 e7e5 g1f3]", ""},
        {"mate", "depth 5 score mate -3 pv a7a8q", "d5 mate-3 [a7a8q]", ""},
        {"lower bound", "depth 5 score cp 20 lowerbound nodes 7", "d5 cp20+ n7 []", ""},
        {"upper bound of a mate", "score mate 2 upperbound", "mate2- []", ""},
        {"win, draw, loss", "depth 3 score cp 5 wdl 10 980 10 nodes 4", "d3 cp5 n4 []", ""},
        {"two blanks and a tab", "depth  3   score \t cp  7  pv  e2e4   e7e5 ",
         "d3 cp7 [e2e4   e7e5]", ""},
        {"missing values (FC#977)", "depth 1 seldepth  score cp  nodes  nps 0 pv e4d5",
         "d1 nps0 [e4d5]", "seldepth"},
        {"a score without a kind", "depth 1 score 34 nodes 2", "d1 n2 []", "score=34"},
        {"no number", "depth x nodes 5", "n5 []", "depth=x"},
        {"a fraction", "nodes 5 nps 1.5e6 time 12.5", "n5 []", "nps=1.5e6"},
        {"text that looks like a score (FC#934)", "string score cp 900 pv a1a1 depth 3", "[]", ""},
        {"fields before string", "depth 2 nodes 5 string depth 9", "d2 n5 []", ""},
        {"more than 32 bits (FC#824)", "nps 5000000000", "nps5000000000 []", ""},
        {"overflow saturates",
         "depth 99999999999 score cp -99999999999 nodes 99999999999999999999999",
         "d2147483647 cp-2147483648 n18446744073709551615 []", ""},
        {"overflowing time saturates", "time 9223372036854775807", "us9223372036854775807 []", ""},
        {"negative nodes are none", "nodes -5 depth 2", "d2 []", "nodes=-5"},
        {"multipv 2 changes nothing", "depth 9 multipv 2 score cp 5 pv d2d4", "[]", ""},
        {"an empty line", "", "[]", ""},
        {"keywords alone", "depth", "[]", "depth"},
        {"score at the end", "depth 4 score", "d4 []", "score"},
        {"cp at the end", "score cp", "[]", "cp"},
        {"an empty pv", "depth 4 pv", "d4 []", "pv"},
        {"pv in the middle", "pv e2e4 e7e5 depth 4 score cp 1", "d4 cp1 [e2e4 e7e5]", ""},
        {"unknown fields are skipped", "depth 4 ebf 1.9 wonders 3 nodes 8", "d4 n8 []", ""},
        {"currline", "currline 1 e2e4 e7e5 nodes 3", "n3 []", ""},
        {"a keyword's prefix is none", "dept 4 nodesx 3", "[]", ""},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        SearchInfo info;
        const std::string warning = read(info, c.line);
        CHECK(dump(info) == c.expected);
        if (c.warning != "cp") CHECK(warning == c.warning);
    }
}

TEST_CASE("UCI info: lines add up to what was last said") {
    SearchInfo info;
    read(info, "depth 10 seldepth 14 score cp 12 nodes 100 pv e2e4 e7e5");
    read(info, "depth 11 currmove d2d4 currmovenumber 2 nodes 150");
    CHECK(dump(info) == "d10 sd14 cp12 n150 [e2e4 e7e5]");
    read(info, "depth 11 seldepth 15 multipv 2 score cp -80 nodes 160 pv a2a3");
    CHECK(dump(info) == "d10 sd14 cp12 n150 [e2e4 e7e5]");
    read(info, "depth 11 seldepth 16 score cp 15 lowerbound nodes 170 pv e2e4");
    CHECK(dump(info) == "d10 sd14 cp12 n170 [e2e4 e7e5]");
    read(info, "depth 11 score cp 14");
    CHECK(dump(info) == "d11 sd14 cp14 n170 [e2e4 e7e5]");
}

TEST_CASE("UCI info: a bound is no score, the last exact one stays with its depth and line") {
    SearchInfo info;
    read(info, "depth 4 score cp 30 lowerbound pv a2a3");
    CHECK(dump(info) == "d4 cp30+ [a2a3]");
    read(info, "depth 4 score cp 44 upperbound pv a2a4");
    CHECK(dump(info) == "d4 cp44- [a2a4]");
    read(info, "depth 5 score cp 400 pv b2b3");
    read(info, "depth 6 score cp 0 upperbound nodes 9 pv b2b4");
    read(info, "depth 6 score mate 3 lowerbound pv c2c3");
    CHECK(dump(info) == "d5 cp400 n9 [b2b3]");
}

TEST_CASE("UCI info: the newest line with moves is kept as it was said, that of a bound too") {
    SearchInfo info;
    read(info, "depth 1 score cp 3");
    CHECK(info.line == "info depth 1 score cp 3");
    CHECK(info.line_moves().empty());
    read(info, " depth 4 score cp 30 pv  a2a3  a7a6 nodes 9\t");
    CHECK(info.line_moves() == "a2a3  a7a6");
    read(info, "depth 5 currmove b2b3");
    read(info, "depth 5 multipv 2 score cp 9 pv b2b3");
    read(info, "depth 5 score cp 31");
    CHECK(info.line == "info depth 4 score cp 30 pv  a2a3  a7a6 nodes 9");
    read(info, "depth 5 score cp 40 lowerbound pv c2c3 string pv d2d4");
    CHECK(info.line == "info depth 5 score cp 40 lowerbound pv c2c3 string pv d2d4");
    CHECK(info.line_moves() == "c2c3");
    REQUIRE(info.line_score);
    CHECK(info.line_score->bound == Score::Bound::Lower);
    CHECK(info.pv == "a2a3  a7a6");
}

TEST_CASE("UCI info: mate in 0 says nothing of a position that has moves") {
    SearchInfo info;
    read(info, "depth 1 score mate 0 pv");
    CHECK_FALSE(info.score);
    read(info, "depth 24 score cp 28");
    read(info, "depth 25 score mate -0");
    CHECK(dump(info) == "d24 cp28 []");
}

TEST_CASE("UCI info: any cut of a line is read without harm") {
    const std::string line =
        "depth 12 seldepth 20 multipv 1 score mate -34 upperbound nodes 12345 nps 99 hashfull 17 "
        "tbhits 3 time 250 pv e2e4 e7e5 string x";
    for (std::size_t length = 0; length <= line.size(); ++length) {
        const std::string cut = line.substr(0, length);
        SearchInfo info;
        static_cast<void>(read_uci_info(cut, info));
        CHECK(info.depth.value_or(12) <= 12);
    }
}
