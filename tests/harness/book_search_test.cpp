#include "harness/book_search.h"

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "openings/book_writer.h"
#include "tests/support/fake_player.h"

using assay::Micros;
using assay::TimePoint;
using assay::harness::BookSearch;
using assay::openings::BookBuilder;
using assay::openings::BuildRules;
using assay::openings::BuiltOpening;
using assay::test::FakeAct;
using assay::test::FakePlayer;
using assay::test::FakeWorld;

namespace {

constexpr Micros kLong{std::chrono::hours(1)};

/// A small book made by a scripted program.
class Desk {
public:
    Desk() {
        rules_.count = 8;
        rules_.fewest_plies = rules_.most_plies = 2;
        rules_.walk_nodes = 0;
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
                                   if (stops_early && kept.size() >= 3) search->stop();
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

TEST_CASE("BookSearch: stopped, it ends its programs and keeps what was found") {
    Desk desk;
    REQUIRE(desk.make(2, true));
    CHECK(desk.builder->kept().size() < 8);
    CHECK(desk.world.alive == 0);
}
