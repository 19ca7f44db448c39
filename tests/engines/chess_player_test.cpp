#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "base/text.h"
#include "engines/chess_player/bench.h"
#include "engines/chess_player/chess_search.h"
#include "engines/chess_player/chess_state.h"
#include "engines/chess_player/evaluation.h"
#include "engines/chess_player/exchange.h"
#include "engines/chess_player/move_classes.h"
#include "engines/chess_player/options.h"
#include "engines/search/searcher.h"
#include "engines/uci/uci_go.h"
#include "rules/chess/fen.h"
#include "rules/chess/notation.h"
#include "rules/make_game.h"

using namespace assay::engines;
using assay::rules::chess::parse_fen;
using assay::rules::chess::read_uci;
using assay::rules::chess::Variant;

namespace {

Board board_of(std::string_view fen) {
    return parse_fen(fen, Variant::Standard);
}

Move move_of(const Board& board, std::string_view uci) {
    const auto move = read_uci(board, uci, Variant::Standard);
    REQUIRE_MESSAGE(move.has_value(), uci);
    return *move;
}

std::array<int, 10> list(const EvaluationTerms& t) {
    return {t.material,    t.double_pawns, t.pawn_rams,     t.passed_pawns, t.isolated_pawns,
            t.eight_pawns, t.mobility,     t.board_control, t.development,  t.king_safety};
}

/// The same position with the colours exchanged, White's king-side castling becoming Black's.
std::string mirrored(const std::string& fen) {
    const auto words = assay::split_words(fen);
    std::string ranks;
    std::size_t end = words[0].size();
    while (true) {
        const std::size_t slash = end == 0 ? std::string_view::npos : words[0].rfind('/', end - 1);
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        ranks += std::string(words[0].substr(begin, end - begin)) + "/";
        if (begin == 0) break;
        end = slash;
    }
    ranks.pop_back();
    const auto swap_case = [](std::string text) {
        for (char& c : text) {
            if (c >= 'a' && c <= 'z') {
                c = static_cast<char>(c - 'a' + 'A');
            } else if (c >= 'A' && c <= 'Z') {
                c = static_cast<char>(c - 'A' + 'a');
            }
        }
        return text;
    };
    return swap_case(ranks) + (words[1] == "w" ? " b " : " w ") + swap_case(std::string(words[2])) +
           " - 0 1";
}

std::vector<Line> think(std::string_view fen, const PlayerOptions& options, const Limits& limits) {
    const auto position = assay::rules::make_game("chess")->parse(fen);
    const auto memory = std::make_unique<Memory>();
    memory->size_table(options.search.table ? 1U << 20U : 0);
    Silence silence;
    return search(*position, options, *memory, limits, silence);
}

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

PlayerOptions with(std::initializer_list<std::pair<const char*, const char*>> values) {
    PlayerOptions options;
    for (const auto& [name, value] : values) REQUIRE(!set_option(options, name, value));
    REQUIRE(!check_options(options));
    return options;
}

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr std::string_view kMiddle =
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";

}  // namespace

