#pragma once
#include <optional>
#include <string>

#include "base/file.h"

namespace assay::cli {

/// A store in the system's folder of temporary files, for a match whose run is not kept. The
/// destructor deletes a new one unless keep() was called, and an earlier one only after discard().
/// Stores of matches that ended by SIGKILL are deleted a day later, when the next one is made.
class TemporaryStore {
public:
    /// Throws Error where it cannot be made.
    TemporaryStore();
    /// One of an earlier match that was interrupted or killed. REQUIRES: is_one(path).
    explicit TemporaryStore(const std::string& path);
    TemporaryStore(const TemporaryStore&) = delete;
    TemporaryStore& operator=(const TemporaryStore&) = delete;
    ~TemporaryStore();

    /// Whether the path is that of such a store.
    [[nodiscard]] static bool is_one(const std::string& path);

    /// Of the file; of a new one it is not there yet.
    [[nodiscard]] std::string path() const;

    void keep() { is_kept_ = true; }

    void discard() { is_kept_ = false; }

private:
    void lock();

    std::string folder_;
    std::optional<File> lock_;
    bool is_kept_ = false;
};

}  // namespace assay::cli
