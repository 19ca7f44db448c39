// Books in Polyglot's format: 16 bytes an entry, sorted by a hash of the position, numbers in
// big-endian order. The hash is an exclusive or of fixed random numbers for pieces on squares,
// castling rights, the file of a pawn that may be taken en passant, and the turn (polyglot_keys.h
// has the numbers).
//
// Two rules are easily got wrong, and books then seem empty at some positions. The en passant file
// counts only where an enemy pawn stands beside the pawn that moved two steps, whether or not the
// capture is legal. Castling is written as the king taking its own rook, which is another move in
// the notation of standard chess.
//
// A look-up reads one block of 256 entries: every 256th key is kept in memory when the book is
// opened, 8 bytes for each 4 KiB of the book. Opening reads the whole book once anyway, for its
// hash and to see that it is sorted.
#include "openings/read/polyglot.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/text.h"
#include "openings/read/polyglot_keys.h"

namespace assay::openings {

namespace {

constexpr std::size_t kEntryBytes = 16;
constexpr std::size_t kBlock = 256;  // entries: one page a look-up
constexpr std::size_t kBlocksAtOnce = 256;
constexpr std::string_view kKinds = "pPnNbBrRqQkK";

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t out = 0;
    for (const char c : bytes) out = (out << 8U) | static_cast<unsigned char>(c);
    return out;
}

PolyglotEntry entry_at(std::string_view bytes, std::size_t i) {
    const std::string_view each = bytes.substr(i * kEntryBytes, kEntryBytes);
    PolyglotEntry out;
    out.key = big_endian(each.substr(0, 8));
    out.move = static_cast<std::uint16_t>(big_endian(each.substr(8, 2)));
    out.weight = static_cast<std::uint16_t>(big_endian(each.substr(10, 2)));
    return out;
}

std::size_t square_of(std::string_view name) {
    return static_cast<std::size_t>(name[0] - 'a') + 8 * static_cast<std::size_t>(name[1] - '1');
}

bool is_square(std::string_view name) {
    return name.size() == 2 && name[0] >= 'a' && name[0] <= 'h' && name[1] >= '1' && name[1] <= '8';
}

std::string name_of_square(std::size_t square) {
    return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

/// The file of the pawn that a move of two steps has brought to where it stands.
std::optional<int> pushed_by(std::string_view move, const std::array<char, 64>& board) {
    if (move.size() != 4 || !is_square(move.substr(0, 2)) || !is_square(move.substr(2, 2)) ||
        move[0] != move[2] || std::abs(move[1] - move[3]) != 2) {
        return std::nullopt;
    }
    const char piece = board[square_of(move.substr(2, 2))];
    return piece == 'P' || piece == 'p' ? std::optional<int>(move[0] - 'a') : std::nullopt;
}

}  // namespace

PolyglotPosition PolyglotPosition::of(std::string_view fen, std::string_view last_move) {
    PolyglotPosition out;
    std::size_t rank = 7;
    std::size_t file = 0;
    for (const char c : take_word(fen)) {
        if (c == '/') {
            if (rank == 0) break;
            --rank;
            file = 0;
        } else if (c >= '1' && c <= '8') {
            file += static_cast<std::size_t>(c - '0');
        } else if (file < 8) {
            out.board[8 * rank + file++] = c;
        }
    }
    out.white_moves = take_word(fen) != "b";
    const std::string_view rights = take_word(fen);
    for (std::size_t i = 0; i < 4; ++i) {
        out.castling[i] = rights.find("KQkq"[i]) != std::string_view::npos;
    }
    const std::string_view passed = take_word(fen);
    out.pushed_file = pushed_by(last_move, out.board);
    if (last_move.empty() && is_square(passed)) out.pushed_file = passed[0] - 'a';
    return out;
}

std::uint64_t PolyglotPosition::key() const {
    std::uint64_t out = 0;
    for (std::size_t square = 0; square < board.size(); ++square) {
        const std::size_t kind =
            board[square] == '\0' ? std::string_view::npos : kKinds.find(board[square]);
        if (kind != std::string_view::npos) out ^= kPolyglotKey[64 * kind + square];
    }
    for (std::size_t i = 0; i < castling.size(); ++i) {
        if (castling[i]) out ^= kPolyglotKey[kPolyglotCastling + i];
    }
    if (pushed_file) {
        const auto file = static_cast<std::size_t>(*pushed_file);
        const std::size_t rank = white_moves ? 4 : 3;
        const char taker = white_moves ? 'P' : 'p';
        if ((file > 0 && board[8 * rank + file - 1] == taker) ||
            (file < 7 && board[8 * rank + file + 1] == taker)) {
            out ^= kPolyglotKey[kPolyglotPassant + file];
        }
    }
    return white_moves ? out ^ kPolyglotKey[kPolyglotTurn] : out;
}

std::string name_of_polyglot_move(std::uint16_t move, const PolyglotPosition& position,
                                  bool chess960) {
    const std::size_t from = (move >> 6U) & 63U;
    std::size_t to = move & 63U;
    const std::size_t promotion = (move >> 12U) & 7U;
    if (promotion > 4) return "";
    const char king = position.white_moves ? 'K' : 'k';
    const char rook = position.white_moves ? 'R' : 'r';
    if (!chess960 && position.board[from] == king && position.board[to] == rook) {
        to = to - to % 8 + (to > from ? 6 : 2);
    }
    std::string name = name_of_square(from) + name_of_square(to);
    if (promotion > 0) name += " nbrq"[promotion];
    return name;
}

bool looks_like_polyglot(std::string_view head) {
    if (head.size() < kEntryBytes ||
        head.substr(0, kEntryBytes).find('\0') == std::string_view::npos) {
        return false;
    }
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < head.size() / kEntryBytes; ++i) {
        const std::uint64_t key = entry_at(head, i).key;
        if (key < last) return false;
        last = key;
    }
    return true;
}