TEST_CASE("Evaluation: each term has a position in which it alone changes") {
    struct Pair {
        std::size_t term;
        const char* before;
        const char* after;
        int change;
    };

    const std::array<Pair, 10> pairs{{
        {0, "r1b1k3/pp3p1p/3pp1p1/8/P2PP2P/1P4P1/8/RN1QK1NR w - - 0 1",
         "r1b1k3/pp3p2/3pp1p1/8/P2PP2P/1P4P1/8/RN1QK1NR w - - 0 1", 100},
        {1, "4k3/3p4/1p6/4ppp1/3P2PP/2P5/1P6/R3K3 w - - 0 1",
         "4k3/3p4/1p6/4ppp1/3P2PP/2P5/2P5/R3K3 w - - 0 1", -12},
        {2, "4k3/2p1ppp1/8/3p4/1P3PP1/P1P1P2P/3P4/4KB2 w - - 0 1",
         "4k3/2p1p1p1/8/3p4/1P3PPp/P1P1P2P/3P4/4KB2 w - - 0 1", -5},
        {3, "rn2k1nr/8/p2p4/2p1pp2/P1PP4/1P4P1/5P1P/4KBN1 w - - 0 1",
         "rn2k1nr/8/p2p2P1/2p1pp2/P1PP4/1P6/5P1P/4KBN1 w - - 0 1", 56},
        {4, "1nb1k3/p2pp3/8/1pp2p1p/P7/5PP1/1P1P4/2BQK1NR w - - 0 1",
         "1nb1k3/3pp1p1/8/1pp2p1p/P7/5PP1/1P1P4/2BQK1NR w - - 0 1", -13},
        {5, "4k1n1/1p6/3pp1p1/p7/PP1P1PP1/2P4P/4P3/RN2KB1R w - - 0 1",
         "4k1n1/1p6/3pp1p1/8/P2P1PP1/2P4P/4P3/RN2KB1R w - - 0 1", 10},
        {6, "rn2kb1r/5p1p/1p6/p2p2p1/P3P1P1/8/2P4P/4K2R w - - 0 1",
         "rn2kb2/5p1p/1p4r1/p2p2p1/P3P1P1/8/2P4P/4K2R w - - 0 1", -12},
        {7, "3qk2r/3p3p/4p3/p1p2p2/7P/PP1P2P1/2P2P2/1N2K3 w - - 0 1",
         "3qk2r/3p3p/4p3/p1p2p2/1P5P/P2P2P1/2P2P2/1N2K3 w - - 0 1", 4},
        {8, "2bqk3/2p2p2/pp2p3/3p2pp/1P2P3/3P4/2P3PP/2B1KBNR w - - 0 1",
         "2bqk3/2p2p1B/pp2p3/3p2pp/1P2P3/3P4/2P3PP/2B1K1NR w - - 0 1", 4},
        {9, "4k3/3p1p2/1p6/p3p3/2P3P1/PP6/8/2BQK3 w - - 0 1",
         "5k2/3p1p2/1p6/p3p3/2P3P1/PP6/8/2BQK3 w - - 0 1", 6},
    }};
    for (const Pair& pair : pairs) {
        CAPTURE(pair.term);
        const auto before = list(evaluation_terms(board_of(pair.before)));
        const auto after = list(evaluation_terms(board_of(pair.after)));
        for (std::size_t term = 0; term < before.size(); ++term) {
            CAPTURE(term);
            CHECK(after[term] - before[term] == (term == pair.term ? pair.change : 0));
        }
    }
}

TEST_CASE("Evaluation: what one side gains the other loses, on random positions") {
    assay::Random random(5);
    for (int game = 0; game < 40; ++game) {
        Board board = board_of(kStart);
        for (int ply = 0; ply < 80; ++ply) {
            assay::rules::chess::MoveList moves;
            assay::rules::chess::generate_list(board, moves);
            if (moves.empty()) break;
            Undo undo;
            board.make(moves[random.below(moves.size())], undo);
            const std::string fen = assay::rules::chess::write_fen(board);
            CAPTURE(fen);
            const Board other_way = board_of(mirrored(fen));
            const EvaluationTerms terms = evaluation_terms(board);
            const EvaluationTerms mirror = evaluation_terms(other_way);
            const auto ours = list(terms);
            const auto theirs = list(mirror);
            for (std::size_t i = 0; i < ours.size(); ++i) CHECK(ours[i] == -theirs[i]);
            const int white = board.side() == Color::White ? 1 : -1;
            CHECK(evaluate(board, EvaluationKind::Full) == white * terms.sum());
            CHECK(evaluate(board, EvaluationKind::Material) == white * terms.material);
            CHECK(evaluate(board, EvaluationKind::Full) ==
                  evaluate(other_way, EvaluationKind::Full));
        }
    }
}

