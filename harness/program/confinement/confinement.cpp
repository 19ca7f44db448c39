// What a confined program may do: read every file that its user may read, write in its own folder
// and in folders for temporary files of its own, and compute. It has no network, reaches no service
// of the machine, does not see other processes, and cannot start any.
//
// Bubblewrap makes the namespaces: the file system is mounted read-only, with what may be written
// on top of it, so that no list of forbidden places can miss one. It must be allowed to make user
// namespaces, which many containers are not. It also makes a session for the program, without a
// terminal.
//
// Read-only is not enough for sockets and processes: a filter of system calls (syscall_filter.cpp)
// refuses these. It is set inside of the sandbox, because bubblewrap itself starts processes.
//
// What a command or an option names in a hidden folder is mounted there again, read-only: each name
// on the way that symbolic links take to it.
#include "harness/program/confinement/confinement.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <pwd.h>
#include <set>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/program/confinement/syscall_filter.h"

namespace assay::harness {

namespace {

constexpr const char* kBubblewrap = "bwrap";

namespace fs = std::filesystem;

/// Below or the folder itself.
bool is_in(const std::string& path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// Without slashes at its end.
std::string without_end(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

/// Without links, as far as it exists.
std::string real_path(const std::string& path) {
    std::error_code error;
    const std::string real = fs::weakly_canonical(path, error).string();
    return without_end(error ? path : real);
}

bool is_in_any(const std::string& path, std::initializer_list<std::string_view> folders) {
    return std::ranges::any_of(folders, [&path](std::string_view one) { return is_in(path, one); });
}

/// Home folders of this user, without links: where the environment and the list of users say.
std::vector<std::string> own_homes() {
    std::vector<std::string> homes;
    const auto add = [&homes](const char* name) {
        if (name == nullptr || *name != '/') return;
        const std::string real = real_path(name);
        if (real != "/" && std::ranges::find(homes, real) == homes.end()) homes.push_back(real);
    };
    add(std::getenv("HOME"));  // NOLINT(concurrency-mt-unsafe): nobody sets it
    std::array<char, 16384> texts{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, texts.data(), texts.size(), &found) == 0 &&
        found != nullptr)
        add(found->pw_dir);
    return homes;
}

/// What a folder is whose files decide what the system or its users start; empty of any other.
/// A folder of the user's own in a home folder is the usual place of programs. `real`: no links.
std::string description_of_forbidden(const std::string& real) {
    const std::vector<std::string> homes = own_homes();
    for (const std::string& home : homes) {
        if (is_in(home, real)) return real == home ? "a home folder" : "which holds a home folder";
        for (const char* const name : {"/.ssh", "/.gnupg", "/.config", "/.local/bin"})
            if (is_in(real, home + name)) return "where your keys, settings or commands lie";
    }
    if (std::ranges::any_of(homes, [&](const std::string& home) { return is_in(real, home); }))
        return "";
    if (real == "/root" || real == "/home" || fs::path(real).parent_path() == "/home")
        return real == "/home" ? "which holds home folders" : "a home folder";
    const bool is_systems =
        is_in_any(real, {"/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/sbin",
                         "/usr", "/var/cache", "/var/lib", "/var/log", "/var/spool"}) ||
        real == "/opt" || real == "/srv" || real == "/mnt" || real == "/media";
    return is_systems ? "a folder of the system" : "";
}

/// In place of which the program has empty ones of its own.
std::vector<std::string> private_folders() {
    std::vector<std::string> folders;
    for (const char* const name : {"/tmp", "/var/tmp", "/run", "/var/run"}) {
        std::error_code error;
        const std::string real = real_path(name);
        if (fs::is_directory(real, error) && std::ranges::find(folders, real) == folders.end())
            folders.push_back(real);
    }
    return folders;
}

bool is_sandboxs_own(const std::string& real) {
    std::vector<std::string> kept = private_folders();
    kept.insert(kept.end(), {"/dev", "/proc", "/sys"});
    const bool is_kept = std::ranges::any_of(
        kept, [&](const std::string& one) { return real == "/" || is_in(one, real); });
    return is_kept || is_in_any(real, {"/dev", "/proc", "/sys", "/run", "/var/run"});
}

/// See problem_of_writable(). `real`: where the folder's links lead.
std::string problem_of(const std::string& folder, const std::string& real) {
    const std::string why =
        is_sandboxs_own(real) ? "which would undo the sandbox" : description_of_forbidden(real);
    if (why.empty()) return "";
    const std::string target =
        real == without_end(folder) ? "" : fmt::format(" ('{}')", printable_utf8(real));
    return fmt::format(
        "a confined program may not write to '{}'{}, {}: "
        "name a folder that holds its files alone",
        printable_utf8(folder), target, why);
}

bool is_hidden(const std::string& path) {
    std::vector<std::string> folders = private_folders();
    folders.emplace_back("/dev/shm");
    return std::ranges::any_of(folders, [&path](const std::string& folder) {
        return path != folder && is_in(path, folder);
    });
}

/// The path with its first link replaced by what that names; empty where it has none.
fs::path without_first_link(const fs::path& path) {
    fs::path begin;
    for (auto part = path.begin(); part != path.end(); ++part) {
        std::error_code error;
        const fs::path parent = begin;
        begin /= *part;
        if (!fs::is_symlink(begin, error)) continue;
        fs::path next = parent / fs::read_symlink(begin, error);
        for (++part; part != path.end(); ++part) next /= *part;
        return next.lexically_normal();
    }
    return {};
}

/// All names of the file on the way to it, of those that are hidden. `path`: absolute.
std::vector<std::string> hidden_names(const fs::path& path) {
    constexpr int kMostLinks = 40;  // as in the kernel
    std::vector<std::string> names;
    std::error_code error;
    if (!fs::exists(path, error)) return names;
    fs::path way = path.lexically_normal();
    for (int i = 0; i <= kMostLinks && !way.empty(); ++i, way = without_first_link(way)) {
        if (!way.has_filename()) way = way.parent_path();
        if (is_hidden(way.string())) names.push_back(way.string());
    }
    return names;
}

/// What a word may name: `FILE`, `--name=FILE`, `FOLDER:FOLDER`.
std::vector<std::string> paths_in(const std::string& word) {
    const std::size_t equals = word.find('=');  // none: npos + 1 is 0
    const std::string value = word.substr(equals + 1);
    std::vector<std::string> paths{word, value};
    for (const std::string_view part : split_at(value, ':')) paths.emplace_back(part);
    return paths;
}

/// Whether it lies in one of the folders. A link there cannot be mounted over.
bool is_brought(const std::string& path, const std::set<std::string>& folders) {
    return std::ranges::any_of(folders, [&path](const std::string& folder) {
        return path != folder && is_in(path, folder);
    });
}

std::string working_folder(const ProgramPlan& program) {
    if (!program.dir.empty()) return real_path(program.dir);
    std::error_code error;
    const std::string here = fs::current_path(error).string();
    return error ? "/" : here;
}

/// Hidden files and folders that the program needs, by all their names; what lies in one of these
/// folders comes with it.
std::set<std::string> hidden_inputs(const ProgramPlan& program, const std::string& executable) {
    std::set<std::string> inputs;
    const std::string folder = working_folder(program);
    const auto add = [&](const std::string& word) {
        for (const std::string& path : paths_in(word))
            if (!path.empty())
                for (std::string& name : hidden_names(fs::path(folder) / path))
                    inputs.insert(std::move(name));
    };
    add(executable);
    add(own_program());
    if (program.dir.empty()) add(folder);
    if (program.confinement->network) add("/etc/resolv.conf");
    for (const std::string& word : program.command) add(word);
    for (const auto& [name, value] : program.options) add(value);
    std::erase_if(inputs, [&inputs](const std::string& one) { return is_brought(one, inputs); });
    return inputs;
}

void bind_path(std::vector<std::string>& words, const char* how, const std::string& source,
               const std::string& name) {
    words.insert(words.end(), {how, source, name});
}

/// By its own name, and by those that links give it and that are hidden. `real`: where these lead.
void bind_writable(std::vector<std::string>& words, const std::string& folder,
                   const std::string& real, const std::set<std::string>& inputs) {
    bind_path(words, "--bind", real, real);
    for (const std::string& name : hidden_names(folder))
        if (name != real && !is_brought(name, inputs)) bind_path(words, "--bind", real, name);
}

std::vector<std::string> writable_folders(const ProgramPlan& program) {
    std::vector<std::string> folders = program.confinement->write;
    if (!program.dir.empty()) folders.insert(folders.begin(), program.dir);
    return folders;
}

std::vector<std::string> bubblewrap_words(const ProgramPlan& program,
                                          const std::string& executable) {
    const ConfinementPlan& plan = *program.confinement;
    std::vector<std::string> words{kBubblewrap, "--ro-bind", "/",      "/",
                                   "--dev",     "/dev",      "--proc", "/proc"};
    for (const std::string& folder : private_folders())
        words.insert(words.end(), {"--tmpfs", folder});
    const std::set<std::string> inputs = hidden_inputs(program, executable);
    for (const std::string& path : inputs) bind_path(words, "--ro-bind", path, path);
    for (const std::string& folder : writable_folders(program)) {
        // Once, so that what is looked at is what is mounted.
        const std::string real = real_path(folder);
        const std::string problem = problem_of(folder, real);
        if (!problem.empty()) throw Error(fmt::format("program '{}': {}", program.name, problem));
        bind_writable(words, folder, real, inputs);
    }
    for (const char* const space : {"--unshare-user", "--unshare-pid", "--unshare-ipc",
                                    "--unshare-uts", "--unshare-cgroup-try"})
        words.emplace_back(space);
    if (!plan.network) words.emplace_back("--unshare-net");
    words.insert(words.end(), {"--new-session", "--die-with-parent", "--chdir",
                               working_folder(program), "--", own_program()});
    words.emplace_back(kStartConfined);
    words.emplace_back(plan.processes ? kWithProcesses : kAlone);
    return words;
}

}  // namespace

bool undoes_sandbox(const std::string& folder) {
    return is_sandboxs_own(real_path(folder));
}

std::string problem_of_writable(const std::string& folder) {
    return problem_of(folder, real_path(folder));
}

bool leads_out(const std::string& path) {
    const fs::path normal = fs::path(path).lexically_normal();
    return !normal.empty() && *normal.begin() == "..";
}

std::string problem_of_built_dir(const std::string& tree, const std::string& dir) {
    if (dir.empty() || dir.starts_with('/')) return "";
    const std::string real = real_path((fs::path(tree) / dir).string());
    if (is_in(real, real_path(tree))) return "";
    return fmt::format(
        "its folder '{}' leads out of the built tree, to '{}', where a confined program may not "
        "write",
        printable_utf8(dir), printable_utf8(real));
}

void confine(adapters::ProgramSpec& spec, const ProgramPlan& program) {
    spec.has_bare_environment = program.confinement.has_value();
    spec.wrapper =
        program.confinement ? bubblewrap_words(program, spec.argv.front()) : program.sandbox;
}

void check_confinement(const ProgramPlan& program) {
    if (adapters::find_program(kBubblewrap).empty())
        throw Error(
            fmt::format("program '{}': there is no 'bwrap' (sandbox: bubblewrap); install "
                        "bubblewrap",
                        program.name));
    for (const std::string& folder : program.confinement->write) {
        std::error_code error;
        if (!fs::is_directory(folder, error))
            throw Error(fmt::format("program '{}': there is no folder '{}' (write)", program.name,
                                    printable_utf8(folder)));
    }
    ProgramPlan one = program;
    if (one.git) one.dir.clear();  // it is not built yet
    adapters::ProgramSpec spec;
    spec.name = program.name;
    spec.argv = {"/bin/true"};
    confine(spec, one);
    std::string said;
    constexpr Micros kMostTime = std::chrono::seconds(10);
    constexpr std::uint64_t kMostOutput = 100'000;
    adapters::CommandRunner runner;
    const adapters::CommandEnd end =
        runner.run(spec, {kMostTime, kMostOutput},
                   [&said](std::string_view bytes, bool /*is_error*/) { said += bytes; });
    if (end.is_success()) return;
    const std::string first(trim(said.substr(0, said.find('\n'))));
    throw Error(fmt::format("program '{}': it cannot be confined here ({}): bubblewrap needs user "
                            "namespaces, which containers and some systems forbid",
                            program.name, printable_utf8(first.empty() ? end.reason : first)),
                4);
}

std::string failure_of_sandbox(const ProgramPlan& program, std::string_view said) {
    if (!program.confinement) return "";
    while (!said.empty()) {
        const std::string_view line = take_line(said);
        if (line.starts_with("bwrap: ")) return printable_utf8(line);
    }
    return "";
}

std::string start_confined(const std::vector<std::string>& words) {
    if (words.size() < 2) return "there is no program to start";
    if (std::string problem = forbid_calls(words.front() == kWithProcesses); !problem.empty())
        return problem;
    const std::vector<std::string> command(words.begin() + 1, words.end());
    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: as execv() wants it
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    return command.front() + ": " + system_reason(errno);
}

}  // namespace assay::harness
