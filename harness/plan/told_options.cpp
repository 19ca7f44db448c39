#include "harness/plan/told_options.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace assay::harness {

std::string ToldOptions::text() const {
    std::string text;
    for (const std::string& argument : arguments) text += argument + "\n";
    for (const auto& [name, value] : options) text += name + "=" + value + "\n";
    return text;
}

ToldOptions told_options(const ProgramPlan& program) {
    ToldOptions told;
    if (!program.command.empty())
        told.arguments.assign(std::next(program.command.begin()), program.command.end());
    for (const auto& [name, value] : program.options) told.options.emplace_back(lower(name), value);
    std::ranges::sort(told.options);
    return told;
}

}  // namespace assay::harness
