// Speed of the interpreter of rules, each leaf made, no bulk counting; processor time of one core.
// The last column is the ratio to the hand-written rules of chess (bulk counting, depth 5), which
// are measured right before: it says more than a speed where others use the machine too.
//   build/release/bench/multigame_bench [PROGRAM.mg DEPTH]
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "rules/chess/board.h"
#include "rules/chess/fen.h"
#include "rules/chess/perft.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/interpret/perft.h"

namespace {

using namespace assay::rules::multigame;

struct Case {
    std::string program;
    int depth = 0;
};

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Nodes a second of the hand-written rules.
double anchor() {
    namespace chess = assay::rules::chess;
    chess::Board board = chess::parse_fen(chess::kStartFen, chess::Variant::Standard);
    const double begin = processor_seconds();
    const std::uint64_t nodes = chess::perft(board, 5);
    return static_cast<double>(nodes) / (processor_seconds() - begin);
}

void measure(const Case& each) {
    const double by_hand = anchor();
    const Form form = compiled(files_of(each.program, read_rules_file));
    MoveCounter counter(std::make_shared<Tables>(form));
    const double begin = processor_seconds();
    std::uint64_t nodes = 0;
    for (int depth = 1; depth <= each.depth; ++depth) nodes += counter.count_from_start(depth);
    const double seconds = processor_seconds() - begin;
    const double speed = static_cast<double>(nodes) / seconds;
    const std::string name = each.program.substr(each.program.find_last_of('/') + 1);
    fmt::print("{:<18} depth {:>2} {:>12} nodes {:>8.3f} s {:>7.2f} Mn/s {:>8.4f}\n", name,
               each.depth, nodes, seconds, speed / 1e6, speed / by_hand);
}

}  // namespace

int main(int count, char** words) {
    if (count == 3) {
        measure({words[1], assay::to_number<int>(words[2]).value_or(1)});
        return 0;
    }
    const std::string folder = ASSAY_SOURCE_DIR "/rules/multigame/programs/";
    const std::vector<Case> cases{{"tictactoe", 9},  {"connect4", 7},     {"othello", 7},
                                  {"checkers", 7},   {"morris", 4},       {"chess", 4},
                                  {"xiangqi", 3},    {"puzzle15", 14},    {"breakthrough", 4},
                                  {"draughts10", 6}, {"hex5", 4},         {"minixiangqi", 4},
                                  {"antichess", 4},  {"kingofthehill", 4}};
    for (const Case& each : cases) measure({folder + each.program + ".mg", each.depth});
    return 0;
}
