#include "harness/match/match_setting.h"

#include <chrono>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/machine/machine.h"
#include "tests/support/rows_file.h"
#include "tests/support/temp_dir.h"

using assay::harness::MatchPlan;
using assay::harness::OpeningsPlan;

namespace {

struct Book {
    assay::test::TempDir temp;
    std::string path = temp.path("two.epd");

    Book() {
        assay::write_file(path,
                          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n"
                          "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n");
    }

    /// What is said of a match of so many pairs, without the book's path.
    [[nodiscard]] std::string said(std::int64_t pairs, std::uint64_t start, bool deterministic,
                                   OpeningsPlan::Order order) const {
        MatchPlan match;
        match.pairs = pairs;
        match.deterministic = deterministic;
        match.openings.book = path;
        match.openings.start = start;
        match.openings.order = order;
        const auto setting = assay::harness::make_setting(match, 1);
        const auto text = assay::harness::book_shortage(match, setting);
        if (!text) return "";
        CHECK(text->starts_with(path + ": "));
        return text->substr(path.size() + 2);
    }
};

}  // namespace

TEST_CASE("MatchSetting: a book that goes round, or ends before the match, is said") {
    struct Case {
        std::int64_t pairs;
        std::uint64_t start;
        bool deterministic;
        OpeningsPlan::Order order;
        const char* expected;
    };

    const auto random = OpeningsPlan::Order::Random;
    const auto sequential = OpeningsPlan::Order::Sequential;
    const Book book;
    for (const Case& c : {
             Case{2, 1, false, random, ""},
             Case{1, 2, false, sequential, ""},
             Case{3, 1, false, random,
                  "holds 2 openings, and 3 pairs are asked: after the last one it begins anew, in "
                  "another order"},
             Case{2, 2, false, sequential,
                  "holds 2 openings, and 2 pairs are asked: after the last one it begins anew"},
             Case{1, 4, false, sequential,
                  "holds 2 openings, and 'start' is 4: it counts on from the first opening"},
             Case{5, 4, false, sequential,
                  "holds 2 openings, and 5 pairs are asked: after the last one it begins anew; its "
                  "'start' is 4: it counts on from the first opening"},
             Case{2, 2, true, random, ""},
             Case{5, 1, true, random,
                  "holds 2 openings, and 5 pairs are asked: programs whose limits are nodes or "
                  "depth play an opening the same way again, so that the match ends with the last "
                  "opening; take a larger book"},
         }) {
        CAPTURE(c.pairs);
        CAPTURE(c.start);
        CHECK(book.said(c.pairs, c.start, c.deterministic, c.order) == c.expected);
    }
}

TEST_CASE("MatchSetting: a shuffled scheme has its own order, and refuses an entry at its turn") {
    const assay::test::TempDir temp;
    MatchPlan match;
    match.openings.book = temp.path("ten.epd");
    std::string text;
    for (int rank = 0; rank < 9; ++rank) {
        text += "4k3/8/8/8/8/8/4P3/4K3 w - - 0 " + std::to_string(rank + 1) + "\n";
        if (rank == 4) text += "no position\n";
    }
    assay::write_file(match.openings.book, text);
    CHECK(assay::harness::make_setting(match, 42).book->size() == 9);

    match.openings.scheme = OpeningsPlan::Scheme::Shuffled;
    match.openings.start = 4;
    match.pairs = 3;
    // As a resumed, replayed or merged run has it: from the stored plan.
    assay::harness::RunPlan run;
    run.programs.resize(2);
    run.matches = {match};
    const auto stored = assay::harness::plan_from_json(assay::harness::to_json(run)).matches.at(0);
    const auto setting = assay::harness::make_setting(stored, 42);
    CHECK(setting.book->size() == 10);
    // 7 9 8, and the fourth pair begins anew (tests/openings/shuffled_order_test.cpp).
    CHECK(setting.opening_of(0).index == 7);
    CHECK(setting.opening_of(1).index == 9);
    CHECK(setting.opening_of(2).index == 8);
    CHECK(setting.opening_of(3).index == 7);
    match.pairs = 20;
    CHECK_THROWS_AS((void)assay::harness::make_setting(match, 42).opening_of(5), assay::Error);
    const auto said = assay::harness::book_shortage(match, assay::harness::make_setting(match, 42));
    REQUIRE(said);
    CHECK(said->ends_with("after the last one it begins anew"));
}

TEST_CASE(
    "MatchSetting: random openings are a function of seed, pair and start, and need no book") {
    MatchPlan match;
    match.pairs = 20;
    match.openings.book = assay::harness::kRandomOpenings;
    match.openings.plies = 4;
    const auto setting = assay::harness::make_setting(match, 1);
    CHECK_FALSE(setting.book);
    CHECK_FALSE(setting.openings);
    CHECK_FALSE(assay::harness::book_shortage(match, setting));
    const auto opening = setting.opening_of(7);
    CHECK(opening.moves.size() == 4);
    CHECK(assay::harness::make_setting(match, 1).opening_of(7) == opening);
    CHECK(assay::harness::make_setting(match, 2).opening_of(7).moves != opening.moves);
    CHECK(setting.opening_of(8).moves != opening.moves);
    match.openings.start = 8;
    CHECK(assay::harness::make_setting(match, 1).opening_of(0) == opening);
    match.deterministic = true;
    CHECK(assay::harness::make_setting(match, 1).openings == 200);
}

TEST_CASE("MatchSetting: so many random plies that games are over before are refused at once") {
    assay::tests::register_rows_files();
    MatchPlan match;
    match.game = {"rows", "my.rows", "game rows\n"};
    match.openings.book = assay::harness::kRandomOpenings;
    match.openings.plies = 9;
    CHECK_THROWS_AS((void)assay::harness::make_setting(match, 1), assay::Error);
}

TEST_CASE("MatchSetting: programs that ponder want the threads of both, else those of one") {
    using assay::harness::RunPlan;
    const std::string cores = std::to_string(assay::harness::this_machine().logical_cores);
    RunPlan plan;
    plan.programs.resize(2);
    for (auto& program : plan.programs) program.options = {{"Threads", cores}};
    MatchPlan match;
    match.pairs = 1;
    match.concurrency = 1;
    for (assay::harness::TimeControl& time : match.time)
        time.periods = {{0, std::chrono::seconds(10), std::chrono::milliseconds(0)}};
    CHECK_FALSE(assay::harness::crowding(plan, match));
    match.ponder = true;
    CHECK(assay::harness::crowding(plan, match));
}
