#include "gtql/lang/parser.h"

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"

namespace assay::gtql {

namespace {

/// The steps without their places.
std::vector<std::pair<Op, std::string>> shape_of(const Query& query) {
    std::vector<std::pair<Op, std::string>> steps;
    for (const Step& step : query.part(Part::Node).steps) {
        const bool is_operand = step.op == Op::Name || step.op == Op::Integer;
        steps.emplace_back(step.op, is_operand ? std::string(query.spelled(step.span)) : "");
    }
    return steps;
}

/// A random expression in two spellings: with only the parentheses that it needs, and with all.
struct Spelled {
    std::string few;
    std::string all;
    int precedence = 9;
};

std::string wrapped(const Spelled& part, int least) {
    return part.precedence < least ? "(" + part.few + ")" : part.few;
}

Spelled number(Random& random, int depth) {
    static constexpr std::array<const char*, 6> kOperators{" * ", " % ", " + ",
                                                           " - ", " & ", " | "};
    static constexpr std::array<int, 6> kPrecedences{8, 8, 7, 7, 6, 5};
    if (depth == 0 || random.below(3) == 0) {
        const std::string name(1, static_cast<char>('a' + random.below(5)));
        return {name, name, 9};
    }
    const auto which = random.below(kOperators.size());
    const int precedence = kPrecedences.at(which);
    const Spelled left = number(random, depth - 1);
    const Spelled right = number(random, depth - 1);
    const std::string op = kOperators.at(which);
    return {wrapped(left, precedence) + op + wrapped(right, precedence + 1),
            "(" + left.all + op + right.all + ")", precedence};
}

Spelled truth(Random& random, int depth) {
    if (depth == 0 || random.below(4) == 0) {
        const Spelled left = number(random, 2);
        const Spelled right = number(random, 2);
        return {left.few + " <= " + right.few, "(" + left.all + " <= " + right.all + ")", 4};
    }
    const Spelled left = truth(random, depth - 1);
    // Two in a row cancel while parsing, so the steps would differ.
    if (left.precedence == 3) return left;
    if (random.below(3) == 0) return {"not " + wrapped(left, 3), "(not " + left.all + ")", 3};
    const Spelled right = truth(random, depth - 1);
    const bool is_and = random.below(2) == 0;
    const int precedence = is_and ? 2 : 1;
    const std::string op = is_and ? " and " : " or ";
    return {wrapped(left, precedence) + op + wrapped(right, precedence + 1),
            "(" + left.all + op + right.all + ")", precedence};
}

}  // namespace

TEST_CASE("Parser: 500 expressions mean what they mean with all parentheses") {
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        const Spelled spelled = truth(random, 3);
        CAPTURE(spelled.few);
        CAPTURE(spelled.all);
        CHECK(shape_of(parse_query("<query>", "node: " + spelled.few)) ==
              shape_of(parse_query("<query>", "node: " + spelled.all)));
    }
}

TEST_CASE("Parser: all seven choices of node, child and subtree are queries") {
    for (int choice = 1; choice < 8; ++choice) {
        std::string text;
        if ((choice & 1) != 0) text += "node: a = 1;";
        if ((choice & 2) != 0) text += "child: count(*) > 1;";
        if ((choice & 4) != 0) text += "subtree: count(*) > 1;";
        const Query query = parse_query("<query>", text, {1});
        CHECK(query.part(Part::Node).empty() == ((choice & 1) == 0));
        CHECK(query.part(Part::Child).empty() == ((choice & 2) == 0));
        CHECK(query.part(Part::Subtree).empty() == ((choice & 4) == 0));
    }
}

TEST_CASE("Parser: what a query answers with") {
    const auto kind = [](const char* text) { return parse_query("<query>", text).kind; };
    CHECK(kind("node: a = 1") == AnswerKind::Nodes);
    CHECK(kind("node: count(a = 1)") == AnswerKind::Count);
    CHECK(kind("node: (count(*))") == AnswerKind::Count);
    CHECK(kind("node: count(*) + 1") == AnswerKind::Value);
    CHECK(kind("node: max(a)") == AnswerKind::Value);
    CHECK(kind("node: count(*) > 1") == AnswerKind::Bool);
    CHECK(kind("node: count(*) by a") == AnswerKind::Table);
    CHECK(kind("node: count(*), max(a)") == AnswerKind::Table);
    CHECK(parse_query("<query>", "node: count(*),max(a where b = 1) by a, b % 2").titles ==
          std::vector<std::string>{"a", "b % 2", "count(*)", "max(a where b = 1)"});
}

TEST_CASE("Parser: function words, 'in', 'by' and 'where' are names where they cannot be more") {
    CHECK_NOTHROW((void)parse_query("<query>", "node: count = 1 and max = min and sum & avg"));
    CHECK_NOTHROW((void)parse_query("<query>", "node: in = by and where = node"));
    CHECK_NOTHROW((void)parse_query("<query>", "node: a - 1 = -1 and a -1 = 0 - -2"));
}

TEST_CASE("Parser: the least integer is read, whole") {
    const Query query = parse_query("<query>", "node: a = -9223372036854775808");
    CHECK(query.part(Part::Node).steps[1].value == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("Parser: 10,000 parentheses are refused, 1,000 are not, and 1 MB of anything is read") {
    const auto nested = [](std::size_t depth) {
        return "node: " + std::string(depth, '(') + "a = 1" + std::string(depth, ')');
    };
    CHECK_NOTHROW((void)parse_query("<query>", nested(1'000)));
    CHECK_THROWS_AS((void)parse_query("<query>", nested(10'000)), SyntaxError);
    CHECK_THROWS_AS((void)parse_query("<query>", "node: " + std::string(1'000'000, '(')),
                    SyntaxError);
    std::string chain = "node: a = 1";
    std::string sum = "node: a";
    while (chain.size() < 1'000'000) chain += " or a = 1";
    while (sum.size() < 1'000'000) sum += " & a";
    CHECK(parse_query("<query>", chain).part(Part::Node).steps.size() > 300'000);
    CHECK(parse_query("<query>", sum).part(Part::Node).steps.size() > 400'000);
    std::string nots = "node: ";
    while (nots.size() < 1'000'000) nots += "not ";
    CHECK(parse_query("<query>", nots + "a = 1").part(Part::Node).steps.size() <= 4);
    CHECK_THROWS_AS((void)parse_query("<query>", "node: " + std::string(1'000'000, 'x')),
                    SyntaxError);
    std::string calls = "child: count(*) > 1";
    for (int i = 0; i < 1'000; ++i) calls += " or count(*) > 1";
    CHECK_THROWS_AS((void)parse_query("<query>", calls), SyntaxError);
}

TEST_CASE("Parser: a query that is cut anywhere is an error or a query, never more") {
    const std::string text =
        "node: flags & QRootNode = 2 and not (depth in (1, -2)); parent: max(depth where type = 1) "
        "> [^]depth % 3; child: count([]value < [<]value) >= 5; subtree: count([*]a | 1 > 2) > 0";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        try {
            (void)parse_query("<query>", text.substr(0, size));
        } catch (const SyntaxError& error) {
            CHECK(error.diagnostics().at(0).line == 1);
        }
    }
}

}  // namespace assay::gtql
