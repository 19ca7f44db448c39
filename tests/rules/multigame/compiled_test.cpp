// Compiled rules and the interpreter give the same lists, names and keys.
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "rules/multigame/object/agreement.h"
#include "rules/multigame/object/compiled_machine.h"
#include "rules/multigame/play/played_rules.h"
#include "tests/rules/multigame/compiled_program.h"
#include "tests/support/contains.h"
#include "tests/support/how_many.h"

namespace assay::tests {

namespace {

namespace mg = rules::multigame;

/// The position that the interpreter's reader makes of a text, or nullopt.
std::optional<mg::State> read_slowly(const mg::Form& form, const std::string& text) {
    try {
        return mg::state_of(form, text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

TEST_CASE("Compiled rules: random positions of every program are the interpreter's") {
    for (const std::string& name : shipped_programs()) {
        CAPTURE(name);
        const LoadedProgram program = loaded_program(name);
        // The C compiler takes longer than the positions do. Optimised objects are compared where
        // the shipped programs are.
        const auto compiled = test::is_long() ? compiled_rules(program.tables)
                                              : compiled_rules(program.tables, "cc -O0");
        CHECK(mg::disagreement(program.tables, compiled,
                               test::is_long() ? 10'000 : test::how_many(100, 300), 7) == "");
    }
}

TEST_CASE("Compiled rules: texts of positions that were changed are read or refused alike") {
    for (const std::string name : {"chess.mg", "checkers.mg", "othello.mg", "threecheck.mg",
                                   "morris.mg", "darkchess.mg", "puzzle15.mg"}) {
        CAPTURE(name);
        const LoadedProgram program = loaded_program(name);
        mg::CompiledMachine machine(compiled_rules(program.tables, "cc -O0"));
        const std::string text = machine.text();
        Random random(3);
        int accepted = 0;
        for (int n = 0; n < 3000; ++n) {
            std::string changed = text;
            for (std::uint64_t times = random.below(3); times < 3; ++times) {
                const std::size_t at = random.below(changed.size() + 1);
                const char from = text[random.below(text.size())];
                switch (random.below(4)) {
                    case 0:
                        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), from);
                        break;
                    case 1:
                        changed = changed.substr(0, at);
                        break;
                    case 2:
                        changed += std::string(n % 2 == 0 ? " " : ",") + from + "=1";
                        break;
                    default:
                        if (at < changed.size()) changed[at] = from;
                }
            }
            const auto slow = read_slowly(*program.form, changed);
            const mg::State before = machine.state();
            const bool is_read = machine.read(changed);
            REQUIRE_MESSAGE(is_read == slow.has_value(), changed);
            REQUIRE_MESSAGE(machine.state() == (slow ? *slow : before), changed);
            accepted += is_read ? 1 : 0;
        }
        CHECK(accepted > 10);
    }
}

TEST_CASE("Compiled rules: sanitizers find nothing in random games of the C files") {
    // All programs with ASSAY_LONG; else one for each thing that only some programs use.
    const std::vector<std::string> few{"checkers.mg", "connect6.mg",   "darkchess.mg",
                                       "hex5.mg",     "draughts10.mg", "puzzle15.mg"};
    for (const std::string& name : test::is_long() ? shipped_programs() : few) {
        CAPTURE(name);
        const LoadedProgram program = loaded_program(name);
        const test::TempDir dir;
        std::ofstream(dir.path("game.c"))
            << mg::write_c(*program.form, mg::first_position(program.tables));
        const std::string command =
            "gcc -std=c99 -O0 -g -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined "
            "-fno-sanitize-recover=all -I " ASSAY_SOURCE_DIR "/rules/multigame -o " +
            dir.path("games") + " " + dir.path("game.c") +
            " " ASSAY_SOURCE_DIR "/tests/rules/multigame/random_games.c && " + dir.path("games") +
            (test::is_long() ? " 100" : " 5");
        CHECK(std::system(command.c_str()) == 0);
    }
}

TEST_CASE("Compiled rules: gcc, clang and tcc take the C file without a warning, and agree") {
    for (const std::string compiler : {"gcc -O2", "clang -O1", "tcc"}) {
        CAPTURE(compiler);
        // In nim everything is a variable, and no field is ever asked about.
        for (const std::string& path :
             {program_path("checkers.mg"), program_path("darkchess.mg"), program_path("hex5.mg"),
              std::string(ASSAY_TEST_DATA "/multigame/programs/nim.mg")}) {
            CAPTURE(path);
            const LoadedProgram program = loaded_file(path);
            CHECK(mg::disagreement(program.tables, compiled_rules(program.tables, compiler), 60,
                                   3) == "");
        }
    }
}

TEST_CASE(
    "Compiled rules: a test in a loop over fields is asked for all of them only where it may") {
    struct Case {
        const char* main;
        bool is_asked_before;
    };

    const std::string head =
        "dimensions (4,3)\npieces { man 'W' 'B' }\nstart white { \"W..B\" \".B..\" \"B..W\" }\n"
        "variables { field here }\n";
    const std::vector<Case> cases{
        // What stands on the field itself is not looked at.
        {"try [ find empty field, replace by own man,\n"
         "      try [ test [ alldir, repeat 2 times [ step, points at own man ] ], win ] ] else draw.",
         true},
        {"try [ find own man, remove, try [ not [ either north or [ east, step ], step, points at "
         "enemy man ], lose ] ] else draw.",
         true},
        // The finger comes back to the field.
        {"try [ find empty field, replace by own man,\n"
         "      try [ test [ east, step, rotate 180, step, points at own man ], win ] ] else draw.",
         false},
        {"try [ find empty field, replace by own man, try [ test points at own man, win ] ] else draw.",
         false},
        // Another field has changed.
        {"try [ find empty field, mark here, alldir, step, try [ points at enemy man, remove ],\n"
         "      goto here, replace by own man, try [ test [ east, step, points at enemy man ], win ] ]\n"
         "else draw.",
         false},
        // A loop in a loop, behind a change of the outer one.
        {"try [ find empty field, replace by own man, find enemy man, remove,\n"
         "      try [ test [ alldir, step, points at own man ], win ] ] else draw.",
         true},
    };
    for (const Case& each : cases) {
        CAPTURE(each.main);
        std::string text = head + "main = " + each.main + "\n";
        if (text.find("mark here") == std::string::npos) {
            text.erase(text.find("variables"), text.find("main") - text.find("variables"));
        }
        const LoadedProgram program = loaded_text(text);
        const std::string c = mg::write_c(*program.form, mg::first_position(program.tables));
        CHECK(test::contains(c, "const uint64_t set") == each.is_asked_before);
        CHECK(mg::disagreement(program.tables, compiled_rules(program.tables, "tcc"), 500, 7) ==
              "");
    }
}

TEST_CASE("Compiled rules: a test slides only where what it looks for may stand") {
    struct Case {
        const char* test;
        bool is_asked_first;
    };

    const std::string head =
        "dimensions (6,5)\npieces { king 'K' 'k' man 'W' 'B' }\n"
        "start white { \"..k.B.\" \"B...W.\" \".B..W.\" \"W...B.\" \"..K.W.\" }\n"
        "variables { field here }\nzones { edge white (a1 .. a5) black (f1 .. f5) }\n"
        "main = try [ find own king, alldir, step, not points at own piece, try [ points at enemy "
        "piece, remove ], mark here, find own king, pickup, goto here, putdown, not attacked ]\n"
        "       else try [ find own man, remove, try [ attacked, win ] ] else draw.\n"
        "attacked = test [ find own king, ";
    const std::vector<Case> cases{
        {"orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step, points at "
         "enemy man",
         true},
        {"diagonal, repeat 1 .. 2 times [ step, points at empty field ], either points at enemy man "
         "or points at own man",
         true},
        {"diagonal, repeat 1 .. 2 times [ step, not points at own man ], either points at enemy man "
         "or points at enemy king",
         true},
        {"forward, repeat 0 .. infinity times [ step, points at empty field ], either rotate 45 or "
         "rotate -45, step, points at enemy man",
         true},
        {"alldir, try [ step, points at empty field ], repeat 0 .. 1 times step, not in edge, step, "
         "points at enemy man",
         true},
        {"east, repeat 0 .. infinity times step, north, repeat 2 .. 3 times step, points at enemy man",
         true},
        {"orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step,\n"
         "either points at enemy king or [ points at any piece, repeat 1 .. infinity times [ step, "
         "not points at any king ], points at enemy man ]",
         true},
        {"diagonal, step, points at empty field, either rotate 45 or rotate -45, step, points at enemy "
         "man",
         true},
        // One way of several asks for no content.
        {"orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step,\n"
         "either points at enemy man or in edge",
         false},
        // Nearly always there is an empty field.
        {"orthogonal, repeat 0 .. infinity times [ step, points at enemy man ], step, points at empty "
         "field",
         false},
        // What is looked for may be what the test itself has put there.
        {"pickup, orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step, "
         "putdown, points at own king",
         false},
        // It may be led anywhere.
        {"orthogonal, repeat 0 .. infinity times [ step, points at empty field ], find own man, step, "
         "points at enemy man",
         false},
    };
    for (const Case& each : cases) {
        CAPTURE(each.test);
        const LoadedProgram program = loaded_text(head + each.test + " ].\n");
        const std::string c = mg::write_c(*program.form, mg::first_position(program.tables));
        CHECK(test::contains(c, "static const uint64_t reach") == each.is_asked_first);
        CHECK(mg::disagreement(program.tables, compiled_rules(program.tables, "tcc"), 500, 7) ==
              "");
    }
}

TEST_CASE("Compiled rules: what runs away is a fault, and the interpreter says which") {
    for (const std::string name :
         {"runaway_recursion", "runaway_repeat", "runaway_test", "one_name_two_moves"}) {
        CAPTURE(name);
        const std::string path = ASSAY_SOURCE_DIR "/tests/data/multigame/bad/" + name + ".mg";
        const auto tables = loaded(mg::files_of(path, mg::read_rules_file));
        mg::CompiledMachine machine(compiled_rules(tables.tables));
        mg::MoveList list;
        CHECK(!machine.moves(list, true));
        mg::PlayedRules both(tables.tables, compiled_rules(tables.tables));
        CHECK_THROWS_AS(both.moves(list, true), mg::RuleError);
    }
}

}  // namespace assay::tests
