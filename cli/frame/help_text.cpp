#include "cli/frame/help_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "reports/view/number_text.h"

namespace assay::cli {

namespace {

constexpr std::size_t kWidth = 96;   // columns of a line
constexpr std::size_t kColumn = 28;  // where descriptions begin
constexpr std::size_t kIndent = 2;

/// Appends the words of `text` to `lines`, whose last line has `at` columns; new lines begin with
/// `indent` spaces.
void append_wrapped(std::string& lines, std::size_t at, std::string_view text, std::size_t indent) {
    bool is_first = true;
    for (const std::string_view word : split_words(text)) {
        const std::size_t wide = reports::columns(word);
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

/// A name and its meaning in a second column, or below a long name. `margin` begins the first line
/// and indents all others.
std::string item(const std::string& name, std::string_view meaning, std::string margin = "") {
    const std::size_t column = margin.size() + kColumn;
    std::string lines = std::move(margin) + std::string(kIndent, ' ') + name;
    std::size_t at = reports::columns(lines);
    if (at + 2 > column) {
        lines += "\n";
        at = 0;
    }
    lines += std::string(column - at, ' ');
    append_wrapped(lines, column, meaning, column);
    return lines;
}

std::string usage(const Command& command, const std::string& path) {
    std::string line = "Usage: " + path + " [OPTIONS]";
    for (const Option* const option : command.options()) {
        if (!option->is_positional()) continue;
        const std::string name = option->value() + (option->is_repeated() ? "..." : "");
        line += option->is_required() ? " " + name : " [" + name + "]";
    }
    if (!command.shown_commands().empty())
        line += command.least_commands() > 0 ? " SUBCOMMAND" : " [SUBCOMMAND]";
    if (!command.handed_on().empty()) line += " " + command.handed_on();
    return line + "\n";
}

std::string option_text(const Option& option, std::string margin = "") {
    std::string name = option.is_positional() ? option.value() : joined(option.flags(), ", ");
    if (!option.is_positional() && option.takes_value()) name += " " + option.value();
    if (option.is_repeated()) name += " ...";
    return item(name, option.meaning(), std::move(margin));
}

/// The headings of flags in the order in which they first stand.
std::vector<std::string> groups_of(const Command& command) {
    std::vector<std::string> groups;
    for (const Option* const option : command.options()) {
        const bool is_new =
            std::find(groups.begin(), groups.end(), option->group()) == groups.end();
        if (!option->is_positional() && is_new) groups.push_back(option->group());
    }
    // --help was added first; its group comes last.
    if (groups.size() > 1) std::rotate(groups.begin(), groups.begin() + 1, groups.end());
    return groups;
}

std::string positionals_text(const Command& command, const std::string& margin) {
    std::string lines;
    for (const Option* const option : command.options())
        if (option->is_positional()) lines += option_text(*option, margin);
    return lines;
}

/// The flags of a group; `margin` stands before the first.
std::string flags_text(const Command& command, const std::string& group, std::string margin) {
    std::string lines;
    for (const Option* const option : command.options()) {
        if (option->is_positional() || option->group() != group) continue;
        lines += option_text(*option, margin);
        margin.assign(margin.size(), ' ');
    }
    return lines;
}

/// Words and flags under two headings; or, where flags have groups, each group behind its name,
/// which takes fewer lines.
std::string options_text(const Command& command) {
    const std::vector<std::string> groups = groups_of(command);
    if (groups.size() == 1) {
        std::string words = positionals_text(command, "");
        if (!words.empty()) words = "\nPositionals:\n" + words;
        return words + "\n" + groups.front() + ":\n" + flags_text(command, groups.front(), "");
    }
    std::size_t wide = 0;
    for (const std::string& group : groups) wide = std::max(wide, group.size());
    std::string lines = "\n" + positionals_text(command, std::string(wide, ' '));
    for (const std::string& group : groups)
        lines += flags_text(command, group, group + std::string(wide - group.size(), ' '));
    return lines;
}

}  // namespace

std::string help_text(const Command& command, const std::string& path) {
    std::string text;
    append_wrapped(text, 0, command.help(), 0);
    text += usage(command, path) + options_text(command);
    if (!command.shown_commands().empty()) text += "\nSubcommands:\n";
    for (const Command* const sub : command.shown_commands())
        text += item(sub->name(), sub->help());
    if (!command.footer().empty()) text += "\n" + command.footer() + "\n";
    return text;
}

}  // namespace assay::cli
