#pragma once
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/frame/values.h"

namespace assay::cli {

/// Commands and flags as data. Each subcommand's source describes its flags with these classes.
/// parser.h parses a command line by them; --help, the manual page, shell completions and messages
/// are printed from them.

/// A flag of a command, or a positional word.
class Option {
public:
    using Set = std::function<bool(const std::vector<std::string>& values)>;

    /// `names`: "-o,--output", or a positional's name. `set` stores the values that were typed; it
    /// returns false where one is not of the type.
    Option(std::string_view names, std::string help, Set set);

    // Setters, for chaining.

    /// The placeholder of the value in help: "FILE".
    Option* type_name(std::string name);
    Option* required();
    /// Refuses values that do not pass, and rewrites those that do.
    Option* transform(Check check);
    /// Exactly this many values; in one word if there is a delimiter.
    Option* expected(std::size_t count);
    Option* delimiter(char c);
    /// False: a list takes one value for each use of the flag.
    Option* allow_extra_args(bool allows);
    /// The heading in --help; "" hides the option.
    Option* group(std::string name);
    /// The default as --help shows it: this text, or the variable's value now.
    Option* default_str(std::string text);
    Option* capture_default_str();
    /// Called for each value that is typed.
    Option* each(std::function<void()> call);

    // Getters.

    [[nodiscard]] const std::vector<std::string>& flags() const { return flags_; }  // as typed

    [[nodiscard]] const std::string& name() const { return name_; }  // of a positional

    [[nodiscard]] bool is_positional() const { return flags_.empty(); }

    [[nodiscard]] bool is_hidden() const { return group_.empty(); }

    [[nodiscard]] bool is_required() const { return is_required_; }

    [[nodiscard]] bool takes_value() const { return takes_value_; }

    [[nodiscard]] bool is_list() const { return is_list_; }

    [[nodiscard]] bool allows_extra() const { return allows_extra_; }

    [[nodiscard]] std::optional<std::size_t> count() const { return count_; }

    [[nodiscard]] char delimiter() const { return delimiter_; }

    [[nodiscard]] const std::string& group() const { return group_; }

    [[nodiscard]] const std::string& help() const { return help_; }

    [[nodiscard]] const std::string& fallback() const { return fallback_; }

    [[nodiscard]] const Check& check() const { return check_; }

    /// The placeholder of the value, "FILE" or "pass|fail"; empty for a flag without a value.
    [[nodiscard]] std::string value() const;
    /// True where several values are allowed and the placeholder does not show it ("P,P,...").
    [[nodiscard]] bool is_repeated() const;
    /// The help text, with "(required)" and the default.
    [[nodiscard]] std::string meaning() const;

    /// False for --help and --version, which the parser handles itself.
    [[nodiscard]] bool has_set() const { return set_ != nullptr; }

    /// Stores the typed values. False where one is not of the type.
    [[nodiscard]] bool set(const std::vector<std::string>& values) const;

    std::size_t typed = 0;  // how many values were typed; set by the parser

private:
    friend class Command;

    std::vector<std::string> flags_;
    std::string name_;  // of a positional
    std::string help_;
    Set set_;
    std::function<std::string()> text_;  // of the variable
    std::vector<std::function<void()>> calls_;
    std::string type_name_;
    std::string group_ = "Options";
    std::string fallback_;
    Check check_;
    std::optional<std::size_t> count_;
    char delimiter_ = '\0';
    bool takes_value_ = true;
    bool is_list_ = false;
    bool allows_extra_ = true;
    bool is_required_ = false;
};

namespace detail {

template <class Type>
struct IsList : std::false_type {};

template <class Type>
struct IsList<std::vector<Type>> : std::true_type {};

template <class Type>
struct IsOptional : std::false_type {};

template <class Type>
struct IsOptional<std::optional<Type>> : std::true_type {};

/// The type of one value: Type itself, or the element of a list or an optional.
template <class Type>
struct Element {
    using Value = Type;
};

template <class Type>
struct Element<std::vector<Type>> : Element<Type> {};

template <class Type>
struct Element<std::optional<Type>> : Element<Type> {};

template <class Type>
bool assign(Type& target, const std::string& text) {
    if constexpr (IsOptional<Type>::value) {
        return assign(target.emplace(), text);
    } else if constexpr (IsList<Type>::value) {
        return assign(target.emplace_back(), text);
    } else if constexpr (std::is_arithmetic_v<Type>) {
        const auto value = to_number<Type>(text.starts_with('+') ? text.substr(1) : text);
        target = value.value_or(target);
        return value.has_value();
    } else {
        target = text;
        return true;
    }
}

template <class Type>
std::string text_of(const Type& value) {
    if constexpr (IsOptional<Type>::value) {
        return value ? text_of(*value) : "";
    } else if constexpr (IsList<Type>::value) {
        std::string text;
        for (const auto& one : value) text += (text.empty() ? "" : ",") + text_of(one);
        return "[" + text + "]";
    } else if constexpr (std::is_arithmetic_v<Type>) {
        return number_text(value);
    } else {
        return value;
    }
}

}  // namespace detail

/// A command with its flags, its words, and the commands below it.
class Command {
public:
    Command(std::string name, std::string help);

