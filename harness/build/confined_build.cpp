// A build runs the code of whoever wrote the makefile, before the program that plays exists: where
// a program is confined, its build must be, or the patch has done its harm already. The sandbox is
// the program's (harness/program/confinement/confinement.h), with three differences. A build starts
// processes. The compilers' variables are let through, since they decide what is built and are part
// of the build's identity. And the home folder is hidden: a build needs no key that lies there, and
// what it reads could go out with the log or in the built program. A program may need files of it
// (a network, a book), which its options name, and so keeps it.
//
// The network is the program's and not a key of its own: a patch that may fetch while it is built
// can send what it reads there just as well.
#include "harness/build/confined_build.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "adapters/process/command.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/build/environment.h"
#include "harness/program/confinement/confinement.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

constexpr std::array kBuildVariables{"CC",       "CXX",     "CFLAGS",    "CXXFLAGS",
                                     "CPPFLAGS", "LDFLAGS", "RUSTFLAGS", "MAKEFLAGS"};

/// Objects of other repositories that the tree's own one refers to.
std::vector<std::string> borrowed_objects(const std::string& folder) {
    const std::string text =
        read_start(folder + "/.git/objects/info/alternates", 65536).value_or("");
    std::vector<std::string> folders;
    for (const std::string_view line : split_at(text, '\n'))
        if (line.starts_with('/')) folders.emplace_back(line);
    return folders;
}

/// Paths below hidden folders that a build needs nevertheless.
std::vector<std::string> needed_paths(const std::string& folder) {
    std::vector<std::string> paths = borrowed_objects(folder);
    paths.push_back(own_program());
    const std::string places = environment_variable("PATH");
    for (const std::string_view place : split_at(places, ':'))
        if (place.starts_with('/')) paths.emplace_back(place);
    return paths;
}

bool holds(const std::string& folder, const std::string& path) {
    return path == folder || path.starts_with(folder + "/");
}

/// Mounts an empty folder over the home folder, and read-only what is needed of hidden ones.
std::vector<std::string> words_of_home(const std::string& folder) {
    std::error_code error;
    const std::string home = fs::weakly_canonical(environment_variable("HOME"), error).string();
    std::vector<std::string> words;
    if (home.starts_with('/') && home != "/" && fs::is_directory(home, error))
        words = {"--tmpfs", home};
    for (const std::string& path : needed_paths(folder)) {
        const std::string real = fs::weakly_canonical(path, error).string();
        // Not what would bring a hidden folder back as a whole.
        if (fs::exists(real, error) && !holds(real, home) && !undoes_sandbox(real))
            words.insert(words.end(), {"--ro-bind", real, real});
    }
    return words;
}

}  // namespace

void confine_build(adapters::ProgramSpec& spec, const ProgramPlan& program,
                   const std::string& folder) {
    ProgramPlan step;
    step.name = program.name;
    step.command = spec.argv;
    step.dir = folder;
    step.confinement.emplace();
    step.confinement->network = program.confinement->network;
    step.confinement->processes = true;
    // The sandbox looks no name up.
    if (const std::string path = adapters::find_program(spec.argv.front());
        spec.argv.front().find('/') == std::string::npos && !path.empty())
        spec.argv.front() = path;
    confine(spec, step);
    // Behind the sandbox's own folders, and before those that are mounted on top of them.
    const auto last = std::find(spec.wrapper.rbegin(), spec.wrapper.rend(), "--tmpfs");
    const auto place = last == spec.wrapper.rend() ? spec.wrapper.begin() + 1 : last.base() + 1;
    const std::vector<std::string> words = words_of_home(folder);
    spec.wrapper.insert(place, words.begin(), words.end());
    for (const char* const name : kBuildVariables) {
        const std::string value = environment_variable(name);
        if (!value.empty()) spec.env.emplace_back(name, value);
    }
}

std::string failure_of_build_sandbox(const ProgramPlan& program, std::string_view first) {
    return first.starts_with("bwrap: ") ? failure_of_sandbox(program, first) : "";
}

}  // namespace assay::harness
