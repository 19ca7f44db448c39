#include "harness/executor/folder/shipped_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "harness/program/program_file.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;
constexpr std::size_t kShaOfFolder = 16;  // digits
constexpr mode_t kOfOwner = 0700;

/// Software of the system: it belongs where it is, with what lies beside it, and no user rebuilds
/// it.
bool is_installed(const std::string& path) {
    constexpr std::array<std::string_view, 8> kInstalled{"/usr/",   "/bin/", "/sbin/", "/lib/",
                                                         "/lib64/", "/opt/", "/nix/",  "/snap/"};
    return std::ranges::any_of(
        kInstalled, [&path](std::string_view folder) { return path.starts_with(folder); });
}

std::string blob_of(const std::string& sha256) {
    return "blobs/" + sha256;
}

/// Who may not write a copy has the same trouble as who has no room for it: the exit code is 4.
File create_copy(const std::string& path) {
    try {
        return File::create(path);
    } catch (const Error& error) {
        throw Error(error.what(), 4);
    }
}

/// Copies the file, executable for its owner, and returns its SHA-256. What it throws leaves a part
/// of the copy.
std::string copy_hashed(const std::string& from, const std::string& to) {
    const File source = File::open_regular(from);
    const File target = create_copy(to);
    Sha256 hash;
    std::string piece(kPieceBytes, '\0');
    while (const std::size_t size = source.read_next(piece.data(), piece.size())) {
        const std::string_view bytes = std::string_view(piece).substr(0, size);
        hash.add(bytes);
        target.write(bytes);
    }
    if (::fchmod(target.descriptor(), kOfOwner) != 0 || ::fsync(target.descriptor()) != 0)
        throw_file_error(to, "write", errno);
    return hash.hex();
}

void ship_file(const adapters::SealedFile& file, const SlurmFolder& folder) {
    std::error_code error;
    const std::string blob = folder.file(blob_of(file.sha256));
    if (fs::exists(blob, error) || is_installed(file.path)) return;
    const std::uintmax_t size = fs::file_size(file.path, error);
    if (error || size > kMostShippedBytes) return;
    const std::string copy =
        folder.file(fmt::format("tmp/{}.{}", file.sha256.substr(0, kShaOfFolder), ::getpid()));
    bool is_same = false;
    try {
        is_same = copy_hashed(file.path, copy) == file.sha256;
    } catch (const Error&) {
        fs::remove(copy, error);
        throw;
    }
    if (is_same) {
        fs::rename(copy, blob, error);
        if (!error) return;
    }
    const std::string reason = error.message();
    fs::remove(copy, error);
    if (is_same) throw Error(fmt::format("{}: cannot write: {}", printable_utf8(blob), reason), 4);
    throw Error(fmt::format(
        "{}: it is another file than when the run began (SHA-256); put the old one back, or start "
        "a new run without --resume",
        printable_utf8(file.path)));
}

/// The folder that a program is started in, as BuildCache::placed() has it.
std::string folder_of(const ProgramPlan& program, const VersionRecord& version) {
    if (!program.git || !version.build || fs::path(program.dir).is_absolute()) return program.dir;
    const std::string& tree = version.build->folder;
    return program.dir.empty() ? tree : (fs::path(tree) / program.dir).lexically_normal().string();
}

/// On such a file system nothing can be started.
bool is_without_execution(const std::string& folder) {
    struct statvfs facts {};

    return ::statvfs(folder.c_str(), &facts) == 0 && (facts.f_flag & ST_NOEXEC) != 0;
}

}  // namespace

void ship_programs(const RunRecord& run, const SlurmFolder& folder) {
    for (const VersionRecord& version : run.versions) {
        if (version.sha256.empty()) continue;  // left out, or not built
        for (const adapters::SealedFile& file : sealed_files(version)) ship_file(file, folder);
    }
}

ShippedFiles::ShippedFiles(const SlurmFolder& folder, const RunRecord& run,
                           const std::vector<std::size_t>& programs, const std::string& local) {
    std::error_code ignored;
    fs::create_directories(local, ignored);  // what fails is told by the first copy
    const bool plays_blobs = is_without_execution(local);
    std::set<std::pair<std::string, std::string>> made;
    for (const std::size_t program : programs) {
        for (const auto& [path, sha256] : sealed_files(run.versions.at(program))) {
            const std::string blob = folder.file(blob_of(sha256));
            std::error_code error;
            if (sha256.empty() || !fs::exists(blob, error)) continue;
            // A program may go by its name, and the kinds of its files by their endings.
            const std::string name = fs::path(path).filename().string();
            const fs::path own = fs::path(local) / sha256.substr(0, kShaOfFolder);
            copies_[path] = plays_blobs ? blob : (own / name).string();
            if (plays_blobs || !made.emplace(sha256, name).second) continue;
            fs::create_directories(own, error);
            if (copy_hashed(blob, copies_[path]) == sha256) continue;
            throw Error(
                fmt::format("{}: it is damaged: its SHA-256 is not its name; remove it, and "
                            "the run's next --resume copies the file anew",
                            printable_utf8(blob)),
                4);
        }
    }
}

void ShippedFiles::place(RunRecord& run) const {
    const auto copy_of = [this](const std::string& path) {
        const auto found = copies_.find(path);
        return found == copies_.end() ? path : found->second;
    };
    for (std::size_t i = 0; i < run.versions.size(); ++i) {
        VersionRecord& version = run.versions[i];
        ProgramPlan& program = run.plan.programs[i];
        // As version_of() has found it, which for a program from git looks in the built tree.
        const std::string dir = folder_of(program, version);
        const auto place_value = [&](std::string& value) {
            const bool is_placed = fs::path(value).is_absolute() || dir.empty();
            const std::string path = is_placed ? value : (fs::path(dir) / value).string();
            const bool is_known = std::ranges::any_of(
                version.files, [&path](const auto& file) { return file.first == path; });
            if (is_known && copies_.contains(path)) value = copies_.at(path);
        };
        const auto place_words = [&](std::vector<std::string>& command) {
            for (std::size_t word = 1; word < command.size(); ++word) {
                std::string& text = command[word];
                place_value(text);
                const std::size_t equals = text.find('=');
                if (equals == std::string::npos) continue;
                std::string value = text.substr(equals + 1);
                place_value(value);
                text = text.substr(0, equals + 1) + value;
            }
        };
        for (auto& [option, value] : program.options) place_value(value);
        place_words(program.command);
        if (program.bench) place_words(program.bench->command);
        // A benchmark starts these words, and not the version's path.
        if (const std::string own = copy_of(version.path);
            own != version.path && !program.command.empty()) {
            const std::string old = std::exchange(program.command.front(), own);
            if (program.bench && !program.bench->command.empty() &&
                program.bench->command.front() == old)
                program.bench->command.front() = own;
        }
        version.path = copy_of(version.path);
        for (auto& [path, sha256] : version.files) path = copy_of(path);
    }
}

}  // namespace assay::harness
