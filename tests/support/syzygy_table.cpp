// A maker of one table in Syzygy's form, so that tests need no table from elsewhere.
//
// The form (facts as probing code has them): four bytes of magic; a byte of flags (1: one half a
// side to move); an order; a byte a piece; then for each side to move a header of its compressed
// values; then an index, sizes of blocks, and blocks of 64 bytes. White to move always wins with
// king and queen, so that this half is one value. Black to move loses, or draws where the queen
// hangs or there is no move: two values, one bit each, which is a Huffman code of two symbols
// without pairs. A block of 64 bytes holds 512 positions.
//
// A position's number: the board is turned so that the first piece (the king) stands in the
// triangle a1-d1-d4, and the first piece off the long diagonal below it; see encode().
#include "tests/support/syzygy_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace assay::test {

namespace {

constexpr int kSquares = 64;
constexpr std::size_t kPositions = 31332;

int file_of(int square) {
    return square & 7;
}

int rank_of(int square) {
    return square >> 3;
}

std::size_t place(int king, int queen, int bare_king, bool is_white) {
    return ((static_cast<std::size_t>(is_white) * kSquares + static_cast<std::size_t>(king)) *
                kSquares +
            static_cast<std::size_t>(queen)) *
               kSquares +
           static_cast<std::size_t>(bare_king);
}

bool are_neighbours(int a, int b) {
    return std::abs(file_of(a) - file_of(b)) <= 1 && std::abs(rank_of(a) - rank_of(b)) <= 1;
}

/// The queen attacks the square, with the white king alone in its way.
bool attacks(int queen, int target, int king) {
    const int files = file_of(target) - file_of(queen);
    const int ranks = rank_of(target) - rank_of(queen);
    const bool is_line = files == 0 || ranks == 0 || std::abs(files) == std::abs(ranks);
    if (queen == target || !is_line) return false;
    const int step = (files > 0) - (files < 0) + 8 * ((ranks > 0) - (ranks < 0));
    for (int square = queen + step; square != target; square += step)
        if (square == king) return false;
    return true;
}

/// Below the long diagonal -1, above 1.
int side_of_diagonal(int square) {
    return (rank_of(square) > file_of(square)) - (rank_of(square) < file_of(square));
}

/// The squares below the diagonal a1-h8, numbered by rows: b1 0, h1 6, c2 7, ...
int lower(int square) {
    const int low = std::min(file_of(square), rank_of(square));
    const int high = std::max(file_of(square), rank_of(square));
    return low * 7 - low * (low - 1) / 2 + high - low - 1;
}

/// b1 0, c1 1, d1 2, c2 3, d2 4, d3 5.
int triangle(int square) {
    constexpr std::array<int, 3> kFirstOfRank{0, 2, 3};
    return kFirstOfRank.at(static_cast<std::size_t>(rank_of(square))) + file_of(square) - 1;
}

int diagonal(int square) {
    return file_of(square);
}

std::size_t encode(std::array<int, 3> p) {
    const auto turn = [&p](auto&& one) {
        for (int& square : p) square = one(square);
    };
    if (file_of(p[0]) > 3) turn([](int square) { return square ^ 7; });
    if (rank_of(p[0]) > 3) turn([](int square) { return square ^ 56; });
    const auto off =
        std::find_if(p.begin(), p.end(), [](int square) { return side_of_diagonal(square) != 0; });
    if (off != p.end() && side_of_diagonal(*off) > 0)
        turn([](int square) { return file_of(square) * 8 + rank_of(square); });
    const int s1 = p[1] > p[0];
    const int s2 = (p[2] > p[0]) + (p[2] > p[1]);
    int index = 0;
    if (side_of_diagonal(p[0]) != 0) {
        index = triangle(p[0]) * 63 * 62 + (p[1] - s1) * 62 + (p[2] - s2);
    } else if (side_of_diagonal(p[1]) != 0) {
        index = 6 * 63 * 62 + diagonal(p[0]) * 28 * 62 + lower(p[1]) * 62 + (p[2] - s2);
    } else if (side_of_diagonal(p[2]) != 0) {
        index = 6 * 63 * 62 + 4 * 28 * 62 + diagonal(p[0]) * 7 * 28 + (diagonal(p[1]) - s1) * 28 +
                lower(p[2]);
    } else {
        index = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + diagonal(p[0]) * 7 * 6 +
                (diagonal(p[1]) - s1) * 6 + (diagonal(p[2]) - s2);
    }
    return static_cast<std::size_t>(index);
}

template <class Visit>
void for_each_neighbour(int square, Visit visit) {
    for (int other = 0; other < kSquares; ++other)
        if (other != square && are_neighbours(square, other)) visit(other);
}

void put(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

void pad(std::string& out, std::size_t to) {
    while (out.size() % to != 0) out += '\0';
}

}  // namespace

bool QueenEnding::is_legal(int king, int queen, int bare_king, bool is_white) {
    if (king == queen || queen == bare_king || are_neighbours(king, bare_king)) return false;
    return !is_white || !attacks(queen, bare_king, king);
}

bool QueenEnding::is_won(int king, int queen, int bare_king, bool is_white) const {
    return won_[place(king, queen, bare_king, is_white)];
}

/// Black to move: every move loses, and there is one, or it is mate.
bool QueenEnding::is_lost_by_move(int king, int queen, int bare_king) const {
    bool has_move = false;
    bool saves = false;
    for_each_neighbour(bare_king, [&](int to) {
        if (are_neighbours(to, king)) return;
        if (to == queen) {
            saves = true;
            return;
        }
        if (attacks(queen, to, king)) return;
        has_move = true;
        if (!is_won(king, queen, to, true)) saves = true;
    });
    if (saves) return false;
    return has_move || attacks(queen, bare_king, king);
}

bool QueenEnding::is_won_by_move(int king, int queen, int bare_king) const {
    bool wins = false;
    for (int to = 0; to < kSquares; ++to) {
        const bool is_move = to != king && to != bare_king && attacks(queen, to, king);
        // The bare king does not stand in the way: it would be in check with White to move.
        if (is_move && is_legal(king, to, bare_king, false) && is_won(king, to, bare_king, false))
            wins = true;
    }
    for_each_neighbour(king, [&](int to) {
        if (to == queen || are_neighbours(to, bare_king)) return;
        if (is_legal(to, queen, bare_king, false) && is_won(to, queen, bare_king, false))
            wins = true;
    });
    return wins;
}

QueenEnding::QueenEnding() : won_(std::size_t{2} * kSquares * kSquares * kSquares) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int king = 0; king < kSquares; ++king) {
            for (int queen = 0; queen < kSquares; ++queen) {
                for (int bare = 0; bare < kSquares; ++bare) {
                    for (const bool is_white : {true, false}) {
                        if (!is_legal(king, queen, bare, is_white)) continue;
                        if (is_won(king, queen, bare, is_white)) continue;
                        const bool is_won_now = is_white ? is_won_by_move(king, queen, bare)
                                                         : is_lost_by_move(king, queen, bare);
                        if (!is_won_now) continue;
                        won_[place(king, queen, bare, is_white)] = true;
                        has_changed = true;
                    }
                }
            }
        }
    }
}

