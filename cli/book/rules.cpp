#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/book/game_moves.h"
#include "cli/book/program_rules.h"
#include "cli/frame/commands.h"
#include "cli/frame/rules_mode.h"
#include "cli/frame/values.h"
#include "openings/read/opening_reader.h"
#include "rules/chess/board.h"
#include "rules/chess/chess_game.h"
#include "rules/chess/fen.h"
#include "rules/chess/movegen.h"
#include "rules/chess/notation.h"
#include "rules/chess/perft.h"
#include "rules/game.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

using rules::Move;
using rules::Position;
namespace chess = rules::chess;

/// nullopt: another game. Throws Error for an unknown game, with the nearest name.
std::optional<chess::Variant> variant_of(const std::string& game) {
    return chess::variant_of(*rules::make_game(game));
}

chess::Board board_of(const RulesOptions& options, chess::Variant variant) {
    if (!options.text) return chess::parse_fen(chess::kStartFen, variant);
    try {
        return chess::parse_fen(openings::fen_of_line(*options.text), variant);
    } catch (const Error& error) {
        throw Error("position '" + printable_utf8(*options.text) + "': " + error.what());
    }
}

double seconds_between(TimePoint a, TimePoint b) {
    return static_cast<double>(micros_between(a, b).count()) / 1e6;
}

struct Timed {
    std::uint64_t nodes = 0;
    double seconds = 0;
};

Timed timed_perft(chess::Board& board, int depth) {
    const SteadyClock clock;
    const TimePoint start = clock.now();
    const std::uint64_t nodes = chess::perft(board, depth);
    return {nodes, seconds_between(start, clock.now())};
}

void print_divide(chess::Board& board, chess::Variant variant, int depth) {
    chess::MoveList moves;
    chess::generate_list(board, moves);
    std::vector<std::pair<std::string, std::uint64_t>> lines;
    for (const Move move : moves) {
        chess::Undo undo;
        board.make(move, undo);
        lines.emplace_back(chess::write_uci(move, variant), chess::perft(board, depth - 1));
        board.undo(move, undo);
    }
    std::ranges::sort(lines);
    for (const auto& [name, nodes] : lines) fmt::print("{}: {}\n", name, nodes);
}

void run_perft(const RulesOptions& options) {
    if (is_rules_file(options.game)) return count_program_moves(options);
    if (options.by_name) throw Error("--by-name counts moves of a file of rules (.mg) only");
    const auto variant = variant_of(options.game);
    if (!variant) return count_game_moves(options);
    chess::Board board = board_of(options, *variant);
    if (options.json) {
        const Timed timed = timed_perft(board, options.depth);
        fmt::print("{{\"nodes\":{},\"seconds\":{:.6f}}}\n", timed.nodes, timed.seconds);
        return;
    }
    fmt::print("{}\n\n", chess::write_fen(board));
    if (options.divide && options.depth > 0) {
        print_divide(board, *variant, options.depth);
        fmt::print("\n");
    }
    fmt::print("{:>5} {:>16} {:>10} {:>10}\n", "depth", "nodes", "seconds", "Mnodes/s");
    const int from = options.divide ? options.depth : std::min(1, options.depth);
    for (int depth = from; depth <= options.depth; ++depth) {
        const Timed timed = timed_perft(board, depth);
        const double speed = static_cast<double>(timed.nodes) / std::max(timed.seconds, 1e-6) / 1e6;
        fmt::print("{:>5} {:>16} {:>10.3f} {:>10.1f}\n", depth, timed.nodes, timed.seconds, speed);
    }
}

void run_moves(const RulesOptions& options) {
    const bool is_file = is_rules_file(options.game);
    if (is_file && (!options.json || options.why)) return list_program_moves(options);
    if (options.why) throw Error("--why explains moves of a file of rules (.mg) only");
    const auto variant = is_file ? std::nullopt : variant_of(options.game);
    if (!variant) {
        fmt::print("{}", game_moves_text(options));
        return;
    }
    const chess::Board board = board_of(options, *variant);
    chess::MoveList moves;
    chess::generate_list(board, moves);
    std::vector<std::pair<std::string, std::string>> names;
    for (const Move move : moves) {
        names.emplace_back(chess::write_uci(move, *variant), chess::write_san(board, move));
    }
    std::ranges::sort(names);
    if (options.json) {
        // Neither notation has a character that JSON would escape; a FEN neither.
        std::string out = fmt::format("{{\"fen\":\"{}\",\"moves\":[", chess::write_fen(board));
        for (const auto& [uci, san] : names) {
            out += fmt::format("{}{{\"uci\":\"{}\",\"san\":\"{}\"}}", out.back() == '[' ? "" : ",",
                               uci, san);
        }
        fmt::print("{}]}}\n", out);
        return;
    }
    for (const auto& [uci, san] : names) fmt::print("{:<6} {}\n", uci, san);
    fmt::print("{} legal moves\n", names.size());
}

