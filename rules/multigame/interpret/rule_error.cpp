#include "rules/multigame/interpret/rule_error.h"

#include <algorithm>

#include <fmt/format.h>

namespace assay::rules::multigame {

namespace {

constexpr std::size_t kShownStatements = 12;

std::string message_of(const Form& form, int statement, const std::string& what,
                       const std::vector<int>& path, const std::string& position) {
    const Statement& at = item(form.statements, statement);
    const FormFile& file = item(form.files, at.place.file);
    std::string out = format(
        Source(file.path, file.text)
            .at_line(static_cast<std::size_t>(at.place.line),
                     static_cast<std::size_t>(at.place.column),
                     static_cast<std::size_t>(at.place.width),
                     fmt::format("rule error in '{}': {}", item(form.rules, at.rule).name, what)));
    if (!path.empty()) {
        out += "  after lines";
        for (std::size_t n = path.size() - std::min(path.size(), kShownStatements); n < path.size();
             ++n) {
            out += fmt::format(" {}", item(form.statements, path[n]).place.line);
        }
        out += '\n';
    }
    return out + "  position " + position;
}

}  // namespace

RuleError::RuleError(const Form& form, int statement, const std::string& what,
                     const std::vector<int>& path, const std::string& position)
    : Error(message_of(form, statement, what, path, position), 4),
      place_(item(form.statements, statement).place) {}

}  // namespace assay::rules::multigame