std::string queen_table(const QueenEnding& ending) {
    constexpr std::size_t kBlockBits = std::size_t{64} * 8;
    constexpr int kIndexBits = 9;  // an entry of the index a block
    constexpr std::size_t kBlocks = (kPositions + kBlockBits - 1) / kBlockBits;

    std::vector<bool> is_draw(kPositions);
    for (int king = 0; king < kSquares; ++king)
        for (int queen = 0; queen < kSquares; ++queen)
            for (int bare = 0; bare < kSquares; ++bare)
                if (QueenEnding::is_legal(king, queen, bare, false))
                    is_draw[encode({king, queen, bare})] = !ending.is_won(king, queen, bare, false);

    std::string out("\x71\xe8\x23\x5d", 4);
    put(out, 1, 1);  // one half a side
    put(out, 0, 1);  // order: the three pieces alone
    for (const int piece : {6, 5, 14}) put(out, static_cast<std::uint64_t>(piece * 17), 1);
    pad(out, 2);
    // White to move: one value, a win.
    put(out, 0x80, 1);
    put(out, 4, 1);
    // Black to move: two symbols of one bit.
    put(out, 0, 1);           // flags
    put(out, 6, 1);           // a block has 2^6 bytes
    put(out, kIndexBits, 1);  // an entry of the index stands for 2^9 positions
    put(out, 0, 1);           // no blocks without data
    put(out, kBlocks, 4);
    put(out, 1, 1);  // longest code
    put(out, 1, 1);  // shortest code
    put(out, 0, 2);  // the first symbol of this length
    put(out, 2, 2);  // symbols
    // A symbol that is a value: 12 bits of it, and 0xfff.
    for (const std::uint64_t value : {0U, 2U}) put(out, value | 0xfff000U, 3);
    // Index: block and place of the middle of each stretch.
    for (std::size_t i = 0; i < kBlocks; ++i) {
        put(out, i, 4);
        put(out, kBlockBits / 2, 2);
    }
    // Sizes, less one.
    for (std::size_t i = 0; i < kBlocks; ++i) {
        const std::size_t rest = kPositions - i * kBlockBits;
        put(out, std::min(rest, kBlockBits) - 1, 2);
    }
    pad(out, 64);
    for (std::size_t at = 0; at < kBlocks * kBlockBits; at += 8) {
        unsigned byte = 0;
        for (std::size_t bit = 0; bit < 8; ++bit)
            byte = byte * 2 + (at + bit < kPositions && is_draw[at + bit] ? 1 : 0);
        put(out, byte, 1);
    }
    return out + std::string(16, '\0');
}

}  // namespace assay::test
