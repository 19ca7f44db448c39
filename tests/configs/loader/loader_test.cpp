#include "configs/loader/loader.h"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "configs/loader/config_text.h"
#include "tests/configs/loader/plan_of.h"
#include "tests/support/rows_file.h"
#include "tests/support/temp_dir.h"

using assay::Micros;
using assay::configs::load_config;
using assay::configs::plan_from_flags;
using assay::configs::plan_from_text;
using assay::configs::RunFlags;
using assay::harness::RunPlan;
using assay::harness::StopPlan;
using assay::harness::TimeControl;
using assay::harness::TournamentKind;
using assay::tests::from;
using assay::tests::refusal;

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

/// Two programs a and b, and the given lines of a match.
RunPlan match_of(const std::string& lines, const std::string& more = "") {
    return from("programs: {a: {command: x}, b: {command: x}}\nmatch:\n" + lines + more);
}

}  // namespace

TEST_CASE("Config: a program may have thousands of options") {
    std::string text =
        "each: {command: x}\nmatch: {time: 8}\nprograms:\n  b: {}\n  a:\n    options:\n";
    for (int i = 0; i < 3000; ++i) {
        text += "      Parameter " + std::to_string(i) + ": " + std::to_string(i * 7) + "\n";
    }
    const RunPlan plan = from(text);
    REQUIRE(plan.programs[1].options.size() == 3000);
    CHECK(plan.programs[1].options.back() ==
          std::pair<std::string, std::string>("Parameter 2999", "20993"));
}

TEST_CASE("Config: the flags of a tournament are its config, and its name is the kind") {
    RunFlags flags;
    flags.programs = {"/usr/bin/true", "/bin/true", "/bin/false"};
    flags.values = {{"tournament", "gauntlet"}, {"time", "5"}, {"rounds", "3"}, {"seeds", "2"}};
    const RunPlan plan = plan_from_flags(flags);
    CHECK(plan.name == "gauntlet");
    REQUIRE(plan.tournament);
    CHECK(plan.tournament->kind == TournamentKind::Gauntlet);
    CHECK(plan.tournament->rounds == 3);
    CHECK(plan.tournament->seeds == 2);
    CHECK(plan.matches.size() == 3);
    CHECK(plan.matches[1].name == "true - false");
    flags.is_gate = true;
    CHECK(
        refusal([&] { return plan_from_flags(flags); }) ==
        R"(<command line>:1:1: error: a gate needs a condition, and this tournament has none: add 'require: [{program: new, over: old, rating: -5}]' to 'tournament', or use 'assay run'
  --tournament gauntlet
  ^~~~~~~~~~~~
1 error; nothing was started)");
}

TEST_CASE("Config: what a tournament requires is read, written again, and refused at its place") {
    const auto text_with = [](const std::string& require) {
        return "programs: {new: {command: /bin/true}, old: {command: /bin/false}}\n"
               "tournament: {kind: gauntlet, require: " +
               require + "}\nmatch: {time: 5}\n";
    };
    const auto plan_with = [&](const std::string& require) {
        return plan_from_text(text_with(require), "t.yaml", {});
    };
    using assay::harness::TournamentCondition;
    using Kind = TournamentCondition::Kind;
    const RunPlan plan = plan_with(
        "[{program: new, over: old, rating: -5}, {program: old, rating: +2.5}, "
        "{program: new, pairings: -20, crashes: 0, time_losses: 3, illegal_moves: 1}]");
    const std::vector<TournamentCondition> expected{
        {Kind::Rating, "new", "old", -5}, {Kind::Rating, "old", "", 2.5},
        {Kind::Pairings, "new", "", -20}, {Kind::Crashes, "new", "", 0},
        {Kind::TimeLosses, "new", "", 3}, {Kind::IllegalMoves, "new", "", 1}};
    CHECK(plan.tournament->require == expected);
    CHECK(plan_from_text(assay::configs::config_text(plan), "t.yaml", {}).tournament->require ==
          expected);
    CHECK(assay::harness::plan_from_json(to_json(plan)).tournament->require == expected);

    struct Wrong {
        std::string require;
        std::string message;
    };

    for (const Wrong& one :
         {Wrong{"[{program: nwe, rating: 0}]",
                "t.yaml:2:50: error: no program is called 'nwe'; did you mean 'new'?"},
          Wrong{"[{program: new, over: odl, rating: 0}]",
                "t.yaml:2:61: error: no program is "
                "called 'odl'; did you mean 'old'?"},
          Wrong{"[{program: new, over: new, rating: 0}]", "a program is not rated over itself"},
          Wrong{"[{program: new, over: old, crashes: 0}]", "'over' is of a rating"},
          Wrong{"[{program: new}]", "rating"}, Wrong{"[{rating: 3}]", "program"},
          Wrong{"[{program: new, ratign: 3}]", "did you mean 'rating'?"},
          Wrong{"[{program: new, rating: much}]",
                "rating must be Elo from -1000 to 1000, such as -5, found 'much'"},
          Wrong{"[{program: new, rating: 1001}]",
                "rating must be Elo from -1000 to 1000, such as -5, found '1001'"},
          Wrong{"{program: new}", "require must be a list of conditions"},
          Wrong{"[]", "require must be a list of conditions"}}) {
        const std::string said = refusal([&] { return plan_with(one.require); });
        CAPTURE(said);
        CHECK(said.find(one.message) != std::string::npos);
    }
}

