#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocols.h"
#include "harness/plan/plan.h"

namespace assay::harness {

/// The names of all protocols, blank-separated, and that of the first.
using adapters::kDefaultProtocol;
using adapters::protocol_names;

/// What a plan asks of a program and its protocol cannot do.
struct ProtocolProblem {
    std::string_view
        key;  // of the match, suite or program: "time", "limit", "ponder", "ping_before_go"
    std::size_t program = 0;
    std::string text;  // a sentence
};

/// All that the match asks in vain of its two programs, or the suite of its programs. Empty: their
/// protocols can keep the plan.
[[nodiscard]] std::vector<ProtocolProblem> protocol_problems(const RunPlan& run,
                                                             const MatchPlan& match);
[[nodiscard]] std::vector<ProtocolProblem> protocol_problems(const RunPlan& run,
                                                             const SuitePlan& suite);

/// Throws Error with the first problem of the plan.
void check_protocols(const RunPlan& run);

/// The threads that the program's options ask for; 1 where they say nothing, or no number.
[[nodiscard]] int threads_of(const ProgramPlan& program);

/// True where the options ask for one thread, or say nothing of threads.
[[nodiscard]] bool is_single_threaded(const ProgramPlan& program);

}  // namespace assay::harness
