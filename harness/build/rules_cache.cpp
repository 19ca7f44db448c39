#include "harness/build/rules_cache.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "rules/multigame/object/object_files.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kCompilerDigits = 16;
constexpr std::uint64_t kMostOutput = 1U << 20U;
constexpr Micros kMostBuildTime = std::chrono::minutes(3);
constexpr std::string_view kSourceEnding = ".c";
// Without -s the object names its source, which is another one in each build, so that equal rules
// would leave several objects.
const std::vector<std::string> kFlags{"-std=c99", "-O3", "-shared", "-fPIC", "-s"};

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

/// Says once that a compiler is waited for, unless this goes before.
class WaitNotice {
public:
    WaitNotice(const SayOfCompiler& told, const std::string& compiler, Micros most_time) {
        if (!told.say) return;
        waiting_ = std::jthread([told, compiler, most_time](const std::stop_token& stop) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any never;
            never.wait_for(lock, stop, told.after, [] { return false; });
            if (stop.stop_requested()) return;
            told.say(fmt::format("waiting for the C compiler '{}' ({} s at most)",
                                 printable_utf8(compiler), most_time.count() / 1'000'000));
        });
    }

private:
    std::jthread waiting_;
};

/// What a compiler says of itself; nullopt where it does not answer, and `reason` says why.
std::optional<std::string> version_of(adapters::CommandRunner& runner,
                                      const std::vector<std::string>& compiler, Micros most_time,
                                      const SayOfCompiler& say, std::string& reason) {
    const WaitNotice notice(say, compiler.front(), most_time);
    adapters::ProgramSpec spec;
    spec.name = compiler.front();
    spec.argv = compiler;
    spec.argv.emplace_back("--version");
    std::string said;
    const adapters::CommandEnd end = runner.run(
        spec, {most_time, kMostOutput}, [&](std::string_view bytes, bool) { said += bytes; });
    if (end.is_success()) return said;
    reason =
        "there is no C compiler '" + printable_utf8(compiler.front()) + "' (" + end.reason + ")";
    return std::nullopt;
}

/// Empty, or why there is no object.
std::string compile(adapters::CommandRunner& runner, const std::vector<std::string>& compiler,
                    Micros most_time, const SayOfCompiler& say, const std::string& source,
                    const std::string& object) {
    const WaitNotice notice(say, compiler.front(), most_time);
    adapters::ProgramSpec spec;
    spec.name = compiler.front();
    spec.argv = compiler;
    spec.argv.insert(spec.argv.end(), kFlags.begin(), kFlags.end());
    spec.argv.insert(spec.argv.end(), {"-o", object, source});
    std::string said;
    const adapters::CommandEnd end = runner.run(
        spec, {most_time, kMostOutput}, [&](std::string_view bytes, bool) { said += bytes; });
    if (end.is_success()) return "";
    const std::string first(trim(said.substr(0, said.find('\n'))));
    return "the C compiler " + end.reason + (first.empty() ? "" : ": " + printable_utf8(first));
}

}  // namespace

const std::vector<std::string>& c_compilers() {
    static const std::vector<std::string> names{"cc", "gcc", "clang", "tcc"};
    return names;
}

std::string build_object(adapters::CommandRunner& runner, const std::string& source,
                         const std::string& object, const SayOfCompiler& say) {
    std::string reason;
    for (const std::string& name : c_compilers()) {
        if (!version_of(runner, {name}, kMostBuildTime, say, reason)) continue;
        return compile(runner, {name}, kMostBuildTime, say, source, object);
    }
    return "there is no C compiler (" + joined(c_compilers(), ", ") + ")";
}

RulesCache::RulesCache(adapters::CommandRunner& runner, std::string folder,
                       std::vector<std::string> compiler, Micros most_time, SayOfCompiler say)
    : runner_(runner),
      folder_(std::move(folder)),
      compiler_(std::move(compiler)),
      most_time_(most_time),
      say_(std::move(say)) {}

/// Of compiler, version and flags; empty where there is no compiler, and missing_ says so.
const std::string& RulesCache::key() {
    if (!key_.empty() || !missing_.empty()) return key_;
    auto version = version_of(runner_, compiler_, most_time_, say_, missing_);
    if (!version) return key_;
    std::string said = std::move(*version);
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

/// Of builds that ended without removing them. The files of one build share what stands before
/// kSourceEnding.
void RulesCache::remove_leftovers() const {
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failed)) {
        const std::string source = entry.path().string();
        if (!source.ends_with(kSourceEnding)) continue;
        try {
            const auto lock = File::open_locked(source, File::Lock::Try);
            if (!lock) continue;  // it is being built
            const std::string own = source.substr(0, source.size() - kSourceEnding.size());
            for (const fs::directory_entry& other : fs::directory_iterator(folder_, failed))
                if (other.path().string().starts_with(own + ".new"))
                    fs::remove(other.path(), failed);
            fs::remove(source, failed);
        } catch (const Error&) {
            continue;  // a link or a folder, which is not ours
        }
    }
}

BuiltRules RulesCache::build(const std::string& c_text, const std::string& hash,
                             const Trial& trial) {
    BuiltRules built;
    built.reason = key().empty() ? missing_ : make_folder();
    if (!built.reason.empty()) return built;
    const std::string stem = folder_ + "/" + hash + "-" + key_ + "-";
    // The same process may have another number in another container.
    const std::string own = fmt::format("{}{}-{:08x}", stem, ::getpid(), std::random_device()());
    const Removed source(own + std::string(kSourceEnding));
    const Removed made(own + ".new");
    try {
        remove_leftovers();
        const auto lock = File::open_locked(source.path(), File::Lock::Wait);
        lock->write(c_text);
        built.reason = compile(runner_, compiler_, most_time_, say_, source.path(), made.path());
        if (!built.reason.empty()) return built;
        fs::permissions(made.path(), fs::perms::owner_read | fs::perms::owner_write);
        if (trial) built.reason = trial(made.path());
        if (!built.reason.empty()) return built;
        const std::string sum = rules::multigame::sum_of_object(read_file(made.path()));
        const std::string object = stem + sum + ".so";
        fs::rename(made.path(), object);
        built.object = object;
    } catch (const fs::filesystem_error& error) {
        built.reason = "the object cannot be put into the cache (" + error.code().message() + ")";
    } catch (const Error& error) {
        built.reason = error.what();
    }
    return built;
}

}  // namespace assay::harness
