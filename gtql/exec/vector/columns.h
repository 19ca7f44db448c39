#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtql/exec/vector/shape.h"
#include "gtql/exec/vector/sizes.h"
#include "gtql/exec/vector/vector.h"
#include "gtql/lang/query_plan.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// The columns that the queries of one pass read, by local index: the carried nodes first, then the
/// new ones. Built-ins are columns too, computed from the shape.
class LocalColumns {
public:
    /// `sizes` (null where no query names size or children) and `tree` outlive this.
    LocalColumns(const TreeSource& tree, const Sizes* sizes) : tree_(tree), sizes_(sizes) {}

    /// Changes each Column and Builtin step of the plan to Column with a slot of this as its value.
    void add(Plan& plan);
    /// The same for one expression.
    void add(Expression& expression);

    [[nodiscard]] bool needs_child_index() const { return needs_child_index_; }

    [[nodiscard]] bool needs_parents() const { return needs_parents_; }

    /// The columns to read from the source, for begin().
    [[nodiscard]] const std::vector<ColumnId>& wanted() const { return wanted_; }

    /// Takes the views of `size` nodes from `first` on. `shape` has begun with the same nodes; null
    /// where nothing is carried, and then the views are lent, not copied.
    void begin(const std::vector<ColumnView>& views, std::uint64_t first, std::size_t size,
               const Shape* shape);
    void carry(const std::vector<std::int32_t>& kept);

    [[nodiscard]] Lane lane(std::size_t slot) const { return slots_[slot].lane; }

    [[nodiscard]] const void* data(std::size_t slot) const { return slots_[slot].data; }

private:
    struct Slot {
        bool is_builtin = false;
        std::int64_t which = 0;
        std::size_t view = 0;  // into wanted_
        Lane lane = Lane::I64;
        std::vector<std::int64_t> buffer;
        const void* data = nullptr;
    };

    [[nodiscard]] std::size_t slot_of(bool is_builtin, std::int64_t which);
    [[nodiscard]] Width width_of_column(ColumnId id) const;
    void compute(Slot& slot, std::uint64_t first, std::size_t carried, std::size_t size,
                 const Shape* shape);

    const TreeSource& tree_;
    const Sizes* sizes_;
    std::vector<Slot> slots_;
    std::vector<ColumnId> wanted_;
    bool needs_child_index_ = false;
    bool needs_parents_ = false;
};

}  // namespace assay::gtql
