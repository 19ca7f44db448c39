// Columns of a block, coded against a guess.
//
// A search tree repeats itself along its edges: a child's window is its parent's turned around, its
// depth one less, its type the other one. So a value is stored as what it differs from a guess, and
// where nodes are stored level by level, cousins lie side by side and zstd finds their lists of
// moves again. Nothing outside the block is needed, so blocks are decoded side by side; a node
// whose parent lies in an earlier block is guessed from 0, which costs a few bytes a block.
//
// Guesses may go around in a circle over the parent (alpha from the parent's beta, beta from
// alpha): such columns are decoded together, node by node. All arithmetic wraps, so that a value
// that fits its width comes out whatever the guess was.
#include "gtql/log/packed_codec.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "gtql/log/bytes.h"

namespace assay::gtql {

namespace {

std::int64_t minus(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// The place of each node when nodes are stored level by level.
template <class Level>
std::vector<std::uint32_t> places_by_level(const Level& levels, std::int64_t least,
                                           std::int64_t most) {
    std::vector<std::uint32_t> next(static_cast<std::size_t>(most - least) + 2, 0);
    for (const auto level : levels) ++next[static_cast<std::size_t>(level - least) + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<std::uint32_t> places(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
        places[i] = next[static_cast<std::size_t>(levels[i] - least)]++;
    return places;
}

std::vector<std::int64_t> level_residuals(const BlockValues& block) {
    std::vector<std::int64_t> residuals;
    residuals.reserve(block.size());
    std::int64_t before = block.level_before;
    for (const std::int64_t level : block.columns[0]) {
        residuals.push_back(before + 1 - level);
        before = level;
    }
    return residuals;
}

std::vector<std::int64_t> residuals_of(const BlockValues& block, std::size_t column,
                                       const ColumnCoding& coding) {
    if (coding.coding == Coding::Level) return level_residuals(block);
    const auto& values = block.columns[column];
    const auto& levels = block.columns[0];
    const auto [least, most] = std::minmax_element(levels.begin(), levels.end());
    const bool is_parent = coding.coding == Coding::Parent || coding.coding == Coding::PlusParent;
    std::vector<std::int64_t> above(is_parent ? static_cast<std::size_t>(*most - *least) + 2 : 0);
    const auto& other =
        block.columns[coding.coding == Coding::Parent ? column : std::size_t{coding.ref}];
    std::vector<std::int64_t> residuals(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::int64_t guess = 0;
        if (is_parent) {
            const auto at = static_cast<std::size_t>(levels[i] - *least);
            guess = coding.coding == Coding::Parent ? above[at] : minus(0, above[at]);
            above[at + 1] = other[i];
        } else if (coding.coding == Coding::Previous) {
            guess = i == 0 ? 0 : values[i - 1];
        } else if (coding.coding == Coding::Minus) {
            guess = other[i];
        }
        residuals[i] = minus(values[i], guess);
    }
    return residuals;
}

std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}

/// Decodes the needed columns of one block in whole numbers of type S, which holds all widths.
template <class S>
class Decoding {
public:
    using U = std::make_unsigned_t<S>;

    Decoding(std::span<const Chunk> chunks, std::size_t nodes) : chunks_(chunks), nodes_(nodes) {
        values_.resize(chunks.size());
        is_decoded_.resize(chunks.size());
    }

    void decode_level(const std::string& stored, std::int64_t before) {
        std::vector<S>& levels = values_[0];
        take_residuals(0, stored, levels);
        std::int64_t level = before;
        least_ = std::numeric_limits<std::int64_t>::max();
        most_ = 0;
        for (S& each : levels) {
            const std::int64_t lowest = level < 0 ? 0 : 1;
            level = level + 1 - static_cast<std::int64_t>(each);
            if (each < 0 || level < lowest) throw "the levels are no preorder";
            each = static_cast<S>(level);
            least_ = std::min(least_, level);
            most_ = std::max(most_, level);
        }
        is_decoded_[0] = true;
    }

    /// Fills in residuals of the needed columns but the level, in preorder.
    void load(const std::vector<bool>& needed, std::span<const std::string> stored) {
        bool is_tree = false;
        bool is_by_level = false;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            const ColumnCoding& coding = chunks_[c].coding;
            if (!needed[c]) continue;
            is_by_level = is_by_level || coding.by_level;
            is_tree = is_tree || coding.by_level || coding.coding == Coding::Parent ||
                      coding.coding == Coding::PlusParent;
        }
        if (is_tree && most_ - least_ > kMostLevelRange)
            throw "a coding follows the tree over too many levels";
        std::vector<std::uint32_t> places;
        if (is_by_level) places = places_by_level(values_[0], least_, most_);
        std::vector<S> moved;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            if (!needed[c]) continue;
            if (!chunks_[c].coding.by_level) {
                take_residuals(c, stored[c], values_[c]);
                continue;
            }
            take_residuals(c, stored[c], moved);
            values_[c].resize(nodes_);
            for (std::size_t i = 0; i < nodes_; ++i) values_[c][i] = moved[places[i]];
        }
    }

    /// Turns residuals into values: column by column where all that a column refers to is known,
    /// and what remains together.
    void resolve(const std::vector<bool>& needed) {
        bool is_going_on = true;
        while (is_going_on) {
            is_going_on = false;
            for (std::size_t c = 1; c < chunks_.size(); ++c) {
                const ColumnCoding& coding = chunks_[c].coding;
                const bool has_ref =
                    coding.coding == Coding::Minus || coding.coding == Coding::PlusParent;
                if (!needed[c] || is_decoded_[c] || (has_ref && !is_decoded_[coding.ref])) continue;
                resolve_alone(c);
                is_decoded_[c] = true;
                is_going_on = true;
            }
        }
        std::vector<std::size_t> rest;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            if (needed[c] && !is_decoded_[c]) rest.push_back(c);
        }
        if (!rest.empty()) resolve_together(rest);
    }

