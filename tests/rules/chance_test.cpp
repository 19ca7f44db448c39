#include "rules/chance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/random.h"
#include "rules/multigame/play/multigame_game.h"
#include "tests/rules/multigame/programs.h"
#include "tests/support/dice_race.h"

namespace chance_test {

namespace {

using namespace assay::rules;

std::unique_ptr<Game> dark_chess() {
    const std::string path = assay::tests::program_path("darkchess.mg");
    return multigame::make_game_of_rules("darkchess", path, multigame::read_rules(path));
}

/// A game and a source of its events.
class Drawn {
public:
    Drawn(const Game& game, Drawing drawing, std::uint64_t seed)
        : position_(game.start()), source_(drawing, seed) {}

    /// Makes the move of this name, and the event behind it; returns the event's name.
    std::string turn(const std::string& name) {
        Move last = kNoMove;
        if (!name.empty()) {
            const auto move = position_->move_of(name, Notation::Canonical);
            REQUIRE(move.has_value());
            position_->make(*move);
            last = *move;
        }
        if (position_->to_move() != kChance) return "";
        const Move event = source_.draw(*position_, last);
        std::string event_name = position_->name_of(event, Notation::Canonical);
        position_->make(event);
        return event_name;
    }

    /// Turns these places, in this order; by place, what was there.
    std::map<std::string, std::string> turn_all(const std::vector<std::string>& places) {
        std::map<std::string, std::string> found;
        for (const std::string& place : places) found[place] = turn(place);
        return found;
    }

    [[nodiscard]] const Position& position() const { return *position_; }

private:
    std::unique_ptr<Position> position_;
    ChanceSource source_;
};

/// Fields of a board of four columns, from the field of this number on.
std::vector<std::string> fields(int from, int to) {
    std::vector<std::string> names;
    for (int n = from; n < to; ++n) {
        names.push_back(std::string(1, static_cast<char>('a' + n % 4)) + std::to_string(n / 4 + 1));
    }
    return names;
}

/// So many moves with the same die behind each.
std::unique_ptr<Game> dice_behind_moves(int moves, int sides) {
    std::string text = fmt::format(
        "dimensions ({},1)\nvariables {{ number face }}\n"
        "main = find empty field, write field, random either ",
        moves);
    for (int side = 1; side <= sides; ++side) {
        text += fmt::format("{}1 : [ write \":{}\", set face to {}, pass ]",
                            side == 1 ? "" : " or ", side, side);
    }
    return multigame::make_game_of_rules("dice", "t.mg", text + ".\n");
}

/// The events of a random game, in one text.
std::string random_events(const Game& game, Drawing drawing, std::uint64_t seed, int plies) {
    const auto position = game.start();
    ChanceSource source(drawing, seed);
    assay::Random random(seed);
    std::string events;
    Move last = kNoMove;
    std::vector<Move> moves;
    for (int ply = 0; ply < plies && position->to_move() != kNobody; ++ply) {
        if (position->to_move() == kChance) {
            last = source.draw(*position, last);
            events += position->name_of(last, Notation::Canonical);
        } else {
            position->moves(moves);
            last = moves[random.below(moves.size())];
        }
        position->make(last);
    }
    return events;
}

}  // namespace

TEST_CASE("Chance: dice are drawn by seed and number, whatever is played, also by deal") {
    const auto race = assay::tests::make_dice_race();
    for (const Drawing drawing : {Drawing::Ordinal, Drawing::Deal}) {
        for (const std::string way : {"walk", "stay"}) {
            CAPTURE(way);
            Drawn game(*race, drawing, 7);
            for (std::uint64_t n = 0; n < 5; ++n) {
                const Move expected = drawn_event(*race->start(), assay::mix64(7, n));
                const std::string name = race->start()->name_of(expected, Notation::Canonical);
                CHECK(game.turn(n == 0 ? "" : way) == name);
            }
        }
    }
}

TEST_CASE(
    "Chance: events behind moves are dealt where all probabilities are whole over the moves") {
    struct Case {
        int moves;
        int sides;
        bool is_dealt;
    };

    for (const Case& each : {Case{5, 6, false}, Case{6, 6, true}, Case{7, 6, false},
                             Case{12, 6, true}, Case{2, 2, true}, Case{3, 2, false}}) {
        CAPTURE(each.moves);
        CAPTURE(each.sides);
        const auto game = dice_behind_moves(each.moves, each.sides);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            std::map<std::string, int> found;
            for (int move = 0; move < each.moves; ++move) {
                Drawn drawn(*game, Drawing::Deal, seed);
                ++found[drawn.turn(std::string(1, static_cast<char>('a' + move)) + "1")];
            }
            if (each.is_dealt) {
                for (const auto& [face, times] : found) CHECK(times == each.moves / each.sides);
                CHECK(found.size() == static_cast<std::size_t>(each.sides));
            } else {
                Drawn by_number(*game, Drawing::Ordinal, seed);
                CHECK(found == std::map<std::string, int>{{by_number.turn("a1"), each.moves}});
            }
        }
    }
}

