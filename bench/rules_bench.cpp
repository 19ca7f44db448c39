#include <benchmark/benchmark.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/pv_check.h"
#include "base/random.h"
#include "rules/chess/fen.h"
#include "rules/chess/movegen.h"
#include "rules/chess/notation.h"
#include "rules/chess/perft.h"
#include "rules/game.h"
#include "rules/make_game.h"

namespace {

using namespace assay::rules;
using namespace assay::rules::chess;

constexpr std::string_view kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

void count(benchmark::State& state, std::string_view fen) {
    Board board = parse_fen(fen, Variant::Standard);
    const auto depth = static_cast<int>(state.range(0));
    std::uint64_t nodes = 0;
    for ([[maybe_unused]] const auto _ : state) nodes += perft(board, depth);
    state.counters["nodes/s"] =
        benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}

/// A random game from the start, at most 200 plies, the same for each seed.
std::vector<Move> random_game(std::uint64_t seed) {
    assay::Random random(seed);
    Board board = parse_fen(kStartFen, Variant::Standard);
    std::vector<Move> game;
    while (game.size() < 200) {
        MoveList moves;
        generate_list(board, moves);
        if (moves.empty()) break;
        game.push_back(moves[random.below(moves.size())]);
        Undo undo;
        board.make(game.back(), undo);
    }
    return game;
}

/// The moves of a random game in a notation.
std::vector<std::string> random_names(Notation notation) {
    const auto position = make_game("chess")->start();
    std::vector<std::string> names;
    for (const Move move : random_game(1)) {
        names.push_back(position->name_of(move, notation));
        position->make(move);
    }
    return names;
}

void count_moves(benchmark::State& state, std::size_t moves) {
    state.counters["s/move"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(moves),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void generic_is_legal_and_make(benchmark::State& state) {
    const std::vector<Move> game = random_game(1);
    const auto start = make_game("chess")->start();
    for ([[maybe_unused]] const auto _ : state) {
        for (const Move move : game) {
            if (!start->is_legal(move)) state.SkipWithError("illegal move");
            start->make(move);
        }
        state.PauseTiming();
        while (start->ply() > 0) start->undo();
        state.ResumeTiming();
    }
    count_moves(state, game.size());
}

/// The steps of a referee for each move: read it, make it, ask for the result.
void generic_referee(benchmark::State& state) {
    const std::vector<std::string> names = random_names(Notation::Canonical);
    const auto position = make_game("chess")->start();
    for ([[maybe_unused]] const auto _ : state) {
        for (const std::string& name : names) {
            position->make(*position->move_of(name, Notation::Canonical));
            benchmark::DoNotOptimize(position->result());
        }
        state.PauseTiming();
        while (position->ply() > 0) position->undo();
        state.ResumeTiming();
    }
    count_moves(state, names.size());
}

void san_write(benchmark::State& state) {
    const std::vector<Move> game = random_game(1);
    const Board start = parse_fen(kStartFen, Variant::Standard);
    for ([[maybe_unused]] const auto _ : state) {
        Board board = start;
        Undo undo;
        for (const Move move : game) {
            benchmark::DoNotOptimize(write_san(board, move));
            board.make(move, undo);
        }
    }
    count_moves(state, game.size());
}

void san_read(benchmark::State& state) {
    const std::vector<std::string> names = random_names(Notation::Text);
    const Board start = parse_fen(kStartFen, Variant::Standard);
    for ([[maybe_unused]] const auto _ : state) {
        Board board = start;
        Undo undo;
        for (const std::string& name : names) board.make(*read_san(board, name), undo);
        benchmark::DoNotOptimize(board);
    }
    count_moves(state, names.size());
}

void fen_read(benchmark::State& state) {
    for ([[maybe_unused]] const auto _ : state) {
        benchmark::DoNotOptimize(parse_fen(kKiwipete, Variant::Standard));
    }
    count_moves(state, 1);
}

/// A line of so many moves, in the middle of a game, as a match checks it before each move.
void pv_check(benchmark::State& state) {
    constexpr std::size_t kBefore = 60;
    const std::vector<std::string> names = random_names(Notation::Canonical);
    const auto position = make_game("chess")->start();
    for (std::size_t i = 0; i < kBefore; ++i)
        position->make(*position->move_of(names[i], Notation::Canonical));
    assay::adapters::SearchInfo info;
    for (std::size_t i = 0; i < static_cast<std::size_t>(state.range(0)); ++i)
        info.line += (i > 0 ? " " : "") + names[kBefore + i];
    info.moves_size = info.line.size();
    assay::adapters::PvCheck check;
    std::vector<assay::adapters::PvTrouble> found;
    const auto move = position->move_of(names[kBefore], Notation::Canonical);
    for ([[maybe_unused]] const auto _ : state) {
        check.look(*position, {0, Notation::Canonical, info, names[kBefore], move}, found);
        if (!found.empty()) state.SkipWithError("a flaw");
    }
    count_moves(state, static_cast<std::size_t>(state.range(0)));
}

BENCHMARK_CAPTURE(count, perft_start, kStartFen)->Arg(5)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, perft_kiwipete, kKiwipete)->Arg(4)->Arg(5)->Unit(benchmark::kMillisecond);
BENCHMARK(generic_is_legal_and_make);
BENCHMARK(generic_referee);
BENCHMARK(pv_check)->Arg(12)->Arg(25);
BENCHMARK(san_write);
BENCHMARK(san_read);
BENCHMARK(fen_read);

}  // namespace

BENCHMARK_MAIN();
