// A pass over a tree in batches. In each batch the shape is found from the levels, every query
// reads the new nodes, and open nodes are carried over to the next batch. The work is a few vector
// loops a batch, and no query keeps a stack of open ancestors for each node. docs/gtql.md says what
// the answers mean, bench/README.md what they cost.
#include "gtql/exec/execute.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "gtql/exec/query_run.h"

namespace assay::gtql {

namespace {

/// Values that one evaluation handles at once: its vectors stay in the first-level cache.
constexpr std::size_t kChunk = 4096;

class Pass {
public:
    Pass(const TreeSource& tree, std::span<const Query> queries, const ExecuteOptions& options)
        : options_(options),
          scratch_(std::clamp<std::size_t>(options.batch, 1, kChunk)),
          evaluator_(scratch_),
          columns_(tree, &sizes_) {
        bool uses_size = false;
        for (const Query& query : queries) {
            Plan plan = bind(query, tree.schema(), tree.moves());
            count_sizes(plan);
            uses_size = uses_size || plan.uses_size;
            columns_.add(plan);
            runs_.push_back(std::make_unique<QueryRun>(std::move(plan), tree.moves(), options.ids));
        }
        if (uses_size) sizes_ = sizes_of(tree);
        ShapeNeeds needs;
        for (const auto& run : runs_) run->add_needs(needs);
        needs.child_index = columns_.needs_child_index();
        needs.parents = needs.parents || needs.child_index || columns_.needs_parents();
        if (needs.parents) shape_.emplace(needs);
        wanted_ = columns_.wanted();
        const auto level = std::ranges::find(wanted_, kLevelColumn);
        level_ = static_cast<std::size_t>(level - wanted_.begin());
        // At least one column has to be read, to count the nodes.
        if (level == wanted_.end() && (shape_ || wanted_.empty())) wanted_.push_back(kLevelColumn);
    }

    std::vector<Answer> run(const TreeSource& tree) {
        const auto reader = tree.read(wanted_);
        TreeBlock block;
        std::uint64_t nodes = 0;
        while (reader->next(block)) {
            std::size_t from = 0;
            while (from < block.size) {
                // With a path longer than the batch, carrying would cost more than the batch
                // itself.
                const std::size_t carried = shape_ ? shape_->path_length() : 0;
                const std::size_t size =
                    std::min(std::max(options_.batch, carried), block.size - from);
                step(block, from, size);
                from += size;
            }
            nodes = block.first + block.size;
        }
        if (shape_ && nodes > 0) finish(nodes);
        std::vector<Answer> answers;
        for (const auto& run : runs_) answers.push_back(run->finish(scratch_));
        return answers;
    }

private:
    [[nodiscard]] Batch batch_of(std::uint64_t first, std::size_t size) {
        Batch batch;
        batch.shape = shape_ ? &*shape_ : nullptr;
        batch.columns = &columns_;
        batch.scratch = &scratch_;
        batch.evaluator = &evaluator_;
        batch.first = first;
        batch.size = size;
        batch.carried = shape_ ? shape_->carried() : 0;
        return batch;
    }

    void step(const TreeBlock& block, std::size_t from, std::size_t size) {
        views_.clear();
        for (const ColumnView& each : block.columns) views_.push_back(each.part(from, size));
        if (shape_) shape_->begin(views_[level_], block.first + from, false);
        columns_.begin(views_, block.first + from, size, shape_ ? &*shape_ : nullptr);
        const Batch batch = batch_of(block.first + from, size);
        for (const auto& run : runs_) run->step(batch);
        if (!shape_) return;
        const std::vector<std::int32_t>& kept = shape_->carry();
        for (const auto& run : runs_) run->carry(batch, kept);
        columns_.carry(kept);
    }

    /// Closes all nodes that are still open.
    void finish(std::uint64_t nodes) {
        ColumnView none;
        shape_->begin(none, nodes, true);
        columns_.begin({}, nodes, 0, &*shape_);
        Batch batch = batch_of(nodes, 0);
        batch.is_end = true;
        for (const auto& run : runs_) run->step(batch);
    }

    ExecuteOptions options_;
    Scratch scratch_;
    Evaluator evaluator_;
    Sizes sizes_;
    LocalColumns columns_;
    std::vector<std::unique_ptr<QueryRun>> runs_;
    std::optional<Shape> shape_;
    std::vector<ColumnId> wanted_;
    std::vector<ColumnView> views_;
    std::size_t level_ = 0;  // place of the level column in wanted_
};

}  // namespace

std::optional<double> number_of(const Answer& answer) {
    if (answer.kind == AnswerKind::Bool) return std::get<bool>(answer.value) ? 1 : 0;
    if (answer.kind != AnswerKind::Value) return static_cast<double>(answer.count);
    if (const auto* const integer = std::get_if<std::int64_t>(&answer.value)) {
        return static_cast<double>(*integer);
    }
    const auto* const real = std::get_if<double>(&answer.value);
    return real != nullptr ? std::optional<double>(*real) : std::nullopt;
}

std::vector<Answer> execute(const TreeSource& tree, std::span<const Query> queries,
                            const ExecuteOptions& options) {
    return Pass(tree, queries, options).run(tree);
}

}  // namespace assay::gtql
