// The process behind a player: what all protocols share of starting, reading, writing, limits and
// ends. Adapters see lines and say what to write.
//
// Two rules shape it. A listener may destroy the player from within any call to it (a slot that
// gives up a program does), so that after each such call nothing of the object is touched before
// `destroyed_` has been looked at; it points to a flag on the stack of the function that is
// calling. And a failure is told by an event of its own (pending_gone_), never from within a call
// of the owner: who calls go() must not find the player gone when it returns.
//
// A pipe that breaks mostly means that the program has just died, and the end of the process, with
// its signal, is the better reason. So a broken pipe "fades" for 50 ms, and the process's end in
// that time takes its place. What a program wrote before its end is read first: a last move before
// a crash is a move.
//
// Limits hold for what a program writes between two of our commands (64 MiB; 4 MiB in its
// handshake, since declared options are kept) and for what it does not read of ours (256 KiB). A
// flood of output is not a slow program, and would cost every game of the machine time.
#include "adapters/protocol/program_player.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

constexpr int kSelfTag = 0;
constexpr int kInTag = 1;
constexpr int kOutTag = 2;
constexpr int kErrTag = 3;
constexpr int kProcessTag = 4;

constexpr std::size_t kMostUnsentBytes = 256U << 10U;
constexpr std::size_t kMostOutputBytes = 64U << 20U;
// Until it is ready: what it declares is kept as long as it lives, and takes four times as much.
constexpr std::size_t kMostHandshakeBytes = 4U << 20U;
// The most that is read from the pipe of a program that has ended: above a pipe's capacity, bounded
// because a grandchild may still write.
constexpr std::size_t kMostLeftBytes = 1U << 20U;
// Between a broken pipe and the end of its process.
constexpr std::chrono::milliseconds kOutputTime{50};

}  // namespace

ProgramPlayer::ProgramPlayer(EventLoop& loop, ProgramSpec spec, PlayerListener& listener,
                             LineObserver* observer)
    : reactor_(loop.reactor()),
      spec_(std::move(spec)),
      listener_(listener),
      observer_(observer),
      self_(reactor_.add(-1, EventLoop::Reactor::Interest::None, *this, kSelfTag)) {}

ProgramPlayer::~ProgramPlayer() {
    if (destroyed_ != nullptr) *destroyed_ = true;
    if (is_launching_) reactor_.cancel_launch(launch_);
    close_pipes();
    reactor_.remove(self_);
}

void ProgramPlayer::launch() {
    is_launching_ = true;
    launch_ = reactor_.launch(spec_, self_,
                              [this](SpawnCrew::Result result) { on_launched(std::move(result)); });
}

Player::Launch ProgramPlayer::launch_state() const {
    if (!is_launching_) return Launch::Running;
    return reactor_.is_launch_waiting(launch_) ? Launch::Waiting : Launch::Starting;
}

void ProgramPlayer::expect_end() {
    is_end_expected_ = true;
    if (!is_launching_ || !reactor_.cancel_launch(launch_)) return;
    is_launching_ = false;
    pending_gone_ = Gone{GoneReason::Exited, 0, 0, "was asked to end before it was started"};
    reactor_.wake_soon(self_);
}

void ProgramPlayer::on_launched(SpawnCrew::Result result) {
    is_launching_ = false;
    if (auto* const failure = std::get_if<SpawnFailure>(&result)) {
        GoneReason reason = GoneReason::NotStarted;
        if (failure->is_machines) reason = GoneReason::NotLaunched;
        if (failure->is_replaced) reason = GoneReason::Replaced;
        fail(reason, std::move(failure->reason));
        return;
    }
    child_ = std::move(std::get<Child>(result));
    pid_ = child_.pid;
    using Interest = EventLoop::Reactor::Interest;
    out_ = reactor_.add(child_.out.get(), Interest::Read, *this, kOutTag);
    err_ = reactor_.add(child_.err.get(), Interest::Read, *this, kErrTag);
    process_ = reactor_.add(child_.pidfd.get(), Interest::Watch, *this, kProcessTag);
    if (early_signal_ != 0) signal_group(early_signal_);
    const std::string early = std::move(early_);
    if (!early.empty()) send(early);
}

