// Pipes to one program, with distrust: it may write without end, never read, close a pipe, grow, or
// leave processes behind, and each of these must become one sentence of the report and not a hang
// of the check. Lines are waited for in pieces of kLookTime, because growth raises no event and has
// to be looked at. The first trouble ends the talk and is never replaced: what follows is its
// consequence.
#include "adapters/check/compliance_talk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <filesystem>
#include <memory>
#include <poll.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "adapters/check/check_session.h"
#include "adapters/check/compliance_lines.h"
#include "base/file.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLongestOutputLine = 64U << 10U;
constexpr std::size_t kMostBytes = 64U << 20U;      // without a new command
constexpr std::uint64_t kMostMemory = 1ULL << 30U;  // growth while it plays
constexpr milliseconds kLookTime{20};               // between two checks of its memory
constexpr milliseconds kSlowLine{300};              // between a line's first byte and its last
constexpr milliseconds kPipeTime{100};              // between a broken pipe and the end
constexpr milliseconds kWriteTime{1000};
constexpr Micros kMostQueued{30'000'000};  // that a wait for an end is longer

std::string file_text(const std::string& path) {
    return read_start(path, std::size_t{4} << 20U).value_or("");
}

// The letter of /proc/PID/stat: R, S, D, T, Z …; 0 where there is no such process.
char state_letter(int pid) {
    const std::string text = file_text("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t paren = text.rfind(") ");
    return paren == std::string::npos || paren + 2 >= text.size() ? '\0' : text[paren + 2];
}

std::uint64_t resident_bytes(int pid) {
    const std::string text = file_text("/proc/" + std::to_string(pid) + "/statm");
    std::string_view rest = text;
    take_word(rest);
    const auto pages = to_number<std::uint64_t>(take_word(rest)).value_or(0);
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// How long the thread of the process that waited longest for a processor has waited so far.
Micros queued(int pid) {
    const std::string folder = "/proc/" + std::to_string(pid) + "/task";
    std::int64_t most = 0;
    std::error_code ignored;
    for (std::filesystem::directory_iterator thread(folder, ignored), end; thread != end;
         thread.increment(ignored)) {
        // Fields: time on the processor, time waiting for one (both ns), slices.
        const std::string text = file_text(thread->path().string() + "/schedstat");
        std::string_view rest = text;
        take_word(rest);
        most = std::max(most, to_number<std::int64_t>(take_word(rest)).value_or(0));
    }
    return Micros{most / 1000};
}

// Living processes whose environment has the entry, `except` apart.
// By the environment and not by the process group, which a child may leave.
std::vector<int> marked_processes(const std::string& entry, int except) {
    std::vector<int> result;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), &::closedir);
    if (!folder) return result;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours
    while (const dirent* const item = ::readdir(folder.get())) {
        const auto pid = to_number<int>(item->d_name);
        if (!pid || *pid == except) continue;
        const std::string text =
            '\0' + file_text("/proc/" + std::string(item->d_name) + "/environ") + '\0';
        if (text.find('\0' + entry + '\0') == std::string::npos) continue;
        const char letter = state_letter(*pid);
        if (letter != '\0' && letter != 'Z' && letter != 'X') result.push_back(*pid);
    }
    return result;
}

int wait_ms(TimePoint now, TimePoint limit) {
    const auto left = std::chrono::ceil<milliseconds>(limit - now);
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kLookTime.count()));
}

}  // namespace

Talk::Talk(const ProgramSpec& spec, Spawner& spawner, const Clock& clock, StreamNotes& notes)
    : spec_(spec), spawner_(spawner), clock_(clock), notes_(notes) {}

Talk::~Talk() {
    if (!child_.pidfd.is_open()) return;
    // The order matters: what is left is counted before the kill where the program has ended by
    // itself, and after it where not, since the kill takes the group with it.
    // A program that is killed is not to blame for the processes it leaves in its group.
    const bool ended_by_itself = has_ended(child_.pidfd.get(), status_);
    if (ended_by_itself) notes_.left_behind += kill_leftovers();
    kill_program(child_.pid, child_.pidfd.get());
    spawner_.forget(child_.pid);
    static_cast<void>(reap_killed(child_.pidfd.get()));
    if (!ended_by_itself) notes_.left_behind += kill_leftovers();
}

