#include "adapters/process/exec_failure.h"

#include <csignal>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <variant>

#include <boost/system/system_error.hpp>
#include <boost/throw_exception.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/adapters/uci/program_driver.h"
#include "tests/support/temp_dir.h"

using assay::adapters::Child;
using assay::adapters::ProgramSpec;
using assay::adapters::Spawner;
using assay::adapters::SpawnFailure;
using assay::test::output_of;
using assay::test::ProgramDriver;
using assay::test::TempDir;

namespace {

/// While it lives, this process can have no more than so many descriptors; those it has stay.
class FewDescriptors {
public:
    explicit FewDescriptors(rlim_t most) {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit few{most, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &few);
    }

    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

    ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

}  // namespace

TEST_CASE("Spawner: what cannot be executed is said at once, and what is wrong with the file") {
    const TempDir temp;

    struct {
        std::string content;
        unsigned mode;
        std::string reason;
    } rows[] = {
        {"no program", 0644, "it is not executable; try chmod +x"},
        {"#!/no/such/interpreter -x\n", 0755,
         "its first line asks for the interpreter '/no/such/interpreter', which is missing"},
        {"#! /bin/sh\r\nexit 0\r\n", 0755,
         "its first line asks for the interpreter '/bin/sh\\r'; convert its line ends to LF "
         "(dos2unix)"},
        {"#!\n", 0755, "its first line names no interpreter after '#!'"},
        {"echo uciok\n", 0755,
         "it is a text file whose first line names no interpreter, as #!/bin/sh does"},
        {"", 0755, "it is an empty file"},
        {std::string("\x7f") + "ELF and no more", 0755,
         "it is not a program for this kind of machine (Exec format error)"},
    };

    Spawner spawner;
    for (const auto& row : rows) {
        const std::string file = temp.path("file");
        assay::write_file(file, row.content);
        ::chmod(file.c_str(), row.mode);
        CHECK(output_of(spawner, ProgramDriver::spec({file})) ==
              "failed: " + file + ": " + row.reason);
    }
    const std::string plain = temp.path("plain");
    assay::write_file(plain, "no program");
    assay::write_file(temp.path("file"), "#!" + plain + "\n");
    CHECK(output_of(spawner, ProgramDriver::spec({temp.path("file")})) ==
          "failed: " + temp.path("file") + ": its first line asks for the interpreter '" + plain +
              "': Permission denied");
}

TEST_CASE("Spawner: a missing program, a folder and a wrong setting are said as what they are") {
    const TempDir temp;
    Spawner spawner;
    const auto failure = [&spawner](const ProgramSpec& spec) { return output_of(spawner, spec); };
    CHECK(failure(ProgramDriver::spec({temp.path("none")})) ==
          "failed: " + temp.path("none") + ": No such file or directory");
    ::mkdir(temp.path("folder").c_str(), 0755);
    CHECK(failure(ProgramDriver::spec({temp.path("folder")})) ==
          "failed: " + temp.path("folder") + ": it is a folder, not a program");
    ::mkfifo(temp.path("pipe").c_str(), 0755);
    CHECK(failure(ProgramDriver::spec({temp.path("pipe")})) ==
          "failed: " + temp.path("pipe") + ": it is not a regular file");
    CHECK(failure(ProgramDriver::spec({"no-such-program-anywhere"})) ==
          "failed: no-such-program-anywhere: is not in PATH; give its full path");
    CHECK(failure(ProgramDriver::spec({"."})) ==
          "failed: .: is not in PATH, and what is here is a folder, not a program");
    CHECK(failure(ProgramDriver::spec({})) == "failed: no command");
    ProgramSpec nowhere = ProgramDriver::spec({"true"});
    nowhere.dir = temp.path("none");
    CHECK(failure(nowhere) == "failed: " + temp.path("none") + ": No such file or directory");
    ProgramSpec pinned = ProgramDriver::spec({"true"});
    pinned.cpus = {1023};
    CHECK(failure(pinned).ends_with(": Invalid argument"));
}

TEST_CASE(
    "Spawner: whichever descriptor is missing, it is the machine's failure and leaves nothing") {
    Spawner spawner;
    const ProgramSpec spec = ProgramDriver::spec({"sleep", "60"});
    const auto start = [&] { return spawner.spawn(spec); };
    const auto end = [&](const Child& child) {
        ::kill(-child.pid, SIGKILL);
        ::waitpid(child.pid, nullptr, 0);
        spawner.forget(child.pid);
    };
    auto first = start();
    REQUIRE(std::holds_alternative<Child>(first));
    // A sanitizer that meets a type of object for the first time looks at it through a pipe, for
    // which there is no descriptor later: let it meet this one now.
    try {
        boost::throw_exception(boost::system::system_error(boost::system::error_code{}));
    } catch (const boost::system::system_error& error) {
        REQUIRE(error.code() == boost::system::error_code{});
    }
    // The lowest free numbers are taken first, and nothing else is opened here.
    const int lowest = ::dup(0);
    ::close(lowest);
    int failed = 0;
    bool has_started = false;
    for (int more = 0; more < 64 && !has_started; ++more) {
        CAPTURE(more);
        const FewDescriptors few(static_cast<rlim_t>(lowest + more));
        auto result = start();
        if (const auto* const failure = std::get_if<SpawnFailure>(&result)) {
            ++failed;
            CHECK(failure->is_machines);
            CHECK(failure->reason.ends_with(": Too many open files"));
        } else {
            has_started = true;
            end(std::get<Child>(result));
        }
    }
    CHECK(failed > 6);
    CHECK(has_started);
    end(std::get<Child>(first));
    const std::string own = std::to_string(::getpid());
    std::ifstream file("/proc/" + own + "/task/" + own + "/children");
    std::string children;
    std::getline(file, children);
    CHECK(assay::split_words(children).size() == 1);  // the group_killer
}
