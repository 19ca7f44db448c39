// The files, tables, programs and folders that a config names: they must be there, and a program
// that is confined may write to no folder that would undo its sandbox.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "configs/loader/loader.h"
#include "tests/configs/loader/plan_of.h"
#include "tests/support/rows_file.h"
#include "tests/support/temp_dir.h"

using assay::configs::plan_from_flags;
using assay::configs::RunFlags;
using assay::tests::from;
using assay::tests::refusal;

TEST_CASE("Config: all files that are not there are told at once, each in its place") {
    const assay::test::TempDir folder;
    const std::string path = folder.path("m.yaml");
    assay::write_file(path, R"(programs:
  a: {command: [./nothere]}
  b: {command: [no-such-program-anywhere]}
  c: {command: [/bin/sh], dir: ./none}
match: {between: [a, b], time: 1, openings: {book: nobook.epd}}
)");
    RunFlags flags;
    flags.files = {path};
    CHECK_NOTHROW((void)plan_from_flags(flags));
    flags.checks_files = true;
    try {
        (void)plan_from_flags(flags);
        FAIL("read");
    } catch (const assay::SyntaxError& error) {
        REQUIRE(error.diagnostics().size() == 4);
        CHECK(error.diagnostics()[0].message.find("there is no file") != std::string::npos);
        CHECK(error.diagnostics()[0].line == 2);
        CHECK(error.diagnostics()[1].message.find("is not in PATH") != std::string::npos);
        CHECK(error.diagnostics()[2].message.find("there is no folder") != std::string::npos);
        CHECK(error.diagnostics()[3].message.find("there is no book") != std::string::npos);
        CHECK(error.diagnostics()[3].line == 5);
    }
}

TEST_CASE("Config: tables that are missing or damaged are told of at their path, with what to do") {
    const assay::test::TempDir folder;
    std::filesystem::create_directories(folder.path("syzygy/wdl"));
    std::filesystem::create_directory(folder.path("none"));
    assay::write_file(folder.path("syzygy/wdl/KQvK.rtbw"), "cut short");
    const std::string path = folder.path("m.yaml");
    RunFlags flags;
    flags.files = {path};
    flags.checks_files = true;
    const auto said_of = [&](const std::string& tables, const std::string& game = "chess") {
        assay::write_file(path,
                          "programs: {a: {command: /bin/sh}, b: {command: /bin/sh}}\n"
                          "match:\n  time: 1\n  game: " +
                              game +
                              "\n"
                              "  adjudicate: {tablebase: {path: " +
                              tables + "}}\n");
        const std::string text = refusal([&] { return plan_from_flags(flags); });
        const std::size_t end = text.find('\n');
        CHECK(text.starts_with(path + ":5:"));
        return text.substr(path.size() + 1, end == std::string::npos ? end : end - path.size() - 1);
    };
    const std::string here = folder.root() + "/";
    CHECK(said_of("sysygy") == "5:34: error: there is no folder of tablebases '" + here +
                                   "sysygy'; did you mean '" + here + "syzygy'?");
    CHECK(said_of("syzygy") == "5:34: error: there is no table (KQvK.rtbw, ...) in '" + here +
                                   "syzygy'; did you mean '" + here + "syzygy/wdl'?");
    CHECK(said_of("none") ==
          "5:34: error: there is no table (KQvK.rtbw, ...) in '" + here + "none'");
    CHECK(said_of("syzygy/wdl") ==
          "5:34: error: " + here +
              "syzygy/wdl/KQvK.rtbw: this is no Syzygy table of wins and draws (.rtbw); copy it "
              "anew");
    assay::tests::register_rows_files();
    assay::write_file(folder.path("mine.rows"), "game mine\n");
    CHECK(said_of("syzygy/wdl", "mine.rows") ==
          "5:16: error: there are no tablebases for mine; leave 'tablebase' out");
    // Who only looks at the plan need not have the tables.
    assay::write_file(path,
                      "programs: {a: {command: /bin/sh}, b: {command: /bin/sh}}\n"
                      "match: {time: 1, adjudicate: {tablebase: {path: none}}}\n");
    flags.checks_files = false;
    CHECK_NOTHROW((void)plan_from_flags(flags));
}

TEST_CASE("Config: a command that is no command is not looked for as a file as well") {
    RunFlags flags;
    flags.programs = {"/no/such/engine --uci", "/no/such/engine"};
    flags.values = {{"time", "1"}};
    flags.checks_files = true;
    CHECK(
        refusal([&] { return plan_from_flags(flags); }) ==
        R"(<command line>:1:11: error: a program is one word here; for arguments write --set 'programs.NAME.command=[program, argument]'
  --program /no/such/engine --uci
            ^~~~~~~~~~~~~~~~~~~~~
<command line>:1:11: error: program 'engine': there is no file '/no/such/engine'
  --program /no/such/engine
            ^~~~~~~~~~~~~~~
2 errors; nothing was started)");
}

TEST_CASE("Config: a confined program may not write where that would undo its sandbox") {
    for (const std::string folder : {"/",
                                     "/tmp",
                                     "/tmp/",
                                     "/var",
                                     "/var/tmp",
                                     "/proc",
                                     "/proc/self",
                                     "/dev",
                                     "/dev/shm",
                                     "/sys",
                                     "/run",
                                     "/run/user",
                                     "/home/../tmp",
                                     "/etc",
                                     "/etc/cron.d",
                                     "/usr",
                                     "/usr/local/bin",
                                     "/bin",
                                     "/lib",
                                     "/sbin",
                                     "/boot",
                                     "/opt",
                                     "/var/lib",
                                     "/root",
                                     "/home",
                                     "/home/none-such",
                                     "/srv/../etc"}) {
        CAPTURE(folder);
        const std::string why = "error: a confined program may not write to '";
        CHECK(refusal([&] {
                  return from("programs: {a: {command: x, sandbox: {write: " + folder + "}}}\n");
              }).starts_with("t.yaml:1:38: " + why));
        CHECK(refusal([&] {
                  return from("programs: {a: {command: x, dir: " + folder +
                              ", sandbox: bubblewrap}}\n");
              }).starts_with("t.yaml:1:28: " + why));
    }
    const assay::test::TempDir link;
    for (const std::string target : {"/", "/etc"}) {
        const std::string name = link.path("to" + std::to_string(target.size()));
        std::filesystem::create_directory_symlink(target, name);
        CHECK(refusal([&] {
                  return from("programs: {a: {command: x, dir: " + name +
                              ", sandbox: bubblewrap}}\n");
              })
                  .starts_with("t.yaml:1:28: error: a confined program may not write to '" + name +
                               "' ('" + target + "'), "));
    }
    CHECK(
        refusal([] {
            return from("programs:\n  a: {command: x, dir: /etc, sandbox: bubblewrap}\n");
        }) ==
        R"(t.yaml:2:19: error: a confined program may not write to '/etc', a folder of the system: name a folder that holds its files alone
    a: {command: x, dir: /etc, sandbox: bubblewrap}
                    ^~~
1 error; nothing was started)");
    CHECK(
        refusal([] {
            return from(
                "programs: {a: {command: x, git: {}, dir: src/../.., sandbox: bubblewrap}}\n");
        })
            .starts_with("t.yaml:1:37: error: 'src/../..' lies outside of the built tree, where a "
                         "confined program may not write: name a folder in it\n"));
    CHECK(
        from("programs: {a: {command: x, dir: /tmp/mine, sandbox: {write: /srv/out}}, b: {command: "
             "x}}\nmatch: {time: 5}\n")
            .programs.at(0)
            .confinement->write == std::vector<std::string>{"/srv/out"});
}
