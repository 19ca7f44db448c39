#include "harness/executor/program_pool.h"

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/fake_player.h"

namespace assay::harness {

namespace {

/// Somebody who plays with programs of a pool.
class Borrower final : public ProgramEvents {
public:
    void on_program_ready(RunningProgram&) override { ++ready; }

    void on_program_move(RunningProgram&, const adapters::BestMove&, adapters::Arrival) override {}

    void on_program_go_written(RunningProgram&, TimePoint) override {}

    void on_program_failed(RunningProgram&, const adapters::Gone&, bool, bool) override {}

    void on_program_relaunch(RunningProgram&, const std::string&) override {}

    void on_program_not_launched(RunningProgram&, const std::string&) override {}

    [[nodiscard]] bool on_program_hung(RunningProgram&, const adapters::Gone&) override {
        return false;
    }

    void on_program_warning(RunningProgram&, std::string_view, std::string_view) override {}

    int ready = 0;
};

class PoolTest {
public:
    adapters::ProgramSpec spec(const std::string& name, const std::string& hash = "16") const {
        adapters::ProgramSpec spec;
        spec.name = name;
        spec.options = {{"Hash", hash}};
        return spec;
    }

    std::unique_ptr<RunningProgram> ready_program(const adapters::ProgramSpec& wanted) {
        auto running = pool.take(wanted, 0, borrower);
        const int before = borrower.ready;
        running->prepare({});
        until([&] { return borrower.ready > before; });
        return running;
    }

    void until(const std::function<bool()>& done) {
        REQUIRE(world.run_until(
            done, [this](TimePoint now) { pool.tick(now); }, std::chrono::seconds(10)));
    }

    test::FakeWorld world;
    int made = 0;
    Borrower borrower;
    ProgramPool pool{[this](const adapters::ProgramSpec& one, adapters::PlayerListener& listener) {
                         ++made;
                         return std::make_unique<test::FakePlayer>(world, one, listener);
                     },
                     world.clock, RunningProgram::Limits{}};
};

}  // namespace

TEST_CASE("ProgramPool: a program that is needed later is kept and not started again") {
    PoolTest t;
    t.pool.keep({{t.spec("a"), 1}});
    auto a = t.ready_program(t.spec("a"));
    auto b = t.ready_program(t.spec("b"));
    CHECK(t.made == 2);
    t.pool.give_back(std::move(a));
    t.pool.give_back(std::move(b));
    t.until([&] { return t.pool.is_settled(); });
    CHECK(t.world.alive == 1);

    t.pool.keep({});
    auto again = t.ready_program(t.spec("a"));
    CHECK(t.made == 2);
    CHECK(t.world.alive == 1);
    t.pool.give_back(std::move(again));
    t.until([&] { return t.world.alive == 0; });
}

TEST_CASE("ProgramPool: kept programs end with the session") {
    PoolTest t;
    t.pool.keep({{t.spec("a"), 2}});
    t.pool.give_back(t.ready_program(t.spec("a")));
    t.pool.end_all();
    t.until([&] { return t.world.alive == 0; });
}

TEST_CASE("ProgramPool: another option makes another program") {
    PoolTest t;
    t.pool.keep({{t.spec("a"), 1}});
    t.pool.give_back(t.ready_program(t.spec("a")));
    auto other = t.ready_program(t.spec("a", "64"));
    CHECK(t.made == 2);
    t.pool.give_back(std::move(other));
    t.until([&] { return t.pool.is_settled(); });
    CHECK(t.world.alive == 1);
}

TEST_CASE("ProgramPool: no more of a program are kept than are needed") {
    PoolTest t;
    t.pool.keep({{t.spec("a"), 1}});
    auto one = t.ready_program(t.spec("a"));
    auto two = t.ready_program(t.spec("a"));
    t.pool.give_back(std::move(one));
    t.pool.give_back(std::move(two));
    t.until([&] { return t.pool.is_settled(); });
    CHECK(t.world.alive == 1);
}

TEST_CASE("ProgramPool: a program that was never ready ends when it is given back") {
    PoolTest t;
    t.pool.keep({{t.spec("a"), 1}});
    auto a = t.pool.take(t.spec("a"), 0, t.borrower);
    a->prepare({});
    t.pool.give_back(std::move(a));
    t.until([&] { return t.world.alive == 0; });
}

TEST_CASE("ProgramPool: a process that cannot be killed is told of, and waited for no longer") {
    PoolTest t;
    std::vector<std::string> told;
    t.pool.tell([&told](const std::string& text) { told.push_back(text); });
    auto a = t.ready_program(t.spec("a"));
    t.world.survives_kill = true;
    a->replace();
    t.pool.give_back(std::move(a));
    CHECK_FALSE(t.pool.is_settled());
    t.until([&] { return t.pool.is_settled(); });
    CHECK(told == std::vector<std::string>{"process 1 cannot be killed and is left running"});
}

TEST_CASE("ProgramPool: in a hurry what cannot be killed is waited for no longer than the rest") {
    PoolTest t;
    std::vector<std::string> told;
    t.pool.tell([&told](const std::string& text) { told.push_back(text); });
    t.pool.keep({{t.spec("a"), 1}});
    auto late = t.ready_program(t.spec("b"));
    auto killed = t.ready_program(t.spec("c"));
    t.pool.give_back(t.ready_program(t.spec("a")));
    t.world.survives_kill = true;
    killed->replace();  // waits for its five seconds already
    t.pool.end_all();
    const TimePoint begin = t.world.clock.now();
    constexpr Micros kGrace{500'000};
    t.pool.hurry(begin, kGrace);
    t.pool.give_back(std::move(late));  // a program that comes later has as little
    t.pool.give_back(std::move(killed));
    t.until([&] { return t.pool.is_settled(); });
    CHECK(told.size() == 3);
    CHECK(micros_between(begin, t.world.clock.now()) < Micros{1'600'000});
}

TEST_CASE("ProgramPool: a program that ends while no match needs it is told of") {
    PoolTest t;
    std::vector<std::string> told;
    t.pool.tell([&told](const std::string& text) { told.push_back(text); });
    t.pool.keep({{t.spec("a"), 1}});
    t.world.exits_once_ready = [](const std::string&) { return true; };
    t.pool.give_back(t.ready_program(t.spec("a")));
    t.until([&] { return !told.empty(); });
    CHECK(told == std::vector<std::string>{"a: ended between two matches (ended); started anew"});
    t.until([&] { return t.world.alive == 0; });
}

}  // namespace assay::harness
