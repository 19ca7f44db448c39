#include "harness/build_stage.h"

#include <csignal>

#include <fmt/format.h>

#include "harness/git_repository.h"

namespace assay::harness {

namespace {

/// Takes the signal that stopped a command of ours; it is blocked and waits.
int take_stop_signal() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    const timespec now{};
    const int signal = ::sigtimedwait(&set, nullptr, &now);
    return signal > 0 ? signal : SIGTERM;
}

void interrupt(RunOutcome& outcome) {
    outcome.before = RunOutcome::Before::Interrupted;
    outcome.before_reason = "stopped by a signal";
    outcome.signal = take_stop_signal();
}

std::string failure_of(const RunRecord& run) {
    for (const VersionRecord& version : run.versions) {
        if (!version.build || version.build->failure.empty()) continue;
        return fmt::format("{} at {} does not build: {}\nthe whole log: {}", version.name,
                           version.source->short_id(), version.build->failure, version.build->log);
    }
    return "";
}

}  // namespace

void prepare(RunOutcome& outcome, Versions& versions, Store& store) {
    const Versions::End end = versions.build(outcome.run);
    store.set_versions(outcome.run.id, outcome.run.versions);
    if (end == Versions::End::Interrupted) {
        interrupt(outcome);
    } else if (end == Versions::End::Failed) {
        outcome.before = RunOutcome::Before::BuildFailed;
        outcome.before_reason = failure_of(outcome.run);
    }
}

}  // namespace assay::harness
