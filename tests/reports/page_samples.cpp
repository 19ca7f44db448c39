// Writes the pages that the browser test looks at: page_samples DIR.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "harness/match/pair_counter.h"
#include "reports/history/history.h"
#include "reports/view/stored_run.h"
#include "reports/web/history_page.h"
#include "reports/web/index_page.h"
#include "reports/web/run_page.h"
#include "reports/web/tournament/ratings_page.h"
#include "tests/support/sample_nights.h"
#include "tests/support/sample_solving.h"
#include "tests/support/sample_store.h"
#include "tests/support/sample_suite.h"
#include "tests/support/sample_tournament.h"

namespace {

using namespace assay;

class Pages {
public:
    explicit Pages(std::string dir)
        : dir_(std::move(dir)), store_(dir_ + "/assay.db", harness::Store::Access::Write) {}

    void run(const std::string& name, const test::SampleRun& settings, bool has_suite = false) {
        const std::int64_t id = test::write_sample_run(store_, settings);
        harness::RunRecord run = *store_.find_run(std::to_string(id));
        std::vector<harness::MatchTally> tallies;
        for (std::size_t i = 0; i < run.plan.matches.size(); ++i)
            tallies.push_back(harness::tally_of(store_, run, i));
        std::optional<harness::SuiteResult> suite;
        if (has_suite) {
            const auto searches = test::add_sample_suite(run.plan);
            suite = harness::judge(run.plan, searches);
        }
        reports::RunView view{run, {}, {}, "assay.db"};
        if (suite) view.suite = &*suite;
        for (const harness::MatchTally& tally : tallies) view.matches.push_back({&tally, {}});
        write_file(dir_ + "/" + name + ".html", reports::web::run_page(view, store_));
    }

