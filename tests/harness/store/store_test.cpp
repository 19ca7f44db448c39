#include "harness/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/record/build_origin.h"
#include "harness/record/move_codec.h"
#include "harness/store/store_schema.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

using test::sample_game;
using test::sample_pair;
using test::sample_run;
using test::write_sample_pair;

class StoreTest {
public:
    Store open(Store::Access access = Store::Access::Write) const { return {path(), access}; }

    [[nodiscard]] std::string path() const { return dir_.path("assay.db"); }

    /// By SQLite alone, past the Store.
    void exec(const std::string& sql) const {
        SQLite::Database(path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
    }

    [[nodiscard]] std::string refusal(Store::Access access) const {
        try {
            (void)open(access);
        } catch (const Error& error) {
            CHECK(error.exit_code() == 2);
            return error.what();
        }
        return "opened";
    }

private:
    assay::test::TempDir dir_;
};

std::string text_of(const PairDigest& pair) {
    std::string text = std::to_string(pair.pair) + "." + std::to_string(pair.attempt) + " state " +
                       std::to_string(static_cast<int>(pair.state)) + " opening " +
                       std::to_string(pair.opening_index);
    for (const GameDigest& game : pair.games) {
        text += " | ";
        for (std::size_t player = 0; player < game.scores.players; ++player) {
            text += std::to_string(game.scores[player]) + " ";
        }
        text += std::to_string(game.program[0]) + std::to_string(game.program[1]) + " " +
                std::string(name_of(game.termination)) + " " + std::to_string(game.guilty) + " " +
                std::to_string(game.plies) + " " + std::to_string(game.used_us) + " " +
                std::to_string(game.moves_hash);
    }
    return text;
}

void check_same(const GameRecord& a, const GameRecord& b) {
    CHECK(a.pair == b.pair);
    CHECK(a.game == b.game);
    CHECK(a.attempt == b.attempt);
    CHECK(a.program == b.program);
    CHECK(a.start == b.start);
    CHECK(a.opening == b.opening);
    CHECK(encode_moves(a.moves) == encode_moves(b.moves));
    CHECK(a.scores == b.scores);
    CHECK(a.termination == b.termination);
    CHECK(a.guilty == b.guilty);
    CHECK(a.reason == b.reason);
    CHECK(a.last_lines == b.last_lines);
    CHECK(a.last_command == b.last_command);
    CHECK(a.harness_caused == b.harness_caused);
    CHECK(a.opening_index == b.opening_index);
    CHECK(a.started_us == b.started_us);
    CHECK(a.ended_us == b.ended_us);
    CHECK(a.slot == b.slot);
    CHECK(a.machine == b.machine);
}

void check_same(const RunRecord& a, const RunRecord& b) {
    CHECK(a.name == b.name);
    CHECK(a.plan == b.plan);
    CHECK(a.plan_hash == b.plan_hash);
    CHECK(a.state == b.state);
    CHECK(findings_json(a.findings) == findings_json(b.findings));
    REQUIRE(a.versions.size() == b.versions.size());
    for (std::size_t i = 0; i < a.versions.size(); ++i) {
        CHECK(a.versions[i].name == b.versions[i].name);
        CHECK(a.versions[i].path == b.versions[i].path);
        CHECK(a.versions[i].sha256 == b.versions[i].sha256);
        CHECK(a.versions[i].id_name == b.versions[i].id_name);
        CHECK(a.versions[i].id_author == b.versions[i].id_author);
        CHECK(a.versions[i].files == b.versions[i].files);
        CHECK(origin_json(a.versions[i]) == origin_json(b.versions[i]));
    }
    CHECK(a.machine.host == b.machine.host);
    CHECK(a.machine.cpu == b.machine.cpu);
    CHECK(a.machine.kernel == b.machine.kernel);
    CHECK(a.machine.logical_cores == b.machine.logical_cores);
    CHECK(a.machine.physical_cores == b.machine.physical_cores);
    CHECK(a.machine.memory_bytes == b.machine.memory_bytes);
    CHECK(a.book_hashes == b.book_hashes);
    CHECK(a.assay_version == b.assay_version);
    CHECK(a.command_line == b.command_line);
    CHECK(a.started_us == b.started_us);
    CHECK(a.ended_us == b.ended_us);
    CHECK(a.end_reason == b.end_reason);
}

}  // namespace

