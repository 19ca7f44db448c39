// A tree larger than memory: the fruit trees repeated under one root are packed into FILE unless it
// exists, and queried within 2 GiB of address space.
//   gtql_large FILE [NODES] [QUERY...]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "gtql/log/import/open_trees.h"
#include "gtql/log/packed/packed_writer.h"

namespace {

using namespace assay::gtql;

constexpr std::uint64_t kLimit = 2ULL << 30;

/// A tree that is generated while it is read: the parts in sequence, one level below a root.
class Repeated final : public TreeSource {
public:
    Repeated(std::vector<std::unique_ptr<TreeSource>> parts, std::uint64_t nodes)
        : parts_(std::move(parts)) {
        const TreeSchema& schema = parts_.at(0)->schema();
        for (const char* const name : {"type", "flags", "depth", "value"}) {
            const auto at = static_cast<std::size_t>(schema.attribute(name));
            schema_.attributes.push_back(schema.attributes[at]);
            columns_.push_back(static_cast<int>(at));
        }
        schema_.constants = schema.constants;
        info_.name = "large";
        info_.nodes = nodes;
    }

    [[nodiscard]] const TreeInfo& info() const override { return info_; }

    [[nodiscard]] const TreeSchema& schema() const override { return schema_; }

    [[nodiscard]] const std::vector<std::string>& moves() const override { return moves_; }

    [[nodiscard]] std::unique_ptr<BlockReader> read(
        std::span<const ColumnId> wanted) const override {
        return std::make_unique<Reader>(*this, wanted);
    }

private:
    class Reader final : public BlockReader {
    public:
        Reader(const Repeated& tree, std::span<const ColumnId> wanted)
            : tree_(tree), wanted_(wanted.begin(), wanted.end()) {
            for (const ColumnId id : wanted_) {
                asked_.push_back(id < 0 ? id : tree.columns_[static_cast<std::size_t>(id)]);
            }
        }

        bool next(TreeBlock& block) override {
            if (first_ == tree_.info_.nodes) return false;
            std::vector<Column> columns;
            for (const ColumnId id : wanted_) {
                columns.emplace_back(
                    id < 0 ? Width::I8
                           : tree_.schema_.attributes[static_cast<std::size_t>(id)].width);
            }
            if (first_ == 0) {
                for (Column& each : columns) each.push(0);
            } else {
                take_part(columns);
            }
            columns_ = std::move(columns);
            block.first = first_;
            block.size = columns_.at(0).size();
            block.columns.clear();
            for (const Column& each : columns_) block.columns.push_back(each.view());
            first_ += block.size;
            return true;
        }

    private:
        void take_part(std::vector<Column>& columns) {
            TreeBlock part;
            while (!reader_ || !reader_->next(part)) {
                reader_ = tree_.parts_[next_++ % tree_.parts_.size()]->read(asked_);
            }
            const std::size_t size = std::min(part.size, tree_.info_.nodes - first_);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                const std::int64_t more = wanted_[c] == kLevelColumn ? 1 : 0;
                for (std::size_t i = 0; i < size; ++i) {
                    columns[c].push(part.columns[c].at(i) + more);
                }
            }
        }

        const Repeated& tree_;
        std::vector<ColumnId> wanted_;
        std::vector<ColumnId> asked_;  // of a part
        std::unique_ptr<BlockReader> reader_;
        std::size_t next_ = 0;
        std::uint64_t first_ = 0;
        std::vector<Column> columns_;
    };

    std::vector<std::unique_ptr<TreeSource>> parts_;
    TreeInfo info_;
    TreeSchema schema_;
    std::vector<ColumnId> columns_;
    std::vector<std::string> moves_;
};

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void pack(const std::string& path, std::uint64_t nodes) {
    std::vector<std::unique_ptr<TreeSource>> parts;
    std::vector<std::string> warnings;
    const std::string folder = ASSAY_SOURCE_DIR "/tests/data/fruit-trees/";
    for (const char* const name : {"pos15.csv.zst", "pos17.csv.zst", "pos19.csv.zst"}) {
        parts.push_back(std::move(open_trees(folder + name, {}, warnings).at(0)));
    }
    const double begin = seconds(CLOCK_MONOTONIC);
    PackOptions options;
    options.level = 1;
    PackedWriter writer(path, options);
    writer.add(Repeated(std::move(parts), nodes));
    writer.finish();
    std::printf("packed: %.2f bytes a node, %.0f s\n",
                static_cast<double>(writer.bytes()) / static_cast<double>(nodes),
                seconds(CLOCK_MONOTONIC) - begin);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: gtql_large FILE [NODES] [QUERY...]\n");
        return 2;
    }
    const std::uint64_t nodes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000'000;
    if (!std::filesystem::exists(argv[1])) {
        pack(argv[1], nodes);
        std::printf("ask it in a process of its own, for the peak of memory\n");
        return 0;
    }
    const rlimit limit{kLimit, kLimit};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
    std::vector<std::string> queries(argv + std::min(argc, 3), argv + argc);
    if (queries.empty()) {
        queries = {"node: count(type = PVNode)", "node: flags & QRootNode; subtree: count(*) > 60",
                   "node: type = PVNode; child: count([]type = type) >= 5",
                   "node: size > 100000 and type != PVNode"};
    }
    std::vector<std::string> warnings;
    const auto tree = std::move(open_trees(argv[1], {}, warnings).at(0));
    const double millions = static_cast<double>(tree->info().nodes) * 1e-6;
    std::printf("%.0f M nodes within %llu MiB of address space\n", millions,
                static_cast<unsigned long long>(kLimit >> 20U));
    for (const std::string& text : queries) {
        const double wall = seconds(CLOCK_MONOTONIC);
        const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        const Query query = parse_query("<query>", text);
        const Answer answer = execute(*tree, {&query, 1}).at(0);
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        std::printf("%5.0f Mnodes/s wall, %4.0f a core, peak %ld MiB, %llu: %s\n",
                    millions / (seconds(CLOCK_MONOTONIC) - wall),
                    millions / (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu), usage.ru_maxrss / 1024,
                    static_cast<unsigned long long>(answer.count), text.c_str());
        std::fflush(stdout);
    }
    return 0;
}
