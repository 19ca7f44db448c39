// The coding of columns in a block of a packed tree.
//
// A search tree repeats itself along its edges, not in the order of its nodes. The window of a
// child is that of its parent turned around (alpha = -beta), its depth is one less, its node type
// is the other one. General compression (zstd) sees bytes in sequence and finds little of that,
// because the parent may lie thousands of nodes before. So each value is stored as its difference
// from a guess that is derived from the tree: the parent's value, another column's, or the negative
// of another column at the parent. The differences are small or constant, and zstd does the rest.
// Where a column's nodes are stored level by level, cousins lie side by side, whose lists of moves
// are nearly equal, and zstd finds those too.
//
// The differences are zigzag numbers (small absolute value, small number), written plane by plane:
// all lowest bytes first, then all second ones. The upper planes are then mostly zeros, which
// compress to nothing. The coding of a column is a property of its block, chosen by trial
// (packed_plan.cpp).
//
// Decoding has to be fast, because queries read whole trees and are limited by it. Each column is
// decoded in whole-block loops: columns without a parent in vector loops; columns that follow the
// parent in a loop that waits for the parent's value at each node, so that up to four of them are
// run side by side to hide that latency. Columns may refer to each other at the parent (alpha to
// beta, beta to alpha); they are then decoded together, as chains of one loop. Numbers are 32 bits
// unless a wanted column needs 64.
//
// Nothing outside the block is needed, so that blocks are decoded in parallel and a query can begin
// anywhere; the price is that a node whose parent lies in an earlier block is guessed from 0, a few
// bytes a block. All arithmetic wraps around: a value that fits its width is restored whatever the
// guess was, and damaged data cannot cause undefined behaviour.
//
// Column stores compress in similar ways (Abadi, Madden and Ferreira 2006), but know no guess along
// a tree. Figures are in bench/README.md.
#include "gtql/log/packed/packed_codec.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "gtql/log/bytes.h"

