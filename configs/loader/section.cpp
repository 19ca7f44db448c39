#include "configs/loader/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/plan/time_control.h"

namespace assay::configs {

namespace {

constexpr std::string_view kWordsOfTime = "a time with a unit such as 100ms, 8s or 2min";

std::vector<std::string_view> split(std::string_view words) {
    return split_words(words);
}

bool contains(std::string_view words, std::string_view word) {
    const auto all = split(words);
    return std::find(all.begin(), all.end(), word) != all.end();
}

/// A leading zero would be octal to some readers and decimal to others.
bool has_leading_zero(std::string_view text) {
    return text.size() > 1 && text[0] == '0' &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view hint_for_number(std::string_view text) {
    if (has_leading_zero(text)) return "; leave out the leading zero";
    const bool has_separator = text.find_first_of("_,' ") != std::string_view::npos;
    if (has_separator && text.find_first_not_of("0123456789_,' ") == std::string_view::npos &&
        text.find_first_of("0123456789") != std::string_view::npos)
        return "; write the digits alone";
    return "";
}

std::optional<double> finite(std::string_view text) {
    const auto value = to_number<double>(text);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    return value;
}

/// What a YAML 1.1 user means by yes and off.
std::string_view hint_for_truth(std::string_view text) {
    for (const std::string_view yes : {"y", "yes", "on", "true", "1"})
        if (equal_ignoring_case(text, yes)) return "; write true";
    for (const std::string_view no : {"n", "no", "off", "false", "0"})
        if (equal_ignoring_case(text, no)) return "; write false";
    return "";
}

std::string whole_range(const Key& key) {
    return fmt::format("{}{}a whole number from {} to {}",
                       key.words.empty() ? "" : alternatives(key.words),
                       key.words.empty() ? "" : " or ", key.least, key.most);
}

}  // namespace

std::string alternatives(std::string_view words) {
    const auto all = split(words);
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out += i + 1 == all.size() ? " or " : ", ";
        out += fmt::format("'{}'", all[i]);
    }
    return out;
}

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
    const auto known = keys_under(path_);
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Key* key) { return key->name() == member.name; });
    if (found == known.end()) {
        has_unknown_ = true;
        complain(member.place, fmt::format("unknown key '{}'{}", printable_utf8(member.name),
                                           advice_on(member.name, path_)));
    } else if (!(*found)->missing.empty()) {
        complain(member.place, fmt::format("'{}' is not built yet in this version: {}", member.name,
                                           (*found)->missing));
    } else if (member.value.kind == Value::Kind::Null) {
        complain(member.place, fmt::format("'{}' has no value", member.name));
    }
}

const Key& Section::key(std::string_view name) const {
    for (const Key* const candidate : keys_under(path_))
        if (candidate->name() == name) return *candidate;
    return key_of(name);
}

const Value* Section::find(std::string_view name) const {
    const Value* const found = block_.find(name);
    const bool is_usable =
        found != nullptr && found->kind != Value::Kind::Null && key(name).missing.empty();
    return is_usable ? found : nullptr;
}

void Section::complain(const Place& place, std::string message) const {
    context_.complaints.add(place, std::move(message));
}

void Section::must_be(std::string_view name, const Value& found, std::string_view expected,
                      std::string_view hint) const {
    complain(found.place,
             fmt::format("{} must be {}, found {}{}", name, expected, described(found), hint));
}

const Value* Section::scalar(std::string_view name, std::string_view expected) const {
    const Value* const found = find(name);
    if (found == nullptr || found->kind == Value::Kind::Scalar) return found;
    must_be(name, *found, expected);
    return nullptr;
}

std::optional<std::string> Section::text(std::string_view name) const {
    const Value* const found = scalar(name, "a text");
    if (found == nullptr) return std::nullopt;
    if (!trim(found->value).empty()) return found->value;
    must_be(name, *found, "a text");
    return std::nullopt;
}

std::optional<std::int64_t> Section::whole(std::string_view name) const {
    const Key& known = key(name);
    const std::string expected = whole_range(known);
    const Value* const found = scalar(name, expected);
    if (found == nullptr || is_word(name)) return std::nullopt;
    const auto value = to_number<std::int64_t>(found->value);
    if (value && *value >= known.least && *value <= known.most && !has_leading_zero(found->value))
        return value;
    must_be(name, *found, expected, hint_for_number(found->value));
    return std::nullopt;
}

std::optional<std::uint64_t> Section::seed(std::string_view name) const {
    constexpr std::string_view kExpected = "a whole number from 0 to 18446744073709551615";
    const Value* const found = scalar(name, kExpected);
    if (found == nullptr) return std::nullopt;
    const auto value = to_number<std::uint64_t>(found->value);
    if (value && !has_leading_zero(found->value)) return value;
    must_be(name, *found, kExpected, hint_for_number(found->value));
    return std::nullopt;
}

