#include "harness/suite/runner.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "harness/suite/verdict.h"
#include "tests/support/fake_player.h"
#include "tests/support/sample_solving.h"
#include "tests/support/sample_suite.h"
#include "tests/support/temp_dir.h"

using assay::Micros;
using assay::harness::LogJob;
using assay::harness::SearchRecord;
using assay::harness::SuiteEnd;
using assay::harness::SuiteRunner;
using assay::test::FakeAct;
using assay::test::FakePlayer;
using assay::test::FakeWorld;

namespace {

struct NodeWarnings final : assay::harness::Listener {
    void on_warning(std::string_view kind, std::string_view text) override {
        if (kind == "nodes") texts.emplace_back(text);
    }

    std::vector<std::string> texts;
};

/// A suite of head and base on scripted programs; a log is looked at by giving one answer.
class SuiteBench {
public:
    explicit SuiteBench(std::size_t positions) : plan(assay::test::suite_plan(positions)) {}

    FakeWorld world;
    assay::harness::RunPlan plan;
    std::vector<SearchRecord> saved;
    std::size_t fail_save_at = 1000;
    int concurrency = 2;
    std::vector<assay::harness::Listener*> listeners;
    std::function<void()> on_tick;
    assay::test::TempDir dir;

    std::unique_ptr<SuiteRunner> runner() {
        SuiteRunner::Setup setup{plan, 7, dir.path("trees"), {}, concurrency, 3, {}, {}, {}, {}};
        for (const auto& program : plan.programs) {
            assay::adapters::ProgramSpec spec;
            spec.name = program.name;
            setup.specs.push_back(spec);
        }
        setup.post = [this](std::function<void()> work) { posted_.push_back(std::move(work)); };
        setup.spawn = [](const std::function<void()>& work) {
            work();
            return std::thread();
        };
        setup.wall_clock_us = [] { return 1LL; };
        return std::make_unique<SuiteRunner>(
            std::move(setup),
            [this](const assay::adapters::ProgramSpec& spec,
                   assay::adapters::PlayerListener& listener) {
                seen_env.push_back(spec.env);
                return std::make_unique<FakePlayer>(world, spec, listener);
            },
            [](const LogJob&, SearchRecord& record, const std::atomic<bool>&) {
                record.answers.push_back({1.0, "", {}});
            },
            world.clock,
            [this](const SearchRecord& record) {
                if (saved.size() == fail_save_at) throw assay::Error("the disk is full", 4);
                saved.push_back(record);
            },
            listeners);
    }

    /// False where it is not done in an hour of the programs' time.
    bool run(SuiteRunner& runner) {
        runner.start();
        return world.run_until(
            [&] {
                take_posted();
                return runner.is_done();
            },
            [&](assay::TimePoint now) {
                runner.tick(now);
                if (on_tick) on_tick();
            },
            std::chrono::hours(1));
    }

    [[nodiscard]] std::string reason(std::size_t program, std::size_t position) const {
        for (const SearchRecord& record : saved)
            if (record.program == program && record.position == position)
                return std::string(name_of(record.end)) + ": " + record.reason;
        return "not saved";
    }

    std::vector<std::vector<std::pair<std::string, std::string>>> seen_env;

private:
    void take_posted() {
        const std::vector<std::function<void()>> work = std::move(posted_);
        posted_.clear();
        for (const auto& one : work) one();
    }

    std::vector<std::function<void()>> posted_;
};

}  // namespace

TEST_CASE("Suite runner: every program searches every position once, and hears where to log") {
    SuiteBench bench(5);
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    CHECK(runner->end().cause == SuiteEnd::Cause::Searched);
    CHECK(bench.saved.size() == 10);
    CHECK(assay::harness::judge(bench.plan, runner->records()).is_whole());
    CHECK(bench.world.alive == 0);
    REQUIRE(bench.seen_env.size() == 10);
    CHECK(bench.seen_env[0][0].first == "ASSAY_TREE_LOG");
    CHECK(bench.seen_env[0][0].second == bench.dir.path("trees") + "/7/head/p1.gtl.log");
    CHECK(bench.seen_env[0][1] ==
          std::pair<std::string, std::string>("ASSAY_TREE_LOG_LIMIT", "50000000"));
}

TEST_CASE("Suite runner: what an earlier session stored is not searched again") {
    SuiteBench bench(3);
    const auto runner = bench.runner();
    runner->restore({assay::test::search_of(0, 0, 1), assay::test::search_of(1, 2, 1)});
    REQUIRE(bench.run(*runner));
    CHECK(bench.saved.size() == 4);
    CHECK(runner->records().size() == 6);
    CHECK(bench.reason(0, 0) == "not saved");
}

