#include "openings/read/pgn_reader.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"

using assay::openings::PgnGame;
using assay::openings::PgnReader;

namespace {

/// All games in one compact form: "Name=value|... moves {comment} result !fault@offset".
std::string dump(std::string_view text) {
    PgnReader reader(text);
    PgnGame game;
    std::string out;
    while (reader.next(game)) {
        if (!out.empty()) out += " / ";
        std::string one;
        for (const auto& tag : game.tags) {
            one += std::string(tag.name) + "=" + std::string(tag.value) + "| ";
        }
        for (const auto& move : game.moves) {
            one += std::string(move.san) + " ";
            if (!move.comment.empty()) one += "{" + std::string(move.comment) + "} ";
        }
        one += std::string(game.result.empty() ? "-" : game.result);
        for (const auto& fault : game.faults) {
            one += " !" + fault.message + "@" + std::to_string(fault.offset);
        }
        out += one;
    }
    return out;
}

}  // namespace

TEST_CASE("PgnReader: tables of games and what is read of them") {
    struct Case {
        const char* what;
        const char* text;
        const char* expected;
    };

    const std::vector<Case> cases{
        {"one game", "[Event \"x\"]\n\n1. e4 e5 2. Nf3 1-0\n", "Event=x| e4 e5 Nf3 1-0"},
        {"CR LF", "[Event \"x\"]\r\n\r\n1. e4 e5 *\r\n", "Event=x| e4 e5 *"},
        {"byte order mark", "\xef\xbb\xbf[Event \"x\"]\n\n1. e4 *\n", "Event=x| e4 *"},
        {"no tags", "1. e4 e5 1/2-1/2 1. d4 d5 0-1", "e4 e5 1/2-1/2 / d4 d5 0-1"},
        {"numbers as people write them", "1.e4 e5 2 . Nf3 2... Nc6 3.Bb5 12...a6 *",
         "e4 e5 Nf3 Nc6 Bb5 a6 *"},
        {"castling in letters and digits", "1. O-O 0-0 2. O-O-O 0-0-0 *", "O-O 0-0 O-O-O 0-0-0 *"},
        {"suffixes and NAGs", "1. e4! e5?! $1 2. Nf3!!$14 Nc6 +- *", "e4 e5 Nf3 Nc6 *"},
        {"check, mate, promotion", "1. e8=Q+ Qxe8# 1-0", "e8=Q+ Qxe8# 1-0"},
        {"comments", "{a} 1. e4 {b 1-0 (} e5 ; 1-0 {\n2. d4 {c} {d} *", "e4 {b 1-0 (} e5 d4 {d} *"},
        {"variations, nested", "1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4)) 1... e5 *", "e4 e5 *"},
        {"a line comment in a variation", "1. e4 (1. d4 ; )\n d5) e5 *", "e4 e5 *"},
        {"escape lines", "%!x 1-0\n1. e4\n% 0-1\ne5 *", "e4 e5 *"},
        {"a percent sign inside a line", " %x +-\n1. e4 %y e5 *", "e4 e5 *"},
        {"escaped quotes", "[Event \"a \\\"b\\\" \\\\\"]\n*", "Event=a \\\"b\\\" \\\\| *"},
        {"brackets in a tag", "[Event \"[x] {y}\"] [Site \"s\"]\n*", "Event=[x] {y}| Site=s| *"},
        {"no moves", "[Event \"x\"]\n\n{No result} *\n", "Event=x| *"},
        {"no result, next game", "[Event \"x\"]\n1. e4\n[Event \"y\"]\n1. d4",
         "Event=x| e4 - / Event=y| d4 -"},
        {"en passant spelled out", "1. exd6 e.p. *", "exd6 *"},
        {"a null move", "1. e4 -- *", "e4 -- *"},
        {"two games in one line", "1. e4 * [Event \"y\"] 1. d4 *", "e4 * / Event=y| d4 *"},
        {"nothing", "", ""},
        {"blanks and comments", " \n; x\n{y}\n", ""},
        {"a comment never closed", "[Event \"x\"]\n1. e4 {oh\n\n[Event \"y\"]\n1. d4 {z} *",
         "Event=x| e4 - !this comment is never closed@18 / Event=y| d4 {z} *"},
        {"a variation never closed", "1. e4 (1. d4\n[Event \"y\"]\n1. d4 *",
         "e4 - !this variation is never closed@6 / Event=y| d4 *"},
        {"a tag without value", "[Event]\n[Site \"s\"]\n1. e4 *",
         "Site=s| e4 * !expected a tag: [Name \"value\"]@0"},
        {"a quote never closed", "[Event \"x]\n[Site \"s\"]\n*",
         "Site=s| * !this quote is never closed@7"},
        {"a tag never closed", "[Event \"x\"\n*", "Event=x| * !this tag is never closed@0"},
        {"a brace that closes nothing", "1. e4 } e5 ) *",
         "e4 e5 * !this closes nothing@6 !this closes nothing@11"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CHECK(dump(c.text) == c.expected);
    }
}

TEST_CASE("PgnReader: offsets point at the moves and tags, and ranges cover the games") {
    const std::string text = "\n[Event \"x\"]\n1.e4 e5! *\n\n1. d4 *";
    PgnReader reader(text);
    PgnGame game;
    REQUIRE(reader.next(game));
    CHECK(game.begin == 1);
    CHECK(text.substr(game.moves[0].offset, 2) == "e4");
    CHECK(text.substr(game.moves[1].offset, 2) == "e5");
    CHECK(text[game.tags[0].offset] == '[');
    CHECK(text[game.end - 1] == '*');
    CHECK(game.is_complete);
    REQUIRE(reader.next(game));
    CHECK(text.substr(game.begin) == "1. d4 *");
    CHECK_FALSE(game.is_complete);
    CHECK_FALSE(reader.next(game));
}

TEST_CASE("PgnReader: skip() finds the same games as next()") {
    assay::Random random(20'240'501);
    const std::vector<std::string> pieces{"[Event \"x\"]\n",
                                          "[A \"b]\n",
                                          "1. e4 ",
                                          "Nf3 ",
                                          "{c",
                                          "} ",
                                          "(",
                                          ") ",
                                          "1-0 ",
                                          "*",
                                          "\n",
                                          "; z\n",
                                          "%q\n",
                                          "$3 ",
                                          "[",
                                          "]",
                                          "\"",
                                          "\\",
                                          "1/2-1/2",
                                          "\r\n"};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        const std::uint64_t length = random.below(30);
        for (std::uint64_t i = 0; i < length; ++i) text += pieces[random.below(pieces.size())];
        CAPTURE(text);
        PgnReader reads(text);
        PgnReader skips(text);
        PgnGame read;
        PgnGame skipped;
        bool more = true;
        while (more) {
            more = reads.next(read);
            REQUIRE(skips.skip(skipped) == more);
            if (!more) break;
            CHECK(read.begin == skipped.begin);
            CHECK(read.end == skipped.end);
            CHECK(read.is_complete == skipped.is_complete);
            CHECK(read.begin < read.end);
            PgnReader again(std::string_view(text).substr(read.begin));
            REQUIRE(again.next(skipped));
            CHECK(skipped.begin == 0);
            CHECK(skipped.end == read.end - read.begin);
        }
    }
}

