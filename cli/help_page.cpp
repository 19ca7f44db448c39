#include "cli/help_page.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"

namespace assay::cli {

namespace {

using Options = std::vector<const CLI::Option*>;

/// A subcommand with the words that lead to it, "rules perft".
struct Entry {
    std::string path;
    const CLI::App* app = nullptr;
};

std::vector<const CLI::App*> shown_subcommands(const CLI::App& app) {
    std::vector<const CLI::App*> result;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!sub->get_name().empty() && !sub->get_group().empty()) result.push_back(sub);
    }
    return result;
}

void collect(const CLI::App& app, const std::string& path, std::vector<Entry>& entries) {
    for (const CLI::App* sub : shown_subcommands(app)) {
        const std::string below = path.empty() ? sub->get_name() : path + " " + sub->get_name();
        entries.push_back({below, sub});
        collect(*sub, below, entries);
    }
}

std::vector<Entry> entries_of(const CLI::App& app) {
    std::vector<Entry> entries;
    collect(app, "", entries);
    return entries;
}

Options options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

bool is_positional(const CLI::Option& option) {
    return option.get_lnames().empty() && option.get_snames().empty();
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() != 0;
}

/// "-o", "--output": as typed.
std::vector<std::string> flags_of(const CLI::Option& option) {
    std::vector<std::string> flags;
    for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
    return flags;
}

/// The words of "{a,b,c}" in the option's type name, where CLI11 writes those it allows.
std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    std::vector<std::string> choices;
    const std::size_t begin = type.find('{');
    const std::size_t end = type.find('}', begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos) return choices;
    std::string_view rest = std::string_view(type).substr(begin + 1, end - begin - 1);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        choices.emplace_back(trim(rest.substr(0, comma)));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return choices;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += between;
        text += word;
    }
    return text;
}

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

std::string value_of(const CLI::Option& option) {
    if (!takes_value(option)) return {};
    std::string type = option.get_type_name();
    // What follows are the checks, as CLI11 describes them.
    type.resize(std::min(type.find(':'), type.size()));
    // TEXT is its word for what has no type of its own.
    if (is_positional(option) && (type.empty() || type == "TEXT")) type = option.get_single_name();
    const std::vector<std::string> choices = choices_of(option);
    return choices.empty() ? type : joined(choices, "|");
}

std::string man_options(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : options_of(app)) {
        const std::string value = value_of(*option);
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
        const std::string name = "\\fI" + troff(value_of(*option)) + "\\fR";
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
        if (shown_subcommands(*entry.app).empty()) text += man_synopsis(entry) + "\n.br\n";
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

void add_help_page(CLI::App& app, Exit&) {
    CLI::App* const command =
        app.add_subcommand("help-page", "print the manual page or a shell's completion");
    command->group("");
    const auto kind = std::make_shared<std::string>();
    command->add_option("kind", *kind, "what to print")
        ->required()
        ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}));
    command->callback([&app, kind] {
        const std::string text = *kind == "man"    ? man_page(app, ASSAY_VERSION)
                                 : *kind == "bash" ? bash_completion(app)
                                 : *kind == "zsh"  ? zsh_completion(app)
                                                   : fish_completion(app);
        std::fputs(text.c_str(), stdout);
    });
}

}  // namespace assay::cli
