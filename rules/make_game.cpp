#include <array>
#include <string>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/chess/chess_game.h"
#include "rules/game.h"

namespace assay::rules {

std::unique_ptr<Game> make_game(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNames{"chess", "chess960", "fischerandom",
                                                     "standard"};
    if (name == "chess" || name == "standard") {
        return std::make_unique<chess::ChessGame>(chess::Variant::Standard);
    }
    if (name == "chess960" || name == "fischerandom") {
        return std::make_unique<chess::ChessGame>(chess::Variant::Chess960);
    }
    throw Error("unknown game '" + printable_utf8(name) + "'" + did_you_mean(name, kNames));
}

}  // namespace assay::rules