TEST_CASE("Suite runner: a crash and a hang are results with their reasons") {
    SuiteBench bench(2);
    bench.world.ignores_stop = true;
    bench.world.script = [](const std::string& program, int) {
        FakeAct act;
        act.kind = program == "head" ? FakeAct::Kind::Exit : FakeAct::Kind::Silence;
        return act;
    };
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    CHECK(runner->end().cause == SuiteEnd::Cause::Searched);
    CHECK(bench.reason(0, 0) == "crash: exited with code 3 after 'go'");
    CHECK(bench.reason(1, 1) == "hang: no bestmove within 60 s, nor 1 s after 'stop'");
    CHECK(bench.world.alive == 0);
}

TEST_CASE("Suite runner: a search that answers to stop at its wall limit is unfinished") {
    SuiteBench bench(1);
    bench.world.script = [](const std::string&, int) {
        FakeAct act;
        act.kind = FakeAct::Kind::Silence;
        return act;
    };
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    CHECK(bench.reason(0, 0) == "unfinished: stopped at the wall limit of 60 s");
}

TEST_CASE("Suite runner: a program that does not keep to its nodes is named once") {
    using namespace std::chrono_literals;
    SuiteBench bench(3);
    bench.concurrency = 1;
    bench.plan.suite->limit = {};
    bench.plan.suite->limit.kind = assay::harness::TimeControl::Kind::Nodes;
    bench.plan.suite->limit.nodes = 3000;
    NodeWarnings heard;
    bench.listeners = {&heard};

    SUBCASE("while it searches, where it says how many it has searched") {
        std::size_t told_before_the_first_end = 0;
        bench.world.script = [&](const std::string& program, int) {
            FakeAct act;
            if (program == "head") {
                act.after = 50s;
                act.infos = {{Micros(2s), "", 9, 5'000'000}};
            }
            return act;
        };
        bench.on_tick = [&] {
            if (bench.saved.empty()) told_before_the_first_end = heard.texts.size();
        };
        const auto runner = bench.runner();
        REQUIRE(bench.run(*runner));
        REQUIRE(heard.texts.size() == 1);
        CHECK(told_before_the_first_end == 1);
        CHECK(
            heard.texts[0].starts_with("head: does not keep to its limit of nodes: asked for "
                                       "3000 nodes, it searched for 2"));
        CHECK(
            heard.texts[0].ends_with("reported 5000000 nodes; limit the suite by depth, or by "
                                     "the time of a search"));
    }
    SUBCASE("when it was stopped, where it says nothing") {
        bench.world.script = [](const std::string& program, int) {
            FakeAct act;
            if (program == "head") act.kind = FakeAct::Kind::Silence;
            return act;
        };
        const auto runner = bench.runner();
        REQUIRE(bench.run(*runner));
        REQUIRE(heard.texts.size() == 1);
        CHECK(heard.texts[0].find("and reported no nodes, until it was told to stop; limit the "
                                  "suite by") != std::string::npos);
    }
    SUBCASE("not where it keeps to them") {
        bench.world.script = [](const std::string&, int) {
            FakeAct act;
            act.infos = {{Micros(500), "", 9, 3400}};
            return act;
        };
        const auto runner = bench.runner();
        REQUIRE(bench.run(*runner));
        CHECK(heard.texts.empty());
    }
}

TEST_CASE("Suite runner: a program that does not start three times in a row is given up") {
    SuiteBench bench(5);
    bench.concurrency = 1;
    bench.world.starts = [](const std::string& program, int) { return program != "head"; };
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    CHECK(bench.reason(0, 2) == "no_start: no readiness within 10 s");
    CHECK(bench.reason(0, 3) == "no_start: not tried: it failed 3 times in a row");
    CHECK(bench.reason(1, 4) == "searched: ");
}

TEST_CASE(
    "Suite runner: a program is given up for hangs in a row, not for those of a whole suite") {
    SuiteBench bench(7);
    bench.concurrency = 1;
    bench.world.ignores_stop = true;
    int searches = 0;
    bench.world.script = [&](const std::string& program, int) {
        FakeAct act;
        // Its third search is answered.
        if (program == "head" && ++searches != 3) act.kind = FakeAct::Kind::Silence;
        return act;
    };
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    CHECK(bench.reason(0, 2) == "searched: ");
    CHECK(bench.reason(0, 5).starts_with("hang: "));
    CHECK(bench.reason(0, 6) == "no_start: not tried: it failed 3 times in a row");
}

TEST_CASE("Suite runner: a search's start limit is its own, and not what others take to start") {
    using Launch = assay::adapters::Player::Launch;
    for (const bool is_slow : {false, true}) {
        CAPTURE(is_slow);
        SuiteBench bench(1);
        const assay::TimePoint begin = bench.world.clock.now();
        bench.world.start_time = std::chrono::seconds(is_slow ? 72 : 68);
        bench.world.launch = [&](const std::string&) {
            const auto past = bench.world.clock.now() - begin;
            return past < std::chrono::seconds(60) ? Launch::Waiting : Launch::Running;
        };
        const auto runner = bench.runner();
        REQUIRE(bench.run(*runner));
        CHECK(bench.reason(0, 0) ==
              (is_slow ? "no_start: no readiness within 10 s" : "searched: "));
    }
}

