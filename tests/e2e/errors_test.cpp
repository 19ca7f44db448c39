// What is wrong with a command line or its surroundings is told before anything is played.
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "tests/e2e/bench_run.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/contains.h"

using assay::read_file;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace fs = std::filesystem;

namespace {

std::string programs_of(RunFolder& folder) {
    const std::string instant = folder.program("instant");
    return "programs:\n  a: {command: [" + instant + "], options: {Seed: 1}}\n  b: {command: [" +
           instant + "], options: {Seed: 2}}\n";
}

void write_short_config(RunFolder& folder) {
    folder.write("m.yaml", programs_of(folder) +
                               "match: {between: [a, b], time: {nodes: 10}, pairs: 2, seed: 3, "
                               "adjudicate: {length: 10}}\n");
}

}  // namespace

TEST_CASE("Errors: what cannot be written is noticed before the run") {
    RunFolder folder;
    write_short_config(folder);
    fs::create_directory(folder.root() + "/taken");
    folder.write("file", "");
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"run", "m.yaml", "--events", "taken"},
          {"run", "m.yaml", "--events", "none/events"},
          {"run", "m.yaml", "--log", "file"},
          {"gate", "m.yaml", "--junit", "none/x.xml"},
          {"gate", "m.yaml", "--markdown", "taken"},
          {"gate", "m.yaml", "--out", "file"},
          {"run", "m.yaml", "--db", ""},
          {"run", "m.yaml", "--db", "taken"},
          {"run", "m.yaml", "--db", "none/assay.db"},
          {"run", "m.yaml", "--set", "match.pairs="},
          {"run", "m.yaml", "--pairs", ""},
          {"run", "m.yaml", "--set", "programs.a.dir=/none/such"},
          {"run", "m.yaml", "--set", "programs.a.sandbox=[none-such]"}}) {
        CAPTURE(more);
        const Finished refused = folder.assay(more);
        CHECK(refused.code == 2);
        CHECK_FALSE(refused.err.empty());
        CHECK_FALSE(contains(refused.err, "internal error"));
        CHECK_FALSE(contains(refused.err, "filesystem error"));
        if (!fs::exists(folder.root() + "/assay.db")) continue;
        CHECK(contains(folder.assay({"runs"}).out, "no runs in"));
    }
    CHECK(folder.assay({"run", "m.yaml"}).code == 0);
    for (const char* format : {"text", "pgn", "json"}) {
        CHECK(folder.assay({"report", "--format", format, "-o", "taken"}).code == 2);
    }
}

TEST_CASE("Errors: a book that is a pipe with a name is refused, and not said to be read") {
    RunFolder folder;
    const std::string book = folder.root() + "/book.epd";
    REQUIRE(::mkfifo(book.c_str(), 0600) == 0);
    folder.write("m.yaml", folder.repeatable_config(1));
    const Finished refused = folder.assay({"run", "m.yaml", "--set", "match.openings=" + book});
    CHECK(refused.code == 2);
    CHECK(refused.out + refused.err ==
          book + ": cannot read: it is a pipe; give a file, or /dev/stdin\n");
}

