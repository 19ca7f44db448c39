// Parts of a fleet: how many pairs a second a coordinator imports into an open run, and how long a
// merge of 1,000 parts takes. Beside them, in the same run, the store alone: pairs written one a
// transaction. Files are made in a temporary folder inside the current one, on the disk to be
// measured. Figures and limits: README.md.
#include <chrono>
#include <ctime>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "harness/store/merge/store_merge.h"
#include "harness/store/part/part_import.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"
#include "tests/harness/store/sample_records.h"

namespace {

using namespace assay::harness;
using assay::test::sample_game;
using assay::test::sample_pair;
using assay::test::sample_run;

constexpr int kPlies = 120;

struct Took {
    double wall = 0;  // seconds
    double processor = 0;
};

Took time_of(const auto& work) {
    const auto began = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
            static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

void print_rate(const std::string& what, int pairs, const Took& took) {
    fmt::print("{}: {:.0f} pairs/s, {:.0f} a second of processor time\n", what, pairs / took.wall,
               pairs / took.processor);
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

Took import_all(const std::string& folder, const std::vector<std::string>& files) {
    const std::string path = folder + "/all.db";
    std::filesystem::remove(path);
    Store store(path, Store::Access::Write);
    const std::int64_t id = store.begin_run(run_of_fleet());
    const RunRecord run = store.find_run(std::to_string(id)).value();
    return time_of([&] {
        for (const std::string& file : files) {
            const auto result = import_part(store, run, file);
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
    int code = 0;
    try {
        Store store(folder + "/alone.db", Store::Access::Write);
        const std::int64_t run = store.begin_run(run_of_fleet());
        constexpr int kAlone = 500;
        const Took alone = time_of([&] {
            for (int pair = 0; pair < kAlone; ++pair)
                store.transaction([&] { write_pair(store, run, pair); });
        });
        print_rate("store alone, a pair a transaction", kAlone, alone);
        for (const int pairs : {1, 8, 25}) {
            const auto files = parts(folder, 200, pairs);
            const Took took = import_all(folder, files);
            print_rate(fmt::format("import of parts of {:2} pairs", pairs), 200 * pairs, took);
        }
        const auto files = parts(folder, 1000, 8);
        const Took merged = time_of([&] { (void)merge_stores(files, folder + "/merged.db"); });
        fmt::print("merge of 1,000 parts of 8 pairs: {:.2f} s, {:.2f} s of processor time\n",
                   merged.wall, merged.processor);
    } catch (const assay::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        code = 1;
    }
    std::filesystem::remove_all(folder);
    return code;
}