std::optional<double> Section::error_rate(std::string_view name) const {
    constexpr std::string_view kExpected = "a number above 0 and below 1";
    const Value* const found = scalar(name, kExpected);
    if (found == nullptr) return std::nullopt;
    const auto value = finite(found->value);
    if (value && *value > 0 && *value < 1) return value;
    must_be(name, *found, kExpected);
    return std::nullopt;
}

std::optional<std::array<double, 2>> Section::bounds(std::string_view name) const {
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    const Key& known = key(name);
    const std::string expected =
        fmt::format("a list of two numbers from {} to {} such as [0, 5]", known.least, known.most);
    if (found->kind != Value::Kind::List) {
        must_be(name, *found, expected);
        return std::nullopt;
    }
    std::array<double, 2> values{};
    for (std::size_t i = 0; i < found->items.size(); ++i) {
        const Value& item = found->items[i];
        const auto value =
            item.kind == Value::Kind::Scalar ? finite(item.value) : std::optional<double>();
        if (!value || *value < static_cast<double>(known.least) ||
            *value > static_cast<double>(known.most)) {
            must_be(name, item, expected);
            return std::nullopt;
        }
        if (i < values.size()) values[i] = *value;
    }
    if (found->items.size() != values.size()) {
        complain(found->place, fmt::format("{} must be {}, found {} of them", name, expected,
                                           found->items.size()));
        return std::nullopt;
    }
    if (values[0] < values[1]) return values;
    complain(found->place, fmt::format("{} must rise, found [{}, {}]", name, values[0], values[1]));
    return std::nullopt;
}

std::optional<bool> Section::truth(std::string_view name) const {
    const Value* const found = scalar(name, "true or false");
    if (found == nullptr) return std::nullopt;
    if (found->value == "true") return true;
    if (found->value == "false") return false;
    must_be(name, *found, "true or false", hint_for_truth(found->value));
    return std::nullopt;
}

std::optional<Micros> Section::duration(std::string_view name) const {
    const Value* const found = scalar(name, kWordsOfTime);
    if (found == nullptr) return std::nullopt;
    if (found->value == "0") return Micros(0);
    if (const auto value = harness::parse_duration(found->value, false)) return value;
    const bool lacks_unit = harness::parse_duration(found->value, true).has_value();
    must_be(name, *found, kWordsOfTime,
            lacks_unit ? fmt::format("; write {0}ms or {0}s", found->value) : std::string());
    return std::nullopt;
}

std::optional<Micros> Section::minutes(std::string_view name) const {
    constexpr std::string_view kExpected =
        "a number of minutes above 0, or a time with a unit such as 90s or 2h";
    constexpr double kMostMinutes = 60.0 * 24 * 366;
    const Value* const found = scalar(name, kExpected);
    if (found == nullptr) return std::nullopt;
    if (const auto number = finite(found->value)) {
        if (*number > 0 && *number <= kMostMinutes)
            return Micros(std::llround(*number * 60 * 1'000'000));
    } else if (const auto value = harness::parse_duration(found->value, false)) {
        if (value->count() > 0) return value;
    }
    must_be(name, *found, kExpected);
    return std::nullopt;
}

std::optional<std::uint64_t> Section::size(std::string_view name) const {
    constexpr std::string_view kExpected = "a number of bytes such as 500M or 2G";
    constexpr std::uint64_t kMost = std::uint64_t{1} << 50U;
    const Value* const found = scalar(name, kExpected);
    if (found == nullptr) return std::nullopt;
    std::string_view digits = found->value;
    if (!digits.empty() && to_lower(digits.back()) == 'b') digits.remove_suffix(1);
    if (!digits.empty() && to_lower(digits.back()) == 'i') digits.remove_suffix(1);
    std::uint64_t unit = 1;
    if (!digits.empty()) {
        const char suffix = to_lower(digits.back());
        const std::size_t power = std::string_view("kmgt").find(suffix);
        if (power != std::string_view::npos) {
            unit <<= 10 * (power + 1);
            digits.remove_suffix(1);
        }
    }
    const auto value = to_number<std::uint64_t>(trim(digits));
    if (value && *value > 0 && *value <= kMost / unit) return *value * unit;
    must_be(name, *found, kExpected);
    return std::nullopt;
}

std::optional<std::uint64_t> Section::count(std::string_view name) const {
    constexpr std::string_view kExpected = "a whole number such as 20000, 500k or 50M";
    constexpr std::uint64_t kMost = 1'000'000'000'000'000;
    const Value* const found = scalar(name, kExpected);
    if (found == nullptr) return std::nullopt;
    std::string_view digits = found->value;
    std::uint64_t unit = 1;
    const std::size_t power = digits.empty()
                                  ? std::string_view::npos
                                  : std::string_view("kmg").find(to_lower(digits.back()));
    if (power != std::string_view::npos) {
        for (std::size_t i = 0; i <= power; ++i) unit *= 1000;
        digits.remove_suffix(1);
    }
    const auto value = to_number<std::uint64_t>(digits);
    if (value && *value <= kMost / unit && !has_leading_zero(digits)) return *value * unit;
    must_be(name, *found, kExpected, hint_for_number(found->value));
    return std::nullopt;
}

