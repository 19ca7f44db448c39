#pragma once
#include <csignal>
#include <vector>

namespace assay {

/// The signals that ask a command to stop after storing what is finished: SIGINT, SIGTERM, and
/// SIGHUP (the terminal is gone) unless it is ignored now, as under nohup. An ignored signal must
/// not be blocked either: it would stay pending, and be read later.
[[nodiscard]] std::vector<int> stop_signals();

/// The same as a set.
[[nodiscard]] sigset_t stop_signal_set();

}  // namespace assay