TEST_CASE("Store: an exit code comes late without touching what else was found") {
    const StoreTest test;
    Store store = test.open();
    RunRecord run = sample_run();
    run.findings.exit_code.reset();
    const auto id = store.begin_run(run);
    RunRecord bare = sample_run("bare");
    bare.findings = {};
    const auto other = store.begin_run(bare);
    store.set_exit_code(id, 4);
    CHECK_FALSE(store.find_run("1")->findings.exit_code);  // it is being played
    store.set_state(id, RunState::Finished, "");
    store.set_state(other, RunState::Failed, "");
    store.set_exit_code(id, 4);
    store.set_exit_code(other, 1);
    run.findings.exit_code = 4;
    CHECK(findings_json(store.find_run("1")->findings) == findings_json(run.findings));
    CHECK(store.find_run("2")->findings.exit_code == 1);
    store.set_exit_code(3, 1);  // deleted meanwhile
}

TEST_CASE("Store: every field of a run goes there and back") {
    const StoreTest t;
    const RunRecord run = sample_run();
    const std::int64_t id = t.open().begin_run(run);
    CHECK(id == 1);
    const auto found = t.open(Store::Access::Read).find_run("1");
    REQUIRE(found.has_value());
    CHECK(found->id == 1);
    check_same(*found, run);
}

TEST_CASE("Store: every field of a game goes there and back") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    GameRecord crash = sample_game(3, 1, 2);
    crash.termination = Termination::Crash;
    crash.guilty = 1;
    crash.start = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    crash.last_lines = "info depth 3\nstderr: it's \"over\" \\x00";
    crash.last_command = "go wtime 1";
    crash.harness_caused = true;
    crash.opening_index = ~std::uint64_t{0};
    crash.opening.clear();
    crash.machine = -7;
    GameRecord bare;
    bare.number = 1;
    bare.program = {2, 0, 1};
    bare.scores.players = 3;  // results are vectors, whatever the game
    bare.scores.value = {0.25F, 0.1F, 0.65F};
    store.write_game(run, 1, crash);
    store.write_game(run, 1, bare);
    const auto read = store.game(run, 1, crash.number);
    REQUIRE(read.has_value());
    check_same(*read, crash);
    check_same(store.game(run, 1, 1).value(), bare);
    CHECK_FALSE(store.game(run, 0, crash.number).has_value());
    CHECK_FALSE(store.game(run, 1, 3).has_value());
    CHECK_FALSE(store.game(run, 1, 0).has_value());
}

TEST_CASE("Store: all terminations go there and back") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    std::vector<Termination> all{Termination::by_rules("mate"),
                                 Termination::by_rules("three in a row"),
                                 Termination::by_rules("time"), Termination::by_rules("")};
    for (std::size_t i = Termination::Rules + 1; i < kCauses; ++i)
        all.emplace_back(static_cast<Termination::Cause>(i));
    for (std::size_t i = 0; i < all.size(); ++i) {
        GameRecord game = sample_game(static_cast<std::int64_t>(i), 0, 0, 2);
        game.termination = all[i];
        store.write_game(run, 0, game);
        CHECK(store.game(run, 0, game.number).value().termination == game.termination);
    }
}

TEST_CASE("Store: a game of three players keeps its programs and scores by player") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    GameRecord game = sample_game(0, 0, 0, 2);
    game.program = {2, 0, 1};
    game.scores = {{0, 0.25F, 0.75F}, 3};
    game.termination = Termination::by_rules("last one standing");
    game.guilty = -1;
    store.write_game(run, 0, game);
    const GameRecord read = store.game(run, 0, game.number).value();
    check_same(read, game);
    CHECK(read.score_of(0) == 0.25F);
    CHECK(read.score_of(2) == 0);
    CHECK(read.score_of(3) == 0);
    CHECK(read.scores.winner() == 2);
    CHECK(digest_of(read).program == Lineup{2, 0, 1});
}

