#include "cli/frame/help_format.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/text.h"
#include "cli/frame/command_tree.h"

namespace assay::cli {

namespace {

constexpr std::size_t kWidth = 96;   // columns of a line
constexpr std::size_t kColumn = 28;  // where descriptions begin
constexpr std::size_t kIndent = 2;

/// Columns that a text takes: its characters, not its bytes.
std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

/// The words of `text` behind what already stands in `lines`, whose last one has `at` columns; new
/// lines begin with `indent` blanks.
void append_wrapped(std::string& lines, std::size_t at, std::string_view text, std::size_t indent) {
    bool is_first = true;
    for (const std::string_view word : split_words(text)) {
        const std::size_t wide = columns_of(word);
        if (!is_first && at + 1 + wide > kWidth) {
            lines += "\n" + std::string(indent, ' ');
            at = indent;
        } else if (!is_first) {
            lines += ' ';
            ++at;
        }
        lines += word;
        at += wide;
        is_first = false;
    }
    lines += '\n';
}

/// A name and, in a column beside or below it, what it means.
std::string item(const std::string& name, std::string_view meaning) {
    std::string lines = std::string(kIndent, ' ') + name;
    std::size_t at = columns_of(lines);
    if (at + 2 > kColumn) {
        lines += "\n";
        at = 0;
    }
    lines += std::string(kColumn - at, ' ');
    append_wrapped(lines, kColumn, meaning, kColumn);
    return lines;
}

}  // namespace

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
    const std::string value = value_of(*option);
    std::string name = is_positional ? value : joined(flags_of(*option), ", ");
    if (!is_positional && !value.empty()) name += " " + value;
    if (is_repeated(*option)) name += " ...";
    std::string meaning = option->get_description();
    // A word that must stand there is seen from the usage line.
    if (option->get_required() && !is_positional) meaning += " (required)";
    if (!option->get_default_str().empty())
        meaning += " (default " + option->get_default_str() + ")";
    return item(name, meaning);
}

std::string HelpFormat::make_option_usage(const CLI::Option* option) const {
    const std::string name = value_of(*option) + (is_repeated(*option) ? "..." : "");
    return option->get_required() ? name : "[" + name + "]";
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
    return item(command->get_name(), command->get_description());
}

std::string HelpFormat::make_description(const CLI::App* command) const {
    std::string lines;
    append_wrapped(lines, 0, command->get_description(), 0);
    return lines;
}

}  // namespace assay::cli
