#include "harness/program_file.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

#include "base/diagnostic.h"
#include "harness/hash.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

bool is_executable_file(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string from_path(std::string_view name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const variable = std::getenv("PATH");
    std::string_view rest = variable == nullptr ? "/usr/bin:/bin" : variable;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = std::string(rest.substr(0, end)) + "/" + std::string(name);
        if (is_executable_file(candidate)) return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

}  // namespace

std::string resolve_executable(const ProgramPlan& program) {
    if (program.command.empty()) {
        throw Error("program '" + program.name +
                    "': no command; write command: [path, argument …]");
    }
    const std::string& name = program.command.front();
    if (name.find('/') == std::string::npos) {
        const std::string found = from_path(name);
        if (!found.empty()) return found;
        throw Error("program '" + program.name + "': '" + name +
                    "' is not in PATH; give its full path");
    }
    const fs::path path = fs::path(name).is_absolute() || program.dir.empty()
                              ? fs::path(name)
                              : fs::path(program.dir) / name;
    std::error_code error;
    if (!fs::exists(path, error)) {
        throw Error("program '" + program.name + "': there is no file '" + path.string() + "'");
    }
    if (!is_executable_file(path.string())) {
        throw Error("program '" + program.name + "': '" + path.string() +
                    "' is not an executable file; try chmod +x");
    }
    return fs::absolute(path).string();
}

const std::string& FileHashes::of(const std::string& path) {
    const auto found = known_.find(path);
    if (found != known_.end()) return found->second;
    return known_.emplace(path, sha256_of_file(path)).first->second;
}

VersionRecord version_of(const ProgramPlan& program, FileHashes& hashes) {
    VersionRecord version;
    version.name = program.name;
    version.path = resolve_executable(program);
    version.sha256 = hashes.of(version.path);
    for (const auto& [option, value] : program.options) {
        const fs::path file = fs::path(value).is_absolute() || program.dir.empty()
                                  ? fs::path(value)
                                  : fs::path(program.dir) / value;
        std::error_code error;
        if (value.find('/') == std::string::npos && value.find('.') == std::string::npos) continue;
        if (fs::is_regular_file(file, error)) {
            version.files.emplace_back(file.string(), hashes.of(file.string()));
        }
    }
    return version;
}

}  // namespace assay::harness
