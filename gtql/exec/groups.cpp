// Numbers the groups of a table. Keys of search trees have small ranges: node types, depths, flags,
// values of some hundreds. Such keys are coded as digits of a mixed radix, one digit a column, and
// the code is an index into an array of group numbers. All nodes of a batch get their codes by one
// vector loop a column, and the look-up is one load, where a hash table needs a hash, a probe and a
// comparison of keys.
//
// The ranges are not known beforehand. Each column has a window that grows when a value falls
// outside, by half as much again so that it does not grow at every batch, and the array is rebuilt
// from the groups found so far. Where the product of the windows exceeds a million entries (keys
// such as hashes of positions), the table changes to open addressing by hash for good. The results
// are the same in both: groups are numbered in the order in which they first appear.
#include "gtql/exec/groups.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/diagnostic.h"
#include "gtql/exec/execute.h"
#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

namespace {

/// Four bytes each: about the size of a second-level cache, and few of them are used.
constexpr std::uint64_t kMostPlaces = 1U << 20;

bool are_equal(const std::int64_t* a, const std::int64_t* b, std::size_t words) {
    // No early exit: keys are short, and the loop vectorises.
    std::int64_t difference = 0;
    for (std::size_t i = 0; i < words; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
}

}  // namespace

Groups::Groups(std::size_t keys)
    : keys_(keys), words_a_key_(keys + keys / 32 + 1), windows_(keys) {}

void Groups::number(std::span<const Vector> keys, std::size_t size, std::uint32_t* out) {
    if (size == 0) return;
    if (!is_by_hash_ && !fit_windows(keys, size)) {
        is_by_hash_ = true;
        places_ = {};
        slots_.assign(1024, 0);
        while (slots_.size() < 2 * size_) slots_.resize(2 * slots_.size(), 0);
        for (std::size_t group = 0; group < size_; ++group) {
            slots_[slot_of(&words_[group * words_a_key_])] = static_cast<std::uint32_t>(group) + 1;
        }
    }
    if (is_by_hash_) {
        number_by_hash(keys, size, out);
    } else {
        number_by_place(keys, size, out);
    }
}

void Groups::take_row(std::span<const Vector> keys, std::size_t at, std::int64_t* row) const {
    std::fill(row + keys_, row + words_a_key_, 0);
    for (std::size_t k = 0; k < keys_; ++k) {
        const bool is_missing = keys[k].missing != nullptr && keys[k].missing[at] != 0;
        row[k] = is_missing ? 0 : value_at(keys[k], at);
        row[keys_ + k / 32] |= static_cast<std::int64_t>(is_missing ? 1 : 0) << k % 32;
    }
}

/// The same for all, column by column.
void Groups::take_rows(std::span<const Vector> keys, std::size_t size) {
    rows_.resize(size * words_a_key_);
    const std::size_t words = words_a_key_;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t word = keys_; word < words; ++word) rows_[i * words + word] = 0;
    }
    for (std::size_t k = 0; k < keys_; ++k) {
        kernels::spread(keys[k].lane, keys[k].data, size, words, rows_.data() + k);
        for (std::size_t i = 0; keys[k].missing != nullptr && i < size; ++i) {
            if (keys[k].missing[i] == 0) continue;
            rows_[i * words + k] = 0;
            rows_[i * words + keys_ + k / 32] |= std::int64_t{1} << k % 32;
        }
    }
}

std::uint32_t Groups::add(const std::int64_t* key) {
    if (size_ == kMostRows) {
        throw Error("a table of more than " + std::to_string(kMostRows) + " rows");
    }
    words_.insert(words_.end(), key, key + words_a_key_);
    return static_cast<std::uint32_t>(size_++);
}

// ---- by place

std::uint64_t Groups::places_in_all() const {
    std::uint64_t all = 1;
    for (const Window& each : windows_) {
        if (each.values >= kMostPlaces) return kMostPlaces + 1;
        all *= each.values + 1;
        if (all > kMostPlaces) return kMostPlaces + 1;
    }
    return all;
}

