#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reports::web {

/// What a template is filled with. Text is escaped where the template says {{name}} and stands as
/// it is at {{{name}}}, which is for markup of our own making only.
struct Values {
    std::map<std::string, std::string> text;
    /// Sections: {{#name}}…{{/name}} is repeated for each element, {{^name}}…{{/name}} stands where
    /// there is none.
    std::map<std::string, std::vector<Values>> lists;

    Values& set(const std::string& name, std::string value);
    /// A section that stands once or not at all, and sees this level's names.
    Values& show(const std::string& name, bool is_shown);
};

/// A filled mustache template. Text comes out as valid UTF-8 without control characters, safe
/// between tags and in attributes in double quotes. Throws Error where the template itself is
/// wrong.
[[nodiscard]] std::string filled(std::string_view source, const Values& values);

}  // namespace assay::reports::web
