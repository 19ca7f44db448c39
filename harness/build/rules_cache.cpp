#include "harness/build/rules_cache.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/diagnostic.h"
#include "base/replaced_file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "harness/build/environment.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kCompilerDigits = 16;
constexpr std::uint64_t kMostOutput = 1U << 20U;
const std::vector<std::string> kFlags{"-std=c99", "-O3", "-shared", "-fPIC"};

/// A name in the folder that goes when this goes.
class Removed {
public:
    explicit Removed(std::string path) : path_(std::move(path)) {}

    Removed(const Removed&) = delete;
    Removed& operator=(const Removed&) = delete;

    ~Removed() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace

RulesCache::RulesCache(adapters::CommandRunner& runner, std::string folder,
                       std::vector<std::string> compiler, Micros most_time)
    : runner_(runner),
      folder_(std::move(folder)),
      compiler_(std::move(compiler)),
      most_time_(most_time) {}

std::string RulesCache::usual_folder() {
    if (const std::string cache = environment_variable("XDG_CACHE_HOME"); cache.starts_with('/')) {
        return cache + "/assay/rules";
    }
    const std::string home = environment_variable("HOME");
    return home.starts_with('/') ? home + "/.cache/assay/rules" : "";
}

/// Of compiler, version and flags; empty where there is no compiler, and missing_ says so.
const std::string& RulesCache::key() {
    if (!key_.empty() || !missing_.empty()) return key_;
    adapters::ProgramSpec spec;
    spec.name = compiler_.front();
    spec.argv = compiler_;
    spec.argv.emplace_back("--version");
    std::string said;
    const adapters::CommandEnd end = runner_.run(
        spec, {most_time_, kMostOutput}, [&](std::string_view bytes, bool) { said += bytes; });
    if (!end.is_success()) {
        missing_ = "there is no C compiler '" + printable_utf8(compiler_.front()) + "' (" +
                   end.reason + ")";
        return key_;
    }
    for (const std::string& word : compiler_) said += '\0' + word;
    for (const std::string& word : kFlags) said += '\0' + word;
    return key_ = sha256_of(said).substr(0, kCompilerDigits);
}

/// Empty, or why the folder cannot be used.
std::string RulesCache::make_folder() const {
    if (folder_.empty()) return "there is no folder for them: set HOME or XDG_CACHE_HOME";
    std::error_code failed;
    fs::create_directories(fs::path(folder_).parent_path(), failed);
    if (::mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        return "cannot make the folder " + printable_utf8(folder_) + " (" +
               std::generic_category().message(errno) + ")";
    }

    struct stat status {};

    if (::lstat(folder_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        return printable_utf8(folder_) + " is no folder";
    }
    if (status.st_uid != ::geteuid() || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return "the folder " + printable_utf8(folder_) +
               " must belong to you alone (chmod 700 it, or remove it)";
    }
    return "";
}

/// Empty, or why there is no object.
std::string RulesCache::build(const std::string& c_text, const std::string& object) {
    const Removed source(object + "." + std::to_string(::getpid()) + ".c");
    const Removed made(object + "." + std::to_string(::getpid()) + ".new");
    try {
        ReplacedFile file(source.path());
        file.write(c_text);
        file.commit();
    } catch (const Error& error) {
        return error.what();
    }
    adapters::ProgramSpec spec;
    spec.name = compiler_.front();
    spec.argv = compiler_;
    spec.argv.insert(spec.argv.end(), kFlags.begin(), kFlags.end());
    spec.argv.insert(spec.argv.end(), {"-o", made.path(), source.path()});
    std::string said;
    const adapters::CommandEnd end = runner_.run(
        spec, {most_time_, kMostOutput}, [&](std::string_view bytes, bool) { said += bytes; });
    if (!end.is_success()) {
        const std::string first(trim(said.substr(0, said.find('\n'))));
        return "the C compiler " + end.reason + (first.empty() ? "" : ": " + printable_utf8(first));
    }
    std::error_code failed;
    fs::permissions(made.path(), fs::perms::owner_read | fs::perms::owner_write, failed);
    if (!failed) fs::rename(made.path(), object, failed);
    return failed ? "the object cannot be put into the cache (" + failed.message() + ")" : "";
}

BuiltRules RulesCache::object_of(const std::string& c_text, const std::string& hash) {
    BuiltRules built;
    if (key().empty()) {
        built.reason = missing_;
        return built;
    }
    built.reason = make_folder();
    if (!built.reason.empty()) return built;
    const std::string object = folder_ + "/" + hash + "-" + key_ + ".so";
    std::error_code ignored;
    if (!fs::exists(object, ignored)) {
        built.reason = build(c_text, object);
        if (!built.reason.empty()) return built;
        built.was_built = true;
    }
    built.object = object;
    return built;
}

}  // namespace assay::harness
