// The text of a position, then names of moves, one a line, in a program with every kind of item.
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/multigame/play/multigame_game.h"

namespace {

using namespace assay::rules;

constexpr std::string_view kProgram = R"(
dimensions (4,3)
fields { "####" "#-##" "####" }
pieces { man 'M' 'm' king 'K' 'k' wall '*' }
start white { "mk.." "...." "..KM" }
variables { number each short = 1 volatile field last silent number clock = 0 number each n = 2 field f }
text { board side 'w' 'b' flags short 'S' 's' field last number clock number n word "-" moves }
main = try move else draw "no move".
move = either find own man or find own king, set own short to 0, mark last, mark f, add 1 to clock,
       pickup, alldir, step, not points at own piece, putdown.
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::unique_ptr<Game> game =
        multigame::make_game_of_rules("fuzz", "fuzz.mg", kProgram);
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    try {
        const auto position = game->parse(assay::take_line(rest));
        const std::string text = position->text();
        ASSAY_CHECK(game->parse(text)->text() == text);
        for (int line = 0; line < 20 && !rest.empty(); ++line) {
            const auto move = position->move_of(assay::take_line(rest), Notation::Canonical);
            if (!move || position->to_move() == kNobody) continue;
            ASSAY_CHECK(position->is_legal(*move));
            position->make(*move);
        }
    } catch (const assay::Error&) {
        return 0;
    }
    return 0;
}
