#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/raw/raw_stream.h"

namespace assay::gtql {

/// A stream's own codes of moves as codes of the tree.
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

/// What became of nodes after they had been handed over while they were open: their values at
/// exit, and whether they are unfinished.
class LateExits {
public:
    explicit LateExits(std::size_t values) : values_a_node_(values) {}

    void add(std::uint64_t node, bool is_unfinished, const std::int64_t* values);
    /// Null where nothing was added for the node; else its values.
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

/// Turns the events of one stream into columns: of all its nodes, or of as many at a time as there
/// is room for (hand_over()), which takes memory for those and for what is open.
class StreamDecoder {
public:
    /// `moves` outlives this.
    StreamDecoder(const RawSchema& schema, bool is_owner, MoveTexts& moves);

    /// Stops behind an event where so many nodes are in the columns. 0: never.
    void set_window(std::size_t nodes) { window_ = nodes; }

    /// Takes events until the cursor's end or until the window is full. False, with the reason in
    /// why(), at an event that cannot be; its place is cursor's.
    [[nodiscard]] bool decode(Cursor& cursor);

    [[nodiscard]] bool is_full() const { return window_ != 0 && stream_.level.size() >= window_; }

    [[nodiscard]] const char* why() const { return why_; }

    [[nodiscard]] std::uint64_t nodes() const { return base_ + stream_.level.size(); }

    /// Every open node is unfinished.
    void abort();
    /// All columns; nodes that are open are unfinished.
    [[nodiscard]] RawStream take();

    /// What is in the columns now. Of nodes that are still open values at exit come from
    /// `late`, where they are known there.
    [[nodiscard]] RawStream& peek(const LateExits& late);
    /// Forgets what is in the columns. What nodes that are open get later goes to `late`, which may
    /// be null and else outlives this.
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
