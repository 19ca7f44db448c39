#include "rules/line.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace assay::rules {

bool is_no_move(std::string_view text) {
    return text.empty() || text == "none" || text == "--";
}

std::optional<std::string> text_after(const Game& game, std::string_view start,
                                      std::span<const std::string> moves) {
    const std::vector<std::string>& null_moves = game.info().null_moves;
    auto position = game.parse(start);
    for (const std::string& each : moves) {
        if (is_no_move(each)) continue;
        if (std::ranges::find(null_moves, each) != null_moves.end()) {
            auto passed = position->passed();
            if (passed == nullptr) return std::nullopt;
            position = std::move(passed);
            continue;
        }
        const auto move = position->move_of(each, Notation::Canonical);
        if (!move) return std::nullopt;
        position->make(*move);
    }
    return position->text();
}

}  // namespace assay::rules
