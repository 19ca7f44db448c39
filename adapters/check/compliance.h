#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/check_limits.h"
#include "adapters/protocol/player.h"

namespace assay::adapters {

/// How one step of a check ended.
enum class StepState : std::uint8_t {
    Ok,
    Note,     // a fact to know, neither good nor bad
    Warning,  // play survives it, or a default that spoils a match
    Fail,     // the protocol forbids it, or it loses games
    Skipped,  // not offered, or not reached
};

/// "ok", "note", "warning", "fail", "skipped".
[[nodiscard]] std::string_view name_of(StepState state);

struct ComplianceStep {
    std::string name;  // stable: "handshake", "movetime" …
    StepState state = StepState::Ok;
    std::string text;  // one sentence: what was expected and what came; printable
};

/// The result of a check, step by step.
struct ComplianceReport {
    std::string start_failure;  // not empty: it could not be executed, and there are no steps
    Identity identity;
    std::vector<ComplianceStep> steps;

    [[nodiscard]] std::size_t count(StepState state) const;

    [[nodiscard]] bool passed() const {
        return start_failure.empty() && count(StepState::Fail) == 0;
    }
};

/// Bounds of a check. Each step has its own, of some seconds.
struct ComplianceLimits {
    Micros handshake{std::chrono::seconds(10)};  // uciok, and the first readyok
    Micros total{std::chrono::seconds(120)};     // steps beyond it are skipped
    Micros stop{kStopTime};                      // for an answer, after its search was stopped
    int restarts = 4;  // after a crash or hang; steps beyond them are skipped
};

/// Checks a UCI program against the protocol (Meyer-Kahlen 2006) and against what a match asks of
/// it, in a process of its own, which is started again after a crash. `on_step` is called for each
/// step as it ends. Blocks until the end; no process is left then. May be called on any thread,
/// which must not change SIGCHLD.
[[nodiscard]] ComplianceReport check_uci(const ProgramSpec& spec, const ComplianceLimits& limits,
                                         const Clock& clock,
                                         const std::function<void(const ComplianceStep&)>& on_step);

}  // namespace assay::adapters
