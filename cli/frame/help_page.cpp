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
#include "cli/frame/command_tree.h"
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

std::string man_options(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : options_of(app)) {
        const std::string value = value_of(*option) + (is_repeated(*option) ? "..." : "");
        text += ".TP\n";
        if (is_positional(*option)) {
            text += "\\fI" + troff(value) + "\\fR\n";
        } else {
            text += "\\fB" + troff(joined(flags_of(*option), ", ")) + "\\fR";
            text += value.empty() ? "\n" : " \\fI" + troff(value) + "\\fR\n";
        }
        std::string description = option->get_description();
        if (!option->get_default_str().empty()) {
            description += " (default " + option->get_default_str() + ")";
        }
        text += troff(description.empty() ? "see above" : description) + "\n";
    }
    return text;
}

std::string man_synopsis(const Entry& entry) {
    std::string text = "\\fBassay " + troff(entry.path) + "\\fR";
    bool has_flags = false;
    for (const CLI::Option* option : options_of(*entry.app)) {
        if (!is_positional(*option)) {
            has_flags = true;
            continue;
        }
        const std::string name =
            "\\fI" + troff(value_of(*option)) + "\\fR" + (is_repeated(*option) ? "..." : "");
        text += option->get_required() ? " " + name : " [" + name + "]";
    }
    if (has_flags) text += " [\\fIoptions\\fR]";
    // What it hands on is another program's.
    if (entry.app->get_prefix_command()) text += " \\fIPROGRAM\\fR [\\fIARG\\fR...]";
    return text;
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
    const std::vector<Entry> entries = entries_of(app);
    std::string text = ".TH ASSAY 1 \"\" \"assay " + troff(version) + "\" \"User Commands\"\n";
    text += ".SH NAME\nassay \\- test game\\-playing programs\n.SH SYNOPSIS\n";
    for (const Entry& entry : entries) {
        const bool is_whole = entry.app->get_require_subcommand_min() == 0;
        if (is_whole) text += man_synopsis(entry) + "\n.br\n";
    }
    text += ".SH DESCRIPTION\n" + troff(app.get_description()) + "\n" + man_options(app);
    text += ".SH COMMANDS\n";
    for (const Entry& entry : entries) {
        text += ".SS \"assay " + troff(entry.path) + "\"\n";
        text += troff(entry.app->get_description()) + "\n" + man_options(*entry.app);
        const std::string footer = entry.app->get_footer();
        if (!footer.empty()) text += ".PP\n.nf\n" + troff(footer) + "\n.fi\n";
    }
    return text;
}

// --- shells ---

namespace {

/// Words of one place of the command line: subcommands, then flags.
std::string words_at(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::App* sub : shown_subcommands(app)) words.push_back(sub->get_name());
    for (const CLI::Option* option : options_of(app)) {
        for (const std::string& flag : flags_of(*option)) words.push_back(flag);
    }
    return joined(words, " ");
}

/// Within single quotes of any of the three shells.
std::string quoted(std::string_view text, std::string_view quote) {
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

std::string bash_completion(const CLI::App& app) {
    std::string words = "        '') words='" + words_at(app) + "' ;;\n";
    std::string paths;
    std::string values;
    for (const Entry& entry : entries_of(app)) {
        paths += (paths.empty() ? "'" : " | '") + entry.path + "'";
        words += "        '" + entry.path + "') words='" + words_at(*entry.app) + "' ;;\n";
        for (const CLI::Option* option : options_of(*entry.app)) {
            if (!takes_value(*option) || is_positional(*option)) continue;
            const std::vector<std::string> choices = choices_of(*option);
            for (const std::string& flag : flags_of(*option)) {
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

std::string zsh_completion(const CLI::App& app) {
    std::string paths;
    std::string cases = "        '')\n            choices=(";
    const auto described = [](const CLI::App& at) {
        std::string items;
        const auto item = [&items](const std::string& word, const std::string& description) {
            std::string escaped;
            for (const char c : first_line(description)) {
                if (c == ':' || c == '\\') escaped += '\\';
                escaped += c;
            }
            items += "\n                '" + word + ":" + quoted(escaped, "'\\''") + "'";
        };
        for (const CLI::App* sub : shown_subcommands(at)) {
            item(sub->get_name(), sub->get_description());
        }
        for (const CLI::Option* option : options_of(at)) {
            for (const std::string& flag : flags_of(*option)) {
                item(flag, option->get_description());
            }
        }
        return items;
    };
    cases += described(app) + ") ;;\n";
    for (const Entry& entry : entries_of(app)) {
        paths += (paths.empty() ? "            '" : " | '") + entry.path + "'";
        cases += "        '" + entry.path + "')\n            choices=(" + described(*entry.app) +
                 ") ;;\n";
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

std::string fish_completion(const CLI::App& app) {
    std::string text = "# fish completion of assay; made from the program itself\n";
    const auto line = [&text](const std::string& condition, const std::string& rest,
                              const std::string& description) {
        text += "complete -c assay -n '" + condition + "' " + rest + " -d '" +
                quoted(first_line(description), "\\'") + "'\n";
    };
    for (const CLI::App* sub : shown_subcommands(app)) {
        line("__fish_use_subcommand", "-f -a '" + sub->get_name() + "'", sub->get_description());
    }
    for (const Entry& entry : entries_of(app)) {
        std::string condition;
        for (const std::string_view word : split_words(entry.path)) {
            condition += (condition.empty() ? "" : "; and ");
            condition += "__fish_seen_subcommand_from " + std::string(word);
        }
        for (const CLI::App* sub : shown_subcommands(*entry.app)) {
            line(condition, "-f -a '" + sub->get_name() + "'", sub->get_description());
        }
        for (const CLI::Option* option : options_of(*entry.app)) {
            if (is_positional(*option)) continue;
            std::string rest;
            for (const std::string& name : option->get_snames()) rest += "-s " + name + " ";
            for (const std::string& name : option->get_lnames()) rest += "-l " + name + " ";
            const std::vector<std::string> choices = choices_of(*option);
            if (!choices.empty()) {
                rest += "-x -a '" + joined(choices, " ") + "'";
            } else if (takes_value(*option)) {
                rest += "-r";
            }
            line(condition, std::string(trim(rest)), option->get_description());
        }
    }
    return text;
}

std::string commands_json(const CLI::App& app) {
    std::vector<Entry> entries = entries_of(app);
    entries.insert(entries.begin(), {"", &app});
    boost::json::array commands;
    for (const Entry& entry : entries) {
        boost::json::array flags;
        boost::json::array words;
        for (const CLI::Option* option : options_of(*entry.app)) {
            boost::json::object one;
            const std::vector<std::string> names = flags_of(*option);
            one["names"] = boost::json::array(names.begin(), names.end());
            one["value"] = value_of(*option);
            one["asked"] = asked_of(*option);
            one["required"] = option->get_required();
            (is_positional(*option) ? words : flags).push_back(std::move(one));
        }
        boost::json::object command;
        command["command"] = entry.path;
        command["has_commands"] = !shown_subcommands(*entry.app).empty();
        command["hands_on"] = entry.app->get_prefix_command();
        command["flags"] = std::move(flags);
        command["words"] = std::move(words);
        commands.emplace_back(std::move(command));
    }
    return boost::json::serialize(commands) + "\n";
}

void add_help_page(CLI::App& app, Exit&) {
    CLI::App* const command =
        app.add_subcommand("help-page", "print the manual page or a shell's completion");
    command->group("");
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
