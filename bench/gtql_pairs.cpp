// Compares the executor with the plain evaluators on random trees and queries of both levels:
//   gtql_pairs [PAIRS] [SEED] [THREADS]
// The seed of each thread is derived from the printed one. At the first difference it prints the
// pair and exits with 1.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "tests/gtql/plain/plain.h"
#include "tests/gtql/plain/random_queries.h"

namespace {

using namespace assay;

constexpr std::array<std::size_t, 8> kBatches{1, 2, 3, 5, 8, 13, 64, 1U << 15U};
constexpr std::uint64_t kPairsATree = 20;

bool are_equal(const gtql::Answer& a, const gtql::Answer& b) {
    return a.kind == b.kind && a.count == b.count && a.ids == b.ids && a.value == b.value &&
           a.titles == b.titles && a.rows == b.rows;
}

struct Progress {
    std::uint64_t pairs = 0;  // to compare
    std::atomic<std::uint64_t> done{0};
    std::atomic<bool> has_failed{false};
    std::mutex print;
};

void report(Progress& progress, const gtql::Tree& tree, std::uint64_t tree_seed,
            const std::string& text, std::size_t batch) {
    progress.has_failed = true;
    const std::lock_guard lock(progress.print);
    std::printf("DIFFERENT: tree of %llu nodes from seed %llu, batch %zu: %s\n",
                static_cast<unsigned long long>(tree.info().nodes),
                static_cast<unsigned long long>(tree_seed), batch, text.c_str());
}

/// Generates a tree and its queries from `seed`.
void try_tree(Progress& progress, std::uint64_t seed) {
    Random random(seed);
    const auto tree = test::random_tree(random, random.below(10) == 0 ? 300 : 50);
    const test::PlainTree plain(*tree);
    for (std::uint64_t i = 0; i < kPairsATree; ++i) {
        const int level = 1 + static_cast<int>(random.below(2));
        const std::string text = test::random_query(random, level);
        const gtql::Query query = gtql::parse_query("<query>", text, {level});
        gtql::ExecuteOptions options;
        options.ids = gtql::kAllIds;
        options.batch = kBatches.at(random.below(kBatches.size()));
        const gtql::Answer answer = gtql::execute(*tree, {&query, 1}, options).at(0);
        const bool is_right = are_equal(answer, test::naive_answer(plain, query)) &&
                              (level == 2 || are_equal(answer, test::algorithm_1(plain, query)));
        if (!is_right) report(progress, *tree, seed, text, options.batch);
    }
}

void work(Progress& progress, std::uint64_t seed) {
    Random seeds(seed);
    constexpr std::uint64_t kStep = 1'000'000;
    while (!progress.has_failed) {
        const std::uint64_t before = progress.done.fetch_add(kPairsATree);
        if (before >= progress.pairs) return;
        try_tree(progress, seeds());
        if (before / kStep == (before + kPairsATree) / kStep) continue;
        const std::lock_guard lock(progress.print);
        std::printf("%llu pairs\n", static_cast<unsigned long long>(before + kPairsATree));
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Progress progress;
    progress.pairs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const std::uint64_t seed =
        argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device()();
    const unsigned threads =
        argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : std::thread::hardware_concurrency();
    std::printf("seed %llu, %u threads, %llu pairs of a tree and a query\n",
                static_cast<unsigned long long>(seed), threads,
                static_cast<unsigned long long>(progress.pairs));
    std::fflush(stdout);
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
        workers.emplace_back([&progress, seed, i] { work(progress, mix64(seed, i)); });
    }
    workers.clear();
    if (progress.has_failed) return 1;
    std::printf("all equal\n");
    return 0;
}
