#pragma once
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/plan.h"

namespace assay::harness {

/// What a program is told at its start, in a form that is equal where it is told the same: names of
/// options are the same in capitals and small letters, and their order does not matter.
struct ToldOptions {
    std::vector<std::string> arguments;                        // behind the executable, in order
    std::vector<std::pair<std::string, std::string>> options;  // by name, in small letters

    friend bool operator==(const ToldOptions&, const ToldOptions&) = default;

    /// For keys: a line each.
    [[nodiscard]] std::string text() const;
};

[[nodiscard]] ToldOptions told_options(const ProgramPlan& program);

}  // namespace assay::harness
