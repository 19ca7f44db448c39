// Tournaments of scripted programs: one runner and one executor for all their matches.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "harness/executor/local_executor.h"
#include "harness/executor/program_pool.h"
#include "harness/plan/tournament_plan.h"
#include "harness/run/match_runner.h"
#include "harness/tournament/tournament_pairing.h"
#include "rules/make_game.h"
#include "tests/support/fake_player.h"

using namespace assay;
using namespace assay::harness;
using test::FakeAct;
using namespace std::chrono_literals;

namespace {

class TournamentRecorder final : public Listener {
public:
    void on_game_start(const GameStarted& game) override { started.push_back(game); }

    void on_game_end(const GameRecord& game, bool) override { games.push_back(game); }

    void on_pair(const PairDigest& pair, const MatchTally& tally) override {
        pairs.push_back(pair);
        counted[pair.match] = tally.pairs();
    }

    void on_program_start(int program, const adapters::Identity&) override {
        CHECK(programs.insert(program).second);
    }

    void on_warning(std::string_view, std::string_view text) override {
        warnings.emplace_back(text);
    }

    std::vector<GameStarted> started;
    std::vector<GameRecord> games;
    std::vector<PairDigest> pairs;
    std::map<std::size_t, std::int64_t> counted;  // by match
    std::set<int> programs;
    std::vector<std::string> warnings;
};

/// A tournament of programs "a", "b" and so on; the store is this object.
class TournamentBench {
public:
    explicit TournamentBench(std::size_t programs,
                             TournamentKind kind = TournamentKind::RoundRobin) {
        plan.seed = 1;
        plan.programs.resize(programs);
        TournamentPlan& tournament = plan.tournament.emplace();
        tournament.kind = kind;
        tournament.match.adjudicate.length = 3;
        TimeControl time;
        time.periods = {{0, 10s, 100ms}};
        tournament.time.assign(programs, time);
        for (std::size_t i = 0; i < programs; ++i)
            plan.programs[i].name = std::string(1, static_cast<char>('a' + static_cast<int>(i)));
        world.starts = [this](const std::string& program, int) {
            ++starts[program];
            most_alive = std::max(most_alive, world.alive + 1);
            return true;
        };
    }

    void begin() {
        expand_tournament(plan);
        pool = std::make_unique<ProgramPool>(
            [this](const adapters::ProgramSpec& s, adapters::PlayerListener& listener) {
                return std::make_unique<test::FakePlayer>(world, s, listener);
            },
            world.clock, RunningProgram::Limits{});
        std::map<std::size_t, adapters::ProgramSpec> specs;
        std::map<std::size_t, TimeControl> time;
        std::vector<std::pair<adapters::ProgramSpec, int>> kept;
        for (std::size_t i = 0; i < plan.programs.size(); ++i) {
            specs[i].name = plan.programs[i].name;
            time[i] = plan.tournament->time[i];
            kept.emplace_back(specs[i], concurrency);
        }
        pool->keep(std::move(kept), most_idle);
        executor =
            std::make_unique<LocalExecutor>(LocalExecutor::Setup{plan.matches.front(),
                                                                 specs,
                                                                 time,
                                                                 *game,
                                                                 concurrency,
                                                                 RunningProgram::Limits{}.start,
                                                                 {},
                                                                 [] { return Micros{0}; },
                                                                 0,
                                                                 0},
                                            *pool, world.clock);
        pairing = std::make_unique<TournamentPairing>(
            plan, [](std::int64_t) { return openings::Opening{}; });
        MatchRunner::Setup setup;
        setup.matches = plan.matches;
        setup.is_tournament = true;
        for (const ProgramPlan& program : plan.programs) setup.names.push_back(program.name);
        runner = std::make_unique<MatchRunner>(
            std::move(setup), *pairing, *executor, world.clock,
            [this](const GameRecord&, const std::optional<PairDigest>& pair) {
                world.at(world.clock.now() + 5ms, [this, pair] {
                    if (pair) {
                        runner->on_durable(*pair);
                    } else {
                        runner->on_game_durable();
                    }
                });
            },
            [](const PairDigest&) {}, std::vector<Listener*>{&recorder});
        runner->start(world.clock.now());
    }

    /// `each`: at each tick.
    void play(const std::function<void()>& each = [] {}) {
        begin();
        REQUIRE(world.run_until([this] { return runner->is_done(); },
                                [&](TimePoint now) {
                                    runner->tick(now);
                                    each();
                                },
                                24h));
    }

    [[nodiscard]] std::int64_t planned() const {
        std::int64_t pairs = 0;
        for (const MatchPlan& match : plan.matches) pairs += match.pairs;
        return pairs;
    }

    test::FakeWorld world;
    RunPlan plan;
    int concurrency = 1;
    std::size_t most_idle = 8;
    std::unique_ptr<rules::Game> game = rules::make_game("chess");
    TournamentRecorder recorder;
    std::map<std::string, int> starts;
    int most_alive = 0;
    std::unique_ptr<ProgramPool> pool;
    std::unique_ptr<LocalExecutor> executor;
    std::unique_ptr<TournamentPairing> pairing;
    std::unique_ptr<MatchRunner> runner;
};

}  // namespace

