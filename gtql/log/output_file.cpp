#include "gtql/log/output_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::gtql {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(path_) {
    if (path_.empty()) {
        file_ = stdout;
        return;
    }
    namespace fs = std::filesystem;
    std::error_code error;
    const bool is_regular = fs::is_regular_file(path_, error);
    const bool is_there = fs::exists(fs::symlink_status(path_, error));
    if (is_regular && fs::is_symlink(fs::symlink_status(path_, error))) {
        target_ = fs::canonical(path_, error).string();
        if (error) throw Error(path_ + ": " + error.message());
    }
    // Renaming would leave the file's other names with the old content.
    is_copied_ = is_regular && !is_replaceable(target_);
    if (is_regular || !is_there) temporary_ = create_beside(target_);
    file_ = std::fopen(temporary_.empty() ? path_.c_str() : temporary_.c_str(), "wbe");
    if (file_ != nullptr) return;
    const int reason = errno;
    close();
    throw Error(path_ + ": " + system_reason(reason));
}

OutputFile::~OutputFile() {
    close();
}

void OutputFile::close() noexcept {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
    file_ = nullptr;
    if (!temporary_.empty()) std::remove(temporary_.c_str());
    temporary_.clear();
}

void OutputFile::fail(int reason) const {
    throw Error((path_.empty() ? "standard output" : path_) + ": " + system_reason(reason), 4);
}

void OutputFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
    bytes_ += bytes.size();
}

void OutputFile::finish() {
    if (std::fflush(file_) != 0) fail(errno);
    if (file_ == stdout) return;
    std::FILE* const file = std::exchange(file_, nullptr);
    if (std::fclose(file) != 0) fail(errno);
    if (temporary_.empty()) return;
    if (is_copied_) {
        copy_to_target();
    } else if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
        fail(errno);
    } else {
        temporary_.clear();
    }
    close();
}

void OutputFile::copy_to_target() {
    std::FILE* const from = std::fopen(temporary_.c_str(), "rbe");
    if (from == nullptr) fail(errno);
    std::FILE* const to = std::fopen(target_.c_str(), "wbe");
    int reason = to == nullptr ? errno : 0;
    std::vector<char> buffer(1U << 20);
    while (reason == 0) {
        const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), from);
        if (got == 0 && std::ferror(from) != 0) reason = errno;
        if (got == 0) break;
        if (std::fwrite(buffer.data(), 1, got, to) != got) reason = errno;
    }
    std::fclose(from);
    if (to != nullptr && std::fclose(to) != 0 && reason == 0) reason = errno;
    if (reason == 0) return;
    const std::string kept = std::exchange(temporary_, {});
    throw Error(path_ + ": " + system_reason(reason) + "; its new content is in " + kept, 4);
}

}  // namespace assay::gtql
