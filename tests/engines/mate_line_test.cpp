#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engines/chess_player/chess_search.h"
#include "engines/search/searcher.h"
#include "engines/uci/uci_go.h"
#include "rules/make_game.h"
#include "tests/support/how_many.h"

using namespace assay::engines;

namespace {

/// Keeps what a search tells.
class Lines final : public Control {
public:
    bool must_stop() override { return false; }

    bool may_deepen(const Line& /*best*/) override { return true; }

    void report(const Line& line) override { told.push_back(line); }

    std::vector<Line> told;
};

struct Way {
    const char* name;
    Method method;
    bool has_table;
    bool has_chains;
};

constexpr std::array<Way, 5> kWays{{{"table", Method::Pvs, true, false},
                                    {"chains", Method::Pvs, false, true},
                                    {"both", Method::Pvs, true, true},
                                    {"neither", Method::Pvs, false, false},
                                    {"alpha-beta", Method::AlphaBeta, true, false}}};

/// Mates of two to five moves, for either side to move.
constexpr std::array<std::string_view, 7> kMates{
    "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
    "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 0",
    "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 0",
    "r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1",
    "3q1r1k/2p4p/1p1pBrp1/p2Pp3/2PnP3/5PP1/PP1Q2K1/5R1R w - - 1 0",
    "6k1/ppp2ppp/8/2n2K1P/2P2P1P/2Bpr3/PP4r1/4RR2 b - - 0 1",
    "8/8/8/3k4/8/3K4/3Q4/8 w - - 0 1"};

/// What is wrong with a line that announces a mate; empty: it has all moves and ends with the mate.
std::string flaw_of(const assay::rules::Game& game, std::string_view fen, const Line& line) {
    const auto position = game.parse(fen);
    const int first = position->to_move();
    std::string text;
    for (const Move move : line.moves) {
        if (!position->is_legal(move)) return text + "an illegal move";
        text += position->name_of(move, assay::rules::Notation::Canonical) + " ";
        position->make(move);
    }
    if (static_cast<int>(line.moves.size()) != kWin - std::abs(line.value))
        return text + "has another length";
    const auto end = position->result();
    if (!end || end->scores.winner() < 0) return text + "no mate";
    return (end->scores.winner() == first) == (line.value > 0) ? "" : text + "another winner";
}

struct Count {
    int whole = 0;
    int cut = 0;
};

/// Searches that end anywhere: also within an iteration, and within its second try of a window.
Count look_at_mates(const Way& way, std::string_view fen) {
    const auto game = assay::rules::make_game("chess");
    const auto position = game->parse(fen);
    PlayerOptions options;
    options.search.method = way.method;
    options.search.table = way.has_table;
    options.search.chains = way.has_chains;
    Count count;
    const std::uint64_t steps = assay::test::how_many(3U, 12U);
    for (std::uint64_t nodes = 60; nodes < 12'000; nodes += nodes / steps + 1) {
        Memory memory;
        memory.size_table(way.has_table ? 1U << 18U : 0);
        Limits limits;
        limits.nodes = nodes;
        Lines lines;
        (void)search(*position, options, memory, limits, lines);
        for (const Line& line : lines.told) {
            if (!is_sure(line.value)) continue;
            CAPTURE(nodes);
            CAPTURE(line.depth);
            CAPTURE(score_text(line.value));
            CAPTURE(line.moves.size());
            ++(line.is_cut ? count.cut : count.whole);
            if (!line.is_cut) CHECK(flaw_of(*game, fen, line) == "");
        }
    }
    return count;
}

}  // namespace

TEST_CASE("Mate lines: a mate that is announced is shown to its end, wherever the search ends") {
    for (const Way& way : kWays) {
        CAPTURE(way.name);
        Count all;
        for (const std::string_view fen : kMates) {
            CAPTURE(fen);
            const Count count = look_at_mates(way, fen);
            all.whole += count.whole;
            all.cut += count.cut;
        }
        MESSAGE(std::string(way.name)
                << ": " << all.whole << " mates shown, " << all.cut << " told as bounds");
        CHECK(all.whole > assay::test::how_many(25, 100));
        // Without minimal windows the table also answers nodes of the best line, whose other moves
        // it may have forgotten.
        if (way.method == Method::Pvs) CHECK(all.cut == 0);
    }
}
