// Games of three players on this machine, each played by a scripted program: who plays whom, how a
// game ends, and what becomes of a program's failure. Games of two are played in tests/harness/run.
#include "harness/executor/local_executor.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "harness/store/store.h"
#include "rules/make_game.h"
#include "tests/support/fake_player.h"
#include "tests/support/takeaway.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

using namespace std::chrono_literals;

class GameRecorder final : public ExecutorEvents {
public:
    void on_game_started(const GameStarted&) override {}

    [[nodiscard]] bool on_game(GameRecord record, bool) override {
        games.push_back(std::move(record));
        return true;
    }

    [[nodiscard]] bool may_void(std::int64_t, int) override { return false; }

    void on_idle() override { is_over = true; }

    void on_trouble(const Trouble& trouble) override { troubles.push_back(trouble.why); }

    void on_started(Participant who, const adapters::Identity& identity) override {
        started.push_back(std::to_string(who.number) + " " + identity.name);
    }

    void on_play_warning(Participant, std::string_view, std::string text) override {
        warnings.push_back(std::move(text));
    }

    void on_fault_between_games(Participant, bool, const std::string& last) override {
        warnings.push_back(last);
    }

    void on_hang(Participant) override {}

    void on_late(Participant) override {}

    std::vector<GameRecord> games;
    std::vector<std::string> started;
    std::vector<std::string> troubles;
    std::vector<std::string> warnings;
    bool is_over = false;
};

class ThreePrograms {
public:
    explicit ThreePrograms(std::vector<TimeControl> controls = {second(), second(), second()})
        : time(std::move(controls)) {
        rules::register_game("takeaway",
                             [](const rules::GameSource&) { return test::make_takeaway(); });
        world.game.name = "takeaway";
    }

    /// An encounter of so many games of programs "a", "b" and "c".
    void play(int games) {
        executor.start(recorder, world.clock.now());
        meet({0, 1, 2}, games);
        REQUIRE(recorder.games.size() == static_cast<std::size_t>(games));
        CHECK(recorder.troubles.empty());
    }

    /// One more encounter of programs of the plan.
    void meet(const std::vector<std::size_t>& programs, int games) {
        recorder.is_over = false;
        Encounter encounter;
        encounter.pair = 4;
        encounter.first_game = 13;
        encounter.games = games;
        encounter.entrants = {programs.begin(), programs.end()};
        executor.offer(encounter);
        REQUIRE(world.run_until([this] { return recorder.is_over; },
                                [this](TimePoint now) { executor.tick(now); }, 1min));
    }

    /// Its only game, in which one program does this at its second move.
    GameRecord game_where(const std::string& program, const test::FakeAct& act) {
        world.script = [=](const std::string& name, int search) {
            return name == program && search == 1 ? act : test::FakeAct{};
        };
        play(1);
        return recorder.games.front();
    }

    static TimeControl second() {
        TimeControl control;
        control.periods = {{0, 1s, 0s}};
        return control;
    }

    static adapters::ProgramSpec spec(const std::string& name) {
        adapters::ProgramSpec spec;
        spec.name = name;
        spec.game = "takeaway";
        return spec;
    }

    test::FakeWorld world;
    MatchPlan plan;
    std::vector<TimeControl> time;
    std::unique_ptr<rules::Game> game = test::make_takeaway();
    ProgramPool pool{[this](const adapters::ProgramSpec& s, adapters::PlayerListener& listener) {
                         return std::make_unique<test::FakePlayer>(world, s, listener);
                     },
                     world.clock, RunningProgram::Limits{}};
    LocalExecutor executor{{plan,
                            {{0, spec("a")}, {1, spec("b")}, {2, spec("c")}},
                            {{0, time.at(0)}, {1, time.at(1)}, {2, time.at(2)}},
                            *game,
                            1,
                            RunningProgram::Limits{}.start,
                            {},
                            [] { return Micros{0}; },
                            0,
                            0},
                           pool,
                           world.clock};
    GameRecorder recorder;
};

rules::Scores scores_of_three(float first, float second, float third) {
    return {{first, second, third}, 3};
}

}  // namespace

