// A FEN, and where it is a position a random game from it: what is kept up to date must equal what
// is computed anew, undo must restore, and no king may ever be left in check.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/random.h"
#include "rules/chess/fen.h"
#include "rules/chess/movegen.h"

namespace assay::rules::chess {

namespace {

void play(Board board, Variant variant, std::uint64_t seed) {
    Random random(seed);
    for (int ply = 0; ply < 40; ++ply) {
        MoveList moves;
        generate_list(board, moves);
        ASSAY_CHECK(moves.size() <= 415);
        ASSAY_CHECK(moves.empty() != has_legal_move(board));
        if (moves.empty()) return;
        const Board before = board;
        for (const Move move : moves) {
            Undo undo;
            board.make(move, undo);
            ASSAY_CHECK(board.attackers(board.king(other(board.side())), board.side(),
                                        board.occupied()) == 0);
            board.undo(move, undo);
            ASSAY_CHECK(board == before);
        }
        Undo undo;
        board.make(moves[random.below(moves.size())], undo);
        if (board.fullmoves() > 99999 || board.halfmoves() > 9999) return;
        const std::string text = write_fen(board);
        const Board again = parse_fen(text, variant);
        ASSAY_CHECK(again.hash() == board.hash());
        ASSAY_CHECK(write_fen(again) == text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const Variant variant : {Variant::Standard, Variant::Chess960}) {
        try {
            play(parse_fen(text, variant), variant, size);
        } catch (const Error& error) {
            ASSAY_CHECK(!std::string_view(error.what()).empty());
        }
    }
    return 0;
}

}  // namespace assay::rules::chess
