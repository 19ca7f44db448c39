// While a match runs, an empty file "open" in its store's folder is locked; it is removed where the
// store is kept. A folder that has the file, unlocked, belongs to a match that ended by SIGKILL.
// The mark is a lock and no process id, because containers that share the folder of temporary files
// number their processes independently.
#include "cli/match/temporary_store.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/diagnostic.h"

namespace assay::cli {

namespace {

constexpr std::string_view kPrefix = "assay-match-";
constexpr std::string_view kUnique = "XXXXXX";
constexpr std::string_view kOpen = "open";
constexpr std::string_view kFile = "match.db";

std::filesystem::path parent_folder() {
    std::error_code error;
    std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    return error ? std::filesystem::path("/tmp") : parent;
}

bool is_named_so(const std::filesystem::path& folder) {
    const std::string name = folder.filename().native();
    return name.size() == kPrefix.size() + kUnique.size() && name.starts_with(kPrefix);
}

/// What a store leaves in its folder, and the folder where nothing else is in it.
void remove_store(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (const char* const ending : {"", "-wal", "-shm", "-journal", ".live", ".lock"})
        std::filesystem::remove(folder / (std::string(kFile) + ending), ignored);
    std::filesystem::remove(folder / kOpen, ignored);
    std::filesystem::remove(folder, ignored);
}

/// A killed match is resumed soon or never.
bool is_old(const std::filesystem::path& folder) {
    constexpr std::chrono::hours kKept(24);
    std::error_code error;
    auto written = std::filesystem::last_write_time(folder / kFile, error);
    // A match that begins has no store yet, and for a moment no lock.
    if (error) written = std::filesystem::last_write_time(folder, error);
    return !error && std::filesystem::file_time_type::clock::now() - written > kKept;
}

void remove_abandoned(const std::filesystem::path& parent) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::filesystem::path& folder = entry->path();
        std::error_code ignored;
        if (!is_named_so(folder) || !std::filesystem::exists(folder / kOpen, ignored)) continue;
        try {
            const auto lock = File::open_locked((folder / kOpen).string(), File::Lock::Try);
            if (lock && is_old(folder)) remove_store(folder);
        } catch (const Error&) {
            continue;  // another user's
        }
    }
}

}  // namespace

TemporaryStore::TemporaryStore() {
    const std::filesystem::path parent = parent_folder();
    remove_abandoned(parent);
    folder_ = (parent / (std::string(kPrefix) + std::string(kUnique))).string();
    if (::mkdtemp(folder_.data()) == nullptr)
        throw Error(folder_ + ": cannot make the folder: " + system_reason(errno), 4);
    lock();
}

TemporaryStore::TemporaryStore(const std::string& path)
    : folder_(std::filesystem::path(path).parent_path().string()), is_kept_(true) {
    lock();
}

bool TemporaryStore::is_one(const std::string& path) {
    const std::filesystem::path file(path);
    const std::filesystem::path folder = file.parent_path();
    std::error_code error;
    return file.filename() == kFile && is_named_so(folder) &&
           std::filesystem::equivalent(folder.parent_path(), parent_folder(), error) && !error;
}

std::string TemporaryStore::path() const {
    return folder_ + "/" + std::string(kFile);
}

void TemporaryStore::lock() {
    lock_ = File::open_locked(folder_ + "/" + std::string(kOpen), File::Lock::Wait);
}

TemporaryStore::~TemporaryStore() {
    std::error_code ignored;
    if (is_kept_) {
        std::filesystem::remove(folder_ + "/" + std::string(kOpen), ignored);
    } else {
        remove_store(folder_);
    }
}

}  // namespace assay::cli
