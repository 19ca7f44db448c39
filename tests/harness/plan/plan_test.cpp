#include "harness/plan/plan.h"

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "harness/plan/plan_difference.h"
#include "harness/plan/plan_secrets.h"
#include "harness/plan/tournament_plan.h"
#include "tests/support/rows_file.h"

using assay::Micros;
using namespace assay::harness;  // NOLINT(google-build-using-namespace)

namespace {

/// Every field differs from its default.
RunPlan full_plan() {
    ProgramPlan program;
    program.name = "head";
    program.command = {"/opt/a b/engine", "--uci", "\"quoted\"\n"};
    program.dir = "/tmp";
    program.env = {{"B", "2"}, {"A", "1"}};
    program.options = {{"Hash", "016"}, {"Clear Hash", "true"}, {"Hash", "32"}};
    program.sandbox = {"bwrap", "--"};
    program.memory_bytes = 1ULL << 34;
    program.margin = Micros(5000);
    program.ping_before_go = true;
    program.git = GitPlan{"/src/engine",
                          "merge-base main",
                          {{"make", "-j2"}, {"make", "check"}},
                          Micros(5),
                          1U << 30U};
    program.bench = BenchPlan{{"./engine", "bench"}, 123456, true, "n (\\d+)", "s (\\d+)"};
    ProgramPlan base;
    base.name = "base";
    base.command = {"/usr/games/stockfish"};

    MatchPlan match;
    match.name = "long";
    match.between = {1, 0};
    match.time[0].periods = {{40, Micros(60'000'000), Micros(0)}, {0, Micros(1), Micros(80'000)}};
    match.time[0].margin = Micros(7);
    match.time[1].kind = TimeControl::Kind::Nodes;
    match.time[1].nodes = 20000;
    match.time[1].wall_limit = Micros(3);
    match.openings = {"/books/x.epd", OpeningsPlan::Order::Sequential, 8, 17,
                      OpeningsPlan::Scheme::Shuffled};
    match.game.name = "chess960";
    match.chance = assay::rules::Drawing::Deal;
    match.pairs = 1'000'000'000;
    match.concurrency = 8;
    match.affinity = true;
    match.ponder = true;
    match.adjudicate.draw = AdjudicatePlan::Draw{34, 8, 20};
    match.adjudicate.resign = AdjudicatePlan::Resign{3, 600, false};
    match.adjudicate.length = 300;
    match.adjudicate.flag_is_draw_if_none_can_win = false;
    match.stop.rule = StopPlan::Rule::Sprt;
    match.stop.model = StopPlan::Model::Bayesian;
    match.stop.shape = StopPlan::Shape::Symmetric;
    match.stop.e0 = -1.75;
    match.stop.e1 = 0.1;
    match.stop.preset = "gain";
    match.stop.alpha = 0.05;
    match.stop.beta = 1e-7;
    match.stop.batch = 16;
    match.stop.minutes = Micros(60);
    match.require = {0, 1, 2, -3.5};
    match.deterministic = true;

    RunPlan plan;
    plan.name = "gate";
    plan.programs = {program, base};
    plan.matches = {match, MatchPlan{}};
    plan.seed = 18'446'744'073'709'551'615ULL;
    plan.failures_in_a_row = 7;
    plan.start_limit = Micros(1);
    plan.at_end = {"/bin/notify", "{verdict}"};
    SuitePlan& suite = plan.suite.emplace();
    suite.source = "t.epd";
    suite.game.name = "chess960";
    suite.positions = {{"a", "FEN", {"e2e4"}, {"g2g4"}, "a comment"}};
    suite.limit.kind = TimeControl::Kind::Depth;
    suite.logs_trees = false;
    suite.log_nodes = 7;
    suite.log_from_ply = 2;
    suite.keep = SuitePlan::Keep::Failed;
    suite.programs = {1, 0};
    suite.concurrency = 3;
    suite.expectations.emplace_back().measure = SuiteMeasure::Nodes;
    SuiteExpectation& size = suite.expectations.emplace_back();
    size.name = "size";
    size.query = "node: count(*)";
    size.origin = "q.gtql";
    size.min = -1;
    size.max = 2;
    size.exactly = 0;
    size.against_baseline = {-3.5, 10};
    size.scope = SuiteExpectation::Scope::Suite;
    size.change_scope = SuiteExpectation::Scope::Position;
    return plan;
}

}  // namespace

TEST_CASE("Plan: its JSON reads back to an equal plan") {
    for (const RunPlan& plan : {full_plan(), RunPlan{}}) {
        CHECK(plan_from_json(to_json(plan)) == plan);
        CHECK(to_json(plan_from_json(to_json(plan))) == to_json(plan));
    }
}

TEST_CASE("Plan: a tournament is stored once, and each two of its programs are a match") {
    RunPlan plan;
    plan.programs.resize(4);
    for (std::size_t i = 0; i < 4; ++i) plan.programs[i].name = std::string(1, "abcd"[i]);
    TournamentPlan& tournament = plan.tournament.emplace();
    tournament.kind = TournamentKind::Gauntlet;
    tournament.rounds = 3;
    tournament.openings = 5;
    tournament.policy = OpeningPolicy::Encounter;
    tournament.seeding = Seeding::Lot;
    tournament.seeds = 1;
    tournament.replays = 2;
    tournament.left_out = {0};
    tournament.time.resize(4);
    tournament.time[2].move_time = Micros(7);
    tournament.match.concurrency = 9;
    expand_tournament(plan);
    CHECK(entrants_of(plan) == std::vector<std::size_t>{1, 2, 3});
    REQUIRE(plan.matches.size() == 6);
    const MatchPlan& match = plan.matches.at(couple_of(1, 2));
    CHECK(match.name == "b - c");
    CHECK(match.between == std::array<std::size_t, 2>{1, 2});
    CHECK(match.time[1].move_time == Micros(7));
    CHECK(match.concurrency == 9);
    CHECK(match.pairs == 15);
    CHECK(plan.matches.at(couple_of(0, 1)).pairs == 0);  // left out
    CHECK(plan.matches.at(couple_of(2, 3)).pairs == 0);  // no seed

    const std::string text = to_json(plan);
    CHECK(text.find(R"("matches":[])") != std::string::npos);
    CHECK(plan_from_json(text) == plan);
    std::string damaged = text;
    damaged.replace(damaged.find(R"("left_out":[0])"), 14, R"("left_out":[4])");
    CHECK_THROWS_WITH_AS((void)plan_from_json(damaged),
                         "this is not a stored plan: 'tournament' is not as expected",
                         assay::Error);
}

TEST_CASE("Plan: a program more adds matches behind the others") {
    std::size_t next = 0;
    for (std::size_t high = 1; high < 20; ++high) {
        for (std::size_t low = 0; low < high; ++low) CHECK(couple_of(low, high) == next++);
    }
}

TEST_CASE("Plan: its JSON has sorted keys and writes every default out") {
    RunPlan plan;
    plan.name = "x";
    CHECK(
        to_json(plan) ==
        R"({"at_end":[],"control":false,"failures_in_a_row":5,"matches":[],"name":"x","programs":[],)"
        R"("seed":null,"start_limit_us":10000000,"suite":null})");
    plan.matches.resize(1);
    plan.matches[0].stop.alpha = 0.05;
    CHECK(to_json(plan).find(R"("stop":{"alpha":0.05,"batch":0,"beta":null,"e0":null,)") !=
          std::string::npos);
}

TEST_CASE("Plan: a game of a file is stored with its text, and its hash has to fit") {
    RunPlan plan = full_plan();
    plan.matches[0].game = {"mine", "/games/my.rows", "game mine\n"};
    plan.suite->game = plan.matches[0].game;
    const std::string text = to_json(plan);
    CHECK(plan_from_json(text) == plan);
    // printf 'game mine\n' | sha256sum
    const std::string sha256 = "54642f9c290138b0a87ffc638d0a23b0894a048c1137b16b0c42f2864f83f86d";
    CHECK(text.find(R"("rules":{"path":"/games/my.rows","sha256":")" + sha256 +
                    R"(","text":"game mine\n"})") != std::string::npos);
    CHECK(text.find(R"("variant":"mine")") != std::string::npos);
    std::string damaged = text;
    damaged.replace(damaged.find("game mine"), 9, "game name");
    CHECK_THROWS_WITH_AS((void)plan_from_json(damaged),
                         "this is not a stored plan: 'rules' is not as expected", assay::Error);
}

TEST_CASE("Plan: game_of makes a game of a file from the stored text alone") {
    assay::tests::register_rows_files();
    MatchPlan match;
    CHECK(game_of(match)->name() == "chess");
    match.game = {"mine", "/nowhere/my.rows", "game mine\nplayers Ada Bob\n"};
    CHECK(game_of(match)->info().players.front() == "Ada");
    CHECK(game_text(MatchPlan().game) == "chess");
    // printf 'game mine\nplayers Ada Bob\n' | sha256sum
    CHECK(game_text(match.game) == "mine, by the rules of /nowhere/my.rows (SHA-256 988c4d5ba37e)");
    SuitePlan suite;
    suite.game = match.game;
    CHECK(game_of(suite)->name() == "mine");
}

TEST_CASE("Plan: a difference between two texts of rules is told by their hashes") {
    RunPlan before = full_plan();
    before.matches[0].game = {"mine", "/games/my.rows", "game mine\n"};
    RunPlan now = before;
    now.matches[0].game.text = "game mine\n\n";
    const auto found = plan_differences(before, now);
    REQUIRE(found.size() == 1);
    CHECK(found[0].find(".rules.sha256 was \"54642f9c290138b0") != std::string::npos);
    now.matches[0].game = {"chess", "", ""};
    CHECK(plan_differences(before, now).size() == 2);
}

TEST_CASE("Plan: programs that are new, gone or changed are told by their names") {
    const RunPlan before = full_plan();
    RunPlan now = before;
    now.programs.emplace_back().name = "late";
    CHECK(plan_differences(before, now) == std::vector<std::string>{"program 'late' is new"});
    CHECK(plan_differences(now, before) == std::vector<std::string>{"program 'late' is gone"});
    now = before;
    now.programs[0].options.emplace_back("Hash", "99");
    const auto found = plan_differences(before, now);
    REQUIRE(found.size() == 1);
    CHECK(found[0].starts_with("program '" + now.programs[0].name + "'.options"));
    now = before;
    std::swap(now.programs[0], now.programs[1]);
    CHECK(plan_differences(before, now) ==
          std::vector<std::string>{"the order of the programs is another one"});
}

TEST_CASE("Plan: the hash tells plans apart, also by a seed that was written") {
    const RunPlan plan = full_plan();
    RunPlan other = plan;
    other.seed = 1;
    CHECK(plan_hash(other) != plan_hash(plan));
    other = plan;
    CHECK(plan_hash(other) == plan_hash(plan));
    other.matches[0].time[0].margin += Micros(1);
    CHECK(plan_hash(other) != plan_hash(plan));
    // sha256sum of the JSON text above with the name "x".
    RunPlan small;
    small.name = "x";
    CHECK(plan_hash(small) == "d153f66370f326a6f688a300bea4f7df6d992c97a7073bf423d7cf96660b6116");
}

TEST_CASE("Plan: a text that is no plan is refused with the key at fault") {
    const auto refusal = [](const std::string& text) {
        try {
            (void)plan_from_json(text);
        } catch (const assay::Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK(refusal("[]") == "this is not a stored plan: '{' is not as expected");
    CHECK(refusal("{}") == "this is not a stored plan: 'programs' is not as expected");
    CHECK(refusal(R"({"programs":[],"matches":[],"name":3})") ==
          "this is not a stored plan: 'name' is not as expected");
    CHECK(refusal(R"({"programs":[],"matches":[{"pairs":1.5}]})") ==
          "this is not a stored plan: 'pairs' is not as expected");
    CHECK(refusal(R"({"programs":[],"matches":[{"stop":{"rule":"luck"}}]})") ==
          "this is not a stored plan: 'rule' is not as expected");
    CHECK(refusal(R"({"programs":[],"matches":[{}]})") ==
          "this is not a stored plan: 'between' is not as expected");
    CHECK(refusal(R"({"programs":[{},{}],"matches":[{"between":[0,1],"pairs":-1}]})") ==
          "this is not a stored plan: 'time' is not as expected");
    RunPlan late = full_plan();
    late.matches.front().time[0].periods.front().time = Micros(-1);
    CHECK(refusal(to_json(late)) == "this is not a stored plan: 'time' is not as expected");
    const std::string text = to_json(full_plan());
    for (std::size_t length = 0; length < text.size(); ++length)
        CHECK(refusal(text.substr(0, length)) != "accepted");
}

TEST_CASE("Plan: a difference of an environment or an address tells no secret") {
    RunPlan before = full_plan();
    before.programs[0].env = {{"TOKEN", "hunter2"}};
    before.programs[0].git->repo = "https://me:hunter2@example.org/engine";
    RunPlan now = before;
    now.programs[0].env = {{"TOKEN", "hunter3"}};
    now.programs[0].git->repo = "https://me:hunter3@example.org/other";
    const auto found = plan_differences(before, now);
    REQUIRE(found.size() == 2);
    for (const std::string& sentence : found) {
        CAPTURE(sentence);
        CHECK(sentence.find("hunter") == std::string::npos);
    }
    CHECK(found[0].starts_with("program '" + now.programs[0].name + "'.env"));
    CHECK(found[0].ends_with(" is another one"));
}

TEST_CASE("Plan: an environment and an address with a password are secrets, and are hidden") {
    RunPlan plan = full_plan();
    plan.programs[0].env.clear();
    plan.programs[0].git->repo = "https://example.org/engine";
    CHECK_FALSE(has_secrets(plan));
    plan.programs[0].git->repo = "https://me:hunter2@example.org/engine";
    CHECK(has_secrets(plan));
    hide_secrets(plan);
    CHECK(plan.programs[0].git->repo == "https://***@example.org/engine");
    CHECK_FALSE(has_secrets(plan));
    const auto check_hidden = [&plan](std::string& text) {
        text = "https://example.org/x?token=hunter2";
        CHECK(has_secrets(plan));
        hide_secrets(plan);
        CHECK(text == "https://example.org/x?token=***");
        CHECK_FALSE(has_secrets(plan));
    };
    plan.at_end = {"curl", ""};
    check_hidden(plan.at_end[1]);
    check_hidden(plan.programs[0].git->repo);
    plan.programs[0].git->build = {{"curl", ""}};
    check_hidden(plan.programs[0].git->build[0][1]);
    plan.programs[1].command = {"engine", ""};
    check_hidden(plan.programs[1].command[1]);
    plan.programs[1].options = {{"Server", ""}};
    check_hidden(plan.programs[1].options[0].second);
    plan.programs[1].env = {{"TOKEN", "hunter2"}};
    CHECK(has_secrets(plan));
    hide_secrets(plan);
    CHECK(plan.programs[1].env[0].second == "***");
}

TEST_CASE("Plan: what a tournament plays at least, and takes from its book at most") {
    const auto plan_of = [](TournamentKind kind, std::size_t programs) {
        RunPlan plan;
        plan.name = "spring";
        plan.programs.resize(programs);
        TournamentPlan& tournament = plan.tournament.emplace();
        tournament.kind = kind;
        tournament.openings = 3;
        tournament.time.resize(programs);
        return plan;
    };
    RunPlan swiss = plan_of(TournamentKind::Swiss, 9);
    swiss.tournament->rounds = 5;
    expand_tournament(swiss);
    CHECK(least_pairs_of(swiss) == 5 * 4 * 3);
    swiss.tournament->rounds = 0;
    CHECK(least_pairs_of(swiss) == 4 * 4 * 3);
    RunPlan knockout = plan_of(TournamentKind::Knockout, 9);
    knockout.tournament->replays = 2;
    expand_tournament(knockout);
    CHECK(least_pairs_of(knockout) == 8 * 3);
    RunPlan robin = plan_of(TournamentKind::RoundRobin, 4);
    robin.tournament->rounds = 2;
    expand_tournament(robin);
    CHECK(least_pairs_of(robin) == 6 * 2 * 3);

    // The last replay of a final: each round, or each of 15 ties, has three encounters of its own.
    const MatchPlan by_round = distinct_matches(knockout).front();
    CHECK(by_round.name == "spring");
    CHECK(by_round.pairs == 4 * 3 * 3);
    knockout.tournament->policy = OpeningPolicy::Encounter;
    CHECK(distinct_matches(knockout).front().pairs == 15 * 3 * 3);
}
