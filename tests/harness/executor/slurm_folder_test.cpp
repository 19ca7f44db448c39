#include "harness/executor/slurm_folder.h"

#include <cerrno>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

using assay::harness::Claim;
using assay::harness::Handed;
using assay::harness::SlurmFolder;
using assay::test::contains;
using assay::test::TempDir;

namespace {

struct MadeFolder {
    TempDir dir;
    SlurmFolder folder = SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'));

    std::string part(const std::string& text) const {
        const std::string path = dir.path("part.db");
        assay::File::create(path).write(text);
        return path;
    }

    std::string content(const std::string& name) const {
        return assay::read_start(folder.file(name), 100).value_or("none");
    }
};

}  // namespace

TEST_CASE("SlurmFolder: each claim of a batch is an attempt of its own, and says how it ended") {
    const MadeFolder f;
    Claim claim;
    claim.node = "n1";
    CHECK(f.folder.claim(3, claim) == 0);
    CHECK(f.folder.claim(3, claim) == 1);
    CHECK(f.folder.claim(4, claim) == 0);
    claim.end = "failed";
    claim.reason = "a 'word'\n";
    claim.program = 1;
    f.folder.note_end(3, 1, claim);
    const std::vector<Claim> claims = f.folder.claims(3);
    REQUIRE(claims.size() == 2);
    CHECK_FALSE(claims[0].has_failed());
    CHECK(claims[1].has_failed());
    CHECK(claims[1].reason == claim.reason);
    CHECK(claims[1].program == 1);
    // A worker that is killed while it claims leaves an empty file.
    assay::File::create(f.folder.file("claims/4.1")).write("{\"no");
    CHECK(f.folder.claims(4).size() == 2);
    CHECK(f.folder.claim(4, claim) == 2);
    CHECK(f.folder.claimed_batches() == std::vector<std::int64_t>{3, 4});
}

TEST_CASE("SlurmFolder: of two attempts the newest counts, whichever ends first") {
    const MadeFolder f;
    const int older = f.folder.claim(0, {});
    const int newer = f.folder.claim(0, {});
    CHECK(f.folder.hand_in(0, older, f.part("old")) == Handed::Late);
    CHECK_FALSE(f.folder.is_done(0));
    CHECK(f.folder.hand_in(0, newer, f.part("new")) == Handed::Done);
    CHECK(f.content("done/0.db") == "new");
    CHECK(f.content("late/0.0.db") == "old");
    CHECK(f.folder.late_parts() == std::vector<std::string>{"0.0.db"});

    // One that finds a part does not replace it.
    const int again = f.folder.claim(0, {});
    CHECK(f.folder.hand_in(0, again, f.part("newest")) == Handed::Late);
    CHECK(f.content("done/0.db") == "new");
    CHECK(f.folder.done_batches() == std::vector<std::int64_t>{0});
    CHECK(std::filesystem::is_empty(f.folder.file("tmp")));
}

TEST_CASE("SlurmFolder: a link that failed and has two names was made, as NFS does it") {
    const MadeFolder f;
    const auto lost = [](const char* from, const char* to) {
        CHECK(::link(from, to) == 0);
        errno = EEXIST;  // the call was sent again, and found its own work
        return -1;
    };
    CHECK(f.folder.hand_in(0, f.folder.claim(0, {}), f.part("one"), lost) == Handed::Done);
    CHECK(f.content("done/0.db") == "one");
    const auto refused = [](const char*, const char*) {
        errno = EIO;
        return -1;
    };
    CHECK_THROWS_WITH_AS((void)f.folder.hand_in(1, f.folder.claim(1, {}), f.part("x"), refused),
                         doctest::Contains("cannot write"), assay::Error);
    CHECK_FALSE(f.folder.is_done(1));
}

TEST_CASE("SlurmFolder: a batch is in play while its newest claim is open") {
    const MadeFolder f;
    Claim claim;
    claim.began_us = 1;
    CHECK_FALSE(f.folder.is_in_play(0));
    const int attempt = f.folder.claim(0, claim);
    CHECK(f.folder.is_in_play(0));
    claim.end = "left";
    f.folder.note_end(0, attempt, claim);
    CHECK_FALSE(f.folder.is_in_play(0));
    // A disk was full as a worker claimed.
    assay::File::create(f.folder.file("claims/0.1")).write("");
    CHECK_FALSE(f.folder.is_in_play(0));
}

TEST_CASE("SlurmFolder: a folder that others can write, or that is a link, is refused") {
    const MadeFolder f;
    namespace fs = std::filesystem;
    for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
        fs::permissions(f.folder.path(), fs::perms::owner_all | others);
        CHECK_THROWS_WITH_AS(SlurmFolder(f.folder.path()),
                             doctest::Contains(("chmod go-w " + f.folder.path()).c_str()),
                             assay::Error);
    }
    fs::permissions(f.folder.path(), fs::perms::owner_all | fs::perms::group_read);
    CHECK_NOTHROW(SlurmFolder(f.folder.path()));
    CHECK(SlurmFolder(f.folder.path() + "//").path() == f.folder.path());
    fs::create_directory_symlink(f.folder.path(), f.dir.path("link"));
    for (const char* const name : {"link", "link/"})
        CHECK_THROWS_WITH_AS(SlurmFolder(f.dir.path(name)), doctest::Contains("symbolic link"),
                             assay::Error);
}

TEST_CASE("SlurmFolder: a folder that is none of a run is refused") {
    const TempDir dir;
    CHECK_THROWS_WITH_AS(SlurmFolder(dir.path("none")),
                         doctest::Contains("there is no such folder of a run"), assay::Error);
    CHECK_THROWS_WITH_AS((void)SlurmFolder::make("/proc/1/nothing", "a"),
                         doctest::Contains("executor.slurm.folder"), assay::Error);
    const SlurmFolder folder = SlurmFolder::make(dir.path("fleet"), "a");
    folder.write("spec.json", "{");
    CHECK_THROWS_WITH_AS((void)folder.spec(), doctest::Contains("spec.json: it is no JSON object"),
                         assay::Error);
}
