#include "cli/frame/queued_output.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "base/credentials.h"
#include "base/text.h"

namespace assay::cli {

namespace {

/// How long what is not read is waited for where a signal has stopped the run.
constexpr Micros kStopPatience{2'000'000};

}  // namespace

bool drained(OutputQueue& queue, bool is_stopped) {
    return is_stopped ? queue.drain(kStopPatience) : queue.drain();
}

int QueuedStream::sync() {
    // A dropped frame or line is none that a reader has missed: there is none.
    if (const std::string text = std::stringbuf::str(); !text.empty()) (void)queue_.put(text);
    std::stringbuf::str("");
    return 0;
}

EventOutput::EventOutput(const std::string& path)
    : file_(path == "-" ? File(UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)), path)
                        : File::append(path)),
      queue_(file_.descriptor()) {}

void EventOutput::finish(bool is_stopped) {
    is_whole_ = drained(queue_, is_stopped) && is_whole_;
    if (is_whole_ || queue_.error() == EPIPE) return;
    const int error = queue_.error();
    std::fprintf(stderr, "warning: %s: cannot write: %s; events are missing\n",
                 file_.name().c_str(),
                 error != 0 ? system_reason(error).c_str() : "nobody reads it");
}

void ForeignText::put(std::string_view bytes) {
    begun_ += bytes;
    const std::size_t end = begun_.rfind('\n');
    if (end == std::string::npos) return;
    print(std::string_view(begun_).substr(0, end));
    begun_.erase(0, end + 1);
}

void ForeignText::finish() {
    if (!begun_.empty()) print(begun_);
    begun_.clear();
}

void ForeignText::print(std::string_view lines) {
    std::fprintf(out_, "%s\n", printable_lines(without_credentials(lines)).c_str());
}

}  // namespace assay::cli