TEST_CASE("Tournament run: all matches are played, each program is started once and for all") {
    TournamentBench bench(4);
    bench.plan.tournament->rounds = 3;
    bench.concurrency = 2;
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
    REQUIRE(bench.recorder.counted.size() == 6);
    for (const auto& [match, pairs] : bench.recorder.counted) CHECK(pairs == 3);
    CHECK(bench.recorder.programs == std::set<int>{0, 1, 2, 3});
    for (const auto& one : bench.starts) {
        CAPTURE(one.first);
        CHECK(one.second <= 2);  // one in each slot
    }
    CHECK(bench.world.alive <= 8);  // the pool has them; the session ends it
    bench.pool->end_all();
    for (const GameRecord& game : bench.recorder.games) {
        CHECK(game.number == 2 * game.pair + game.game + 1);
        CHECK(game.program.size() == 2);
    }
    CHECK(bench.recorder.started.size() == bench.recorder.games.size());
}

TEST_CASE("Tournament run: no place is idle while a meeting can start") {
    TournamentBench bench(5);
    bench.concurrency = 3;
    bench.plan.tournament->rounds = 4;
    std::int64_t begun = 0;
    bench.play([&] {
        begun = std::max(begun, static_cast<std::int64_t>(bench.recorder.started.size() + 1) / 2);
        if (begun < bench.planned()) CHECK(bench.executor->appetite() == 0);
    });
    CHECK(bench.recorder.pairs.size() == 40);
}

TEST_CASE("Tournament run: of many programs no more wait than there is room for") {
    TournamentBench bench(20);
    bench.concurrency = 2;
    bench.most_idle = 6;
    int most = 0;
    bench.play([&] { most = std::max(most, bench.world.alive); });
    CHECK(bench.recorder.pairs.size() == 190);
    // Those that play, those that wait, and those that are ending beside them.
    CHECK(bench.most_alive >= 4 + 6);
    CHECK(bench.most_alive <= 4 + 6 + 8);
    CHECK(most <= 4 + 6 + 8);
}

TEST_CASE("Tournament run: a program that crashes now and then loses these games and goes on") {
    TournamentBench bench(3);
    bench.plan.tournament->rounds = 4;
    bench.world.script = [](const std::string& program, int search) {
        FakeAct act;
        if (program == "c" && search % 7 == 6) act.kind = FakeAct::Kind::Exit;
        return act;
    };
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
    CHECK(bench.recorder.pairs.size() == 12);
    std::int64_t crashes = 0;
    for (const GameRecord& game : bench.recorder.games) {
        if (game.termination != Termination::Crash) continue;
        ++crashes;
        const std::size_t program = bench.plan.matches[game.match].between.at(
            static_cast<std::size_t>(game.program_of(game.guilty)));
        CHECK(program == 2);
    }
    CHECK(crashes >= 2);
}

TEST_CASE("Tournament run: a warning between games names the program and whom it was to meet") {
    TournamentBench bench(3);
    bench.plan.tournament->rounds = 1;
    int new_games = 0;
    bench.world.exits_in_new_game = [&](const std::string& name) {
        return name == "b" && new_games++ == 0;
    };
    bench.play();
    REQUIRE(bench.recorder.warnings.size() == 1);
    const std::string& warning = bench.recorder.warnings[0];
    CAPTURE(warning);
    CHECK((warning.starts_with("b against a: ended between two games") ||
           warning.starts_with("b against c: ended between two games")));
}

TEST_CASE("Tournament run: failures in a row are a program's, whoever it plays") {
    TournamentBench bench(4);
    bench.plan.tournament->rounds = 5;
    bench.world.script = [](const std::string& program, int) {
        FakeAct act;
        if (program == "d") act.kind = FakeAct::Kind::Exit;
        return act;
    };
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
    CHECK(bench.runner->end().program == 3);
    CHECK(bench.runner->end().message.starts_with("d failed in 5 games in a row, last: "));
    std::set<std::size_t> matches;
    for (const GameRecord& game : bench.recorder.games) {
        if (game.termination == Termination::Crash) matches.insert(game.match);
    }
    CHECK(matches.size() >= 2);
}

TEST_CASE("Tournament run: a program that never starts ends it") {
    TournamentBench bench(3);
    bench.world.starts = [](const std::string& program, int) { return program != "b"; };
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::CannotStart);
    CHECK(bench.runner->end().program == 1);
    CHECK(bench.runner->end().message.starts_with("b could not be started: "));
}

