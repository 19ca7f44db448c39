// A process that writes games is killed at random moments, again and again, on one store.
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/random.h"
#include "harness/store/store_writer.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/how_many.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

using test::sample_game;
using test::sample_pair;

constexpr int kPlies = 20;

/// Never returns: writes pairs from `first` on until it is killed, and sends each game's number
/// down the pipe once it is durable.
[[noreturn]] void write_for_ever(const std::string& path, std::int64_t first, int pipe) {
    try {
        StoreWriter writer(
            Store(path, Store::Access::Write),
            [pipe](const Written& done) {
                const std::int64_t number = done.is_durable() ? 2 * done.pair + done.game + 1 : -1;
                (void)!::write(pipe, &number, sizeof number);
            },
            [](const std::string&) {});
        for (std::int64_t pair = first;; ++pair) {
            writer.enqueue({1, 0, sample_game(pair, 0, 0, kPlies), {}});
            writer.enqueue({1, 0, sample_game(pair, 1, 0, kPlies),
                            sample_pair(pair, 0, PairState::Counted, kPlies)});
            if (pair % 8 == 7) writer.flush();
        }
    } catch (...) {
        ::_exit(1);
    }
}

/// Starts such a process, kills it after `games` were told durable and `spin` more rounds of
/// nothing; all numbers that it told.
std::set<std::int64_t> numbers_until_killed(const std::string& path, std::int64_t first,
                                            std::uint64_t games, std::uint64_t spin) {
    int ends[2] = {};
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        write_for_ever(path, first, ends[1]);
    }
    ::close(ends[1]);
    std::set<std::int64_t> told;
    std::int64_t number = 0;
    while (told.size() < games && ::read(ends[0], &number, sizeof number) == sizeof number) {
        told.insert(number);
    }
    Random nothing(spin);
    while (spin-- > 0) nothing();
    CHECK(nothing.max() != 0);
    ::kill(child, SIGKILL);
    while (::read(ends[0], &number, sizeof number) == sizeof number) told.insert(number);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    return told;
}

}  // namespace

TEST_CASE("Store: kill -9 at any moment loses no game that was told durable, and doubles none") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    Store(path, Store::Access::Write).begin_run(test::sample_run());
    Random random(20240229);
    const int kills = assay::test::is_long() ? 100 : 10;
    std::set<std::int64_t> told;
    std::int64_t next_pair = 0;
    for (int i = 0; i < kills; ++i) {
        CAPTURE(i);
        told.merge(
            numbers_until_killed(path, next_pair, random.below(60), random.below(3'000'000)));
        Store store(path, Store::Access::Write);
        std::map<std::int64_t, int> found;
        store.for_each_game(1, 0, [&](const GameRecord& game) { ++found[game.number]; });
        for (const std::int64_t number : told) CHECK(found.count(number) == 1);
        for (const auto& [number, times] : found) CHECK(times == 1);
        const auto pairs = store.pairs(1, 0);
        const auto halves = store.half_pairs(1, 0);
        CHECK(2 * pairs.size() + halves.size() == found.size());
        CHECK(halves.size() <= 1);
        // Goes on as a resumed run does: half pairs first.
        for (const GameRecord& half : halves) {
            store.transaction([&] {
                store.write_game(1, 0, sample_game(half.pair, 1, 0, kPlies));
                store.write_pair(1, 0, sample_pair(half.pair, 0, PairState::Counted, kPlies));
            });
        }
        next_pair = static_cast<std::int64_t>(pairs.size() + halves.size());
        CHECK(store.pairs(1, 0).size() == static_cast<std::size_t>(next_pair));
    }
    CHECK(told.count(-1) == 0);
    CHECK(next_pair > 0);
    SQLite::Database raw(path);
    CHECK(raw.execAndGet("PRAGMA integrity_check").getString() == "ok");
    CHECK(raw.execAndGet("SELECT count(*) FROM records").getInt64() == 2 * next_pair);
}

TEST_CASE("Store: two processes that create one file at once both get the store") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    for (int round = 0; round < 5; ++round) {
        std::filesystem::remove(path);
        std::array<pid_t, 4> children{};
        for (pid_t& child : children) {
            child = ::fork();
            if (child != 0) continue;
            try {
                Store(path, Store::Access::Write).begin_run(test::sample_run());
                ::_exit(0);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                ::_exit(1);
            }
        }
        for (const pid_t child : children) {
            int status = 0;
            ::waitpid(child, &status, 0);
            CHECK(status == 0);
        }
        CHECK(Store(path, Store::Access::Read).runs().size() == children.size());
    }
}

}  // namespace assay::harness
