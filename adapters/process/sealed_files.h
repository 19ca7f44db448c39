#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"
#include "base/file.h"

namespace assay::adapters {

/// Tells whether files still have the content that they were hashed with. A file is hashed again
/// where its stamp has changed, so that a copy of the same bytes is no change, and where it was
/// written less than 2 s before, when another write could leave the same stamp. Any thread may
/// call.
class SealedFiles {
public:
    /// What is wrong with the first file that is another one now, or gone: a sentence fragment with
    /// its path. Nullopt: all are as they were.
    [[nodiscard]] std::optional<std::string> find_change(const std::vector<SealedFile>& files);

private:
    struct Known {
        FileStamp stamp;
        std::string sha256;
    };

    [[nodiscard]] std::string hash_of(const std::string& path);

    std::mutex mutex_;  // held while a file is hashed, so that nobody hashes it a second time
    std::map<std::string, Known> known_;
};

}  // namespace assay::adapters