    [[nodiscard]] const std::vector<S>& values(std::size_t column) const { return values_[column]; }

private:
    void take_residuals(std::size_t column, const std::string& stored, std::vector<S>& to) const {
        const std::size_t bytes = chunks_[column].bytes;
        to.resize(nodes_);
        if (bytes == 0) {
            std::fill(to.begin(), to.end(), S{0});
            return;
        }
        const auto* const data = reinterpret_cast<const std::uint8_t*>(stored.data());
        if (bytes == 1) {
            for (std::size_t i = 0; i < nodes_; ++i)
                to[i] = static_cast<S>((data[i] >> 1) ^ -(data[i] & 1));
            return;
        }
        if (bytes == 2) {
            for (std::size_t i = 0; i < nodes_; ++i) {
                const int z = data[i] | data[nodes_ + i] << 8;
                to[i] = static_cast<S>((z >> 1) ^ -(z & 1));
            }
            return;
        }
        for (std::size_t i = 0; i < nodes_; ++i) {
            std::uint64_t z = 0;
            for (std::size_t b = 0; b < bytes; ++b)
                z |= static_cast<std::uint64_t>(data[b * nodes_ + i]) << 8 * b;
            to[i] = static_cast<S>(unzigzag(z));
        }
    }

    static S add(S a, S b) { return static_cast<S>(static_cast<U>(a) + static_cast<U>(b)); }

    static S subtract(S a, S b) { return static_cast<S>(static_cast<U>(a) - static_cast<U>(b)); }

    [[nodiscard]] std::vector<S> empty_path() const {
        return std::vector<S>(static_cast<std::size_t>(most_ - least_) + 2, S{0});
    }

    [[nodiscard]] std::size_t path_of(std::size_t i) const {
        return static_cast<std::size_t>(values_[0][i] - static_cast<S>(least_));
    }

    void resolve_alone(std::size_t c) {
        std::vector<S>& values = values_[c];
        const ColumnCoding& coding = chunks_[c].coding;
        if (coding.coding == Coding::Previous) {
            for (std::size_t i = 1; i < nodes_; ++i) values[i] = add(values[i], values[i - 1]);
        } else if (coding.coding == Coding::Minus) {
            const std::vector<S>& other = values_[coding.ref];
            for (std::size_t i = 0; i < nodes_; ++i) values[i] = add(values[i], other[i]);
        } else if (coding.coding == Coding::Parent) {
            std::vector<S> above = empty_path();
            for (std::size_t i = 0; i < nodes_; ++i) {
                const std::size_t at = path_of(i);
                values[i] = add(values[i], above[at]);
                above[at + 1] = values[i];
            }
        } else if (coding.coding == Coding::PlusParent) {
            const std::vector<S>& other = values_[coding.ref];
            std::vector<S> above = empty_path();
            for (std::size_t i = 0; i < nodes_; ++i) {
                const std::size_t at = path_of(i);
                values[i] = subtract(values[i], above[at]);
                above[at + 1] = other[i];
            }
        }
    }

    /// Every column of `rest` refers, over others or itself, to one of them at the parent.
    void resolve_together(const std::vector<std::size_t>& rest) {
        std::vector<std::vector<S>> above;
        for (std::size_t k = 0; k < rest.size(); ++k) above.push_back(empty_path());
        std::vector<std::size_t> place(chunks_.size(), rest.size());
        for (std::size_t k = 0; k < rest.size(); ++k) place[rest[k]] = k;
        for (std::size_t i = 0; i < nodes_; ++i) {
            const std::size_t at = path_of(i);
            for (const std::size_t c : rest) {
                const ColumnCoding& coding = chunks_[c].coding;
                S& value = values_[c][i];
                if (coding.coding == Coding::Minus) {
                    value = add(value, values_[coding.ref][i]);
                } else {
                    value = subtract(value, above[place[coding.ref]][at]);
                }
            }
            for (std::size_t k = 0; k < rest.size(); ++k) above[k][at + 1] = values_[rest[k]][i];
        }
    }

