// The C of a program whose form is built by hand: tic-tac-toe as the paper's first figure has it.
#include "rules/multigame/compile/write_c.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rules/multigame/object/loader.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

namespace assay::rules::multigame {

namespace {

/// Statements of a form, added from the leaves up.
class FormMaker {
public:
    Form form;

    int add(Op op, std::initializer_list<int> children = {}, int index = kNone) {
        Statement made;
        made.op = op;
        made.index = index;
        return add(made, children);
    }

    int add(Statement made, std::initializer_list<int> children = {}) {
        made.first = static_cast<int>(form.children.size());
        made.count = static_cast<int>(children.size());
        form.children.insert(form.children.end(), children);
        form.statements.push_back(made);
        return static_cast<int>(form.statements.size()) - 1;
    }

    int pattern(int piece, Owner owner) {
        form.patterns.push_back({piece, owner});
        return static_cast<int>(form.patterns.size()) - 1;
    }

    int verdict(Verdict said) {
        Statement made;
        made.op = Op::Verdict;
        made.verdict = said;
        return add(made);
    }

    int directions(int first, int stride) {
        Statement made;
        made.op = Op::Directions;
        made.index = first;
        made.least = stride;
        return add(made);
    }

    int twice(int child) {
        Statement made;
        made.op = Op::Repeat;
        made.least = made.most = 2;
        return add(made, {child});
    }

    int rule(const std::string& name, int body) {
        Rule made;
        made.name = name;
        made.body = body;
        form.rules.push_back(made);
        return static_cast<int>(form.rules.size()) - 1;
    }
};

Board board_of_nine() {
    constexpr int kSide = 3;
    constexpr std::array<int, kDirections> kColumns{0, 1, 1, 1, 0, -1, -1, -1};
    constexpr std::array<int, kDirections> kRows{1, 1, 0, -1, -1, -1, 0, 1};
    Board board;
    board.columns = board.rows = kSide;
    board.is_field.assign(9, 1);
    board.neighbours.resize(9);
    for (int field = 0; field < 9; ++field) {
        board.names.push_back(board.algebraic(field));
        for (std::size_t direction = 0; direction < kDirections; ++direction) {
            const int column = field % kSide + kColumns[direction];
            const int row = field / kSide + kRows[direction];
            const bool is_on = column >= 0 && column < kSide && row >= 0 && row < kSide;
            board.neighbours[static_cast<std::size_t>(field)][direction] =
                static_cast<std::int16_t>(is_on ? row * kSide + column : kNone);
        }
    }
    return board;
}

/// main = try move else draw.   three = either two steps one way, or one step each way.
Form tic_tac_toe() {
    FormMaker make;
    make.form.board = board_of_nine();
    make.form.pieces = {{"mark", {'X', 'O'}}};
    make.form.files = {{"tictactoe.mg", "a text"}};
    make.form.start.assign(9, 0);
    make.form.text.resize(2);
    make.form.text[1].kind = TextItem::Kind::Side;
    make.form.text[1].symbols = {'w', 'b'};
    const int own = make.pattern(0, Owner::Own);
    const int empty = make.pattern(Pattern::kEmptyField, Owner::Any);
    const int more = make.add(Op::Sequence, {make.add(Op::Step), make.add(Op::PointsAt, {}, own)});
    const int along = make.add(Op::Sequence, {make.directions(0, 1), make.twice(more)});
    const int back = make.add(Op::Rotate, {}, 4);
    const int far = make.twice(make.add(Op::Step));
    const int across = make.add(
        Op::Sequence, {make.directions(0, 1), make.add(Op::Step), make.add(Op::PointsAt, {}, own),
                       back, far, make.add(Op::PointsAt, {}, own)});
    const int three = make.rule("three", make.add(Op::Either, {along, across}));
    const int won = make.add(
        Op::Try, {make.add(Op::Sequence, {make.add(Op::Test, {make.add(Op::Call, {}, three)}),
                                          make.verdict(Verdict::Win)})});
    const int move = make.add(Op::Sequence,
                              {make.add(Op::Find, {}, empty), make.add(Op::Replace, {}, own), won});
    make.form.main_rule = make.rule("main", make.add(Op::Try, {move, make.verdict(Verdict::Draw)}));
    return make.form;
}

/// Room for the lists of a search.
struct Room {
    std::vector<mg_move> moves = std::vector<mg_move>(16);
    std::vector<mg_change> changes = std::vector<mg_change>(160);
    std::vector<std::array<char, 32>> names = std::vector<std::array<char, 32>>(16);
    std::vector<std::uint32_t> table = std::vector<std::uint32_t>(64);
    mg_list list{};

