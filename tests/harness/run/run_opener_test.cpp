#include "harness/run/open/run_opener.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/plan/tournament_plan.h"
#include "harness/store/store_lock.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/rows_file.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// The same file by a name below /proc, under which pipes are read.
std::string as_pipe(const std::string& path) {
    return "/proc/self/root" + path;
}

RunPlan plan_with_book(const std::string& path) {
    RunPlan plan;
    plan.name = "endless";
    plan.programs.resize(2);
    plan.programs[0].name = "a";
    plan.programs[1].name = "b";
    plan.matches.resize(1);
    plan.matches[0].pairs = 1;
    plan.matches[0].openings.book = path;
    return plan;
}

/// A book in a pipe that goes on until nobody reads it, or far beyond what is read in a moment.
class EndlessBook {
public:
    explicit EndlessBook(const std::string& path) : path_(path) {
        REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
        (void)std::signal(SIGPIPE, SIG_IGN);
        writer_ = std::thread([this] { write(); });
    }

    EndlessBook(const EndlessBook&) = delete;
    EndlessBook& operator=(const EndlessBook&) = delete;

    ~EndlessBook() {
        if (writer_.joinable()) writer_.join();
    }

    /// True where its reader left before it was over.
    [[nodiscard]] bool was_given_up() {
        writer_.join();
        return was_given_up_;
    }

private:
    void write() {
        constexpr std::size_t kMost = std::size_t{512} << 20U;
        std::string lines;
        while (lines.size() < 65'536) {
            lines += "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        }
        const int pipe = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        for (std::size_t sum = 0; sum < kMost && !was_given_up_; sum += lines.size()) {
            was_given_up_ = ::write(pipe, lines.data(), lines.size()) < 0 && errno == EPIPE;
        }
        ::close(pipe);
    }

    std::string path_;
    bool was_given_up_ = false;
    std::thread writer_;
};

/// Runs of one tournament in a store, as commands open them. Each letter is a program.
class Opened {
public:
    explicit Opened(TournamentKind kind) : kind_(kind) { options.store = dir.path("assay.db"); }

    RunRecord open(const std::string& programs) {
        RunPlan plan;
        plan.name = "t";
        plan.seed = 1;
        TournamentPlan& tournament = plan.tournament.emplace();
        tournament.kind = kind_;
        tournament.match.openings.book = book;
        tournament.time.resize(programs.size());
        for (const char name : programs) {
            ProgramPlan& program = plan.programs.emplace_back();
            program.name = std::string(1, name);
            program.command = {"/bin/true"};
        }
        expand_tournament(plan);
        Versions versions(plan, store, {}, {});
        RunOpener opener(plan, options);
        std::vector<MatchSetting> settings;
        return opener.open(store, versions, settings).run;
    }

    void end(const RunRecord& run, RunState state) { store.set_state(run.id, state, ""); }