TEST_CASE("Store: flaws of lines of moves add up by program and kind, with the first examples") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    CHECK(store.pv_summary(run, 0).is_empty());
    for (std::int64_t pair = 0; pair < 5; ++pair) {
        GameRecord game = sample_game(pair, 0, 0);
        PvFinding finding;
        finding.flaw = PvFlaw::MateSign;
        finding.program = 1;
        finding.player = 1;
        finding.game = game.number;
        finding.ply = 17;
        finding.move = "e2e4";
        finding.line = "info \"quoted\" score mate 3";
        finding.start = "a start";
        finding.moves = "e2e4 e7e5";
        finding.mate = 3;
        finding.other_mate = 2;
        finding.other_line = "info score mate 2";
        for (int i = 0; i < 3; ++i) count_pv_finding(game.pv_counts, finding);
        if (pair == 4) game.pv_counts[0].example.reset();
        store.write_game(run, 0, game);
    }
    const PvSummary summary = store.pv_summary(run, 0);
    const PvSummary::Row& row = summary.row(1, PvFlaw::MateSign);
    CHECK(row.count == 15);
    CHECK(row.games == 5);
    REQUIRE(row.examples.size() == 3);
    CHECK(row.examples[2].game == 5);
    CHECK(row.examples[2].line == "info \"quoted\" score mate 3");
    CHECK(row.examples[2].other_line == "info score mate 2");
    CHECK(row.examples[2].mate == 3);
    CHECK(summary.count_of(0) == 0);
    CHECK(summary.count_of(1) == 15);
    CHECK(store.pv_summary(run, 1).is_empty());
    CHECK(pv_finding_of(to_json(row.examples[0])) == row.examples[0]);
    CHECK_FALSE(pv_finding_of("{}"));
    CHECK_FALSE(pv_finding_of("nonsense"));
    store.delete_run(run);
    CHECK(store.pv_summary(run, 0).is_empty());
}

TEST_CASE("Store: pairs come in the order of pair and attempt, whatever the order of writing") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    write_sample_pair(store, run, 7);
    write_sample_pair(store, run, 2, 1, PairState::Counted);
    write_sample_pair(store, run, 2, 0, PairState::Void);
    write_sample_pair(store, run, 10, 0, PairState::AfterStop);
    write_sample_pair(store, run, 0, 0, PairState::Duplicate);
    const auto pairs = store.pairs(run, 0);
    REQUIRE(pairs.size() == 5);
    CHECK(text_of(pairs[0]) == text_of(sample_pair(0, 0, PairState::Duplicate)));
    CHECK(text_of(pairs[1]) == text_of(sample_pair(2, 0, PairState::Void)));
    CHECK(text_of(pairs[2]) == text_of(sample_pair(2, 1)));
    CHECK(text_of(pairs[3]) == text_of(sample_pair(7)));
    CHECK(text_of(pairs[4]) == text_of(sample_pair(10, 0, PairState::AfterStop)));
    CHECK(store.pairs(run, 1).empty());
    CHECK(store.pairs(run + 1, 0).empty());
}

TEST_CASE("Store: a pair's state can change, and a pair without its games cannot be written") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    write_sample_pair(store, run, 0);
    store.write_pair(run, 0, sample_pair(0, 0, PairState::AfterStop));
    REQUIRE(store.pairs(run, 0).size() == 1);
    CHECK(store.pairs(run, 0)[0].state == PairState::AfterStop);

    store.write_game(run, 0, sample_game(1, 0, 0));
    CHECK_THROWS_WITH_AS(store.write_pair(run, 0, sample_pair(1)),
                         "internal error: pair 1 is written before its games", Error);
}

TEST_CASE("Store: a single game is an encounter of its own, and no half of a pair") {
    const StoreTest t;
    {
        Store store = t.open();
        const std::int64_t run = store.begin_run(sample_run());
        for (const int pair : {0, 1}) {
            store.write_game(run, 0, sample_game(pair, 0, 0));
            PairDigest single = sample_pair(pair);
            single.is_single = true;
            store.write_pair(run, 0, single);
        }
        write_sample_pair(store, run, 2);
        const std::vector<PairDigest> pairs = store.pairs(run, 0);
        REQUIRE(pairs.size() == 3);
        CHECK(pairs[0].is_single);
        CHECK(pairs[1].played().size() == 1);
        CHECK(pairs[1].games[0].number == sample_game(1, 0, 0).number);
        CHECK_FALSE(pairs[2].is_single);
        CHECK(store.half_pairs(run, 0).empty());
    }
    t.exec("UPDATE pairs SET single = 0 WHERE pair = 1");
    const Store store = t.open(Store::Access::Read);
    CHECK_THROWS_AS(static_cast<void>(store.pairs(1, 0)), Error);
}

