#include "reports/view/escape.h"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "base/random.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"

using namespace assay;

TEST_CASE("Escaping: each document gets its own form") {
    CHECK(reports::xml("a<b> & \"c\" 'd'\n") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\\x0a");
    CHECK(reports::markdown("*x* `y` <b> @me #1 a_b") ==
          "\\*x\\* \\`y\\` &lt;b&gt; &#64;me &#35;1 a\\_b");
    CHECK(reports::csv("plain") == "plain");
    CHECK(reports::csv("a \"b\", c") == "\"a \"\"b\"\", c\"");
    CHECK(reports::csv("@SUM(1)") == "\"'@SUM(1)\"");
    CHECK(reports::csv("-1+2") == "\"'-1+2\"");
    CHECK(reports::github_message("50 %\nnext\n") == "50 %25%0Anext");
    CHECK(reports::github_property("a:b,c%") == "a%3Ab%2Cc%25");
    CHECK(reports::github_property("two\nlines") == "two%0Alines");
    CHECK(reports::xml_lines("<a>\n\x01\n") == "&lt;a&gt;\n\\x01\n");
    CHECK(reports::first_line(" one \ntwo") == "one");
    CHECK(reports::pgn_tag("say \"hi\" \\ ") == "say \\\"hi\\\" \\\\ ");
    CHECK(reports::pgn_comment("{a}") == "(a)");
}

TEST_CASE("Escaping: what is cut is cut between characters") {
    CHECK(reports::shortened("short", 10) == "short");
    CHECK(reports::shortened("0123456789", 8) == "01234...");
    CHECK(reports::shortened("ab\xC3\xA9\xC3\xA9zz", 6) == "ab...");
}

TEST_CASE("Escaping: random bytes leave no active character in any document") {
    Random random(20240601);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random.below(40), ' ');
        for (char& c : bytes) c = static_cast<char>(random.below(256));
        const std::string xml = reports::xml(bytes);
        CHECK(xml.find_first_of("<>\"'") == std::string::npos);
        const std::string tag = reports::pgn_tag(bytes);
        for (std::size_t i = 0; i < tag.size(); ++i) {
            if (tag[i] == '\\')
                ++i;
            else
                CHECK(tag[i] != '"');
        }
        CHECK(reports::pgn_comment(bytes).find_first_of("{}") == std::string::npos);
        for (const std::string& text : {xml, tag, reports::markdown(bytes), reports::csv(bytes)})
            CHECK(std::ranges::none_of(
                text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
    }
}

TEST_CASE("JSON text: doubles are plain, and what is not finite is null") {
    boost::json::value value = 0.5;
    CHECK(reports::json_text(value) == "0.5");
    value = 1e300 * 1e300;
    CHECK(reports::json_text(value) == "null");
    CHECK(reports::json_number(std::nullopt).is_null());
    CHECK(reports::json_text(reports::json_string("a\nb\x01\xff")) == R"("a\nb\\x01\\xff")");
}

TEST_CASE("Words: numbers are written for people") {
    CHECK(reports::grouped(1234567) == "1,234,567");
    CHECK(reports::grouped(-1234) == "-1,234");
    CHECK(reports::grouped(999) == "999");
    CHECK(reports::grouped(1, "pair") == "1 pair");
    CHECK(reports::grouped(1804, "pair") == "1,804 pairs");
    CHECK(reports::signed_number(-0.04, 1) == "0.0");
    CHECK(reports::signed_number(3.44, 1) == "+3.4");
    CHECK(reports::estimate_text({31.2, {-23.1, 87.4}}) == "+31 [-23, +87]");
    CHECK(reports::estimate_text({3.41, {-7.2, 13.9}}) == "+3.4 [-7.2, +13.9]");
    CHECK(reports::estimate_text({std::nullopt, {120.0, std::nullopt}}) == "> +120 (one-sided)");
    CHECK(reports::estimate_text({}) == "unknown");
    CHECK(reports::probability(0.256) == "0.26");
    CHECK(reports::probability(0.00341) == "0.0034");
    CHECK(reports::probability(1.9e-6) == "1.9e-6");
    CHECK(reports::p_value(1e-9) == "p < 1e-6");
    CHECK(reports::score_text(109) == "54.5");
    CHECK(reports::milliseconds(40) == "0.04 ms");
    CHECK(reports::milliseconds(35'200) == "35 ms");
    CHECK(reports::duration(std::chrono::seconds(72)) == "1:12 min");
    CHECK(reports::duration(std::chrono::minutes(125)) == "2:05 h");
    CHECK(reports::rough(152.3) == 150);
    CHECK(reports::rough(81'234) == 81'000);
}
