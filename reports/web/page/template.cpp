#include "reports/web/page/template.h"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <utility>

#include "base/diagnostic.h"
#include "reports/view/escape.h"

namespace assay::reports::web {

namespace {

namespace mustache = kainjow::mustache;

mustache::data data_of(const Values& values) {
    mustache::data data(mustache::data::type::object);
    for (const auto& [name, text] : values.text) data.set(name, text);
    for (const auto& [name, elements] : values.lists) {
        mustache::data list(mustache::data::type::list);
        for (const Values& element : elements) list.push_back(data_of(element));
        data.set(name, std::move(list));
    }
    return data;
}

}  // namespace

Values& Values::set(const std::string& name, std::string value) {
    text[name] = std::move(value);
    return *this;
}

Values& Values::set_command(const std::string& name, std::string_view command) {
    return set(name, command_markup(command));
}

Values& Values::show(const std::string& name, bool is_shown) {
    lists[name] = is_shown ? std::vector<Values>(1) : std::vector<Values>();
    return *this;
}

std::string command_markup(std::string_view command) {
    std::string out;
    while (true) {
        const std::size_t end = std::min(command.find_first_of(" \n"), command.size());
        const std::string word = xml_lines(std::string(command.substr(0, end)));
        const bool has_hyphen = word.find('-') != std::string::npos;
        out += has_hyphen ? "<span class=\"w\">" + word + "</span>" : word;
        if (end == command.size()) return out;
        out += command[end];
        command.remove_prefix(end + 1);
    }
}

std::string filled(std::string_view source, const Values& values) {
    mustache::mustache compiled{std::string(source)};
    if (!compiled.is_valid()) throw Error("internal error: template: " + compiled.error_message());
    compiled.set_custom_escape([](const std::string& text) { return xml_lines(text); });
    return compiled.render(data_of(values));
}

Values key_figure(std::string name, std::string value, std::string note, std::string css) {
    Values values;
    values.set("name", std::move(name)).set("value", std::move(value));
    values.set("note", std::move(note)).set("css", std::move(css));
    return values;
}

}  // namespace assay::reports::web
