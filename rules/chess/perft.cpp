// Counts the leaves of the tree of legal moves to a depth, the usual test of a move generator:
// published counts exist for positions that contain every special rule. At the last ply moves are
// counted and not made, which is most of the work.
#include "rules/chess/perft.h"

#include "rules/chess/movegen.h"

namespace assay::rules::chess {

namespace {

class CountSink {
public:
    void targets(Kind /*kind*/, Square /*from*/, Bitboard to) { count_ += ones(to); }

    void pawns(Bitboard to, int /*step*/) { count_ += ones(to); }

    void promotions(Bitboard to, int /*step*/) { count_ += 4 * ones(to); }

    void single(Move /*move*/) { ++count_; }

    [[nodiscard]] std::uint64_t count() const { return count_; }

private:
    static std::uint64_t ones(Bitboard set) {
        return static_cast<std::uint64_t>(__builtin_popcountll(set));
    }

    std::uint64_t count_ = 0;
};

template <Color Us>
inline std::uint64_t count_moves(const Board& board) {
    CountSink sink;
    generate_for<Us>(board, sink);
    return sink.count();
}

// Counting is built twice, for any processor and for those with popcnt and bmi; `flatten` takes the
// generator into the second, while the rest of the program needs neither.
using Count = std::uint64_t (*)(const Board&);

std::uint64_t walk(Board& board, int depth, Count count) {
    if (depth == 1) return count(board);
    MoveList moves;
    generate_list(board, moves);
    std::uint64_t nodes = 0;
    for (const Move move : moves) {
        Undo undo;
        board.make(move, undo);
        nodes += walk(board, depth - 1, count);
        board.undo(move, undo);
    }
    return nodes;
}

std::uint64_t count_plain(const Board& board) {
    return board.side() == Color::White ? count_moves<Color::White>(board)
                                        : count_moves<Color::Black>(board);
}

#if defined(__x86_64__)
[[gnu::flatten, gnu::target("popcnt,bmi,bmi2")]] std::uint64_t count_with_bmi(const Board& board) {
    return board.side() == Color::White ? count_moves<Color::White>(board)
                                        : count_moves<Color::Black>(board);
}
#endif

Count best_count() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("bmi2") != 0) {
        return count_with_bmi;
    }
#endif
    return count_plain;
}

}  // namespace

std::uint64_t perft(Board& board, int depth) {
    if (depth <= 0) return 1;
    return walk(board, depth, best_count());
}

}  // namespace assay::rules::chess