TEST_CASE("Exchange: captures on one square are counted to their end") {
    const auto value = [](std::string_view fen, std::string_view move) {
        const Board board = board_of(fen);
        return exchange_value(board, move_of(board, move));
    };
    CHECK(value("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5") == 100);
    CHECK(value("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5") == 0);
    CHECK(value("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5") == 100 - 500);
    CHECK(value("3rk3/8/2p5/3p4/8/3R4/8/3RK3 w - - 0 1", "d3d5") == 100 - 500);
    CHECK(value("3rk3/8/8/3n4/8/3R4/8/3RK3 w - - 0 1", "d3d5") == 325);
    // The king may not take what is guarded, and does take what is not.
    CHECK(value("8/8/2k5/8/3R4/8/8/3RK3 w - - 0 1", "d4d5") == 0);
    CHECK(value("8/8/2k5/8/3R4/8/8/4K3 w - - 0 1", "d4d5") == -500);
    CHECK(value("4k3/8/8/8/8/8/3p4/K2RR3 b - - 0 1", "d2e1q") == 400);
    CHECK(value("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q") == 875);
    CHECK(value("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6") == 100);
}

TEST_CASE("Chessmaps: twenty labelled moves fall into their classes") {
    struct Labelled {
        const char* fen;
        const char* move;
        MoveClass expected;
    };

    using enum MoveClass;
    constexpr auto kOpen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1";
    // White's knight on e5 is attacked by the pawn on d6.
    constexpr auto kHit = "rnbqkb1r/ppp2ppp/3p1n2/4N3/4P3/8/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
    const std::vector<Labelled> moves{
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", SafeCapture},
        {"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", SafeCapture},
        {"4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6", SafeCapture},
        {kHit, "e5f7", UnsafeCapture},
        {kHit, "e5f3", SafeForced},
        {kHit, "e5d3", SafeForced},
        {kHit, "e5c4", SafeForced},
        {kHit, "e5g6", UnsafeForced},
        {kHit, "e5c6", UnsafeForced},
        {kHit, "e5g4", UnsafeForced},
        {kOpen, "d2d3", SafeOther},
        {kOpen, "e1g1", SafeOther},
        {kOpen, "b1c3", SafeOther},
        {kOpen, "c4f7", UnsafeCapture},
        {kOpen, "f3e5", UnsafeCapture},
        {kOpen, "c4a6", UnsafeOther},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", SafeForcing},
        {"4k3/8/3n4/8/8/4P3/8/4K3 w - - 0 1", "e3e4", UnsafeOther},
        {"4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1", "e2e4", SafeForcing},
        {"4k3/8/2p5/8/8/8/R7/1R2K3 w - - 0 1", "b1b8", SafeForcing},
    };
    CHECK(moves.size() == 20);
    std::array<int, 8> seen{};
    for (const Labelled& labelled : moves) {
        CAPTURE(labelled.fen);
        CAPTURE(labelled.move);
        const Board board = board_of(labelled.fen);
        const MoveClass found = move_class(board, move_of(board, labelled.move));
        CHECK(static_cast<int>(found) == static_cast<int>(labelled.expected));
        ++seen[static_cast<std::size_t>(labelled.expected)];
    }
    // The last class is a check that loses the queen.
    const Board board = board_of("4k3/3n4/8/8/8/8/8/3QK3 w - - 0 1");
    CHECK(move_class(board, move_of(board, "d1d7")) == UnsafeCapture);
    const Board check = board_of("4k2r/8/8/8/8/8/8/3QK3 w - - 0 1");
    CHECK(move_class(check, move_of(check, "d1d8")) == UnsafeForcing);
}

