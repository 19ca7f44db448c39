#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace assay::openings {

// Books in the format of the program polyglot ("Polyglot book format", H. G. Muller and M. Van den
// Bergh): entries of 16 bytes, highest byte first (key 8, move 2, weight 2, learn 4), sorted by
// key. The key is an exclusive or of random words; positions themselves are not in the book.

/// What the format wants to know of a position of chess.
struct PolyglotPosition {
    std::array<char, 64> board{};  // FEN's letters from a1, b1 … to h8; 0: empty
    bool white_moves = true;
    std::array<bool, 4> castling{};  // K, Q, k, q
    std::optional<int> pushed_file;  // of the pawn that has just made two steps, 0 is a

    /// From a FEN (other letters for rights are passed over). `last_move` in UCI's notation is the
    /// move that led here: FENs of ours hold an en-passant square only where a capture is legal,
    /// the format counts any pawn that stands beside. Without it the FEN's square is taken.
    [[nodiscard]] static PolyglotPosition of(std::string_view fen, std::string_view last_move = {});

    [[nodiscard]] std::uint64_t key() const;
};

struct PolyglotEntry {
    std::uint64_t key = 0;
    std::uint16_t move = 0;
    std::uint16_t weight = 0;
    std::uint64_t number = 0;  // in the file, from 1
};

/// UCI's name of an entry's move: castling, which the format writes as king takes rook, as the
/// king's two steps, or as it stands under `chess960`. Empty where the promotion is none the format
/// knows. Whether the move is legal is not asked.
[[nodiscard]] std::string name_of_polyglot_move(std::uint16_t move,
                                                const PolyglotPosition& position, bool chess960);

/// True where the first bytes of a file are no text and their entries are in order.
[[nodiscard]] bool looks_like_polyglot(std::string_view head);

/// Finds entries by key in a file. It holds one key in 256, whatever the file's size.
class PolyglotFile {
public:
    /// Reads the file once. Throws Error naming it and the entry where keys are not in order or it
    /// is no whole number of entries. `file` must outlive it.
    explicit PolyglotFile(const File& file);

    /// The entries of that key in the file's order.
    [[nodiscard]] std::vector<PolyglotEntry> find(std::uint64_t key) const;

    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// SHA-256 of the file, 64 hex digits.
    [[nodiscard]] const std::string& hash() const { return hash_; }

private:
    const File& file_;
    std::uint64_t size_ = 0;
    std::vector<std::uint64_t> samples_;  // the key of each block's first entry
    std::string hash_;
};

}  // namespace assay::openings
