// What a run must not believe, or be held up by: programs that change or crash out of sight, that
// cannot be killed, and readers that do not read.
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/full_pipe.h"
#include "tests/support/open_port.h"
#include "tests/support/tiny_repo.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

std::string match_of(const std::string& first, const std::string& second,
                     const std::string& match) {
    return "programs:\n  first: {command: [" + first + "]}\n  second: {command: [" + second +
           "]}\nmatch: {between: [first, second], concurrency: 1, seed: 1, openings: {book: "
           "none}, adjudicate: {length: 10}, " +
           match + "}\n";
}

/// Whether the store's newest run is finished; false where it is only being made.
bool is_finished(const std::string& store) {
    try {
        const assay::harness::Store found(store, assay::harness::Store::Access::Read);
        const auto run = found.find_run("latest");
        return run && run->state == assay::harness::RunState::Finished;
    } catch (const assay::Error&) {
        return false;
    }
}

}  // namespace

TEST_CASE("Trust: a program that is replaced while it plays ends the run, and is not played") {
    RunFolder folder;
    const std::string sinner = folder.program("misbehave") + " --sin exit --at 3";
    folder.write("new", "#!/bin/sh\nexec " + folder.program("instant") + "\n");
    // Its first start puts another program in its place; it crashes in its third move.
    folder.write("engine",
                 "#!/bin/sh\nchmod +x new\nmv new engine 2>/dev/null\nexec " + sinner + "\n");
    std::filesystem::permissions(folder.root() + "/engine", std::filesystem::perms::owner_all);
    folder.write("m.yaml",
                 match_of("./engine", folder.program("instant"), "time: {nodes: 10}, pairs: 5"));
    const Finished finished = folder.assay({"run", "m.yaml", "--json"});
    CAPTURE(finished.err);
    CHECK(finished.code == 4);
    const auto run = parsed(finished.out);
    const std::string reason(run.at("end_reason").as_string());
    CHECK(contains(reason, "first could not be started: " + folder.root() +
                               "/engine was replaced during the run (SHA-256 "));
    CHECK(contains(reason, "; put the old file back to go on, or start anew"));
    const Finished resumed = folder.assay({"run", "m.yaml", "--resume"});
    CHECK(resumed.code == 2);
    CHECK(contains(resumed.err, "is not the one that run 1 began with"));
    CHECK(folder.is_quiet());
}

TEST_CASE("Trust: a program that crashes between games breaks 'require', in run and in gate") {
    RunFolder folder;
    const std::string match =
        "time: {nodes: 10}, pairs: 2, require: {crashes: 0}, stop: {fixed: {}}";
    std::string config = match_of(folder.program("misbehave") + ", --sin, abort-between",
                                  folder.program("instant"), match);
    config.replace(config.find("book: none"), 10, "book: default");
    folder.write("m.yaml", config);
    const Finished run = folder.assay({"run", "m.yaml", "--json"});
    CAPTURE(run.err);
    CHECK(run.code == 1);
    CHECK(contains(run.err, "required: first: 3 crashes or stalls, at most 0 allowed"));
    CHECK(parsed(run.out).at("games") == 4);
    CHECK(assay::test::count_at(parsed(run.out), "terminations", "crash") == 0);
    CHECK(folder.assay({"gate", "m.yaml", "--db", "gate.db"}).code == 1);
    CHECK(contains(folder.assay({"report", "--format", "junit"}).out, "3 crashes or stalls"));
}

TEST_CASE("Trust: a program that has left its group for ours holds up neither run nor check") {
    RunFolder folder;
    folder.write("m.yaml", match_of(folder.program("misbehave") + ", --sin, joins-group",
                                    folder.program("instant"), "time: {nodes: 10}, pairs: 1"));
    const Finished run = folder.assay({"run", "m.yaml"});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    CHECK(folder.is_quiet());
    const Finished check =
        folder.assay({"check", folder.program("misbehave"), "--sin", "joins-group"});
    CHECK(check.code != 137);
    CHECK(folder.is_quiet());
}

