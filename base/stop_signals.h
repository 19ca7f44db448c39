#pragma once
#include <csignal>
#include <vector>

namespace assay {

/// The signals that ask a command to stop after storing what is finished: SIGINT, SIGTERM, and
/// SIGHUP (the terminal is gone) unless it is ignored now, as under nohup. One that is ignored must
/// not be blocked either: it would wait, and be read.
[[nodiscard]] std::vector<int> stop_signals();

/// The same as a set.
[[nodiscard]] sigset_t stop_signal_set();

}  // namespace assay
