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

std::optional<OpeningName> opening_name_of(const Game& game, std::string_view start,
                                           std::span<const std::string_view> moves) {
    constexpr std::size_t kMostPlies = 40;  // longer than any line with a name
    const auto position = start.empty() ? game.start() : game.parse(start);
    auto name = game.opening_name(*position);
    for (const std::string_view each : moves.first(std::min(moves.size(), kMostPlies))) {
        const auto move = position->move_of(each, Notation::Canonical);
        if (!move) break;
        position->make(*move);
        if (const auto later = game.opening_name(*position)) name = later;
    }
    return name;
}

}  // namespace assay::rules
