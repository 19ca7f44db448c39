// Speed of rules written in Multigame, interpreted and compiled, beside the hand-written rules of
// chess; processor time of one core. Counts make each leaf. Random games start again at their end.
// Before a program is measured, 10,000 positions of random games are compared.
//   build/release/bench/multigame_bench [PROGRAM.mg DEPTH | bulk]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

#include <fmt/core.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "rules/chess/board.h"
#include "rules/chess/fen.h"
#include "rules/chess/perft.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/interpret/perft.h"
#include "rules/multigame/object/agreement.h"
#include "rules/multigame/object/compiled_counter.h"
#include "rules/multigame/object/object_files.h"
#include "rules/multigame/play/multigame_game.h"

namespace {

using namespace assay::rules::multigame;
using Compiled = std::shared_ptr<const CompiledProgram>;

constexpr double kSecondsOfGames = 0.5;
constexpr double kSecondsOfCounting = 0.3;
constexpr int kPositionsCompared = 10'000;
constexpr int kLongestGame = 500;
constexpr std::uint64_t kStatesBetweenClocks = 1000;

struct Case {
    std::string program;
    int depth = 0;
};

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class Work>
double seconds_of(const Work& work) {
    const double begin = processor_seconds();
    work();
    return processor_seconds() - begin;
}

/// Positions a second of random games; `moves(n)` lists and says how many, `make(n)` makes one,
/// and says whether the game goes on.
template <class Begin, class List, class Make>
double states_a_second(const Begin& begin, const List& list, const Make& make) {
    assay::Random random(1);
    std::uint64_t states = 0;
    const double from = processor_seconds();
    double seconds = 0;
    // A start without a move gives no states, however often it is played.
    begin();
    if (list() == 0) return 0;
    while (seconds < kSecondsOfGames) {
        // To ask for the time costs as much as a short game.
        const std::uint64_t until = states + kStatesBetweenClocks;
        while (states < until) {
            begin();
            for (int ply = 0; ply < kLongestGame; ++ply, ++states) {
                const std::size_t moves = list();
                if (moves == 0) break;
                if (!make(random.below(moves))) {
                    ++states;
                    break;
                }
            }
        }
        seconds = processor_seconds() - from;
    }
    return static_cast<double>(states) / seconds;
}

double interpreted_games(const std::shared_ptr<const Tables>& tables) {
    Machine machine(tables);
    const State start = start_states(tables).front();
    MoveList moves;
    return states_a_second([&] { machine.load(start); },
                           [&] {
                               machine.moves(moves);
                               return moves.moves.front().is_claim ? 0 : moves.moves.size();
                           },
                           [&](std::size_t n) {
                               if (moves.moves[n].is_claim) return true;
                               machine.apply(moves, n);
                               return moves.moves[n].verdict == Verdict::None;
                           });
}

double compiled_games(const Compiled& program, const std::shared_ptr<const Tables>& tables) {
    const mg_game& game = program->game();
    const State start = start_states(tables).front();
    std::vector<std::uint64_t> state(game.state_size / 8 + 1);
    MoveRoom room;
    return states_a_second(
        [&] {
            game.load(state.data(), start.board.data(), start.values.data(), start.side,
                      start.moves);
        },
        [&]() -> std::size_t {
            if (room.list_moves(game, state.data(), 0) != MG_OK) return 0;
            const mg_list& list = room.list();
            return (list.moves[0].flags & MG_CLAIM) != 0 ? 0 : list.move_count;
        },
        [&](std::size_t n) {
            const mg_list& list = room.list();
            if ((list.moves[n].flags & MG_CLAIM) != 0) return true;
            game.apply(state.data(), &list, static_cast<std::uint32_t>(n));
            return list.moves[n].verdict == MG_NONE;
        });
}

/// What the compiler and the loader take.
struct Costs {
    double compiler = 0;  // seconds of wall time
    double load = 0;      // seconds of processor time, of an object in the page cache
};

/// A load checks the owner, sums up the bytes, and runs dlopen(). The best of ten.
double load_seconds(const std::string& object, const std::string& hash) {
    const std::string sum = sum_of_object(assay::read_file(object));
    double best = 1;
    for (int n = 0; n < 10; ++n) {
        best = std::min(best, seconds_of([&] { (void)CompiledProgram::load(object, hash, sum); }));
    }
    return best;
}

/// Built as assay builds it, in a folder of its own; null where that fails.
Compiled built(const std::shared_ptr<const Tables>& tables, Costs& costs) {
    std::string folder = "/tmp/multigame_bench.XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) return nullptr;
    std::ofstream(folder + "/game.c") << write_c(tables->form(), first_position(tables));
    const std::string command =
        "cc -std=c99 -O3 -shared -fPIC -o " + folder + "/game.so " + folder + "/game.c";
    const auto from = std::chrono::steady_clock::now();
    const bool is_built = std::system(command.c_str()) == 0;
    costs.compiler = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    Compiled program;
    if (is_built) {
        std::filesystem::permissions(folder + "/game.so", std::filesystem::perms::owner_read);
        const std::string hash = hash_of_rules(tables->form());
        program = CompiledProgram::load(folder + "/game.so", hash);
        costs.load = load_seconds(folder + "/game.so", hash);
    }
    std::filesystem::remove_all(folder);
    return program;
}

void measure(const Case& each) {
    const Form form = compiled(files_of(each.program, read_rules_file));
    const auto tables = std::make_shared<const Tables>(form);
    const std::vector<State> starts = start_states(tables);
    MoveCounter slow(tables);
    std::uint64_t nodes = 0;
    const double slow_seconds = seconds_of([&] {
        for (const State& start : starts) nodes += slow.count(start, each.depth);
    });
    const double slow_speed = static_cast<double>(nodes) / slow_seconds / 1e6;
    const std::string name = game_name_of(each.program);
    fmt::print("{:<14} {:>2} {:>10} {:>8.2f}", name, each.depth, nodes, slow_speed);

    Costs costs;
    const Compiled program = built(tables, costs);
    const double slow_games = interpreted_games(tables) / 1e6;
    if (!program) {
        fmt::print(" {:>8} {:>6} {:>8.2f}\n", "-", "-", slow_games);
        return;
    }
    CompiledCounter fast(program);
    const auto counted = [&](int depth) {
        std::uint64_t sum = 0;
        for (const State& start : starts) sum += fast.count(start, depth).value_or(0);
        return sum;
    };
    const bool is_same = counted(each.depth) == nodes &&
                         disagreement(tables, program, kPositionsCompared, 7).empty();
    std::uint64_t total = 0;
    double fast_seconds = 0;
    while (fast_seconds < kSecondsOfCounting) {
        fast_seconds += seconds_of([&] { total += counted(each.depth); });
    }
    const double fast_speed = static_cast<double>(total) / fast_seconds / 1e6;
    const double fast_games = compiled_games(program, tables) / 1e6;
    fmt::print(" {:>8.2f} {:>6.1f} {:>8.2f} {:>8.2f} {:>6.1f} {:>5.1f} {:>5.1f}{}\n", fast_speed,
               fast_speed / slow_speed, slow_games, fast_games, fast_games / slow_games,
               costs.compiler, costs.load * 1e3, is_same ? "" : "  DIFFERENT GAMES");
}

/// The hand-written rules, which count the last ply by its list.
void measure_chess(int depth) {
    namespace chess = assay::rules::chess;
    chess::Board board = chess::parse_fen(chess::kStartFen, chess::Variant::Standard);
    std::uint64_t nodes = 0;
    const double seconds = seconds_of([&] { nodes = chess::perft(board, depth); });
    fmt::print("{:<14} {:>2} {:>10} {:>8} {:>8.2f}   last ply counted, not made\n", "hand-written",
               depth, nodes, "-", static_cast<double>(nodes) / seconds / 1e6);
}

/// The last ply counted by its list, as fairy-stockfish counts.
std::uint64_t bulk_count(const mg_game& game, void* state, std::vector<MoveRoom>& rooms,
                         int depth) {
    MoveRoom& room = rooms[static_cast<std::size_t>(depth)];
    if (room.list_moves(game, state, 0) != MG_OK) return 0;
    const mg_list& list = room.list();
    std::uint64_t sum = 0;
    for (std::uint32_t n = 0; n < list.move_count; ++n) {
        const mg_move& move = list.moves[n];
        if ((move.flags & MG_CLAIM) != 0) continue;
        if (depth == 1) {
            ++sum;
        } else if (move.verdict == MG_NONE) {
            game.apply(state, &list, n);
            sum += bulk_count(game, state, rooms, depth - 1);
            game.take_back(state, &list, n);
        }
    }
    return sum;
}

double children_seconds() {
    struct rusage used {};

    (void)::getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Processor time for one count, in bulk, beside that of `fairy-stockfish` with its start.
void measure_bulk(const std::string& program, const std::string& variant, int depth) {
    const Form form = compiled(files_of(program, read_rules_file));
    const auto tables = std::make_shared<const Tables>(form);
    Costs costs;
    const Compiled rules = built(tables, costs);
    if (!rules) return;
    const mg_game& game = rules->game();
    std::vector<std::uint64_t> state(game.state_size / 8 + 1);
    std::vector<MoveRoom> rooms(static_cast<std::size_t>(depth) + 1);
    std::uint64_t nodes = 0;
    const double ours = seconds_of([&] {
        game.start(state.data());
        nodes = bulk_count(game, state.data(), rooms, depth);
    });
    const std::string command = fmt::format(
        "printf 'setoption name UCI_Variant value {}\\nposition startpos\\ngo perft {}\\nquit\\n' | "
        "PATH=$PATH:/usr/games fairy-stockfish > /dev/null",
        variant, depth);
    const double before = children_seconds();
    const bool has_run = std::system(command.c_str()) == 0;
    const double theirs = children_seconds() - before;
    fmt::print("{:<14} {:>2} {:>10} in bulk: {:.2f} s, fairy-stockfish {}\n", game_name_of(program),
               depth, nodes, ours, has_run ? fmt::format("{:.2f} s", theirs) : "is not there");
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    fmt::print("{:<14} {:>2} {:>10} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6} {:>5} {:>5}\n", "program",
               "d", "nodes", "interp", "compiled", "ratio", "games", "compiled", "ratio", "cc",
               "load");
    fmt::print("{:<14} {:>2} {:>10} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6} {:>5} {:>5}\n", "", "", "",
               "Mn/s", "Mn/s", "", "Mst/s", "Mst/s", "", "s", "ms");
    const std::string folder = ASSAY_SOURCE_DIR "/rules/multigame/programs/";
    if (count == 2 && std::string_view(words[1]) == "bulk") {
        measure_bulk(folder + "chess.mg", "chess", 6);
        measure_bulk(folder + "xiangqi.mg", "xiangqi", 5);
        return 0;
    }
    if (count == 3) {
        measure({words[1], assay::to_number<int>(words[2]).value_or(1)});
        return 0;
    }
    const std::vector<Case> cases{
        {"tictactoe", 9},    {"connect4", 7},      {"othello", 6},    {"checkers", 7},
        {"morris", 3},       {"chess", 4},         {"xiangqi", 3},    {"puzzle15", 13},
        {"breakthrough", 4}, {"draughts10", 5},    {"hex5", 4},       {"minixiangqi", 4},
        {"antichess", 4},    {"kingofthehill", 4}, {"clobber", 3},    {"connect6", 2},
        {"darkchess", 2},    {"horde", 4},         {"knightmate", 4}, {"losalamos", 4},
        {"racingkings", 4},  {"threecheck", 4}};
    measure_chess(5);
    for (const Case& each : cases) {
        measure({folder + each.program + ".mg", each.depth});
        std::fflush(stdout);
    }
    return 0;
}