TEST_CASE("Store: a half pair is a first game without a second one of the same attempt") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    write_sample_pair(store, run, 0);
    store.write_game(run, 0, sample_game(1, 0, 0));
    write_sample_pair(store, run, 2, 0, PairState::Void);
    store.write_game(run, 0, sample_game(2, 0, 1));
    store.write_game(run, 1, sample_game(5, 0, 0));
    const auto halves = store.half_pairs(run, 0);
    REQUIRE(halves.size() == 2);
    check_same(halves[0], sample_game(1, 0, 0));
    check_same(halves[1], sample_game(2, 0, 1));
    // The newest attempt is the one that is shown.
    CHECK(store.game(run, 0, 5).value().attempt == 1);
    CHECK(store.game(run, 0, 6).value().attempt == 0);
}

TEST_CASE("Store: games are visited in the order of pair, game and attempt") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    write_sample_pair(store, run, 1, 1);
    write_sample_pair(store, run, 1, 0, PairState::Void);
    write_sample_pair(store, run, 0);
    std::string seen;
    store.for_each_game(run, 0, [&](const GameRecord& game) {
        seen += std::to_string(game.number) + "." + std::to_string(game.attempt) + " ";
    });
    CHECK(seen == "1.0 2.0 3.0 3.1 4.0 4.1 ");
}

TEST_CASE("Store: a game written twice throws, and the first one stays") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    store.write_game(run, 0, sample_game(0, 0, 0));
    CHECK_THROWS_WITH_AS(store.write_game(run, 0, sample_game(0, 0, 0, 4)),
                         (t.path() + ": another process writes to this run too; was the lock "
                                     "beside the store removed? (UNIQUE constraint failed: "
                                     "games.run, games.match, games.pair, games.game, "
                                     "games.attempt)")
                             .c_str(),
                         Error);
    CHECK(store.game(run, 0, 1).value().moves.size() == 60);
    CHECK_THROWS_AS(store.write_game(99, 0, sample_game(0, 0, 0)), Error);
}

TEST_CASE("Store: a transaction whose work throws leaves nothing, and the next one works") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    CHECK_THROWS_WITH_AS(store.transaction([&] {
        store.write_game(run, 0, sample_game(0, 0, 0));
        throw Error("stop");
    }),
                         "stop", Error);
    CHECK_FALSE(store.game(run, 0, 1).has_value());
    write_sample_pair(store, run, 0);
    CHECK(store.pairs(run, 0).size() == 1);
}

TEST_CASE("Store: where a plan has secrets the file is its owner's alone") {
    const auto mode_of = [](const std::string& path) {
        struct stat status {};

        REQUIRE(::stat(path.c_str(), &status) == 0);
        return status.st_mode & 0777;
    };
    const StoreTest t;
    Store store = t.open();
    RunRecord run = sample_run();
    for (ProgramPlan& program : run.plan.programs) program.env.clear();
    static_cast<void>(::chmod(store.path().c_str(), 0644));
    static_cast<void>(store.begin_run(run));
    CHECK(mode_of(store.path()) == 0644);
    run.plan.programs.at(0).env = {{"TOKEN", "secret"}};
    static_cast<void>(store.begin_run(run));
    CHECK(mode_of(store.path()) == 0600);
    CHECK(mode_of(store.path() + "-wal") == 0600);
    static_cast<void>(::chmod(store.path().c_str(), 0644));
    run.plan.programs.at(0).env.clear();
    run.plan.programs.at(0).git = GitPlan{};
    run.plan.programs.at(0).git->repo = "https://token@host/engine.git";
    static_cast<void>(store.begin_run(run));
    CHECK(mode_of(store.path()) == 0600);
}