    std::span<const Chunk> chunks_;
    std::size_t nodes_;
    std::vector<std::vector<S>> values_;
    std::vector<bool> is_decoded_;
    std::int64_t least_ = 0;  // of the levels
    std::int64_t most_ = 0;
};

template <class T, class S>
void narrow(const std::vector<S>& values, std::vector<std::byte>& out) {
    out.resize(values.size() * sizeof(T));
    T* const to = reinterpret_cast<T*>(out.data());
    S lost = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        to[i] = static_cast<T>(values[i]);
        lost = static_cast<S>(lost | (values[i] ^ static_cast<S>(to[i])));
    }
    if (lost != 0) throw "a value does not fit its column";
}

template <class S>
void decode_as(std::span<const Chunk> chunks, std::span<const Width> widths, std::size_t nodes,
               std::int64_t level_before, const std::vector<bool>& needed,
               std::span<const std::size_t> wanted, std::span<const std::string> stored,
               std::vector<std::vector<std::byte>>& out) {
    Decoding<S> decoding(chunks, nodes);
    if (needed[0]) decoding.decode_level(stored[0], level_before);
    decoding.load(needed, stored);
    decoding.resolve(needed);
    out.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::vector<S>& values = decoding.values(wanted[i]);
        switch (widths[wanted[i]]) {
            case Width::I8:
                narrow<std::int8_t>(values, out[i]);
                break;
            case Width::I16:
                narrow<std::int16_t>(values, out[i]);
                break;
            case Width::I32:
                narrow<std::int32_t>(values, out[i]);
                break;
            case Width::I64:
                narrow<std::int64_t>(values, out[i]);
                break;
        }
    }
}

}  // namespace

bool has_narrow_levels(const BlockValues& block) {
    const auto [least, most] =
        std::minmax_element(block.columns[0].begin(), block.columns[0].end());
    return *most - *least <= kMostLevelRange;
}

std::string encode_column(const BlockValues& block, std::size_t column, const ColumnCoding& coding,
                          std::uint8_t& bytes) {
    const std::vector<std::int64_t> residuals = residuals_of(block, column, coding);
    std::uint64_t all = 0;
    for (const std::int64_t each : residuals) all |= zigzag(each);
    bytes = 0;
    while (bytes < 8 && all >> 8 * bytes != 0) ++bytes;
    std::vector<std::uint32_t> places;
    if (coding.by_level) {
        const auto& levels = block.columns[0];
        const auto [least, most] = std::minmax_element(levels.begin(), levels.end());
        places = places_by_level(levels, *least, *most);
    }
    std::string stored(bytes * residuals.size(), '\0');
    for (std::size_t i = 0; i < residuals.size(); ++i) {
        const std::size_t place = coding.by_level ? places[i] : i;
        const std::uint64_t z = zigzag(residuals[i]);
        for (std::size_t b = 0; b < bytes; ++b)
            stored[b * residuals.size() + place] = static_cast<char>(z >> 8 * b & 0xFF);
    }
    return stored;
}

std::vector<bool> BlockDecoder::needed(std::span<const std::size_t> wanted) const {
    std::vector<bool> needed(chunks_.size(), false);
    std::vector<std::size_t> open(wanted.begin(), wanted.end());
    while (!open.empty()) {
        const std::size_t c = open.back();
        open.pop_back();
        if (needed[c]) continue;
        needed[c] = true;
        const ColumnCoding& coding = chunks_[c].coding;
        const bool has_ref = coding.coding == Coding::Minus || coding.coding == Coding::PlusParent;
        if (has_ref) open.push_back(coding.ref);
        if (coding.by_level || coding.coding == Coding::Parent ||
            coding.coding == Coding::PlusParent)
            open.push_back(0);
    }
    return needed;
}

void BlockDecoder::decode(std::span<const std::size_t> wanted, std::span<const std::string> stored,
                          std::vector<std::vector<std::byte>>& out) const {
    const std::vector<bool> need = needed(wanted);
    bool is_wide = false;
    for (std::size_t c = 0; c < chunks_.size(); ++c)
        is_wide = is_wide || (need[c] && widths_[c] == Width::I64);
    if (is_wide) {
        decode_as<std::int64_t>(chunks_, widths_, nodes_, level_before_, need, wanted, stored, out);
    } else {
        decode_as<std::int32_t>(chunks_, widths_, nodes_, level_before_, need, wanted, stored, out);
    }
}

}  // namespace assay::gtql
