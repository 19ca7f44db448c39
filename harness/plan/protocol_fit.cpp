// Refuses a plan that a program's protocol cannot express (a limit of nodes, pondering) before the
// first game. Found later, it would be a program that plays by another limit than its opponent,
// which no result shows.
#include "harness/plan/protocol_fit.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

namespace {

/// What a time control asks for that the protocol lacks; empty: nothing.
std::string_view lack_of(const TimeControl& time, const adapters::Capabilities& can) {
    switch (time.kind) {
        case TimeControl::Kind::Nodes:
            return can.nodes ? "" : "a limit of nodes";
        case TimeControl::Kind::Depth:
            return can.depth ? "" : "a limit of depth";
        case TimeControl::Kind::MoveTime:
            return can.move_time ? "" : "a time for one move";
        case TimeControl::Kind::Infinite:
            return can.infinite && can.stop ? "" : "a search that is stopped";
        case TimeControl::Kind::Clock:
        case TimeControl::Kind::Hourglass:
        case TimeControl::Kind::Byoyomi:
        case TimeControl::Kind::Canadian:
            break;
    }
    return can.clock ? "" : "a clock";
}

std::optional<std::string_view> threads_option(const ProgramPlan& program) {
    const adapters::Protocol* const protocol = adapters::find_protocol(program.protocol);
    if (protocol == nullptr) return std::nullopt;
    for (const auto& [name, value] : program.options) {
        if (equal_ignoring_case(name, protocol->info.threads_option)) return value;
    }
    return std::nullopt;
}

class Problems {
public:
    explicit Problems(const RunPlan& run) : run_(run) {}

    void look_at(std::size_t index, std::string_view key, const TimeControl& time, bool ponders) {
        const ProgramPlan& program = run_.programs.at(index);
        const auto& info =
            adapters::protocol_named(program.protocol, " of program '" + program.name + "'").info;
        const std::string_view lack = lack_of(time, info.can);
        if (!lack.empty()) add(key, index, info, lack);
        if (ponders && !info.can.ponder) add("ponder", index, info, "pondering");
        if (program.ping_before_go && !info.can.ping) {
            add("ping_before_go", index, info, "a way to ask whether a program is ready");
        }
    }

    [[nodiscard]] std::vector<ProtocolProblem> take() { return std::move(found_); }

private:
    void add(std::string_view key, std::size_t index, const adapters::ProtocolInfo& info,
             std::string_view lack) {
        found_.push_back(
            {key, index,
             fmt::format("program '{}' cannot keep '{}': its protocol, {}, lacks {}",
                         printable_utf8(run_.programs[index].name), key, info.title, lack)});
    }

    const RunPlan& run_;
    std::vector<ProtocolProblem> found_;
};

}  // namespace

std::vector<ProtocolProblem> protocol_problems(const RunPlan& run, const MatchPlan& match) {
    Problems problems(run);
    for (std::size_t side = 0; side < match.between.size(); ++side) {
        problems.look_at(match.between.at(side), "time", match.time.at(side), match.ponder);
    }
    return problems.take();
}

std::vector<ProtocolProblem> protocol_problems(const RunPlan& run, const SuitePlan& suite) {
    Problems problems(run);
    for (const std::size_t program : suite.programs) {
        problems.look_at(program, "limit", suite.limit, false);
    }
    return problems.take();
}

void check_protocols(const RunPlan& run) {
    std::vector<ProtocolProblem> all;
    for (const MatchPlan& match : run.matches) {
        for (ProtocolProblem& one : protocol_problems(run, match)) all.push_back(std::move(one));
    }
    if (run.suite) {
        for (ProtocolProblem& one : protocol_problems(run, *run.suite)) {
            all.push_back(std::move(one));
        }
    }
    if (!all.empty()) throw Error(all.front().text);
}

int threads_of(const ProgramPlan& program) {
    const auto value = threads_option(program);
    return value ? std::max(1, to_number<int>(trim(*value)).value_or(1)) : 1;
}

bool is_single_threaded(const ProgramPlan& program) {
    const auto value = threads_option(program);
    return !value || to_number<int>(trim(*value)) == 1;
}

}  // namespace assay::harness