struct SelfCheck {
    const char* name;
    const char* fen;
    int depth;
    std::uint64_t nodes;
};

// chessprogramming.org/Perft_Results and Chess960_Perft_Results.
constexpr std::array<SelfCheck, 4> kChessChecks{{
    {"start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197281},
    {"castling and pins", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3,
     97862},
    {"promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, 182838},
    {"en passant", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 4, 13931},
}};

constexpr std::array<SelfCheck, 2> kChess960Checks{{
    {"chess960, f- and b-rooks",
     "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", 4, 287739},
    {"chess960, a- and h-rooks",
     "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9", 3, 25798},
}};

/// True if both the fast board and the interface of all games give the known count.
bool check_one(const SelfCheck& check, const rules::Game& game, chess::Variant variant) {
    chess::Board board = chess::parse_fen(check.fen, variant);
    const std::uint64_t fast = chess::perft(board, check.depth);
    const std::uint64_t general = count_sequences(*game.parse(check.fen), check.depth);
    const bool is_right = fast == check.nodes && general == check.nodes;
    fmt::print("{:<4} {}: {} at depth {}", is_right ? "ok" : "FAIL", check.name, check.nodes,
               check.depth);
    if (!is_right) fmt::print(", found {} and {} through the interface", fast, general);
    fmt::print("\n");
    return is_right;
}

void run_check(const RulesOptions& options, Exit& exit) {
    if (is_rules_file(options.game)) return check_program_rules(options, exit);
    const auto variant = variant_of(options.game);
    if (!variant) {
        throw Error("GAME: there are counts of chess, chess960 and files of rules (.mg), not of '" +
                    printable_utf8(options.game) + "'");
    }
    const auto game = rules::make_game(options.game);
    bool all_right = true;
    for (const SelfCheck& check : kChessChecks) all_right &= check_one(check, *game, *variant);
    if (*variant == chess::Variant::Chess960) {
        for (const SelfCheck& check : kChess960Checks) {
            all_right &= check_one(check, *game, *variant);
        }
    }
    if (!all_right) exit.code = 1;
}

Command* add_verb(Command& parent, const char* name, const char* what, RulesOptions& options) {
    Command* const verb = parent.add_subcommand(name, what);
    verb->add_option("GAME", options.game, "chess, chess960 or a file of rules (.mg)")
        ->type_name("GAME")
        ->required();
    return verb;
}

void add_text(Command& verb, RulesOptions& options) {
    verb.add_option(kPositionFlags, options.text,
                    "position: FEN or EPD, or a text of the game (default: the start position)")
        ->type_name("POSITION");
}

void add_position(Command& verb, RulesOptions& options) {
    add_text(verb, options);
    verb.add_flag("--json", options.json, "one JSON object on standard output");
}

void add_more_verbs(Command& rules, const std::shared_ptr<RulesOptions>& options, Exit& exit) {
    Command* const board = add_verb(rules, "board", "print the board", *options);
    add_text(*board, *options);
    board->add_flag("--svg", options->svg, "as an SVG picture");
    board->footer(
        "examples:\n"
        "  assay rules board rules/multigame/programs/othello.mg\n"
        "  assay rules board chess --svg");
    board->callback([options] { print_board(*options); });

    Command* const probe = add_verb(
        rules, "probe", "ask tables of perfect play for a position and its moves", *options);
    add_position(*probe, *options);
    probe->add_option("--tablebase", options->tablebase, "the folders, with ':' between them")
        ->type_name("DIR")
        ->required();
    probe->footer(
        "Chess: Syzygy's tables of wins and draws (.rtbw), read through libfathom. A value is that\n"
        "right after a capture or pawn move: the count of moves without one is not looked at.\n\n"
        "examples:\n"
        "  assay rules probe chess --fen '8/8/8/4k3/8/8/8/KQ6 w - - 0 1' --tablebase syzygy");
    probe->callback([options] { fmt::print("{}", probe_text(*options)); });

    Command* const play = add_verb(rules, "play", "play random games", *options);
    add_text(*play, *options);
    play->add_option("--games", options->games_to_play, "how many")
        ->type_name("N")
        ->capture_default_str()
        ->transform(number(1, 10'000'000));
    play->add_option("--seed", options->seed, "of the games")
        ->type_name("N")
        ->capture_default_str();
    add_rules_mode(*play, options->rules);
    play->footer("examples:\n  assay rules play rules/multigame/programs/checkers.mg --games 3");
    play->callback([options] { play_random_games(*options); });

    Command* const dump = add_verb(rules, "dump", "print the form of a file of rules", *options);
    dump->footer("examples:\n  assay rules dump rules/multigame/programs/tictactoe.mg");
    dump->callback([options] { dump_program(*options); });

    Command* const format =
        add_verb(rules, "format", "print a file of rules in one style", *options);
    format->add_flag("--write", options->writes, "write it to the file");
    format->add_flag("--check", options->checks, "print nothing; exit code 1 where it differs");
    format->footer(
        "Lines stay as they are broken, and comments on their lines.\n\n"
        "examples:\n"
        "  assay rules format rules/multigame/programs/chess.mg\n"
        "  assay rules format --check rules/multigame/programs/chess.mg");
    format->callback([options, &exit] { format_program(*options, exit); });

    Command* const build =
        add_verb(rules, "build", "compile a file of rules: C, header, shared object", *options);
    build->add_option("-o,--output", options->output, "the folder they are written to")
        ->type_name("DIR")
        ->capture_default_str();
    build->add_flag("--c", options->c_alone, "the C and its header alone; starts no compiler");
    build->footer(
        "examples:\n"
        "  assay rules build rules/multigame/programs/checkers.mg -o out\n"
        "  assay rules build rules/multigame/programs/checkers.mg --c");
    build->callback([options] { build_program(*options); });

    Command* const trial =
        rules.add_subcommand("try-object", "compare compiled rules with the interpreter");
    trial->hide();
    trial->add_option("OBJECT", options->object, "a shared object")->required();
    trial->add_option("GAME", options->game, "the rules that it was made of")->required();
    trial->callback([options, &exit] { try_object(*options, exit); });

    Command* const compare = add_verb(
        rules, "compare", "compare a program's moves with the rules; exit code 1 where they differ",
        *options);
    add_text(*compare, *options);
    compare->add_option("--program", options->program, "the program and its arguments")
        ->type_name("PROGRAM")
        ->required();
    compare->add_option("--depth", options->depth, "length of the sequences, in plies")
        ->type_name("N")
        ->required()
        ->transform(number(1, 20));
    compare->add_option("--option", options->options, "an option of the program")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    compare->footer(
        "examples:\n"
        "  assay rules compare chess --program stockfish --depth 4\n"
        "  assay rules compare rules/multigame/programs/xiangqi.mg --program fairy-stockfish --depth 3");
    compare->callback([options, &exit] { compare_with_program(*options, exit); });
}

}  // namespace

void add_rules(Command& app, Exit& exit) {
    Command* const rules =
        app.add_subcommand("rules", "count and list legal moves, test the rules");
    rules->require_subcommand(1);
    const auto options = std::make_shared<RulesOptions>();

    Command* const perft =
        add_verb(*rules, "perft", "count the legal move sequences of a length", *options);
    add_position(*perft, *options);
    perft->add_option("--depth", options->depth, "length of the sequences, in plies")
        ->type_name("N")
        ->required()
        ->transform(number(0, 20));
    perft->add_flag("--divide", options->divide, "also the count below each move");
    perft->add_flag("--by-name", options->by_name,
                    "ways of one capture that have different names are different moves (.mg)");
    add_rules_mode(*perft, options->rules);
    perft->footer(
        "examples:\n"
        "  assay rules perft chess --depth 6\n"
        "  assay rules perft chess --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -' --depth 5 --divide\n"
        "  assay rules perft chess960 --depth 4 --json");
    perft->callback([options] { run_perft(*options); });

    Command* const moves =
        add_verb(*rules, "moves", "list the legal moves in all notations", *options);
    add_position(*moves, *options);
    moves
        ->add_option("--why", options->why,
                     "the statements of a file of rules by which this is a move, or is none")
        ->type_name("MOVE");
    add_rules_mode(*moves, options->rules);
    moves->footer(
        "examples:\n"
        "  assay rules moves chess\n"
        "  assay rules moves chess --fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --json\n"
        "  assay rules moves rules/multigame/programs/chess.mg --why e2e5");
    moves->callback([options] { run_moves(*options); });

    Command* const check =
        add_verb(*rules, "check",
                 "compare move counts with known ones; exit code 1 where one differs", *options);
    check->footer("examples:\n  assay rules check chess960");
    check->callback([options, &exit] { run_check(*options, exit); });

    check->add_option("--games", options->games, "random games of a file of rules")
        ->type_name("N")
        ->capture_default_str()
        ->transform(number(0, 10'000'000));
    check->add_option("--seed", options->seed, "of the random games")
        ->type_name("N")
        ->capture_default_str();
    add_more_verbs(*rules, options, exit);

    rules->footer(
        "examples:\n"
        "  assay rules perft chess --depth 5\n"
        "  assay rules moves chess960 --fen 'bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1'\n"
        "  assay rules check chess");
}

}  // namespace assay::cli
