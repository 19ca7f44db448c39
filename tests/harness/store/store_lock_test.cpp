#include "harness/store/store_lock.h"

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

/// A child that holds a RunLock until it is killed.
class Holder {
public:
    Holder(const std::string& store, int concurrency, const std::string& folder,
           const std::vector<int>& cpus = {}) {
        int ends[2] = {};
        REQUIRE(::pipe(ends) == 0);
        pid_ = ::fork();
        if (pid_ == 0) {
            try {
                const RunLock lock(store, concurrency, cpus, folder);
                (void)!::write(ends[1], "x", 1);
                while (true) ::pause();
            } catch (...) {
                ::_exit(1);
            }
        }
        ::close(ends[1]);
        char byte = 0;
        CHECK(::read(ends[0], &byte, 1) == 1);
        ::close(ends[0]);
    }

    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

    ~Holder() { kill(); }

    void kill() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = 0;
    }

    [[nodiscard]] std::string pid() const { return std::to_string(pid_); }

private:
    pid_t pid_ = 0;
};

}  // namespace

TEST_CASE("RunLock: a second writer of a store is told the first one's process, until it is gone") {
    const assay::test::TempDir dir;
    const std::string store = dir.path("assay.db");
    Holder holder(store, 2, dir.path("runs"));
    const std::string sentence = store + ": process " + holder.pid() +
                                 " is already writing to this store; wait until it ends, or name "
                                 "another store with --db";
    CHECK_THROWS_WITH_AS(RunLock(store, 1, {}, dir.path("runs")), sentence.c_str(), Error);
    std::filesystem::create_directory_symlink(dir.root(), dir.path("link"));
    CHECK_THROWS_AS(StoreLock(dir.path("link") + "/assay.db"), Error);
    holder.kill();
    const RunLock lock(store, 1, {}, dir.path("runs"));
    CHECK(lock.warnings().empty());
}

TEST_CASE("RunLock: a run on another store of this machine is a warning, until it is killed") {
    const assay::test::TempDir dir;
    Holder one(dir.path("a.db"), 1, dir.path("runs"));
    Holder two(dir.path("b.db"), 6, dir.path("runs"));
    {
        const RunLock lock(dir.path("c.db"), 1, {}, dir.path("runs"));
        REQUIRE(lock.warnings().size() == 2);
        const auto sentence = [&](const Holder& holder, const char* games, const char* store) {
            return "another run (process " + holder.pid() + ", " + games + " at once, " +
                   dir.path(store) +
                   ") is on this machine; both runs' clocks suffer where they share cores";
        };
        CHECK(lock.warnings()[0] == sentence(one, "1 game", "a.db"));
        CHECK(lock.warnings()[1] == sentence(two, "6 games", "b.db"));
        CHECK(runs_in(dir.path("runs")).size() == 3);
    }
    one.kill();
    REQUIRE(runs_in(dir.path("runs")).size() == 1);
    CHECK(runs_in(dir.path("runs"))[0].concurrency == 6);
    two.kill();
    CHECK(runs_in(dir.path("runs")).empty());
    CHECK(std::filesystem::is_empty(dir.path("runs")));
}

TEST_CASE("RunLock: of many other runs three are named, and the rest counted") {
    const assay::test::TempDir dir;
    std::vector<std::unique_ptr<Holder>> others;
    for (int i = 0; i < 5; ++i)
        others.push_back(
            std::make_unique<Holder>(dir.path(std::to_string(i) + ".db"), 1, dir.path("runs")));
    const RunLock lock(dir.path("c.db"), 1, {}, dir.path("runs"));
    REQUIRE(lock.warnings().size() == 4);
    CHECK(lock.warnings()[3] == "2 more runs may share cores with this one");
}

TEST_CASE("RunLock: runs whose programs share no core do not warn of each other") {
    const assay::test::TempDir dir;
    const Holder pinned(dir.path("a.db"), 1, dir.path("runs"), {0, 1, 12});
    const Holder free(dir.path("b.db"), 1, dir.path("runs"));
    const auto warned_of = [&](const std::vector<int>& cpus) {
        const RunLock lock(dir.path("c.db"), 1, cpus, dir.path("runs"));
        return lock.warnings().size();
    };
    CHECK(warned_of({2, 3}) == 1);  // of the one that may run anywhere
    CHECK(warned_of({3, 12}) == 2);
    CHECK(warned_of({}) == 2);
    const std::vector<OtherRun> runs = runs_in(dir.path("runs"));
    REQUIRE(runs.size() == 2);
    const OtherRun& first = std::to_string(runs[0].pid) == pinned.pid() ? runs[0] : runs[1];
    CHECK(first.cpus == std::vector<int>{0, 1, 12});
}