TEST_CASE("Store: state, versions, meters and plan can be changed") {
    const StoreTest t;
    Store store = t.open();
    const std::int64_t run = store.begin_run(sample_run());
    store.set_state(run, RunState::Interrupted, "stopped by a signal");
    auto versions = sample_run().versions;
    versions[1].id_name = "Stockfish";
    store.set_versions(run, versions);
    RunPlan plan = sample_run().plan;
    plan.matches[0].pairs = 2000;
    store.set_plan(run, plan);
    store.set_meters(run, 0, {{1.5, 2.5, 3.5, 4.5}, 7, 8, {}});
    store.set_meters(run, 0, {{10.5, 2.5, 3.5, 4.5}, 70, 8, {{1, 0}, {0, 2}}});

    const RunRecord found = store.find_run("latest").value();
    CHECK(found.state == RunState::Interrupted);
    CHECK(found.end_reason == "stopped by a signal");
    CHECK(found.ended_us > 0);
    CHECK(found.versions[1].id_name == "Stockfish");
    CHECK(found.plan.matches[0].pairs == 2000);
    CHECK(found.plan_hash == "abc");
    const RunMeters meters = store.meters(run, 0);
    CHECK(meters.delay.p50_us == 10.5);
    CHECK(meters.delay.p99_us == 2.5);
    CHECK(meters.delay.max_us == 3.5);
    CHECK(meters.delay.cpu_us_per_ply == 4.5);
    CHECK(meters.wall_us == 70);
    CHECK(meters.voided == 8);
    CHECK(meters.between_games == std::vector<FaultsBetweenGames>{{1, 0}, {0, 2}});
    CHECK(store.meters(run, 1).wall_us == 0);

    store.set_state(run, RunState::Running, "");
    CHECK(store.find_run("latest").value().ended_us == 0);
    CHECK_THROWS_WITH_AS(store.set_state(9, RunState::Failed, ""),
                         "internal error: there is no run 9", Error);
}

