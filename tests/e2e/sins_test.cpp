#include <array>
#include <string>

#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"

using assay::test::count_at;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// What a match against a program with this sin must come to.
struct Sin {
    const char* name;
    const char* delay_ms;
    int code;
    const char* termination;  // of both games of the pair; empty: the sin is survived
    const char* or_termination = "";

    [[nodiscard]] bool may_end_by(const std::string& cause) const {
        return termination == cause || or_termination == cause;
    }
};

/// A sanitizer's build needs terabytes of addresses and could not start under a limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasAddressLimit = false;
#else
constexpr bool kHasAddressLimit = true;
#endif

std::string memory_of(const Sin& sin) {
    return kHasAddressLimit && std::string(sin.name) == "eats-memory" ? ", memory: 1GiB" : "";
}

/// Only where the sin is to take too long are limits short, and then the sinner's alone: a busy
/// machine makes nobody else late.
std::string clock_of(const Sin& sin) {
    return sin.may_end_by("time") ? "{sinner: 0.3+0.05, good: 1000}" : "1000";
}

std::string config_of(const std::string& sinner, const std::string& good, const Sin& sin,
                      const std::string& time) {
    return std::string("start_limit: ") + (sin.code == 4 ? "3s" : "10min") +
           "\nprograms:\n  sinner: {command: [" + sinner + ", --sin, " + sin.name +
           ", --at, '3', --delay, '" + sin.delay_ms + "']" + memory_of(sin) +
           "}\n  good: {command: [" + good + "]}\n" +
           "match: {between: [sinner, good], time: " + time +
           ", wall_limit: " + (sin.may_end_by("stall") ? "1s" : "10min") +
           ", pairs: 1, concurrency: 1, seed: 1, openings: {book: none}, "
           "adjudicate: {length: 20}}\n";
}

void check(const Sin& sin, const std::string& limit = "") {
    const std::string time = limit.empty() ? clock_of(sin) : limit;
    CAPTURE(sin.name);
    CAPTURE(time);
    RunFolder folder;
    folder.write("sin.yaml",
                 config_of(folder.program("misbehave"), folder.program("instant"), sin, time));
    const Finished finished = folder.assay({"run", "sin.yaml", "--json"});
    CAPTURE(finished.err);
    CAPTURE(finished.out);
    CHECK(finished.code == sin.code);
    CHECK(folder.is_quiet());
    if (sin.code != 0) return;
    const auto run = parsed(finished.out);
    CHECK(run.at("games").as_int64() == 2);
    const std::string termination = sin.termination;
    if (termination.empty()) {
        for (const char* failure :
             {"time", "illegal_move", "crash", "disconnect", "stall", "no_start"}) {
            CHECK(count_at(run, "terminations", failure) == 0);
        }
    } else {
        const std::int64_t failed = count_at(run, "terminations", sin.termination) +
                                    count_at(run, "terminations", sin.or_termination);
        CHECK(failed == 2);
        CHECK(run.at("wdl").as_array().at(2).as_int64() >= failed);  // the sinner lost them
    }
}

}  // namespace

TEST_CASE(
    "Sins: a program that ends, aborts or stops itself loses, is replaced, the match goes on") {
    check({"exit", "0", 0, "crash"});
    check({"abort", "0", 0, "crash"});
    check({"stop", "0", 0, "time"});
    check({"grandchild", "0", 0, "crash", "time"});
    if (kHasAddressLimit) {
        check({"eats-memory", "0", 0, "crash", "time"});
    } else {
        MESSAGE("skipped eats-memory: no address limit under a sanitizer");
    }
}

TEST_CASE("Sins: a program that does not answer in time loses, and the match goes on") {
    check({"deaf", "0", 0, "time"});
    check({"chatter", "0", 0, "time", "disconnect"});
    check({"slow-bytes", "0", 0, "time"});
    check({"late-bestmove", "1500", 0, "time"});
}

