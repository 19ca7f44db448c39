#include "rules/line.h"

#include <memory>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::rules {

namespace {

/// FEN with the other side to move: en passant is gone, the counters go on.
std::optional<std::string> after_null_move(const std::string& fen) {
    const std::vector<std::string_view> fields = split_words(fen);
    if (fields.size() != 6) return std::nullopt;
    const auto quiet = to_number<int>(fields[4]);
    const auto number = to_number<int>(fields[5]);
    if (!quiet || !number) return std::nullopt;
    const bool is_white = fields[1] == "w";
    std::string out(fields[0]);
    out += is_white ? " b " : " w ";
    out += std::string(fields[2]) + " - " + std::to_string(*quiet + 1) + " ";
    return out + std::to_string(is_white ? *number : *number + 1);
}

}  // namespace

std::optional<std::string> text_after(const Game& game, std::string_view start,
                                      std::span<const std::string> moves) {
    auto position = game.parse(start);
    for (const std::string& each : moves) {
        if (each == "none") continue;
        if (each == "0000") {
            const auto passed = after_null_move(position->text());
            if (!passed) return std::nullopt;
            try {
                position = game.parse(*passed);
            } catch (const Error&) {
                return std::nullopt;  // the side that passed was in check
            }
            continue;
        }
        const auto move = position->move_of(each, Notation::Protocol);
        if (!move) return std::nullopt;
        position->make(*move);
    }
    return position->text();
}

}  // namespace assay::rules
