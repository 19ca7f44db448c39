// Chooses the coding of each column by trial: every coding that may help is applied to a sample
// from the middle of a block and compressed at a fast level, and the smallest wins. Which coding is
// best depends on the engine and on the search (a null-window search has other windows than one
// with aspiration), so that rules would have to be maintained for each. Codings that take longer to
// decode must save some bytes more (price()). A plan serves several blocks, since its trials cost
// more than packing a block.
#include <algorithm>
#include <atomic>
#include <thread>

#include "base/packing.h"
#include "gtql/log/packed/packed_writer.h"

namespace assay::gtql {

namespace {

constexpr int kTrialLevel = 5;
constexpr std::size_t kTrialNodes = 1U << 14;

/// Nodes from the middle of a block: at the beginning of a tree the first ones are not typical.
BlockValues sample_of(const BlockValues& block) {
    const std::size_t count = std::min(block.size(), kTrialNodes);
    const std::size_t from = (block.size() - count) / 2;
    BlockValues sample;
    sample.level_before = from == 0 ? block.level_before : block.columns[0][from - 1];
    for (const auto& column : block.columns) {
        const auto begin = column.begin() + static_cast<std::ptrdiff_t>(from);
        sample.columns.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    return sample;
}

std::vector<ColumnCoding> candidates(std::size_t column, std::size_t columns, bool follows_tree) {
    std::vector<ColumnCoding> all = {{Coding::Plain, false, 0}, {Coding::Previous, false, 0}};
    for (std::size_t other = 0; other < column; ++other)
        all.push_back({Coding::Minus, false, static_cast<std::uint8_t>(other)});
    if (!follows_tree) return all;
    all.push_back({Coding::Parent, false, 0});
    for (std::size_t other = 1; other < columns; ++other) {
        if (other != column)
            all.push_back({Coding::PlusParent, false, static_cast<std::uint8_t>(other)});
    }
    const std::size_t in_preorder = all.size();
    for (std::size_t i = 0; i < in_preorder; ++i) {
        ColumnCoding coding = all[i];
        coding.by_level = true;
        if (coding.coding != Coding::Previous) all.push_back(coding);
    }
    return all;
}

/// The size in bytes, plus a small amount for codings that take longer to decode.
std::uint64_t price(const BlockValues& block, std::size_t column, const ColumnCoding& coding) {
    std::uint8_t planes = 0;
    const std::string stored = encode_column(block, column, coding, planes);
    std::uint64_t size = planes == 0 ? 0 : zstd_frame(stored, kTrialLevel).size();
    if (coding.coding != Coding::Plain) size += size / 64 + block.size() / 4096 + 1;
    if (coding.by_level) size += size / 64 + block.size() / 4096;
    return size;
}

}  // namespace

void run_side_by_side(int threads, std::size_t count,
                      const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < threads && static_cast<std::size_t>(i) < count; ++i)
        others.emplace_back(run);
    run();
}

std::vector<ColumnCoding> plan_codings(const BlockValues& block, int threads) {
    const std::size_t columns = block.columns.size();
    std::vector<ColumnCoding> plan(columns);
    plan[0].coding = Coding::Level;
    const bool follows_tree = has_narrow_levels(block);
    const BlockValues sample = sample_of(block);
    run_side_by_side(threads, columns - 1, [&](std::size_t i) {
        const std::size_t column = i + 1;
        std::uint64_t best = ~std::uint64_t{0};
        for (const ColumnCoding& each : candidates(column, columns, follows_tree)) {
            const std::uint64_t size = price(sample, column, each);
            if (size >= best) continue;
            best = size;
            plan[column] = each;
        }
    });
    return plan;
}

}  // namespace assay::gtql