TEST_CASE("Trust: events that nobody reads hold up no game, and are there when somebody does") {
    RunFolder folder;
    const assay::test::FullPipe events(folder.root() + "/events");
    folder.write("m.yaml", match_of(folder.program("instant"), folder.program("instant"),
                                    "time: {nodes: 10}, pairs: 5"));
    Child child(folder.assay_argv({"run", "m.yaml", "--events", "events"}), folder.root());
    CHECK(child.until([&] { return is_finished(folder.root() + "/assay.db"); }));
    CHECK(child.is_running());
    const std::string text = events.read_until("\"run_end\"", child);
    CHECK(contains(text, "\"run_start\""));
    CHECK(contains(text, "\"run_end\""));
    CHECK(child.wait().code == 0);
}

TEST_CASE("Trust: a run whose events nobody reads ends by TERM, and can be resumed") {
    RunFolder folder;
    const assay::test::FullPipe events(folder.root() + "/events");
    folder.write("m.yaml", match_of(folder.program("instant"), folder.program("instant"),
                                    "time: {nodes: 10}, pairs: 1000000"));
    Child child(folder.assay_argv({"run", "m.yaml", "--events", "events"}), folder.root());
    REQUIRE(child.says("first"));
    child.signal(SIGTERM);
    const Finished finished = child.wait();
    CHECK(finished.code == 143);
    CHECK(contains(finished.err, "events: cannot write: nobody reads it; events are missing"));
    CHECK(folder.is_quiet());
}

TEST_CASE("Trust: no report replaces the store, a config, a program or a book") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    REQUIRE(folder.assay({"run", "m.yaml"}).code == 0);
    std::filesystem::copy_file(folder.root() + "/m.yaml", folder.root() + "/config");
    const std::string store = assay::read_file(folder.root() + "/assay.db");
    const std::string config = assay::read_file(folder.root() + "/m.yaml");
    const std::string program = assay::read_file(instant);
    for (const std::string target : {"assay.db", "m.yaml", "instant"}) {
        CAPTURE(target);
        for (const std::string format : {"html", "pgn", "json"}) {
            const Finished report = folder.assay({"report", "--format", format, "-o", target});
            CHECK(report.code == 2);
        }
        CHECK(folder.assay({"gate", "m.yaml", "--junit", target}).code == 2);
        CHECK(folder.assay({"gate", "m.yaml", "--markdown", target}).code == 2);
        CHECK(folder.assay({"run", "m.yaml", "--events", target}).code == 2);
    }
    CHECK(folder.assay({"gate", "config", "--junit", "config"}).code == 2);
    CHECK(folder.assay({"gate", "config", "--db", "x.xml", "--junit", "x.xml"}).code == 2);
    CHECK(assay::read_file(folder.root() + "/assay.db") == store);
    CHECK(assay::read_file(folder.root() + "/m.yaml") == config);
    CHECK(assay::read_file(folder.root() + "/config") == config);
    CHECK(assay::read_file(instant) == program);
    CHECK(folder.assay({"report", "--format", "html", "-o", "page.html"}).code == 0);
    CHECK(folder.assay({"report", "--format", "html", "-o", "page.html"}).code == 0);
}

