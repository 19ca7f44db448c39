// Builds of commits, kept beside the store. A build is known by everything that can change it: the
// commit and its files, the steps, flags in the environment, the versions of the compilers that the
// steps may use, and the processor, since -march=native is usual. With it the hash of its program
// is kept: one that was replaced or deleted is built again. Another assay that wants the same build
// waits for it at a lock. A build that fails leaves its log and no tree.
#include "harness/build/build_cache.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/credentials.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "harness/build/build_log.h"
#include "harness/build/confined_build.h"
#include "harness/build/environment.h"
#include "harness/build/machines_failure.h"
#include "harness/machine/machine.h"
#include "harness/program/program_file.h"

namespace assay::harness {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr std::uint64_t kMostLogBytes = 64U << 20U;
constexpr std::size_t kKeyDigits = 16;
constexpr int kTailLines = 20;
constexpr std::size_t kTailBytes = 4000;

std::string shown(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + printable_utf8(without_credentials(word));
    return line;
}

/// The last lines of a log, few enough for a message.
std::string tail_of(const std::string& text) {
    std::size_t at = text.size();
    for (int line = 0; line < kTailLines && at > 0 && text.size() - at < kTailBytes; ++line) {
        const std::size_t before = text.rfind('\n', at - 1);
        at = before == std::string::npos || at == 1 ? 0 : before;
        if (at == 0) break;
    }
    return std::string(trim(text.substr(at)));
}

/// Waits for another assay that makes the same build.
File locked(const std::string& path) {
    try {
        return *File::open_locked(path, File::Lock::Wait);
    } catch (const Error& error) {
        throw Error(error.what(), 4);
    }
}

/// The compilers that a build may use: those that its steps name, those of the environment, and the
/// usual ones.
std::vector<std::string> compilers_of(const GitPlan& plan) {
    std::set<std::string> names{"cc", "c++"};
    for (const char* name : {"CC", "CXX"}) {
        const std::vector<std::string_view> words = split_words(environment_variable(name));
        // A value may begin with a launcher: "ccache g++".
        if (!words.empty()) names.emplace(words.back());
    }
    for (const auto& step : plan.build) {
        for (const std::string& word : step) {
            for (const std::string_view lead : {"CC=", "CXX="}) {
                if (!word.starts_with(lead)) continue;
                const auto words = split_words(std::string_view(word).substr(lead.size()));
                if (!words.empty()) names.emplace(words.back());
            }
        }
        if (!step.empty() && step.front() == "cargo") names.insert("rustc");
        if (!step.empty() && step.front() == "go") names.insert("go");
    }
    return {names.begin(), names.end()};
}

std::string version_text(adapters::CommandRunner& runner, const std::string& compiler) {
    adapters::ProgramSpec spec;
    spec.name = compiler;
    spec.argv = {compiler, compiler == "go" ? "version" : "--version"};
    std::string out;
    const adapters::CommandLimits limits{std::chrono::seconds(20), 1U << 20U};
    (void)runner.run(spec, limits, [&](std::string_view bytes, bool is_error) {
        if (!is_error) out += bytes;
    });
    return std::string(trim(out.substr(0, out.find('\n'))));
}

}  // namespace

std::string builds_folder(const std::string& store) {
    return fs::absolute(store).string() + ".builds";
}

BuildCache::BuildCache(adapters::CommandRunner& runner, std::string folder, Say say)
    : runner_(runner), folder_(std::move(folder)), say_(std::move(say)) {}

ProgramPlan BuildCache::placed(const ProgramPlan& program, const std::string& folder) {
    ProgramPlan placed = program;
    const auto absolute = [&](std::string& path) {
        path = fs::path(path).is_absolute() ? path
                                            : (fs::path(folder) / path).lexically_normal().string();
    };
    if (!placed.command.empty() && placed.command.front().find('/') != std::string::npos) {
        absolute(placed.command.front());
    }
    if (placed.dir.empty()) placed.dir = folder;
    absolute(placed.dir);
    if (placed.bench && !placed.bench->command.empty() &&
        placed.bench->command.front().find('/') != std::string::npos) {
        absolute(placed.bench->command.front());
    }
    placed.git.reset();
    return placed;
}

const std::string& BuildCache::compiler(const GitPlan& plan) {
    compiler_.clear();
    for (const std::string& name : compilers_of(plan)) {
        auto known = std::find_if(compilers_.begin(), compilers_.end(),
                                  [&](const auto& asked) { return asked.first == name; });
        if (known == compilers_.end()) {
            compilers_.emplace_back(name, version_text(runner_, name));
            known = std::prev(compilers_.end());
        }
        const bool is_said = compiler_.find(known->second) != std::string::npos;
        if (!known->second.empty() && !is_said) {
            compiler_ += (compiler_.empty() ? "" : "; ") + known->second;
        }
    }
    return compiler_;
}