std::string Talk::start() {
    ProgramSpec spec = spec_;
    const std::string value =
        std::to_string(::getpid()) + "-" + std::to_string(clock_.now().time_since_epoch().count());
    spec.env.emplace_back("ASSAY_CHECK", value);
    mark_ = "ASSAY_CHECK=" + value;
    auto result = spawner_.spawn(spec);
    if (auto* const failure = std::get_if<SpawnFailure>(&result)) return failure->reason;
    child_ = std::move(std::get<Child>(result));
    return {};
}

void Talk::fail(std::string why) {
    if (trouble_.empty()) trouble_ = std::move(why);
}

// A broken pipe mostly means that the process is ending; a moment later its status is known.
void Talk::fail_by_end(std::string otherwise) {
    pollfd wait{child_.pidfd.get(), POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(kPipeTime.count()));
    has_ended_ = has_ended(child_.pidfd.get(), status_);
    fail(has_ended_ ? did_text(text_of(status_)) : std::move(otherwise));
}

void Talk::send(std::string_view lines, bool is_more) {
    if (!is_more) bytes_ = 0;
    const TimePoint limit = clock_.now() + kWriteTime;
    while (!lines.empty() && trouble_.empty()) {
        const ssize_t written = ::write(child_.in.get(), lines.data(), lines.size());
        if (written >= 0) {
            lines.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            if (clock_.now() >= limit) fail("does not read its standard input");
            // It may be waiting for us to read what it writes.
            pump(std::min(limit, clock_.now() + kLookTime));
        } else if (errno != EINTR) {
            fail_by_end("closed its standard input");
        }
    }
}

std::optional<Talk::Line> Talk::line(TimePoint limit) {
    while (lines_.empty()) {
        if (!trouble_.empty()) return std::nullopt;
        if (clock_.now() >= limit) return std::nullopt;
        pump(limit);
    }
    Line result = std::move(lines_.front());
    lines_.pop_front();
    return result;
}

void Talk::pump(TimePoint limit) {
    // Of the writing end only errors are reported: its reading end was closed.
    std::array<pollfd, 4> wait{{{child_.out.get(), POLLIN, 0},
                                {child_.err.get(), POLLIN, 0},
                                {child_.pidfd.get(), POLLIN, 0},
                                {child_.in.get(), 0, 0}}};
    if (::poll(wait.data(), wait.size(), wait_ms(clock_.now(), limit)) < 0) return;
    if (wait[0].revents != 0) read_output();
    if (wait[1].revents != 0) read_errors();
    look_at_memory();
    // The end of the process is believed only when its output is empty: its last lines are in the
    // pipe.
    if ((wait[0].revents & POLLIN) != 0 || !trouble_.empty()) return;
    if (wait[2].revents != 0) fail_by_end("ended");
    if (wait[3].revents != 0) fail_by_end("closed its standard input");
}

bool Talk::is_over_budget(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= kMostBytes) return false;
    fail(partial_size_ > kMostBytes / 2 ? "wrote more than 64 MiB without a line end"
                                        : "wrote more than 64 MiB of lines without an answer");
    return true;
}

void Talk::read_output() {
    std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    const ssize_t got = ::read(child_.out.get(), buffer.data(), buffer.size());
    if (got < 0) return;
    if (got == 0) {
        child_.out.reset();
        fail_by_end("closed its standard output");
        return;
    }
    const auto size = static_cast<std::size_t>(got);
    take({buffer.data(), size}, clock_.now());
    static_cast<void>(is_over_budget(size));
}

void Talk::read_errors() {
    std::array<char, 16384> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    const ssize_t got = ::read(child_.err.get(), buffer.data(), buffer.size());
    if (got <= 0) {
        // Many programs close it, which is no fault; a closed one is not polled.
        if (got == 0) child_.err.reset();
        return;
    }
    const auto size = static_cast<std::size_t>(got);
    if (notes_.errors.empty()) {
        errors_.append(buffer.data(), std::min<std::size_t>(size, 400));
        const std::size_t end = errors_.find('\n');
        if (end != std::string::npos || errors_.size() >= 400) {
            notes_.errors = printable_utf8(trim(std::string_view(errors_).substr(0, end)));
        }
    }
    static_cast<void>(is_over_budget(size));
}

