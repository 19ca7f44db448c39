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
    int games = 1000;       // of `check`
    int games_to_play = 1;  // of `play`
    std::uint64_t seed = 1;
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

/// The verbs for all games.
void print_board(const RulesOptions& options);
void play_random_games(const RulesOptions& options);
void compare_with_program(const RulesOptions& options, Exit& exit);

}  // namespace assay::cli