TEST_CASE("Sins: a program that hangs in game after game ends the run, and a gate rejects it") {
    for (const std::string sin : {"deaf", "chatter"}) {
        CAPTURE(sin);
        RunFolder folder;
        folder.write(
            "hang.yaml",
            "failures_in_a_row: 2\nstart_limit: 10min\nprograms:\n  sinner: {command: [" +
                folder.program("misbehave") + ", --sin, " + sin +
                ", --at, '1']}\n  good: {command: [" + folder.program("instant") +
                "]}\nmatch: {between: [sinner, good], time: {sinner: 0.3, good: 1000}, pairs: 50, "
                "concurrency: 1, openings: {book: none}}\n");
        const Finished finished = folder.assay({"run", "hang.yaml", "--json"});
        CAPTURE(finished.err);
        CHECK(finished.code == 4);
        const std::string reason{parsed(finished.out).at("end_reason").as_string()};
        CHECK(reason.starts_with("sinner failed in 2 games in a row, last: "));
        // Where a busy machine voids a lost game, the silence after its stop is the failure.
        CHECK((reason.find("sinner overran its time by ") != std::string::npos ||
               reason.find("no bestmove after stop within 1 s") != std::string::npos));
        CHECK(folder.assay({"gate", "hang.yaml", "--set", "stop.fixed={}"}).code == 1);
        CHECK(folder.is_quiet());
    }
}

TEST_CASE("Sins: a flood is cut off") {
    check({"flood", "0", 0, "time", "disconnect"});
    check({"flood-lines", "0", 0, "time", "disconnect"});
}

TEST_CASE("Sins: where nodes or depth are the limit, nobody waits for a program for ever") {
    check({"exit", "0", 0, "crash"}, "{nodes: 1000}");
    check({"abort", "0", 0, "crash"}, "{depth: 3}");
    check({"stop", "0", 0, "stall"}, "{nodes: 1000}");
    check({"deaf", "0", 0, "stall"}, "{depth: 3}");
    check({"chatter", "0", 0, "stall", "disconnect"}, "{nodes: 1000}");
    check({"none-move", "0", 0, "illegal_move"}, "{depth: 3}");
}

TEST_CASE("Sins: what is no legal move loses, however it is written") {
    check({"illegal-move", "0", 0, "illegal_move"});
    check({"none-move", "0", 0, "illegal_move"});
    check({"blank-move", "0", 0, "illegal_move"});
    check({"null-move", "0", 0, "illegal_move"});
    check({"upper-move", "0", 0, "illegal_move"});
}

TEST_CASE("Sins: noise is survived") {
    check({"two-bestmoves", "0", 0, ""});
    check({"broken-info", "0", 0, ""});
    check({"overflow-info", "0", 0, ""});
    check({"string-info", "0", 0, ""});
    check({"binary", "0", 0, ""});
    check({"crlf", "0", 0, ""});
    check({"stderr-inside", "0", 0, ""});
    check({"long-line", "0", 0, ""});
}

TEST_CASE("Sins: a closed pipe is a disconnection, whichever it is") {
    check({"closed-stdout", "0", 0, "disconnect"});
    check({"closed-stdin", "0", 0, "disconnect"});
}

TEST_CASE("Sins: a program that will not go is made to, with all that it started") {
    check({"ignores-quit", "0", 0, ""});
    check({"ignores-term", "0", 0, ""});
    check({"daemon", "0", 0, ""});
}

TEST_CASE("Sins: a program that never completed a handshake loses no game and ends the run") {
    check({"exit-at-once", "0", 4, ""});
    check({"late-uciok", "1500", 0, ""});
}

TEST_CASE("Sins: no uciok ends the run after two start limits") {
    check({"no-uciok", "0", 4, ""});
}

TEST_CASE("Sins: no readyok ends the run after two start limits") {
    check({"no-readyok", "0", 4, ""});
}
