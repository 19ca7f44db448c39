#include <algorithm>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "tests/cli/shell.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

using assay::read_file;
using assay::harness::GameRecord;
using assay::harness::RunRecord;
using assay::harness::Store;
using assay::harness::Termination;
using assay::test::contains;
using assay::test::Finished;
using assay::test::shell;
using assay::test::TempDir;
using assay::test::times_in;

namespace {

/// A store with one run of one legal game between two misbehaves, the first of which crashed. It
/// has `words` in its texts.
void write_store(const std::string& path, const std::string& words = {}) {
    RunRecord run = assay::test::sample_run("night");
    for (auto& program : run.plan.programs) {
        program.command = {ASSAY_BINARY_DIR "/tests/engines/misbehave"};
    }
    std::string why;
    const auto control = assay::harness::parse_time_control("8+0.08", why);
    REQUIRE(control);
    run.plan.matches[0].time = {*control, *control};
    Store store(path, Store::Access::Write);
    const auto id = store.begin_run(run);
    GameRecord game = assay::test::sample_game(0, 0, 0, 2);
    game.opening = {"e2e4", "e7e5"};
    game.moves[0].name = "g1f3";
    game.moves[1].name = "b8c6";
    game.termination = Termination::Crash;
    game.guilty = 0;
    game.reason = "head crashed: killed by signal 11" + words;
    game.last_lines = "info depth 1\nstderr: assertion" + words;
    game.last_command = words;
    store.write_game(id, 0, game);
}

}  // namespace

TEST_CASE("check: exit codes say passed, failed, wrong flags and not started") {
    const TempDir folder;
    const std::string misbehave = ASSAY_BINARY_DIR "/tests/engines/misbehave";
    CHECK(shell(folder.root(), "$ASSAY check").code == 2);
    CHECK(shell(folder.root(), "$ASSAY check --protocol usi x").code == 2);
    CHECK(shell(folder.root(), "$ASSAY check ./none").code == 4);
    const Finished failed =
        shell(folder.root(), "$ASSAY check " + misbehave + " --json --sin exit-at-once");
    CHECK(failed.code == 1);
    const auto report = boost::json::parse(failed.out);
    CHECK(report.at("passed") == false);
    CHECK(report.at("failed") == 1);
    CHECK(report.at("command").as_array().size() == 3);
    CHECK(contains(shell(folder.root(), "$ASSAY check --jsn x").out, "did you mean '--json'"));
}

TEST_CASE("check: every step that was reached is a line of its own") {
    const TempDir folder;
    const std::string misbehave = ASSAY_BINARY_DIR "/tests/engines/misbehave";
    const Finished text = shell(folder.root(), "$ASSAY check " + misbehave);
    const Finished json = shell(folder.root(), "$ASSAY check --json " + misbehave);
    const auto report = boost::json::parse(json.out);
    CHECK(report.at("skipped").as_int64() > 2);
    CHECK(std::count(text.out.begin(), text.out.end(), '\n') ==
          static_cast<std::ptrdiff_t>(report.at("steps").as_array().size()) + 1);
}

TEST_CASE("init: writes a config once, and over it only when forced") {
    const TempDir folder;
    CHECK(shell(folder.root(), "$ASSAY init").code == 0);
    const std::string first = read_file(folder.path("assay.yaml"));
    CHECK(contains(first, "programs:"));
    const Finished again = shell(folder.root(), "$ASSAY init");
    CHECK(again.code == 2);
    CHECK(again.out == "assay.yaml: exists already; --force writes over it\n");
    CHECK(shell(folder.root(), "$ASSAY init --force --gate").code == 0);
    CHECK(contains(read_file(folder.path("assay.yaml")), "stop:\n  capped: no_regression"));
}

TEST_CASE("init: program names are told apart and paths are absolute") {
    const TempDir folder;
    CHECK(shell(folder.root(), "$ASSAY init x.yaml --program './a b/eng' --program old/eng").code ==
          0);
    const std::string text = read_file(folder.path("x.yaml"));
    CHECK(contains(text, "between: [new-eng, old-eng]"));
    CHECK(contains(text, "command: ['" + folder.root() + "/a b/eng']"));
}

