#pragma once
#include <string>

namespace assay::harness {

/// A folder on the local disk (TMPDIR, else /tmp) that no other user can read or foresee the name
/// of. It goes with the object. The constructor throws Error (exit code 4).
class TempFolder {
public:
    TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    ~TempFolder();

    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

}  // namespace assay::harness
