#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "openings/read/remark.h"

namespace assay::openings {

/// One operation of EPD, "bm Nf3 Nd4;" (Edwards, "Portable Game Notation Specification and
/// Implementation Guide", 1994, section 16.2). Views into the line.
struct EpdOperation {
    std::string_view opcode;
    std::string_view operands;    // without blanks around them and without the ';'
    bool has_open_quote = false;  // a quote that the line does not close
};

/// Takes the first operation off `rest`, which is what follows the position; nullopt where there is
/// none. A ';' in quotes ends no operation; the last one may lack its ';'.
[[nodiscard]] std::optional<EpdOperation> take_operation(std::string_view& rest);

/// The operands one by one: texts in quotes, without these, and words between blanks or commas.
[[nodiscard]] std::vector<std::string_view> split_operands(std::string_view operands);

/// A position of EPD or FEN, and what is written behind it.
struct EpdLine {
    std::string fen;               // six fields, whether or not the rules accept them
    std::string_view operations;   // a view into the line
    std::optional<Remark> remark;  // set: the line has not that form, and all else is empty
};

/// Splits a line: four fields, then optionally both counters, then optionally operations, of which
/// hmvc and fmvn are counters too; missing ones are 0 and 1.
[[nodiscard]] EpdLine split_epd(std::string_view line);

/// Where a view into `line` begins.
[[nodiscard]] std::size_t offset_in(std::string_view line, std::string_view part);

}  // namespace assay::openings
