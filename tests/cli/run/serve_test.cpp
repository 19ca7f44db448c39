// `assay serve` as a process: what it waits for, what it shows of a run in play, how it ends.
#include <fstream>
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

/// A page that is asked for and never gets ready: SQLite opens a journal beside the store that is a
/// pipe without a writer. Where the kernel tells what a thread waits for, as another such pipe
/// shows, that is awaited.
constexpr const char* kStuckPage =
    "mkfifo assay.db-journal; "
    "bash -c \"exec 3<>/dev/tcp/127.0.0.1/$port; "
    "printf 'GET / HTTP/1.1\\r\\nHost: localhost:$port\\r\\n\\r\\n' >&3; : > asked; "
    "cat <&3 >/dev/null 2>&1\" & client=$!; until [ -e asked ]; do sleep 0.02; done; "
    "mkfifo probe; cat probe & probe=$!; "
    "until grep -qs '(cat) S' /proc/$probe/stat; do sleep 0.02; done; "
    "if grep -qs wait_for_partner /proc/$probe/wchan; then "
    "until cat /proc/$server/task/*/wchan 2>/dev/null | grep -q wait_for_partner; "
    "do sleep 0.02; done; fi; : > probe; ";

/// Functions of bash: `page PATH` prints a page, `until_page PATH TEXT` waits until it has the
/// text. `play` begins a match of a player that takes 20 ms a move, with $run set.
constexpr const char* kFunctions = R"(
page() {
  exec 3<>/dev/tcp/127.0.0.1/$port
  printf 'GET %s HTTP/1.1\r\nHost: localhost:%s\r\nConnection: close\r\n\r\n' "$1" "$port" >&3
  cat <&3
  exec 3>&-
}
until_page() { until page "$1" | grep -q "$2"; do sleep 0.05; done; }
play() {
  player=$(dirname "$ASSAY")/engines/instant
  cat > live.yaml <<END
programs:
  ada: {command: [$player], options: {SleepMs: 20}}
  bob: {command: [$player], options: {SleepMs: 20}}
match: {between: [ada, bob], time: {nodes: 10}, pairs: 100000, concurrency: 2}
END
  "$ASSAY" run live.yaml >/dev/null 2>&1 & run=$!
}
)";

Finished script(const TempDir& folder, const std::string& lines) {
    std::ofstream(folder.path("script")) << kFunctions << kServe << "\n" << lines;
    return shell(folder.root(), "bash ./script");
}

}  // namespace

TEST_CASE("serve: a store that does not exist yet is waited for, and its folder must exist") {
    const TempDir folder;
    const Finished done = script(folder, R"sh(
cat said
page / | grep -o 'There is no store assay.db yet.'
page /run/1 | head -1
play
until_page / '/run/1"'
until_page / 'in play'
kill -INT $run; wait $run
page / | grep -o 'one in play'
kill -INT $server; wait $server; echo code $?
)sh");
    CHECK(contains(done.out, " shows assay.db as soon as there is such a store; press Ctrl-C"));
    CHECK(contains(done.out, "There is no store assay.db yet.\n"));
    CHECK_MESSAGE(contains(done.out, "404 Not Found"), done.out);
    CHECK_MESSAGE(done.out.ends_with("code 0\n"), done.out);
    CHECK_FALSE(contains(done.out, "one in play"));

    const Finished lost = shell(folder.root(), "$ASSAY serve --db none/my.db");
    CHECK(lost.code == 2);
    CHECK(contains(lost.out, "/none' in which the store none/my.db could be made"));
    CHECK(shell(folder.root(), "$ASSAY serve --db ''").code == 2);
    CHECK(shell(folder.root(), "$ASSAY serve --db none.db --port 65536").code == 2);
    CHECK(shell(folder.root(), "echo text > no.db; $ASSAY serve --db no.db").code == 2);
}

TEST_CASE("serve: a store that is just being made, an empty file, is waited for") {
    const TempDir folder;
    { const std::ofstream made(folder.path("assay.db")); }
    const Finished done = script(folder, R"sh(
cat said
page / | grep -o 'There is no store assay.db yet.'
page /run/1 | head -1
play
until_page / '/run/1"'
kill -INT $run; wait $run
kill -INT $server; wait $server; echo code $?
)sh");
    CHECK_MESSAGE(contains(done.out, " shows assay.db as soon as there is such a store; press"),
                  done.out);
    CHECK_MESSAGE(contains(done.out, "There is no store assay.db yet.\n"), done.out);
    CHECK_MESSAGE(contains(done.out, "404 Not Found"), done.out);
    CHECK_MESSAGE(done.out.ends_with("code 0\n"), done.out);
}

TEST_CASE("serve: the games in play are on the page of their run, and gone when it is killed") {
    const TempDir folder;
    const Finished done = script(folder, R"sh(
play
until_page /run/1 'id="live-2" data-game='
page /run/1 | grep -o '2 games in play'
page /events/run/1 > events & follower=$!
until grep -qs '"games":' events; do sleep 0.05; done
until [ "$(grep -c '"games":' events)" -gt 2 ]; do sleep 0.05; done
kill -KILL $run; wait $run
ls assay.db.live
while page /run/1 | grep -q 'data-game='; do sleep 0.05; done
until_page / 'cut off'
echo gone
kill $follower
kill -INT $server; wait $server; echo code $?
)sh");
    CHECK_MESSAGE(contains(done.out, "2 games in play\n"), done.out);
    CHECK_MESSAGE(contains(done.out, "assay.db.live\ngone\n"), done.out);
    CHECK_MESSAGE(done.out.ends_with("code 0\n"), done.out);
}

TEST_CASE("serve: ends with the first signal though a page is never made, and without a word") {
    const TempDir folder;
    { const Store made(folder.path("assay.db"), Store::Access::Write); }
    const Finished done =
        shell(folder.root(), std::string(kServe) + kStuckPage +
                                 "kill -INT $server; wait $server; echo code $?; wait $client");
    CHECK_MESSAGE(done.out == "code 0\n", done.out);
}