TEST_CASE("PgnReader: a complete game reads the same when the text ends right behind it") {
    const std::string text =
        "[Event \"x\"]\n\n1. e4 {a} e5 (1... c5) 2. Nf3 1-0\n\n[Event \"y\"]\n1. d4\n[Event \"z\"]\n*\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        PgnReader whole(text);
        PgnReader cut(std::string_view(text).substr(0, length));
        PgnGame a;
        PgnGame b;
        while (cut.next(b) && b.is_complete) {
            REQUIRE(whole.next(a));
            CHECK(a.begin == b.begin);
            CHECK(a.end == b.end);
            CHECK(a.moves.size() == b.moves.size());
        }
    }
}

TEST_CASE("PgnReader: a hundred thousand braces that never close take linear time") {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "[Event \"x\"]\n1. e4 {\n";
    PgnReader reader(text);
    PgnGame game;
    std::size_t games = 0;
    while (reader.skip(game)) ++games;
    CHECK(games == 100'000);
}

TEST_CASE("unescape_tag: backslashes protect quotes and themselves") {
    CHECK(assay::openings::unescape_tag("a \\\"b\\\" \\\\") == "a \"b\" \\");
    CHECK(assay::openings::unescape_tag("\\") == "\\");
}

TEST_CASE("PgnReader: white space of all kinds at the ends of a tag's value is left out") {
    PgnReader reader(
        "[FEN \" 8/8/8/8/8/8/8/K1k5 w - - 0 15\r\"]\n[White \"\t a b\xc2\xa0\x0b\"]\n[Black "
        "\"\xef\xbb\xbf \"]\n\n1. e4 *\n");
    PgnGame game;
    REQUIRE(reader.next(game));
    REQUIRE(game.tags.size() == 3);
    CHECK(*game.tag("FEN") == "8/8/8/8/8/8/8/K1k5 w - - 0 15");
    CHECK(*game.tag("White") == "a b");
    CHECK(game.tag("Black")->empty());
}