TEST_CASE("Errors: a misspelt command and a match without a time say what was meant") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const Finished misspelt = folder.assay({"rnu", "m.yaml"});
    CHECK(misspelt.code == 2);
    CHECK(contains(misspelt.err, "there is no command 'rnu'; did you mean 'run'?"));
    const Finished inner = folder.assay({"runs", "delte", "1"});
    CHECK(inner.code == 2);
    CHECK(contains(inner.err, "assay runs: there is no command 'delte'; did you mean 'delete'?"));
    for (const char* command : {"run", "gate"}) {
        const Finished timeless =
            folder.assay({command, "--program", instant, "--program", instant});
        CHECK(timeless.code == 2);
        CHECK(contains(timeless.err, std::string(command) + ": there is no time control;"));
        CHECK(contains(timeless.err, "--time 10+0.1"));
        CHECK(contains(timeless.err, "--time '{nodes: 20000}'"));
    }
    CHECK_FALSE(fs::exists(folder.root() + "/assay.db"));
    const Finished nodes = folder.assay({"run", "--program", instant, "--program", instant,
                                         "--time", "{nodes: 20}", "--pairs", "2", "--explain"});
    CHECK_MESSAGE(nodes.code == 0, nodes.err);
    CHECK(contains(nodes.out,
                   "\n# the resolved plan as a config (--json prints it as the "
                   "store keeps it, which is no config)\n"));
    CHECK(contains(nodes.out, "\n  time: \"nodes 20\"\n"));
    CHECK(contains(nodes.out, "\n  between: [instant, instant-2]\n"));
    CHECK_FALSE(contains(nodes.out, "{\""));
    // Pasted into a file it is the same plan.
    folder.write("pasted.yaml", nodes.out.substr(nodes.out.find("# the resolved plan")));
    const Finished pasted = folder.assay({"run", "pasted.yaml", "--explain", "--json"});
    CHECK_MESSAGE(pasted.code == 0, pasted.err);
    CHECK(pasted.out == folder
                            .assay({"run", "--program", instant, "--program", instant, "--time",
                                    "{nodes: 20}", "--pairs", "2", "--explain", "--json"})
                            .out);
}

TEST_CASE("Errors: more threads at once than cores are warned of where a clock decides") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", "each: {command: [" + instant +
                               "], options: {Threads: 65536}}\nprograms: {a: {}, b: {}}\n"
                               "match: {between: [a, b], time: 5+0.1, pairs: 1}\n");
    const std::string crowd = "1 game at once with 65536 threads each want 65536 cores and ";
    CHECK(contains(folder.assay({"run", "m.yaml", "--explain"}).out, "  note        " + crowd));
    CHECK(contains(folder.assay({"run", "m.yaml"}).out, "warning: match 'm': " + crowd));
    const std::string nodes = "match.time={nodes: 20}";
    CHECK_FALSE(contains(folder.assay({"run", "m.yaml", "--explain", "--set", nodes}).out, crowd));
    CHECK_FALSE(contains(folder.assay({"run", "m.yaml", "--set", nodes}).out, crowd));
    // Of a tournament it is no matter of the first two programs.
    folder.write("t.yaml", "each: {command: [" + instant +
                               "], options: {Threads: 65536}}\nprograms: {a: {}, b: {}, c: {}}\n"
                               "tournament: {kind: round_robin, rounds: 1}\n"
                               "match: {time: 5+0.1}\n");
    CHECK(contains(folder.assay({"run", "t.yaml"}).out, "warning: the tournament: " + crowd));

    const auto plan = [&](const char* pairs) {
        return folder.assay({"run", "--program", instant, "--program", instant, "--time", "5+0.1",
                             "--concurrency", "4096", "--pairs", pairs, "--explain"});
    };
    CHECK(contains(plan("5000").out, "4096 games at once with 1 thread each"));
    CHECK_FALSE(contains(plan("1").out, "at once with 1 thread each"));
}

TEST_CASE("Errors: events that cannot be written are missed with a warning") {
    RunFolder folder;
    write_short_config(folder);
    const Finished finished = folder.assay({"run", "m.yaml", "--events", "/dev/full"});
    CHECK(finished.code == 0);
    CHECK(contains(finished.err, "warning: /dev/full: cannot write: No space left on device"));
}

TEST_CASE("Errors: a gate that cannot begin leaves its error where an older run's files lay") {
    RunFolder folder;
    write_short_config(folder);
    const std::vector<std::string> gate{"gate",  "m.yaml", "--pairs",    "12",
                                        "--out", "art",    "--markdown", "m.md"};
    (void)folder.assay(gate);
    for (const char* name : {"junit.xml", "report.md", "result.json", "games.pgn.zst"}) {
        CHECK(fs::exists(folder.root() + "/art/" + name));
    }
    std::vector<std::string> wrong = gate;
    wrong.insert(wrong.end(), {"--set", "match.rounds=3"});
    CHECK(folder.assay(wrong).code == 2);
    CHECK(contains(read_file(folder.root() + "/art/junit.xml"), "unknown key"));
    CHECK(contains(read_file(folder.root() + "/art/junit.xml"), "errors=\"1\""));
    CHECK(contains(read_file(folder.root() + "/art/report.md"), "unknown key"));
    CHECK(contains(read_file(folder.root() + "/m.md"), "unknown key"));
    CHECK_FALSE(fs::exists(folder.root() + "/art/result.json"));
    CHECK_FALSE(fs::exists(folder.root() + "/art/games.pgn.zst"));
    const std::string log = read_file(folder.root() + "/art/log.txt");
    CHECK(contains(log, "unknown key"));
    CHECK_FALSE(contains(log, "a against b"));
}