TEST_CASE("Suite runner: a start that the system does not manage is no failure of the program") {
    using Launch = assay::adapters::Player::Launch;
    for (const int hung : {1, 2}) {
        CAPTURE(hung);
        SuiteBench bench(1);
        bench.concurrency = 1;
        int starts = 0;
        bench.world.starts = [&](const std::string&, int) { return starts++ >= hung; };
        bench.world.launch = [&](const std::string&) {
            return starts <= hung ? Launch::Starting : Launch::Running;
        };
        const auto runner = bench.runner();
        REQUIRE(bench.run(*runner));
        if (hung == 1) {
            CHECK(runner->end().cause == SuiteEnd::Cause::Searched);
            CHECK(bench.reason(0, 0) == "searched: ");
        } else {
            CHECK(runner->end().cause == SuiteEnd::Cause::StoreFailed);
            CHECK(runner->end().message.ends_with(
                ": the system did not run it within 10 s, twice in a row"));
            CHECK(runner->records().empty());
        }
    }
}

TEST_CASE("Suite runner: a start that fails for want of descriptors is no failure of the program") {
    for (const int failing : {1, 2}) {
        CAPTURE(failing);
        SuiteBench bench(1);
        bench.concurrency = 1;
        int failed = 0;
        bench.world.lacks_descriptors = [&](const std::string&) { return failed++ < failing; };
        const auto runner = bench.runner();
        REQUIRE(bench.run(*runner));
        if (failing == 1) {
            CHECK(runner->end().cause == SuiteEnd::Cause::Searched);
            CHECK(bench.reason(0, 0) == "searched: ");
        } else {
            CHECK(runner->end().cause == SuiteEnd::Cause::StoreFailed);
            CHECK(runner->end().message.ends_with(
                ": the system did not start it: pipe: Too many open files, twice in a row"));
            CHECK(runner->records().empty());
        }
    }
}

TEST_CASE("Suite runner: an interruption kills what runs, and stores none of it") {
    SuiteBench bench(4);
    bench.world.script = [](const std::string&, int) {
        FakeAct act;
        act.kind = FakeAct::Kind::Silence;
        return act;
    };
    const auto runner = bench.runner();
    runner->start();
    const bool is_done =
        bench.world.run_until([&] { return runner->is_done(); },
                              [&](assay::TimePoint now) {
                                  runner->tick(now);
                                  if (now - assay::TimePoint{} > std::chrono::seconds(5))
                                      runner->interrupt();
                              },
                              std::chrono::seconds(60));
    CHECK(is_done);
    CHECK(runner->end().cause == SuiteEnd::Cause::Interrupted);
    CHECK(bench.saved.empty());
    CHECK(bench.world.alive == 0);
}

TEST_CASE("Suite runner: where the store fails the suite ends with its words") {
    SuiteBench bench(4);
    bench.fail_save_at = 3;
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    CHECK(runner->end().cause == SuiteEnd::Cause::StoreFailed);
    CHECK(runner->end().message == "the disk is full");
    CHECK(runner->records().size() == 3);
}

TEST_CASE("Suite runner: without a log it measures the lasting solution from what programs tell") {
    SuiteBench bench(2);
    bench.plan = assay::test::solving_plan(2);
    bench.concurrency = 1;
    bench.world.script = [](const std::string& program, int) {
        FakeAct act;
        act.after = Micros(50'000);
        act.infos = {{Micros(5'000), "e2e4", 1, 10},
                     {Micros(10'000), "b1c3", 2, 50},
                     {Micros(20'000), "d2d4 d7d5", 3, 400},
                     {Micros(30'000), "e2e4", 4, 900}};
        act.move = program == "head" ? "e2e4" : "b1c3";
        return act;
    };
    const auto runner = bench.runner();
    REQUIRE(bench.run(*runner));
    REQUIRE(bench.saved.size() == 4);
    for (const auto& env : bench.seen_env) CHECK(env.empty());
    for (const SearchRecord& record : bench.saved) {
        CHECK(record.end == assay::harness::SearchEnd::Searched);
        CHECK(record.tree.empty());
        CHECK(record.nodes == 900);
        CHECK(record.iteration == 4);
        REQUIRE(record.answers.size() == 4);
        const bool is_head = record.program == 0;
        CHECK(record.answers[0].value == (is_head ? 1.0 : 0.0));
        if (!is_head) continue;
        CHECK(record.answers[1].value == 20.0);   // milliseconds
        CHECK(record.answers[2].value == 400.0);  // nodes
        CHECK(record.answers[3].value == 3.0);    // depth
    }
    CHECK_FALSE(std::filesystem::exists(bench.dir.path("trees")));
}
