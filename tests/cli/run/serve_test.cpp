// `assay serve` as a process: how it ends.
#include <string>

#include <doctest/doctest.h>

#include "harness/store/store.h"
#include "tests/cli/shell.h"
#include "tests/support/temp_dir.h"

using assay::harness::Store;
using assay::test::contains;
using assay::test::Finished;
using assay::test::shell;
using assay::test::TempDir;

namespace {

/// A shell function that serves assay.db, with $server and $port set.
constexpr const char* kServe =
    "$ASSAY serve --port 0 > said & server=$!; "
    "until grep -qs shows said; do sleep 0.02; done; "
    "port=$(sed 's/.*127.0.0.1:\\([0-9]*\\) .*/\\1/' said); ";

/// A page that never gets ready: the store is replaced by a pipe that nobody writes to. Where the
/// kernel tells what a thread waits for, that is awaited.
constexpr const char* kStuckPage =
    "rm assay.db; mkfifo assay.db; "
    "bash -c \"exec 3<>/dev/tcp/127.0.0.1/$port; "
    "printf 'GET / HTTP/1.1\\r\\nHost: localhost:$port\\r\\n\\r\\n' >&3; cat <&3 >/dev/null\" & "
    "client=$!; for i in $(seq 100); do sleep 0.02; "
    "cat /proc/$server/task/*/wchan 2>/dev/null | grep -q wait_for_partner && break; done; ";

}  // namespace

TEST_CASE("serve: ends with the first signal though a page is never made, and without a word") {
    const TempDir folder;
    { const Store made(folder.path("assay.db"), Store::Access::Write); }
    const Finished done =
        shell(folder.root(), std::string(kServe) + kStuckPage +
                                 "kill -INT $server; wait $server; echo code $?; wait $client");
    CHECK_MESSAGE(done.out == "code 0\n", done.out);
}
