// The first line is a FEN, each further one a move in SAN: what is read must be legal and must be
// read again from what is written of it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/chess/movegen.h"
#include "rules/chess/notation.h"

namespace assay::rules::chess {

namespace {

void read_moves(Board board, std::string_view rest) {
    while (!rest.empty()) {
        const std::string_view line = take_line(rest);
        if (const auto uci = read_uci(board, line, Variant::Chess960)) {
            ASSAY_CHECK(write_uci(*uci, Variant::Chess960) == line);
        }
        const auto move = read_san(board, line);
        if (!move) continue;
        ASSAY_CHECK(is_legal(board, *move));
        ASSAY_CHECK(read_san(board, write_san(board, *move)) == move);
        Undo undo;
        board.make(*move, undo);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const std::string_view fen = take_line(rest);
    try {
        read_moves(parse_fen(fen, Variant::Chess960), rest);
    } catch (const Error&) {
        return 0;
    }
    return 0;
}

}  // namespace assay::rules::chess
