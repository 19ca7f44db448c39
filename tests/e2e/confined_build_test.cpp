// Builds of confined programs.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/child.h"
#include "tests/support/contains.h"
#include "tests/support/open_port.h"
#include "tests/support/tiny_repo.h"

using assay::test::contains;
using assay::test::Finished;
using assay::test::TinyRepo;

namespace {

/// A step that tries what a makefile of a stranger may try, and says what came of it.
constexpr const char* kTries =
    "import os, socket, subprocess, sys\n"
    "def tries(name, what):\n"
    "    try:\n"
    "        what()\n"
    "        print(name, 'done')\n"
    "    except OSError as error:\n"
    "        print(name, 'refused')\n"
    "tries('own', lambda: open('file', 'w').close())\n"
    "tries('tmp', lambda: open(sys.argv[3], 'w').close())\n"
    "tries('outside', lambda: open(sys.argv[2], 'w').close())\n"
    "tries('connect', lambda: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5))\n"
    "tries('local', lambda: socket.socket(socket.AF_UNIX))\n"
    "tries('home', lambda: open(os.environ['HOME'] + '/key').close())\n"
    "tries('process', lambda: subprocess.run(['true'], check=True))\n"
    "print('git', subprocess.run(['git', 'rev-parse', 'HEAD^{tree}']).returncode)\n"
    "print('secret', os.environ.get('ASSAY_TEST_SECRET', 'none'))\n"
    "print('flags', os.environ.get('CXXFLAGS', 'none'))\n";

/// A file in the folder of temporary files, of this process alone.
std::string temporary_file() {
    return "/tmp/assay-confined-build-" + std::to_string(::getpid());
}

/// Plays a pair of a program that is built with the tries first; the build's log, or nothing where
/// programs cannot be confined here.
std::string log_of_build(const std::string& sandbox, const std::string& home, int port,
                         const std::string& outside) {
    const TinyRepo repo({"ok"});
    assay::write_file(repo.dir().path("tries.py"), kTries);
    assay::write_file(repo.dir().path("m.yaml"),
                      "each: {" + sandbox + "git: {repo: repo, build: [[/usr/bin/python3, -u, " +
                          repo.dir().path("tries.py") + ", \"" + std::to_string(port) + "\", " +
                          outside + ", " + temporary_file() +
                          "], [make, -C, src]]}, command: [./src/engine]}\n"
                          "programs: {head: {git: {ref: HEAD}}, base: {git: {ref: HEAD}}}\n"
                          "match: {between: [head, base], time: {depth: 2}, pairs: 1, seed: 1}\n");
    const Finished run =
        assay::test::run({"/usr/bin/env", "HOME=" + home, "ASSAY_TEST_SECRET=known", "CXXFLAGS=-O1",
                          ASSAY_BINARY_DIR "/assay", "run", "m.yaml"},
                         repo.dir().root());
    if (run.code != 0 && (contains(run.err, "cannot be confined here") ||
                          contains(run.err, "there is no 'bwrap'"))) {
        MESSAGE("skipped: " << run.err);
        return "";
    }
    CAPTURE(run.out);
    CAPTURE(run.err);
    CHECK(run.code == 0);
    std::string log;
    for (const auto& entry :
         std::filesystem::directory_iterator(repo.dir().path("assay.db.builds")))
        if (std::filesystem::exists(entry.path() / "log.txt"))
            log += assay::read_file((entry.path() / "log.txt").string());
    return log;
}

}  // namespace

TEST_CASE(
    "Confined builds: they write only in their tree, do not connect, and see no home folder") {
    const std::string home = ASSAY_BINARY_DIR "/confined-home";
    const std::string outside = ASSAY_BINARY_DIR "/confined-build-was-here";
    std::filesystem::create_directories(home);
    assay::write_file(home + "/key", "secret");
    const assay::test::OpenPort open;
    const int port = open.number();

    const std::string free = log_of_build("", home, port, outside);
    CHECK(contains(free,
                   "own done\ntmp done\noutside done\nconnect done\nlocal done\nhome "
                   "done\nprocess done\n"));
    CHECK(contains(free, "git 0\nsecret known\nflags -O1\n"));
    CHECK(std::filesystem::remove(temporary_file()));
    CHECK(std::filesystem::remove(outside));

    if (const std::string bound = log_of_build("sandbox: bubblewrap, ", home, port, outside);
        !bound.empty()) {
        CHECK(contains(bound,
                       "own done\ntmp done\noutside refused\nconnect refused\nlocal refused\nhome "
                       "refused\nprocess done\n"));
        CHECK(contains(bound, "git 0\nsecret none\nflags -O1\n"));
        CHECK_FALSE(std::filesystem::exists(temporary_file()));
        CHECK_FALSE(std::filesystem::exists(outside));
        const std::string wide = log_of_build("sandbox: {network: true}, ", home, port, outside);
        CHECK(contains(wide, "outside refused\nconnect done\nlocal refused\nhome refused\n"));
    }
    std::filesystem::remove_all(home);
}