TEST_CASE("Chance: the events of a seed stay what they were, so that a match can be resumed") {
    CHECK(random_events(*dark_chess(), Drawing::Deal, 1, 120) ==
          "RPbBrnpNKpPPbnaNPPpCAAcBCaRpkprc");
    CHECK(random_events(*dark_chess(), Drawing::Ordinal, 1, 120) ==
          "ArKCbcnArpaNpPRPNknBpCpbpPRcPaPB");
    CHECK(random_events(*dice_behind_moves(12, 6), Drawing::Deal, 3, 60) ==
          ":5:6:5:3:1:5:5:6:3:4:4:2:5:4:6:1:5:2:3:1:6:5:2:2:5:2:1:2:4:2");
}

TEST_CASE("Chance: dealt pieces are in their places, in whatever order they are turned") {
    const auto game = dark_chess();
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::vector<std::string> order = fields(1, 32);
        Drawn first(*game, Drawing::Deal, seed);
        const std::string begun = first.turn("a1");
        const auto found = first.turn_all(order);
        std::ranges::reverse(order);
        Drawn second(*game, Drawing::Deal, seed);
        CHECK(second.turn("a1") == begun);
        CHECK(second.turn_all(order) == found);
        Drawn other(*game, Drawing::Deal, seed + 100);
        (void)other.turn("a1");
        CHECK(other.turn_all(order) != found);
    }
    // By number, the order decides.
    Drawn first(*game, Drawing::Ordinal, 1);
    Drawn second(*game, Drawing::Ordinal, 1);
    CHECK(first.turn("a1") == second.turn("a1"));
    std::vector<std::string> order = fields(1, 32);
    const auto found = first.turn_all(order);
    std::ranges::reverse(order);
    CHECK(second.turn_all(order) != found);
}

TEST_CASE("Chance: deals that begin with another piece gone have most places in common") {
    const auto game = dark_chess();
    int same = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Drawn first(*game, Drawing::Deal, seed);
        Drawn second(*game, Drawing::Deal, seed);
        (void)first.turn("a1");
        (void)second.turn("b1");
        const auto one = first.turn_all(fields(2, 32));
        const auto two = second.turn_all(fields(2, 32));
        for (const auto& [place, piece] : one) same += two.at(place) == piece ? 1 : 0;
    }
    // Of 300. By number it is some 40.
    CHECK(same > 220);
}

TEST_CASE("Chance: a deal gives every event the probability of the rules") {
#ifdef __SANITIZE_ADDRESS__
    constexpr int kDeals = 100;  // fifty times slower; the release build draws the rest
#else
    constexpr int kDeals = 4000;
#endif
    const auto game = dark_chess();
    int first_soldiers = 0;
    std::map<std::string, int> fifth;
    double soldiers_left = 0;
    for (std::uint64_t seed = 1; seed <= kDeals; ++seed) {
        Drawn drawn(*game, Drawing::Deal, seed);
        const bool is_soldier = drawn.turn("c3") == "P";
        first_soldiers += is_soldier ? 1 : 0;
        int left = is_soldier ? 4 : 5;
        for (const std::string place : {"a1", "d8", "b2"}) left -= drawn.turn(place) == "P" ? 1 : 0;
        soldiers_left += left / 28.0;
        ++fifth[drawn.turn("c4")];
    }
    // Four standard deviations of so many draws.
    const auto is_near = [](double count, double expected) {
        return std::abs(count - expected) < 4 * std::sqrt(expected);
    };
    CHECK(is_near(first_soldiers, kDeals * 5 / 16.0));
    CHECK(is_near(fifth["P"], soldiers_left));
    CHECK(is_near(fifth["p"], kDeals * 5 / 31.0));
    CHECK(is_near(fifth["k"], kDeals / 31.0));
}

TEST_CASE("Chance: where the rules put back what was drawn, the next deal is independent") {
    const auto game = multigame::make_game_of_rules(
        "coins", "t.mg",
        "dimensions (1,1)\n"
        "main = either [ write \"a\", coin ] or [ write \"b\", coin ].\n"
        "coin = random either 1 : [ write \"H\", pass ] or 1 : [ write \"T\", pass, again ].\n");
    constexpr int kGames = 2000;
    std::map<std::string, int> pairs;
    for (std::uint64_t seed = 1; seed <= kGames; ++seed) {
        Drawn drawn(*game, Drawing::Deal, seed);
        const std::string first = drawn.turn("a");
        ++pairs[first + drawn.turn("b")];
        ++pairs[first + drawn.turn("a")];
    }
    REQUIRE(pairs.size() == 4);
    for (const auto& pair : pairs) {
        CAPTURE(pair.first);
        CHECK(std::abs(pair.second - kGames / 2) < 120);
    }
}

}  // namespace chance_test
