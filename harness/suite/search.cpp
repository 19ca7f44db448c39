// One search of one position by one process, from its start to its end, on RunningProgram. A search
// that does not end by its limit is stopped at the wall limit and counts as unfinished: what it
// logged until then is of no known depth. A kill comes from outside (interrupt) and leaves no
// result at all.
#include "harness/suite/search.h"

#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

SuiteSearch::SuiteSearch(const adapters::ProgramSpec& spec, const SuitePosition& position,
                         const TimeControl& limit, const PlayerFactory& factory, const Clock& clock,
                         const Limits& limits, std::unique_ptr<SolutionWatch> watch,
                         std::function<void(const std::string& why)> on_relaunch)
    : position_(position),
      limit_(limit),
      clock_(clock),
      limits_(limits),
      on_relaunch_(std::move(on_relaunch)),
      running_(0, spec, factory, clock, shutdown_queue_,
               {limits.start, limits.start, limits.drain, std::nullopt}, *this),
      watch_(std::move(watch)) {}

void SuiteSearch::start() {
    adapters::GameStart game;
    game.start = position_.text;
    running_.prepare(game);
}

void SuiteSearch::on_program_ready(RunningProgram& running) {
    identity_ = running.player()->identity();
    adapters::SearchRequest request;
    request.start = position_.text;
    switch (limit_.kind) {
        case TimeControl::Kind::Nodes:
            request.nodes = limit_.nodes;
            reported_.asked = limit_.nodes;
            break;
        case TimeControl::Kind::MoveTime:
            request.move_time = limit_.move_time;
            break;
        case TimeControl::Kind::Depth:
            request.depth = limit_.depth;
            break;
        default:
            request.infinite = true;
            break;
    }
    go_word_ = running.player()->protocol().words.go;
    go_written_ = running.go(request, limits_.wall);
}

void SuiteSearch::on_program_move(RunningProgram& running, const adapters::BestMove& best,
                                  adapters::Arrival arrival) {
    best_move_ = printable_utf8(best.move);
    used_ = micros_between(go_written_, arrival.stamp);
    depth_ = best.info->depth.value_or(0);
    nodes_ = best.info->nodes.value_or(0);
    if (watch_) watch_->on_answer(best.move, *best.info, used_);
    reported_ = {reported_.asked, best.info->nodes, used_, running.was_stopped()};
    if (running.was_stopped()) {
        finish(SearchEnd::Unfinished,
               "stopped at the wall limit of " +
                   plain_number(static_cast<double>(limits_.wall.count()) / 1e6) + " s");
    } else {
        finish(SearchEnd::Searched, "");
    }
    running.dismiss(limits_.quit, limits_.term);
}

void SuiteSearch::on_program_info(RunningProgram& /*running*/, const adapters::SearchInfo& info,
                                  adapters::Arrival arrival) {
    if (info.nodes) reported_.said = info.nodes;
    reported_.used = micros_between(go_written_, arrival.stamp);
    if (watch_) watch_->on_info(info, micros_between(go_written_, arrival.stamp));
}

void SuiteSearch::on_program_failed(RunningProgram& /*running*/, const adapters::Gone& gone,
                                    bool started, bool is_stall) {
    was_replaced_ = gone.reason == adapters::GoneReason::Replaced;
    const std::string how = gone.detail.empty() ? "ended" : printable_utf8(gone.detail);
    if (!started) {
        finish(SearchEnd::NoStart, how);
    } else if (is_stall) {
        finish(SearchEnd::Hang, how);
    } else {
        finish(SearchEnd::Crash, fmt::format("{} after '{}'", how, go_word_));
    }
}

void SuiteSearch::tick(TimePoint now) {
    running_.tick(now);
    shutdown_queue_.tick(now);
}

void SuiteSearch::kill() {
    is_over_ = true;
    running_.replace();
    shutdown_queue_.hurry(clock_.now(), Micros{0});
}

void SuiteSearch::finish(SearchEnd end, std::string reason) {
    is_over_ = true;
    end_ = end;
    reason_ = std::move(reason);
}

}  // namespace assay::harness
