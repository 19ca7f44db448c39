#include "cli/frame/help_page.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/values.h"

namespace assay::cli {

namespace {

// --- troff ---

/// The character that begins at `at`, and how many bytes it has; a broken one is U+FFFD.
std::pair<unsigned, std::size_t> character_at(std::string_view text, std::size_t at) {
    const auto byte = [text, at](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(text[at + i]));
    };
    const unsigned lead = byte(0);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + size > text.size()) return {0xFFFD, text.size() - at};
    if (size == 1) return {lead, 1};
    unsigned value = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) value = value << 6U | (byte(i) & 0x3FU);
    return {value, size};
}

/// Text that troff prints as it is: no escapes, no requests, hyphens that can be copied, ASCII.
std::string troff(std::string_view text) {
    std::string result;
    bool is_line_start = true;
    for (std::size_t at = 0; at < text.size();) {
        const auto [value, size] = character_at(text, at);
        const char c = text[at];
        if (is_line_start && (c == '.' || c == '\'')) result += "\\&";
        is_line_start = c == '\n';
        if (value >= 0x80) {
            result += fmt::format("\\[u{:04X}]", value);
        } else if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
        at += size;
    }
    return result;
}

std::string man_options(const Command& app) {
    std::string text;
    for (const Option* const option : app.options()) {
        const std::string value = option->value() + (option->is_repeated() ? "..." : "");
        text += ".TP\n";
        if (option->is_positional()) {
            text += "\\fI" + troff(value) + "\\fR\n";
        } else {
            text += "\\fB" + troff(joined(option->flags(), ", ")) + "\\fR";
            text += value.empty() ? "\n" : " \\fI" + troff(value) + "\\fR\n";
        }
        const std::string meaning = option->meaning();
        text += troff(meaning.empty() ? "see above" : meaning) + "\n";
    }
    return text;
}

std::string man_synopsis(const Entry& entry) {
    std::string text = "\\fBassay " + troff(entry.path) + "\\fR";
    bool has_flags = false;
    for (const Option* const option : entry.command->options()) {
        if (!option->is_positional()) {
            has_flags = true;
            continue;
        }
        const std::string name =
            "\\fI" + troff(option->value()) + "\\fR" + (option->is_repeated() ? "..." : "");
        text += option->is_required() ? " " + name : " [" + name + "]";
    }
    if (has_flags) text += " [\\fIoptions\\fR]";
    // What it hands on is another program's.
    if (!entry.command->handed_on().empty()) text += " \\fIPROGRAM\\fR [\\fIARG\\fR...]";
    return text;
}

}  // namespace

std::string man_page(const Command& app, const std::string& version) {
    const std::vector<Entry> entries = entries_of(app);
    std::string text = ".TH ASSAY 1 \"\" \"assay " + troff(version) + "\" \"User Commands\"\n";
    text += ".SH NAME\nassay \\- test game\\-playing programs\n.SH SYNOPSIS\n";
    for (const Entry& entry : entries) {
        const bool is_whole = entry.command->least_commands() == 0;
        if (is_whole) text += man_synopsis(entry) + "\n.br\n";
    }
    text += ".SH DESCRIPTION\n" + troff(app.help()) + "\n" + man_options(app);
    text += ".SH COMMANDS\n";
    for (const Entry& entry : entries) {
        text += ".SS \"assay " + troff(entry.path) + "\"\n";
        text += troff(entry.command->help()) + "\n" + man_options(*entry.command);
        const std::string footer = entry.command->footer();
        if (!footer.empty()) text += ".PP\n.nf\n" + troff(footer) + "\n.fi\n";
    }
    return text;
}

// --- shells ---

namespace {

/// Words of one place of the command line: subcommands, then flags.
std::string words_at(const Command& app) {
    std::vector<std::string> words;
    for (const Command* const sub : app.shown_commands()) words.push_back(sub->name());
    for (const Option* const option : app.options()) {
        for (const std::string& flag : option->flags()) words.push_back(flag);
    }
    return joined(words, " ");
}

/// Within single quotes of any of the three shells.
std::string escaped_quotes(std::string_view text, std::string_view quote) {
    std::string result;
    for (const char c : text) {
        if (c == '\'') {
            result += quote;
        } else {
            result += c;
        }
    }
    return result;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

std::string bash_completion(const Command& app) {
    std::string words = "        '') words='" + words_at(app) + "' ;;\n";
    std::string paths;
    std::string values;
    for (const Entry& entry : entries_of(app)) {
        paths += (paths.empty() ? "'" : " | '") + entry.path + "'";
        words += "        '" + entry.path + "') words='" + words_at(*entry.command) + "' ;;\n";
        for (const Option* const option : entry.command->options()) {
            if (!option->takes_value() || option->is_positional()) continue;
            const std::vector<std::string> choices = option->check().choices;
            for (const std::string& flag : option->flags()) {
                values += "        '" + entry.path + " " + flag + "') ";
                values +=
                    choices.empty() ? "files=1 ;;\n" : "words='" + joined(choices, " ") + "' ;;\n";
            }
        }
    }
    return R"(# bash completion of assay; made from the program itself
_assay() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' next word words='' files=''
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        next=${command:+$command }$word
        case $next in
        )" +
           paths + R"() command=$next ;;
        *) break ;;
        esac
    done
    case "$command $previous" in
)" + values +
           R"(    esac
    if [[ -z $words && -z $files ]]; then
        case $command in
)" + words +
           R"(        esac
    fi
    COMPREPLY=()
    if [[ -z $files ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    fi
    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _assay assay
)";
}

