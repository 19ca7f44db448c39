#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/commands.h"

namespace assay::cli {

/// What the verbs of `assay rules` are asked for.
struct RulesOptions {
    std::string game;
    std::optional<std::string> text;  // of the position
    int depth = 0;
    bool json = false;
    bool divide = false;
    bool by_name = false;   // of `perft`: other names of a move are moves
    int games = 1000;       // of `check`
    int games_to_play = 1;  // of `play`
    std::uint64_t seed = 1;
    std::string rules = "auto";        // rules_mode.h
    std::string object;                // of `try-object`
    std::string tablebase;             // of `probe`
    std::string output = ".";          // folder, of `build`
    bool c_alone = false;              // of `build`
    bool checks = false;               // of `format`
    bool writes = false;               // of `format`
    bool svg = false;                  // of `board`
    std::optional<std::string> why;    // of `moves`: a move
    std::vector<std::string> program;  // argv
    std::vector<std::string> options;  // NAME=VALUE
};

/// True for the path of a Multigame program.
[[nodiscard]] bool is_rules_file(const std::string& game);

/// The verbs for programs of the rules language. All throw Error where the program is wrong.
void check_program_rules(const RulesOptions& options, Exit& exit);
void count_program_moves(const RulesOptions& options);
void list_program_moves(const RulesOptions& options);
void dump_program(const RulesOptions& options);
/// Prints the program in one style, or writes it to its file, or says (exit code 1) that it is not
/// in that style.
void format_program(const RulesOptions& options, Exit& exit);
/// Writes the program's C, the header of its interface and the shared object into a folder. Throws
/// Error (4) where there is no C compiler.
void build_program(const RulesOptions& options);

/// Exit code 1 where the compiled rules of an object do not play as the interpreter does. It is
/// another process that asks, in case the object crashes.
void try_object(const RulesOptions& options, Exit& exit);

/// The verbs for all games.
void print_board(const RulesOptions& options);
void play_random_games(const RulesOptions& options);
void compare_with_program(const RulesOptions& options, Exit& exit);

}  // namespace assay::cli
