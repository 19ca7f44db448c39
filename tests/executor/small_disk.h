#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/child.h"

namespace assay::test {

/// A file system of 2 MB in a folder, where this user may mount one.
class SmallDisk {
public:
    explicit SmallDisk(std::string path) : path_(std::move(path)) {
        std::filesystem::create_directories(path_);
        is_mounted_ =
            run({"mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", path_}, "/tmp").code == 0;
    }

    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    ~SmallDisk() {
        if (is_mounted_) (void)run({"umount", "-l", path_}, "/tmp");
    }

    [[nodiscard]] bool is_mounted() const { return is_mounted_; }

    /// "ro" or "rw"; whether it could be done.
    [[nodiscard]] bool remount(const std::string& how) const {
        return run({"mount", "-o", "remount," + how, path_}, "/tmp").code == 0;
    }

private:
    std::string path_;
    bool is_mounted_ = false;
};

}  // namespace assay::test
