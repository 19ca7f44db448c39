// Which files make a program what it is. The executable alone would not: networks, scripts, jar
// files and configs are named by its words and options, and a change in them is another program
// under the same name. So each word and each value that names a regular file is hashed with it.
// Files that the program writes as it plays (logs, learning files) are left out by their names,
// since they differ after the first game; a name is a guess, but a wrong one only costs a message.
#include "harness/program/program_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "adapters/process/exec_failure.h"
#include "adapters/process/process.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"

namespace assay::harness {

namespace fs = std::filesystem;

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
    if (!adapters::is_executable_file(path.string())) {
        throw Error("program '" + program.name + "': '" + path.string() +
                    "': " + adapters::exec_failure_text(path.string(), EACCES));
    }
    return fs::absolute(path).string();
}

namespace {

/// A file that the program writes as it plays, by its name or by that of the flag or option that
/// names it: its content tells nothing about the program.
bool is_written_by_program(const std::string& name, const fs::path& file) {
    const std::string flag = lower(name);
    const std::string ending = lower(file.extension().string());
    const auto has = [&flag](std::string_view word) {
        return flag.find(word) != std::string::npos;
    };
    return has("log") || has("learn") || has("experience") || ending == ".log" ||
           ending == ".txt" || ending == ".pgn" || ending == ".exp";
}

bool is_native(const std::string& executable) {
    constexpr std::string_view kElf =
        "\x7f"
        "ELF";
    return read_start(executable, kElf.size()) == kElf;
}

/// The files that a program's words and option values name.
class FilesOf {
public:
    FilesOf(const ProgramPlan& program, VersionRecord& version)
        : program_(program), version_(version) {}

    /// `name`: of the flag or option whose value it is; may be empty.
    void add(const std::string& name, const std::string& value) {
        const bool is_placed = fs::path(value).is_absolute() || program_.dir.empty();
        const fs::path file = is_placed ? fs::path(value) : fs::path(program_.dir) / value;
        std::error_code error;
        if (value.empty() || !fs::is_regular_file(file, error)) return;
        if (is_written_by_program(name, file)) return;
        const std::string path = file.string();
        const auto is_known = [&path](const auto& known) { return known.first == path; };
        if (std::ranges::any_of(version_.files, is_known)) return;
        version_.files.emplace_back(path, remembered_sha256_of_file(path));
    }

private:
    const ProgramPlan& program_;
    VersionRecord& version_;
};

}  // namespace

bool is_native_in(const std::string& folder, const std::string& executable) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(executable, error);
    const fs::path inside = real.lexically_relative(fs::weakly_canonical(folder, error));
    return !inside.empty() && *inside.begin() != ".." && is_native(executable);
}

VersionRecord version_of(const ProgramPlan& program) {
    VersionRecord version;
    version.name = program.name;
    version.path = resolve_executable(program);
    version.sha256 = remembered_sha256_of_file(version.path);
    if (!is_native(version.path))
        version.surroundings = fs::path(version.path).parent_path().lexically_normal().string();
    FilesOf files(program, version);
    for (const auto& [option, value] : program.options) {
        if (value.find('/') == std::string::npos && value.find('.') == std::string::npos) continue;
        files.add(option, value);
    }
    // A script or an archive that an interpreter runs, or "--weights=FILE".
    std::string before;
    for (std::size_t i = 1; i < program.command.size(); ++i) {
        const std::string& word = program.command[i];
        const std::size_t equals = word.find('=');
        files.add(before, word);
        if (equals != std::string::npos) files.add(word.substr(0, equals), word.substr(equals + 1));
        before = word.starts_with('-') ? word : "";
    }
    return version;
}

std::vector<adapters::SealedFile> sealed_files(const VersionRecord& version) {
    std::vector<adapters::SealedFile> files{{version.path, version.sha256}};
    for (const auto& [path, sha256] : version.files) files.push_back({path, sha256});
    return files;
}

}  // namespace assay::harness