bool Section::is_word(std::string_view name) const {
    const Value* const found = find(name);
    return found != nullptr && found->kind == Value::Kind::Scalar &&
           contains(key(name).words, found->value);
}

std::optional<std::string> Section::choice(std::string_view name, std::string_view later) const {
    const std::string_view allowed = key(name).words;
    const std::string expected = alternatives(allowed);
    const Value* const found = scalar(name, expected);
    if (found == nullptr) return std::nullopt;
    if (contains(allowed, found->value)) return found->value;
    if (contains(later, found->value)) {
        complain(found->place, fmt::format("'{}: {}' is not built yet in this version; {} is", name,
                                           found->value, expected));
        return std::nullopt;
    }
    const auto all = split(allowed);
    must_be(name, *found, expected, all.size() > 1 ? did_you_mean(found->value, all) : "");
    return std::nullopt;
}

std::string Section::absolute(const Value& node) const {
    std::string_view relative = node.value;
    if (relative.substr(0, 1) == "/") return node.value;
    while (relative.substr(0, 2) == "./") relative.remove_prefix(2);
    return fmt::format("{}/{}", context_.texts.at(node.place.text).folder, relative);
}

std::optional<std::string> Section::path(std::string_view name) const {
    const Value* const found = scalar(name, "a path");
    if (found == nullptr) return std::nullopt;
    if (is_word(name)) return found->value;
    if (found->value.empty()) {
        must_be(name, *found, "a path");
        return std::nullopt;
    }
    return absolute(*found);
}

std::optional<std::vector<std::string>> Section::words(std::string_view name, Base base) const {
    constexpr std::string_view kExpected = "a word or a list of words";
    const Value* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->kind == Value::Kind::Map ||
        (found->kind == Value::Kind::List && found->items.empty()) ||
        (found->kind == Value::Kind::Scalar && found->value.empty())) {
        must_be(name, *found, kExpected);
        return std::nullopt;
    }
    if (found->kind == Value::Kind::Scalar) {
        if (!found->is_quoted && found->value.find(' ') != std::string::npos) {
            must_be(name, *found, kExpected,
                    "; write [program, argument], or quote it if the blank belongs to the name");
            return std::nullopt;
        }
        const bool is_path = base == Base::Config && found->value.find('/') != std::string::npos;
        return std::vector<std::string>{is_path ? absolute(*found) : found->value};
    }
    std::vector<std::string> out;
    for (const Value& item : found->items) {
        if (item.kind != Value::Kind::Scalar || (out.empty() && item.value.empty())) {
            must_be(name, item, kExpected);
            return std::nullopt;
        }
        const bool is_path =
            base == Base::Config && out.empty() && item.value.find('/') != std::string::npos;
        out.push_back(is_path ? absolute(item) : item.value);
    }
    return out;
}

std::vector<std::vector<std::string>> Section::steps(std::string_view name) const {
    constexpr std::string_view kExpected =
        "a list of words such as [make, -j2], or a list of such lists";
    std::vector<std::vector<std::string>> out;
    const Value* const found = find(name);
    if (found == nullptr) return out;
    const bool is_list = found->kind == Value::Kind::List && !found->items.empty();
    if (!is_list || found->items.front().kind != Value::Kind::List) {
        if (auto one = words(name, Base::Later)) out.push_back(std::move(*one));
        return out;
    }
    for (const Value& step : found->items) {
        std::vector<std::string>& argv = out.emplace_back();
        bool is_good = step.kind == Value::Kind::List && !step.items.empty();
        for (const Value& word : step.items) {
            is_good = is_good && word.kind == Value::Kind::Scalar;
            argv.push_back(word.value);
        }
        if (is_good && !argv.front().empty()) continue;
        must_be(name, step, kExpected);
        return {};
    }
    return out;
}

std::optional<double> Section::percent(std::string_view name) const {
    const Key& known = key(name);
    const std::string expected =
        fmt::format("a percentage from {}% to {}%, such as -3%", known.least, known.most);
    const Value* const found = scalar(name, expected);
    if (found == nullptr) return std::nullopt;
    std::string_view digits = trim(found->value);
    const bool has_sign = !digits.empty() && digits.back() == '%';
    if (has_sign) digits.remove_suffix(1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    const auto value = finite(trim(digits));
    if (has_sign && value && *value >= static_cast<double>(known.least) &&
        *value <= static_cast<double>(known.most))
        return value;
    must_be(name, *found, expected,
            value && !has_sign ? fmt::format("; write {}%", digits) : std::string());
    return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Section::names(std::string_view name) const {
    std::vector<std::pair<std::string, std::string>> out;
    const Value* const found = find(name);
    if (found == nullptr) return out;
    if (found->kind != Value::Kind::Map) {
        must_be(name, *found, "a map of names and values");
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
    const std::string_view words = key(name).words;
    if (found->kind == Value::Kind::Scalar && !words.empty()) {
        must_be(name, *found, alternatives(words) + " or a map of keys",
                did_you_mean(found->value, split(words)));
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