namespace assay::gtql {

namespace {

std::int64_t minus(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// The place of each node when nodes are stored level by level: a counting sort by level.
template <class Level>
void places_by_level(std::span<const Level> levels, std::int64_t least, std::int64_t most,
                     std::vector<std::uint32_t>& places) {
    std::vector<std::uint32_t> next(static_cast<std::size_t>(most - least) + 2, 0);
    for (const Level level : levels) ++next[static_cast<std::size_t>(level - least) + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    if (places.size() < levels.size()) places.resize(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
        places[i] = next[static_cast<std::size_t>(levels[i] - least)]++;
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

/// Decodes the needed columns of one block in integers of type S, which holds all of their widths.
template <class S>
class Decoding {
public:
    using U = std::make_unsigned_t<S>;

    Decoding(std::span<const Chunk> chunks, std::size_t nodes, std::vector<std::vector<S>>& values,
             DecodeBuffers& buffers)
        : chunks_(chunks),
          nodes_(nodes),
          values_(values),
          places_(buffers.places),
          parents_(buffers.parents) {
        values_.resize(std::max(values_.size(), chunks.size()));
        is_decoded_.resize(chunks.size());
    }

    void decode_level(const std::string& stored, std::int64_t before) {
        take_residuals(0, stored);
        S* const levels = values_[0].data();
        std::int64_t level = before;
        least_ = std::numeric_limits<std::int64_t>::max();
        most_ = 0;
        for (std::size_t i = 0; i < nodes_; ++i) {
            const std::int64_t lowest = level < 0 ? 0 : 1;
            level = level + 1 - static_cast<std::int64_t>(levels[i]);
            if (levels[i] < 0 || level < lowest) throw "the levels are not a preorder";
            levels[i] = static_cast<S>(level);
            least_ = std::min(least_, level);
            most_ = std::max(most_, level);
        }
        is_decoded_[0] = true;
    }

    /// Reads the residuals of the needed columns, in preorder. The level is decoded before.
    void load(const std::vector<bool>& needed, std::span<const std::string> stored) {
        bool is_tree = false;
        bool is_by_level = false;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            if (!needed[c]) continue;
            is_by_level = is_by_level || chunks_[c].coding.by_level;
            is_tree = is_tree || follows_parent(c);
        }
        if ((is_tree || is_by_level) && most_ - least_ > kMostLevelRange)
            throw "a coding follows the tree over too many levels";
        if (is_by_level) {
            const std::span<const S> levels(values_[0].data(), nodes_);
            places_by_level(levels, least_, most_, places_);
        }
        if (is_tree) find_parents();
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            if (needed[c]) take_residuals(c, stored[c]);
        }
    }

    /// Turns residuals into values: column by column where all that a column refers to is known,
    /// columns that follow the parent side by side, and the remaining ones node by node.
    void resolve(const std::vector<bool>& needed) {
        while (resolve_plain(needed) || resolve_chains(needed)) {}
        std::vector<std::size_t> rest;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            if (needed[c] && !is_decoded_[c]) rest.push_back(c);
        }
        if (!rest.empty()) resolve_together(rest);
    }

    [[nodiscard]] std::span<const S> values(std::size_t column) const {
        return {values_[column].data(), nodes_};
    }

private:
    /// A column whose value is its residual plus or minus another column's value at the parent.
    struct Chain {
        S* values = nullptr;
        const S* from = nullptr;
        S flip = 0;  // -1: minus
    };

    static constexpr std::size_t kMostChains = 4;

    [[nodiscard]] bool follows_parent(std::size_t c) const {
        const Coding coding = chunks_[c].coding.coding;
        return coding == Coding::Parent || coding == Coding::PlusParent;
    }

    /// The column at the parent that a column refers to.
    [[nodiscard]] std::size_t source_of(std::size_t c) const {
        return chunks_[c].coding.coding == Coding::Parent ? c : chunks_[c].coding.ref;
    }

    /// Writes the residuals of a column to its values, in preorder.
    void take_residuals(std::size_t column, const std::string& stored) {
        std::vector<S>& values = values_[column];
        if (values.size() < nodes_ + 1) values.resize(nodes_ + 1);
        values[nodes_] = 0;
        S* const __restrict to = values.data();
        const auto* const __restrict data = reinterpret_cast<const std::uint8_t*>(stored.data());
        const std::uint32_t* const __restrict places = places_.data();
        const std::size_t bytes = chunks_[column].bytes;
        const bool by_level = chunks_[column].coding.by_level;
        // One and two planes are nearly all columns: loops of their own, which vectorise.
        if (bytes == 0) {
            std::fill_n(to, nodes_, S{0});
        } else if (bytes == 1 && by_level) {
            for (std::size_t i = 0; i < nodes_; ++i) to[i] = signed_of(data[places[i]]);
        } else if (bytes == 1) {
            for (std::size_t i = 0; i < nodes_; ++i) to[i] = signed_of(data[i]);
        } else if (bytes == 2 && by_level) {
            const auto* const __restrict high = data + nodes_;
            for (std::size_t i = 0; i < nodes_; ++i)
                to[i] = signed_of(data[places[i]] | high[places[i]] << 8);
        } else if (bytes == 2) {
            const auto* const __restrict high = data + nodes_;
            for (std::size_t i = 0; i < nodes_; ++i) to[i] = signed_of(data[i] | high[i] << 8);
        } else {
            for (std::size_t i = 0; i < nodes_; ++i) {
                const std::size_t place = by_level ? places[i] : i;
                std::uint64_t z = 0;
                for (std::size_t b = 0; b < bytes; ++b)
                    z |= static_cast<std::uint64_t>(data[b * nodes_ + place]) << 8 * b;
                to[i] = static_cast<S>(unzigzag(z));
            }
        }
    }

    static S signed_of(int z) { return static_cast<S>((z >> 1) ^ -(z & 1)); }

    static S add(S a, S b) { return static_cast<S>(static_cast<U>(a) + static_cast<U>(b)); }

    static S subtract(S a, S b) { return static_cast<S>(static_cast<U>(a) - static_cast<U>(b)); }

    /// The place of each node's parent in the block, nodes_ where that is in an earlier one: there
    /// every column has a 0.
    void find_parents() {
        const S* const levels = values_[0].data();
        std::vector<std::uint32_t> open(static_cast<std::size_t>(most_ - least_) + 2,
                                        static_cast<std::uint32_t>(nodes_));
        if (parents_.size() < nodes_) parents_.resize(nodes_);
        for (std::size_t i = 0; i < nodes_; ++i) {
            const auto at = static_cast<std::size_t>(levels[i] - static_cast<S>(least_));
            parents_[i] = open[at];
            open[at + 1] = static_cast<std::uint32_t>(i);
        }
    }

    /// Decodes columns that do not refer to the parent and whose other column is known. False where
    /// there is none.
    bool resolve_plain(const std::vector<bool>& needed) {
        bool has_some = false;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            const ColumnCoding& coding = chunks_[c].coding;
            const bool is_ready = needed[c] && !is_decoded_[c] && !follows_parent(c) &&
                                  (coding.coding != Coding::Minus || is_decoded_[coding.ref]);
            if (!is_ready) continue;
            S* const __restrict values = values_[c].data();
            if (coding.coding == Coding::Previous) {
                for (std::size_t i = 1; i < nodes_; ++i) values[i] = add(values[i], values[i - 1]);
            } else if (coding.coding == Coding::Minus) {
                const S* const __restrict other = values_[coding.ref].data();
                for (std::size_t i = 0; i < nodes_; ++i) values[i] = add(values[i], other[i]);
            }
            is_decoded_[c] = true;
            has_some = true;
        }
        return has_some;
    }

    /// Decodes columns that follow the parent and refer to known columns or to one another, side by
    /// side. False where there is none.
    bool resolve_chains(const std::vector<bool>& needed) {
        std::vector<bool> is_chain(chunks_.size());
        for (std::size_t c = 1; c < chunks_.size(); ++c)
            is_chain[c] = needed[c] && !is_decoded_[c] && follows_parent(c);
        // Removes columns whose source is neither known nor a chain itself, until none is left.
        for (bool is_going_on = true; is_going_on;) {
            is_going_on = false;
            for (std::size_t c = 1; c < chunks_.size(); ++c) {
                const std::size_t source = source_of(c);
                if (!is_chain[c] || is_decoded_[source] || is_chain[source]) continue;
                is_chain[c] = false;
                is_going_on = true;
            }
        }
        std::vector<Chain> chains;
        for (std::size_t c = 1; c < chunks_.size(); ++c) {
            if (!is_chain[c]) continue;
            const bool is_minus = chunks_[c].coding.coding == Coding::PlusParent;
            chains.push_back({values_[c].data(), values_[source_of(c)].data(),
                              static_cast<S>(is_minus ? -1 : 0)});
            is_decoded_[c] = true;
        }
        if (chains.empty()) return false;
        run_chains(chains);
        return true;
    }

    void run_chains(const std::vector<Chain>& chains) {
        switch (chains.size()) {
            case 1:
                return run_chains<1>(chains);
            case 2:
                return run_chains<2>(chains);
            case 3:
                return run_chains<3>(chains);
            case kMostChains:
                return run_chains<kMostChains>(chains);
            default:
                break;
        }
        for (std::size_t i = 0; i < nodes_; ++i) {
            for (const Chain& each : chains) take_parent(each, i, parents_[i]);
        }
    }

    template <std::size_t kChains>
    void run_chains(const std::vector<Chain>& chains) {
        std::array<Chain, kChains> all;
        std::copy_n(chains.begin(), kChains, all.begin());
        const std::uint32_t* const parents = parents_.data();
        for (std::size_t i = 0; i < nodes_; ++i) {
            const std::size_t parent = parents[i];
            for (std::size_t k = 0; k < kChains; ++k) take_parent(all[k], i, parent);
        }
    }

    static void take_parent(const Chain& chain, std::size_t i, std::size_t parent) {
        // x ^ -1 minus -1 is -x: the sign of the chain without a branch.
        const S above = subtract(static_cast<S>(chain.from[parent] ^ chain.flip), chain.flip);
        chain.values[i] = add(chain.values[i], above);
    }

    /// Decodes columns that refer to each other both at the node and at its parent. `rest` is in an
    /// order in which a column comes after the one that it refers to at the same node.
    void resolve_together(const std::vector<std::size_t>& rest) {
        for (std::size_t i = 0; i < nodes_; ++i) {
            for (const std::size_t c : rest) {
                const ColumnCoding& coding = chunks_[c].coding;
                S& value = values_[c][i];
                if (coding.coding == Coding::Minus) {
                    value = add(value, values_[coding.ref][i]);
                } else if (coding.coding == Coding::Parent) {
                    value = add(value, values_[c][parents_[i]]);
                } else {
                    value = subtract(value, values_[coding.ref][parents_[i]]);
                }
            }
        }
    }

    std::span<const Chunk> chunks_;
    std::size_t nodes_;
    std::vector<std::vector<S>>& values_;  // one value more than nodes, 0: of parents outside
    std::vector<std::uint32_t>& places_;
    std::vector<std::uint32_t>& parents_;
    std::vector<bool> is_decoded_;
    std::int64_t least_ = 0;  // of the levels
    std::int64_t most_ = 0;
};

template <class T, class S>
void narrow(std::span<const S> values, std::vector<std::byte>& out) {
    out.resize(values.size() * sizeof(T));
    T* const __restrict to = reinterpret_cast<T*>(out.data());
    const S* const __restrict from = values.data();
    S lost = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = static_cast<T>(from[i]);
        to[i] = value;
        lost = static_cast<S>(lost | (from[i] ^ static_cast<S>(value)));
    }
    if (lost != 0) throw "a value does not fit its column";
}

template <class S>
void decode_as(std::span<const Chunk> chunks, std::span<const Width> widths, std::size_t nodes,
               std::int64_t level_before, const std::vector<bool>& needed,
               std::span<const std::size_t> wanted, std::span<const std::string> stored,
               std::vector<std::vector<S>>& numbers, DecodeBuffers& buffers,
               std::vector<std::vector<std::byte>>& out) {
    Decoding<S> decoding(chunks, nodes, numbers, buffers);
    if (needed[0]) decoding.decode_level(stored[0], level_before);
    decoding.load(needed, stored);
    decoding.resolve(needed);
    out.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::span<const S> values = decoding.values(wanted[i]);
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
        places_by_level(std::span<const std::int64_t>(levels), *least, *most, places);
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
                          DecodeBuffers& buffers, std::vector<std::vector<std::byte>>& out) const {
    const std::vector<bool> need = needed(wanted);
    bool is_wide = false;
    for (std::size_t c = 0; c < chunks_.size(); ++c)
        is_wide = is_wide || (need[c] && widths_[c] == Width::I64);
    if (is_wide) {
        decode_as<std::int64_t>(chunks_, widths_, nodes_, level_before_, need, wanted, stored,
                                buffers.wide, buffers, out);
    } else {
        decode_as<std::int32_t>(chunks_, widths_, nodes_, level_before_, need, wanted, stored,
                                buffers.narrow, buffers, out);
    }
}

}  // namespace assay::gtql
