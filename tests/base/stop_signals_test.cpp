#include "base/stop_signals.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("Stop signals: a hangup is one of them unless it is ignored, as under nohup") {
    const auto before = std::signal(SIGHUP, SIG_DFL);
    CHECK(stop_signals() == std::vector<int>{SIGINT, SIGTERM, SIGHUP});
    const sigset_t all = stop_signal_set();
    CHECK(::sigismember(&all, SIGHUP) == 1);
    CHECK(::sigismember(&all, SIGINT) == 1);
    CHECK(::sigismember(&all, SIGPIPE) == 0);
    (void)std::signal(SIGHUP, SIG_IGN);
    CHECK(stop_signals() == std::vector<int>{SIGINT, SIGTERM});
    const sigset_t rest = stop_signal_set();
    CHECK(::sigismember(&rest, SIGHUP) == 0);
    (void)std::signal(SIGHUP, before);
}

}  // namespace assay