TEST_CASE("Config: a tournament may end when its ratings show what is asked") {
    const auto goal_of = [](const std::string& until) {
        const std::string text =
            "programs: {a: {command: /bin/true}, b: {command: /bin/false}}\n"
            "tournament: {kind: round_robin, until: " +
            until + "}\nmatch: {time: 5}\n";
        const RunPlan plan = plan_from_text(text, "t.yaml", {});
        return plan.tournament->until;
    };
    using assay::stats::RatingGoal;
    CHECK(goal_of("±8 Elo") == RatingGoal{8, false});
    CHECK(goal_of("+-7.5") == RatingGoal{7.5, false});
    CHECK(goal_of("orders") == RatingGoal{std::nullopt, true});
    CHECK(goal_of("±12 elo and orders") == RatingGoal{12, true});
    for (const std::string bad : {"often", "±0 Elo", "orders and", "±8 Elo and"}) {
        CAPTURE(bad);
        CHECK(refusal([&] {
                  return goal_of(bad);
              }).find("until: expected '±8 Elo', 'orders' or '±8 Elo and orders', found ") !=
              std::string::npos);
    }
}

TEST_CASE("Config: a tournament has a limited number of programs") {
    const auto text_of = [](std::size_t programs) {
        std::string text = "tournament: {kind: swiss}\nmatch: {time: 5}\nprograms:\n";
        for (std::size_t i = 0; i < programs; ++i)
            text += "  p" + std::to_string(i) + ": {command: x}\n";
        return text;
    };
    CHECK(from(text_of(128)).matches.size() == 128 * 127 / 2);
    CHECK(
        refusal([&] { return from(text_of(129)); }) ==
        R"(t.yaml:1:1: error: a tournament has at most 128 programs, and 129 are defined: play some of them in another run
  tournament: {kind: swiss}
  ^~~~~~~~~~
1 error; nothing was started)");
}

TEST_CASE("Config: a whole merge gate becomes a plan with every default in place") {
    const RunPlan plan = from(R"(
each:
  options: {Hash: 16, Threads: 1}
programs:
  head: {command: [./src/engine, --uci], dir: run}
  base: {command: /usr/games/stockfish, options: {Hash: 016}}
match: {between: [head, base], time: 8+0.08}
stop: {capped: no_regression, minutes: 60}
require: {crashes: 0, time_losses: 0}
)");
    REQUIRE(plan.programs.size() == 2);
    CHECK(plan.programs[0].command == std::vector<std::string>{"/conf/src/engine", "--uci"});
    CHECK(plan.programs[0].dir == "/conf/run");
    CHECK(plan.programs[0].options == Options{{"Hash", "16"}, {"Threads", "1"}});
    CHECK(plan.programs[1].command == std::vector<std::string>{"/usr/games/stockfish"});
    CHECK(plan.programs[1].options == Options{{"Hash", "016"}, {"Threads", "1"}});
    REQUIRE(plan.matches.size() == 1);
    const auto& match = plan.matches[0];
    CHECK(match.between == std::array<std::size_t, 2>{0, 1});
    CHECK(to_text(match.time[0]) == "8+0.08");
    CHECK(match.time[1] == match.time[0]);
    CHECK(match.openings.book == "default");
    CHECK(match.concurrency == 0);
    CHECK(match.pairs == 0);
    CHECK_FALSE(match.deterministic);
    CHECK(match.stop.rule == StopPlan::Rule::Capped);
    CHECK(match.stop.preset == "no_regression");
    CHECK_FALSE(match.stop.alpha);
    CHECK(match.stop.minutes == std::chrono::minutes(60));
    CHECK(match.require.crashes == 0);
    CHECK_FALSE(match.require.illegal_moves);
    CHECK_FALSE(plan.seed);
}

