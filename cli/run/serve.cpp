#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include "cli/frame/commands.h"
#include "cli/frame/values.h"
#include "cli/run/serve_site.h"
#include "reports/live/server.h"

namespace assay::cli {

namespace {

constexpr const char* kServeExamples = R"(examples:
  assay serve                            the runs, reports and history in ./assay.db
  assay serve --db nights.db --port 9000

The page of a run in progress shows the games in play. If the store does not
exist yet, the server waits for it.
It only reads, listens only on this machine (127.0.0.1), and stops at Ctrl-C.
From elsewhere:
  ssh -L 8750:127.0.0.1:8750 HOST)";

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
    check_servable(flags.store);
    sigset_t stops;
    ::sigemptyset(&stops);
    ::sigaddset(&stops, SIGINT);
    ::sigaddset(&stops, SIGTERM);
    // Before any thread starts, so that all of them inherit the mask and sigwait() gets the
    // signals.
    ::pthread_sigmask(SIG_BLOCK, &stops, nullptr);
    reports::live::Server server(site_of(flags.store), flags.port);
    std::printf("http://127.0.0.1:%d shows %s%s; press Ctrl-C to stop\n", server.port(),
                flags.store.c_str(),
                is_awaited(flags.store) ? " as soon as there is such a store" : "");
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
