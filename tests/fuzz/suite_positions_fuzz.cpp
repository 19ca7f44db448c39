// An EPD file as the positions of a suite, with and without solutions that it must have.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "harness/suite/positions.h"
#include "rules/make_game.h"

namespace {

using assay::harness::SuitePosition;
using assay::rules::Notation;

/// What was read is legal, and the same when it is written and read again.
void check(const SuitePosition& one, const assay::rules::Game& game) {
    const auto position = game.parse(one.text);
    std::string line = one.text;
    for (const auto* const moves : {&one.best, &one.avoid}) {
        if (!moves->empty()) line += moves == &one.best ? " bm" : " am";
        for (const std::string& move : *moves) {
            ASSAY_CHECK(position->move_of(move, Notation::Canonical).has_value());
            line += " " + move;
        }
        if (!moves->empty()) line += ";";
    }
    const auto again = assay::harness::suite_positions_of(line, "again", game, false);
    ASSAY_CHECK(again.size() == 1);
    ASSAY_CHECK(again.front().text == one.text);
    ASSAY_CHECK(again.front().best == one.best);
    ASSAY_CHECK(again.front().avoid == one.avoid);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto chess = assay::rules::make_game("chess");
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const bool needs_solutions : {false, true}) {
        try {
            const auto positions =
                assay::harness::suite_positions_of(text, "fuzz", *chess, needs_solutions);
            ASSAY_CHECK(!positions.empty());
            for (const SuitePosition& one : positions) {
                ASSAY_CHECK(!one.id.empty());
                ASSAY_CHECK(!needs_solutions || one.has_solution());
                check(one, *chess);
            }
        } catch (const assay::SyntaxError& error) {
            for (const assay::Diagnostic& each : error.diagnostics())
                ASSAY_CHECK(each.line >= 1 && each.column >= 1 && !each.message.empty());
        } catch (const assay::Error&) {}
    }
    return 0;
}
