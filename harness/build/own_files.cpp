#include "harness/build/own_files.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "harness/build/build_cache.h"
#include "harness/record/suite.h"

namespace assay::harness {

namespace fs = std::filesystem;

std::vector<std::string> files_of_store(const std::string& store) {
    std::vector<std::string> files;
    for (const char* const end : {"", "-wal", "-shm", "-journal", ".lock", ".live"}) {
        files.push_back(store + end);
    }
    files.push_back(builds_folder(store));
    files.push_back(trees_folder(store));
    return files;
}

std::vector<std::string> own_files(const std::string& store,
                                   const std::vector<std::string>& outputs) {
    std::vector<std::string> files = files_of_store(store);
    files.insert(files.end(), outputs.begin(), outputs.end());
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat status {};

        if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        std::error_code error;
        const fs::path path = fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), error);
        if (!error) files.push_back(path.string());
    }
    return files;
}

}  // namespace assay::harness
