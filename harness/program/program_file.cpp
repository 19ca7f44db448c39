#include "harness/program/program_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "adapters/process/exec_failure.h"
#include "adapters/process/process.h"
#include "base/diagnostic.h"
#include "base/sha256.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

bool is_executable_file(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string resolve_executable(const ProgramPlan& program) {
    if (program.command.empty()) {
        throw Error("program '" + program.name +
                    "': no command; write command: [path, argument …]");
    }
    const std::string& name = program.command.front();
    if (name.find('/') == std::string::npos) {
        std::string found = adapters::find_program(name);
        if (!found.empty()) return found;
        throw Error("program '" + program.name + "': '" + name + "' " +
                    adapters::not_in_path_text(name));
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
                    "': " + adapters::exec_failure_text(path.string(), EACCES));
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
