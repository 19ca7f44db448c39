#include "rules/multigame/shipped/shipped_rules.h"

#include "rules/multigame/shipped/shipped_table.h"

namespace assay::rules::multigame {

std::shared_ptr<const CompiledProgram> shipped_program(std::string_view hash) {
    for (const ShippedEntry entry : shipped_table()) {
        const mg_game* const game = entry();
        if (hash == game->hash) return std::make_shared<const CompiledProgram>(*game);
    }
    return nullptr;
}

}  // namespace assay::rules::multigame
