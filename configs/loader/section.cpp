// Access to the keys of one map of a config, by the schema: form, range and words of a key are in
// schema.cpp, and reading it here can fail in no other way. A key that the schema does not know is
// complained of when the section is made, so that no key is ever ignored; one of the wrong form
// counts as absent after its complaint, so that what depends on it does not complain again.
#include "configs/loader/section.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::configs {

Section::Section(const Context& context, const Value& block, std::string_view path,
                 std::string_view title, const Place& place)
    : context_(context), block_(block), path_(path), title_(title), place_(place) {
    if (block.kind == Value::Kind::Map) {
        for (const Member& member : block.members) check_member(member);
    } else {
        complain(block.place, fmt::format("{} must be a map of keys, found {}",
                                          title_.empty() ? "a config" : title_, described(block)));
    }
}

void Section::check_member(const Member& member) {
    const Key* const known = known_key(member.name);
    if (known == nullptr) {
        has_unknown_ = true;
        complain(member.place, fmt::format("unknown key '{}'{}", printable_utf8(member.name),
                                           advice_on(member.name, path_)));
    } else if (member.value.kind == Value::Kind::Null) {
        complain(member.place, fmt::format("'{}' has no value", member.name));
    }
}

const Key* Section::known_key(std::string_view name) const {
    for (const Key* const candidate : keys_under(path_))
        if (candidate->name() == name) return candidate;
    return nullptr;
}

const Key& Section::key(std::string_view name) const {
    const Key* const known = known_key(name);
    ASSAY_CHECK(known != nullptr);
    return *known;
}

const Value* Section::find(std::string_view name) const {
    const Value* const found = block_.find(name);
    if (found == nullptr || found->kind == Value::Kind::Null) return nullptr;
    return known_key(name) != nullptr ? found : nullptr;
}

void Section::complain(const Place& place, std::string message) const {
    context_.complaints.add(place, std::move(message));
}

void Section::refuse(std::string_view name, const Value& found, std::string_view hint) const {
    complain(found.place, fmt::format("{} must be {}, found {}{}", name, expected_of(key(name)),
                                      described(found), hint));
}

std::optional<ScalarValue> Section::scalar(std::string_view name) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->kind != Value::Kind::Scalar) {
        refuse(name, *found);
        return std::nullopt;
    }
    const Key& known = key(name);
    const bool is_number = known.form == Form::Whole || known.form == Form::Count;
    if (is_number && is_one_of(known.words, found->value)) return std::nullopt;
    if (auto value = parse_scalar(known, found->value)) return value;
    if (is_one_of(known.later, found->value))
        complain(found->place, fmt::format("'{}: {}' is not supported yet; use {}", name,
                                           found->value, expected_of(known)));
    else
        refuse(name, *found, hint_for(known, found->value));
    return std::nullopt;
}

std::optional<std::string> Section::word(std::string_view name) const {
    const Value* const found = find(name);
    const bool is_word = found != nullptr && found->kind == Value::Kind::Scalar &&
                         is_one_of(key(name).words, found->value);
    return is_word ? std::optional(found->value) : std::nullopt;
}

std::string Section::absolute(const Value& node) const {
    std::string_view relative = node.value;
    if (relative.substr(0, 1) == "/") return node.value;
    while (relative.substr(0, 2) == "./") relative.remove_prefix(2);
    return fmt::format("{}/{}", context_.texts.at(node.place.text).folder, relative);
}

std::optional<std::string> Section::path(std::string_view name, Base base) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (auto short_form = word(name)) return short_form;
    if (found->kind != Value::Kind::Scalar || found->value.empty()) {
        refuse(name, *found);
        return std::nullopt;
    }
    return base == Base::Config ? absolute(*found) : found->value;
}

/// Null where the file is there, or nothing is known of it.
const rules::GameSource* Section::known_game(const std::string& path) const {
    std::error_code error;
    if (context_.known_games == nullptr || std::filesystem::exists(path, error)) return nullptr;
    const auto found = std::ranges::find(*context_.known_games, path, &rules::GameSource::path);
    return found == context_.known_games->end() ? nullptr : &*found;
}

std::optional<rules::GameSource> Section::game(std::string_view name) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->kind != Value::Kind::Scalar || found->value.empty()) {
        refuse(name, *found);
        return std::nullopt;
    }
    const std::string& folder = context_.texts.at(found->place.text).folder;
    if (const rules::GameSource* const known = known_game(rules::rules_path(found->value, folder)))
        return *known;
    try {
        return rules::find_game(found->value, folder);
    } catch (const SyntaxError& error) {
        for (const Diagnostic& each : error.diagnostics()) context_.complaints.add(each);
    } catch (const Error& error) {
        complain(found->place, error.what());
    }
    return std::nullopt;
}