std::string zsh_completion(const Command& app) {
    std::string paths;
    std::string cases = "        '')\n            choices=(";
    const auto described = [](const Command& at) {
        std::string items;
        const auto item = [&items](const std::string& word, const std::string& description) {
            std::string escaped;
            for (const char c : first_line(description)) {
                if (c == ':' || c == '\\') escaped += '\\';
                escaped += c;
            }
            items += "\n                '" + word + ":" + escaped_quotes(escaped, "'\\''") + "'";
        };
        for (const Command* const sub : at.shown_commands()) {
            item(sub->name(), sub->help());
        }
        for (const Option* const option : at.options()) {
            for (const std::string& flag : option->flags()) {
                item(flag, option->help());
            }
        }
        return items;
    };
    cases += described(app) + ") ;;\n";
    for (const Entry& entry : entries_of(app)) {
        paths += (paths.empty() ? "            '" : " | '") + entry.path + "'";
        cases += "        '" + entry.path + "')\n            choices=(" +
                 described(*entry.command) + ") ;;\n";
    }
    return R"(#compdef assay
# zsh completion of assay; made from the program itself
_assay() {
    local command='' next
    local -a choices
    local -i index
    for (( index = 2; index < CURRENT; ++index )); do
        next="${command:+$command }${words[index]}"
        case $next in
)" + paths +
           R"() command=$next ;;
            *) break ;;
        esac
    done
    case $command in
)" + cases +
           R"(    esac
    _describe -o 'assay' choices
    _files
}
_assay "$@"
)";
}

std::string fish_completion(const Command& app) {
    std::string text = "# fish completion of assay; made from the program itself\n";
    const auto line = [&text](const std::string& condition, const std::string& rest,
                              const std::string& description) {
        text += "complete -c assay -n '" + condition + "' " + rest + " -d '" +
                escaped_quotes(first_line(description), "\\'") + "'\n";
    };
    for (const Command* const sub : app.shown_commands()) {
        line("__fish_use_subcommand", "-f -a '" + sub->name() + "'", sub->help());
    }
    for (const Entry& entry : entries_of(app)) {
        std::string condition;
        for (const std::string_view word : split_words(entry.path)) {
            condition += (condition.empty() ? "" : "; and ");
            condition += "__fish_seen_subcommand_from " + std::string(word);
        }
        for (const Command* const sub : entry.command->shown_commands()) {
            line(condition, "-f -a '" + sub->name() + "'", sub->help());
        }
        for (const Option* const option : entry.command->options()) {
            if (option->is_positional()) continue;
            std::string rest;
            for (const std::string& flag : option->flags())
                rest += flag.starts_with("--") ? "-l " + flag.substr(2) + " "
                                               : "-s " + flag.substr(1) + " ";
            const std::vector<std::string> choices = option->check().choices;
            if (!choices.empty()) {
                rest += "-x -a '" + joined(choices, " ") + "'";
            } else if (option->takes_value()) {
                rest += "-r";
            }
            line(condition, std::string(trim(rest)), option->help());
        }
    }
    return text;
}

std::string commands_json(const Command& app) {
    std::vector<Entry> entries = entries_of(app);
    entries.insert(entries.begin(), {"", &app});
    boost::json::array commands;
    for (const Entry& entry : entries) {
        boost::json::array flags;
        boost::json::array words;
        for (const Option* const option : entry.command->options()) {
            boost::json::object one;
            const std::vector<std::string> names = option->flags();
            one["names"] = boost::json::array(names.begin(), names.end());
            one["value"] = option->value();
            one["asked"] = option->check().asked;
            one["required"] = option->is_required();
            (option->is_positional() ? words : flags).push_back(std::move(one));
        }
        boost::json::object command;
        command["command"] = entry.path;
        command["has_commands"] = !entry.command->shown_commands().empty();
        command["hands_on"] = !entry.command->handed_on().empty();
        command["flags"] = std::move(flags);
        command["words"] = std::move(words);
        commands.emplace_back(std::move(command));
    }
    return boost::json::serialize(commands) + "\n";
}

void add_help_page(Command& app, Exit&) {
    Command* const command =
        app.add_subcommand("help-page", "print the manual page or a shell's completion");
    command->hide();
    const auto kind = std::make_shared<std::string>();
    command->add_option("kind", *kind, "what to print")
        ->required()
        ->transform(one_of({"man", "bash", "zsh", "fish", "json"}));
    command->callback([&app, kind] {
        const std::string text = *kind == "man"    ? man_page(app, ASSAY_VERSION)
                                 : *kind == "bash" ? bash_completion(app)
                                 : *kind == "zsh"  ? zsh_completion(app)
                                 : *kind == "json" ? commands_json(app)
                                                   : fish_completion(app);
        std::fputs(text.c_str(), stdout);
    });
}

}  // namespace assay::cli