    /// What it is refused with.
    std::string refusal(const std::string& programs) {
        try {
            (void)open(programs);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    }

    test::TempDir dir;
    RunOptions options;
    Store store{dir.path("assay.db"), Store::Access::Write};
    std::string book = "none";

private:
    TournamentKind kind_;
};

std::string names_of(const RunRecord& run) {
    std::string names;
    for (const ProgramPlan& program : run.plan.programs) names += program.name;
    return names;
}

}  // namespace

TEST_CASE("RunOpener: where no run is begun, the reading of its books is given up") {
    const assay::test::TempDir dir;
    EndlessBook book(dir.path("book.epd"));
    RunPlan plan = plan_with_book(as_pipe(dir.path("book.epd")));
    const RunOptions options;
    { const RunOpener opener(plan, options); }
    CHECK(book.was_given_up());
}

TEST_CASE("RunOpener: a place that is not there is said before a book is read") {
    const assay::test::TempDir dir;
    // Nobody writes to this pipe: who reads it waits for ever.
    REQUIRE(::mkfifo(dir.path("book.epd").c_str(), 0600) == 0);
    RunPlan plan = plan_with_book(as_pipe(dir.path("book.epd")));
    plan.programs[1].dir = dir.path("gone");
    const RunOptions options;
    CHECK_THROWS_WITH_AS(
        RunOpener(plan, options),
        ("program 'b': there is no folder '" + dir.path("gone") + "' (dir)").c_str(), Error);
}

TEST_CASE("Run: that the store is in use is said before a book is read") {
    const assay::test::TempDir dir;
    REQUIRE(::mkfifo(dir.path("book.epd").c_str(), 0600) == 0);
    const RunPlan plan = plan_with_book(as_pipe(dir.path("book.epd")));
    RunOptions options;
    options.store = dir.path("assay.db");
    const StoreLock other(options.store);
    const SteadyClock clock;
    CHECK_THROWS_AS(static_cast<void>(execute(plan, options, {}, clock)), Error);
}

TEST_CASE(
    "Run: --resume compares a suite's positions and queries, and not the names of their files") {
    const test::TempDir dir;
    RunPlan plan = plan_with_book("none");
    plan.seed = 1;
    for (ProgramPlan& program : plan.programs) program.command = {"/bin/true"};
    plan.suite.emplace();
    plan.suite->source = "suites/few.epd";
    plan.suite->positions.resize(1);
    plan.suite->positions[0].id = "p1";
    plan.suite->positions[0].text = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    plan.suite->programs = {0};
    plan.suite->expectations.resize(1);
    plan.suite->expectations[0].query = "node: count(*)";
    plan.suite->expectations[0].origin = "queries/few.gtql";
    RunOptions options;
    options.store = dir.path("assay.db");
    options.resume = true;
    Store store(options.store, Store::Access::Write);
    std::vector<MatchSetting> settings;
    const auto opened = [&] {
        Versions versions(plan, store, {}, {});
        RunOpener opener(plan, options);
        const std::int64_t id = opener.open(store, versions, settings).run.id;
        store.set_state(id, RunState::Interrupted, "");
        return id;
    };
    const std::int64_t first = opened();
    plan.suite->source = "/elsewhere/suites/few.epd";
    plan.suite->expectations[0].origin.clear();
    CHECK(opened() == first);
    plan.suite->expectations[0].query = "node: count(depth)";
    CHECK_THROWS_AS((void)opened(), Error);
    plan.suite->expectations[0].query = "node: count(*)";
    plan.suite->positions[0].text = "8/8/8/8/8/8/8/K2k4 w - - 0 1";
    CHECK_THROWS_AS((void)opened(), Error);
}

TEST_CASE(
    "Run: --resume needs no file of rules, and refuses one that has changed with exit code 2") {
    tests::register_rows_files();
    const test::TempDir dir;
    RunPlan plan = plan_with_book("none");
    plan.seed = 1;
    for (ProgramPlan& program : plan.programs) program.command = {"/bin/true"};
    plan.matches[0].game = {"mine", dir.path("mine.rows"), "game mine\n"};
    RunOptions options;
    options.store = dir.path("assay.db");
    Store store(options.store, Store::Access::Write);
    std::vector<MatchSetting> settings;
    const auto opened = [&] {
        Versions versions(plan, store, {}, {});
        RunOpener opener(plan, options);
        return opener.open(store, versions, settings).run.id;
    };
    const std::int64_t first = opened();
    store.set_state(first, RunState::Interrupted, "");
    options.resume = true;
    CHECK(opened() == first);
    CHECK(settings.at(0).game->name() == "mine");
    store.set_state(first, RunState::Interrupted, "");
    plan.matches[0].game.text += "players Ada Bob\n";
    try {
        (void)opened();
        CHECK(false);
    } catch (const Error& error) {
        CHECK(error.exit_code() == 2);
        CHECK(std::string(error.what()).find("matches.0.rules.sha256 was") != std::string::npos);
    }
}

TEST_CASE("Run: --resume begins a new tournament with the programs of the plan, in their order") {
    Opened runs(TournamentKind::Gauntlet);
    const RunRecord first = runs.open("abc");
    runs.end(first, RunState::Finished);
    runs.options.resume = true;
    const RunRecord second = runs.open("dab");
    CHECK(second.id != first.id);
    CHECK(names_of(second) == "dab");
    CHECK(second.plan.tournament->left_out.empty());
    CHECK(second.versions.size() == 3);
    runs.end(second, RunState::Interrupted);
    CHECK(runs.open("dab").id == second.id);
}

TEST_CASE("Run: a tournament goes on in its order alone, where that has a meaning") {
    for (const TournamentKind kind : {TournamentKind::Gauntlet, TournamentKind::Pyramid,
                                      TournamentKind::Knockout, TournamentKind::Swiss}) {
        CAPTURE(std::string(name_of(kind)));
        Opened runs(kind);
        const RunRecord run = runs.open("abc");
        runs.end(run, RunState::Interrupted);
        runs.options.resume = true;
        CHECK(runs.refusal("bac") ==
              "--resume: in run 1 the order of the programs is a, b, c, and a " +
                  std::string(name_of(kind)) +
                  " goes by it; list them in this order, or start a new run without --resume");
        CHECK(runs.open("abc").id == run.id);
        runs.options.resume = false;
        runs.options.add = true;
        CHECK(runs.refusal("dabc").starts_with("--add: in run 1 the order of the programs is a, "));
    }
    Opened runs(TournamentKind::RoundRobin);
    const RunRecord run = runs.open("abc");
    runs.end(run, RunState::Interrupted);
    runs.options.resume = true;
    const RunRecord same = runs.open("cab");
    CHECK(same.id == run.id);
    CHECK(names_of(same) == "abc");
    runs.options.resume = false;
    runs.options.add = true;
    CHECK(names_of(runs.open("dcb")) == "abcd");
}

TEST_CASE("Run: --add that is refused for its book has changed nothing") {
    Opened runs(TournamentKind::RoundRobin);
    runs.book = runs.dir.path("book.epd");
    write_file(runs.book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
    const RunRecord run = runs.open("abc");
    write_file(runs.book, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n");
    runs.options.add = true;
    CHECK(runs.refusal("abcd").find("is not the one that run 1 began with") != std::string::npos);
    const RunRecord stored = runs.store.runs().at(0);
    CHECK(names_of(stored) == "abc");
    CHECK(stored.plan_hash == run.plan_hash);
    CHECK(stored.versions.size() == 3);
}

TEST_CASE("Run: --extend adds pairs to a test that is open, and none to one that is decided") {
    for (const auto& [pairs, score] : {std::pair{40, 1.0F}, {40, 0.0F}, {2, 1.0F}}) {
        const bool is_decided = pairs == 40;
        const test::TempDir dir;
        RunOptions options;
        options.store = dir.path("assay.db");
        write_file(dir.path("book.epd"),
                   "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
        RunPlan plan = plan_with_book(dir.path("book.epd"));
        plan.seed = 1;
        for (ProgramPlan& program : plan.programs) program.command = {"/bin/true"};
        plan.matches[0].pairs = 1000;
        plan.matches[0].stop.rule = StopPlan::Rule::Sprt;
        plan.matches[0].stop.e0 = -100;
        plan.matches[0].stop.e1 = 100;
        Store store(options.store, Store::Access::Write);
        const auto opened = [&] {
            RunPlan asked = plan;
            Versions versions(asked, store, {}, {});
            RunOpener opener(asked, options);
            std::vector<MatchSetting> settings;
            return opener.open(store, versions, settings).run;
        };
        const RunRecord run = opened();
        for (std::int64_t pair = 0; pair < pairs; ++pair) {
            std::array<GameRecord, 2> games;
            for (int game = 0; game < 2; ++game) {
                GameRecord& played = games[static_cast<std::size_t>(game)];
                played = test::sample_game(pair, game, 0, 4);
                for (std::size_t side = 0; side < 2; ++side)
                    played.scores.value[side] = played.program[side] == 0 ? score : 1 - score;
                store.write_game(run.id, 0, played);
            }
            store.write_pair(run.id, 0, test::pair_of(games[0], games[1]));
        }
        store.set_state(run.id, RunState::Finished, "");
        options.extend = 200;
        const RunRecord extended = opened();
        CHECK(extended.id == run.id);
        CHECK(extended.plan.matches[0].pairs == (is_decided ? 1000 : 1200));
    }
}

TEST_CASE("Run: the minutes that --add gives are there at the next --resume too") {
    Opened runs(TournamentKind::RoundRobin);
    const RunRecord run = runs.open("abc");
    CHECK(run.findings.budget_from_us.empty());
    RunMeters meters;
    meters.wall_us = 7'000'000;
    runs.store.set_meters(run.id, 0, meters);
    runs.end(run, RunState::Finished);
    runs.options.add = true;
    CHECK(runs.open("abcd").findings.budget_from_us == std::vector<std::int64_t>{7'000'000});
    meters.wall_us = 9'000'000;
    runs.store.set_meters(run.id, 0, meters);
    runs.end(run, RunState::Interrupted);
    runs.options.add = false;
    runs.options.resume = true;
    CHECK(runs.open("abcd").findings.budget_from_us == std::vector<std::int64_t>{7'000'000});
    CHECK(runs.store.runs().at(0).findings.budget_from_us == std::vector<std::int64_t>{7'000'000});
}
