// A PGN file: ranges in order, views inside the text, skip() as next(), and openings that the rules
// can replay.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "openings/read/opening_reader.h"
#include "openings/read/pgn_reader.h"
#include "rules/game.h"
#include "rules/make_game.h"

namespace {

using assay::openings::PgnGame;

bool is_inside(std::string_view text, std::string_view part) {
    return part.empty() ||
           (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
}

void check_game(std::string_view text, const PgnGame& game) {
    ASSAY_CHECK(game.begin <= game.end && game.end <= text.size());
    for (const auto& tag : game.tags) {
        ASSAY_CHECK(is_inside(text, tag.name) && is_inside(text, tag.value));
        ASSAY_CHECK(tag.offset >= game.begin && tag.offset < game.end);
    }
    for (const auto& move : game.moves) {
        ASSAY_CHECK(is_inside(text, move.san) && is_inside(text, move.comment));
        ASSAY_CHECK(text.substr(move.offset, move.san.size()) == move.san);
    }
    for (const auto& fault : game.faults) ASSAY_CHECK(fault.offset < text.size());
}

void check_opening(const PgnGame& game) {
    static const auto chess = assay::rules::make_game("chess");
    const auto reading = read_game(game, 40, *chess);
    ASSAY_CHECK(reading.opening.has_value() || !reading.remarks.empty());
    if (!reading.opening) return;
    const auto position =
        reading.opening->start.empty() ? chess->start() : chess->parse(reading.opening->start);
    for (const auto& name : reading.opening->moves) {
        const auto move = position->move_of(name, assay::rules::Notation::Canonical);
        ASSAY_CHECK(move.has_value());
        position->make(*move);
    }
    ASSAY_CHECK(!position->result());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    assay::openings::PgnReader reads(text);
    assay::openings::PgnReader skips(text);
    PgnGame game;
    PgnGame skipped;
    std::size_t end = 0;
    while (reads.next(game)) {
        ASSAY_CHECK(skips.skip(skipped));
        ASSAY_CHECK(skipped.begin == game.begin && skipped.end == game.end);
        ASSAY_CHECK(skipped.is_complete == game.is_complete);
        ASSAY_CHECK(game.begin >= end && game.end > end);
        end = game.end;
        check_game(text, game);
        check_opening(game);
    }
    ASSAY_CHECK(!skips.skip(skipped));
    return 0;
}