TEST_CASE("Search: wins are found as fast as they are there") {
    struct Problem {
        const char* fen;
        const char* move;
        int mate;
        int depth;
    };

    const std::array<Problem, 5> problems{{
        {"6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", 1, 2},
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2, 4},
        {"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "f8c5", 3, 6},
        {"7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", "", 2, 6},
        {"5rk1/5Npp/8/8/2Q5/8/6PP/7K w - - 0 1", "f7h6", 3, 6},
    }};
    for (const Problem& problem : problems) {
        CAPTURE(problem.fen);
        for (const PlayerOptions& options :
             {with({{"NullMove", "false"}}),  // the second problem is a zugzwang
              with({{"NullMove", "false"}, {"Table", "false"}})}) {
            const auto lines = think(problem.fen, options, to_depth(problem.depth));
            REQUIRE(!lines.empty());
            CHECK(score_text(lines[0].value) == "mate " + std::to_string(problem.mate));
            CHECK(lines[0].moves.size() == static_cast<std::size_t>(2 * problem.mate - 1));
            if (*problem.move == 0) continue;
            const Board board = board_of(problem.fen);
            CHECK(lines[0].moves[0] == move_of(board, problem.move));
        }
    }
}

TEST_CASE("Search: a line that announces a mate shows it to the end") {
    // The capture that mates lies below the depth of the search.
    const auto lines = think("6QR/2p5/2P5/5pk1/3BB2p/8/5P2/6K1 b - - 1 44", with({}), to_depth(1));
    REQUIRE(!lines.empty());
    CHECK(score_text(lines[0].value) == "mate -1");
    CHECK(lines[0].moves.size() == 2);
}

TEST_CASE("Search: chess is the same through the interface of all games, whatever the options") {
    const auto both = [](std::string_view fen, PlayerOptions options, int depth) {
        options.search.null_move = false;
        const auto direct = think(fen, options, to_depth(depth));
        options.generic = true;
        REQUIRE(!check_options(options));
        const auto generic = think(fen, options, to_depth(depth));
        CHECK(direct[0].value == generic[0].value);
        CHECK(direct[0].moves == generic[0].moves);
        CHECK(direct[0].nodes == generic[0].nodes);
        CHECK(direct[0].nodes > 100);
    };
    for (const std::string_view fen : {kStart, kMiddle}) {
        CAPTURE(fen);
        both(fen, {}, 5);
        both(fen, with({{"Ordering", "chessmaps"}, {"History", "signature"}}), 4);
        both(fen, with({{"Table", "false"}, {"Chains", "true"}}), 5);
        PlayerOptions plain;
        plain.search = minimax_settings();
        both(fen, plain, 3);
        plain.search = alpha_beta_settings();
        plain.evaluation = EvaluationKind::Material;
        both(fen, plain, 4);
    }
}

namespace {

/// Leaves below a searcher's state, counted by its own moves.
template <class State>
std::uint64_t leaves_below(State& state, int depth) {
    MoveBuffer moves;
    state.moves(moves);
    if (depth == 1) return moves.size();
    std::uint64_t count = 0;
    for (const ScoredMove& scored : moves) {
        state.make(scored.move);
        count += leaves_below(state, depth - 1);
        state.undo();
    }
    return count;
}

}  // namespace