TEST_CASE("Tournament run: each kind comes to its end, with results that decide who meets") {
    for (const TournamentKind kind :
         {TournamentKind::Gauntlet, TournamentKind::Pyramid, TournamentKind::LeastPlayed,
          TournamentKind::Knockout, TournamentKind::Swiss}) {
        const std::string name(name_of(kind));
        CAPTURE(name);
        TournamentBench bench(6, kind);
        bench.concurrency = 2;
        bench.plan.tournament->rounds = kind == TournamentKind::Swiss ? 3 : 1;
        bench.plan.tournament->replays = kind == TournamentKind::Knockout ? 1 : 0;
        bench.play();
        CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
        const TournamentState state = bench.pairing->state();
        CHECK(state.is_over);
        CHECK(state.results.size() == bench.recorder.pairs.size());
        CHECK(state.winner.has_value() == (kind == TournamentKind::Knockout));
    }
}

TEST_CASE("Tournament run: a program that comes to another place is not started again") {
    for (const std::size_t most_idle : {std::size_t{8}, std::size_t{2}}) {
        CAPTURE(most_idle);
        TournamentBench bench(4);
        bench.most_idle = most_idle;
        bench.plan.tournament->rounds = 3;
        bench.play();
        CHECK(bench.recorder.pairs.size() == 18);
        CHECK(bench.starts == std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
    }
}

TEST_CASE("Tournament run: a program that hangs in the last game of a pair has failed in it") {
    enum class AtStop { Nothing, Exits, Answers };
    for (const AtStop at_stop : {AtStop::Nothing, AtStop::Exits, AtStop::Answers}) {
        CAPTURE(static_cast<int>(at_stop));
        TournamentBench bench(4, TournamentKind::Gauntlet);
        bench.plan.tournament->rounds = 20;
        bench.world.ignores_stop = at_stop == AtStop::Nothing;
        bench.world.exits_at_stop = at_stop == AtStop::Exits;
        // Its opponents have no next game with it, so that it leaves after each pair.
        bench.world.script = [](const std::string& program, int) {
            FakeAct act;
            if (program == "c") act.kind = FakeAct::Kind::Silence;
            return act;
        };
        bench.play();
        const auto lost =
            std::ranges::count(bench.recorder.games, Termination::Time, &GameRecord::termination);
        if (at_stop == AtStop::Answers) {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
            CHECK(lost == 40);
        } else {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
            CHECK(bench.runner->end().program == 2);
            CHECK(lost == 5);
        }
        bench.pool->end_all();
    }
}

TEST_CASE("Tournament run: a meeting of one game counts when it is over, and is no pair") {
    TournamentBench bench(4);
    bench.plan.tournament->games = 1;
    bench.plan.tournament->rounds = 2;
    bench.concurrency = 3;
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
    CHECK(bench.recorder.games.size() == 12);
    REQUIRE(bench.recorder.pairs.size() == 12);
    for (const PairDigest& pair : bench.recorder.pairs) {
        CHECK(pair.is_single);
        CHECK(pair.played().size() == 1);
    }
    for (const auto& [match, pairs] : bench.recorder.counted) CHECK(pairs == 0);
    // Who meets again has the other side.
    std::map<std::size_t, std::set<int>> first;
    for (const GameRecord& game : bench.recorder.games) {
        CHECK(game.number == game.pair + 1);
        CHECK(first[game.match].insert(game.program_of(0)).second);
    }
    CHECK(bench.pairing->state().is_over);
    CHECK(bench.pairing->state().played.rated().empty());
    CHECK(bench.pairing->state().played.first_player().games() == 12);
}

TEST_CASE("Tournament run: in a runner's order games are numbered all together") {
    TournamentBench bench(3);
    bench.plan.tournament->order = PairingOrder::Fastchess;
    bench.plan.tournament->rounds = 2;
    bench.plan.tournament->games = 1;
    bench.play();
    REQUIRE(bench.recorder.started.size() == 6);
    std::string text;
    for (const GameStarted& game : bench.recorder.started) {
        const auto& between = bench.plan.matches.at(game.match).between;
        text += std::to_string(game.number) + ":" +
                bench.plan.programs.at(between.at(static_cast<std::size_t>(game.first))).name + " ";
    }
    CHECK(text == "1:a 2:c 3:b 4:b 5:a 6:c ");
}

TEST_CASE("Tournament run: an armageddon is one game behind the replays") {
    TournamentBench bench(2, TournamentKind::Knockout);
    TournamentPlan& tournament = *bench.plan.tournament;
    tournament.replays = 1;
    tournament.armageddon = true;
    tournament.openings = 2;
    TimeControl quick;
    quick.periods = {{0, 5s, 100ms}};
    tournament.armageddon_time = quick;
    bench.play();  // all games end by adjudication as draws
    REQUIRE(bench.recorder.games.size() == 2 * 2 * 2 + 1);
    const GameRecord& last = bench.recorder.games.back();
    CHECK(last.pair == 4);
    CHECK(last.number == 9);
    CHECK(bench.recorder.pairs.back().is_single);
    // A draw counts for the second player.
    CHECK(bench.pairing->state().winner == static_cast<std::size_t>(last.program_of(1)));
    CHECK(bench.pairing->state().is_over);
    // The first player had the shorter time.
    const auto first_move = [&last](int player) {
        return std::ranges::find(last.moves, player, &MoveRecord::player)->left;
    };
    CHECK(first_move(0) < 6s);
    CHECK(first_move(1) > 6s);
}
