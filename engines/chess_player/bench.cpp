#include "engines/chess_player/bench.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engines/chess_player/chess_search.h"
#include "engines/uci/uci_go.h"
#include "rules/make_game.h"

namespace assay::engines {

namespace {

// Positions 15 to 23 of the LCT II test, which the GTQL paper searched, and a few quiet ones and
// endings beside these tactical ones.
constexpr std::array<std::string_view, 14> kPositions{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - - 0 1",
    "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 0 1",
    "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - - 0 1",
    "2k2b1r/1pq3p1/2p1pp2/p1n1PnNp/2P2B2/2N4P/PP2QPP1/3R2K1 w - - 0 1",
    "2r2r2/3qbpkp/p3n1p1/2ppP3/6Q1/1P1B3R/PBP3PP/5R1K w - - 0 1",
    "2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w k - 0 1",
    "2rr2k1/1b3ppp/pb2p3/1p2P3/1P2BPnq/P1N3P1/1B2Q2P/R4R1K b - - 0 1",
    "2b1r1k1/r4ppp/p7/2pNP3/4Q3/q6P/2P2PP1/3RR1K1 w - - 0 1",
    "6k1/5p2/3P2p1/7n/3QPP2/7q/r2N3P/6RK b - - 0 1",
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 w - - 4 12",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P1K2P1/8/8 w - - 0 40",
    "8/1p3k2/p1p3p1/P1P2p1p/1P1R1P1P/6P1/2r5/3K4 b - - 3 38",
};

}  // namespace

std::string run_bench(const PlayerOptions& options, int depth, const Clock& clock) {
    std::string text;
    std::uint64_t nodes = 0;
    Micros time{0};
    const auto game = rules::make_game("chess");
    const auto memory = std::make_unique<Memory>();
    memory->size_table(options.search.table ? options.hash_mb << 20U : 0);
    for (const std::string_view fen : kPositions) {
        memory->clear();
        Limits limits;
        limits.depth = depth;
        Silence silence;
        const auto position = game->parse(fen);
        const TimePoint start = clock.now();
        const auto lines = search(*position, options, *memory, limits, silence);
        time += micros_between(start, clock.now());
        const Line& best = lines.front();
        nodes += best.nodes;
        text += std::string(fen) + ": " +
                position->name_of(best.moves.front(), rules::Notation::Canonical) + " " +
                score_text(best.value) + ", " + std::to_string(best.nodes) + " nodes\n";
    }
    const auto us = static_cast<std::uint64_t>(std::max<long long>(time.count(), 1));
    return text + "signature: " + std::to_string(nodes) +
           "\nnps: " + std::to_string(nodes * 1'000'000 / us) + "\n";
}

}  // namespace assay::engines