TEST_CASE("replay: a game, a ply, the failed ply and errors") {
    const TempDir folder;
    write_store(folder.path("assay.db"));
    const Finished game = shell(folder.root(), "$ASSAY replay latest 1");
    CHECK(game.code == 0);
    CHECK(contains(game.out, "first game): head is White, base is Black\n"));
    CHECK(contains(game.out, "    3  2. Nf3"));
    CHECK(contains(game.out, "head crashed: killed by signal 11 (crash)"));
    const Finished ply = shell(folder.root(), "$ASSAY replay night 1 3");
    CHECK(contains(ply.out,
                   "told       position startpos moves e2e4 e7e5\n           go wtime 8080 btime "
                   "8080 winc 80 binc 80\n"));
    CHECK_FALSE(contains(ply.out, "last said"));
    const Finished last = shell(folder.root(), "$ASSAY replay 1 1 5");
    CHECK(contains(last.out, "no move: it failed here"));
    CHECK(contains(last.out, "last said  info depth 1\n           stderr: assertion\n"));
    CHECK(shell(folder.root(), "$ASSAY replay 1 1 6").out ==
          "replay: game 1 has plies 1 to 5, not 6\n");
    CHECK(shell(folder.root(), "$ASSAY replay 1 9").out ==
          "replay: run 1 has no game 9; its last is game 1\n");
    CHECK(shell(folder.root(), "$ASSAY replay 1 1 --match 2").code == 2);
    CHECK(shell(folder.root(), "$ASSAY replay 7 1").code == 2);
    CHECK(shell(folder.root(), "$ASSAY replay 1 1 --db none.db").code == 2);
}

TEST_CASE("replay: a store from elsewhere commands neither the terminal nor a CI system") {
    const TempDir folder;
    write_store(folder.path("assay.db"), "\x1b]0;pwn\x07\xc2\x9b\n::error::pwn");
    for (const char* const line :
         {"$ASSAY replay 1 1", "$ASSAY replay 1 1 5", "$ASSAY replay 1 1 3"}) {
        const Finished done = shell(folder.root(), line);
        CAPTURE(done.out);
        CHECK(done.code == 0);
        CHECK(contains(done.out, "head"));
        for (const char* const bad : {"\x1b", "\x07", "\xc2\x9b", "\n::", "\n           ::"})
            CHECK_FALSE(contains(done.out, bad));
    }
    // Nor does the message about a store that is damaged.
    write_store(folder.path("moves.db"));
    {
        Store store(folder.path("moves.db"), Store::Access::Write);
        GameRecord game = assay::test::sample_game(0, 1, 0, 2);
        game.opening = {"e2e4\x1b[31m"};
        store.write_game(1, 0, game);
    }
    const Finished damaged = shell(folder.root(), "$ASSAY replay 1 2 --db moves.db");
    CHECK(damaged.code == 4);
    CHECK_MESSAGE(contains(damaged.out, "the illegal move 'e2e4\\x1b[31m'"), damaged.out);
    CHECK_FALSE(contains(damaged.out, "\x1b"));
}

TEST_CASE("report: PGN and CSV have the games of whole pairs, neither void ones nor a half") {
    using assay::harness::PairState;
    using assay::test::write_sample_pair;
    const TempDir folder;
    write_store(folder.path("assay.db"));  // the first game of pair 1 alone
    {
        Store store(folder.path("assay.db"), Store::Access::Write);
        write_sample_pair(store, 1, 1, 0, PairState::Void);
        write_sample_pair(store, 1, 1, 1);
        write_sample_pair(store, 1, 2, 0, PairState::AfterStop);
    }
    const std::string pgn = shell(folder.root(), "$ASSAY report --format pgn").out;
    CHECK_FALSE(contains(pgn, "[Round \"1.1\"]"));
    CHECK(times_in(pgn, "[Event ") == 4);
    const std::string csv = shell(folder.root(), "$ASSAY report --format csv").out;
    CHECK(std::ranges::count(csv, '\n') == 5);
}

TEST_CASE("replay: JSON has the ply asked for, and a shell line that answers when it is run") {
    const TempDir folder;
    write_store(folder.path("assay.db"));
    const Finished json = shell(folder.root(), "$ASSAY replay 1 1 3 --json");
    const auto document = boost::json::parse(json.out);
    for (const char* number : {"run", "match", "game", "pair"}) {
        CAPTURE(number);
        CHECK(document.at(number) == 1);
    }
    const auto ply = document.at("plies").as_array().at(0);
    CHECK(ply.at("move") == "g1f3");
    CHECK(ply.at("clock_us") == 8'080'000);
    // What was left is told before the increment of the move.
    CHECK(ply.at("used_us").as_int64() > 0);
    CHECK(ply.at("left_us").as_int64() + ply.at("used_us").as_int64() == 8'080'000);
    // The line waits for the answer, not for the clock.
    const Finished pasted = shell(folder.root(), std::string(ply.at("shell").as_string()));
    CHECK(pasted.code == 0);
    CHECK_MESSAGE(contains(pasted.out, "bestmove "), pasted.out);
    const Finished again = shell(folder.root(), "$ASSAY replay 1 1 3 --run");
    CHECK(again.code == 0);
    CHECK(contains(again.out, "bestmove "));
    CHECK(contains(again.out, "answered after"));
}

