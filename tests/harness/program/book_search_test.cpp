#include "harness/program/book_search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "openings/read/book_format.h"
#include "rules/make_game.h"
#include "tests/support/fake_player.h"

using assay::Micros;
using assay::TimePoint;
using assay::harness::BookSearch;
using assay::openings::BookBuilder;
using assay::openings::BuildRules;
using assay::openings::BuiltOpening;
using assay::openings::Refusal;
using assay::test::FakeAct;
using assay::test::FakePlayer;
using assay::test::FakeWorld;

namespace {

constexpr Micros kLong{std::chrono::hours(1)};

/// A small book made by a scripted program.
class Desk {
public:
    explicit Desk(std::uint64_t count = 8) {
        rules_.count = count;
        rules_.fewest_plies = rules_.most_plies = 2;
        rules_.walk_nodes = 0;
    }

    /// Moves are drawn by their scores.
    void walk_by_scores() {
        rules_.fewest_plies = rules_.most_plies = 6;
        rules_.walk_nodes = 10;
    }

    /// True where the search came to its end.
    bool make(int concurrency, bool stops_early = false) {
        builder = std::make_unique<BookBuilder>(rules_, *game_, nullptr);
        BookSearch::Setup setup;
        setup.spec.name = "judge";
        setup.concurrency = concurrency;
        setup.on_kept = [this](const BuiltOpening& one) { kept.push_back(one.number); };
        search = std::make_unique<BookSearch>(
            setup,
            [this](const assay::adapters::ProgramSpec& spec,
                   assay::adapters::PlayerListener& listener) {
                ++started;
                return std::make_unique<FakePlayer>(world, spec, listener);
            },
            world.clock, *builder);
        search->start();
        return world.run_until([this] { return search->is_done(); },
                               [&](TimePoint now) {
                                   search->tick(now);
                                   most_ahead = std::max(most_ahead, builder->ahead());
                                   if (stops_early && kept.size() >= 3) search->stop();
                                   if (builder->tried_in_vain() >= 2000) search->stop();
                               },
                               kLong);
    }

    [[nodiscard]] std::vector<std::string> texts() const {
        std::vector<std::string> out;
        for (const BuiltOpening& one : builder->kept())
            out.push_back(position_after(one.opening, *game_)->text());
        return out;
    }

    FakeWorld world;
    std::unique_ptr<BookBuilder> builder;
    std::unique_ptr<BookSearch> search;
    std::vector<std::uint64_t> kept;
    int started = 0;
    std::uint64_t most_ahead = 0;

private:
    BuildRules rules_;
    std::unique_ptr<assay::rules::Game> game_ = assay::rules::make_game("chess");
};

}  // namespace

TEST_CASE("BookSearch: all places work, each opening is told once, and the programs are ended") {
    Desk alone;
    REQUIRE(alone.make(1));
    Desk together;
    REQUIRE(together.make(3));
    CHECK(together.builder->kept().size() == 8);
    CHECK(together.texts() == alone.texts());
    CHECK(together.kept.size() == 8);
    CHECK(together.started == 3);
    CHECK(together.search->failure().empty());
    CHECK(together.search->program_name() == "judge");
    CHECK(together.world.alive == 0);
}

TEST_CASE("BookSearch: a program that ends or hangs is replaced, and the book is the same") {
    Desk calm;
    REQUIRE(calm.make(1));
    Desk wild;
    wild.world.script = [asked = 0](const std::string&, int) mutable {
        FakeAct act;
        ++asked;
        if (asked == 3) act.kind = FakeAct::Kind::Exit;
        if (asked == 7) act.kind = FakeAct::Kind::Silence;
        return act;
    };
    REQUIRE(wild.make(1));
    CHECK(wild.texts() == calm.texts());
    CHECK(wild.started == 3);
    CHECK(wild.search->failure().empty());
}

TEST_CASE("BookSearch: a program that keeps failing is given up with its last words") {
    Desk crashing;
    crashing.world.script = [](const std::string&, int) {
        FakeAct act;
        act.kind = FakeAct::Kind::Exit;
        return act;
    };
    REQUIRE(crashing.make(1));
    CHECK(crashing.started == 5);
    CHECK(crashing.search->failure() == "exited with code 3\nlast word\n");

    Desk silent;
    silent.world.starts = [](const std::string&, int) { return false; };
    REQUIRE(silent.make(1));
    CHECK(silent.started == 2);
    CHECK(silent.search->failure().starts_with("could not be started: no readiness within 10 s"));
}

