#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"
#include "base/clock.h"
#include "rules/game.h"

namespace assay::adapters {

/// The first position found in which rules and program do not have the same moves.
struct RulesDifference {
    std::string text;                  // of the position, as the game writes it
    std::vector<std::string> path;     // moves that led there
    std::vector<std::string> missing;  // moves of the rules that the program lacks
    std::vector<std::string> surplus;  // moves of the program that the rules lack
    std::string command;               // what the program was told, ready to paste
};

struct RulesComparison {
    std::uint64_t nodes = 0;  // sequences of moves that the rules count
    int divides = 0;          // how often the program was asked
    std::optional<RulesDifference> difference;
    std::string trouble;  // the program's, as a fragment: "exited with code 3"; else empty
};

/// Compares the program's move generator with the rules. Both count the sequences of moves below
/// each move (`go perft N`, as Stockfish, Fairy-Stockfish and many others answer it); where a count
/// differs, it is asked again behind that move, down to the position in which the lists of moves
/// differ. A program that declares the variant is told of it. `from` is the position, `from_start`
/// whether it is the game's start. Blocks until it is done; each answer may take `patience`.
[[nodiscard]] RulesComparison compare_rules(const rules::Game& game, const rules::Position& from,
                                            bool from_start, const ProgramSpec& program, int depth,
                                            Micros patience, const Clock& clock);

/// "e2e4: 20" as a move and its count; nullopt for any other line.
[[nodiscard]] std::optional<std::pair<std::string, std::uint64_t>> divide_line(
    std::string_view line);

}  // namespace assay::adapters
