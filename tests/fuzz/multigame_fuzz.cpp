// The text of a program: read, checked, dumped, and where it is right played a few plies.
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/interpret/machine.h"

namespace {

using namespace assay::rules::multigame;

void play(const Form& form) {
    // Statements of a list are bounded by the language, but 100 million take seconds here.
    if (form.board.size() > 64 || form.statements.size() > 200) return;
    Machine machine(std::make_shared<Tables>(form));
    MoveList list;
    try {
        for (int ply = 0; ply < 4; ++ply) {
            machine.moves(list, true);
            const State before = machine.state();
            machine.apply(list, 0);
            machine.take_back(list, 0);
            ASSAY_CHECK(machine.state() == before);
            machine.apply(list, 0);
        }
    } catch (const RuleError&) {
        return;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Checked program = checked(files_of_text("fuzz.mg", text));
        ASSAY_CHECK(!program.has_errors || !program.problems.empty());
        if (program.has_errors) return 0;
        ASSAY_CHECK(!dump(program.form).empty());
        play(program.form);
    } catch (const assay::SyntaxError&) {
        return 0;
    }
    return 0;
}
