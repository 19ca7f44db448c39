#pragma once
#include <string>

namespace assay::harness {

/// A start that fails leaves no file behind: where no store stood, what was made of it is taken
/// away again unless it is kept.
class NewStore {
public:
    /// REQUIRES: this process holds the store's lock (StoreLock) as long as the object lives, and
    /// opens the store later and closes it earlier.
    explicit NewStore(std::string path);
    NewStore(const NewStore&) = delete;
    NewStore& operator=(const NewStore&) = delete;
    ~NewStore();

    void keep() { is_ours_ = false; }

private:
    std::string path_;
    bool is_ours_;
};

}  // namespace assay::harness
