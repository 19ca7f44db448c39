#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// The most bytes of a position's text.
inline constexpr std::size_t kLongestText = 4096;

/// A position between moves. A plain value.
struct State {
    std::vector<Content> board;        // by field
    std::vector<std::int32_t> values;  // by slot
    int side = 0;                      // who moves
    int moves = 1;                     // the number that `moves` shows

    friend bool operator==(const State&, const State&) = default;
};

/// The first position, before `setup`.
[[nodiscard]] State first_state(const Form& form);

/// The text of a position by the program's `text` (SEMANTICS 1.7.1).
[[nodiscard]] std::string text_of(const Form& form, const State& state);

/// Reads what text_of() writes; items may be missing at the end. Throws Error with the reason,
/// which names the item and what was expected.
[[nodiscard]] State state_of(const Form& form, std::string_view text);

}  // namespace assay::rules::multigame
