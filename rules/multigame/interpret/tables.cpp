#include "rules/multigame/interpret/tables.h"

#include "base/random.h"

namespace assay::rules::multigame {

Tables::Tables(const Form& form)
    : code(code_of(form)), words((form.board.size() + 63) / 64), form_(form) {
    contents.resize(form.patterns.size() * 2);
    matching_.assign(form.patterns.size() * 2 * kContents, 0);
    for (std::size_t pattern = 0; pattern < form.patterns.size(); ++pattern) {
        for (int own = 0; own < 2; ++own) {
            const std::size_t row = pattern * 2 + static_cast<std::size_t>(own);
            for (std::size_t content = 0; content <= 2 * form.pieces.size(); ++content) {
                const auto value = static_cast<Content>(content);
                if (!multigame::matches(form, form.patterns[pattern], value, own)) continue;
                matching_[row * kContents + content] = 1;
                contents[row].push_back(value);
            }
        }
    }
    field_keys_.resize(form.board.size() * kContents);
    for (std::size_t n = 0; n < field_keys_.size(); ++n)
        field_keys_[n] = mix64(std::uint64_t{n} + 1);
    is_identity.assign(static_cast<std::size_t>(form.slots), 0);
    for (const Variable& each : form.variables) {
        for (int side = 0; side < each.values(); ++side) {
            item(is_identity, each.read_slot(side)) = !each.is_silent && !each.is_local ? 1 : 0;
        }
    }
}

std::uint64_t Tables::slot_key(std::size_t slot, std::int32_t value) const {
    if (is_identity[slot] == 0) return 0;
    return mix64(((std::uint64_t{slot} + 1) << 32U) ^ static_cast<std::uint32_t>(value));
}

}  // namespace assay::rules::multigame
