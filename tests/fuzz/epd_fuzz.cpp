// One line of a book as a position, by the rules of chess.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "openings/read/opening_reader.h"
#include "rules/game.h"
#include "rules/make_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto chess = assay::rules::make_game("chess960");
    std::string_view text(reinterpret_cast<const char*>(data), size);
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        const std::string_view line = text.substr(0, newline);
        const auto reading = assay::openings::read_position(line, *chess);
        ASSAY_CHECK(reading.opening.has_value() || !reading.remarks.empty());
        if (reading.opening) {
            // What an opening starts from is a position, and stays the same when it is read again.
            const auto position = chess->parse(reading.opening->start);
            ASSAY_CHECK(position->text() == reading.opening->start);
            ASSAY_CHECK(!position->result());
        }
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    }
    return 0;
}
