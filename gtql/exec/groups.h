#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gtql/exec/vector/vector.h"

namespace assay::gtql {

/// Numbers the distinct keys of a table's rows in the order in which they first appear. A key has a
/// value for each column that the table groups by; any of these may be missing.
///
/// Keys of narrow ranges (types, depths, values) are indices into a table of all combinations,
/// which grows as needed; where it would be too large, keys are found by hash.
class Groups {
public:
    /// REQUIRES: keys > 0.
    explicit Groups(std::size_t keys);

    /// Writes the group number of each of `size` rows. The vectors hold `size` integers each.
    /// Throws Error beyond kMostRows groups.
    void number(std::span<const Vector> keys, std::size_t size, std::uint32_t* out);

    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] std::int64_t value(std::size_t group, std::size_t key) const {
        return words_[group * words_a_key_ + key];
    }

    [[nodiscard]] bool is_missing(std::size_t group, std::size_t key) const {
        return (words_[group * words_a_key_ + keys_ + key / 32] >> key % 32 & 1) != 0;
    }

private:
    /// The values of one key that have a place: `values` of them, from `low` on. Place 0 is for
    /// missing ones.
    struct Window {
        std::int64_t low = 0;
        std::uint64_t values = 0;
    };

    [[nodiscard]] bool fit_windows(std::span<const Vector> keys, std::size_t size);
    [[nodiscard]] std::uint64_t places_in_all() const;
    void rebuild_places();
    void number_by_place(std::span<const Vector> keys, std::size_t size, std::uint32_t* out);
    void number_by_hash(std::span<const Vector> keys, std::size_t size, std::uint32_t* out);
    [[nodiscard]] std::size_t slot_of(const std::int64_t* key) const;
    void grow_slots();
    std::uint32_t add(const std::int64_t* key);
    void take_row(std::span<const Vector> keys, std::size_t at, std::int64_t* row) const;
    void take_rows(std::span<const Vector> keys, std::size_t size);

    std::size_t keys_;
    std::size_t words_a_key_;  // the values, then bits for those that are missing, 32 a word
    std::vector<std::int64_t> words_;  // of all groups
    std::size_t size_ = 0;
    std::vector<std::int64_t> rows_;     // keys at hand
    std::vector<Window> windows_;        // by key
    std::vector<std::uint32_t> places_;  // group + 1, or 0; empty where keys are found by hash
    std::vector<std::uint32_t> place_;   // of the values at hand
    std::vector<std::uint32_t> slots_;   // by hash: group + 1, or 0; a power of two of them
    bool is_by_hash_ = false;
};

}  // namespace assay::gtql
