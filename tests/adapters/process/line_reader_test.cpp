#include "adapters/process/line_reader.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/process/recent_lines.h"
#include "base/text.h"

using assay::adapters::LineReader;
using assay::adapters::RecentLines;

namespace {

// Lines as "text" or "text (cut)", '|' between them.
std::string read_in_pieces(std::string_view bytes, std::size_t piece, std::size_t longest) {
    LineReader reader(longest);
    std::string result;
    while (!bytes.empty()) {
        // A copy, so that a sanitizer sees a view that outlives its bytes.
        const std::string part(bytes.substr(0, piece));
        bytes.remove_prefix(part.size());
        reader.feed(part, [&result](std::string_view line, bool was_cut) {
            result += assay::printable_utf8(line) + (was_cut ? " (cut)|" : "|");
            return true;
        });
    }
    return result + assay::printable_utf8(reader.partial());
}

}  // namespace

TEST_CASE("LineReader: lines come out the same however the bytes are cut") {
    using namespace std::string_view_literals;  // NOLINT(google-build-using-namespace)

    struct Case {
        std::string_view what;
        std::string_view bytes;
        std::string_view expected;
    };

    const std::vector<Case> cases{
        {"LF", "a\nbc\n", "a|bc|"},
        {"CR LF", "bestmove d4b6\r\n\r\n", "bestmove d4b6||"},
        {"a CR inside stays", "a\rb\n", "a\\x0db|"},
        {"empty lines", "\n\n", "||"},
        {"no end", "bestmove e2", "bestmove e2"},
        {"NULs and no UTF-8", "a\0b\n\xff\xfe\n"sv, "a\\x00b|\\xff\\xfe|"},
        {"at the limit", "0123456789abcde\nx\n", "0123456789abcde|x|"},
        {"over the limit: once, and the next line is whole",
         "0123456789abcdefghijklmnopqrstuvwxyz\nx\n", "0123456789abcde (cut)|x|"},
        {"cut and unfinished", "0123456789abcdef", "0123456789abcde (cut)|"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        for (std::size_t piece = 1; piece <= c.bytes.size(); ++piece) {
            CAPTURE(piece);
            CHECK(read_in_pieces(c.bytes, piece, 15) == c.expected);
        }
    }
}

TEST_CASE("LineReader: a megabyte without a newline keeps no more than the limit") {
    LineReader reader;
    int lines = 0;
    const std::string block(1U << 20U, 'x');
    for (int i = 0; i < 3; ++i) {
        reader.feed(block, [&](std::string_view line, bool was_cut) {
            ++lines;
            CHECK(line.size() == LineReader::kLongestLine);
            CHECK(was_cut);
            return true;
        });
    }
    CHECK(lines == 1);
    CHECK(reader.partial().empty());
}

TEST_CASE("LineReader: may be destroyed by who hears a line") {
    for (const std::string_view bytes : {"a\nb\n", "whole\nb\nc\n", "toolongaline\nb\n"}) {
        auto reader = std::make_unique<LineReader>(8);
        reader->feed("x", [](std::string_view, bool) { return true; });
        int lines = 0;
        reader->feed(bytes, [&](std::string_view, bool) {
            ++lines;
            reader.reset();
            return false;
        });
        CHECK(lines == 1);
    }
}

TEST_CASE("RecentLines: the newest twenty are kept, long ones cut, bad bytes escaped") {
    RecentLines recent;
    CHECK(recent.lines().empty());
    recent.add("a\xff");
    CHECK(recent.lines() == std::vector<std::string>{"a\\xff"});
    for (int i = 0; i < 1000; ++i) recent.add("line " + std::to_string(i));
    REQUIRE(recent.lines().size() == 20);
    CHECK(recent.lines().front() == "line 980");
    CHECK(recent.lines().back() == "line 999");
    recent.add(std::string(5000, 'y'));
    CHECK(recent.lines().back() == std::string(400, 'y'));
    for (int i = 0; i < 100; ++i) recent.add(std::string(300, 'z'));
    REQUIRE(recent.lines().size() == 6);
    for (const std::string& line : recent.lines()) CHECK(line == std::string(300, 'z'));
}
