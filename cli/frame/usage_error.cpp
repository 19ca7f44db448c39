#include "cli/frame/usage_error.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "configs/loader/loader.h"
#include "configs/loader/schema.h"

namespace assay::cli {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kFewestOfPrefix = 3;  // letters by which a flag's beginning is known

/// The command that the words name, its path, and the words after it.
struct Typed {
    const Command* command = nullptr;
    std::string path = "assay";
    Words rest;
};

bool is_flag(std::string_view word) {
    return word.size() > 1 && word.front() == '-';
}

/// The part before '=' of a long flag, the first letter of a short one: "-ofile".
std::string_view name_in(std::string_view word) {
    return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

/// True where the flag's value is in the same word.
bool has_value(std::string_view word) {
    return word.size() > name_in(word).size();
}

/// What is wrong with the flags after a command.
struct Fault {
    std::string_view unknown;          // a flag that the command does not have
    const Option* unvalued = nullptr;  // a flag that ends the line without its value
    const Option* valued = nullptr;    // a flag without a value that was given one
};

std::optional<Fault> fault_in(const Typed& typed) {
    for (std::size_t i = 0; i < typed.rest.size(); ++i) {
        const std::string_view word = typed.rest[i];
        if (word == "--") return std::nullopt;
        if (!is_flag(word)) continue;
        const Option* const option = typed.command->find_flag(name_in(word));
        if (option == nullptr) return Fault{word, nullptr, nullptr};
        if (!option->takes_value()) {
            if (word.starts_with("--") && has_value(word)) return Fault{{}, nullptr, option};
            continue;
        }
        if (word.ends_with('=') && word.size() == name_in(word).size() + 1)
            return Fault{{}, option, nullptr};  // the parser takes it for none
        if (has_value(word)) continue;
        // The first value is taken whatever it looks like.
        if (++i == typed.rest.size()) return Fault{{}, option, nullptr};
    }
    return std::nullopt;
}

Typed typed_of(const Command& app, const Words& words) {
    Typed typed{&app, "assay", words};
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (is_flag(word)) {
            const Option* const option = typed.command->find_flag(name_in(word));
            if (option == nullptr) break;
            if (option->takes_value() && !has_value(word)) ++at;
            continue;
        }
        const Command* const next = typed.command->find(word);
        if (next == nullptr) break;
        typed.command = next;
        typed.path += " " + std::string(word);
        typed.rest.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
    }
    return typed;
}

/// The flag of `command` that the word probably means, or empty.
std::string meant_by(const Command& command, std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const std::string_view bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    std::vector<std::string_view> names;
    for (const Option* const option : command.options())
        for (const std::string_view flag : option->flags())
            if (flag.starts_with("--")) names.push_back(flag.substr(2));
    std::string nearest = nearest_name(bare, names);
    if (nearest.empty() && bare.size() >= kFewestOfPrefix) {
        const auto begins = [bare](std::string_view each) { return each.starts_with(bare); };
        if (std::count_if(names.begin(), names.end(), begins) == 1)
            nearest = *std::find_if(names.begin(), names.end(), begins);
    }
    return nearest.empty() ? "" : "--" + nearest;
}

/// The first command below that has the flag, "assay rules perft"; empty where none has.
std::string home_below(const Typed& typed, std::string_view flag) {
    for (const Entry& entry : entries_of(*typed.command))
        if (entry.command->find_flag(flag) != nullptr) return typed.path + " " + entry.path;
    return "";
}

/// What assay says for another tool's flag, "-tc" or "--rounds", where the command takes the keys
/// of a config; else empty.
std::string advice_on_foreign(const Command& command, std::string_view word) {
    if (command.find_flag("--set") == nullptr) return "";
    const std::string_view name = word.substr(0, word.find('='));
    const std::string bare = lower(name.substr(std::min(name.find_first_not_of('-'), name.size())));
    const auto words = configs::foreign_words();
    const auto found = std::ranges::find(words, bare, &configs::Foreign::theirs);
    if (found == words.end()) return "";
    // The key stands in brackets: "assay says 'pairs' (match.pairs), two games each".
    const std::string_view advice = found->advice;
    const std::size_t begin = std::min(advice.find('('), advice.size() - 1) + 1;
    const std::string_view key = advice.substr(begin, advice.find_first_of("),", begin) - begin);
    for (const configs::Shorthand& one : configs::shorthands()) {
        const std::string flag = fmt::format("--{}", one.flag);
        if (one.path == key && command.find_flag(flag) != nullptr)
            return fmt::format("assay says '{}'", flag);
    }
    return fmt::format("in a config or with --set, {}", advice);
}

std::string help_of(const Typed& typed) {
    return "'" + typed.path + " --help'";
}

std::string unknown_flag(const Typed& typed, std::string_view word) {
    const std::string flag = printable_utf8(word.substr(0, word.find('=')));
    const std::string home = home_below(typed, name_in(word));
    if (!home.empty()) {
        return typed.path + ": the flag '" + flag + "' belongs after its command, as in '" + home +
               " " + flag + "'";
    }
    if (const std::string advice = advice_on_foreign(*typed.command, word); !advice.empty())
        return typed.path + ": there is no flag '" + flag + "'; " + advice + "; " + help_of(typed) +
               " lists them";
    const std::string meant = meant_by(*typed.command, word);
    return typed.path + ": there is no flag '" + flag + "'" +
           (meant.empty() ? ";" : "; did you mean '" + meant + "'?") + " " + help_of(typed) +
           " lists them";
}

/// The message on a flag that has too few or too many values; empty where there is none.
std::string wrong_count(const Command& command) {
    for (const Option* const option : command.options()) {
        const std::size_t wanted = option->count().value_or(1);
        if (option->is_positional() || option->typed == 0) continue;
        if (wanted == 1 && !option->is_list() && option->typed > 1)
            return fmt::format("{}: expected one {}, found {}", option->flags().back(),
                               option->value(), option->typed);
        if (wanted < 2) continue;
        if (option->typed == wanted) continue;
        return fmt::format("{}: expected {} values, {}, found {}", option->flags().back(), wanted,
                           option->value(), option->typed);
    }
    return "";
}

/// A parser's sentence begins with a capital where it names no flag.
std::string sentence_of(std::string text) {
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
        text[0] = to_lower(text[0]);
    return text;
}

}  // namespace