TEST_CASE("Config: every key of a match is read") {
    const RunPlan plan = match_of(R"(
  between: [b, a]
  time: {a: {nodes: 20k}, b: [40/60, 20/30, 10+0.1]}
  margin: 5ms
  wall_limit: 2min
  openings: {book: my.epd, order: sequential, plies: 8, start: 17}
  variant: chess960
  pairs: 20000
  seed: 18446744073709551615
  concurrency: 8
  affinity: true
  ponder: true
  adjudicate:
    draw:   {from: 34, moves: 8, score: 20}
    resign: {moves: 3, score: 600, sides: one}
    length: 300
    flag_vs_bare_king: loss
)");
    const auto& match = plan.matches.at(0);
    CHECK(match.between == std::array<std::size_t, 2>{1, 0});
    CHECK(to_text(match.time[0]) == "40/60, 20/30, 10+0.1");
    CHECK(to_text(match.time[1]) == "nodes 20000");
    CHECK(match.time[0].margin == Micros(5000));
    CHECK(match.time[1].wall_limit == std::chrono::minutes(2));
    CHECK(match.openings.book == "/conf/my.epd");
    CHECK(match.openings.order == assay::harness::OpeningsPlan::Order::Sequential);
    CHECK(match.openings.plies == 8);
    CHECK(match.openings.start == 17);
    CHECK(match.game.name == "chess960");
    CHECK(match.pairs == 20000);
    CHECK(plan.seed == 18'446'744'073'709'551'615ULL);
    CHECK(match.concurrency == 8);
    CHECK(match.affinity);
    CHECK(match.ponder);
    CHECK(match.adjudicate.draw == assay::harness::AdjudicatePlan::Draw{34, 8, 20});
    CHECK(match.adjudicate.resign == assay::harness::AdjudicatePlan::Resign{3, 600, false});
    CHECK(match.adjudicate.length == 300);
    CHECK_FALSE(match.adjudicate.flag_is_draw_if_none_can_win);
}

