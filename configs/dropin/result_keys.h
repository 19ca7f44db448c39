#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "configs/dropin/command_words.h"

// Keys of a file of results in both directions: a function that names keys with variables writes
// them with a KeyWriter and reads them with a KeyReader.
namespace assay::configs::dropin {

namespace json = boost::json;

/// Throws BadWord with the file, what is wrong with it, and what to do.
[[noreturn]] void refuse_result_file(const std::string& path, const std::string& what);

/// The text as JSON. Throws BadWord with the place of the first fault.
[[nodiscard]] json::value parsed_json(const std::string& text, const std::string& path);

/// Four blanks a level, as fastchess writes the file.
[[nodiscard]] std::string pretty_json(const json::value& value);

/// What is said by a number or a truth in other words, once for both directions: `Self` has value()
/// and refuse_value().
template <class Self>
class KeyWords {
public:
    /// A truth that is one of two numbers in the file.
    void word(std::string_view key, bool& variable, int if_true, int if_false) {
        int number = variable ? if_true : if_false;
        self().value(key, number);
        variable = number == if_true;
    }

    /// A truth whose opposite is in the file.
    void negated(std::string_view key, bool& variable) {
        bool opposite = !variable;
        self().value(key, opposite);
        variable = !opposite;
    }

    /// An enumerator that is its number in the file, from 0 to that of `last`.
    template <class Enum>
    void choice(std::string_view key, Enum& variable, Enum last) {
        int number = static_cast<int>(variable);
        self().value(key, number);
        const int most = static_cast<int>(last);
        if (number < 0 || number > most)
            self().refuse_value(key, fmt::format("a whole number from 0 to {}", most));
        variable = static_cast<Enum>(number);
    }

    /// A number of things or milliseconds.
    void count(std::string_view key, std::int64_t& variable) {
        constexpr std::int64_t kMost = 1'000'000'000'000'000;
        self().value(key, variable);
        if (variable < 0 || variable > kMost)
            self().refuse_value(key, fmt::format("a whole number from 0 to {}", kMost));
    }

private:
    [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }
};

/// Writes what the parts name.
class KeyWriter : public KeyWords<KeyWriter> {
public:
    template <class Type>
    void value(std::string_view key, const Type& variable) {
        object_[key] = variable;
    }

    template <class Keys>
    void part(std::string_view key, Keys keys) {
        KeyWriter inner;
        keys(inner);
        object_[key] = std::move(inner.object_);
    }

    template <class List, class Keys>
    void parts(std::string_view key, List& list, Keys keys) {
        json::array array;
        for (auto& one : list) {
            KeyWriter inner;
            keys(inner, one);
            array.push_back(std::move(inner.object_));
        }
        object_[key] = std::move(array);
    }

    void texts(std::string_view key, const std::vector<std::string>& texts) {
        json::array array;
        for (const std::string& text : texts) array.emplace_back(text);
        object_[key] = std::move(array);
    }

    void numbers(std::string_view key, const std::vector<int>& numbers) {
        object_[key] = json::array(numbers.begin(), numbers.end());
    }

    void text_pairs(std::string_view key,
                    const std::vector<std::pair<std::string, std::string>>& pairs) {
        json::array array;
        for (const auto& [name, value] : pairs) array.push_back(json::array{name, value});
        object_[key] = std::move(array);
    }

    /// What was set is written as it is.
    static void refuse_value(std::string_view /*key*/, std::string_view /*kind*/) {}

    [[nodiscard]] json::object& object() { return object_; }

private:
    json::object object_;
};

/// Reads what the parts name; a key that is missing keeps the variable, a value of another kind
/// throws BadWord with the key's place in the file.
class KeyReader : public KeyWords<KeyReader> {
public:
    /// `path` names the file, `place` the object in it: empty, or "limit.tc.".
    KeyReader(const json::object& object, const std::string& path, std::string place)
        : object_(object), path_(path), place_(std::move(place)) {}

    void value(std::string_view key, bool& variable) const {
        if (const json::value* const found = at(key)) {
            if (!found->is_bool()) refuse_value(key, "true or false");
            variable = found->get_bool();
        }
    }

    void value(std::string_view key, std::string& variable) const {
        if (const json::value* const found = at(key)) {
            if (!found->is_string()) refuse_value(key, "a text");
            variable = std::string(found->get_string());
        }
    }

    template <class Number>
    void value(std::string_view key, Number& variable) const {
        const json::value* const found = at(key);
        if (found == nullptr) return;
        boost::system::error_code error;
        const auto number = found->to_number<Number>(error);
        if (error)
            refuse_value(key, std::is_floating_point_v<Number> ? "a number" : "a whole number");
        variable = number;
    }

    template <class Keys>
    void part(std::string_view key, Keys keys) const {
        const json::value* const found = at(key);
        if (found == nullptr) return;
        if (!found->is_object()) refuse_value(key, "an object");
        KeyReader inner(found->get_object(), path_, place_ + std::string(key) + ".");
        keys(inner);
    }

    template <class List, class Keys>
    void parts(std::string_view key, List& list, Keys keys) const {
        const json::array& array = array_at(key);
        for (std::size_t i = 0; i < array.size(); ++i) {
            const std::string name = fmt::format("{}[{}]", key, i);
            if (!array[i].is_object()) refuse_value(name, "an object");
            KeyReader inner(array[i].get_object(), path_, place_ + name + ".");
            keys(inner, list.emplace_back());
        }
    }

    void texts(std::string_view key, std::vector<std::string>& texts) const {
        for (const json::value& one : array_at(key)) {
            if (!one.is_string()) refuse_value(key, "a list of texts");
            texts.emplace_back(one.get_string());
        }
    }

    void numbers(std::string_view key, std::vector<int>& numbers) const {
        for (const json::value& one : array_at(key)) {
            boost::system::error_code error;
            numbers.push_back(one.to_number<int>(error));
            if (error) refuse_value(key, "a list of whole numbers");
        }
    }

    void text_pairs(std::string_view key,
                    std::vector<std::pair<std::string, std::string>>& pairs) const {
        for (const json::value& one : array_at(key)) {
            const json::array* const pair = one.if_array();
            const bool is_pair = pair != nullptr && pair->size() == 2 && pair->at(0).is_string() &&
                                 pair->at(1).is_string();
            if (!is_pair) refuse_value(key, "a list of names with values");
            pairs.emplace_back(pair->at(0).get_string(), pair->at(1).get_string());
        }
    }

    /// Throws BadWord where the key is missing.
    void require(std::string_view key) const {
        if (object_.contains(key)) return;
        std::vector<std::string_view> names;
        for (const auto& member : object_) names.emplace_back(member.key());
        refuse_result_file(
            path_, fmt::format("there is no '{}{}'{}", place_, key, did_you_mean(key, names)));
    }

    [[noreturn]] void refuse_value(std::string_view key, std::string_view kind) const {
        refuse_result_file(path_, fmt::format("'{}{}' must be {}", place_, key, kind));
    }

private:
    [[nodiscard]] const json::value* at(std::string_view key) const {
        return object_.if_contains(key);
    }

    [[nodiscard]] const json::array& array_at(std::string_view key) const {
        static const json::array kEmpty;
        const json::value* const found = at(key);
        if (found == nullptr) return kEmpty;
        if (!found->is_array()) refuse_value(key, "a list");
        return found->get_array();
    }

    const json::object& object_;
    const std::string& path_;
    std::string place_;
};

}  // namespace assay::configs::dropin