Built BuildCache::build(const GitRepository& repository, const SourceRecord& source,
                        const ProgramPlan& program) {
    const GitPlan& plan = *program.git;
    Built built;
    BuildRecord& record = built.record;
    record.compiler = compiler(plan);
    json::array identity{source.commit, source.tree, record.compiler, this_machine().cpu};
    for (const char* name : {"CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "RUSTFLAGS"}) {
        identity.emplace_back(environment_variable(name));
    }
    identity.emplace_back(json::value_from(plan.build));
    identity.emplace_back(program.command.empty() ? "" : program.command.front());
    // Builds from before, and those that may do more, are others.
    if (program.confinement)
        identity.emplace_back(program.confinement->network ? "confined, network" : "confined");
    record.key = sha256_of(json::serialize(identity)).substr(0, kKeyDigits);

    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw Error(folder_ + ": cannot make the folder: " + error.message(), 4);
    const std::string place =
        fmt::format("{}/{}-{}", folder_, source.commit.substr(0, 10), record.key);
    record.folder = place + "/tree";
    record.log = place + "/log.txt";
    const File lock = locked(place + ".lock");
    if (is_kept(record, program)) {
        record.was_cached = true;
        return built;
    }
    fs::remove_all(place, error);
    make(repository, source, program, built);
    return built;
}

bool BuildCache::is_kept(const BuildRecord& record, const ProgramPlan& program) {
    const std::string marker = fs::path(record.folder).parent_path().string() + "/built.json";
    std::error_code error;
    if (!fs::exists(marker, error)) return false;
    const json::value kept = json::parse(read_file(marker), error);
    if (error || !kept.is_object()) return false;
    const json::value* const hash = kept.get_object().if_contains("sha256");
    if (hash == nullptr || !hash->is_string()) return false;
    try {
        const std::string path = resolve_executable(placed(program, record.folder));
        return sha256_of_file(path) == std::string_view(hash->get_string());
    } catch (const Error&) {
        return false;  // the program was deleted: build it again
    }
}

void BuildCache::make(const GitRepository& repository, const SourceRecord& source,
                      const ProgramPlan& program, Built& built) {
    const SteadyClock clock;
    const TimePoint start = clock.now();
    if (!program.git->build.empty() && say_) {
        say_(
            fmt::format("building {} at {} ({})", program.name, source.short_id(), source.subject));
    }
    try {
        repository.check_out(source.commit, built.record.folder, source.tree, objects());
        run_steps(program, built);
    } catch (const GitInterrupted&) {
        built.is_interrupted = true;
    }
    built.record.seconds = std::chrono::duration<double>(clock.now() - start).count();
    if (built.record.failure.empty() && !built.is_interrupted) keep(program, built);
    if (!built.record.failure.empty() || built.is_interrupted) {
        // The log stays; an unfinished tree is of no use.
        std::error_code error;
        fs::remove_all(built.record.folder, error);
    }
}

void BuildCache::run_steps(const ProgramPlan& program, Built& built) {
    const GitPlan& plan = *program.git;
    BuildLog log(built.record.log);
    std::uint64_t written = 0;
    const SteadyClock clock;
    const TimePoint start = clock.now();
    for (const std::vector<std::string>& step : plan.build) {
        log.write("$ " + shown(step) + "\n");
        adapters::ProgramSpec spec;
        spec.name = "build";
        spec.wrapper = without_git_variables();
        spec.argv = step;
        spec.dir = built.record.folder;
        spec.memory_bytes = plan.memory_bytes;
        if (program.confinement) confine_build(spec, program, built.record.folder);
        std::string first;  // that is said
        const Micros used = micros_between(start, clock.now());
        const adapters::CommandLimits limits{std::max(Micros{1000}, plan.limit - used),
                                             kMostLogBytes - std::min(written, kMostLogBytes - 1)};
        adapters::CommandEnd end = runner_.run(spec, limits, [&](std::string_view bytes, bool) {
            written += bytes.size();
            if (first.size() < kTailBytes) first += bytes;
            log.write(bytes);
        });
        if (end.is_success()) continue;
        if (end.how == adapters::CommandEnd::How::NotLaunched) {
            throw Error(shown(step) + ": the system did not start it: " + end.reason, 4);
        }
        built.is_interrupted = end.how == adapters::CommandEnd::How::Interrupted;
        if (end.how == adapters::CommandEnd::How::OutOfTime) {
            end.reason = fmt::format("the build took longer than its limit of {} s",
                                     plan.limit.count() / 1'000'000);
        }
        log.write("\n" + end.reason + "\n");
        log.close();
        const std::string said = without_credentials(tail_of(read_file(built.record.log)));
        built.record.failure = fmt::format("'{}' {}", shown(step), end.reason) + "\n" + said;
        built.record.is_machines = is_machines_failure(end, built.record.folder, said) ||
                                   !failure_of_build_sandbox(program, first).empty();
        return;
    }
}

void BuildCache::keep(const ProgramPlan& program, Built& built) {
    try {
        const std::string path = resolve_executable(placed(program, built.record.folder));
        const json::object marker{{"sha256", sha256_of_file(path)},
                                  {"program", path},
                                  {"compiler", built.record.compiler},
                                  {"seconds", built.record.seconds}};
        write_file(fs::path(built.record.folder).parent_path().string() + "/built.json",
                   json::serialize(marker) + "\n");
    } catch (const Error& error) {
        built.record.failure =
            program.git->build.empty()
                ? fmt::format("nothing is built (git.build is not set), and {}", error.what())
                : fmt::format("the build succeeded, but {}", error.what());
    }
}

}  // namespace assay::harness
