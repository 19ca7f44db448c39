#include "adapters/process/sealed_files.h"

#include <chrono>
#include <cstdint>

#include "base/diagnostic.h"
#include "base/sha256.h"

namespace assay::adapters {

namespace {

constexpr std::size_t kShownDigits = 12;

/// A file system may not tell two writes apart that are closer than this (FAT: 2 s).
constexpr std::int64_t kTickNs = 2'000'000'000;

std::int64_t wall_ns() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string SealedFiles::hash_of(const std::string& path) {
    // The stamp comes first: a write while the file is hashed is seen at the next look.
    const FileStamp stamp = File::open_regular(path).stamp();
    const auto found = known_.find(path);
    if (found != known_.end() && found->second.stamp == stamp) return found->second.sha256;
    const std::int64_t now = wall_ns();
    std::string hash = sha256_of_file(path);
    // A file that was written just now may be written again with the same stamp, so it is hashed
    // again at the next look.
    known_.erase(path);
    if (now - stamp.changed_ns > kTickNs) known_[path] = {stamp, hash};
    return hash;
}

std::optional<std::string> SealedFiles::find_change(const std::vector<SealedFile>& files) {
    const std::lock_guard lock(mutex_);
    for (const SealedFile& file : files) {
        try {
            const std::string now = hash_of(file.path);
            if (now == file.sha256) continue;
            return file.path + " was replaced during the run (SHA-256 " +
                   file.sha256.substr(0, kShownDigits) + "… at its start, now " +
                   now.substr(0, kShownDigits) + "…)";
        } catch (const Error& error) {
            return std::string(error.what()) + " (it was there when the run began)";
        }
    }
    return std::nullopt;
}

}  // namespace assay::adapters
