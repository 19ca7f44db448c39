#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rules/game.h"

namespace assay::engines {

/// How a program plays a file of rules.
enum class RulesKind : std::uint8_t {
    Compiled,  // where they ship compiled, or assay has compiled them before, else interpreted
    Interpreted,
};

/// Takes `--rules auto|interpreted` out of the arguments of a program. Throws Error for other words
/// behind `--rules`.
[[nodiscard]] RulesKind take_rules_flag(std::vector<std::string>& arguments);

/// Prints the usage and what can be asked for on standard output where the first argument is
/// `--help` or `-h`; true then.
[[nodiscard]] bool prints_help(const std::vector<std::string>& arguments, const char* text);

/// The game that an argument of a program names: one that rules::make_game() knows, or else a file
/// with rules. Throws Error.
[[nodiscard]] std::unique_ptr<rules::Game> game_of(const std::string& argument,
                                                   RulesKind rules = RulesKind::Compiled);

}  // namespace assay::engines
