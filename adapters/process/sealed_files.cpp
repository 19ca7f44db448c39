#include "adapters/process/sealed_files.h"

#include "base/diagnostic.h"
#include "base/sha256.h"

namespace assay::adapters {

namespace {

constexpr std::size_t kShownDigits = 12;

}  // namespace

std::string SealedFiles::hash_of(const std::string& path) {
    // The stamp comes first: a write while the file is hashed is seen at the next look.
    const FileStamp stamp = File::open_regular(path).stamp();
    const auto found = known_.find(path);
    if (found != known_.end() && found->second.stamp == stamp) return found->second.sha256;
    std::string hash = sha256_of_file(path);
    known_[path] = {stamp, hash};
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
