#include "adapters/process/sealed_files.h"

#include "base/diagnostic.h"
#include "base/sha256.h"

namespace assay::adapters {

std::optional<FileChange> find_change(const std::vector<SealedFile>& files) {
    constexpr std::size_t kShownDigits = 12;
    constexpr int kMachineFault = 4;  // an Error's exit code
    for (const SealedFile& file : files) {
        try {
            const std::string now = remembered_sha256_of_file(file.path);
            if (now == file.sha256) continue;
            return FileChange{file.path + " was replaced during the run (SHA-256 " +
                              file.sha256.substr(0, kShownDigits) + "… at its start, now " +
                              now.substr(0, kShownDigits) + "…)"};
        } catch (const Error& error) {
            if (error.exit_code() == kMachineFault) return FileChange{error.what(), true};
            return FileChange{std::string(error.what()) + " (it was there when the run began)"};
        }
    }
    return std::nullopt;
}

}  // namespace assay::adapters