TEST_CASE("Executor: with a wait a slot pauses between games, and is not free meanwhile") {
    ThreePrograms t;
    t.plan.runner.wait = 5s;
    const TimePoint began = t.world.clock.now();
    t.play(2);
    CHECK(micros_between(began, t.world.clock.now()) >= 5s);
    // The next encounter waits too; one that is withdrawn meanwhile begins no game.
    const auto games = t.recorder.games.size();
    const TimePoint ended = t.world.clock.now();
    t.meet({0, 1, 2}, 1);
    CHECK(t.recorder.games.size() == games + 1);
    CHECK(micros_between(ended, t.world.clock.now()) >= 5s);
    Encounter encounter;
    encounter.games = 1;
    encounter.entrants = {0, 1, 2};
    t.executor.offer(encounter);
    CHECK(t.executor.appetite() == 0);
    t.executor.withdraw(assay::harness::Withdrawal::Paused);
    CHECK(t.executor.is_idle());
}

TEST_CASE("Three players: a slot keeps the programs that its next encounter needs, in any place") {
    ThreePrograms t;
    std::vector<std::string> started;
    t.world.starts = [&started](const std::string& program, int) {
        started.push_back(program);
        return true;
    };
    t.play(2);
    CHECK(started == std::vector<std::string>{"a", "b", "c"});
    t.meet({0, 1, 2}, 1);
    CHECK(started.size() == 3);
    // Programs of the second and third player change places.
    t.meet({0, 2, 1}, 1);
    CHECK(started.size() == 3);
}

TEST_CASE("Three players: every program is each player once in three games of an encounter") {
    ThreePrograms t;
    t.play(3);
    const auto& games = t.recorder.games;
    CHECK(t.recorder.started == std::vector<std::string>{"0 a", "1 b", "2 c"});
    CHECK(games[0].program == Lineup{0, 1, 2});
    CHECK(games[1].program == Lineup{1, 2, 0});
    CHECK(games[2].program == Lineup{2, 0, 1});
    // Each takes one token a move: the first player takes the seventh.
    for (std::size_t i = 0; i < games.size(); ++i) {
        CHECK(games[i].number == 13 + static_cast<std::int64_t>(i));
        CHECK(games[i].moves.size() == 7);
        CHECK(games[i].moves[5].player == 2);
        CHECK(games[i].scores == scores_of_three(1, 0, 0));
        CHECK(games[i].termination == Termination::by_rules("last token"));
    }
    CHECK(games[1].reason == "b wins by taking the last token");
    CHECK(games[1].score_of(1) == 1);
    CHECK(games[1].score_of(0) == 0);
}

TEST_CASE("Three players: a stored game has its programs, scores and moves by player") {
    ThreePrograms t;
    t.play(2);
    const test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    RunRecord run;
    run.plan.programs.resize(3);
    run.plan.matches.resize(1);
    const std::int64_t id = store.begin_run(run);
    store.write_game(id, 0, t.recorder.games[1]);
    const GameRecord read = store.game(id, 0, 14).value();
    CHECK(read.program == Lineup{1, 2, 0});
    CHECK(read.scores == scores_of_three(1, 0, 0));
    REQUIRE(read.moves.size() == 7);
    for (std::size_t i = 0; i < read.moves.size(); ++i)
        CHECK(read.moves[i].player == static_cast<int>(i % 3));
}

