// Speed of the readers of openings and of their order. Bytes per second are those of the unpacked
// book. Each book is made here, in a temporary folder that is removed at the end.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "openings/book.h"
#include "openings/order.h"
#include "openings/read/book_scan.h"
#include "openings/read/opening_reader.h"
#include "openings/read/pgn_reader.h"
#include "rules/game.h"
#include "rules/make_game.h"

namespace {

using namespace assay::openings;
using assay::rules::Notation;

/// Games of random legal moves, 80 plies each, with or without comments.
std::string random_games(std::size_t bytes, bool with_comments) {
    const auto chess = assay::rules::make_game("chess");
    assay::Random random(1);
    std::vector<assay::rules::Move> moves;
    std::string text;
    while (text.size() < bytes) {
        text +=
            "[Event \"Bench\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n"
            "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n";
        const auto position = chess->start();
        for (int ply = 0; ply < 80 && !position->result(); ++ply) {
            if (ply % 2 == 0) text += std::to_string(ply / 2 + 1) + ". ";
            position->moves(moves);
            const auto move = moves[random.below(moves.size())];
            text += position->name_of(move, Notation::Text);
            text += with_comments ? " {+0.31/18 0.35s} " : " ";
            if (ply % 10 == 9) text += "\n";
            position->make(move);
        }
        text += "*\n\n";
    }
    return text;
}

/// A book of 16 MiB, made once, with or without comments.
const std::string& games(bool with_comments) {
    static const std::string plain = random_games(std::size_t{16} << 20U, false);
    static const std::string commented = random_games(std::size_t{16} << 20U, true);
    return with_comments ? commented : plain;
}

std::string positions(std::size_t bytes) {
    std::string text;
    for (std::uint64_t i = 1; text.size() < bytes; ++i) {
        text += "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - hmvc 1; fmvn " +
                std::to_string(i % 500 + 1) + ";\n";
    }
    return text;
}

class TempFile {
public:
    explicit TempFile(const std::string& content) {
        std::string name = (std::filesystem::temp_directory_path() / "assay-bench-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        assay::write_file(path(), content);
    }

    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;

    ~TempFile() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    [[nodiscard]] std::string path() const { return folder_ + "/book"; }

    [[nodiscard]] std::string cache() const { return folder_ + "/cache"; }

    void forget_cache() const {
        std::error_code ignored;
        std::filesystem::remove_all(cache(), ignored);
    }

private:
    std::string folder_;
};

void set_bytes(benchmark::State& state, std::size_t size) {
    state.SetBytesProcessed(static_cast<std::int64_t>(size) *
                            static_cast<std::int64_t>(state.iterations()));
}

/// All tags, moves and comments of each game as words; no rules.
void read_pgn(benchmark::State& state) {
    const std::string& text = games(state.range(0) != 0);
    for (auto _ : state) {
        PgnReader reader(text);
        PgnGame game;
        std::size_t moves = 0;
        while (reader.next(game)) moves += game.moves.size();
        benchmark::DoNotOptimize(moves);
    }
    set_bytes(state, text.size());
}

BENCHMARK(read_pgn)->ArgName("comments")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Only the places of games.
void skip_pgn(benchmark::State& state) {
    const std::string& text = games(state.range(0) != 0);
    for (auto _ : state) {
        PgnReader reader(text);
        PgnGame game;
        std::size_t games = 0;
        while (reader.skip(game)) ++games;
        benchmark::DoNotOptimize(games);
    }
    set_bytes(state, text.size());
}

BENCHMARK(skip_pgn)->ArgName("comments")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Every move checked by the rules and named in the protocol's notation.
void read_pgn_with_rules(benchmark::State& state) {
    const auto chess = assay::rules::make_game("chess");
    const std::string& text = games(state.range(0) != 0);
    for (auto _ : state) {
        PgnReader reader(text);
        PgnGame game;
        while (reader.next(game)) benchmark::DoNotOptimize(read_game(game, std::nullopt, *chess));
    }
    set_bytes(state, text.size());
}

BENCHMARK(read_pgn_with_rules)->ArgName("comments")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Opens a book for the first time: hash, index, side file.
void index_epd(benchmark::State& state) {
    const auto chess = assay::rules::make_game("chess");
    const std::string text = positions(std::size_t{256} << 20U);
    const TempFile file(text);
    for (auto _ : state) {
        state.PauseTiming();
        file.forget_cache();
        state.ResumeTiming();
        const auto book = open_book({file.path(), BookFormat::Epd, {}, file.cache()}, *chess);
        benchmark::DoNotOptimize(book->size());
    }
    set_bytes(state, text.size());
}

BENCHMARK(index_epd)->Unit(benchmark::kMillisecond)->MinTime(2);

void index_pgn(benchmark::State& state) {
    const auto chess = assay::rules::make_game("chess");
    const std::string& text = games(true);
    const TempFile file(text);
    for (auto _ : state) {
        state.PauseTiming();
        file.forget_cache();
        state.ResumeTiming();
        const auto book = open_book({file.path(), BookFormat::Pgn, {}, file.cache()}, *chess);
        benchmark::DoNotOptimize(book->size());
    }
    set_bytes(state, text.size());
}

BENCHMARK(index_pgn)->Unit(benchmark::kMillisecond);

/// Opens it again: the side file is read once, for its checksum.
void open_indexed(benchmark::State& state) {
    const auto chess = assay::rules::make_game("chess");
    const std::string text = positions(std::size_t{256} << 20U);
    const TempFile file(text);
    for (auto _ : state) {
        const auto book = open_book({file.path(), BookFormat::Epd, {}, file.cache()}, *chess);
        benchmark::DoNotOptimize(book->size());
    }
}

BENCHMARK(open_indexed)->Unit(benchmark::kMillisecond);

/// A small book, checked whole.
void check_epd(benchmark::State& state) {
    const auto chess = assay::rules::make_game("chess");
    const std::string text = positions(std::size_t{1} << 20U);
    const TempFile file(text);
    for (auto _ : state) {
        const auto book = open_book({file.path(), BookFormat::Epd, {}, file.cache()}, *chess);
        benchmark::DoNotOptimize(book->size());
    }
    set_bytes(state, text.size());
}

BENCHMARK(check_epd)->Unit(benchmark::kMillisecond);

/// One pair's opening out of a large book, in random order.
void opening_of_pair(benchmark::State& state) {
    const auto chess = assay::rules::make_game("chess");
    const TempFile file(positions(std::size_t{256} << 20U));
    const auto book = open_book({file.path(), BookFormat::Epd, {}, file.cache()}, *chess);
    const OpeningOrder order(Order::Random, 1, 1, book->size());
    std::uint64_t pair = 0;
    for (auto _ : state) benchmark::DoNotOptimize(book->at(order.index(pair++).index));
}

BENCHMARK(opening_of_pair);

void random_order(benchmark::State& state) {
    const OpeningOrder order(Order::Random, 1, 1, 10'000);
    std::uint64_t pair = 0;
    for (auto _ : state) benchmark::DoNotOptimize(order.index(pair++));
}

BENCHMARK(random_order);

}  // namespace

BENCHMARK_MAIN();