    /// A positional word or a flag with a value, stored in `variable`, which outlives the command.
    template <class Type>
    Option* add_option(std::string_view names, Type& variable, const std::string& help) {
        Option* const option = add(names, help, [&variable](const auto& values) {
            if constexpr (detail::IsList<Type>::value) variable.clear();
            for (const std::string& value : values)
                if (!detail::assign(variable, value)) return false;
            return true;
        });
        option->text_ = [&variable] { return detail::text_of(variable); };
        option->is_list_ = detail::IsList<Type>::value;
        using Typed = typename detail::Element<Type>::Value;
        if constexpr (std::is_arithmetic_v<Typed>)
            option->type_name("N")->transform(number<Typed>());
        return option;
    }

    /// A flag without a value.
    Option* add_flag(std::string_view names, bool& variable, std::string help);
    /// A flag that prints a text, such as --version.
    void add_version(std::string_view names, std::string text, std::string help);
    void remove_option(const Option* option);
    /// REQUIRES: there is a flag of this name.
    [[nodiscard]] Option* get_option(std::string_view flag);

    Command* add_subcommand(std::string name, std::string help);
    /// How many subcommands must and may be named.
    void require_subcommand(std::size_t least, std::size_t most);

    void require_subcommand(std::size_t count) { require_subcommand(count, count); }

    /// The text at the end of --help.
    void footer(std::string text) { footer_ = std::move(text); }

    /// What the command does if no subcommand is named.
    void callback(std::function<void()> action) { action_ = std::move(action); }

    /// Hides it from help and completions.
    void hide() { is_hidden_ = true; }

    /// All words from the first positional on belong to another program: they are left in `rest`.
    /// `words` describe them in usage lines.
    void hand_on(std::string words) { handed_on_ = std::move(words); }

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] const std::string& help() const { return help_; }

    [[nodiscard]] const std::string& footer() const { return footer_; }

    [[nodiscard]] const std::string& handed_on() const { return handed_on_; }

    [[nodiscard]] const std::string& version() const { return version_; }

    [[nodiscard]] bool is_hidden() const { return is_hidden_; }

    [[nodiscard]] std::size_t least_commands() const { return least_commands_; }

    [[nodiscard]] std::size_t most_commands() const { return most_commands_; }

    [[nodiscard]] const std::function<void()>& action() const { return action_; }

    /// Flags and words that are not hidden, in the order in which they were added.
    [[nodiscard]] std::vector<const Option*> options() const;
    /// Commands right below, hidden ones too.
    [[nodiscard]] std::vector<Command*> commands() const;
    /// Commands right below that are not hidden.
    [[nodiscard]] std::vector<const Command*> shown_commands() const;
    /// The command right below of this name, or null.
    [[nodiscard]] Command* find(std::string_view name) const;
    /// The option that is written so, "--db" or "-o", or null.
    [[nodiscard]] Option* find_flag(std::string_view flag) const;
    /// All options, hidden ones too.
    [[nodiscard]] std::vector<Option*> all_options() const;

    std::vector<std::string> rest;  // words for another program; set by the parser

private:
    Option* add(std::string_view names, std::string help, Option::Set set);

    std::string name_;
    std::string help_;
    std::string footer_;
    std::string handed_on_;
    std::string version_;
    std::vector<std::unique_ptr<Option>> options_;
    std::vector<std::unique_ptr<Command>> commands_;
    std::function<void()> action_;
    std::size_t least_commands_ = 0;
    std::size_t most_commands_ = 0;
    bool is_hidden_ = false;
};

/// A command with the words that lead to it, "rules perft".
struct Entry {
    std::string path;
    const Command* command = nullptr;
};

/// All shown commands below `command`, each before those below it.
[[nodiscard]] std::vector<Entry> entries_of(const Command& command);

}  // namespace assay::cli
