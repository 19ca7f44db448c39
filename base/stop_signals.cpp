#include "base/stop_signals.h"

namespace assay {

namespace {

bool is_ignored(int signal) {
    struct sigaction action {};

    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-cstyle-cast,cppcoreguidelines-pro-type-union-access)
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

std::vector<int> stop_signals() {
    std::vector<int> signals{SIGINT, SIGTERM};
    if (!is_ignored(SIGHUP)) signals.push_back(SIGHUP);
    return signals;
}

sigset_t stop_signal_set() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : stop_signals()) sigaddset(&set, signal);
    return set;
}

}  // namespace assay