PolyglotFile::PolyglotFile(const File& file) : file_(file) {
    std::vector<char> bytes(kEntryBytes * kBlock * kBlocksAtOnce);
    Sha256 hash;
    std::uint64_t last = 0;
    for (std::size_t got = bytes.size(); got == bytes.size();) {
        got = file.read_at(size_ * kEntryBytes, bytes.data(), bytes.size());
        const std::string_view text(bytes.data(), got);
        hash.add(text);
        for (std::size_t i = 0; i < got / kEntryBytes; ++i) {
            const std::uint64_t key = entry_at(text, i).key;
            ++size_;
            if (key < last) {
                throw about_file(
                    file.name(),
                    fmt::format("entry {}: its key {:016x} is less than the one before it: a "
                                "damaged polyglot book, or none",
                                size_, key));
            }
            if ((size_ - 1) % kBlock == 0) samples_.push_back(key);
            last = key;
        }
        if (got % kEntryBytes != 0) {
            throw about_file(file.name(),
                             fmt::format("entry {}: {} bytes of 16: a polyglot book that is cut "
                                         "short, or none",
                                         size_ + 1, got % kEntryBytes));
        }
    }
    hash_ = hash.hex();
}

std::vector<PolyglotEntry> PolyglotFile::find(std::uint64_t key) const {
    std::vector<PolyglotEntry> out;
    const auto sample = std::lower_bound(samples_.begin(), samples_.end(), key);
    auto block = static_cast<std::uint64_t>(sample - samples_.begin());
    // Entries of one key may begin in the block before the first sample that is not less.
    if (block > 0) --block;
    std::string bytes;
    for (std::uint64_t i = block * kBlock; i < size_; ++i) {
        const auto place = static_cast<std::size_t>(i % kBlock);
        if (place == 0) bytes = file_.read_at(i * kEntryBytes, kBlock * kEntryBytes);
        // The file may have been cut since it was read.
        if (bytes.size() < (place + 1) * kEntryBytes) break;
        PolyglotEntry entry = entry_at(bytes, place);
        if (entry.key > key) break;
        if (entry.key < key) continue;
        entry.number = i + 1;
        out.push_back(entry);
    }
    return out;
}

}  // namespace assay::openings
