#include "rules/line.h"

#include <memory>
#include <utility>

namespace assay::rules {

bool is_no_move(std::string_view text) {
    return text.empty() || text == "none" || text == "--";
}

bool is_null_move(std::string_view text) {
    return text == "0000" || text == "null" || text == "@@@@";
}

std::optional<std::string> text_after(const Game& game, std::string_view start,
                                      std::span<const std::string> moves) {
    auto position = game.parse(start);
    for (const std::string& each : moves) {
        if (is_no_move(each)) continue;
        if (is_null_move(each)) {
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
