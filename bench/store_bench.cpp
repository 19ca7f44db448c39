// Speed of the store: games written a second, how long a game waits until it is durable, and how
// long it takes to load what the statistics need. Each store is made here, in a temporary folder
// inside the current one (on the disk to be measured), which is removed at the end.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/record/move_codec.h"
#include "harness/store/store.h"
#include "harness/store/store_writer.h"
#include "tests/harness/store/sample_records.h"

namespace {

using namespace assay::harness;
using assay::TimePoint;
using assay::test::pair_of;
using assay::test::sample_game;
using assay::test::sample_run;

constexpr int kPlies = 120;

class Folder {
public:
    Folder() : path_(std::filesystem::current_path() / "store-bench-files") {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directory(path_);
    }

    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string store() const { return (path_ / "assay.db").string(); }

private:
    std::filesystem::path path_;
};

/// The number of games in a transaction is the argument.
void BM_write_games(benchmark::State& state) {
    const Folder folder;
    Store store(folder.store(), Store::Access::Write);
    const std::int64_t run = store.begin_run(sample_run());
    GameRecord game = sample_game(0, 0, 0, kPlies);
    for (auto _ : state) {
        store.transaction([&] {
            for (std::int64_t i = 0; i < state.range(0); ++i) {
                store.write_game(run, 0, game);
                ++game.pair;
            }
        });
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// A number of slots, each of which hands in its next game as soon as the last one is durable. The
/// figures are the time from handing in a game to its callback.
void BM_writer(benchmark::State& state) {
    const Folder folder;
    Store store(folder.store(), Store::Access::Write);
    const std::int64_t run = store.begin_run(sample_run());
    const GameRecord sample = sample_game(0, 0, 0, kPlies);
    const auto slots = static_cast<std::size_t>(state.range(0));
    const assay::SteadyClock clock;
    std::mutex mutex;
    std::condition_variable one_is_free;
    std::vector<std::size_t> free_slots;
    std::vector<TimePoint> given(slots);
    std::vector<double> waits;
    std::int64_t pair = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) free_slots.push_back(slot);
    StoreWriter writer(
        std::move(store),
        [&](const Written& done) {
            if (!done.is_durable()) std::abort();
            const std::lock_guard lock(mutex);
            const auto slot = static_cast<std::size_t>(done.attempt);
            const auto wait = assay::micros_between(given[slot], clock.now());
            waits.push_back(static_cast<double>(wait.count()) / 1000);
            free_slots.push_back(slot);
            one_is_free.notify_one();
        },
        [](const std::string&) { std::abort(); });
    for (auto _ : state) {
        WriteJob job{run, 0, sample, {}};
        job.game.number = 2 * pair + 1;
        job.game.pair = pair++;
        {
            std::unique_lock lock(mutex);
            one_is_free.wait(lock, [&] { return !free_slots.empty(); });
            const std::size_t slot = free_slots.back();
            free_slots.pop_back();
            job.game.attempt = static_cast<int>(slot);  // comes back in Written
            given[slot] = clock.now();
        }
        writer.enqueue(std::move(job));
    }
    writer.flush();
    state.SetItemsProcessed(state.iterations());
    std::ranges::sort(waits);
    state.counters["p50_ms"] = waits[waits.size() / 2];
    state.counters["p99_ms"] = waits[waits.size() * 99 / 100];
    state.counters["max_ms"] = waits.back();
}

/// Loads all pairs of a run with this number of games.
void BM_load_pairs(benchmark::State& state) {
    const Folder folder;
    Store store(folder.store(), Store::Access::Write);
    const std::int64_t run = store.begin_run(sample_run());
    GameRecord first = sample_game(0, 0, 0, kPlies);
    GameRecord second = sample_game(0, 1, 0, kPlies);
    for (std::int64_t pair = 0; pair < state.range(0) / 2;) {
        store.transaction([&] {
            for (int i = 0; i < 500; ++i, ++pair) {
                first.pair = second.pair = pair;
                first.number = 2 * pair + 1;
                second.number = 2 * pair + 2;
                store.write_game(run, 0, first);
                store.write_game(run, 0, second);
                store.write_pair(run, 0, pair_of(first, second));
            }
        });
    }
    state.counters["file_bytes_per_game"] =
        static_cast<double>(std::filesystem::file_size(folder.store())) /
        static_cast<double>(state.range(0));
    for (auto _ : state) {
        const Store reader(folder.store(), Store::Access::Read);
        const auto pairs = reader.pairs(run, 0);
        if (pairs.size() != static_cast<std::size_t>(state.range(0) / 2)) std::abort();
        benchmark::DoNotOptimize(pairs.data());
    }
}

void BM_encode_moves(benchmark::State& state) {
    const GameRecord game = sample_game(0, 0, 0, kPlies);
    std::size_t bytes = 0;
    for (auto _ : state) bytes = encode_moves(game.moves).size();
    state.SetItemsProcessed(state.iterations() * kPlies);
    state.counters["bytes_per_move"] = static_cast<double>(bytes) / kPlies;
}

void BM_decode_moves(benchmark::State& state) {
    const std::string blob = encode_moves(sample_game(0, 0, 0, kPlies).moves);
    for (auto _ : state) benchmark::DoNotOptimize(decode_moves(blob));
    state.SetItemsProcessed(state.iterations() * kPlies);
}

BENCHMARK(BM_write_games)->Arg(1)->Arg(8)->Arg(64)->UseRealTime();
BENCHMARK(BM_writer)->Arg(1)->Arg(8)->Arg(32)->Arg(512)->UseRealTime();
BENCHMARK(BM_load_pairs)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_encode_moves);
BENCHMARK(BM_decode_moves);

}  // namespace

BENCHMARK_MAIN();
