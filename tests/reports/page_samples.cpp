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
#include "reports/web/history_page.h"
#include "reports/web/run_page.h"
#include "tests/support/sample_nights.h"
#include "tests/support/sample_solving.h"
#include "tests/support/sample_store.h"
#include "tests/support/sample_suite.h"

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

    void history(int nights) {
        for (const test::SampleRun& night : test::sample_nights(nights, 40))
            (void)test::write_sample_run(store_, night);
        write_file(dir_ + "/history.html",
                   reports::web::history_page(reports::history_of(store_, "nightly"),
                                              {"assay.db", [](std::int64_t run) {
                                                   return "run-" + std::to_string(run) + ".html";
                                               }}));
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
    run.pairs = 500;
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
    pages.solving("solving");
    pages.history(70);
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