TEST_CASE("Errors: a shorthand is said of each match of a list") {
    RunFolder folder;
    folder.write("m.yaml", programs_of(folder) +
                               "matches:\n- {name: x, between: [a, b], time: {nodes: 10}}\n"
                               "- {name: y, between: [a, b], time: {nodes: 20}}\n");
    const Finished finished = folder.assay(
        {"run", "m.yaml", "--pairs", "3", "--seed", "11", "--set", "failures_in_a_row=7"});
    CHECK_MESSAGE(finished.code == 0, finished.err);
    CHECK(contains(finished.out, "m · x · a against b · 3 pairs"));
    CHECK(contains(finished.out, "m · y · a against b · 3 pairs"));
    CHECK(contains(finished.out, "seed 11"));
}

TEST_CASE("Errors: hints name the store, and a plan that is only explained has no run") {
    RunFolder folder;
    write_short_config(folder);
    const Finished finished = folder.assay({"run", "m.yaml", "--db", "a b.db"});
    CHECK(contains(finished.out, "report: assay report 1 --db 'a b.db'\n"));
    const Finished explained = folder.assay({"run", "m.yaml", "--explain", "--pairs", "1"});
    CHECK_FALSE(contains(explained.out, "run 0"));
    CHECK(contains(explained.out, "1 pair can resolve about"));
}

