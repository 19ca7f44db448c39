#pragma once
#include <string>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// The first position of a game.
struct FirstPosition {
    std::vector<Content> contents;  // by field
    std::vector<int> values;        // by slot
    bool is_before_setup = false;   // `setup` draws, and has not been run
};

/// The hash of a program as the C written for it has it (mg_game.hash): of the program's files, the
/// interface, and the sources that write C. SHA-256 in hex.
[[nodiscard]] std::string hash_of_rules(const Form& form);

/// The program as one C99 file that defines mg_game_v1() (rules/multigame/multigame.h, whose text
/// it contains). `start` is loaded by mg_game.start(). Throws Error for a program that is too large
/// to be compiled.
[[nodiscard]] std::string write_c(const Form& form, const FirstPosition& start);

}  // namespace assay::rules::multigame