void Talk::take(std::string_view bytes, TimePoint stamp) {
    while (!bytes.empty()) {
        const void* const found = std::memchr(bytes.data(), '\n', bytes.size());
        if (found == nullptr) {
            if (partial_size_ == 0) partial_since_ = stamp;
            partial_size_ += bytes.size();
            partial_.append(bytes.substr(0, kLongestOutputLine - partial_.size()));
            return;
        }
        const auto length =
            static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
        end_line(bytes.substr(0, length), stamp);
        bytes.remove_prefix(length + 1);
    }
}

void Talk::end_line(std::string_view piece, TimePoint stamp) {
    if (partial_size_ == 0) partial_since_ = stamp;
    const std::size_t size = partial_size_ + piece.size();
    partial_.append(
        piece.substr(0, kLongestOutputLine - std::min(kLongestOutputLine, partial_.size())));
    std::string text = std::exchange(partial_, {});
    partial_size_ = 0;
    const auto took = std::chrono::duration_cast<milliseconds>(stamp - partial_since_);
    if (took > kSlowLine && notes_.slow_line.empty()) {
        notes_.slow_line = "'" + printable_utf8(text.substr(0, 60)) + "' came in pieces over " +
                           std::to_string(took.count()) + " ms";
    }
    if (size > kLongestOutputLine && notes_.long_line.empty()) {
        notes_.long_line = "a line of " + std::to_string(size) + " bytes";
    }
    if (text.ends_with('\r')) {
        text.pop_back();
        if (notes_.line_end.empty()) {
            notes_.line_end = "'" + printable_utf8(text.substr(0, 60)) + "' ends with CR LF";
        }
    }
    const std::string_view odd = byte_complaint(text);
    if (!odd.empty() && notes_.bytes.empty()) {
        notes_.bytes = std::string(odd) + " in '" + printable_utf8(text.substr(0, 60)) + "'";
    }
    lines_.push_back({std::move(text), stamp});
}

void Talk::look_at_memory() {
    const TimePoint now = clock_.now();
    if (memory_at_start_ == 0 || now < next_look_) return;
    next_look_ = now + kLookTime;
    const std::uint64_t has = resident_bytes(child_.pid);
    if (has <= memory_at_start_) return;
    notes_.most_memory = std::max(notes_.most_memory, has - memory_at_start_);
    if (has - memory_at_start_ > kMostMemory) fail("took more than 1 GiB of memory");
}

void Talk::mark_memory() {
    memory_at_start_ = std::max<std::uint64_t>(resident_bytes(child_.pid), 1);
}

std::string Talk::state() const {
    switch (state_letter(child_.pid)) {
        case 'R':
            return "it computes";
        case 'T':
            return "it is stopped as if by SIGSTOP";
        case 'Z':
        case 'X':
        case '\0':
            return "it has ended";
        default:
            return "it waits";
    }
}

void Talk::close_input() {
    child_.in.reset();
}

void Talk::terminate() const {
    ::kill(-child_.pid, SIGTERM);
    ::kill(-child_.pid, SIGCONT);
}

bool Talk::ends_within(Micros allowed) {
    const TimePoint start = clock_.now();
    const Micros queued_before = queued(child_.pid);
    while (true) {
        const Micros queued_now = std::max(queued(child_.pid), queued_before);
        const TimePoint limit =
            start + allowed + std::min<Micros>(queued_now - queued_before, kMostQueued);
        if (has_ended(child_.pidfd.get(), status_)) {
            has_ended_ = true;
            read_output();
        }
        for (const Line& line : lines_) {
            if (!trim(line.text).empty()) ++dropped_;
        }
        lines_.clear();
        if (has_ended_) return true;
        const TimePoint now = clock_.now();
        if (now >= limit) return false;
        if (trouble_.empty()) {
            pump(limit);
        } else {
            pollfd wait{child_.pidfd.get(), POLLIN, 0};
            ::poll(&wait, 1, wait_ms(now, limit));
        }
    }
}

int Talk::kill_leftovers() {
    const TimePoint limit = clock_.now() + milliseconds(500);
    std::vector<int> left = marked_processes(mark_, child_.pid);
    while (!left.empty() && clock_.now() < limit) {
        ::poll(nullptr, 0, static_cast<int>(kLookTime.count()));
        left = marked_processes(mark_, child_.pid);
    }
    for (const int pid : left) ::kill(pid, SIGKILL);
    return static_cast<int>(left.size());
}

}  // namespace assay::adapters
