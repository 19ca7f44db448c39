#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gtql/exec/call_run.h"
#include "gtql/exec/execute.h"
#include "gtql/exec/statement.h"
#include "gtql/exec/vector/batch.h"
#include "gtql/lang/query_plan.h"

namespace assay::gtql {

/// Keeps the smallest ids of those that are added, ascending, and counts all of them.
class IdCollector {
public:
    explicit IdCollector(std::uint64_t most) : most_(most) {}

    void add(std::uint64_t id);

    /// Counts ids without keeping them. REQUIRES: they are above all that were added before.
    void skip(std::uint64_t count) { count_ += count; }

    [[nodiscard]] bool is_full() const { return ids_.size() >= most_; }

    [[nodiscard]] std::uint64_t count() const { return count_; }

    [[nodiscard]] std::vector<std::uint64_t> take();

private:
    void trim();

    std::uint64_t most_;
    std::uint64_t count_ = 0;
    std::uint64_t limit_ = kAllIds;  // ids above it are not among the least
    std::vector<std::uint64_t> ids_;
};

/// One query during a pass: finds the candidates of each batch, updates its functions, and decides
/// the nodes whose functions have all of their values.
class QueryRun {
public:
    /// REQUIRES: the columns of `plan` are bound to slots.
    QueryRun(Plan plan, const std::vector<std::string>& moves, std::uint64_t most_ids);
    QueryRun(const QueryRun&) = delete;
    QueryRun& operator=(const QueryRun&) = delete;
    ~QueryRun() = default;

    void add_needs(ShapeNeeds& needs) const;
    void step(const Batch& batch);
    void carry(const Batch& batch, const std::vector<std::int32_t>& kept);
    [[nodiscard]] Answer finish(Scratch& scratch);

private:
    enum class Ready : std::uint8_t { AtOnce, Closed, ParentClosed };

    [[nodiscard]] const Expression& node_part() const { return plan_.query.part(Part::Node); }

    void decide_dense(const Batch& batch);
    void find_ready(const Batch& batch);
    void keep_where(const Batch& batch, const Expression& condition);
    void decide(const Batch& batch);
    void emit(const Batch& batch);

    Plan plan_;
    Ready ready_ = Ready::AtOnce;
    bool uses_parents_ = false;                    // outside functions
    bool has_conditions_ = false;                  // a part beside node:
    std::vector<std::unique_ptr<CallRun>> calls_;  // null where the scope is the whole tree
    std::optional<Statement> statement_;
    IdCollector ids_;
    std::vector<std::uint8_t> candidates_;
    std::vector<std::uint8_t> mask_;
    std::vector<std::uint8_t> part_mask_;
    Selection ready_nodes_;
    Selection found_;
};

}  // namespace assay::gtql