TEST_CASE("help-page: bash reads its completion, and completes commands and flags") {
    const TempDir folder;
    CHECK(shell(folder.root(), "$ASSAY help-page bash > c && bash -n c").code == 0);
    const std::string ask =
        "bash -c 'source ./c; COMP_WORDS=(assay $1 \"$2\"); "
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _assay; echo ${COMPREPLY[@]}' x ";
    CHECK(shell(folder.root(), ask + "'' re").out.starts_with("re"));
    CHECK(contains(shell(folder.root(), ask + "replay --d").out, "--db"));
    CHECK(contains(shell(folder.root(), ask + "'rules' pe").out, "perft"));
    CHECK_FALSE(contains(shell(folder.root(), "$ASSAY --help").out, "help-page"));
}

TEST_CASE(
    "assay check: what a failed handshake leaves unreached is one line, the reason above it") {
    const TempDir folder;
    const Finished done = shell(folder.root(), "$ASSAY check /bin/true");
    CHECK(done.code == 1);
    CHECK(std::count(done.out.begin(), done.out.end(), '\n') == 4);
    CHECK(contains(done.out, "FAIL     handshake          expected uciok; it exited with code 0"));
    CHECK(contains(done.out, " steps           not reached: there was no handshake\n"));
    CHECK(contains(shell(folder.root(), "$ASSAY check --help").out,
                   "Usage: assay check [OPTIONS] PROGRAM [ARG...]\n"));
}

TEST_CASE("help-page: the manual names every command, and formatters have nothing to say of it") {
    const TempDir folder;
    const Finished page = shell(folder.root(), "$ASSAY help-page man | tee assay.1");
    CHECK(page.out.starts_with(".TH ASSAY 1"));
    for (const char* command : {"check", "replay", "init", "rules perft"}) {
        CHECK(contains(page.out, ".SS \"assay " + std::string(command) + "\""));
    }
    CHECK(std::all_of(page.out.begin(), page.out.end(),
                      [](char byte) { return static_cast<unsigned char>(byte) < 0x80; }));
    CHECK(contains(page.out, "assay book convert\\fR \\fIBOOK\\fR \\fIOUT\\fR"));
    CHECK(contains(page.out, "assay tree pack\\fR \\fITREE\\fR... ["));
    CHECK(contains(page.out, "assay runs\\fR [\\fIoptions"));
    CHECK_FALSE(contains(page.out, "\\fITEXT\\fR ["));
    if (shell(folder.root(), "command -v groff").code != 0) return;
    CHECK(shell(folder.root(), "groff -man -Tutf8 -ww -z assay.1").out.empty());
}

TEST_CASE("rules: --fen takes EPD with its operations, and an empty one is no start position") {
    const TempDir folder;
    const auto perft = [&folder](const std::string& fen) {
        return shell(folder.root(),
                     "$ASSAY rules perft chess --depth 1 --json --fen '" + fen + "'");
    };
    const std::string pawns = "4k3/8/8/3Pp3/8/8/8/4K3 w - e6";  // six moves, and d6 and dxe6
    for (const char* behind : {"", " 0 1", " 0 1; id \"x\";", " bm dxe6; id \"x;y\";", " ;D1 7"}) {
        CHECK(contains(perft(pawns + behind).out, "{\"nodes\":7,"));
    }
    // Mate is a position as any other.
    CHECK(contains(perft("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").out,
                   "{\"nodes\":0,"));
    for (const char* wrong : {"", " ", "4k3/8/8/8/8/8/8/4K3 w - - 3"}) {
        const Finished refused = perft(wrong);
        CHECK(refused.code == 2);
        CHECK(contains(refused.out, "position '" + std::string(wrong) + "': expected "));
    }
}

TEST_CASE("explain: a store that cannot be read costs the hint from it alone") {
    const TempDir folder;
    const std::string instant = ASSAY_BINARY_DIR "/engines/instant";
    assay::write_file(folder.path("g.yaml"),
                      "each: {command: [" + instant +
                          "], bench: {command: [echo, 'Nodes/second : 1']}}\n"
                          "programs: {a: {}, b: {}}\nmatch: {between: [a, b], time: 1+0.1}\n"
                          "stop: {capped: no_regression}\nrequire: {speed: -3%}\n");
    assay::write_file(folder.path("assay.db"), "this is no store, but a letter to its owner\n");
    const Finished plan = shell(folder.root(), "$ASSAY gate g.yaml --explain");
    CHECK_MESSAGE(plan.code == 0, plan.out);
    CHECK(contains(plan.out, "runs of each program's benchmark"));
}

TEST_CASE("runs: a run without a match and a suite has a row") {
    const TempDir folder;
    RunRecord run = assay::test::sample_run("bare");
    run.plan.matches.clear();
    run.findings = {};
    Store(folder.path("assay.db"), Store::Access::Write).begin_run(run);
    const Finished listed = shell(folder.root(), "$ASSAY runs");
    CHECK_MESSAGE(listed.code == 0, listed.out);
    CHECK(contains(listed.out, "bare"));
}
