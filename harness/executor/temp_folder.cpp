#include "harness/executor/temp_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"

namespace assay::harness {

TempFolder::TempFolder() {
    const char* const parent = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    const bool is_named = parent != nullptr && *parent != '\0';
    path_ = std::string(is_named ? parent : "/tmp") + "/assay-run-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr)
        throw Error(fmt::format("{}: cannot make a folder there (TMPDIR): {}",
                                printable_utf8(path_), system_reason(errno)),
                    4);
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace assay::harness