void check_commands(const Command& app, const Words& words) {
    const Command* command = &app;
    std::string named = "assay";
    for (const std::string& word : words) {
        const auto options = command->options();
        const bool takes_words = std::any_of(options.begin(), options.end(),
                                             [](const auto* o) { return o->is_positional(); });
        const bool must_name_one = command->least_commands() > 0;
        if ((!must_name_one && takes_words) || word.empty() || word.front() == '-') return;
        std::vector<std::string_view> names;
        for (const Command* const one : command->shown_commands()) names.push_back(one->name());
        if (names.empty()) return;
        const Command* const found = command->find(word);
        if (found == nullptr) {
            const std::string advice = did_you_mean(word, names);
            throw Error(fmt::format("{}: there is no command '{}'{} '{} --help' lists them", named,
                                    printable_utf8(word), advice.empty() ? ";" : advice, named));
        }
        named += " " + word;
        command = found;
    }
}

std::string usage_error(const Command& app, const Words& words, const Refusal& refusal) {
    const Typed typed = typed_of(app, words);
    if (const std::optional<Fault> fault = fault_in(typed)) {
        if (!fault->unknown.empty()) return unknown_flag(typed, fault->unknown);
        const Option& option = fault->valued != nullptr ? *fault->valued : *fault->unvalued;
        const std::string& flag = option.flags().back();
        if (fault->valued != nullptr)
            return flag + ": takes no value; " + help_of(typed) + " says more";
        return flag + ": expected " + option.value() + " after it; " + help_of(typed) +
               " says more";
    }
    switch (refusal.kind) {
        case Refusal::Kind::Value:
            return refusal.text;
        case Refusal::Kind::Count:
            if (std::string text = wrong_count(*typed.command); !text.empty()) return text;
            break;
        case Refusal::Kind::Extra:
            return typed.path + ": unexpected word '" + printable_utf8(refusal.text) + "'; " +
                   help_of(typed) + " shows what it takes";
        case Refusal::Kind::Missing:
            if (typed.command->least_commands() > 0)
                return typed.path + ": expected a command; " + help_of(typed) + " lists them";
            break;
        case Refusal::Kind::Other:
            break;
    }
    return typed.path + ": " + sentence_of(refusal.text) + "; " + help_of(typed) +
           " shows what it takes";
}

}  // namespace assay::cli
