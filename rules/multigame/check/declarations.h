#pragma once
#include "rules/multigame/check/merged.h"
#include "rules/multigame/syntax/problems.h"

namespace assay::rules::multigame {

/// Fills the form with all that stands outside rules: board, pieces, start, variables, names of
/// players. Zones, texts and counts follow (lower_zone, lower_text, lower_counts).
void lower_declarations(const Merged& program, Form& form, Problems& problems);

/// The zone's fields; reports fields that are not on the board.
[[nodiscard]] Zone lowered_zone(const WrittenZone& written, const Form& form, Problems& problems);

/// REQUIRES: pieces and variables are there.
void lower_text(const Merged& program, Form& form, Problems& problems);

/// Reports a text that cannot be read. REQUIRES: the form is complete but for them.
void lower_counts(const Merged& program, Form& form, Problems& problems);

/// Index by name, or kNone.
[[nodiscard]] int piece_called(const Form& form, const std::string& name);
[[nodiscard]] int variable_called(const Form& form, const std::string& name);

/// "; did you mean 'x'?" among the names of pieces and of variables.
[[nodiscard]] std::string advice_on_piece(const Form& form, const std::string& name);
[[nodiscard]] std::string advice_on_variable(const Form& form, const std::string& name);

/// Reports a picture whose size is not the board's, or with a row of wrong length. False then, and
/// where the board's size is not known.
[[nodiscard]] bool has_board_size(const WrittenPicture& picture, std::string_view what,
                                  const Merged& program, Problems& problems);

/// The content that a symbol of a picture stands for, 0 for '.', kNone for an unknown one.
[[nodiscard]] int content_of_picture(const Form& form, char symbol);

}  // namespace assay::rules::multigame
