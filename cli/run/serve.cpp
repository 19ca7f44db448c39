#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "cli/frame/commands.h"
#include "cli/frame/values.h"
#include "cli/run/play.h"
#include "reports/files/badge.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/history/history.h"
#include "reports/live/server.h"
#include "reports/text/markdown.h"
#include "reports/web/history_page.h"
#include "reports/web/index_page.h"
#include "reports/web/run_page.h"

namespace assay::cli {

namespace {

constexpr std::size_t kRunsWithFigures = 50;

constexpr const char* kServeExamples = R"(examples:
  assay serve                            the runs, reports and history in ./assay.db
  assay serve --db nights.db --port 9000

It only reads, listens only on this machine (127.0.0.1), and stops at Ctrl-C.
From elsewhere:
  ssh -L 8750:127.0.0.1:8750 HOST)";

std::string index_of(const std::string& path) {
    const auto store = std::make_shared<const harness::Store>(path, harness::Store::Access::Read);
    const std::vector<harness::RunRecord> runs = store->runs();
    std::vector<std::unique_ptr<reports::StoredRun>> loaded;
    std::vector<reports::RunView> views;
    views.reserve(kRunsWithFigures);
    std::vector<reports::web::IndexRun> shown;
    for (const harness::RunRecord& run : runs) {
        shown.push_back({&run, nullptr});
        if (views.size() == kRunsWithFigures) continue;
        loaded.push_back(
            std::make_unique<reports::StoredRun>(store, run, reports::StoredRun::Detail::Figures));
        views.push_back(loaded.back()->view());
        shown.back().view = &views.back();
    }
    return reports::web::index_page(shown, path);
}

std::string form_of(const std::string& path, std::int64_t id, const std::string& format) {
    const auto stored = reports::StoredRun::load(path, std::to_string(id));
    const reports::RunView view = stored->view();
    if (format == "json") return reports::run_json(view);
    if (format == "markdown") return reports::markdown_report(view);
    if (format == "junit") return reports::junit_report(view);
    if (format == "badge") return reports::badge_json(view);
    if (format == "openmetrics") return reports::open_metrics(view);
    throw Error("serve: a run has no format '" + format + "'");
}

reports::live::Progress progress_of(const std::string& path, std::int64_t id) {
    const harness::Store store(path, harness::Store::Access::Read);
    const harness::RunRecord run = reports::required_run(store, std::to_string(id));
    reports::live::Progress progress;
    progress.is_over = run.state != harness::RunState::Running;
    for (std::size_t match = 0; match < run.plan.matches.size(); ++match)
        progress.pairs += store.pair_count(id, match);
    if (run.plan.suite) progress.pairs += static_cast<std::int64_t>(store.searches(id).size());
    return progress;
}

/// Every request opens the store again, so that a server that runs for weeks shows its current
/// content.
reports::live::Site site_of(const std::string& path) {
    reports::live::Site site;
    site.index = [path] { return index_of(path); };
    site.run = [path](std::int64_t id) {
        const auto stored = reports::StoredRun::load(path, std::to_string(id));
        return reports::web::run_page(stored->view(), stored->store(), {true});
    };
    site.history = [path](const std::string& name) {
        const harness::Store store(path, harness::Store::Access::Read);
        return reports::web::history_page(
            reports::history_of(store, name),
            {path, [](std::int64_t run) { return fmt::format("/run/{}", run); }});
    };
    site.form = [path](std::int64_t id, const std::string& format) {
        return form_of(path, id, format);
    };
    site.progress = [path](std::int64_t id) { return progress_of(path, id); };
    return site;
}

struct ServeFlags {
    std::string store = "assay.db";
    int port = 8750;
};

/// Ends the process after a second or at the next signal, even while threads work: making a page
/// cannot be cancelled, and ending it loses nothing.
void end_soon(const sigset_t& stops) {
    std::thread([stops] {
        constexpr timespec kPatience{1, 0};
        (void)::sigtimedwait(&stops, nullptr, &kPatience);
        std::_Exit(0);
    }).detach();
}

void serve(const ServeFlags& flags) {
    { const harness::Store readable(flags.store, harness::Store::Access::Read); }
    sigset_t stops;
    ::sigemptyset(&stops);
    ::sigaddset(&stops, SIGINT);
    ::sigaddset(&stops, SIGTERM);
    // Before any thread starts, so that all of them inherit the mask and sigwait() gets the
    // signals.
    ::pthread_sigmask(SIG_BLOCK, &stops, nullptr);
    reports::live::Server server(site_of(flags.store), flags.port);
    std::printf("http://127.0.0.1:%d shows %s; press Ctrl-C to stop\n", server.port(),
                flags.store.c_str());
    std::fflush(stdout);
    std::thread answers([&server] { server.run(); });
    int signal = 0;
    ::sigwait(&stops, &signal);
    end_soon(stops);
    server.stop();
    answers.join();
}

}  // namespace

void add_serve(Command& app, Exit&) {
    const auto flags = std::make_shared<ServeFlags>();
    Command* const command =
        app.add_subcommand("serve", "show runs, reports and history in a browser, live");
    command->add_option("--db", flags->store, "the store")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("--port", flags->port, "port on 127.0.0.1; 0: any free port")
        ->type_name("PORT")
        ->transform(number(0, 65535))
        ->capture_default_str();
    command->footer(kServeExamples);
    command->callback([flags] { serve(*flags); });
}

}  // namespace assay::cli
