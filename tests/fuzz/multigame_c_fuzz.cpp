// The text of a program: formatted, and where it is right written as C.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/form/state.h"
#include "rules/multigame/syntax/formatter.h"

namespace {

using namespace assay::rules::multigame;

/// Formatting keeps the words, and does nothing the second time.
void format(std::string_view text) {
    std::string made;
    try {
        made = formatted("fuzz.mg", text);
    } catch (const assay::SyntaxError&) {
        return;
    }
    ASSAY_CHECK(formatted("fuzz.mg", made) == made);
}

void write(std::string_view text) {
    const Checked program = checked(files_of_text("fuzz.mg", text));
    if (program.has_errors) return;
    const State first = first_state(program.form);
    const bool draws = program.form.setup_rule != kNone;
    try {
        const std::string c = write_c(program.form, {first.board, first.values, draws});
        ASSAY_CHECK(c.find("mg_game_v1") != std::string::npos);
    } catch (const assay::Error&) {
        return;  // too large
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    format(text);
    try {
        write(text);
    } catch (const assay::SyntaxError&) {
        return 0;
    }
    return 0;
}
