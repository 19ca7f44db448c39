// One case for each statement of the language: a program, a position, and the names of its moves in
// their order; claims are in brackets.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "rules/multigame/form/state.h"
#include "rules/multigame/interpret/rule_error.h"
#include "tests/rules/multigame/programs.h"

namespace multigame_statements {

namespace {

using assay::rules::multigame::RuleError;
using assay::rules::multigame::state_of;
using assay::tests::loaded_text;
using assay::tests::LoadedProgram;
using assay::tests::move_names;

constexpr std::string_view kHead =
    "dimensions (3,3)\n"
    "pieces { man 'M' 'm' king 'K' 'k' wall '#' }\n"
    "zones { far white (a3 .. c3) black (a1 .. c1)  middle (b2) }\n"
    "variables { number n  number each e = 1  field f  volatile field v  local number l }\n";

std::string moves_of(std::string_view rules, std::string_view text) {
    const LoadedProgram program = loaded_text(std::string(kHead) + std::string(rules));
    std::string all;
    for (const std::string& name : move_names(program, state_of(*program.form, text))) {
        all += (all.empty() ? "" : " ") + name;
    }
    return all;
}

std::string error_of(std::string_view rules, std::string_view text) {
    try {
        return "no error: " + moves_of(rules, text);
    } catch (const RuleError& error) {
        return error.what();
    }
}

struct Case {
    const char* what;
    const char* rules;
    const char* text;
    const char* moves;
};

void check(const std::vector<Case>& cases) {
    for (const Case& each : cases) {
        CAPTURE(each.what);
        CAPTURE(each.rules);
        CHECK(moves_of(each.rules, each.text) == each.moves);
    }
}

}  // namespace

TEST_CASE("Multigame statements: finger and direction") {
    check({
        {"find goes row by row from a1", "main = find empty field, replace by own man.",
         "M2/1m1/3 w", "a1 b1 c1 a2 c2 b3 c3"},
        {"step fails at the edge", "main = find own man, north, step, replace by own king.",
         "3/M1M/3 w", "a3 c3"},
        {"alldir is clockwise from north", "main = find own man, alldir, step, replace by own man.",
         "3/1M1/3 w", "b3 c3 c2 c1 b1 a1 a2 a3"},
        {"orthogonal", "main = find own man, orthogonal, step, replace by own man.", "3/1M1/3 w",
         "b3 c2 b1 a2"},
        {"diagonal", "main = find own man, diagonal, step, replace by own man.", "3/1M1/3 w",
         "c3 c1 a1 a3"},
        {"rotate turns clockwise",
         "main = find own man, north, rotate 90, step, replace by own man.", "3/1M1/3 w", "c2"},
        {"the direction is north at the start", "main = find own man, step, replace by own man.",
         "3/1M1/3 w", "b3"},
        {"forward is north for the first side", "main = find own man, forward, step, remove.",
         "1m1/1M1/1m1 w", "xb3"},
        {"forward is south for the second", "main = find own man, forward, step, remove.",
         "1M1/1m1/1M1 b", "xb1"},
        {"backward", "main = find own man, backward, step, remove.", "1m1/1M1/1m1 w", "xb1"},
        {"in a zone of own", "main = find own man, in far, remove.", "M1m/3/M1m w", "xa3"},
        {"in a zone of the enemy", "main = find own man, in enemy far, remove.", "M1m/3/M1m w",
         "xa1"},
    });
}

TEST_CASE("Multigame statements: pieces and the hand") {
    check({
        {"pickup and putdown move and take", "main = find own man, pickup, north, step, putdown.",
         "1m1/1M1/3 w", "b2b3"},
        {"pickup fails on an empty field",
         "main = either [ find empty field, pickup, putdown ] or pass.", "3/3/3 w", "pass"},
        {"remove", "main = find enemy man, remove.", "m2/3/2m w", "xc1 xa3"},
        {"replace names an empty field, and the new piece on another",
         "main = either [ find empty field, in middle, replace by own man ] "
         "or [ find own man, replace by own king ].",
         "M2/3/3 w", "b2 a3k"},
        {"replace by an empty field", "main = find own man, replace by empty field.", "M2/3/3 w",
         "a3"},
        {"a promotion prints the piece alone",
         "main = find own man, pickup, forward, step, putdown, replace by own king.", "3/M2/3 w",
         "a2a3k"},
        {"a piece with one symbol belongs to nobody",
         "main = either [ find wall, remove ] or [ find any piece, pass ].", "#2/1M1/3 w",
         "xa3 pass"},
    });
}

TEST_CASE("Multigame statements: control") {
    check({
        {"either keeps the order",
         "main = either [ find own king, remove ] or [ find own man, remove ].", "M2/K2/3 w",
         "xa2 xa3"},
        {"try decides for each position",
         "main = find own man, try [ north, step, points at enemy man, remove ] else remove.",
         "m2/M1M/3 w", "xa3 xc2"},
        {"a try without else goes on", "main = find own man, try [ find own king ], remove.",
         "M2/3/3 w", "xa3"},
        {"test changes nothing", "main = find own man, test [ north, step, remove ], remove.",
         "m1m/M1M/M2 w", "xa1 xa2 xc2"},
        {"not", "main = find own man, not [ north, step, points at enemy man ], remove.",
         "m2/M1M/3 w", "xc2"},
        {"repeat yields fewer rounds first",
         "main = find own man, north, repeat 0 .. infinity times step, replace by own king.",
         "3/3/M2 w", "a1k a2 a3"},
        {"repeat an exact number",
         "main = find own man, north, repeat 2 times step, replace by own man.", "3/3/M2 w", "a3"},
        {"a slide ends before a piece",
         "main = find own king, east, repeat 0 .. infinity times [ step, points at empty field ], step, remove.",
         "3/3/K1m w", "xc1"},
        {"as enemy", "main = find own man, as enemy [ forward, step ], replace by own king.",
         "3/M2/3 w", "a1"},
        {"recursion",
         "main = find own man, north, climb.\nclimb = step, try climb else replace by own king.",
         "3/3/M2 w", "a3"},
        {"spread", "main = find own king, spread [ orthogonal, step, points at own man ], remove.",
         "M1M/M1M/KM1 w", "xa1 xa2 xb1 xa3"},
        {"most",
         "main = most l : [ find own man, try [ points at own man, in middle, add 1 to l ], remove ].",
         "M2/1M1/3 w", "xb2"},
    });
}

TEST_CASE("Multigame statements: variables and names") {
    check({
        {"check and count",
         "main = try [ check count own man > count enemy man, win \"more\" ] else draw.",
         "M2/3/m1M w", "(win)"},
        {"count in a zone", "main = try [ check count own man in far = 1, win ] else lose.",
         "M2/3/2M w", "(win)"},
        {"set and add", "main = set n to 2, add count own man to n, check n = 3, pass.", "M2/3/3 w",
         "pass"},
        {"mark and goto", "main = find own man, mark f, find own king, goto f, remove.",
         "M2/K2/3 w", "xa3"},
        {"at", "main = find own man, at f, remove.", "M1M/3/3 w f=c3", "xc3"},
        {"goto fails without a field", "main = either [ goto f, remove ] or pass.", "M2/3/3 w",
         "pass"},
        {"write is the whole name",
         "main = find own man, write \"go-\", write field, write piece, remove.", "M2/3/3 w",
         "go-a3M"},
        {"matches", "main = try [ matches { \"M..\" \"?..\" \"...\" }, win ] else draw.",
         "M2/K2/3 w", "(win)"},
    });
}

TEST_CASE("Multigame statements: the knight of the paper's third figure has two moves") {
    // A knight on b8 of the board: the first step leaves the board in the north; of the six ways
    // behind the other three, three leave it with the second step; c6 is own, a6 and d7 remain.
    const LoadedProgram chess = assay::tests::loaded_program("chess.mg");
    std::vector<std::string> found;
    for (const std::string& name :
         move_names(chess, state_of(*chess.form, "1N5k/8/2P5/8/8/8/8/K7 w - - 0 1"))) {
        if (name.starts_with("b8")) found.push_back(name);
    }
    CHECK(found == std::vector<std::string>{"b8d7", "b8a6"});
}

TEST_CASE("Multigame statements: a volatile variable holds for one move") {
    const LoadedProgram program =
        loaded_text(std::string(kHead) +
                    "main = either [ find own man, mark v, north, step, replace by own king ] "
                    "or [ find any piece, at v, remove ].\n");
    assay::rules::multigame::Machine machine(program.tables);
    machine.load(state_of(*program.form, "3/M2/3 w"));
    assay::rules::multigame::MoveList list;
    machine.moves(list, true);
    REQUIRE(list.names == std::vector<std::string>{"a3"});
    machine.apply(list, 0);
    CHECK(text_of(*program.form, machine.state()) == "K2/M2/3 b v=a2");
    machine.moves(list, true);
    REQUIRE(list.names == std::vector<std::string>{"xa2"});
    machine.apply(list, 0);
    CHECK(text_of(*program.form, machine.state()) == "K2/3/3 w");
}

TEST_CASE("Multigame statements: rule errors name rule, line, statements and position") {
    CHECK(
        error_of(
            "main = find own man, walk, remove.\n"
            "walk = forward, repeat 0 .. infinity times [ step, rotate 180 ], points at enemy man.\n",
            "3/M2/3 w")
            .starts_with("t.mg:6:17: error: rule error in 'walk': 100,000 statements in one "
                         "derivation\n"));
    const std::string recursion = error_of(
        "main = find own man, go, remove.\ngo = forward, step, backward, step, go.\n", "3/M2/3 w");
    CHECK(recursion.find("rule error in 'go': calls are nested more than 1,000 deep") !=
          std::string::npos);
    CHECK(recursion.find("\n  after lines 6 6") != std::string::npos);
    CHECK(recursion.ends_with("\n  position 3/M2/3 w"));
    CHECK(error_of("main = find own man, remove.", "3/3/3 w").find("no output") !=
          std::string::npos);
    CHECK(error_of("main = find own man.", "M2/3/3 w").find("is a 'pass' missing?") !=
          std::string::npos);
    CHECK(error_of("main = find own man, write \"x\", remove.", "M1M/3/3 w")
              .find("two moves are called 'x'") != std::string::npos);
    CHECK(error_of("main = set n to 999999999, add n to n, pass.", "3/3/3 w")
              .find("a number beyond 1,000,000,000") != std::string::npos);
    CHECK(error_of("main = find own man, draw, random either 1 : remove or 1 : pass.", "M2/3/3 w")
              .find("a decision has no name before 'random'") != std::string::npos);
    CHECK(error_of("main = repeat 6 times find empty field, replace by own man.", "3/3/3 w")
              .find("more than 65,536 outputs") != std::string::npos);
}

// Where nothing is optimised the hundred million statements take a minute.
#ifdef NDEBUG
TEST_CASE("Multigame statements: a list of moves that takes too long is an error") {
    for (
        const std::string_view rules :
        {"main = repeat 20 times find empty field, points at own man, remove.\n",
         "main = find empty field, test [ repeat 16 times [ alldir, step ], points at own man ], remove.\n"}) {
        for (const bool with_names : {false, true}) {
            const LoadedProgram program = loaded_text(std::string(kHead) + std::string(rules));
            assay::rules::multigame::Machine machine(program.tables);
            assay::rules::multigame::MoveList list;
            std::string error;
            try {
                machine.moves(list, with_names);
            } catch (const RuleError& thrown) {
                error = thrown.what();
            }
            CAPTURE(rules);
            CAPTURE(error);
            CHECK(error.find("100,000,000 statements for one list of moves") != std::string::npos);
            CHECK(error.find("\n  after lines 5") != std::string::npos);
            CHECK(error.ends_with("\n  position 3/3/3 w"));
        }
    }
}
#endif

TEST_CASE("Multigame statements: again says nothing in a game for one") {
    const LoadedProgram program = loaded_text(
        "dimensions (2,1)\nplayers 1\npieces { man 'M' }\nstart { \"M.\" }\n"
        "main = find any man, either remove or [ remove, again ].\n");
    CHECK(move_names(program, state_of(*program.form, "M1")) == std::vector<std::string>{"xa1"});
}

}  // namespace multigame_statements
