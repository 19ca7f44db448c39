#include "adapters/process/sealed_files.h"

#include "base/diagnostic.h"
#include "base/sha256.h"

namespace assay::adapters {

std::optional<std::string> find_change(const std::vector<SealedFile>& files) {
    constexpr std::size_t kShownDigits = 12;
    for (const SealedFile& file : files) {
        try {
            const std::string now = remembered_sha256_of_file(file.path);
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