/// Widens the windows to hold the keys. False where there would be too many places.
bool Groups::fit_windows(std::span<const Vector> keys, std::size_t size) {
    bool is_wider = places_.empty();
    for (std::size_t k = 0; k < keys_; ++k) {
        std::int64_t least = 0;
        std::int64_t most = 0;
        kernels::range_of(keys[k].lane, keys[k].data, size, least, most);
        Window& window = windows_[k];
        const auto base = static_cast<std::uint64_t>(window.low);
        const bool is_inside = window.values > 0 && least >= window.low &&
                               static_cast<std::uint64_t>(most) - base < window.values;
        if (is_inside) continue;
        is_wider = true;
        if (window.values > 0) {
            least = std::min(least, window.low);
            most = std::max(most, static_cast<std::int64_t>(base + window.values - 1));
        }
        window.low = least;
        window.values = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
        if (window.values == 0) return false;  // wrapped around: the range is all 64 bits
    }
    if (!is_wider) return true;
    if (places_in_all() > kMostPlaces) return false;
    // Room for half as much again, so that windows do not grow by one value at a time.
    for (Window& window : windows_) {
        const Window narrow = window;
        const std::uint64_t more = window.values / 4;
        const bool has_room = window.low >= std::numeric_limits<std::int64_t>::min() / 2 &&
                              window.low <= std::numeric_limits<std::int64_t>::max() / 2;
        if (has_room)
            window = {window.low - static_cast<std::int64_t>(more), window.values + 2 * more};
        if (places_in_all() > kMostPlaces) window = narrow;
    }
    rebuild_places();
    return true;
}

void Groups::rebuild_places() {
    places_.assign(places_in_all(), 0);
    for (std::size_t group = 0; group < size_; ++group) {
        std::uint64_t place = 0;
        for (std::size_t k = keys_; k-- > 0;) {
            const auto code = static_cast<std::uint64_t>(value(group, k)) -
                              static_cast<std::uint64_t>(windows_[k].low) + 1;
            place = place * (windows_[k].values + 1) + (is_missing(group, k) ? 0 : code);
        }
        places_[place] = static_cast<std::uint32_t>(group) + 1;
    }
}

void Groups::number_by_place(std::span<const Vector> keys, std::size_t size, std::uint32_t* out) {
    place_.assign(size, 0);
    std::uint32_t stride = 1;
    for (std::size_t k = 0; k < keys_; ++k) {
        const auto below = static_cast<std::int64_t>(static_cast<std::uint64_t>(windows_[k].low) -
                                                     1);  // place 0 is for what is missing
        kernels::add_places(keys[k].lane, keys[k].data, below, stride, size, place_.data());
        for (std::size_t i = 0; keys[k].missing != nullptr && i < size; ++i) {
            if (keys[k].missing[i] == 0) continue;
            // The place of a missing key is 0: take back what the loop above has added.
            const auto code = static_cast<std::uint32_t>(value_at(keys[k], i)) -
                              static_cast<std::uint32_t>(below);
            place_[i] -= code * stride;
        }
        stride *= static_cast<std::uint32_t>(windows_[k].values + 1);
    }
    for (std::size_t i = 0; i < size; ++i) {
        std::uint32_t& group = places_[place_[i]];
        if (group == 0) {
            rows_.resize(std::max(rows_.size(), words_a_key_));
            take_row(keys, i, rows_.data());
            group = add(rows_.data()) + 1;
        }
        out[i] = group - 1;
    }
}

// ---- by hash

std::size_t Groups::slot_of(const std::int64_t* key) const {
    // Words are multiplied side by side, each by an odd number of its own.
    std::uint64_t hash = 0;
    std::uint64_t odd = 0x9E3779B97F4A7C15ULL;
    for (std::size_t i = 0; i < words_a_key_; ++i, odd += 0x3C6EF372FE94F82AULL) {
        hash += static_cast<std::uint64_t>(key[i]) * odd;
    }
    hash ^= hash >> 32U;
    hash *= 0xD6E8FEB86659FD93ULL;
    hash ^= hash >> 32U;
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0 &&
           !are_equal(key, &words_[(slots_[slot] - 1) * words_a_key_], words_a_key_)) {
        slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
}

void Groups::grow_slots() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t group = 0; group < size_; ++group) {
        slots_[slot_of(&words_[group * words_a_key_])] = static_cast<std::uint32_t>(group) + 1;
    }
}

void Groups::number_by_hash(std::span<const Vector> keys, std::size_t size, std::uint32_t* out) {
    take_rows(keys, size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t* const row = rows_.data() + i * words_a_key_;
        const bool is_same = i > 0 && are_equal(row, row - words_a_key_, words_a_key_);
        if (is_same) {  // keys come in runs
            out[i] = out[i - 1];
            continue;
        }
        const std::size_t slot = slot_of(row);
        if (slots_[slot] == 0) {
            out[i] = add(row);
            slots_[slot] = out[i] + 1;
            if (2 * size_ > slots_.size()) grow_slots();
        } else {
            out[i] = slots_[slot] - 1;
        }
    }
}

}  // namespace assay::gtql
