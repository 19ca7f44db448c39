#include "cli/frame/command_tree.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace assay::cli {

namespace {

void collect(const CLI::App& app, const std::string& path, std::vector<Entry>& entries) {
    for (const CLI::App* sub : shown_subcommands(app)) {
        const std::string below = path.empty() ? sub->get_name() : path + " " + sub->get_name();
        entries.push_back({below, sub});
        collect(*sub, below, entries);
    }
}

}  // namespace

std::vector<const CLI::App*> shown_subcommands(const CLI::App& app) {
    std::vector<const CLI::App*> result;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!sub->get_name().empty() && !sub->get_group().empty()) result.push_back(sub);
    }
    return result;
}

std::vector<Entry> entries_of(const CLI::App& app) {
    std::vector<Entry> entries;
    collect(app, "", entries);
    return entries;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

bool is_positional(const CLI::Option& option) {
    return option.get_lnames().empty() && option.get_snames().empty();
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() != 0;
}

bool is_repeated(const CLI::Option& option) {
    return option.get_expected_max() >= CLI::detail::expected_max_vector_size &&
           value_of(option).find("...") == std::string::npos;
}

std::vector<std::string> flags_of(const CLI::Option& option) {
    std::vector<std::string> flags;
    for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
    return flags;
}

std::string asked_of(const CLI::Option& option) {
    // CLI11 writes a check's description behind the type's name.
    const std::string type = option.get_type_name();
    const std::size_t colon = type.find(':');
    return colon == std::string::npos ? "" : type.substr(colon + 1);
}

std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string asked = asked_of(option);
    std::vector<std::string> choices;
    if (!asked.starts_with('{') || !asked.ends_with('}')) return choices;
    std::string_view rest = std::string_view(asked).substr(1, asked.size() - 2);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        choices.emplace_back(trim(rest.substr(0, comma)));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return choices;
}

std::string value_of(const CLI::Option& option) {
    if (!takes_value(option)) return {};
    const std::vector<std::string> choices = choices_of(option);
    if (!choices.empty()) return joined(choices, "|");
    std::string type = option.get_type_name();
    type.resize(std::min(type.find(':'), type.size()));
    const bool is_nameless = type.empty() || type == "TEXT";  // CLI11's word for what has no type
    if (is_nameless && is_positional(option)) return option.get_single_name();
    if (type == "INT" || type == "UINT" || type == "FLOAT") return "N";
    return type;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += between;
        text += word;
    }
    return text;
}

}  // namespace assay::cli