    /// With the games in which a program failed, whose words are long, and failures between games.
    void crashes(const std::string& name) {
        test::SampleRun settings;
        settings.name = name;
        settings.pairs = 40;
        settings.first = "crashes-in-a-deep-search";
        settings.second = "another-engine-of-some-length";
        settings.failure_rate = 0.5;
        settings.stop.rule = harness::StopPlan::Rule::Capped;
        settings.planned = 400;
        settings.state = harness::RunState::Failed;
        settings.end_reason =
            "crashes-in-a-deep-search failed in 5 games in a row, last: killed by signal 6";
        settings.command = "assay gate /home/an-engine-developer/configurations/crashes.yaml";
        const std::int64_t id = test::write_sample_run(store_, settings);
        harness::RunMeters meters = store_.meters(id, 0);
        meters.between_games = {{1'039, 2}, {0, 0}};
        store_.set_meters(id, 0, meters);
        const auto stored = reports::StoredRun::load(dir_ + "/assay.db", std::to_string(id));
        write_file(dir_ + "/" + name + ".html",
                   reports::web::run_page(stored->view(), stored->store()));
    }

    /// Nights with long names, failures, one-sided results, reasons and changes of the machine.
    void troubled_history(const std::string& name) {
        std::vector<test::SampleRun> nights = test::sample_nights(14, 12);
        for (std::size_t i = 0; i < nights.size(); ++i) {
            test::SampleRun& night = nights[i];
            night.name = name;
            night.first = "crashes-in-a-deep-search";
            night.second = "another-engine-of-some-length";
            night.host = i < 9 ? "continuous-integration-3.example.org"
                               : "continuous-integration-17.example.org";
            if (i % 4 == 3) night.failure_rate = 0.6;
            if (i == 6) night.strength = 9;
            if (i == 12) night.nodes_per_second = 1.2e6;
            if (i == 10) {
                night.state = harness::RunState::Interrupted;
                night.planned = 5'000;
                night.end_reason = "stopped by a signal";
            }
            const std::int64_t id = test::write_sample_run(store_, night);
            harness::RunMeters meters = store_.meters(id, 0);
            meters.between_games = {{i % 5 == 4 ? 1'039 : 0, 0}, {0, 0}};
            store_.set_meters(id, 0, meters);
        }
        write_file(dir_ + "/" + name + ".html",
                   reports::web::history_page(reports::history_of(store_, name)));
    }

    /// A suite alone, of forty positions that programs solve or do not.
    void solving(const std::string& name) {
        harness::RunRecord run;
        run.id = 99;
        run.name = "tactics";
        run.command_line = "assay suite tactics.epd --program head --program base --nodes 200000";
        run.plan = test::solving_plan(40);
        run.plan.suite->expectations[0].min = 38;
        run.plan.suite->positions[3].comment = "mate in 4, the next move -7.45";
        std::vector<std::optional<double>> head;
        std::vector<std::optional<double>> base;
        for (int i = 0; i < 40; ++i) {
            head.push_back(i % 9 == 4 ? std::nullopt : std::optional<double>(500.0 * (i + 1)));
            base.push_back(i % 7 == 4 ? std::nullopt : std::optional<double>(700.0 * (i + 1)));
        }
        const harness::SuiteResult suite =
            harness::judge(run.plan, test::solving_searches(head, base));
        reports::RunView view{run, {}, {}, "assay.db"};
        view.suite = &suite;
        write_file(dir_ + "/" + name + ".html", reports::web::run_page(view, store_));
    }

    /// Of so many matches a night.
    void history(const std::string& name, int nights, std::size_t matches) {
        for (test::SampleRun night : test::sample_nights(nights, 12)) {
            night.name = name;
            night.matches = matches;
            const std::int64_t id = test::write_sample_run(store_, night);
            std::vector<harness::VersionRecord> versions =
                store_.find_run(std::to_string(id))->versions;
            versions[0].source = harness::SourceRecord{};
            versions[0].source->commit = "a1b2c3d4e5f6";
            versions[0].source->subject = "Prune moves that a shallow search refutes " + name;
            store_.set_versions(id, versions);
        }
        write_file(dir_ + "/" + name + ".html",
                   reports::web::history_page(reports::history_of(store_, name),
                                              {"assay.db", [](std::int64_t run) {
                                                   return "run-" + std::to_string(run) + ".html";
                                               }}));
    }

    void tournament(const std::string& name, const test::SampleTournament& settings) {
        const reports::TournamentView tournament = test::sample_view(settings);
        harness::RunRecord run;
        run.id = 7;
        run.name = name;
        run.command_line = "assay run " + name + ".yaml";
        run.state = tournament.is_over ? harness::RunState::Finished : harness::RunState::Running;
        reports::RunView view{run, {}, {}, "assay.db"};
        view.tournament = &tournament;
        write_file(dir_ + "/" + name + ".html", reports::web::run_page(view, store_));
    }

    void rating_list(const std::string& name) {
        const test::PlayedSample sample =
            test::played_sample({.programs = 14, .openings = 5, .step = 15});
        const stats::RatingTable table(14, {}, sample.counts.rated(), {});
        reports::RatedList list;
        list.note = "910 pairs of 14 versions in 30 runs";
        for (int i = 0; i < 14; ++i) {
            list.programs.push_back("a1b2c" + std::to_string(10 + i) +
                                    " Prune late moves by history");
            harness::PooledVersion version;
            version.names = {"base", "head"};
            version.runs = 2;
            version.first_us = 1'764'000'000'000'000 - i * 3 * 86'400'000'000LL;
            version.last_us = version.first_us + 86'400'000'000LL;
            list.versions.push_back(version);
        }
        write_file(dir_ + "/" + name + ".html", reports::web::ratings_page(table, list));
    }

    /// The list of all runs so far.
    void index() {
        const std::vector<harness::RunRecord> runs = store_.runs();
        std::vector<reports::web::IndexRun> shown;
        for (const harness::RunRecord& run : runs)
            shown.push_back({&run, nullptr, run.state == harness::RunState::Running});
        write_file(dir_ + "/index.html", reports::web::index_page(shown, "assay.db"));
    }

private:
    std::string dir_;
    harness::Store store_;
};

void write_all(const std::string& dir) {
    std::filesystem::create_directories(dir);
    Pages pages(dir);
    test::SampleRun run;
    run.name = "gate";
    run.pairs = 200;
    run.strength = 0.02;
    run.failure_rate = 0.01;
    run.stop.rule = harness::StopPlan::Rule::Capped;
    pages.run("run", run, true);
    test::SampleRun hostile = run;
    hostile.pairs = 60;
    hostile.failure_rate = 0.2;
    hostile.name = "<script>alert(1)</script>";
    hostile.first = "</script><script>alert(2)</script>";
    hostile.second =
        "a-name-without-any-blank-that-is-longer-than-a-phone-is-wide-<img src=x onerror=alert(3)>";
    hostile.command = "assay gate '<svg onload=alert(4)>'";
    pages.run("hostile", hostile);
    test::SampleRun empty;
    empty.name = "empty";
    empty.pairs = 0;
    empty.state = harness::RunState::Running;
    pages.run("empty", empty);
    test::SampleRun matches;
    matches.name = "matches";
    matches.openings = 0;
    matches.matches = 2;
    matches.command = "assay run nightly.yaml";
    pages.run("matches", matches);
    test::SampleRun three = run;
    three.name = "three";
    three.pairs = 40;
    three.matches = 3;
    three.failure_rate = 0;
    pages.run("three", three);
    test::SampleRun stopped;
    stopped.name = "stopped";
    stopped.pairs = 25;
    stopped.planned = 500;
    stopped.strength = 0.6;
    stopped.stop.rule = harness::StopPlan::Rule::Fixed;
    stopped.state = harness::RunState::Interrupted;
    stopped.end_reason = "stopped by a signal";
    pages.run("stopped", stopped);
    test::SampleRun playing = stopped;
    playing.name = "playing";
    playing.pairs = 120;
    playing.planned = 20'000;
    playing.strength = 0.1;
    playing.stop.rule = harness::StopPlan::Rule::Sprt;
    playing.stop.e0 = 0;
    playing.stop.e1 = 20;
    playing.state = harness::RunState::Running;
    playing.end_reason = "";
    pages.run("playing", playing);
    test::SampleRun tainted = run;
    tainted.name = "tainted";
    tainted.pairs = 80;
    tainted.strength = 0.05;
    tainted.failure_rate = 0.35;
    pages.run("tainted", tainted);
    pages.crashes("crashes");
    pages.solving("solving");
    pages.history("history", 36, 1);
    pages.history("histories", 12, 3);
    pages.troubled_history("troubled");
    using Kind = harness::TournamentKind;
    pages.tournament("robin", {.programs = 8, .crasher = 5});
    pages.tournament("robin-open", {.programs = 3, .most_meetings = 2});
    pages.tournament("robin-wide", {.programs = 32, .rounds = 1, .openings = 2, .step = 12});
    pages.tournament("swiss", {.kind = Kind::Swiss, .programs = 17, .rounds = 5, .openings = 2});
    pages.tournament("knockout", {.kind = Kind::Knockout, .programs = 11, .openings = 3});
    pages.tournament("unplayed", {.programs = 4, .most_meetings = 0});
    pages.rating_list("list");
    pages.index();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: page_samples DIR\n", stderr);
        return 2;
    }
    try {
        write_all(argv[1]);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 4;
    }
}
