#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/raw/raw_stream.h"

namespace assay::gtql {

/// Maps the codes of moves in a stream to those of the tree.
class MoveMap {
public:
    explicit MoveMap(MoveTexts& texts);

    void name(std::int64_t move, std::string_view text);
    [[nodiscard]] std::int64_t code_of(std::int64_t move);

private:
    std::int64_t& slot(std::int64_t move);

    MoveTexts& texts_;
    std::vector<std::int64_t> small_;
    std::unordered_map<std::int64_t, std::int64_t> large_;
};

/// Values at exit of nodes that were handed over while they were open, and whether they are
/// unfinished.
class LateExits {
public:
    explicit LateExits(std::size_t values) : values_a_node_(values) {}

    void add(std::uint64_t node, bool is_unfinished, const std::int64_t* values);
    /// The values of the node; null where none were added.
    [[nodiscard]] const std::int64_t* find(std::uint64_t node, bool& is_unfinished) const;

    /// Calls f with the values of each node that has some.
    template <class F>
    void each(F f) const {
        for (const auto& [node, place] : places_) {
            if (!place.is_unfinished) f(values_.data() + place.at);
        }
    }

private:
    struct Place {
        std::size_t at = 0;
        bool is_unfinished = false;
    };

    std::size_t values_a_node_;
    std::unordered_map<std::uint64_t, Place> places_;
    std::vector<std::int64_t> values_;
};

/// Turns the events of one stream into columns, for all of its nodes at once or for a window at a
/// time (set_window, hand_over). Memory: the columns, and the open nodes.
class StreamDecoder {
public:
    /// `moves` outlives this.
    StreamDecoder(const RawSchema& schema, bool is_owner, MoveTexts& moves);

    /// decode() stops after an event once the columns have this many nodes. 0: never.
    void set_window(std::size_t nodes) { window_ = nodes; }

    /// Decodes events until the cursor's end or until the window is full. False at an invalid
    /// event, which is where the cursor stands; why() has the reason.
    [[nodiscard]] bool decode(Cursor& cursor);

    [[nodiscard]] bool is_full() const { return window_ != 0 && stream_.level.size() >= window_; }

    [[nodiscard]] const char* why() const { return why_; }

    [[nodiscard]] std::uint64_t nodes() const { return base_ + stream_.level.size(); }

    /// Marks every open node as unfinished and closes it.
    void abort();
    /// All columns; open nodes are marked as unfinished.
    [[nodiscard]] RawStream take();

    /// The present columns. Values at exit of nodes that are still open come from `late`, if it has
    /// them.
    [[nodiscard]] RawStream& peek(const LateExits& late);
    /// Clears the columns. Later values of open nodes go to `late`, which may be null.
    /// REQUIRES: `late` outlives this.
    void hand_over(LateExits* late);

    /// Attributes known at exit, in the order of LateExits' values.
    [[nodiscard]] const std::vector<std::size_t>& exits() const { return exits_; }

private:
    bool fail(const char* why);
    bool take_values(Cursor& cursor, unsigned tag, std::size_t count);
    bool enter(Cursor& cursor, unsigned tag);
    bool leave(Cursor& cursor, unsigned tag);
    bool cut();
    bool other(Cursor& cursor, unsigned what);

    MoveMap moves_;
    bool is_owner_;
    RawStream stream_;
    std::vector<std::size_t> entries_;
    std::vector<std::size_t> exits_;
    std::vector<std::uint64_t> open_;
    std::size_t below_root_ = 0;  // 1 where the owner enters more after its root was left
    std::vector<std::int64_t> values_;
    std::vector<unsigned> codes_;
    const char* why_ = "";
    std::size_t window_ = 0;
    std::uint64_t base_ = 0;  // nodes that were handed over
    LateExits* late_ = nullptr;
};

}  // namespace assay::gtql
