#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace assay::test {

/// A fresh folder that goes with the object.
class TempDir {
public:
    TempDir() {
        std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
    }

    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    ~TempDir() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] const std::string& root() const { return root_; }

    [[nodiscard]] std::string path(const std::string& name) const { return root_ + "/" + name; }

private:
    std::string root_;
};

}  // namespace assay::test