TEST_CASE("Store: the machines that a run was carried to are kept, and its games know theirs") {
    const StoreTest t;
    Store store = t.open();
    const RunRecord begun = sample_run();
    const std::int64_t id = store.begin_run(begun);
    MachineRecord here = begun.machine;
    here.kernel = "6.2.0";  // an update makes no other machine
    CHECK(store.add_machine(id, here) == 0);
    const MachineRecord other{"host", "Another CPU", "6.1.0", 8, 4, 16'000'000'000ULL};
    const std::int64_t number = store.add_machine(id, other);
    CHECK(number == other.id());
    CHECK(number != 0);
    CHECK(store.add_machine(id, other) == number);
    MachineRecord third = other;
    third.host = "elsewhere";
    CHECK(store.add_machine(id, third) != number);

    GameRecord first = sample_game(0, 0, 0);
    first.machine = number;
    store.write_game(id, 0, first);
    store.write_game(id, 0, sample_game(0, 1, 0));
    store.write_pair(id, 0, sample_pair(0));
    CHECK(store.pairs(id, 0).at(0).machine == number);
    const RunRecord found = store.find_run("1").value();
    CHECK(found.other_machines.size() == 2);
    CHECK(found.machine_of(number).cpu == "Another CPU");
    CHECK(found.machine_of(number).memory_bytes == other.memory_bytes);
    CHECK(found.machine_of(0).cpu == begun.machine.cpu);
    store.delete_run(id);
    CHECK(store.begin_run(begun) == 2);
    CHECK(store.find_run("2")->other_machines.empty());
}

TEST_CASE("Store: a run is found by number, by latest and by name") {
    const StoreTest t;
    Store store = t.open();
    CHECK_FALSE(store.find_run("").has_value());
    store.begin_run(sample_run("a"));
    store.begin_run(sample_run("b"));
    store.begin_run(sample_run("a"));
    CHECK(store.find_run("").value().id == 3);
    CHECK(store.find_run("latest").value().id == 3);
    CHECK(store.find_run("2").value().id == 2);
    CHECK(store.find_run("a").value().id == 3);
    CHECK(store.find_run("b").value().id == 2);
    CHECK_FALSE(store.find_run("4").has_value());
    CHECK_FALSE(store.find_run("c").has_value());
    const auto runs = store.runs();
    REQUIRE(runs.size() == 3);
    CHECK(runs[0].id == 3);
    CHECK(runs[2].id == 1);
    CHECK(runs[2].versions.size() == 2);
}

TEST_CASE("Store: deleting a run takes its games and nothing else, and its number is not reused") {
    const StoreTest t;
    Store store = t.open();
    for (std::int64_t run = 1; run <= 2; ++run) {
        store.begin_run(sample_run());
        write_sample_pair(store, run, 0);
        store.set_meters(run, 0, {{}, 5, 0, {}});
    }
    store.delete_run(2);
    store.prune();
    CHECK(store.pairs(2, 0).empty());
    CHECK_FALSE(store.find_run("2").has_value());
    CHECK(store.pairs(1, 0).size() == 1);
    check_same(store.game(1, 0, 2).value(), sample_game(0, 1, 0));
    CHECK(store.begin_run(sample_run()) == 3);
    SQLite::Database raw(t.path());
    CHECK(raw.execAndGet("SELECT count(*) FROM records").getInt() == 2);
    CHECK(raw.execAndGet("SELECT count(*) FROM matches").getInt() == 1);
}

TEST_CASE("Store: what is no store is refused with a sentence and left as it was") {
    const StoreTest t;
    const std::string reading = t.refusal(Store::Access::Read);
    CHECK(reading ==
          t.path() + ": there is no such store; 'assay run' creates one, --db names another");

    write_file(t.path(), "programs: {}\n# a config, of more than a header's size\n");
    const std::string before = read_file(t.path());
    CHECK(t.refusal(Store::Access::Write) ==
          t.path() + ": is not an assay store (not an SQLite file)");
    CHECK(t.refusal(Store::Access::Read) ==
          t.path() + ": is not an assay store (not an SQLite file)");
    CHECK(read_file(t.path()) == before);
}

TEST_CASE("Store: a pipe is refused at once, for reading and for writing") {
    const StoreTest t;
    REQUIRE(::mkfifo(t.path().c_str(), 0600) == 0);
    const std::string sentence = t.path() + ": is not a regular file, and so not an assay store";
    CHECK(t.refusal(Store::Access::Read) == sentence);
    CHECK(t.refusal(Store::Access::Write) == sentence);
}

TEST_CASE("Store: another program's SQLite file is refused and left as it was") {
    const StoreTest t;
    t.exec("CREATE TABLE t (x)");
    const std::string before = read_file(t.path());
    const std::string sentence =
        t.path() + ": is not an assay store but another program's SQLite file";
    CHECK(t.refusal(Store::Access::Write) == sentence);
    CHECK(t.refusal(Store::Access::Read) == sentence);
    CHECK(read_file(t.path()) == before);
}

TEST_CASE("Store: an empty file becomes a store when written, and is none for a reader") {
    const StoreTest t;
    write_file(t.path(), "");
    CHECK(t.refusal(Store::Access::Read) == t.path() + ": is an empty file, not an assay store");
    write_file(t.path(), "x");
    for (const Store::Access access : {Store::Access::Read, Store::Access::Write})
        CHECK(t.refusal(access) == t.path() + ": has one byte, and so is not an assay store");
    CHECK(read_file(t.path()) == "x");
    write_file(t.path(), "");
    CHECK(t.open().begin_run(sample_run()) == 1);
}

TEST_CASE("Store: a newer version is refused with a sentence") {
    const StoreTest t;
    t.open().begin_run(sample_run());
    t.exec("PRAGMA user_version = 99");
    const std::string sentence =
        t.path() + ": is a store of version 99, and this assay reads up to version " +
        std::to_string(store_migrations().size()) + "; use the newer assay that wrote it";
    CHECK(t.refusal(Store::Access::Write) == sentence);
    CHECK(t.refusal(Store::Access::Read) == sentence);
}

TEST_CASE("Store: damage is an error with the path and what cannot be read") {
    struct Case {
        const char* what;
        const char* sql;
        const char* message;
    };

    const Case cases[] = {
        {"moves", "UPDATE records SET moves = x'0100'", "the moves of game 1"},
        {"scores", "UPDATE games SET scores = '[1,0'", "a game's result"},
        {"too many", "UPDATE games SET scores = '[1,0,0,0,0,0,0,0,0]'", "a game's result"},
        {"programs", "UPDATE games SET programs = '[0,2]'", "a game's result"},
        {"fewer programs than scores", "UPDATE games SET programs = '[0]'", "a game's result"},
        {"guilty", "UPDATE games SET guilty = 77", "a game's result"},
        {"guilty below", "UPDATE games SET guilty = -2", "a game's result"},
        {"a score of three", "UPDATE games SET scores = '[3,0]'", "a game's result"},
        {"a score below 0", "UPDATE games SET scores = '[1,-1]'", "a game's result"},
        {"no number", "UPDATE games SET scores = '[nan,0]'", "a game's result"},
        {"plies", "UPDATE games SET plies = -1", "a game's result"},
        {"time", "UPDATE games SET used_us = -1", "a game's result"},
        {"termination", "UPDATE games SET termination = 'bored' || char(7)", "a game's result"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const StoreTest t;
        {
            Store store = t.open();
            write_sample_pair(store, store.begin_run(sample_run()), 0);
        }
        t.exec(c.sql);
        const Store store = t.open(Store::Access::Read);
        const std::string message =
            t.path() + ": the store is damaged: cannot read " + std::string(c.message);
        CHECK_THROWS_WITH_AS(static_cast<void>(store.game(1, 0, 1)), message.c_str(), Error);
    }
}

TEST_CASE("Store: games of three players in a pair, and impossible faults, are damage") {
    const StoreTest t;
    {
        Store store = t.open();
        const std::int64_t run = store.begin_run(sample_run());
        write_sample_pair(store, run, 0);
        store.write_game(run, 0, sample_game(1, 0, 0));
        store.set_meters(run, 0, {});
    }
    t.exec("UPDATE games SET scores = '[1,0,0]', programs = '[0,1,2]'");
    t.exec("UPDATE matches SET between_games = '[[-1,0]]'");
    const Store store = t.open(Store::Access::Read);
    const std::string damaged = t.path() + ": the store is damaged: cannot read ";
    const std::string of_two = damaged + "a pair of games that are not of two players";
    CHECK_THROWS_WITH_AS(static_cast<void>(store.pairs(1, 0)), of_two.c_str(), Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(store.half_pairs(1, 0)), of_two.c_str(), Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(store.meters(1, 0)),
                         (damaged + "the faults between games").c_str(), Error);
}

TEST_CASE("Store: a pair that lost a game to damage is an error, never a shorter list") {
    for (const char* sql : {"DELETE FROM games WHERE pair = 1 AND game = 0",
                            "DELETE FROM games WHERE pair = 1 AND game = 1",
                            "DELETE FROM games WHERE pair = 2 AND game = 1"}) {
        CAPTURE(sql);
        const StoreTest t;
        {
            Store store = t.open();
            const std::int64_t run = store.begin_run(sample_run());
            for (int pair = 0; pair < 3; ++pair) write_sample_pair(store, run, pair);
        }
        t.exec(sql);
        const Store store = t.open(Store::Access::Read);
        CHECK_THROWS_AS(static_cast<void>(store.pairs(1, 0)), Error);
    }
}

TEST_CASE("Store: a reader sees what is durable while a writer is at work") {
    const StoreTest t;
    Store writer = t.open();
    const std::int64_t run = writer.begin_run(sample_run());
    const Store reader = t.open(Store::Access::Read);
    write_sample_pair(writer, run, 0);
    CHECK(reader.pairs(run, 0).size() == 1);
    writer.transaction([&] {
        write_sample_pair(writer, run, 1);
        CHECK(reader.pairs(run, 0).size() == 1);
    });
    CHECK(reader.pairs(run, 0).size() == 2);
}

TEST_CASE("Store: an archived file is read where nothing can be written") {
    const assay::test::TempDir dir;
    const std::string folder = dir.path("archive 100%?#1");
    std::filesystem::create_directory(folder);
    const std::string path = folder + "/assay.db";
    {
        Store store(path, Store::Access::Write);
        write_sample_pair(store, store.begin_run(sample_run()), 0);
    }
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    std::filesystem::permissions(
        folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    CHECK(Store(path, Store::Access::Read).pairs(1, 0).size() == 1);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
}

TEST_CASE("Digest: the hash of moves depends on start, order and borders of names only") {
    GameRecord game = sample_game(0, 0, 0, 10);
    const std::uint64_t hash = digest_of(game).moves_hash;
    GameRecord other = game;
    other.moves[3].used += Micros(1);
    other.attempt = 4;
    CHECK(digest_of(other).moves_hash == hash);
    other = game;
    other.start = "x";
    CHECK(digest_of(other).moves_hash != hash);
    other = game;
    std::swap(other.opening[0], other.opening[1]);
    CHECK(digest_of(other).moves_hash != hash);
    other = game;
    other.moves[0].name = "ab";
    other.moves[1].name = "c";
    GameRecord third = game;
    third.moves[0].name = "a";
    third.moves[1].name = "bc";
    CHECK(digest_of(other).moves_hash != digest_of(third).moves_hash);
    // Stores of all versions are compared by it.
    GameRecord fixed;
    fixed.opening = {"e2e4"};
    fixed.moves.resize(1);
    fixed.moves[0].name = "e7e5";
    CHECK(digest_of(fixed).moves_hash == 4283493710046611489ULL);
}

}  // namespace assay::harness