TEST_CASE(
    "Three players: a program that does not keep to its nodes is named once, with what it did") {
    using namespace std::chrono_literals;
    TimeControl nodes;
    nodes.kind = TimeControl::Kind::Nodes;
    nodes.nodes = 1000;
    ThreePrograms t({nodes, nodes, ThreePrograms::second()});
    t.world.script = [](const std::string& name, int) {
        test::FakeAct act;
        act.after = 200ms + 48us;
        // "b" searches within its steps of counting, "c" has a clock and no limit of nodes.
        act.infos = {{Micros(1000), "", 5, name == "b" ? 9'000U : 5'000'000U}};
        return act;
    };
    t.play(2);
    REQUIRE(t.recorder.warnings.size() == 1);
    CHECK(t.recorder.warnings[0] ==
          "does not keep to its limit of nodes: asked for 1000 nodes, it searched for 200ms and "
          "reported 5000000 nodes; give it a clock, a depth or a time for each move");
}

TEST_CASE("Three players: neither some thousand nodes more nor a few times as many are named") {
    const auto limit_of = [](std::uint64_t nodes) {
        TimeControl control;
        control.kind = TimeControl::Kind::Nodes;
        control.nodes = nodes;
        return control;
    };
    ThreePrograms t({limit_of(1000), limit_of(1'000'000), ThreePrograms::second()});
    t.world.script = [](const std::string& name, int) {
        test::FakeAct act;
        act.infos = {{Micros(1000), "", 5, name == "a" ? 90'000U : 9'000'000U}};
        return act;
    };
    t.play(1);
    CHECK(t.recorder.warnings.empty());
}

TEST_CASE("Three players: a program that goes on until the time limit of a move is named too") {
    TimeControl nodes;
    nodes.kind = TimeControl::Kind::Nodes;
    nodes.nodes = 1000;
    nodes.wall_limit = Micros(2s);
    ThreePrograms t({nodes, nodes, nodes});
    t.world.script = [](const std::string& name, int) {
        test::FakeAct act;
        if (name == "a") act.after = 30s;
        return act;
    };
    t.play(1);
    REQUIRE(t.recorder.warnings.size() == 1);
    CHECK(t.recorder.warnings[0].starts_with(
        "does not keep to its limit of nodes: asked for 1000 nodes, it searched for 2"));
    CHECK(t.recorder.warnings[0].find("reported no nodes, until it was told to stop; give it") !=
          std::string::npos);
}

TEST_CASE("Three players: the game in play is shown with its moves, clocks and last scores") {
    ThreePrograms t;
    t.world.script = [](const std::string& name, int) {
        test::FakeAct act;
        act.after = 100ms;
        act.score = name == "a" ? 25 : -10;
        return act;
    };
    t.executor.start(t.recorder, t.world.clock.now());
    LiveState idle;
    t.executor.show_games(5, idle);
    CHECK(idle.at_once == 0);
    Encounter encounter;
    encounter.pair = 4;
    encounter.first_game = 13;
    encounter.games = 1;
    encounter.entrants = {0, 1, 2};
    t.executor.offer(encounter);
    LiveState seen;
    const auto has_two_moves = [&] {
        seen = {};
        t.executor.show_games(5, seen);
        return !seen.games.empty() && seen.games[0].moves == "1 1";
    };
    REQUIRE(t.world.run_until(
        has_two_moves, [&](TimePoint now) { t.executor.tick(now); }, 1min));
    CHECK(seen.at_once == 1);
    const LiveGame& game = seen.games[0];
    CHECK(game.number == 13);
    CHECK(game.pair == 4);
    CHECK(game.is_open);
    CHECK(game.mover == 2);
    CHECK_FALSE(game.has_text_moves);
    REQUIRE(game.players.size() == 3);
    CHECK(game.players[1].program == 1);
    CHECK(game.players[0].clock == Micros(900ms));
    CHECK(game.players[2].clock == Micros(1s));
    CHECK(game.players[0].score->value == 25);
    CHECK(game.players[1].score->value == -10);
    CHECK_FALSE(game.players[2].score.has_value());
    // Its turn began when the second move was in, 200 ms after the first program was asked.
    CHECK(game.turn <= micros_between(TimePoint{}, t.world.clock.now()));
    CHECK(game.turn > micros_between(TimePoint{}, t.world.clock.now()) - Micros(100ms));
    LiveState none;
    t.executor.show_games(0, none);
    CHECK(none.at_once == 1);
    CHECK(none.games.empty());
}

TEST_CASE("Three players: who loses by its own fault has 0, and the others share the point") {
    using Act = test::FakeAct;

    struct Row {
        const char* program;
        Act act;
        Termination termination;
        rules::Scores scores;
        int guilty;
        const char* reason;
    };

    Act silence;
    silence.kind = Act::Kind::Silence;
    Act exit;
    exit.kind = Act::Kind::Exit;
    Act illegal;
    illegal.move = "9";
    Act resigns;
    resigns.says = adapters::BestMove::Kind::Resign;
    const std::vector<Row> rows{
        {"b", silence, Termination::Time, scores_of_three(0.5F, 0, 0.5F), 1,
         "b overran its time by "},
        {"c", exit, Termination::Crash, scores_of_three(0.5F, 0.5F, 0), 2, "c crashed at move 6: "},
        {"a", illegal, Termination::IllegalMove, scores_of_three(0, 0.5F, 0.5F), 0,
         "a played '9' at move 4, which is not legal"},
        {"b", resigns, Termination::ClaimResign, scores_of_three(0.5F, 0, 0.5F), -1,
         "b resigned at move 5"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.reason);
        ThreePrograms t;
        const GameRecord game = t.game_where(row.program, row.act);
        CHECK(game.termination == row.termination);
        CHECK(game.scores == row.scores);
        CHECK(game.guilty == row.guilty);
        CHECK(game.reason.starts_with(row.reason));
    }
}

}  // namespace assay::harness