TEST_CASE("Search: both states that it sees chess through have the perft of chess") {
    struct Known {
        std::string_view fen;
        int depth;
        std::uint64_t leaves;
    };

    for (const Known& known :
         {Known{kStart, 3, 8902},
          Known{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
          Known{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238}}) {
        CAPTURE(known.fen);
        ChessState direct(board_of(known.fen), EvaluationKind::Full);
        CHECK(leaves_below(direct, known.depth) == known.leaves);
        const auto position = assay::rules::make_game("chess")->parse(known.fen);
        const RulesOnly knowledge(*position);
        GameState generic(*position, knowledge);
        CHECK(leaves_below(generic, known.depth) == known.leaves);
    }
}

TEST_CASE("Deepening: with what the iterations before found it costs fewer nodes than without") {
    PlayerOptions fixed;
    fixed.search.iterative = false;
    fixed.search.aspiration = 0;
    REQUIRE(!check_options(fixed));
    PlayerOptions deepening = fixed;
    deepening.search.iterative = true;
    // Both count all nodes of the search, the deepening one those of every iteration.
    CHECK(think(kMiddle, deepening, to_depth(7))[0].nodes <
          think(kMiddle, fixed, to_depth(7))[0].nodes);
}

TEST_CASE("Search: alpha-beta and its improvements keep minimax's value in chess") {
    PlayerOptions minimax;
    minimax.search = minimax_settings();
    minimax.evaluation = EvaluationKind::Full;
    const auto expected = think(kMiddle, minimax, to_depth(3));
    PlayerOptions other = minimax;
    other.search = alpha_beta_settings();
    CHECK(think(kMiddle, other, to_depth(3))[0].value == expected[0].value);
    CHECK(think(kMiddle, other, to_depth(3))[0].moves[0] == expected[0].moves[0]);
    other.search.method = Method::Pvs;
    other.search.iterative = true;
    other.search.aspiration = 30;
    other.search.table = true;
    other.search.exact_draft = true;
    other.search.history = HistoryKind::Moves;
    other.search.killers = true;
    const auto found = think(kMiddle, other, to_depth(3));
    CHECK(found[0].value == expected[0].value);
    CHECK(found[0].nodes < expected[0].nodes / 5);
}

TEST_CASE("Search: a table, killers and history save nodes at the same value") {
    PlayerOptions plain;
    plain.search = alpha_beta_settings();
    plain.search.method = Method::Pvs;
    plain.search.iterative = true;
    plain.search.quiescence = true;
    const auto base = think(kMiddle, plain, to_depth(5));
    const auto saves = [&](auto change) {
        PlayerOptions options = plain;
        change(options.search);
        const auto found = think(kMiddle, options, to_depth(5));
        CHECK(found[0].value == base[0].value);
        CHECK(found[0].nodes < base[0].nodes);
    };
    saves([](Settings& s) { s.table = s.exact_draft = true; });
    saves([](Settings& s) { s.killers = true; });
    saves([](Settings& s) { s.history = HistoryKind::Moves; });
    saves([](Settings& s) { s.history = HistoryKind::Signature; });
}

TEST_CASE("Quiescence: in a position without captures the value is the same without it") {
    const std::string_view quiet = "4k3/ppp5/8/8/8/8/5PPP/4K3 w - - 0 1";
    PlayerOptions with_it;
    with_it.search = alpha_beta_settings();
    PlayerOptions without = with_it;
    with_it.search.quiescence = true;
    for (const int depth : {1, 2, 3}) {
        CHECK(think(quiet, with_it, to_depth(depth))[0].value ==
              think(quiet, without, to_depth(depth))[0].value);
    }
    // A guarded pawn that a queen could take looks like a gift without it.
    const std::string_view gift = "4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1";
    CHECK(think(gift, without, to_depth(1))[0].moves[0] == move_of(board_of(gift), "d2d5"));
    CHECK(think(gift, with_it, to_depth(1))[0].moves[0] != move_of(board_of(gift), "d2d5"));
}

TEST_CASE("Search: no illegal move, whatever the options, in random play") {
    assay::Random random(11);
    const std::array variants{
        PlayerOptions{},
        with({{"Chains", "true"}, {"Table", "false"}}),
        with({{"Chains", "true"}, {"ChainsFromPly", "0"}, {"Ordering", "chessmaps"}}),
        with({{"History", "signature"}, {"Evaluation", "material"}}),
        with({{"Fault", "bad_order"}}),
        with({{"Fault", "research_loop"}}),
        with({{"Interface", "generic"}, {"NullMove", "false"}}),
    };
    for (const PlayerOptions& options : variants) {
        const auto memory = std::make_unique<Memory>();
        memory->size_table(1U << 16U);
        const auto game = assay::rules::make_game("chess");
        const auto position = game->start();
        std::vector<Move> moves;
        for (int ply = 0; ply < 160 && position->to_move() >= 0; ++ply) {
            Limits limits;
            limits.nodes = 300;
            Silence silence;
            const std::string before = position->text();
            const auto lines = search(*position, options, *memory, limits, silence);
            REQUIRE(!lines.empty());
            CHECK(position->text() == before);
            CHECK(position->is_legal(lines[0].moves[0]));
            // Half of the moves are drawn, so that positions are no search's choice.
            position->moves(moves);
            position->make(ply % 2 == 0 ? lines[0].moves[0] : moves[random.below(moves.size())]);
        }
    }
}

TEST_CASE("Search: several lines are different moves in order; root moves may be limited") {
    Limits limits = to_depth(4);
    limits.lines = 3;
    const auto lines = think(kMiddle, {}, limits);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].value >= lines[1].value);
    CHECK(lines[1].value >= lines[2].value);
    CHECK(lines[0].moves[0] != lines[1].moves[0]);
    CHECK(lines[1].moves[0] != lines[2].moves[0]);
    const Board board = board_of(kMiddle);
    limits.only = {move_of(board, "a2a3"), move_of(board, "h2h4")};
    const auto limited = think(kMiddle, {}, limits);
    CHECK(limited.size() == 2);
    for (const Line& line : limited) {
        CHECK(std::count(limits.only.begin(), limits.only.end(), line.moves[0]) == 1);
    }
}

