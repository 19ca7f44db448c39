#pragma once
#include <cstdint>
#include <vector>

#include "gtql/exec/call_run.h"
#include "gtql/exec/execute.h"
#include "gtql/exec/groups.h"
#include "gtql/exec/vector/batch.h"
#include "gtql/lang/query_plan.h"

namespace assay::gtql {

/// A query about the whole tree: a count, a value, a truth value, a table.
class Statement {
public:
    /// REQUIRES: the columns of `plan` are bound to slots; `plan` and `moves` outlive this.
    Statement(const Plan& plan, const std::vector<std::string>& moves);

    [[nodiscard]] bool uses_parents() const { return uses_parents_; }

    /// Adds the nodes of a batch.
    void take(const Batch& batch, const Frame& frame);
    [[nodiscard]] Answer finish(Scratch& scratch);

private:
    /// The values of the calls as columns over the groups, by call.
    struct CallColumns {
        std::vector<std::vector<std::int64_t>> values;
        std::vector<std::vector<std::uint8_t>> missing;
        std::vector<Vector> vectors;  // of these
    };

    void take_slice(const Batch& batch, const Frame& frame);
    void find_groups(const Batch& batch, const Frame& frame);
    void take_values(const Call& call, const Vector& mask, const Vector& values, std::size_t size,
                     std::vector<Tally>& tallies) const;
    void take_call(const Batch& batch, const Frame& frame, std::size_t which);
    [[nodiscard]] static std::vector<Cell> column_cells(Scratch& scratch, const Expression& column,
                                                        const Frame& all);
    [[nodiscard]] Cell key_cell(std::size_t group, std::size_t which) const;
    [[nodiscard]] CallColumns call_columns(std::size_t groups);
    [[nodiscard]] std::vector<std::vector<Cell>> rows(Scratch& scratch, std::size_t groups);

    const Plan& plan_;
    const std::vector<std::string>& moves_;
    bool uses_parents_ = false;
    Groups groups_;
    std::vector<std::vector<Tally>> tallies_;  // by call, by group
    std::vector<std::uint32_t> numbers_;       // of the nodes at hand: their group
    std::vector<std::uint8_t> present_;        // which of them have a value that counts
};

}  // namespace assay::gtql
