#pragma once
#include <memory>
#include <string_view>

#include "rules/multigame/object/loader.h"

namespace assay::rules::multigame {

/// The compiled rules of a program in rules/multigame/programs/, which are a part of this process
/// like all its code: they were written and compiled when it was built, so that no compiler and no
/// file is needed. `hash` is hash_of_rules(): null where a program has been changed since, is none
/// of them, or where the build left them out. Any thread.
[[nodiscard]] std::shared_ptr<const CompiledProgram> shipped_program(std::string_view hash);

}  // namespace assay::rules::multigame
