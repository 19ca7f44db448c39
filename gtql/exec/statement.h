#pragma once
#include <cstdint>
#include <vector>

#include "gtql/exec/batch.h"
#include "gtql/exec/call_run.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/plan.h"

namespace assay::gtql {

/// Numbers the distinct keys of a table's rows in the order of their first coming.
class Groups {
public:
    /// `words` of each key; at least 1.
    explicit Groups(std::size_t words);

    /// Throws Error beyond kMostRows.
    [[nodiscard]] std::size_t number_of(const std::int64_t* key);

    [[nodiscard]] std::size_t size() const { return keys_.size() / words_; }

    [[nodiscard]] const std::int64_t* key(std::size_t group) const {
        return keys_.data() + group * words_;
    }

private:
    [[nodiscard]] std::size_t place_of(const std::int64_t* key) const;
    void grow();

    std::size_t words_;
    std::vector<std::int64_t> keys_;
    std::vector<std::uint32_t> places_;  // group + 1, or 0; a power of two of them
    std::size_t last_ = 0;               // the group found before: keys come in runs
};

/// A query whose functions range over the whole tree: counts, values, truth values, tables.
class Statement {
public:
    /// `plan` has its columns bound to slots, and outlives this; `moves` too.
    Statement(const Plan& plan, const std::vector<std::string>& moves);

    [[nodiscard]] bool uses_parents() const { return uses_parents_; }

    /// Takes nodes in.
    void take(const Batch& batch, const Frame& frame);
    [[nodiscard]] Answer finish(Scratch& scratch);

private:
    void take_slice(const Batch& batch, const Frame& frame);
    void find_groups(const Batch& batch, const Frame& frame);
    void take_call(const Batch& batch, const Frame& frame, std::size_t call);
    [[nodiscard]] std::vector<Cell> column_cells(Scratch& scratch, const Expression& column,
                                                 const Frame& all) const;
    [[nodiscard]] Cell key_cell(std::size_t group, std::size_t key) const;

    const Plan& plan_;
    const std::vector<std::string>& moves_;
    bool uses_parents_ = false;
    Groups groups_;
    std::vector<std::vector<Tally>> tallies_;  // by call, by group
    std::vector<std::int64_t> key_values_;
    std::vector<std::uint32_t> numbers_;  // of the nodes at hand: their group
};

}  // namespace assay::gtql