TimePoint ProgramPlayer::send(std::string_view lines) {
    output_bytes_ = 0;
    if (is_launching_) early_.append(lines);
    if (is_gone_ || !child_.in.is_open()) return reactor_.clock.now();
    std::string_view rest = lines;
    while (unsent_.empty() && !rest.empty()) {
        const ssize_t written = ::write(child_.in.get(), rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            fade(GoneReason::ClosedInput, "closed its standard input: " + system_reason(errno));
            return reactor_.clock.now();
        }
    }
    const TimePoint when = reactor_.clock.now();
    if (!rest.empty()) {
        unsent_.append(rest);
        if (in_.generation == 0) {
            in_ = reactor_.add(child_.in.get(), EventLoop::Reactor::Interest::Write, *this, kInTag);
        }
        if (unsent_.size() > kMostUnsentBytes) {
            fail(GoneReason::ClosedInput, "does not read its standard input");
        }
    }
    if (observer_ != nullptr) {
        while (!lines.empty()) observe(LineObserver::Direction::ToProgram, when, take_line(lines));
    }
    return when;
}

void ProgramPlayer::flush(Arrival arrival) {
    const ssize_t written = ::write(child_.in.get(), unsent_.data(), unsent_.size());
    if (written < 0 && errno != EAGAIN && errno != EINTR) {
        fade(GoneReason::ClosedInput, "closed its standard input: " + system_reason(errno));
    }
    unsent_.erase(0, static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    if (unsent_.empty() || is_fading_) reactor_.remove(in_);
    static_cast<void>(arrival);
}

void ProgramPlayer::fail(GoneReason reason, std::string detail) {
    if (is_gone_ || (pending_gone_ && !is_fading_)) return;
    pending_gone_ = Gone{reason, 0, 0, std::move(detail)};
    is_fading_ = false;
    reactor_.remove(out_);
    reactor_.remove(err_);
    reactor_.wake_soon(self_);
}

void ProgramPlayer::fade(GoneReason reason, std::string detail) {
    if (is_gone_ || pending_gone_ || is_end_expected_) return;
    pending_gone_ = Gone{reason, 0, 0, std::move(detail)};
    is_fading_ = true;
    fade_end_ = reactor_.clock.now() + kOutputTime;
    reactor_.wake_at(self_, fade_end_);
}

void ProgramPlayer::defer() {
    is_deferred_ = true;
    reactor_.wake_soon(self_);
}

void ProgramPlayer::warn(std::string_view kind, std::string_view text) {
    if (std::find(said_.begin(), said_.end(), kind) != said_.end()) return;
    said_.push_back(kind);
    listener_.on_warning(kind, text);
}

void ProgramPlayer::on_bytes(int tag, std::string_view bytes, Arrival arrival) {
    if (tag == kErrTag) {
        read_errors(bytes, arrival);
    } else {
        read_output(bytes, arrival);
    }
}

void ProgramPlayer::read_output(std::string_view bytes, Arrival arrival) {
    if (bytes.empty()) {
        fade(GoneReason::ClosedOutput, "closed its standard output");
        return;
    }
    output_bytes_ += bytes.size();
    if (is_shaking_hands() && output_bytes_ > kMostHandshakeBytes) {
        fail(GoneReason::Flood, "wrote more than 4 MiB in its handshake");
        return;
    }
    if (output_bytes_ > kMostOutputBytes) {
        fail(GoneReason::Flood, "wrote more than 64 MiB without an answer");
        return;
    }
    bool is_destroyed = false;
    bool* const outer = std::exchange(destroyed_, &is_destroyed);
    output_.feed(bytes, [&](std::string_view line, bool was_cut) {
        last_output_.add(line);
        observe(LineObserver::Direction::FromProgram, arrival.stamp, line);
        if (was_cut) warn("long-line", "a line longer than 64 KiB; its rest is dropped");
        on_line(line, arrival);
        return !is_destroyed && !is_gone_ && (!pending_gone_ || is_fading_);
    });
    if (!is_destroyed) {
        destroyed_ = outer;
    } else if (outer != nullptr) {
        *outer = true;
    }
}

void ProgramPlayer::read_errors(std::string_view bytes, Arrival arrival) {
    // End of file here means little: many programs close their standard error.
    output_bytes_ += bytes.size();
    if (output_bytes_ > kMostOutputBytes) {
        fail(GoneReason::Flood, "wrote more than 64 MiB without an answer");
        return;
    }
    errors_.feed(bytes, [&](std::string_view line, bool) {
        last_errors_.add(line);
        observe(LineObserver::Direction::FromStderr, arrival.stamp, line);
        return true;
    });
}

void ProgramPlayer::observe(LineObserver::Direction direction, TimePoint when,
                            std::string_view line) {
    if (observer_ != nullptr) observer_->on_line(spec_.name, pid_, direction, when, line);
}

void ProgramPlayer::on_event(int tag, Arrival arrival) {
    ExitStatus status;
    if (tag == kInTag) {
        flush(arrival);
        return;
    }
    if (tag == kProcessTag) {
        if (has_ended(child_.pidfd.get(), status)) end_of_process(status, arrival);
        return;
    }
    if (pending_gone_ && (!is_fading_ || arrival.stamp >= fade_end_)) {
        const Gone gone = *pending_gone_;  // outlives us, if the listener destroys us
        finish(gone, arrival);
        return;
    }
    if (std::exchange(is_deferred_, false)) on_deferred(arrival);
}

bool ProgramPlayer::drain(Arrival arrival) {
    std::array<char, 16384> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    bool is_destroyed = false;
    bool* const outer = std::exchange(destroyed_, &is_destroyed);
    for (const int tag : {kErrTag, kOutTag}) {
        if ((tag == kErrTag ? err_ : out_).generation == 0) continue;
        std::size_t total = 0;
        while (total < kMostLeftBytes) {
            const int fd = (tag == kErrTag ? child_.err : child_.out).get();
            const ssize_t got = ::read(fd, buffer.data(), buffer.size());
            if (got <= 0) break;
            total += static_cast<std::size_t>(got);
            on_bytes(tag, {buffer.data(), static_cast<std::size_t>(got)},
                     {arrival.wake, reactor_.clock.now()});
            if (is_destroyed) {
                if (outer != nullptr) *outer = true;
                return false;
            }
            if (is_gone_) break;
        }
    }
    destroyed_ = outer;
    return !is_gone_;
}

void ProgramPlayer::end_of_process(const ExitStatus& status, Arrival arrival) {
    // What it wrote before its end is handled first. A failure found meanwhile stays the reason.
    const bool has_failed = pending_gone_ && !is_fading_;
    if (!has_failed && !drain(arrival)) return;
    if (pending_gone_ && !is_fading_) {
        const Gone gone = *pending_gone_;  // outlives us, if the listener destroys us
        finish(gone, arrival);
        return;
    }
    Gone gone;
    gone.exit_code = status.exit_code;
    gone.signal = status.signal;
    gone.detail = text_of(status);
    gone.reason = status.signal != 0 ? GoneReason::Killed : GoneReason::Exited;
    if (is_shaking_hands() && !is_end_expected_) gone.reason = GoneReason::NoHandshake;
    finish(gone, arrival);
}

void ProgramPlayer::finish(const Gone& gone, Arrival arrival) {
    if (is_gone_) return;
    is_gone_ = true;
    if (!output_.partial().empty()) last_output_.add(output_.partial());
    if (!errors_.partial().empty()) last_errors_.add(errors_.partial());
    close_pipes();
    reactor_.tick_soon();
    listener_.on_gone(gone, arrival);
}

void ProgramPlayer::close_pipes() {
    reactor_.remove(in_);
    reactor_.remove(out_);
    reactor_.remove(err_);
    reactor_.remove(process_);
    if (!child_.pidfd.is_open()) return;
    // Before the reaping, after which the group's number may be another's.
    kill_program(child_.pid, child_.pidfd.get());
    reactor_.spawner.forget(child_.pid);
    ExitStatus status;
    if (has_ended(child_.pidfd.get(), status)) {
        siginfo_t info{};
        ::waitid(P_PIDFD, static_cast<id_t>(child_.pidfd.get()), &info, WEXITED);
        child_ = {};
        return;
    }
    reactor_.abandon(std::move(child_.pidfd), killed_.value_or(reactor_.clock.now()));
    child_ = {};
}

void ProgramPlayer::terminate() {
    signal_group(SIGTERM);
}

void ProgramPlayer::kill() {
    signal_group(SIGKILL);
}

void ProgramPlayer::signal_group(int signal) {
    if (is_launching_ && early_signal_ != SIGKILL) early_signal_ = signal;
    if (is_launching_ || child_.pidfd.is_open()) expect_end();
    if (!child_.pidfd.is_open()) return;
    if (signal == SIGKILL) {
        if (!killed_) killed_ = reactor_.clock.now();
        kill_program(child_.pid, child_.pidfd.get());
    } else {
        ::kill(-child_.pid, signal);
    }
    ::kill(-child_.pid, SIGCONT);  // a stopped program acts on no other signal
}

std::vector<std::string> ProgramPlayer::last_output() const {
    return last_output_.lines();
}

std::vector<std::string> ProgramPlayer::last_errors() const {
    return last_errors_.lines();
}

}  // namespace assay::adapters
