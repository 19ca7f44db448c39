#include "harness/machine/calibration.h"

#include <cmath>
#include <memory>

#include <doctest/doctest.h>

#include "harness/build/calibration_run.h"
#include "harness/machine/speed_search.h"
#include "tests/support/contains.h"
#include "tests/support/fake_player.h"

namespace assay::harness {

namespace {

using test::contains;
using test::FakeAct;
using test::FakeInfo;
using test::FakePlayer;
using test::FakeWorld;

TimeControl read_control(std::string_view text) {
    std::string why;
    return parse_time_control(text, why).value();
}

std::string scaled_text(std::string_view text, double factor) {
    return to_text(scaled(read_control(text), factor));
}

/// A search of 100 ms that says so many nodes at its end.
FakeAct timed_search(std::uint64_t nodes) {
    FakeAct act;
    act.after = Micros{100'000};
    act.infos = {FakeInfo{Micros{100'000}, "", 5, nodes}};
    return act;
}

class SpeedDesk {
public:
    explicit SpeedDesk(int slots) {
        SpeedSearch::Setup setup;
        setup.spec.name = "base";
        setup.slots = slots;
        setup.positions = {"", "", ""};
        search = std::make_unique<SpeedSearch>(
            setup,
            [this](const adapters::ProgramSpec& spec, adapters::PlayerListener& listener) {
                adapters::ProgramSpec named = spec;
                named.name = "base" + std::to_string(started++);
                return std::make_unique<FakePlayer>(world, named, listener);
            },
            world.clock);
    }

    bool run() {
        search->start();
        return world.run_until([this] { return search->is_done(); },
                               [this](TimePoint now) {
                                   most_alive = std::max(most_alive, world.alive);
                                   search->tick(now);
                               },
                               std::chrono::minutes(1));
    }

    FakeWorld world;
    std::unique_ptr<SpeedSearch> search;
    int started = 0;
    int most_alive = 0;
};

GameRecord game_of_hour(long long hours, std::uint64_t nodes, int moves,
                        bool baseline_first = true) {
    GameRecord game;
    game.ended_us = 1'700'000'000'000'000 + hours * 3'600'000'000;
    game.program = baseline_first ? Lineup{1, 0} : Lineup{0, 1};
    for (int i = 0; i < 2 * moves; ++i) {
        MoveRecord move;
        move.player = i % 2;
        move.used = Micros{10'000};
        const bool is_baseline = (move.player == 0) == baseline_first;
        move.nodes = is_baseline ? nodes : 7;
        game.moves.push_back(move);
    }
    return game;
}

}  // namespace

TEST_CASE("Calibration: clocks are multiplied and rounded to 1 ms, nodes and depth stay") {
    CHECK(scaled_text("10+0.1", 1.5) == "15+0.15");
    CHECK(scaled_text("40/60", 0.3333333) == "40/20");
    CHECK(scaled_text("8+0.08", 0.9876) == "7.901+0.079");
    CHECK(scaled_text("0+0.001", 0.25) == "0+0.001");  // never without time
    CHECK(scaled_text("move=100ms", 2) == to_text(read_control("move=200ms")));
    CHECK(scaled_text("hourglass 60", 0.5) == to_text(read_control("hourglass 30")));
    CHECK(scaled_text("main 600 byoyomi 30 periods 3", 0.5) ==
          to_text(read_control("main 300 byoyomi 15 periods 3")));
    CHECK(scaled(read_control("nodes 20000"), 2) == read_control("nodes 20000"));
    CHECK(scaled(read_control("depth 9"), 2) == read_control("depth 9"));
    TimeControl control = read_control("10+0.1");
    control.margin = Micros{50'000};
    const TimeControl twice = scaled(control, 2);
    CHECK(twice.margin == control.margin);
    CHECK(twice.wall_limit == control.wall_limit);
}

TEST_CASE("Calibration: a machine four times as fast or slow is played on, beyond it is refused") {
    CHECK(std::get<double>(time_factor(1e6, 5e5)) == 2);
    CHECK(std::get<double>(time_factor(1e6, 4e6)) == 0.25);
    CHECK(std::get<double>(time_factor(1e6, 2.5e5)) == 4);
    const std::string slow = std::get<std::string>(time_factor(1e6, 2e5));
    CHECK(contains(slow, "it searches 200000 nodes a second"));
    CHECK(contains(slow, "multiplied by 5.00, and only 0.25 to 4 are played"));
    CHECK(contains(std::get<std::string>(time_factor(1e6, 5e6)), "multiplied by 0.20"));
}

TEST_CASE("Calibration: all places search at once, and the median is taken") {
    SpeedDesk bench(3);
    bench.world.script = [](const std::string& program, int) {
        // 1, 2 and 9 million nodes a second.
        return timed_search(program == "base0" ? 100'000 : program == "base1" ? 200'000 : 900'000);
    };
    CHECK(bench.run());
    CHECK(bench.most_alive == 3);
    CHECK(bench.search->failure().empty());
    CHECK(bench.search->nps().value() == doctest::Approx(2e6).epsilon(0.01));
    CHECK(bench.world.alive == 0);
}

TEST_CASE("Calibration: of a search whose last line says no time, the measured time is taken") {
    SpeedDesk bench(1);
    bench.world.script = [](const std::string&, int search) {
        FakeAct act = timed_search(100'000);
        if (search > 0) act.infos.front().time = Micros{0};
        return act;
    };
    CHECK(bench.run());
    CHECK(bench.search->failure().empty());
    CHECK(bench.search->nps().value() == doctest::Approx(1e6).epsilon(0.01));
}

TEST_CASE("Calibration: a program that fails or says no nodes gives no speed, and leaves nothing") {
    SpeedDesk silent(2);
    silent.world.script = [](const std::string&, int) { return FakeAct{}; };
    CHECK(silent.run());
    CHECK(silent.search->failure() == "said no nodes");
    CHECK_FALSE(silent.search->nps().has_value());
    CHECK(silent.world.alive == 0);

    SpeedDesk ends(2);
    ends.world.script = [](const std::string& program, int search) {
        FakeAct act = timed_search(1000);
        if (program == "base1" && search == 1) act.kind = FakeAct::Kind::Exit;
        return act;
    };
    CHECK(ends.run());
    CHECK_FALSE(ends.search->failure().empty());
    CHECK_FALSE(ends.search->nps().has_value());
    CHECK(ends.world.alive == 0);

    SpeedDesk never(1);
    never.world.starts = [](const std::string&, int) { return false; };
    CHECK(never.run());
    CHECK(contains(never.search->failure(), "at its start"));
}

TEST_CASE("Calibration: drift is measured on the baseline's own moves, hour by hour") {
    DriftWatch watch(1);
    watch.add(game_of_hour(0, 10'000, 150));
    watch.add(game_of_hour(0, 10'000, 150, false));
    CHECK_FALSE(watch.ratio().has_value());
    watch.add(game_of_hour(1, 9'100, 250));
    CHECK(watch.ratio().value() == doctest::Approx(0.91));
    CHECK_FALSE(watch.trouble().has_value());
    watch.add(game_of_hour(2, 5'000, 50));  // too few moves yet
    CHECK(watch.ratio().value() == doctest::Approx(0.91));
    watch.add(game_of_hour(2, 5'000, 200));
    CHECK(watch.trouble().value() ==
          "the baseline searched 50 % fewer nodes a second in hour 3 than at first");
    watch.add(game_of_hour(4, 12'000, 200));
    CHECK(watch.trouble().value() ==
          "the baseline searched 20 % more nodes a second in hour 5 than at first");
    DriftWatch mute(1);
    GameRecord game = game_of_hour(0, 0, 500);
    mute.add(game);
    game.moves.front().nodes.reset();
    mute.add(game);
    CHECK_FALSE(mute.ratio().has_value());
}

}  // namespace assay::harness
