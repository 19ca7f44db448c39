#include "harness/store/store_writer.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <malloc.h>
#include <mutex>

#include <doctest/doctest.h>

#include "tests/harness/store/sample_records.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

using test::sample_game;
using test::sample_pair;
using test::sample_run;

/// A writer on a fresh store with one run. `written` and `errors` are read after flush() only.
class WriterTest {
public:
    WriterTest() {
        Store store(path(), Store::Access::Write);
        store.begin_run(sample_run());
        writer.emplace(
            std::move(store), [this](const Written& done) { written.push_back(done); },
            [this](const std::string& error) { errors.push_back(error); });
    }

    void give(std::int64_t pair, int game) {
        WriteJob job{1, 0, sample_game(pair, game, 0, 20), {}};
        if (game == 1) job.pair = sample_pair(pair, 0, PairState::Counted, 20);
        writer->enqueue(std::move(job));
    }

    [[nodiscard]] std::string path() const { return dir_.path("assay.db"); }

    [[nodiscard]] Store reader() const { return {path(), Store::Access::Read}; }

    std::vector<Written> written;
    std::vector<std::string> errors;
    std::optional<StoreWriter> writer;

private:
    assay::test::TempDir dir_;
};

}  // namespace

TEST_CASE("StoreWriter: each game is called back once, in order, when it is durable") {
    WriterTest t;
    for (int pair = 0; pair < 300; ++pair) {
        t.give(pair, 0);
        t.give(pair, 1);
    }
    t.writer->flush();
    REQUIRE(t.written.size() == 600);
    for (std::size_t i = 0; i < t.written.size(); ++i) {
        CHECK(t.written[i].finished.has_value() == (i % 2 == 1));
        CHECK(t.written[i].is_durable());
        CHECK(t.written[i].pair == static_cast<std::int64_t>(i / 2));
        CHECK(t.written[i].game == static_cast<int>(i % 2));
    }
    CHECK(t.reader().pairs(1, 0).size() == 300);
    CHECK(t.errors.empty());
}

TEST_CASE("StoreWriter: a game is in the store before its callback comes") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    store.begin_run(sample_run());
    const Store reader(dir.path("assay.db"), Store::Access::Read);
    int seen = 0;
    StoreWriter writer(
        std::move(store),
        [&](const Written& done) {
            if (reader.game(1, 0, 2 * done.pair + done.game + 1)) ++seen;
        },
        [](const std::string&) {});
    for (int pair = 0; pair < 20; ++pair) writer.enqueue({1, 0, sample_game(pair, 0, 0, 4), {}});
    writer.flush();
    CHECK(seen == 20);
}

TEST_CASE("StoreWriter: a game that waits for the disk takes little more than its packed moves") {
    WriterTest t;
    SQLite::Database other(t.path(), SQLite::OPEN_READWRITE);
    SQLite::Transaction is_busy(other, SQLite::TransactionBehavior::IMMEDIATE);
    constexpr int kGames = 200;
    constexpr int kLongGame = 256;
    const std::size_t before = ::mallinfo2().uordblks;
    for (int pair = 0; pair < kGames; ++pair) {
        t.writer->enqueue({1, 0, sample_game(pair, 0, 0, kLongGame), {}});
    }
    // A sanitizer's allocator tells nothing here, which is no fault.
    const auto grown = static_cast<double>(::mallinfo2().uordblks) - static_cast<double>(before);
    CHECK(grown / kGames < 16'384);
    is_busy.commit();
    t.writer->flush();
    CHECK(t.written.size() == kGames);
}

TEST_CASE("StoreWriter: the destructor writes all that waits") {
    WriterTest t;
    for (int pair = 0; pair < 50; ++pair) t.give(pair, 0);
    t.writer.reset();
    CHECK(t.written.size() == 50);
    CHECK(t.reader().half_pairs(1, 0).size() == 50);
}

TEST_CASE("StoreWriter: pairs and meters are written in their turn") {
    WriterTest t;
    t.give(0, 0);
    t.writer->enqueue({1, 0, sample_game(0, 1, 0, 20), {}});
    t.writer->enqueue_pair(1, 0, sample_pair(0, 0, PairState::Duplicate, 20));
    t.writer->enqueue_meters(1, 0, {{}, 77, 0, {}});
    t.writer->flush();
    CHECK(t.errors.empty());
    REQUIRE(t.reader().pairs(1, 0).size() == 1);
    CHECK(t.reader().pairs(1, 0)[0].state == PairState::Duplicate);
    CHECK(t.reader().meters(1, 0).wall_us == 77);
}

TEST_CASE("StoreWriter: one bad game is told as an error, and those beside it become durable") {
    WriterTest t;
    t.give(0, 0);
    t.give(0, 0);
    t.give(1, 0);
    t.writer->flush();
    REQUIRE(t.written.size() == 3);
    CHECK(t.written[0].is_durable());
    CHECK(t.written[1].error.find("UNIQUE constraint failed") != std::string::npos);
    CHECK(t.written[2].is_durable());
    CHECK(t.reader().half_pairs(1, 0).size() == 2);
    t.writer->enqueue_pair(1, 0, sample_pair(9));
    t.writer->flush();
    REQUIRE(t.errors.size() == 1);
    CHECK(t.errors[0] == "internal error: pair 9 is written before its games");
}

TEST_CASE("StoreWriter: a full disk is told for every game, and later games find room again") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    store.begin_run(sample_run());
    std::vector<Written> written;
    StoreWriter writer(
        std::move(store), [&](const Written& done) { written.push_back(done); },
        [](const std::string&) {});
    {
        const assay::test::FileSizeLimit full(100);
        for (int pair = 0; pair < 3; ++pair) writer.enqueue({1, 0, sample_game(pair, 0, 0, 4), {}});
        writer.flush();
    }
    REQUIRE(written.size() == 3);
    for (const Written& done : written) CHECK_FALSE(done.is_durable());
    writer.enqueue({1, 0, sample_game(9, 0, 0, 4), {}});
    writer.flush();
    REQUIRE(written.size() == 4);
    CHECK(written[3].is_durable());
}

}  // namespace assay::harness
