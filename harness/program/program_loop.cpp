#include "harness/program/program_loop.h"

#include <csignal>
#include <utility>

#include "adapters/protocols.h"
#include "base/stop_signals.h"

namespace assay::harness {

namespace {

constexpr Micros kTick{10'000};

}  // namespace

ProgramLoop::ProgramLoop(const Clock& clock, const std::string& log_dir,
                         adapters::LineObserver* observer)
    : clock_(clock), loop_(clock), observer_(observer) {
    if (!log_dir.empty()) {
        line_log_ = std::make_unique<LineLog>(log_dir, clock_.now(), observer);
        observer_ = line_log_.get();
    }
    loop_.on_signals(stop_signals(), [this](int signal) { on_signal(signal); });
    loop_.every(kTick, [this] {
        if (work_ != nullptr) work_->tick(clock_.now());
        check();
    });
}

PlayerFactory ProgramLoop::players() {
    return [this](const adapters::ProgramSpec& spec, adapters::PlayerListener& listener) {
        return adapters::make_player(loop_, spec, listener, observer_);
    };
}

void ProgramLoop::run(const Work& work) {
    work_ = &work;
    if (!work.is_done()) loop_.run();
    work_ = nullptr;
}

void ProgramLoop::check() {
    if (work_ != nullptr && work_->is_done()) loop_.stop();
}

void ProgramLoop::on_signal(int signal) {
    if (std::exchange(signal_, signal_ == 0 ? signal : signal_) != 0) {
        if (signal != SIGHUP) loop_.stop();
        return;
    }
    if (work_ != nullptr) work_->interrupt();
    check();
}

}  // namespace assay::harness
