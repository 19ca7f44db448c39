#include "reports/web/board_file.h"

#include <string_view>

#include <fmt/format.h>

#include "harness/record/game.h"
#include "reports/web/charts/charts.h"
#include "reports/web/charts/game_pack.h"
#include "reports/web/page/assets.h"

namespace assay::reports::web {

namespace {

/// The pages' colours, by their names in style.css, in light and in dark.
constexpr std::string_view kStyle =
    "<style>"
    "svg{--sql:#e6e9ec;--sqd:#bcc4cc;--wp:#fff;--bp:#22262b;--pl:#22262b;--bpl:#22262b;"
    "--ink:#22262b;--bg:#fff;background:var(--bg);font:14px sans-serif}"
    "@media(prefers-color-scheme:dark){svg{--sql:#6d7680;--sqd:#4a525b;--wp:#f7f8f9;--bp:#0e1012;"
    "--pl:#0e1012;--bpl:#aab2ba;--ink:#e6e9ec;--bg:#15181b}}"
    "rect.l,rect.p{fill:var(--sql)}rect.d{fill:var(--sqd)}rect.p{stroke:var(--sqd)}"
    "path.bl{fill:none;stroke:var(--ink);stroke-width:1.5}text{fill:var(--ink)}"
    ".co text{font-size:var(--co)}"
    "text.wl,text.bl{font-size:26px;font-weight:bold;paint-order:stroke;stroke-width:3px}"
    "text.wl{fill:var(--wp);stroke:var(--pl)}"
    "text.bl{fill:var(--bp);stroke:var(--bpl);stroke-width:1.5px}"
    ".wp{fill:var(--wp);stroke:var(--pl);stroke-width:1.6;stroke-linejoin:round}"
    ".bp{fill:var(--bp);stroke:var(--bpl);stroke-width:1.2;stroke-linejoin:round}"
    "</style>";

/// What stands between the first tag of an SVG text and its last.
std::string_view inside(std::string_view svg) {
    const std::size_t begin = svg.find('>') + 1;
    return svg.substr(begin, svg.rfind("</svg>") - begin);
}

}  // namespace

std::string piece_symbols(const std::set<std::string>& names) {
    constexpr std::string_view kBegin = "<symbol id=\"piece-";
    std::string symbols;
    std::string_view rest = asset("pieces.svg");
    const std::string_view head = rest.substr(0, rest.find(kBegin));
    for (std::size_t at = rest.find(kBegin); at != std::string_view::npos; at = rest.find(kBegin)) {
        rest.remove_prefix(at);
        const std::string_view symbol = rest.substr(0, rest.find("</symbol>"));
        const std::string_view named = symbol.substr(kBegin.size());
        if (names.contains(std::string(named.substr(0, named.find('"'))))) {
            symbols += fmt::format("{}</symbol>\n", symbol);
        }
        rest.remove_prefix(symbol.size());
    }
    return symbols.empty() ? "" : fmt::format("{}{}</defs></svg>", head, symbols);
}

std::string board_file(const rules::Game& game, const rules::Position& position) {
    harness::GameRecord record;
    record.start = position.text();
    const PackedGame shown = packed(game, record);
    const std::string picture = board_picture(shown, 0, "Board of " + record.start);
    if (picture.empty()) return "";
    const std::string_view head = std::string_view(picture).substr(0, picture.find('>') + 1);
    std::set<std::string> names;
    for (const auto& [letter, piece] : shown.pieces) names.insert(piece);
    const std::string symbols = piece_symbols(names);
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\"{}{}{}{}</svg>\n",
                       head.substr(std::string_view("<svg").size()), kStyle,
                       symbols.empty() ? "" : inside(symbols), inside(picture));
}

}  // namespace assay::reports::web
