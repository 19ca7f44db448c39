// Parts of a fleet: how many pairs a second a coordinator imports into an open run, and how long a
// merge of 1,000 parts takes. Beside them, in the same run, the store alone: pairs written one a
// transaction. Files are made in a temporary folder inside the current one, on the disk to be
// measured. Figures and limits: README.md.
#include <chrono>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "harness/store/part.h"
#include "harness/store/store.h"
#include "harness/store/store_merge.h"
#include "tests/harness/store/sample_records.h"

namespace {

using namespace assay::harness;
using assay::test::sample_game;
using assay::test::sample_pair;
using assay::test::sample_run;

constexpr int kPlies = 120;

double seconds_of(const auto& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void write_pair(Store& store, std::int64_t run, std::int64_t pair) {
    for (const int game : {0, 1}) store.write_game(run, 0, sample_game(pair, game, 0, kPlies));
    store.write_pair(run, 0, sample_pair(pair, 0, PairState::Counted, kPlies));
}

RunRecord run_of_fleet() {
    RunRecord run = sample_run();
    run.uid = "0123456789abcdef0123456789abcdef";
    run.plan.matches[0].pairs = 100'000;
    return run;
}

/// Parts of `pairs` pairs each.
std::vector<std::string> parts(const std::string& folder, int count, int pairs) {
    std::vector<std::string> files;
    for (int i = 0; i < count; ++i) {
        files.push_back(fmt::format("{}/{}-{}-{}.db", folder, count, pairs, i));
        RunRecord run = run_of_fleet();
        run.shard = Shard{i + 1, count};
        run.machine.host = fmt::format("n{}", i % 16);
        {
            Store store(files.back(), Store::Access::Write);
            const std::int64_t id = store.begin_run(run);
            store.transaction([&] {
                for (int k = 0; k < pairs; ++k)
                    write_pair(store, id, std::int64_t{i} + std::int64_t{k} * count);
            });
        }
        close_part(files.back());
    }
    return files;
}

double import_all(const std::string& folder, const std::vector<std::string>& files) {
    const std::string path = folder + "/all.db";
    std::filesystem::remove(path);
    std::int64_t run = 0;
    {
        Store store(path, Store::Access::Write);
        run = store.begin_run(run_of_fleet());
    }
    const Store open(path, Store::Access::Write);  // as its coordinator has it
    return seconds_of([&] {
        for (const std::string& file : files) {
            const auto result = import_part(path, run, file);
            if (const auto* const fault = std::get_if<PartFault>(&result))
                throw assay::Error(fault->sentence);
        }
    });
}

}  // namespace

int main() {
    const std::string folder = (std::filesystem::current_path() / "fleet-bench-files").string();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    try {
        Store store(folder + "/alone.db", Store::Access::Write);
        const std::int64_t run = store.begin_run(run_of_fleet());
        constexpr int kAlone = 500;
        const double alone = seconds_of([&] {
            for (int pair = 0; pair < kAlone; ++pair)
                store.transaction([&] { write_pair(store, run, pair); });
        });
        fmt::print("store alone, a pair a transaction: {:.0f} pairs/s\n", kAlone / alone);
        for (const int pairs : {1, 8, 25}) {
            const auto files = parts(folder, 200, pairs);
            const double imported = import_all(folder, files);
            fmt::print("import of parts of {:2} pairs: {:.0f} pairs/s, {:.2f} ms a part\n", pairs,
                       200 * pairs / imported, imported / 200 * 1e3);
        }
        const auto files = parts(folder, 1000, 8);
        const double merged = seconds_of([&] { (void)merge_stores(files, folder + "/merged.db"); });
        fmt::print("merge of 1,000 parts of 8 pairs: {:.2f} s\n", merged);
    } catch (const assay::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
    }
    std::filesystem::remove_all(folder);
    return 0;
}
