// How a match ends: what brings its end, and what is done once between that and the last result.
//
// Whatever ends the match sets `end_` once (finish()); the first cause stands, with two exceptions:
// a store that fails replaces it, because what was to be reported can no longer be kept, and a pair
// that was in play may still decide the match (close()).
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/machine/machine.h"
#include "harness/run/match_runner.h"

namespace assay::harness {

bool has_come_to_its_end(const MatchEnd& end) {
    using Cause = MatchEnd::Cause;
    return end.cause == Cause::Played || end.cause == Cause::Decided ||
           end.cause == Cause::BookExhausted || end.cause == Cause::OutOfTime;
}

void MatchRunner::on_trouble(const Trouble& trouble) {
    const std::string name = trouble.who ? name_of(*trouble.who) : "";
    MatchEnd end;
    if (trouble.kind == Trouble::Kind::Stopped) {
        end.cause = MatchEnd::Cause::Interrupted;
        on_fleet_note("slurm", trouble.why);
    } else if (trouble.kind == Trouble::Kind::FleetFailed) {
        end.cause = MatchEnd::Cause::MachineFailed;
        end.message = trouble.why;
    } else if (trouble.kind == Trouble::Kind::KeepsFailing) {
        end.cause = MatchEnd::Cause::KeepsFailing;
        if (trouble.who) end.program = static_cast<int>(index_of(*trouble.who));
        end.message = trouble.why;
    } else if (trouble.kind == Trouble::Kind::CannotStart) {
        end.cause = MatchEnd::Cause::CannotStart;
        if (trouble.who) end.program = static_cast<int>(index_of(*trouble.who));
        end.message = trouble.names_program
                          ? trouble.why
                          : fmt::format("{} could not be started: {}", name, trouble.why);
        end.is_silent = trouble.is_silent;
    } else {
        end.cause = MatchEnd::Cause::MachineFailed;
        end.message =
            fmt::format("the machine ({}) cannot start programs: {}{}", this_machine().host,
                        name.empty() ? "" : name + ": ", trouble.why);
    }
    finish(std::move(end));
}

void MatchRunner::end_by_failure(Participant who, std::string message) {
    if (is_ending_) return;
    MatchEnd end;
    end.cause = MatchEnd::Cause::KeepsFailing;
    end.program = static_cast<int>(index_of(who));
    end.message = std::move(message);
    finish(std::move(end));
}

void MatchRunner::on_store_failed(const std::string& reason) {
    // Later failures, such as a pair whose game is missing, are consequences of the first one.
    if (is_ending_ && end_.cause == MatchEnd::Cause::StoreFailed) return;
    MatchEnd end;
    end.cause = MatchEnd::Cause::StoreFailed;
    end.message = reason;
    if (is_ending_) {
        end_ = std::move(end);
    } else {
        finish(std::move(end));
    }
}

void MatchRunner::check_complete() {
    if (is_ending_ || !is_running_) return;
    if (tally().verdict() != Verdict::None) {
        finish({MatchEnd::Cause::Decided, -1, ""});
    } else if (pairing_.is_complete()) {
        finish({pairing_.is_book_exhausted() ? MatchEnd::Cause::BookExhausted
                                             : MatchEnd::Cause::Played,
                -1, pairing_.end_reason()});
    }
}

bool MatchRunner::is_out_of_time(TimePoint now) const {
    const auto& minutes = plan().stop.minutes;
    const Micros before = Micros{before_.wall_us} - setup_.budget_from;
    return minutes && micros_between(started_, now) + before >= *minutes;
}

void MatchRunner::drain() {
    is_draining_ = true;
    end_if_drained();
}

void MatchRunner::end_if_drained() {
    if (!is_ending_ && executor_.is_idle()) finish({MatchEnd::Cause::Interrupted, -1, ""});
}

void MatchRunner::interrupt(TimePoint now, Micros grace) {
    if (!is_ending_) finish({MatchEnd::Cause::Interrupted, -1, ""});
    executor_.hurry(now, grace);
}

void MatchRunner::finish(MatchEnd end) {
    if (is_ending_) return;
    cpu_us_per_ply_at_end_ = cpu_us_per_ply();
    is_ending_ = true;
    end_ = std::move(end);
    ended_ = clock_.now();
    first_.counter.tally().set_meters(meters(setup_.match, ended_));
    // What failed can go on when its cause is mended, as what was interrupted.
    executor_.withdraw(has_come_to_its_end(end_) ? Withdrawal::Over : Withdrawal::Paused);
    tell_if_all_idle();
    close_if_saved();
}

/// A pair that was being written when the time ran out counts and may decide the match, because a
/// report made from the store counts it too.
void MatchRunner::close_if_saved() {
    if (!is_ending_ || unsaved_ > 0 || is_closed_) return;
    is_closed_ = true;
    close();
    std::map<std::size_t, std::array<Failures, 2>> open;
    pairing_.visit_open(
        [&open](std::size_t match, const GameDigest& game) { count_failure(open[match], game); });
    for (auto& [match, state] : matches_) {
        for (const auto& [number, pair] : state.begun) count_failure(open[match], pair.games[0]);
        state.counter.tally().set_failures_in_open_pairs(open[match]);
        state.counter.tally().set_meters(meters(match, ended_));
    }
}

void MatchRunner::close() {
    using Cause = MatchEnd::Cause;
    const bool is_over = end_.cause == Cause::Played || end_.cause == Cause::BookExhausted ||
                         end_.cause == Cause::OutOfTime;
    if (end_.cause == Cause::Decided) count(pairing_.take_waiting());
    if (!is_over) return;
    if (tally().verdict() != Verdict::None) {
        end_.cause = Cause::Decided;
        count(pairing_.take_waiting());
    } else {
        first_.counter.tally().close(end_.cause == Cause::BookExhausted,
                                     end_.cause == Cause::OutOfTime);
    }
}

bool MatchRunner::is_done() const {
    return is_saved() && executor_.is_settled();
}

}  // namespace assay::harness
