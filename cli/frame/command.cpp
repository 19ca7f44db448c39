#include "cli/frame/command.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace assay::cli {

namespace {

void collect(const Command& command, const std::string& path, std::vector<Entry>& entries) {
    for (const Command* const sub : command.shown_commands()) {
        const std::string below = path.empty() ? sub->name() : path + " " + sub->name();
        entries.push_back({below, sub});
        collect(*sub, below, entries);
    }
}

}  // namespace

Option::Option(std::string_view names, std::string help, Set set)
    : help_(std::move(help)), set_(std::move(set)) {
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(','), names.size());
        const std::string name(names.substr(0, comma));
        if (name.starts_with('-'))
            flags_.push_back(name);
        else
            name_ = name;
        names.remove_prefix(std::min(comma + 1, names.size()));
    }
}

Option* Option::type_name(std::string name) {
    type_name_ = std::move(name);
    return this;
}

Option* Option::required() {
    is_required_ = true;
    return this;
}

Option* Option::transform(Check check) {
    check_ = std::move(check);
    return this;
}

Option* Option::expected(std::size_t count) {
    count_ = count;
    return this;
}

Option* Option::delimiter(char c) {
    delimiter_ = c;
    return this;
}

Option* Option::allow_extra_args(bool allows) {
    allows_extra_ = allows;
    return this;
}

Option* Option::group(std::string name) {
    group_ = std::move(name);
    return this;
}

Option* Option::default_str(std::string text) {
    fallback_ = std::move(text);
    return this;
}

Option* Option::capture_default_str() {
    fallback_ = text_();
    return this;
}

Option* Option::each(std::function<void()> call) {
    calls_.push_back(std::move(call));
    return this;
}

std::string Option::value() const {
    if (!takes_value_) return "";
    if (!check_.choices.empty()) return joined(check_.choices, "|");
    if (!type_name_.empty()) return type_name_;
    return is_positional() ? name_ : "TEXT";
}

bool Option::is_repeated() const {
    return is_list_ && !count_ && value().find("...") == std::string::npos;
}

std::string Option::meaning() const {
    std::string text = help_;
    // The usage line already shows that a positional is required.
    if (is_required_ && !is_positional()) text += " (required)";
    if (!fallback_.empty()) text += " (default " + fallback_ + ")";
    return text;
}

bool Option::set(const std::vector<std::string>& values) const {
    if (!set_(values)) return false;
    for (const auto& call : calls_) call();
    return true;
}

Command::Command(std::string name, std::string help)
    : name_(std::move(name)), help_(std::move(help)) {
    add("-h,--help", "print this help", {})->takes_value_ = false;
}

Option* Command::add(std::string_view names, std::string help, Option::Set set) {
    options_.push_back(std::make_unique<Option>(names, std::move(help), std::move(set)));
    return options_.back().get();
}

Option* Command::add_flag(std::string_view names, bool& variable, std::string help) {
    Option* const option =
        add(names, std::move(help), [&variable](const std::vector<std::string>&) {
            variable = true;
            return true;
        });
    option->takes_value_ = false;
    return option;
}

void Command::add_version(std::string_view names, std::string text, std::string help) {
    version_ = std::move(text);
    add(names, std::move(help), {})->takes_value_ = false;
}

void Command::remove_option(const Option* option) {
    std::erase_if(options_, [option](const auto& one) { return one.get() == option; });
}

Option* Command::get_option(std::string_view flag) {
    Option* const option = find_flag(flag);
    ASSAY_CHECK(option != nullptr);
    return option;
}

Command* Command::add_subcommand(std::string name, std::string help) {
    commands_.push_back(std::make_unique<Command>(std::move(name), std::move(help)));
    return commands_.back().get();
}

void Command::require_subcommand(std::size_t least, std::size_t most) {
    least_commands_ = least;
    most_commands_ = most;
}

std::vector<const Option*> Command::options() const {
    std::vector<const Option*> shown;
    for (const auto& option : options_)
        if (!option->is_hidden()) shown.push_back(option.get());
    return shown;
}

std::vector<Option*> Command::all_options() const {
    std::vector<Option*> all;
    for (const auto& option : options_) all.push_back(option.get());
    return all;
}

std::vector<Command*> Command::commands() const {
    std::vector<Command*> all;
    for (const auto& command : commands_) all.push_back(command.get());
    return all;
}

std::vector<const Command*> Command::shown_commands() const {
    std::vector<const Command*> shown;
    for (const auto& command : commands_)
        if (!command->is_hidden()) shown.push_back(command.get());
    return shown;
}

Command* Command::find(std::string_view name) const {
    for (const auto& command : commands_)
        if (command->name() == name) return command.get();
    return nullptr;
}

Option* Command::find_flag(std::string_view flag) const {
    for (const auto& option : options_) {
        const auto& flags = option->flags();
        if (std::find(flags.begin(), flags.end(), flag) != flags.end()) return option.get();
    }
    return nullptr;
}

std::vector<Entry> entries_of(const Command& command) {
    std::vector<Entry> entries;
    collect(command, "", entries);
    return entries;
}

}  // namespace assay::cli
