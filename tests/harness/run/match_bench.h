#pragma once
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "harness/executor/local_executor.h"
#include "harness/executor/program_pool.h"
#include "harness/run/match_runner.h"
#include "rules/make_game.h"
#include "tests/support/fake_player.h"

namespace assay::test {

/// Keeps what a match announces.
class MatchRecorder final : public harness::Listener {
public:
    void on_game_end(const harness::GameRecord& game, bool) override { games.push_back(game); }

    void on_pair(const harness::PairDigest& pair, const harness::MatchTally&) override {
        pairs.push_back(pair);
    }

    void on_warning(std::string_view kind, std::string_view text) override {
        warnings.push_back(std::string(kind) + ": " + std::string(text));
    }

    std::vector<harness::GameRecord> games;
    std::vector<harness::PairDigest> pairs;
    std::vector<std::string> warnings;
};

/// One match of scripted programs "a" and "b"; the store is this object.
class MatchBench {
public:
    MatchBench() {
        plan.pairs = 2;
        plan.adjudicate.length = 3;
        for (harness::TimeControl& control : plan.time) {
            control.periods = {{0, std::chrono::seconds(10), std::chrono::milliseconds(100)}};
        }
    }

    void play(Micros limit = std::chrono::hours(1)) {
        begin();
        REQUIRE(run(limit));
    }

    void begin() {
        pool = std::make_unique<harness::ProgramPool>(
            [this](const adapters::ProgramSpec& s, adapters::PlayerListener& listener) {
                return std::make_unique<FakePlayer>(world, s, listener);
            },
            world.clock, limits);
        executor = std::make_unique<harness::LocalExecutor>(
            harness::LocalExecutor::Setup{plan,
                                          {{0, spec("a")}, {1, spec("b")}},
                                          {{0, plan.time[0]}, {1, plan.time[1]}},
                                          *game,
                                          concurrency,
                                          limits.start,
                                          {},
                                          [] { return Micros{0}; },
                                          0,
                                          machine},
            *pool, world.clock);
        pairing = std::make_unique<harness::MatchPairing>(
            0, plan.between,
            harness::Schedule(plan.pairs, openings, plan.runner.counts_as_they_end), opening_of,
            plan.runner);
        harness::MatchRunner::Setup setup;
        setup.matches = {&plan, 1};
        setup.names = {"a", "b"};
        setup.games = 2 * plan.pairs;
        setup.failures_in_a_row = failures_in_a_row;
        setup.budget_from = budget_from;
        setup.on_free_place = on_free_place;
        setup.most_unsaved = most_unsaved;
        setup.on_fault_between_games = [this](std::size_t match) {
            stored_faults = runner->meters(match, world.clock.now()).between_games;
        };
        runner = std::make_unique<harness::MatchRunner>(
            std::move(setup), *pairing, *executor, world.clock,
            [this](harness::GameRecord record, const std::optional<harness::PairDigest>& pair) {
                if (!store_errors.empty()) {
                    world.at(world.clock.now() + disk, [this, error = store_errors.front()] {
                        runner->on_not_durable(error);
                    });
                    store_errors.pop_front();
                    return;
                }
                stored.push_back(std::move(record));
                most_waiting = std::max(most_waiting, ++waiting);
                world.at(world.clock.now() + disk, [this, pair] {
                    --waiting;
                    if (pair) {
                        stored_pairs.push_back(*pair);
                        runner->on_durable(*pair);
                    } else {
                        runner->on_game_durable();
                    }
                });
            },
            [this](const harness::PairDigest& pair) { changed.push_back(pair); },
            std::vector<harness::Listener*>{&recorder});
        runner->restore(0, restored, half, meters);
        runner->start(world.clock.now());
    }

    bool run(Micros limit) {
        return world.run_until([this] { return runner->is_done(); },
                               [this](TimePoint now) { runner->tick(now); }, limit);
    }

    [[nodiscard]] adapters::ProgramSpec spec(const std::string& name) const {
        adapters::ProgramSpec s;
        s.name = name;
        s.ping_before_go = pinged;
        return s;
    }

    FakeWorld world;
    harness::MatchPlan plan;
    harness::RunningProgram::Limits limits;
    harness::OpeningOf opening_of = [](std::int64_t) { return openings::Opening{}; };
    int concurrency = 1;
    int failures_in_a_row = 5;
    bool pinged = false;
    std::optional<std::int64_t> openings;
    std::unique_ptr<rules::Game> game = rules::make_game("chess");
    MatchRecorder recorder;
    std::deque<harness::GameRecord> stored;
    std::deque<std::string> store_errors;  // what writing the next games fails with
    std::vector<harness::PairDigest> stored_pairs;
    std::vector<harness::FaultsBetweenGames> stored_faults;  // as of the last one
    std::vector<harness::PairDigest> changed;                // states that became others
    std::vector<harness::PairDigest> restored;
    std::vector<harness::GameRecord> half;
    harness::RunMeters meters;  // of earlier sessions
    Micros budget_from{0};
    std::function<void()> on_free_place;
    std::int64_t most_unsaved = 0;
    std::int64_t waiting = 0;  // games for the store
    std::int64_t most_waiting = 0;
    std::int64_t machine = 0;
    Micros disk{5000};  // from a game's end to its being durable
    std::unique_ptr<harness::ProgramPool> pool;
    std::unique_ptr<harness::MatchPairing> pairing;
    std::unique_ptr<harness::LocalExecutor> executor;
    std::unique_ptr<harness::MatchRunner> runner;
};

[[nodiscard]] inline bool is_program(const std::string& name, char letter) {
    return !name.empty() && name.front() == letter;
}

}  // namespace assay::test