TEST_CASE("Errors: what a run warned of stands in each of its reports") {
    RunFolder folder;
    const std::string between = "bad: ended between two games (";
    folder.write("m.yaml", "programs:\n  bad: {command: [" + folder.program("misbehave") +
                               ", --sin, abort-between]}\n  good: {command: [" +
                               folder.program("instant") +
                               "]}\nmatch: {between: [bad, good], pairs: 2, time: {nodes: 10}, "
                               "concurrency: 1, seed: 7, adjudicate: {length: 40}}\n");
    const Finished run = folder.assay({"run", "m.yaml", "--json"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    REQUIRE(contains(run.err, "warning: " + between));
    const auto warnings = parsed(run.out).at("warnings").as_array();
    REQUIRE(warnings.size() > 0);
    for (const auto& warning : warnings) {
        const std::string text(warning.as_string());
        CAPTURE(text);
        CHECK(contains(run.err, "warning: " + text + "\n"));
    }
    const auto of_format = [&](const char* format) {
        return folder.assay({"report", "--format", format}).out;
    };
    CHECK(parsed(of_format("json")).at("warnings") == parsed(run.out).at("warnings"));
    CHECK(contains(of_format("text"), "warning: " + between));
    CHECK(contains(of_format("markdown"), "- warning: bad: ended between two games"));
    CHECK(contains(of_format("html"), between));
}

TEST_CASE("Errors: a book's warnings keep their lines") {
    RunFolder folder;
    write_short_config(folder);
    folder.write("b.pgn", "1. e4 e5 *\n1. d4 *\n1. e5 *\n");
    const Finished finished = folder.assay({"run", "m.yaml", "--openings", "b.pgn"});
    CHECK(contains(finished.out, "the line is cut before it\n  1. e5 *\n     ^~\n"));
    CHECK_FALSE(contains(finished.out, "\\x0a"));
    // A tool that looks for "file:line:column: warning:" finds it where the line begins.
    CHECK(contains("\n" + finished.out, "\n" + folder.root() + "/b.pgn:3:4: warning: "));
}

TEST_CASE("Errors: a report says how many pairs lie behind a gap") {
    RunFolder folder;
    {
        using assay::harness::Store;
        Store store(folder.root() + "/assay.db", Store::Access::Write);
        const auto run = store.begin_run(assay::test::sample_run());
        for (const int pair : {0, 2, 3}) {
            assay::test::write_sample_pair(store, run, pair);
        }
    }
    const Finished report = folder.assay({"report"});
    CAPTURE(report.err);
    CAPTURE(report.code);
    CHECK(contains(report.out,
                   "not counted: 2 pairs after one that is not finished, which --resume plays"));
    CHECK(parsed(folder.assay({"report", "--format", "json"}).out).at("waiting") == 2);
}

TEST_CASE("Errors: a book is not converted into itself") {
    RunFolder folder;
    folder.write("b.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    const Finished refused = folder.assay({"book", "convert", "b.epd", "./b.epd"});
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "is the book itself"));
}

TEST_CASE("at_end: is told the verdict when the run has ended, and its failure is a warning") {
    RunFolder folder;
    write_short_config(folder);
    folder.write("end.yaml",
                 "at_end: [/bin/sh, -c, 'echo \"$@\" > told; exit 3', sh, '{verdict}', '{run}', "
                 "'{pairs}', '{exit}']\n");
    const Finished finished = folder.assay({"run", "m.yaml", "end.yaml", "--json"});
    CHECK(finished.code == 0);
    CHECK(contains(finished.err, "warning: at_end: /bin/sh: exited with code 3\n"));
    CHECK(read_file(folder.root() + "/told") == "none 1 2 0\n");
}

TEST_CASE("at_end: neither a terminal nor a CI system obeys what the program says") {
    RunFolder folder;
    write_short_config(folder);
    folder.write(
        "say.sh",
        "printf 'plain\\n\\033[31mred\\n  ::stop-commands::x\\n##[group]y\\nno end' >&2\n");
    folder.write("end.yaml", "at_end: [/bin/sh, say.sh]\n");
    const Finished finished = folder.assay({"run", "m.yaml", "end.yaml"});
    CHECK(finished.code == 0);
    CHECK(contains(finished.err, "plain\n\\x1b[31mred\n  \\x3a:stop-commands::x\n"));
    CHECK(contains(finished.err, "\n\\x23#[group]y\nno end\n"));
    CHECK(finished.err.find('\x1b') == std::string::npos);
}

TEST_CASE("Gate: a log that a full disk cuts short is in the code that is printed and told") {
    RunFolder folder;
    write_short_config(folder);
    folder.write("end.yaml", "at_end: [/bin/sh, -c, 'echo \"$1\" > told', sh, '{exit}']\n");
    fs::create_directory(folder.root() + "/art");
    fs::create_symlink("/dev/full", folder.root() + "/art/log.txt");
    const Finished finished = folder.assay({"gate", "m.yaml", "end.yaml", "--out", "art"});
    CAPTURE(finished.err);
    CHECK(finished.code == 4);
    CHECK(contains(finished.err, "art/log.txt: cannot write"));
    CHECK(finished.out.ends_with("\nexit 4\n"));
    CHECK(read_file(folder.root() + "/told") == "4\n");
    CHECK(parsed(folder.assay({"runs", "--json"}).out).at("exit_code") == 4);
    CHECK(parsed(read_file(folder.root() + "/art/result.json")).at("exit_code") == 4);
}

TEST_CASE("Errors: a program that cannot start is told with its last words") {
    RunFolder folder;
    folder.write("e.sh", "#!/bin/sh\necho 'error while loading: libnnue.so.7' >&2\nexit 127\n");
    fs::permissions(folder.root() + "/e.sh", fs::perms::owner_all);
    const Finished stopped =
        folder.assay({"run", "--program", "./e.sh", "--program", folder.program("instant"),
                      "--time", "{nodes: 10}", "--pairs", "1"});
    CHECK(stopped.code == 4);
    CHECK(contains(stopped.out + stopped.err, "stderr: error while loading: libnnue.so.7"));
    CHECK(contains(folder.assay({"report", "--format", "json"}).out, "libnnue.so.7"));
}

TEST_CASE(
    "Errors: where a limit on the size of files admits no store, it is named with what to do") {
    RunFolder folder;
    write_short_config(folder);
    std::vector<std::string> argv = folder.assay_argv({"run", "m.yaml", "--pairs", "1"});
    argv.insert(argv.begin(), {"/bin/bash", "-c", "ulimit -f 8; exec \"$@\"", "bash"});
    const Finished stopped = assay::test::run(argv, folder.root());
    CHECK(stopped.code == 4);
    CHECK_MESSAGE(contains(stopped.err,
                           "the system lets no file of this process grow beyond 8192 "
                           "bytes (ulimit -f): raise that limit"),
                  stopped.err);
}

TEST_CASE("Errors: a limit on the size of files is said, and the run can be resumed") {
    RunFolder folder;
    write_short_config(folder);
    std::vector<std::string> argv = folder.assay_argv({"run", "m.yaml", "--pairs", "20000"});
    argv.insert(argv.begin(), {"/bin/sh", "-c", "ulimit -f 4000; exec \"$@\"", "sh"});
    const Finished stopped = assay::test::run(argv, folder.root());
    CHECK(stopped.code == 4);
    CHECK(contains(stopped.out + stopped.err, "--resume"));
    CHECK(folder.is_quiet());
}

TEST_CASE(
    "Errors: a machine that cannot start programs is 4, in the store too, and costs no game") {
#ifdef __SANITIZE_ADDRESS__
    MESSAGE("not tried: the sanitizer looks at objects through a pipe and lacks the descriptors");
#else
    RunFolder folder;
    write_short_config(folder);
    const std::vector<std::string> words{"run",           "m.yaml", "--pairs", "60",
                                         "--concurrency", "40",     "--json"};
    const Finished whole = folder.assay([&] {
        std::vector<std::string> other = words;
        other.insert(other.end(), {"--db", "whole.db"});
        return other;
    }());
    REQUIRE(whole.code == 0);

    // Enough to begin with, too few for eighty programs.
    std::vector<std::string> argv = folder.assay_argv(words);
    argv.insert(argv.begin(), {"/bin/sh", "-c", "ulimit -n 100; exec \"$@\"", "sh"});
    const Finished stopped = assay::test::run(argv, folder.root());
    CAPTURE(stopped.err);
    CHECK(stopped.code == 4);
    CHECK(contains(stopped.err, "cannot start programs: "));
    CHECK(contains(stopped.err, "Too many open files, twice in a row"));
    CHECK(folder.is_quiet());
    {
        const assay::harness::Store store(folder.root() + "/assay.db",
                                          assay::harness::Store::Access::Read);
        const auto run = store.find_run("latest").value();
        CHECK(run.state == assay::harness::RunState::Failed);
        CHECK(run.findings.exit_code == 4);
        CHECK(contains(run.end_reason, "Too many open files"));
        store.for_each_game(
            run.id, 0, [](const assay::harness::GameRecord& game) { CHECK(game.guilty == -1); });
    }
    std::vector<std::string> again = words;
    again.emplace_back("--resume");
    const Finished resumed = folder.assay(again);
    REQUIRE(resumed.code == 0);
    for (const char* key : {"games", "wdl", "pentanomial", "terminations"}) {
        CHECK(parsed(resumed.out).at(key) == parsed(whole.out).at(key));
    }
#endif
}

TEST_CASE(
    "Errors: a reader that leaves early changes no exit code, a full disk does, stored as told") {
    RunFolder folder;
    write_short_config(folder);
    const auto code_with = [&](const std::string& redirection) {
        std::vector<std::string> argv = folder.assay_argv({"run", "m.yaml"});
        argv.insert(argv.begin(), {"/bin/bash", "-c",
                                   "\"$@\" " + redirection + "; exit ${PIPESTATUS[0]}", "bash"});
        return assay::test::run(argv, folder.root()).code;
    };
    const auto stored_code = [&] {
        const std::string newest_first = folder.assay({"runs", "--json"}).out;
        return parsed(newest_first.substr(0, newest_first.find('\n'))).at("exit_code");
    };
    CHECK(code_with("| true") == 0);
    CHECK(stored_code() == 0);
    CHECK(code_with(">/dev/full") == 4);
    CHECK(stored_code() == 4);
    CHECK(code_with("| head -n 1") == 0);
}