std::optional<std::vector<std::string>> Section::argv(const Value& list, Base base,
                                                      const Value*& wrong) const {
    std::vector<std::string> out;
    for (const Value& item : list.items) {
        const bool is_first = out.empty();
        wrong = &item;
        if (item.kind != Value::Kind::Scalar || (is_first && item.value.empty()))
            return std::nullopt;
        const bool is_path =
            base == Base::Config && is_first && item.value.find('/') != std::string::npos;
        out.push_back(is_path ? absolute(item) : item.value);
    }
    wrong = &list;
    if (out.empty()) return std::nullopt;
    return out;
}

std::optional<std::vector<std::string>> Section::words(std::string_view name, Base base) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    const bool is_scalar = found->kind == Value::Kind::Scalar;
    if (is_scalar && !found->is_quoted && found->value.find(' ') != std::string::npos) {
        refuse(name, *found,
               "; write [program, argument], or quote it if the space is part of the name");
        return std::nullopt;
    }
    Value list;
    if (is_scalar) list.items.push_back(*found);
    const Value* wrong = nullptr;
    auto argv_read = argv(is_scalar ? list : *found, base, wrong);
    if (!argv_read) refuse(name, is_scalar ? *found : *wrong);
    return argv_read;
}

std::vector<std::vector<std::string>> Section::steps(std::string_view name) const {
    const Value* const found = find(name);
    if (found == nullptr) return {};
    const bool is_list_of_lists = found->kind == Value::Kind::List && !found->items.empty() &&
                                  found->items.front().kind == Value::Kind::List;
    std::vector<std::vector<std::string>> out;
    if (!is_list_of_lists) {
        if (auto one = words(name, Base::Later)) out.push_back(std::move(*one));
        return out;
    }
    for (const Value& step : found->items) {
        const Value* wrong = nullptr;
        auto one = argv(step, Base::Later, wrong);
        if (!one) {
            refuse(name, step);
            return {};
        }
        out.push_back(std::move(*one));
    }
    return out;
}

std::optional<std::array<double, 2>> Section::bounds(std::string_view name) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->kind != Value::Kind::List) {
        refuse(name, *found);
        return std::nullopt;
    }
    const Key& known = key(name);
    std::array<double, 2> values{};
    for (std::size_t i = 0; i < found->items.size(); ++i) {
        const Value& item = found->items[i];
        const auto value = to_number<double>(item.value);
        const bool is_inside = value && *value >= static_cast<double>(known.least) &&
                               *value <= static_cast<double>(known.most);
        if (!is_inside) {
            refuse(name, item);
            return std::nullopt;
        }
        if (i < values.size()) values[i] = *value;
    }
    if (found->items.size() != values.size()) {
        complain(found->place, fmt::format("{} must be {}, found {} of them", name,
                                           expected_of(known), found->items.size()));
        return std::nullopt;
    }
    if (values[0] < values[1]) return values;
    complain(found->place,
             fmt::format("{} must be in rising order, found [{}, {}]", name, values[0], values[1]));
    return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Section::names(std::string_view name) const {
    std::vector<std::pair<std::string, std::string>> out;
    const Value* const found = find(name);
    if (found == nullptr) return out;
    if (found->kind != Value::Kind::Map) {
        refuse(name, *found);
        return out;
    }
    for (const Member& member : found->members) {
        const bool has_value = member.value.kind == Value::Kind::Scalar;
        if (has_value && !member.name.empty()) {
            out.emplace_back(member.name, member.value.value);
        } else if (member.value.kind == Value::Kind::Null) {
            complain(member.place, fmt::format("'{}' has no value; write '' for an empty one",
                                               printable_utf8(member.name)));
        } else {
            complain(member.place,
                     fmt::format("'{}' must be a plain value, found {}",
                                 printable_utf8(member.name), described(member.value)));
        }
    }
    return out;
}

std::optional<Section> Section::block(std::string_view name) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->kind == Value::Kind::Scalar && !key(name).words.empty()) {
        refuse(name, *found, hint_for(key(name), found->value));
        return std::nullopt;
    }
    Section section(context_, *found, key(name).path, name, place_of(name));
    if (found->kind != Value::Kind::Map) return std::nullopt;
    return section;
}

const Place& Section::place_of(std::string_view name) const {
    for (const Member& member : block_.members)
        if (member.name == name) return member.place;
    return place_;
}

void Section::need(std::initializer_list<std::string_view> keys) const {
    const bool is_written =
        std::any_of(block_.members.begin(), block_.members.end(), [&](const Member& member) {
            return std::find(keys.begin(), keys.end(), member.name) != keys.end();
        });
    if (is_written || has_unknown_) return;
    std::string names;
    for (const std::string_view key : keys) names += fmt::format(" {}", key);
    complain(place_, fmt::format("{} has no {}", title_, alternatives(names)));
}

}  // namespace assay::configs
