// A queue between those who have something to say and a descriptor that may not take it.
//
// A blocked write() cannot be taken back: the thread sits in the kernel until the reader reads or
// goes. So the thread is never joined. It shares what it needs with the queue, and is left behind
// where the queue goes while a write is stuck; the end of the process ends it. A non-blocking
// descriptor would need no thread, but the flag belongs to the open file, which standard output
// shares with the shell that started us and with its other children.
#include "base/output_queue.h"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/unique_fd.h"

namespace assay {

struct OutputQueue::State {
    std::mutex mutex;
    std::condition_variable has_changed;
    std::deque<std::string> waiting;
    std::size_t bytes = 0;  // of waiting, and of what is being written
    std::size_t most = 0;
    int error = 0;
    bool is_over = false;
    UniqueFd descriptor;

    /// 0, or errno.
    [[nodiscard]] int write_out(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t written = ::write(descriptor.get(), text.data(), text.size());
            if (written < 0 && errno == EAGAIN) {
                // Another process has made the open file non-blocking.
                pollfd room{descriptor.get(), POLLOUT, 0};
                (void)::poll(&room, 1, -1);
            } else if (written < 0 && errno != EINTR) {
                return errno;
            }
            if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
        }
        return 0;
    }

    void work() {
        std::unique_lock lock(mutex);
        while (true) {
            has_changed.wait(lock, [this] { return is_over || !waiting.empty(); });
            if (is_over) return;
            const std::string text = std::move(waiting.front());
            waiting.pop_front();
            const bool is_wanted = error == 0;
            lock.unlock();
            const int failure = is_wanted ? write_out(text) : 0;
            lock.lock();
            if (failure != 0) error = failure;
            bytes -= text.size();
            has_changed.notify_all();
        }
    }
};

OutputQueue::OutputQueue(int descriptor, std::size_t most) : state_(std::make_shared<State>()) {
    state_->most = most;
    state_->descriptor = UniqueFd(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
    if (!state_->descriptor.is_open()) {
        state_->error = errno;
        return;
    }
    // Signals are for the threads that know what to do with them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread([state = state_] { state->work(); }).detach();
    } catch (const std::system_error& failure) {
        state_->error = failure.code().value();
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OutputQueue::~OutputQueue() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->is_over = true;
    }
    state_->has_changed.notify_all();
}

bool OutputQueue::put(std::string text) {
    {
        const std::lock_guard lock(state_->mutex);
        if (state_->error != 0 || state_->bytes + text.size() > state_->most) return false;
        state_->bytes += text.size();
        state_->waiting.push_back(std::move(text));
    }
    state_->has_changed.notify_all();
    return true;
}

bool OutputQueue::drain(std::optional<Micros> limit) {
    std::unique_lock lock(state_->mutex);
    const auto is_empty = [this] { return state_->bytes == 0 || state_->error != 0; };
    if (limit) return state_->has_changed.wait_for(lock, *limit, is_empty) && state_->error == 0;
    state_->has_changed.wait(lock, is_empty);
    return state_->error == 0;
}

int OutputQueue::error() const {
    const std::lock_guard lock(state_->mutex);
    return state_->error;
}

}  // namespace assay
