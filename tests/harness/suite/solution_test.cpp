#include "harness/suite/solution.h"

#include <doctest/doctest.h>

#include "rules/make_game.h"

using assay::Micros;
using assay::adapters::SearchInfo;
using assay::harness::answer_of;
using assay::harness::Solution;
using assay::harness::SolutionWatch;
using assay::harness::SuiteMeasure;
using assay::harness::SuitePosition;

namespace {

/// White mates with Qxf7 or wins with Qxe5.
const SuitePosition kAsked{"p1",
                           "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
                           {"h5f7", "h5e5"},
                           {},
                           ""};

SearchInfo info_of(int depth, std::uint64_t nodes, std::string pv) {
    SearchInfo info;
    info.depth = depth;
    info.nodes = nodes;
    info.pv = std::move(pv);
    return info;
}

/// Feeds lines 10 ms apart and then the answer.
std::optional<Solution> watched(const SuitePosition& asked, const std::vector<std::string>& lines,
                                const std::string& answer) {
    const auto game = assay::rules::make_game("chess");
    SolutionWatch watch(asked, *game, "uci");
    int number = 0;
    SearchInfo last;
    for (const std::string& line : lines) {
        ++number;
        last = info_of(number, static_cast<std::uint64_t>(number) * 100, line);
        watch.on_info(last, Micros(number * 10'000));
        CHECK_FALSE(watch.solution());
    }
    watch.on_answer(answer, last, Micros(number * 10'000 + 5'000));
    return watch.solution();
}

}  // namespace

TEST_CASE("Solution: is that of the first line from which the best move stays a solution") {
    CHECK(watched(kAsked, {"h5f7", "h5f7 e8e7", "h5f7"}, "h5f7") ==
          Solution{1, 100, Micros(10'000)});
    CHECK(watched(kAsked, {"b1c3", "h5f7", "h5f7"}, "h5f7") == Solution{2, 200, Micros(20'000)});
    // Found, lost and found again.
    CHECK(watched(kAsked, {"h5f7", "b1c3", "h5f7", "h5f7"}, "h5f7") ==
          Solution{3, 300, Micros(30'000)});
}

TEST_CASE("Solution: a change from one solution to another one is none") {
    CHECK(watched(kAsked, {"b1c3", "h5e5", "h5f7", "h5e5"}, "h5f7") ==
          Solution{2, 200, Micros(20'000)});
}

TEST_CASE("Solution: the answer decides, whatever the last line said") {
    CHECK_FALSE(watched(kAsked, {"h5f7", "h5f7"}, "b1c3"));
    CHECK_FALSE(watched(kAsked, {"h5f7"}, "a1a8"));
    CHECK_FALSE(watched(kAsked, {"h5f7"}, "nonsense"));
    CHECK_FALSE(watched(kAsked, {"h5f7"}, ""));
    CHECK(watched(kAsked, {"b1c3", "g1f3"}, "h5f7") == Solution{2, 200, Micros(25'000)});
    CHECK(watched(kAsked, {}, "h5f7") == Solution{0, 0, Micros(5'000)});
}

TEST_CASE("Solution: a line without moves changes nothing") {
    const auto game = assay::rules::make_game("chess");
    SolutionWatch watch(kAsked, *game, "uci");
    watch.on_info(info_of(1, 100, "h5f7"), Micros(1000));
    watch.on_info(info_of(2, 200, ""), Micros(2000));
    watch.on_answer("h5f7", info_of(2, 200, ""), Micros(3000));
    CHECK(watch.solution() == Solution{1, 100, Micros(1000)});
}

TEST_CASE("Solution: a move to avoid is solved by every other one, and bm and am hold together") {
    SuitePosition asked = kAsked;
    asked.best.clear();
    asked.avoid = {"h5f7"};
    CHECK_FALSE(watched(asked, {"b1c3", "h5f7"}, "h5f7"));
    CHECK(watched(asked, {"h5f7", "b1c3", "g1f3"}, "g1f3") == Solution{2, 200, Micros(20'000)});
    asked.best = {"h5e5"};
    CHECK_FALSE(watched(asked, {"b1c3"}, "b1c3"));
    CHECK(watched(asked, {"h5e5"}, "h5e5"));
}

TEST_CASE("Solution: a measure without a solution has no value, and whether it is solved is 0") {
    const std::optional<Solution> found = Solution{7, 1234, Micros(85'500)};
    CHECK(answer_of(SuiteMeasure::Solved, found).value == 1.0);
    CHECK(answer_of(SuiteMeasure::Depth, found).value == 7.0);
    CHECK(answer_of(SuiteMeasure::Nodes, found).value == 1234.0);
    CHECK(answer_of(SuiteMeasure::Time, found).value == 85.5);
    CHECK(answer_of(SuiteMeasure::Solved, std::nullopt).value == 0.0);
    for (const SuiteMeasure one : {SuiteMeasure::Depth, SuiteMeasure::Nodes, SuiteMeasure::Time}) {
        CHECK_FALSE(answer_of(one, std::nullopt).value);
        CHECK(answer_of(one, std::nullopt).trouble == "not solved");
    }
}