TEST_CASE("RunLock: nothing is left beside the store, and a lock can be taken again") {
    const assay::test::TempDir dir;
    for (int i = 0; i < 3; ++i) {
        const RunLock lock(dir.path("assay.db"), 1, {}, dir.path("runs"));
        CHECK(std::filesystem::exists(dir.path("assay.db.lock")));
    }
    CHECK_FALSE(std::filesystem::exists(dir.path("assay.db.lock")));
}

TEST_CASE("RunLock: strange files in the list of runs are no runs") {
    const assay::test::TempDir dir;
    write_file(dir.path("text"), "what\n");
    std::filesystem::create_directory(dir.path("folder"));
    std::filesystem::create_symlink("nowhere", dir.path("link"));
    write_file(dir.path("12-345"), "what\n");  // as if left by a kill
    write_file(dir.path("12-abcdef"), "what\n");
    CHECK(runs_in(dir.root()).empty());
    CHECK(std::filesystem::exists(dir.path("text")));
    CHECK(std::filesystem::exists(dir.path("12-abcdef")));
    CHECK_FALSE(std::filesystem::exists(dir.path("12-345")));
    CHECK(runs_in(dir.path("none")).empty());
}

TEST_CASE("RunLock: a list of runs that is a link, or that others may change, is left alone") {
    const assay::test::TempDir dir;
    const std::string theirs = dir.path("theirs");
    std::filesystem::create_directory(theirs);
    write_file(theirs + "/12-345", "of the victim\n");
    std::filesystem::create_directory_symlink(theirs, dir.path("link"));
    CHECK(runs_in(dir.path("link")).empty());
    {
        const RunLock lock(dir.path("assay.db"), 1, {}, dir.path("link"));
        CHECK(lock.warnings().empty());
        CHECK(std::distance(std::filesystem::directory_iterator(theirs), {}) == 1);
    }
    std::filesystem::permissions(theirs, std::filesystem::perms::all);
    CHECK(runs_in(theirs).empty());
    CHECK(std::filesystem::exists(theirs + "/12-345"));
    std::filesystem::permissions(theirs,
                                 std::filesystem::perms::all | std::filesystem::perms::sticky_bit);
    CHECK(runs_in(theirs).empty());
    CHECK_FALSE(std::filesystem::exists(theirs + "/12-345"));
}

TEST_CASE("StoreLock: a lock that is a link is not followed, and its target keeps its content") {
    const assay::test::TempDir dir;
    write_file(dir.path("precious"), "content");
    std::filesystem::create_symlink(dir.path("precious"), dir.path("assay.db.lock"));
    const std::string sentence =
        dir.path("assay.db.lock") + ": cannot write: it is a symbolic link; remove it";
    CHECK_THROWS_WITH_AS(StoreLock(dir.path("assay.db")), sentence.c_str(), Error);
    CHECK(read_file(dir.path("precious")) == "content");
    CHECK(std::filesystem::is_symlink(dir.path("assay.db.lock")));
    CHECK_FALSE(is_locked(dir.path("assay.db")));
}

TEST_CASE("RunLock: a store with two names is refused, by hard links and while it is played") {
    const assay::test::TempDir dir;
    const std::string store = dir.path("assay.db");
    write_file(store, "a store");
    std::filesystem::create_hard_link(store, dir.path("second.db"));
    const std::string sentence =
        dir.path("second.db") +
        ": the store has 2 names (hard links); two runs, each by another name, would destroy it. "
        "Keep one of them; symbolic links do no harm";
    CHECK_THROWS_WITH_AS(RunLock(dir.path("second.db"), 1, {}, dir.path("runs")), sentence.c_str(),
                         Error);
    CHECK_FALSE(std::filesystem::exists(dir.path("second.db.lock")));
    std::filesystem::remove(dir.path("second.db"));
    // As if by a bind mount: another path to the same file, which the first one's lock is not for.
    Holder holder(store, 1, dir.path("runs"));
    std::filesystem::rename(store, dir.path("moved.db"));
    std::filesystem::create_symlink(dir.path("moved.db"), store);
    const std::string played = dir.path("moved.db") + ": process " + holder.pid() +
                               " is already writing to this store, by the name " + store +
                               "; wait until it ends, or name another store with --db";
    CHECK_THROWS_WITH_AS(RunLock(dir.path("moved.db"), 1, {}, dir.path("runs")), played.c_str(),
                         Error);
    CHECK(runs_in(dir.path("runs")).size() == 1);
}

TEST_CASE(
    "RunLock: a store in a folder that is not there is an error, an unwritable list is none") {
    const assay::test::TempDir dir;
    CHECK_THROWS_AS(StoreLock(dir.path("none/assay.db")), Error);
    write_file(dir.path("file"), "");
    const RunLock lock(dir.path("assay.db"), 1, {}, dir.path("file/runs"));
    CHECK(lock.warnings().empty());
}

}  // namespace assay::harness