    Room() {
        list.moves = moves.data();
        list.changes = changes.data();
        list.names = reinterpret_cast<char(*)[32]>(names.data());
        list.table = table.data();
        list.move_room = 16;
        list.change_room = 160;
        list.table_room = 64;
    }
};

std::uint64_t count(const mg_game& game, void* state, int depth) {
    if (depth == 0) return 1;
    Room room;
    REQUIRE(game.moves(state, &room.list, 0) == MG_OK);
    std::uint64_t sum = 0;
    for (std::uint32_t n = 0; n < room.list.move_count; ++n) {
        const mg_move& move = room.moves[n];
        if ((move.flags & MG_CLAIM) != 0 || (move.verdict != MG_NONE && depth > 1)) continue;
        const std::uint64_t before = game.key(state);
        game.apply(state, &room.list, n);
        CHECK(game.key(state) == (before ^ move.key));
        sum += count(game, state, depth - 1);
        game.take_back(state, &room.list, n);
        CHECK(game.key(state) == before);
    }
    return sum;
}

}  // namespace

TEST_CASE("C writer: tic-tac-toe becomes a file that a C compiler takes, and counts its games") {
    const Form form = tic_tac_toe();
    const std::string text = write_c(form, {std::vector<Content>(9, 0), {}});
    CHECK(test::contains(text, "const mg_game *mg_game_v1(void) { return &game; }"));
    const test::TempDir dir;
    std::filesystem::permissions(dir.root(), std::filesystem::perms::owner_all);
    std::ofstream(dir.path("game.c")) << text;
    const std::string object = dir.path("game.so");
    const std::string command =
        "cc -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -o " + object + " " +
        dir.path("game.c");
    REQUIRE(std::system(command.c_str()) == 0);
    std::filesystem::permissions(object, std::filesystem::perms::owner_read);
    const auto program = CompiledProgram::load(object, hash_of_rules(form));
    const mg_game& game = program->game();
    std::vector<std::uint64_t> state(game.state_size / 8 + 1);
    game.start(state.data());
    const std::vector<std::uint64_t> known{9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
    for (std::size_t depth = 1; depth <= 7; ++depth) {
        CHECK(count(game, state.data(), static_cast<int>(depth)) == known[depth - 1]);
    }
    Room room;
    REQUIRE(game.moves(state.data(), &room.list, MG_NAMES) == MG_OK);
    CHECK(std::string(room.list.names[3]) == "a2");
    // X on a1, b1 and O on a2, b2, X to move: c1 wins.
    const std::vector<std::uint8_t> contents{1, 1, 0, 2, 2, 0, 0, 0, 0};
    const std::vector<std::int32_t> values{0};
    game.load(state.data(), contents.data(), values.data(), 0, 3);
    REQUIRE(game.moves(state.data(), &room.list, MG_NAMES) == MG_OK);
    CHECK(room.list.move_count == 5);
    CHECK(std::string(room.list.names[0]) == "c1");
    CHECK(room.moves[0].verdict == MG_WIN);
    CHECK(room.moves[1].verdict == MG_NONE);
    std::array<char, 64> written{};
    CHECK(game.write(state.data(), written.data(), written.size()) == 11);
    CHECK(std::string(written.data()) == "3/OO1/XX1 w");
    // A list with too little room says so.
    room.list.move_room = 2;
    CHECK(game.moves(state.data(), &room.list, 0) == MG_FULL);
}

TEST_CASE("C writer: the hash is that of the program's text") {
    Form form = tic_tac_toe();
    const std::string before = hash_of_rules(form);
    CHECK(before.size() == 64);
    CHECK(hash_of_rules(tic_tac_toe()) == before);
    form.files[0].path = "elsewhere.mg";
    CHECK(hash_of_rules(form) == before);
    form.files[0].text += " ";
    CHECK(hash_of_rules(form) != before);
}

TEST_CASE("C writer: heavy rules are called at run time, so that the C stays short") {
    FormMaker make;
    make.form = tic_tac_toe();
    int rule = make.form.main_rule;
    for (int n = 0; n < 12; ++n) {
        const int call = make.add(Op::Call, {}, rule);
        const int again = make.add(Op::Call, {}, rule);
        const int third = make.add(Op::Call, {}, rule);
        rule = make.rule("r" + std::to_string(n), make.add(Op::Either, {call, again, third}));
    }
    make.form.main_rule = rule;
    // Rules that would be too long where they are called are called at run time.
    const std::string text = write_c(make.form, {std::vector<Content>(9, 0), {}});
    CHECK(test::contains(text, "called(m, rule"));
    CHECK(text.size() < 4'000'000);
}

}  // namespace assay::rules::multigame
