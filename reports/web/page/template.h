#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reports::web {

/// The values that fill a template. {{name}} inserts escaped text; {{{name}}} inserts the text
/// unchanged and is only for markup that this program made itself.
struct Values {
    std::map<std::string, std::string> text;
    /// Sections: {{#name}}…{{/name}} is repeated for each element, {{^name}}…{{/name}} stands where
    /// there is none.
    std::map<std::string, std::vector<Values>> lists;

    Values& set(const std::string& name, std::string value);
    /// A command line or other text with names, for {{{name}}}: markup in which no line ends within
    /// a word that contains hyphens ("--db", "ci-7"), but where the word is wider than its column.
    Values& set_command(const std::string& name, std::string_view command);
    /// A section that is shown once or not at all, and that can use the names of this level.
    Values& show(const std::string& name, bool is_shown);
};

/// The markup of set_command().
[[nodiscard]] std::string command_markup(std::string_view command);

/// Fills a mustache template. The text is valid UTF-8 without control characters, safe between tags
/// and in attributes in double quotes. Throws Error where the template is malformed.
[[nodiscard]] std::string filled(std::string_view source, const Values& values);

/// An element of a list of key figures: "name", "value", "note" and "css".
[[nodiscard]] Values key_figure(std::string name, std::string value, std::string note,
                                std::string css = "");

}  // namespace assay::reports::web