TEST_CASE("BookSearch: a position on which the program always fails is refused, and no other") {
    Desk calm;
    REQUIRE(calm.make(1));
    const std::vector<std::string> bad = calm.builder->kept()[3].opening.moves;
    for (const FakeAct::Kind kind : {FakeAct::Kind::Exit, FakeAct::Kind::Silence}) {
        for (const int concurrency : {1, 3}) {
            CAPTURE(concurrency);
            CAPTURE(kind == FakeAct::Kind::Exit);
            Desk wild;
            int asked = 0;
            wild.world.at_moves = [&](const std::string& moves) -> std::optional<FakeAct> {
                if (moves != bad[0] + " " + bad[1]) return std::nullopt;
                ++asked;
                FakeAct act;
                act.kind = kind;
                return act;
            };
            REQUIRE(wild.make(concurrency));
            CHECK(wild.search->failure().empty());
            CHECK(asked == 2);
            CHECK(wild.builder->refused(Refusal::Failing) == 1);
            std::vector<std::string> expected = calm.texts();
            expected.erase(expected.begin() + 3);
            std::vector<std::string> found = wild.texts();
            REQUIRE(found.size() == 8);
            found.pop_back();
            CHECK(found == expected);
        }
    }
}

TEST_CASE("BookSearch: a program that fails on five positions one after the other is given up") {
    Desk desk;
    desk.world.at_moves = [asked = 0](const std::string&) mutable -> std::optional<FakeAct> {
        FakeAct act;
        if (++asked > 2) act.kind = FakeAct::Kind::Exit;
        return act;
    };
    REQUIRE(desk.make(1));
    CHECK(desk.search->searches() == 2);
    CHECK(desk.started == 10);
    CHECK(desk.search->failure() == "exited with code 3\nlast word\n");
}

TEST_CASE("BookSearch: what all walks ask is asked by one of them, and where that fails, by none") {
    for (const FakeAct::Kind kind : {FakeAct::Kind::Exit, FakeAct::Kind::Silence}) {
        Desk desk;
        desk.walk_by_scores();
        int asked = 0;
        desk.world.at_moves = [&](const std::string& moves) -> std::optional<FakeAct> {
            FakeAct act;
            if (moves.empty()) {
                ++asked;
                act.kind = kind;
            }
            return act;
        };
        REQUIRE(desk.make(4));
        CHECK(asked == 2);
        CHECK_FALSE(desk.search->failure().empty());
        CHECK(desk.builder->kept().empty());
    }

    Desk calm(3);
    calm.walk_by_scores();
    int asked = 0;
    calm.world.at_moves = [&](const std::string& moves) -> std::optional<FakeAct> {
        asked += moves.empty() ? 1 : 0;
        return std::nullopt;
    };
    REQUIRE(calm.make(4));
    CHECK(asked == 1);
    CHECK(calm.builder->kept().size() == 3);
}

TEST_CASE("BookSearch: a program that judges nothing is given up, also where walks share answers") {
    for (const std::string none : {"(none)", "0000"}) {
        Desk desk;
        desk.walk_by_scores();
        desk.world.at_moves = [&none](const std::string&) {
            FakeAct act;
            act.move = none;
            return std::optional(act);
        };
        REQUIRE(desk.make(1));
        CHECK(desk.search->failure() == "it answers 'bestmove " + none + "' where there are moves");
        CHECK(desk.builder->tried_in_vain() < 100);
    }
}

TEST_CASE("BookSearch: every place gets a second start") {
    Desk desk;
    desk.world.starts = [begun = 0](const std::string&, int) mutable { return ++begun > 3; };
    REQUIRE(desk.make(3));
    CHECK(desk.search->failure().empty());
    CHECK(desk.builder->kept().size() == 8);
    CHECK(desk.started == 6);
}

TEST_CASE("BookSearch: behind a position that takes long only so many walks are made") {
    Desk desk(200);
    desk.world.at_moves = [is_first = true](const std::string&) mutable {
        FakeAct act;
        if (std::exchange(is_first, false)) act.after = Micros{std::chrono::seconds(50)};
        return std::optional(act);
    };
    REQUIRE(desk.make(2));
    CHECK(desk.most_ahead == 128);
    CHECK(desk.builder->is_done());
    CHECK(desk.search->failure().empty());
}

TEST_CASE("BookSearch: walks that known answers alone refuse leave room for a stop") {
    Desk desk;
    desk.walk_by_scores();
    desk.world.at_moves = [](const std::string&) {
        FakeAct act;
        act.score = 1000;  // each move loses all
        return std::optional(act);
    };
    REQUIRE(desk.make(1));
    CHECK(desk.builder->tried_in_vain() >= 2000);
    CHECK(desk.builder->tried_in_vain() < 4000);
    CHECK(desk.builder->kept().empty());
}

TEST_CASE("BookSearch: stopped, it ends its programs and keeps what was found") {
    Desk desk;
    REQUIRE(desk.make(2, true));
    CHECK(desk.builder->kept().size() < 8);
    CHECK(desk.world.alive == 0);
}
