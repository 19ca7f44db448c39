#pragma once
#include <string>
#include <string_view>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// Functions of the interface that write and read a position as its text: what text_of() and
/// state_of() do, without the words of messages. They stand behind the functions of a state.
extern const std::string_view kRuntimeText;

/// The tables of a program that they use.
[[nodiscard]] std::string text_tables(const Form& form);

}  // namespace assay::rules::multigame
