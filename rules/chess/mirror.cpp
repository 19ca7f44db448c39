// Two positions that differ by colours alone have one theory, so that a book should hold one of
// them: an opening is known by the smaller key of both. The text is turned over, and not the board,
// because that works before a board exists and needs no second maker of positions.
#include "rules/chess/mirror.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/text.h"

namespace assay::rules::chess {

namespace {

constexpr std::size_t kFenFields = 6;

char swapped_case(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
    return to_lower(c);
}

std::string swapped_colours(std::string_view field) {
    std::string out(field);
    std::transform(out.begin(), out.end(), out.begin(), swapped_case);
    return out;
}

std::string turned_board(std::string_view placement) {
    std::string out;
    while (true) {
        const std::size_t slash = placement.rfind('/');
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        out += swapped_colours(placement.substr(begin));
        if (slash == std::string_view::npos) return out;
        out += '/';
        placement = placement.substr(0, slash);
    }
}

/// White's rights come first: "KQk" turned is "Kkq".
std::string turned_rights(std::string_view rights) {
    if (rights == "-") return "-";
    std::string out = swapped_colours(rights);
    std::stable_partition(out.begin(), out.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return out;
}

}  // namespace

std::string mirrored_fen(std::string_view fen) {
    const std::vector<std::string_view> fields = split_words(fen);
    ASSAY_CHECK(fields.size() == kFenFields);
    std::string passant(fields[3]);
    if (passant.size() == 2) passant[1] = static_cast<char>('1' + '8' - passant[1]);
    return turned_board(fields[0]) + (fields[1] == "w" ? " b " : " w ") + turned_rights(fields[2]) +
           " " + passant + " " + std::string(fields[4]) + " " + std::string(fields[5]);
}

}  // namespace assay::rules::chess
