#include "harness/build/machines_failure.h"

#include <csignal>

#include <doctest/doctest.h>

#include "tests/support/temp_dir.h"

using assay::adapters::CommandEnd;
using assay::harness::is_machines_failure;

TEST_CASE("Machine's failure: what a command says or is sent tells it from the program's own") {
    struct Case {
        CommandEnd::How how;
        int number;  // exit code, or signal
        const char* said;
        bool is_machines;
    };

    using How = CommandEnd::How;
    const assay::test::TempDir dir;
    for (const Case& c : {
             Case{How::Exited, 0, "No space left on device", false},
             Case{How::Exited, 1, "", false},
             Case{How::Exited, 1, "hash: Cannot allocate memory", true},
             Case{How::Exited, 1, "log: No space left on device", true},
             Case{How::Exited, 137, "", true},  // of a shell: 128 + SIGKILL
             Case{How::Exited, 128 + SIGSEGV, "", false},
             Case{How::Killed, SIGKILL, "", true},
             Case{How::Killed, SIGTERM, "", true},
             Case{How::Killed, SIGSEGV, "", false},
             Case{How::Killed, SIGABRT, "", false},
             Case{How::OutOfTime, 0, "No space left on device", false},
             Case{How::NotStarted, 0, "", false},
         }) {
        CAPTURE(c.number);
        CAPTURE(c.said);
        CommandEnd end;
        end.how = c.how;
        (c.how == How::Killed ? end.signal : end.exit_code) = c.number;
        CHECK(is_machines_failure(end, dir.path(""), c.said) == c.is_machines);
    }
}
