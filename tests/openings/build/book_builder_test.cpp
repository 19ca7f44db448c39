#include "openings/build/book_builder.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/random.h"
#include "openings/read/book_format.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using assay::Random;
using assay::openings::BookBuilder;
using assay::openings::BuildAnswer;
using assay::openings::BuildQuery;
using assay::openings::BuildRules;
using assay::openings::BuiltOpening;
using assay::openings::Candidate;
using assay::openings::Opening;
using assay::openings::Refusal;

namespace {

const assay::rules::Game& chess() {
    static const auto game = assay::rules::make_game("chess");
    return *game;
}

Opening at(const BuildQuery& query) {
    Opening opening;
    opening.start = query.start;
    for (std::size_t from = 0; from < query.moves.size();) {
        const std::size_t end = std::min(query.moves.find(' ', from), query.moves.size());
        opening.moves.push_back(query.moves.substr(from, end - from));
        from = end + 1;
    }
    return opening;
}

/// A judge whose score is a function of the position alone, from -150 to 150, with the first quiet
/// move as its best.
BuildAnswer judged(const BuildQuery& query) {
    const auto position = position_after(at(query), chess());
    BuildAnswer answer;
    answer.score = static_cast<int>(position->hash() % 301) - 150;
    std::vector<assay::rules::Move> moves;
    position->moves(moves);
    for (const auto move : moves) {
        const std::string name = position->name_of(move, assay::rules::Notation::Text);
        if (name.find('x') != std::string::npos) continue;
        answer.best = position->name_of(move, assay::rules::Notation::Canonical);
        break;
    }
    return answer;
}

/// Makes the book with so many candidates under way, which take turns by lot.
std::vector<BuiltOpening> build(BookBuilder& builder, std::size_t at_once, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::unique_ptr<Candidate>> busy;
    while (!builder.is_done()) {
        while (busy.size() < at_once) {
            auto next = builder.next();
            if (!next) break;
            busy.push_back(std::move(next));
        }
        const std::size_t turn = random.below(busy.size());
        if (busy[turn]->query()) {
            busy[turn]->answer(judged(*busy[turn]->query()));
        } else {
            builder.settle(std::move(busy[turn]));
            busy.erase(busy.begin() + static_cast<std::ptrdiff_t>(turn));
        }
    }
    return builder.kept();
}

BuildRules small_rules() {
    BuildRules rules;
    rules.count = 12;
    rules.seed = 3;
    rules.fewest_plies = 3;
    rules.most_plies = 4;
    return rules;
}

std::vector<std::string> texts(const std::vector<BuiltOpening>& openings) {
    std::vector<std::string> out;
    for (const BuiltOpening& one : openings)
        out.push_back(std::to_string(one.number) + " " + std::to_string(one.score) + " " +
                      position_after(one.opening, chess())->text());
    return out;
}

/// What a candidate without a walk becomes by these two judgements.
Candidate judged_twice(const std::string& fen, const BuildAnswer& quick, const BuildAnswer& full) {
    BuildRules rules;
    rules.fewest_plies = rules.most_plies = 0;
    Opening from;
    from.start = fen;
    Candidate candidate(rules, chess(), from, 0);
    candidate.answer(quick);
    if (candidate.query()) candidate.answer(full);
    return candidate;
}

constexpr const char* kQuiet = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

}  // namespace

TEST_CASE("BookBuilder: the book is the same however many searches run and whichever ends first") {
    BookBuilder alone(small_rules(), chess(), nullptr);
    const auto expected = texts(build(alone, 1, 1));
    REQUIRE(expected.size() == 12);
    for (const std::uint64_t seed : {2U, 3U, 4U}) {
        BookBuilder together(small_rules(), chess(), nullptr);
        CHECK(texts(build(together, 5, seed)) == expected);
    }
    BuildRules other = small_rules();
    other.seed = 4;
    BookBuilder another(other, chess(), nullptr);
    CHECK(texts(build(another, 1, 1)) != expected);
}

TEST_CASE("BookBuilder: what is kept lies in the window, is of the length asked and stands once") {
    BuildRules rules = small_rules();
    rules.least_score = 30;
    rules.most_score = 60;
    BookBuilder builder(rules, chess(), nullptr);
    std::set<std::uint64_t> keys;
    std::set<std::size_t> lengths;
    for (const BuiltOpening& one : build(builder, 3, 9)) {
        CHECK(std::abs(one.score) >= 30);
        CHECK(std::abs(one.score) <= 60);
        lengths.insert(one.opening.moves.size());
        keys.insert(position_after(one.opening, chess())->opening_key());
    }
    CHECK(keys.size() == 12);
    CHECK(lengths == std::set<std::size_t>{3, 4});
}