TEST_CASE("Search: positions of the game before count towards a repetition") {
    const auto game = assay::rules::make_game("chess");
    const auto position = game->parse("7k/8/8/8/8/1Q6/8/K7 w - - 0 1");
    for (const char* move : {"b3b4", "h8h7", "b4b3", "h7h8", "b3b4", "h8h7"}) {
        position->make(*position->move_of(move, assay::rules::Notation::Canonical));
    }
    // After Qb3 Black's Kh8 makes the third occurrence.
    const auto memory = std::make_unique<Memory>();
    Silence silence;
    Limits limits = to_depth(2);
    limits.only = {*position->move_of("b4b3", assay::rules::Notation::Canonical)};
    CHECK(search(*position, {}, *memory, limits, silence)[0].value == 0);
    const auto fresh = game->parse(position->text());
    CHECK(search(*fresh, {}, *memory, limits, silence)[0].value > 500);
}

TEST_CASE("Bench: the signature is the same each time, and changes with the search") {
    const assay::SteadyClock clock;
    const auto signature = [&](const PlayerOptions& options) {
        const std::string text = run_bench(options, 3, clock);
        const std::size_t at = text.find("signature: ");
        REQUIRE(at != std::string::npos);
        return text.substr(at, text.find('\n', at) - at);
    };
    CHECK(signature({}) == signature({}));
    CHECK(signature({}) != signature(with({{"Killers", "false"}})));
}

TEST_CASE("Options: names and values are matched without case, and faults are said") {
    PlayerOptions options;
    CHECK(!set_option(options, "hash", "64"));
    CHECK(options.hash_mb == 64);
    CHECK(!set_option(options, "METHOD", "AlphaBeta"));
    CHECK(options.search.method == Method::AlphaBeta);
    CHECK(set_option(options, "Metod", "pvs").value() ==
          "no option 'Metod'; did you mean 'Method'?");
    CHECK(set_option(options, "Method", "pvz").value() ==
          "option Method does not take 'pvz'; did you mean 'pvs'?");
    CHECK(set_option(options, "Hash", "0").value() ==
          "option Hash takes a number from 1 to 65536, not '0'");
    CHECK(set_option(options, "Table", "maybe").has_value());
    CHECK(!set_option(options, "TreeLog", "/tmp/a b.tree"));
    CHECK(options.tree_log == "/tmp/a b.tree");
    CHECK(!set_option(options, "TreeLog", "<empty>"));
    CHECK(options.tree_log.empty());
    PlayerOptions generic;
    CHECK(table_of(generic).declaration().find(
              "option name Hash type spin default 16 min 1 max 65536\n") != std::string::npos);
    generic.generic = true;
    CHECK(check_options(generic).value() ==
          "the generic interface has no null moves: set NullMove false or Interface direct");
}
