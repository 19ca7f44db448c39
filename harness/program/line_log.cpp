// Every line to and from each program, in a file a program. Lines are appended with the program's
// process number, because several processes of one program write at once and a log of an earlier
// session stays. A file that cannot be written costs a warning and no game.
#include "harness/program/line_log.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"

namespace assay::harness {

namespace {

/// Null where it cannot be written; errno says why. The name can be guessed, so that what is there
/// may be a link to any file of ours, or a pipe, on which the games would wait.
std::FILE* open_log(const std::string& path) {
    constexpr int kFlags =
        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK;
    const int descriptor = ::open(path.c_str(), kFlags, 0666);
    if (descriptor < 0) return nullptr;

    struct stat status {};

    const bool is_regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    std::FILE* const file = is_regular ? ::fdopen(descriptor, "a") : nullptr;
    if (file == nullptr) {
        ::close(descriptor);
        errno = EINVAL;
    }
    return file;
}

}  // namespace

LineLog::LineLog(std::string dir, TimePoint began, adapters::LineObserver* next)
    : dir_(std::move(dir)), began_(began), next_(next) {
    std::error_code error;
    std::filesystem::create_directories(dir_, error);
    if (error) throw Error(dir_ + ": cannot make the folder: " + error.message());
}

LineLog::~LineLog() {
    for (const auto& [name, file] : files_) {
        if (file == nullptr) continue;
        if (std::fclose(file) != 0) complain(name);
    }
}

std::string LineLog::path_in(const std::string& dir, std::string_view program) {
    return dir + "/" + file_part(program) + ".log";
}

std::string LineLog::path_of(std::string_view program) const {
    return path_in(dir_, program);
}

void LineLog::complain(std::string_view program) const {
    const std::string reason = system_reason(errno);
    std::fprintf(stderr, "warning: %s: cannot write: %s; lines are missing\n",
                 path_of(program).c_str(), reason.c_str());
}

std::FILE* LineLog::file_of(std::string_view program) {
    const auto found = files_.find(program);
    if (found != files_.end()) return found->second;
    const std::string path = path_of(program);
    std::FILE* const file = open_log(path);
    if (file == nullptr) {
        const std::string reason = system_reason(errno);
        std::fprintf(stderr, "%s: cannot write: %s\n", path.c_str(), reason.c_str());
    }
    files_.emplace(program, file);
    return file;
}

void LineLog::on_line(std::string_view program, int pid, Direction direction, TimePoint when,
                      std::string_view line) {
    if (next_ != nullptr) next_->on_line(program, pid, direction, when, line);
    std::FILE* file = file_of(program);
    if (file == nullptr) return;
    const char mark = direction == Direction::ToProgram     ? '>'
                      : direction == Direction::FromProgram ? '<'
                                                            : '!';
    const double seconds = static_cast<double>(micros_between(began_, when).count()) / 1e6;
    std::fprintf(file, "%.6f %d %c ", seconds, pid, mark);
    (void)std::fwrite(line.data(), 1, line.size(), file);
    if (std::fputc('\n', file) != EOF && std::ferror(file) == 0) return;
    complain(program);
    (void)std::fclose(file);
    files_.find(program)->second = nullptr;
}

}  // namespace assay::harness