TEST_CASE("Trust: a secret of the environment is in no report, and the store is its owner's") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    const Finished run = folder.assay(
        {"gate", "m.yaml", "--out", "out", "--json", "--set", "programs.first.env.TOKEN=hunter2"});
    CHECK_FALSE(contains(run.out + run.err, "hunter2"));
    for (const auto& file : std::filesystem::directory_iterator(folder.root() + "/out")) {
        CAPTURE(file.path().string());
        CHECK_FALSE(contains(assay::read_file(file.path().string()), "hunter2"));
    }

    struct stat status {};

    REQUIRE(::stat((folder.root() + "/assay.db").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    const Finished explained =
        folder.assay({"run", "m.yaml", "--explain", "--set", "programs.first.env.TOKEN=hunter2"});
    CHECK(explained.code == 0);
    CHECK_FALSE(contains(explained.out, "hunter2"));
}

TEST_CASE(
    "Trust: a token of an address is in no report and no message, and the store is its owner's") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const std::string address = "https://user:hunter2@example.org/x?token=hunter2#hunter2";
    folder.write("m.yaml", match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    const std::string hook = "at_end=[sh, -c, 'echo no answer from " + address + "; exit 3']";
    const std::string option = "programs.first.options.Server='" + address + "'";
    const std::vector<std::string> sets{"--set", hook, "--set", option};
    std::string said;
    const auto add = [&](std::vector<std::string> words) {
        words.insert(words.end(), sets.begin(), sets.end());
        const Finished done = folder.assay(words);
        said += done.out + done.err;
    };
    add({"gate", "m.yaml", "--out", "out", "--json", "--log", "log"});
    add({"run", "m.yaml", "--explain"});
    add({"run", "m.yaml", "--explain", "--set", "match.pairs=none"});
    add({"run", "m.yaml", "--set", "programs.first.git.repo=" + address + "&", "--set",
         "programs.first.git.repo={" + address + ": x}"});
    for (const char* const format : {"text", "json", "html", "markdown"})
        said += folder.assay({"report", "--format", format}).out;
    for (const auto& file : std::filesystem::directory_iterator(folder.root() + "/out"))
        said += assay::read_file(file.path().string());
    CHECK(contains(said, "no answer from https://***@example.org/x?token=***#***"));
    CHECK_FALSE(contains(said, "hunter2"));

    struct stat status {};

    REQUIRE(::stat((folder.root() + "/assay.db").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("Trust: where standard descriptors are closed no output lands in a file of the run") {
    for (const std::string closed : {">&-", "<&- >&- 2>&-"}) {
        CAPTURE(closed);
        RunFolder folder;
        const std::string instant = folder.program("instant");
        folder.write("m.yaml", match_of(instant, instant, "time: {nodes: 10}, pairs: 2"));
        const std::string assay = folder.assay_argv({})[0];
        const Finished run = assay::test::run(
            {"sh", "-c", "exec " + assay + " run m.yaml --events events " + closed}, folder.root());
        CHECK(run.code == 0);
        CHECK(assay::read_file(folder.root() + "/assay.db").starts_with("SQLite format 3"));
        const std::string events = assay::read_file(folder.root() + "/events");
        CHECK(events.starts_with("{\"event\""));
        CHECK_FALSE(contains(events, "first against second"));
        CHECK(folder.assay({"report"}).code == 0);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("Trust: want of memory is exit code 4, at any amount, and never an abort") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    const std::string assay = folder.assay_argv({})[0];
    for (int kilobytes = 30'000; kilobytes < 150'000; kilobytes += 10'000) {
        CAPTURE(kilobytes);
        const Finished run = assay::test::run({"sh", "-c",
                                               "ulimit -v " + std::to_string(kilobytes) +
                                                   "; exec " + assay + " run m.yaml --db x.db"},
                                              folder.root());
        // 127: not even the loader has the memory to start it.
        CHECK((run.code == 0 || run.code == 4 || run.code == 127));
        CAPTURE(run.err);
    }
}
#endif

TEST_CASE("Trust: the sandbox that the manual of configs names starts a program") {
    const std::string page = assay::read_file(ASSAY_SOURCE_DIR "/docs/config.md");
    const std::string mark = "A list of words is put before the command instead: `[";
    const std::size_t begin = page.find(mark);
    REQUIRE(begin != std::string::npos);
    const std::string words =
        page.substr(begin + mark.size(), page.find(']', begin) - begin - mark.size());
    RunFolder folder;
    std::string command = words + " true";
    std::erase(command, ',');
    if (assay::test::run({"sh", "-c", command}, folder.root()).code != 0) {
        MESSAGE("skipped: this machine has no bwrap, or does not let it work");
        return;
    }
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", "each: {sandbox: [" + words + "]}\n" +
                               match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    const Finished run = folder.assay({"run", "m.yaml", "--json"});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    CHECK(parsed(run.out).at("games") == 2);
}

TEST_CASE("Trust: a confined program cannot write elsewhere, connect, or start processes") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    std::filesystem::create_directory(folder.root() + "/own");
    // Where its user may write.
    const std::string outside = ASSAY_BINARY_DIR "/confined-program-was-here";
    const std::string temporary = "/tmp/assay-confined-" + std::to_string(::getpid());
    // It tries, writes down what came of it, and becomes a player.
    folder.write("tries.py",
                 "#!/usr/bin/python3\n"
                 "import ctypes, errno, fcntl, os, socket, sys, termios, threading\n"
                 "said = []\n"
                 "def tries(name, what):\n"
                 "    try:\n"
                 "        what()\n"
                 "        said.append(name + ' done')\n"
                 "    except OSError as error:\n"
                 "        said.append(name + ' refused')\n"
                 "    except RuntimeError as error:\n"
                 "        said.append(name + ' refused')\n"
                 "def fork():\n"
                 "    if os.fork() == 0: os._exit(0)\n"
                 "def many():\n"
                 "    for i in range(1000): fork()\n"
                 "def thread():\n"
                 "    one = threading.Thread(target=lambda: None)\n"
                 "    one.start()\n"
                 "    one.join()\n"
                 "def local():\n"
                 "    socket.socket(socket.AF_UNIX)\n"
                 "def datagrams():\n"
                 "    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
                 "def typed():\n"
                 "    try:\n"
                 "        fcntl.ioctl(0, termios.TIOCSTI, b'x')\n"
                 "    except OSError as error:\n"
                 "        if error.errno == errno.EPERM: raise\n"
                 "def keys():\n"
                 "    system = ctypes.CDLL(None, use_errno=True)\n"
                 "    for call in (" +
                     std::to_string(SYS_add_key) + ", " + std::to_string(SYS_request_key) + ", " +
                     std::to_string(SYS_keyctl) +
                     "):\n"
                     "        system.syscall(call, 0, 0, 0, 0, 0)\n"
                     "        if ctypes.get_errno() != errno.EPERM: return\n"
                     "    raise OSError()\n"
                     "def connect():\n"
                     "    socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)\n"
                     "tries('own', lambda: open('file', 'w').close())\n"
                     "tries('tmp', lambda: open('" +
                     temporary +
                     "', 'w').close())\n"
                     "tries('outside', lambda: open(sys.argv[2], 'w').close())\n"
                     "tries('connect', connect)\n"
                     "tries('local', local)\n"
                     "tries('datagrams', datagrams)\n"
                     "tries('pair', lambda: socket.socketpair())\n"
                     "tries('typed', typed)\n"
                     "tries('fork', many)\n"
                     "tries('thread', thread)\n"
                     "tries('keys', keys)\n"
                     "said.append('processes %d' % sum(n.isdigit() for n in os.listdir('/proc')))\n"
                     "said.append('session ' + ('own' if os.getsid(0) > 0 else 'shared'))\n"
                     "said.append('run %d' % len(os.listdir('/run')))\n"
                     "said.append('secret ' + os.environ.get('ASSAY_TEST_SECRET', 'none'))\n"
                     "said.append('named ' + os.environ.get('X', 'none'))\n"
                     "open('said', 'w').write('\\n'.join(said) + '\\n')\n"
                     "os.execv(sys.argv[3], sys.argv[3:])\n");
    std::filesystem::permissions(folder.root() + "/tries.py", std::filesystem::perms::owner_all);
    const assay::test::OpenPort port;
    const std::string command = "[" + folder.root() + "/tries.py, \"" +
                                std::to_string(port.number()) + "\", " + outside + ", " + instant +
                                "]";
    const auto said_with = [&](const std::string& sandbox) {
        folder.write("m.yaml", "start_limit: 10min\nprograms:\n  a: {command: " + command +
                                   ", dir: " + folder.root() + "/own, " + sandbox +
                                   "}\n  b: {command: [" + instant +
                                   "]}\nmatch: {time: {nodes: 10}, pairs: 1}\n");
        const Finished run = folder.assay({"run", "m.yaml", "--json"});
        CAPTURE(run.err);
        if (run.code == 4 && assay::test::contains(run.err, "cannot be confined here")) {
            MESSAGE("skipped: " << run.err);
            return std::string();
        }
        CHECK(run.code == 0);
        return assay::read_file(folder.root() + "/own/said");
    };
    ::setenv("ASSAY_TEST_SECRET", "known", 1);  // NOLINT(concurrency-mt-unsafe): one thread
    const std::string free = said_with("env: {X: '1'}");
    CHECK(assay::test::contains(free,
                                "connect done\nlocal done\ndatagrams done\npair "
                                "done\ntyped done\nfork done\nthread done\n"));
    CHECK(assay::test::contains(free, "secret known\nnamed 1\n"));
    CHECK(std::filesystem::remove(temporary));
    CHECK(std::filesystem::remove(outside));

    if (const std::string bound = said_with("env: {X: '1'}, sandbox: bubblewrap"); !bound.empty()) {
        CHECK(bound ==
              "own done\ntmp done\noutside refused\nconnect refused\nlocal refused\n"
              "datagrams refused\npair done\ntyped refused\nfork refused\nthread done\n"
              "keys refused\nprocesses 2\nsession own\nrun 0\nsecret none\nnamed 1\n");
        CHECK_FALSE(std::filesystem::exists(temporary));
        CHECK_FALSE(std::filesystem::exists(outside));
        const std::string wide = said_with("sandbox: {network: true, processes: true}");
        CHECK(assay::test::contains(wide,
                                    "outside refused\nconnect done\nlocal refused\n"
                                    "datagrams refused\npair done\ntyped refused\n"
                                    "fork done\n"));
        CHECK(assay::test::contains(wide, "session own\nrun 0\nsecret none\n"));
    }
    ::unsetenv("ASSAY_TEST_SECRET");  // NOLINT(concurrency-mt-unsafe)
}

TEST_CASE("Trust: a confined program finds what its command and options name, where they lie") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const std::string elsewhere = "/var/tmp/assay-confined-" + std::to_string(::getpid());
    const std::string link = ASSAY_BINARY_DIR "/confined-link-" + std::to_string(::getpid());
    std::filesystem::create_directories(elsewhere);
    std::filesystem::create_directory(folder.root() + "/own");
    std::filesystem::create_directory(folder.root() + "/nets");
    folder.write("nets/a.nnue", "net");
    folder.write("behind", "link");
    std::filesystem::create_symlink(folder.root() + "/behind", folder.root() + "/between");
    std::filesystem::create_symlink(folder.root() + "/between", link);
    assay::write_file(elsewhere + "/finds.py",
                      "#!/usr/bin/python3\n"
                      "import os, sys\n"
                      "said = [os.getcwd()]\n"
                      "for name in sys.argv[1:4]:\n"
                      "    name = name.split('=')[-1]\n"
                      "    said.append(open(name).read() if os.path.exists(name) else 'missing')\n"
                      "said.append(' '.join(sorted(os.listdir('/tmp'))))\n"
                      "open(sys.argv[4] + '/found', 'w').write('\\n'.join(said) + '\\n')\n"
                      "os.execv(sys.argv[5], sys.argv[5:])\n");
    std::filesystem::permissions(elsewhere + "/finds.py", std::filesystem::perms::owner_all);
    const auto config = [&](const std::string& write) {
        return "programs:\n  a: {command: [" + elsewhere +
               "/finds.py, nets/a.nnue, --file=" + folder.root() + "/behind, " + link + ", " +
               folder.root() + "/own, " + instant +
               "], options: {Path: /tmp}, sandbox: {write: " + write + "}}\n  b: {command: [" +
               instant + "]}\nmatch: {time: {nodes: 10}, pairs: 1}\n";
    };
    folder.write("m.yaml", config("own"));
    const Finished run = folder.assay({"run", "m.yaml", "--json"});
    CAPTURE(run.err);
    if (run.code == 4 && assay::test::contains(run.err, "cannot be confined here")) {
        MESSAGE("skipped: " << run.err);
    } else {
        CHECK(run.code == 0);
        const std::string name = std::filesystem::path(folder.root()).filename();
        CHECK(assay::read_file(folder.root() + "/own/found") ==
              folder.root() + "\nnet\nlink\nlink\n" + name + "\n");
    }
    std::filesystem::remove_all(elsewhere);
    std::filesystem::remove(link);

    folder.write("m.yaml", "each: {sandbox: {write: none}}\n" +
                               match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    const Finished missing = folder.assay({"run", "m.yaml"});
    CHECK(missing.code == 2);
    CHECK(assay::test::contains(
        missing.err, "m.yaml:1:18: error: there is no folder '" + folder.root() + "/none'"));
}

TEST_CASE("Trust: nothing of a confined program outlives a run that is killed or stopped") {
    for (const int signal : {SIGKILL, SIGTERM}) {
        RunFolder folder;
        // It stays, and so does a child in a session of its own.
        folder.write("stays.py",
                     "#!/usr/bin/python3\n"
                     "import os, signal\n"
                     "if os.fork() == 0: os.setsid()\n"
                     "else: open('started', 'w').close()\n"
                     "while True: signal.pause()\n");
        std::filesystem::permissions(folder.root() + "/stays.py",
                                     std::filesystem::perms::owner_all);
        const std::string stays = folder.root() + "/stays.py";
        folder.write("m.yaml", "each: {dir: " + folder.root() +
                                   ", sandbox: {processes: true}}\nstart_limit: 10min\n" +
                                   match_of(stays, stays, "time: {nodes: 10}, pairs: 1"));
        Child run(folder.assay_argv({"run", "m.yaml"}), folder.root());
        const std::string started = folder.root() + "/started";
        if (!run.until([&] { return std::filesystem::exists(started); })) {
            MESSAGE("skipped: " << run.wait().err);
            return;
        }
        run.signal(signal);
        (void)run.wait();
        CHECK(folder.is_quiet());
    }
}

TEST_CASE("Trust: without bubblewrap a confined program is not started, and says why") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", "each: {sandbox: bubblewrap}\n" +
                               match_of(instant, instant, "time: {nodes: 10}, pairs: 1"));
    const Finished none = assay::test::run(
        {"/usr/bin/env", "PATH=/nonexistent", folder.assay_argv({})[0], "run", "m.yaml"},
        folder.root());
    CHECK(none.code == 2);
    CHECK(assay::test::contains(none.err, "there is no 'bwrap' (sandbox: bubblewrap)"));
    std::filesystem::create_directory(folder.root() + "/bin");
    folder.write("bin/bwrap", "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n");
    std::filesystem::permissions(folder.root() + "/bin/bwrap", std::filesystem::perms::owner_all);
    const Finished forbidden =
        assay::test::run({"/usr/bin/env", "PATH=" + folder.root() + "/bin:/usr/bin:/bin",
                          folder.assay_argv({})[0], "run", "m.yaml"},
                         folder.root());
    CHECK(forbidden.code == 4);
    // A program from git is confined too, and is not built for nothing.
    const assay::test::TinyRepo repo({"ok", "ok"});
    const auto run_git = [&](const std::string& more) {
        assay::write_file(
            repo.dir().path("m.yaml"),
            "each: {sandbox: bubblewrap, git: {repo: repo, build: [make, -C, src]}, command: "
            "[./src/engine]" +
                more +
                "}\nprograms: {head: {git: {ref: HEAD}}, base: {git: {ref: HEAD}}}\nmatch: "
                "{between: [head, base], time: {depth: 2}, pairs: 1, seed: 1}\n");
        return assay::test::run({"/usr/bin/env", "PATH=" + folder.root() + "/bin:/usr/bin:/bin",
                                 folder.assay_argv({})[0], "run", "m.yaml"},
                                repo.dir().root());
    };
    const Finished unbuilt = run_git("");
    CHECK(unbuilt.code == 4);
    CHECK(assay::test::contains(unbuilt.err, "program 'head': it cannot be confined here"));
    CHECK_FALSE(assay::test::contains(unbuilt.err, "building"));
    folder.write("bin/bwrap",
                 "#!/bin/sh\nfor word; do [ \"$word\" != bench ] || { echo 'bwrap: No room' >&2; "
                 "exit 1; }; done\nwhile [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n");
    const Finished benched = run_git(", bench: {signature: 1}");
    CHECK(benched.code == 4);
    CHECK(assay::test::contains(benched.out, "its bench failed in its sandbox: bwrap: No room"));
    CHECK(assay::test::contains(forbidden.err,
                                "cannot be confined here (bwrap: No permissions): bubblewrap "
                                "needs user namespaces"));
}

TEST_CASE("Trust: git runs no program that the repository's settings name") {
    const assay::test::TinyRepo repo({"ok", "ok"});
    const std::string ran = repo.dir().path("ran");
    const std::string script = repo.dir().path("spy");
    assay::write_file(script, "#!/bin/sh\necho >> " + ran + "\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    repo.git({"config", "core.fsmonitor", script});
    std::filesystem::create_directories(repo.path() + "/.git/hooks");
    for (const char* const hook : {"post-checkout", "post-index-change", "reference-transaction"})
        std::filesystem::copy_file(script, repo.path() + "/.git/hooks/" + hook);
    assay::write_file(repo.dir().path("m.yaml"),
                      "each: {git: {repo: repo, build: [make, -C, src]}, command: "
                      "[./src/engine]}\nprograms: {head: {git: {ref: worktree}}, base: {git: "
                      "{ref: HEAD}}}\nmatch: {between: [head, base], time: {depth: 2}, pairs: 1, "
                      "seed: 1}\n");
    const Finished run = repo.assay({"run", "m.yaml"});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    CHECK_FALSE(std::filesystem::exists(ran));
}
