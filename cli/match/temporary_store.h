#pragma once
#include <string>

namespace assay::cli {

/// A store in the system's folder of temporary files, for a match that nobody wants to keep. It
/// goes with the object, unless it is kept. Those of processes that were killed are removed when
/// the next one is made.
class TemporaryStore {
public:
    /// Throws Error where it cannot be made.
    TemporaryStore();
    /// One that was kept. REQUIRES: is_one(path).
    explicit TemporaryStore(const std::string& path);
    TemporaryStore(const TemporaryStore&) = delete;
    TemporaryStore& operator=(const TemporaryStore&) = delete;
    ~TemporaryStore();

    /// Whether the path is that of such a store.
    [[nodiscard]] static bool is_one(const std::string& path);

    /// Of the file; of a new one it is not there yet.
    [[nodiscard]] std::string path() const;

    /// Leaves it behind.
    void keep();

private:
    std::string folder_;
    bool is_kept_ = false;
};

}  // namespace assay::cli