TEST_CASE("BookBuilder: continuing an earlier session gives the same book") {
    BookBuilder whole(small_rules(), chess(), nullptr);
    const auto expected = build(whole, 1, 1);
    BookBuilder second(small_rules(), chess(), nullptr);
    second.restore({expected.begin(), expected.begin() + 5});
    CHECK(texts(build(second, 4, 7)) == texts(expected));
    CHECK(second.tried() < whole.tried());
}

TEST_CASE(
    "BookBuilder: of more openings than wanted, kept by an earlier session, the first are taken") {
    BookBuilder whole(small_rules(), chess(), nullptr);
    const auto kept = build(whole, 1, 1);
    BuildRules rules = small_rules();
    rules.count = 5;
    BookBuilder fewer(rules, chess(), nullptr);
    fewer.restore(kept);
    CHECK(fewer.is_done());
    CHECK(texts(fewer.kept()) == texts({kept.begin(), kept.begin() + 5}));
}

TEST_CASE("BookBuilder: of a book of positions each is judged once, and then it is done") {
    const assay::test::TempDir dir;
    std::string content;
    for (const char* const moves : {"e4 e5", "d4 d5", "c4 c5", "Nf3 Nf6", "e4 e5"})
        content += std::string("1. ") + moves + " *\n";
    assay::write_file(dir.path("b.pgn"), content);
    assay::openings::BookOptions options;
    options.path = dir.path("b.pgn");
    const auto book = open_book(options, chess());
    BuildRules rules;
    rules.fewest_plies = rules.most_plies = 0;
    rules.most_score = 150;
    BookBuilder builder(rules, chess(), book.get());
    CHECK(build(builder, 2, 1).size() == 4);
    CHECK(builder.tried() == 5);
    CHECK(builder.refused(Refusal::Repeated) == 1);
    CHECK_FALSE(builder.is_full());
}

TEST_CASE("BookBuilder: with moves drawn blindly only the two judgements are asked for") {
    BuildRules rules = small_rules();
    rules.walk_nodes = 0;
    BookBuilder builder(rules, chess(), nullptr);
    const auto candidate = builder.next();
    REQUIRE(candidate->query());
    CHECK(candidate->is_at_end());
    CHECK(candidate->query()->nodes == rules.nodes / 3);
    CHECK(candidate->opening().moves.size() >= 3);
}

TEST_CASE("BookBuilder: rules that contradict themselves are an error") {
    const auto error = [](auto&& change) -> std::string {
        BuildRules rules;
        change(rules);
        try {
            const BookBuilder builder(rules, chess(), nullptr);
        } catch (const assay::Error& caught) {
            return caught.what();
        }
        return "none";
    };
    CHECK(error([](BuildRules& r) { r.most_plies = 7; }) ==
          "plies: expected a range that ascends from 0, found 8..7");
    CHECK(error([](BuildRules& r) { r.fewest_plies = r.most_plies = 0; }) ==
          "a book of no half-moves holds the start position alone");
    CHECK(error([](BuildRules& r) { r.least_score = 26; }) ==
          "window: expected a range that ascends from 0, found 26..25");
    CHECK(error([](BuildRules& r) { r.depth = 5; }) ==
          "expected either nodes or a depth for the last judgement");
    CHECK(error([](BuildRules& r) { r.most_plies = 201; }) ==
          "plies: expected at most 200, found 201");
    CHECK(error([](BuildRules& r) { r.count = 0; }) == "the book wants at least one opening");
    CHECK(error([](BuildRules& r) { r.spread = 0; }) == "spread: expected at least 1 centipawn");
}

TEST_CASE("Candidate: both judgements have to lie in the window, together, and be quiet") {
    struct Case {
        const char* what;
        const char* fen;
        BuildAnswer quick;
        BuildAnswer full;
        std::optional<Refusal> expected;
    };

    const std::vector<Case> cases{
        {"both within", kQuiet, {10, true, "g1f3"}, {-5, true, "g1f3"}, {}},
        {"a first look is given some slack", kQuiet, {40, true, ""}, {20, true, "g1f3"}, {}},
        {"far outside", kQuiet, {90, true, ""}, {20, true, "g1f3"}, Refusal::Window},
        {"at last outside", kQuiet, {20, true, ""}, {26, true, "g1f3"}, Refusal::Window},
        {"apart", kQuiet, {-20, true, ""}, {20, true, "g1f3"}, Refusal::Unsteady},
        {"a bound", kQuiet, {10, true, ""}, {10, false, "g1f3"}, Refusal::Unsteady},
        {"a mate", kQuiet, {10, true, ""}, {{}, true, "g1f3"}, Refusal::Window},
        {"its best move captures",
         "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
         {10, true, ""},
         {10, true, "e4d5"},
         Refusal::Loud},
        {"in check",
         "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3",
         {10, true, ""},
         {10, true, "g2g3"},
         Refusal::Loud},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CHECK(judged_twice(c.fen, c.quick, c.full).refusal() == c.expected);
    }
    CHECK(judged_twice(kQuiet, {10, true, ""}, {-5, true, "g1f3"}).score() == -5);
}