TEST_CASE("Config: every key of a program and of the run is read") {
    const RunPlan plan = from(R"(
name: patch against master
each: {options: {hash: 1, Clear Hash: true}}
programs:
  a:
    command: 'my engine'
    env: {OMP: 1}
    protocol: uci
    options: {Hash: '0x10', EvalFile: yes}
    sandbox: [./bwrap, --]
    memory: 2G
    margin: 100ms
    ping_before_go: true
  b: {command: x}
match: {time: '5', margin: 1s}
failures_in_a_row: 9
start_limit: 30s
executor: local
control: false
at_end: [./notify, '{verdict}']
)");
    CHECK(plan.name == "patch against master");
    const auto& a = plan.programs.at(0);
    CHECK(a.command == std::vector<std::string>{"my engine"});
    CHECK(a.env == Options{{"OMP", "1"}});
    CHECK(a.options == Options{{"Hash", "0x10"}, {"Clear Hash", "true"}, {"EvalFile", "yes"}});
    CHECK(a.sandbox == std::vector<std::string>{"/conf/bwrap", "--"});
    CHECK(a.memory_bytes == 2ULL << 30);
    CHECK(a.ping_before_go);
    CHECK(plan.matches.at(0).time[0].margin == Micros(100'000));
    CHECK(plan.matches.at(0).time[1].margin == Micros(1'000'000));
    CHECK(plan.failures_in_a_row == 9);
    CHECK(plan.start_limit == std::chrono::seconds(30));
    CHECK(plan.at_end == std::vector<std::string>{"/conf/notify", "{verdict}"});
}

TEST_CASE("Config: stop rules and their presets carry the bounds of the reference") {
    const auto stop = [](const std::string& text) {
        return match_of("  time: 5\n", "stop: " + text).matches.at(0).stop;
    };
    CHECK(stop("none") == StopPlan{});
    CHECK(stop("{closing: gain}").e1 == 2);
    CHECK(stop("{closing: no_regression}").e0 == -1.75);
    CHECK(stop("{closing: no_regression}").e1 == 0.25);
    CHECK(stop("{closing: quick_gain}").e1 == 5);
    CHECK(stop("{closing: quick_no_regression}").e0 == -5);
    const StopPlan closing =
        stop("{closing: {nelo: [0, 5], alpha: 0.1, beta: 1e-3, shape: symmetric, batch: 16}}");
    CHECK(closing.rule == StopPlan::Rule::Closing);
    CHECK(closing.shape == StopPlan::Shape::Symmetric);
    CHECK(closing.alpha == 0.1);
    CHECK(closing.beta == 0.001);
    CHECK(closing.batch == 16);
    CHECK(stop("{capped: gain}").preset == "gain");
    CHECK_FALSE(stop("{capped: gain}").e0);
    CHECK(stop("{capped: {nelo: [-5, 0]}}").e0 == -5);
    CHECK(stop("{capped: {nelo: [-5, 0]}}").preset.empty());
    CHECK(stop("{capped: {alpha: 0.01}}").preset == "no_regression");
    CHECK(stop("{sprt: {elo: [0, 5]}}").model == StopPlan::Model::Logistic);
    CHECK(stop("{sprt: {elo: [0, 5], model: bayesian}}").model == StopPlan::Model::Bayesian);
    CHECK(stop("{sprt: {elo: [0, 5], model: normalized}}").model == StopPlan::Model::Normalized);
    CHECK(stop("{sprt: {nelo: [0, 5]}}").model == StopPlan::Model::Normalized);
    CHECK(stop("{fixed: {}}").rule == StopPlan::Rule::Fixed);
    CHECK(stop("{fixed: {alpha: 0.01}}").alpha == 0.01);
    CHECK(stop("{anytime: stronger}").rule == StopPlan::Rule::Anytime);
    CHECK(stop("{anytime: stronger}").e1 == 0);
    CHECK(stop("{anytime: {alpha: 0.2}}").preset == "stronger");
    CHECK(stop("{anytime: {preset: gain}}").e1 == 2);
    CHECK(stop("{anytime: {elo: [-2, 3], beta: 0.1}}").e0 == -2);
    CHECK(stop("{anytime: {elo: [-2, 3], beta: 0.1}}").beta == 0.1);
    CHECK(stop("{minutes: 1.5}").minutes == std::chrono::seconds(90));
    CHECK(stop("{minutes: 2h}").minutes == std::chrono::hours(2));
}

TEST_CASE("Config: a run is deterministic where both limits and both thread counts make it so") {
    const auto is_deterministic = [](const std::string& time, const std::string& options) {
        return from("programs: {a: {command: x}, b: {command: x, options: {" + options +
                    "}}}\nmatch: {time: " + time + "}")
            .matches.at(0)
            .deterministic;
    };
    CHECK(is_deterministic("{nodes: 100}", ""));
    CHECK(is_deterministic("{a: {nodes: 100}, b: {depth: 3}}", "threads: 1"));
    CHECK_FALSE(is_deterministic("{nodes: 100}", "THREADS: 2"));
    CHECK_FALSE(is_deterministic("{a: {nodes: 100}, b: 5}", ""));
    CHECK_FALSE(is_deterministic("5", ""));
}

TEST_CASE("Config: a list of matches shares stop and require unless a match has its own") {
    const RunPlan plan = from(R"(
programs: {a: {command: x}, b: {command: x}, c: {command: x}}
matches:
- {name: first, between: [a, b], time: 5}
- {name: second, between: [a, c], time: 6, stop: {closing: gain}, require: {crashes: 3}}
stop: {fixed: {}}
require: {crashes: 0}
)");
    REQUIRE(plan.matches.size() == 2);
    CHECK(plan.matches[0].stop.rule == StopPlan::Rule::Fixed);
    CHECK(plan.matches[1].stop.rule == StopPlan::Rule::Closing);
    CHECK(plan.matches[0].require.crashes == 0);
    CHECK(plan.matches[1].require.crashes == 3);
    CHECK(plan.matches[1].between == std::array<std::size_t, 2>{0, 2});
}

TEST_CASE("Config: files are merged key by key, a later null takes away, and --set comes last") {
    const assay::test::TempDir temp;
    std::filesystem::create_directory(temp.path("sub"));
    assay::write_file(
        temp.path("gate.yaml"),
        "programs:\n  a: {command: ./a, options: {Hash: 1, Threads: 2}}\n"
        "  b: {command: b}\nmatch: {time: 5, pairs: 7, seed: 1}\nstop: {fixed: {}}\n");
    assay::write_file(temp.path("sub/mine.yaml"),
                      "programs: {b: {command: ./b}, a: {options: {Threads: ~, Hash: 2}}}\n"
                      "match: {pairs: 8, seed: null}\nstop:\n");
    const RunPlan plan =
        load_config({temp.path("gate.yaml"), temp.path("sub/mine.yaml")},
                    {"match.pairs=9", "programs.a.options.Skill Level=3", "match.time=[1/2, 3]"});
    CHECK(plan.name == "gate");
    assay::write_file(temp.path("12.yaml"), "{}");
    CHECK(load_config({temp.path("12.yaml"), temp.path("gate.yaml")}, {}).name == "config-12");
    CHECK(plan.programs[0].command[0] == temp.path("a"));
    CHECK(plan.programs[1].command[0] == temp.path("sub/b"));
    CHECK(plan.programs[0].options == Options{{"Hash", "2"}, {"Skill Level", "3"}});
    CHECK(plan.matches[0].pairs == 9);
    CHECK_FALSE(plan.seed);
    CHECK(to_text(plan.matches[0].time[1]) == "1/2, 3");
    CHECK(plan.matches[0].stop.rule == StopPlan::Rule::None);
}

TEST_CASE("Config: a byte order mark at the head of a file changes nothing") {
    const assay::test::TempDir temp;
    const std::string text =
        "programs: {a: {command: x}, b: {command: x}}\nmatch: {time: 5, pairs: 7}\n";
    assay::write_file(temp.path("a.yaml"), text);
    assay::write_file(temp.path("b.yaml"), "\xEF\xBB\xBF" + text);
    CHECK(load_config({temp.path("b.yaml")}, {}).matches[0].pairs == 7);
    // Also where it comes second, and columns of errors count from the first letter.
    CHECK(load_config({temp.path("a.yaml"), temp.path("b.yaml")}, {}).matches[0].pairs == 7);
    assay::write_file(temp.path("c.yaml"), "\xEF\xBB\xBFprogram: {}\n");
    CHECK(refusal([&] { return load_config({temp.path("c.yaml")}, {}); }).find("c.yaml:1:1: ") !=
          std::string::npos);
}

TEST_CASE("Config: a later time, stop rule or bound takes the place of another kind") {
    const assay::test::TempDir temp;
    assay::write_file(temp.path("c.yaml"),
                      "programs: {a: {command: a}, b: {command: b}}\n"
                      "match: {time: {nodes: 100}}\nstop: {capped: {preset: gain}, minutes: 5}\n");
    const auto with = [&](const std::vector<std::string>& sets) {
        return load_config({temp.path("c.yaml")}, sets).matches.at(0);
    };
    CHECK(to_text(with({"match.time={depth: 3}"}).time[0]) == "depth 3");
    CHECK(to_text(with({"match.time.depth=3"}).time[0]) == "depth 3");
    CHECK(to_text(with({"match.time={a: {depth: 3}, b: 5}"}).time[0]) == "depth 3");
    const auto by_program = with({"match.time={a: {depth: 3}, b: 5}", "match.time.a.nodes=7"});
    CHECK(to_text(by_program.time[0]) == "nodes 7");
    CHECK(to_text(by_program.time[1]) == "5");
    CHECK(to_text(with({"match.time={a: 4, b: 5}", "match.time.nodes=7"}).time[1]) == "nodes 7");
    CHECK(to_text(with({"match.time={main: 9, byoyomi: 3}", "match.time.byoyomi=2"}).time[0]) ==
          "main 9s byoyomi 2s periods 1");
    CHECK(with({"stop={sprt: {elo: [0, 5]}}"}).stop.rule == StopPlan::Rule::Sprt);
    CHECK(with({"stop={sprt: {elo: [0, 5]}}"}).stop.minutes);
    CHECK(with({"stop.capped.nelo=[0, 9]"}).stop.e1 == 9);
    CHECK(with({"stop={sprt: {elo: [0, 5]}}", "stop.sprt.nelo=[1, 2]"}).stop.e0 == 1);
}

TEST_CASE("Config: a key laid over a word that is short for a block leaves the word's meaning") {
    const assay::test::TempDir temp;
    const auto with = [&](const std::string& stop, const std::string& set) {
        assay::write_file(temp.path("c.yaml"),
                          "programs: {a: {command: a}, b: {command: b}}\n"
                          "match: {time: 5, openings: my.epd}\nstop: {" +
                              stop + "}\n");
        return load_config({temp.path("c.yaml")}, {set}).matches.at(0);
    };
    const auto capped = with("capped: gain", "stop.capped.alpha=0.01");
    CHECK(capped.stop.preset == "gain");
    CHECK(capped.stop.alpha == 0.01);
    CHECK(with("capped: gain", "stop.capped.preset=no_regression").stop.preset == "no_regression");
    const auto bounded = with("capped: gain", "stop.capped.nelo=[-3, 0]");
    CHECK(bounded.stop.preset.empty());
    CHECK(bounded.stop.e0 == -3);
    const auto anytime = with("anytime: no_regression", "stop.anytime.beta=0.1");
    CHECK(anytime.stop.preset == "no_regression");
    CHECK(anytime.stop.e0 == -1.75);
    CHECK(anytime.stop.beta == 0.1);
    const auto ordered = with("fixed: {}", "match.openings.order=sequential");
    CHECK(ordered.openings.book == temp.path("my.epd"));
    CHECK(ordered.openings.order == assay::harness::OpeningsPlan::Order::Sequential);
    CHECK(ordered.openings.scheme == assay::harness::OpeningsPlan::Scheme::Keyed);
    CHECK(with("fixed: {}", "match.openings.scheme=fastchess").openings.scheme ==
          assay::harness::OpeningsPlan::Scheme::Shuffled);
    CHECK(with("fixed: {}", "match.openings.book=balanced").openings.book == "balanced");
    CHECK_THROWS_AS(static_cast<void>(with("closing: gain", "stop.closing.alpha=0.01")),
                    assay::Error);
}

TEST_CASE("Config: an empty map is no time control, wherever one may stand") {
    const std::string programs = "programs: {a: {command: x}, b: {command: x}}\n";
    for (const std::string wrong :
         {"match: {time: {a: {}, b: {nodes: 10}}}", "match: {time: {a: [{}], b: 5}}",
          "match: {time: {}}", "suite: {positions: p.epd, limit: {}}"})
        CHECK_THROWS_AS(static_cast<void>(from(programs + wrong)), assay::Error);
}

TEST_CASE("Config: flags alone make a plan, and each is short for a --set") {
    RunFlags flags;
    flags.programs = {"/opt/stockfish-16.1", "new/engine.exe", "old/engine.exe"};
    flags.options = {"Hash=016", "Skill Level=3=4"};
    flags.values = {{"time", "10+0.1"},   {"openings", "b.epd"}, {"pairs", "12"},
                    {"concurrency", "3"}, {"seed", "5"},         {"minutes", "30"}};
    flags.sets = {"match.between=[engine, engine-2]", "programs.\"stockfish-16.1\".memory=1G"};
    const RunPlan plan = plan_from_flags(flags);
    const std::string here = std::filesystem::current_path().string();
    REQUIRE(plan.programs.size() == 3);
    CHECK(plan.programs[0].name == "stockfish-16.1");
    CHECK(plan.programs[0].memory_bytes == 1ULL << 30);
    CHECK(plan.programs[1].name == "engine");
    CHECK(plan.programs[2].name == "engine-2");
    CHECK(plan.programs[2].command[0] == here + "/old/engine.exe");
    CHECK(plan.programs[2].options == Options{{"Hash", "016"}, {"Skill Level", "3=4"}});
    CHECK(plan.matches.at(0).openings.book == here + "/b.epd");
    CHECK(plan.matches[0].between == std::array<std::size_t, 2>{1, 2});
    CHECK(to_text(plan.matches[0].time[0]) == "10+0.1");
    CHECK(plan.matches[0].pairs == 12);
    CHECK(plan.matches[0].concurrency == 3);
    CHECK(plan.seed == 5);
    CHECK(plan.matches[0].stop.minutes == std::chrono::minutes(30));
    CHECK(plan.name == "stockfish-16.1-engine-engine-2");
}

TEST_CASE("Config: a gate without a stop rule is capped, and none stays none") {
    RunFlags flags;
    flags.programs = {"a", "b"};
    flags.values = {{"time", "5"}};
    flags.is_gate = true;
    CHECK(plan_from_flags(flags).matches.at(0).stop.rule == StopPlan::Rule::Capped);
    CHECK(plan_from_flags(flags).matches.at(0).stop.preset == "no_regression");
    CHECK(plan_from_flags(flags).matches.at(0).pairs == 0);
    flags.sets = {"stop=none"};
    CHECK(plan_from_flags(flags).matches.at(0).stop.rule == StopPlan::Rule::None);
    CHECK(plan_from_flags(flags).matches.at(0).pairs == 1000);
}

TEST_CASE("Config: a name is one line") {
    const std::string programs = "programs: {a: {command: x}, b: {command: x}}\n";
    CHECK(
        refusal([&] { return from("name: \"a\\nb\"\n" + programs + "match: {time: 5}\n"); })
            .starts_with("t.yaml:1:1: error: a name is one line without control characters, found "
                         "'a\\x0ab'; a comment (#) holds what is longer\n"));
    CHECK(refusal([&] {
              return from(programs + "matches: [{name: \"a\\tb\", time: 5}]\n");
          }).starts_with("t.yaml:2:12: error: a name is one line without control characters, "));
    CHECK(from("name: nightly é\n" + programs + "match: {time: 5}\n").name == "nightly é");
}

TEST_CASE("Config: a zero byte is no part of a name or value") {
    const char* const places[] = {
        R"(programs: {a: {command: "x\0.old"}, b: {command: x}})",
        R"(programs: {a: {command: [x, "y\x00z"]}, b: {command: x}})",
        R"(programs: {a: {command: x, dir: "/tmp\0x"}, b: {command: x}})",
        R"(programs: {a: {command: x, env: {"A\0B": y}}, b: {command: x}})",
        R"(programs: {a: {command: x, env: {A: "y\0z"}}, b: {command: x}})",
        R"(programs: {a: {command: x, options: {"Ha\0sh": 1}}, b: {command: x}})",
        R"(programs: {a: {command: x, sandbox: {write: "/srv/x\0/etc"}}, b: {command: x}})",
    };
    for (const char* const programs : places) {
        CAPTURE(programs);
        const std::string refused =
            refusal([&] { return from(std::string(programs) + "\nmatch: {time: 5}\n"); });
        CHECK(refused.find(": error: no value can have a zero byte, found '") != std::string::npos);
    }
}

TEST_CASE("Config: a value that stands for a hidden one is refused") {
    CHECK(
        refusal([] { return from("programs: {a: {command: x, env: {TOKEN: \"***\"}}}\n"); }) ==
        R"(t.yaml:1:28: error: the value of 'TOKEN' is '***', which stands in printed plans for a value that is not shown: give its own
  programs: {a: {command: x, env: {TOKEN: "***"}}}
                             ^~~
1 error; nothing was started)");
}

TEST_CASE("Config: two limits of one search without a limit must agree") {
    const auto limit = [](const std::string& time, const std::string& more) {
        return match_of("  time: " + time + "\n" + more).matches.at(0).time[0].wall_limit;
    };
    CHECK(limit("{infinite: 200ms}", "") == std::chrono::milliseconds(200));
    CHECK(limit("{infinite: true}", "  wall_limit: 5s\n") == std::chrono::seconds(5));
    CHECK(limit("{infinite: 5s}", "  wall_limit: 5s\n") == std::chrono::seconds(5));
    CHECK(limit("{nodes: 10}", "  wall_limit: 5s\n") == std::chrono::seconds(5));
    CHECK(refusal([&] { return limit("{infinite: 200ms}", "  wall_limit: 5s\n"); })
              .starts_with("t.yaml:4:3: error: wall_limit and {infinite: TIME} are the same limit, "
                           "and here they differ: give one, or {infinite: true}\n"));
}

TEST_CASE("Config: bounds that the pairs cannot tell apart are shown where they stand") {
    CHECK(
        refusal([] {
            return match_of("  time: 1\n  pairs: 20\n", "stop: {capped: {nelo: [0, 5]}}\n");
        }) ==
        R"(t.yaml:5:17: error: too few pairs to tell bounds this close with errors of 25 % or less: allow more pairs, or set the bounds further apart
  stop: {capped: {nelo: [0, 5]}}
                  ^~~~
1 error; nothing was started)");
    CHECK(refusal([] {
              return match_of(
                  "  time: 1\n  pairs: 20\n  stop: {capped: {nelo: [0, 50], alpha: 0.05}}\n");
          }).starts_with("t.yaml:5:19: error: a capped test between 0 and 50 nElo with errors"));
    CHECK(refusal([] {
              return match_of("  time: 1\n  pairs: 2000\n", "stop: {capped: {nelo: [0, 50]}}\n");
          }) == "accepted");
}

TEST_CASE("Config: mistakes on the command line are shown in it") {
    RunFlags flags;
    flags.programs = {"depth", "gnuchess --uci"};
    flags.options = {"Hash"};
    flags.values = {{"time", "8x"}, {"openings", "[a]"}};
    flags.sets = {"match.pears=3", "match.pairs=010", "pairs", "match..x=1"};
    CHECK(refusal([&] { return plan_from_flags(flags); }) ==
          R"(<command line>:1:11: error: 'depth' is a key of time controls and cannot name a program
  --program depth
            ^~~~~
<command line>:1:11: error: a program is one word here; for arguments write --set 'programs.NAME.command=[program, argument]'
  --program gnuchess --uci
            ^~~~~~~~~~~~~~
<command line>:1:10: error: expected NAME=VALUE such as Hash=16
  --option Hash
           ^~~~
<command line>:1:8: error: time: expected a time such as 8, 0.5, 1:30, 1:30:00, 100ms or 2min, at most 1000000 hours, found '8x'
  --time 8x
         ^~
<command line>:1:12: error: openings must be a map of keys, found a list
  --openings [a]
             ^
<command line>:1:13: error: unknown key 'pears'; did you mean 'pairs'?
  --set match.pears=3
              ^~~~~
<command line>:1:19: error: pairs must be a whole number from 1 to 1000000000, found '010'; leave out the leading zero
  --set match.pairs=010
                    ^~~
<command line>:1:7: error: expected KEY=VALUE such as match.pairs=20
  --set pairs
        ^~~~~
<command line>:1:7: error: expected KEY=VALUE such as match.pairs=20
  --set match..x=1
        ^~~~~~~~~~
9 errors; nothing was started)");
    CHECK(refusal([] {
              RunFlags bytes;
              bytes.sets = {"name=caf\xe9"};
              return plan_from_flags(bytes);
          }) ==
          "<command line>:1:15: error: this is not valid UTF-8\n"
          "  --set name=caf\\xe9\n"
          "                ^\n"
          "1 error; nothing was started");
    CHECK(refusal([] { return plan_from_flags({}); }) ==
          "name a config file, or two programs with --program");
    CHECK(refusal([] { return load_config({"/nowhere/x.yaml"}); }).find("/nowhere/x.yaml") !=
          std::string::npos);
}

TEST_CASE("Config: a control run beside a suite alone is refused where it is asked for") {
    const assay::test::TempDir dir;
    assay::write_file(dir.path("p.epd"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n");
    const auto said = [&dir](const std::string& control) {
        return refusal([&] {
            return plan_from_text("programs: {a: {command: x}}\ncontrol: " + control +
                                      "\nsuite: {positions: p.epd, limit: {depth: 3}}\n",
                                  "t.yaml", dir.root());
        });
    };
    CHECK(said("true") ==
          "t.yaml:2:10: error: 'control' plays the baseline of a match against itself, and there "
          "is no 'match'\n"
          "  control: true\n"
          "           ^~~~\n"
          "1 error; nothing was started");
    CHECK(said("false") == "accepted");
}

TEST_CASE("Config: a game is a name, or a file of rules beside the config whose text is taken") {
    assay::tests::register_rows_files();
    const assay::test::TempDir folder;
    std::ofstream(folder.path("mine.rows")) << "game mine\n";
    const auto game_of = [&](const std::string& lines) {
        return plan_from_text(
                   "programs: {a: {command: x}, b: {command: x}}\nmatch:\n  time: 5\n" + lines,
                   "t.yaml", folder.root())
            .matches.at(0)
            .game;
    };
    CHECK(game_of("").name == "chess");
    CHECK(game_of("  game: fischerandom\n").name == "chess960");
    CHECK(game_of("  variant: chess960\n").text.empty());
    const auto mine = game_of("  game: ./mine.rows\n");
    CHECK(mine.name == "mine");
    CHECK(mine.path == folder.path("mine.rows"));
    CHECK(mine.text == "game mine\n");
    CHECK(refusal([&] { return game_of("  game: chess\n  variant: chess\n"); }) ==
          "t.yaml:5:3: error: 'game' and 'variant' mean the same and exclude each other\n"
          "    variant: chess\n    ^~~~~~~\n1 error; nothing was started");
    CHECK(refusal([&] {
              return game_of("  game: none.rows\n");
          }).starts_with("t.yaml:4:9: error: " + folder.path("none.rows") + ": cannot open: "));
}

TEST_CASE("Config: wrong rules are shown at their place, and a match takes games of two players") {
    assay::tests::register_rows_files();
    const assay::test::TempDir folder;
    const auto refused = [&](const std::string& rules) {
        std::ofstream(folder.path("mine.rows")) << rules;
        return refusal([&] {
            return plan_from_text(
                "programs: {a: {command: x}, b: {command: x}}\n"
                "match: {time: 5, game: mine.rows}\n",
                "t.yaml", folder.root());
        });
    };
    CHECK(refused("game mine\nboard 3\n") ==
          folder.path("mine.rows") +
              ":2:1: error: expected 'game' or 'players'\n  board 3\n  ^~~~~~~\n"
              "1 error; nothing was started");
    CHECK(refused("game mine\nplayers A B C\n") ==
          "t.yaml:2:18: error: a match is played by two programs, and mine is a game of 3 players\n"
          "  match: {time: 5, game: mine.rows}\n                   ^~~~\n"
          "1 error; nothing was started");
    CHECK(refused("game mine\nplayers A\n")
              .find("a game of 1 player; a 'suite' searches its positions\n") != std::string::npos);
}

TEST_CASE("Config: the way in which chance is drawn is for games that have some") {
    using assay::rules::Drawing;
    const std::string game = "  game: " ASSAY_SOURCE_DIR "/rules/multigame/programs/darkchess.mg\n";
    CHECK(match_of("  time: 5\n" + game).matches[0].chance == Drawing::Ordinal);
    CHECK(match_of("  time: 5\n  chance: ordinal\n" + game).matches[0].chance == Drawing::Ordinal);
    CHECK(match_of("  time: 5\n  chance: deal\n" + game).matches[0].chance == Drawing::Deal);
    const std::string refused = refusal([] { return match_of("  time: 5\n  chance: deal\n"); });
    CHECK_MESSAGE(refused.find("'chance' says how the events of a game are drawn, and chess has "
                               "none") != std::string::npos,
                  refused);
}

TEST_CASE("Config: random openings take the place of a book") {
    const auto openings =
        match_of("  time: 5\n  openings: {random: 6, start: 3}\n").matches[0].openings;
    CHECK(openings.book == assay::harness::kRandomOpenings);
    CHECK(openings.plies == 6);
    CHECK(openings.start == 3);
    CHECK(words_of(openings) == "6 random plies");
    CHECK(refusal([] { return match_of("  time: 5\n  openings: {random: 6, book: my.epd}\n"); }) ==
          "t.yaml:4:25: error: 'book' is of a book, and 'random' takes the place of one\n"
          "    openings: {random: 6, book: my.epd}\n                          ^~~~\n"
          "1 error; nothing was started");
}
