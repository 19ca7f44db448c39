#include "rules/line.h"

#include <memory>
#include <utility>

namespace assay::rules {

std::optional<std::string> text_after(const Game& game, std::string_view start,
                                      std::span<const std::string> moves) {
    auto position = game.parse(start);
    for (const std::string& each : moves) {
        if (each == "none") continue;
        if (each == "0000") {
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
