#include "harness/executor/program_pool.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

namespace {

constexpr Micros kPoolGrace{1'000'000};

}  // namespace

ProgramPool::ProgramPool(PlayerFactory factory, const Clock& clock,
                         const RunningProgram::Limits& limits)
    : factory_(std::move(factory)), clock_(clock), limits_(limits) {}

/// Where there is no room for all, those that came first keep it: in a schedule in which programs
/// take turns, the one that was given back last is needed last.
bool ProgramPool::is_needed(const adapters::ProgramSpec& spec) const {
    if (idle_.size() >= most_) return false;
    const auto found = std::ranges::find(
        needed_, spec, [](const auto& one) -> const auto& { return one.first; });
    if (found == needed_.end()) return false;
    return std::ranges::count(idle_, spec, &RunningProgram::spec) < found->second;
}

void ProgramPool::end_all() {
    needed_.clear();
    for (std::unique_ptr<RunningProgram>& running : idle_) end(std::move(running));
    idle_.clear();
}

std::unique_ptr<RunningProgram> ProgramPool::take(const adapters::ProgramSpec& spec, int program,
                                                  ProgramEvents& owner) {
    const auto found = std::ranges::find(idle_, spec, &RunningProgram::spec);
    if (found != idle_.end()) {
        std::unique_ptr<RunningProgram> running = std::move(*found);
        idle_.erase(found);
        running->assign(program, owner);
        return running;
    }
    return std::make_unique<RunningProgram>(program, spec, factory_, clock_, shutdown_queue_,
                                            limits_, owner);
}

void ProgramPool::give_back(std::unique_ptr<RunningProgram> running) {
    if (!running->is_ready() || !is_needed(running->spec())) {
        end(std::move(running));
        return;
    }
    running->assign(-1, *this);
    idle_.push_back(std::move(running));
}

void ProgramPool::tell(std::function<void(const std::string& text)> tell) {
    tell_ = std::move(tell);
    shutdown_queue_.tell_left([this](int pid) {
        tell_(fmt::format("process {} cannot be killed and is left running", pid));
    });
}

void ProgramPool::on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool,
                                    bool) {
    if (tell_) {
        tell_(fmt::format("{}: ended between two matches ({}); started anew", running.spec().name,
                          gone.detail.empty() ? "ended" : printable_utf8(gone.detail)));
    }
    remove(running);
}

void ProgramPool::end(std::unique_ptr<RunningProgram> running) {
    running->dismiss(kPoolGrace);
    ended_.push_back(std::move(running));
}

void ProgramPool::remove(const RunningProgram& running) {
    const auto found = std::ranges::find(idle_, &running, &std::unique_ptr<RunningProgram>::get);
    if (found == idle_.end()) return;
    ended_.push_back(std::move(*found));
    idle_.erase(found);
}

void ProgramPool::tick(TimePoint now) {
    ended_.clear();
    shutdown_queue_.tick(now);
}

}  // namespace assay::harness
