#include "harness/executor/folder/coordinator_lock.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/harness/executor/test_fleet.h"
#include "tests/support/child.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test
using assay::test::contains;
using assay::test::TestFleet;

namespace {

struct LockedFolder {
    assay::test::TempDir dir;
    SlurmFolder folder = SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'));

    /// Why a second coordinator is refused; empty: it is not.
    [[nodiscard]] std::string refusal(const Coordinator& second) const {
        try {
            const CoordinatorLock lock(folder, second);
            return "";
        } catch (const assay::Error& error) {
            CHECK(error.exit_code() == 2);
            return error.what();
        }
    }

    void be_silent_for(std::chrono::seconds time) const {
        const std::string file = folder.file("coordinator");
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - time);
    }
};

Coordinator on_another_machine() {
    Coordinator other = this_coordinator("copy.db");
    other.host = "login2";
    return other;
}

}  // namespace

TEST_CASE("CoordinatorBeats: the lock gives signs while its owner does something else") {
    const LockedFolder f;
    CoordinatorLock lock(f.folder, this_coordinator("all.db"));
    const std::string file = f.folder.file("coordinator");
    f.be_silent_for(std::chrono::hours(1));
    const auto silent = std::filesystem::last_write_time(file);
    {
        const CoordinatorBeats beats(&lock, std::chrono::hours(1));
        // The first sign comes at once; its thread may be late.
        while (std::filesystem::last_write_time(file) == silent) std::this_thread::yield();
    }
    CHECK(f.refusal(on_another_machine()).find("another assay coordinates") != std::string::npos);
    const CoordinatorBeats none(nullptr);
}

TEST_CASE("CoordinatorLock: the second one is told who the first is, until that one ends") {
    const LockedFolder f;
    const Coordinator self = this_coordinator("all.db");
    Coordinator second = self;
    second.store = "/copy.db";
    {
        const CoordinatorLock lock(f.folder, self);
        const std::string why = f.refusal(second);
        CHECK_MESSAGE(contains(why, "another assay coordinates this run: process "), why);
        CHECK(contains(why, "/all.db"));
        // One that is stopped for long lives.
        f.be_silent_for(std::chrono::hours(5));
        CHECK_FALSE(f.refusal(second).empty());
    }
    CHECK(f.refusal(second).empty());
    CHECK_FALSE(std::filesystem::exists(f.folder.file("coordinator")));
    CHECK(f.folder.names_in("tmp").empty());
}

TEST_CASE("CoordinatorLock: one that was killed is followed at once, also under its number") {
    const LockedFolder f;
    for (const bool is_used_again : {false, true}) {
        Coordinator dead = this_coordinator("all.db");
        if (is_used_again)
            dead.began = "1";
        else
            dead.pid = 1 << 22;  // above the kernel's largest
        auto lock = std::make_unique<CoordinatorLock>(f.folder, dead);
        CHECK(f.refusal(this_coordinator("all.db")).empty());
        lock.reset();
    }
}

TEST_CASE("CoordinatorLock: on another machine a minute without a sign is an end") {
    const LockedFolder f;
    CoordinatorLock far(f.folder, on_another_machine());
    const Coordinator self = this_coordinator("all.db");
    CHECK(contains(f.refusal(self), "on login2"));
    f.be_silent_for(std::chrono::seconds(50));
    CHECK_FALSE(f.refusal(self).empty());
    CHECK(far.beat().empty());
    f.be_silent_for(std::chrono::seconds(50));
    CHECK_FALSE(f.refusal(self).empty());
    f.be_silent_for(std::chrono::seconds(70));
    const CoordinatorLock here(f.folder, self);
    CHECK(contains(far.beat(), "another assay has taken over the run: process "));
}

TEST_CASE("CoordinatorLock: a file that is gone is made again, unless another one is there") {
    const LockedFolder f;
    CoordinatorLock first(f.folder, this_coordinator("all.db"));
    std::filesystem::remove(f.folder.file("coordinator"));
    CHECK(first.beat().empty());
    CHECK(contains(f.refusal(this_coordinator("copy.db")), "/all.db"));
    CHECK(f.folder.names_in("tmp").empty());
    std::filesystem::remove(f.folder.file("coordinator"));
    const CoordinatorLock second(f.folder, this_coordinator("copy.db"));
    CHECK(contains(first.beat(), "/copy.db"));
}

TEST_CASE("CoordinatorLock: a path of bytes that are no UTF-8 is known again") {
    const LockedFolder f;
    Coordinator self = this_coordinator("all.db");
    self.store = "/stor\xe9/all.db";
    {
        CoordinatorLock lock(f.folder, self);
        CHECK(lock.beat().empty());
        Coordinator second = self;
        second.store = "/copy.db";
        CHECK(contains(f.refusal(second), "/stor\\xe9/all.db"));
        // Facts that cannot be read are nobody's.
        assay::File::create(f.folder.file("coordinator")).write("no facts\n");
        CHECK(lock.beat().empty());
        std::filesystem::remove(f.folder.file("coordinator"));
    }
    { const CoordinatorLock lock(f.folder, self); }
    CHECK_FALSE(std::filesystem::exists(f.folder.file("coordinator")));
}

TEST_CASE("SlurmExecutor: a run that another coordinator has taken over is left to it") {
    TestFleet fleet(4, 2);
    SlurmExecutor::Setup setup = fleet.setup(4, 2, false);
    setup.lock = std::make_shared<CoordinatorLock>(fleet.folder, on_another_machine());
    SlurmExecutor executor(std::move(setup));
    executor.start(fleet.heard, fleet.now);
    executor.tick(fleet.now);
    CHECK(fleet.heard.troubles.empty());
    const std::string file = fleet.folder.file("coordinator");
    std::filesystem::last_write_time(
        file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
    const CoordinatorLock other(fleet.folder, this_coordinator("copy.db"));
    executor.tick(fleet.now + CoordinatorLock::kBeat);
    REQUIRE(fleet.heard.troubles.size() == 1);
    CHECK(fleet.heard.troubles[0].kind == Trouble::Kind::Stopped);
    CHECK(contains(fleet.heard.troubles[0].why, "/copy.db"));
    CHECK(executor.is_settled());
}
