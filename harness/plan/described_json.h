#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/describe.hpp>
#include <boost/json.hpp>
#include <boost/mp11/algorithm.hpp>

#include "base/clock.h"
#include "base/text.h"

// JSON of structs whose members Boost.Describe lists, in both directions from the one list. A key
// is the member's name, with "_us" behind a time, which is written in microseconds; an enumerator
// FastFail is written fast_fail; an unset optional is null; a pair is a list of two.
namespace assay::harness {

/// Thrown by read_json(): the value of the key what() has not the type that its member has.
struct UnexpectedValue : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Key {
    std::string_view member;
    std::string_view key;
};

/// The members of T whose key is not their name.
template <class T>
inline constexpr std::array<Key, 0> kOtherKeys{};

/// The keys of T that older stores do not have. They are left out where the member has its default,
/// so that an older plan keeps its text.
template <class T>
inline constexpr std::array<std::string_view, 0> kLaterKeys{};

/// Specialised for a T whose keys stand among those of the struct that has it as a member, and are
/// not listed: write(object, value) adds them, read(object, value) takes them.
template <class T>
struct OwnKeys;

namespace described {

namespace json = boost::json;

template <class T>
using Members = boost::describe::describe_members<T, boost::describe::mod_public>;

template <class T>
using Enumerators = boost::describe::describe_enumerators<T>;

template <class T>
concept Optional = std::is_same_v<T, std::optional<typename T::value_type>>;

template <class T>
concept Pair = std::is_same_v<T, std::pair<typename T::first_type, typename T::second_type>>;

template <class T>
concept Range = requires(T& values) {
    std::begin(values);
};

/// "FastFail" is "fast_fail".
inline std::string snake_case(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (to_lower(c) != c && !out.empty()) out += '_';
        out += to_lower(c);
    }
    return out;
}

template <class T, class Member>
using MemberType = std::remove_cvref_t<decltype(std::declval<T&>().*Member::pointer)>;

template <class T>
concept HasOwnKeys = requires {
    sizeof(OwnKeys<T>);
};

/// By name_of() where the enum has one.
template <class Enumerator>
std::string name_of_enumerator(Enumerator one) {
    if constexpr (requires { name_of(one.value); })
        return std::string(name_of(one.value));
    else
        return snake_case(one.name);
}

template <class T, class Member>
std::string key_of(Member /*member*/) {
    for (const Key& other : kOtherKeys<T>)
        if (other.member == Member::name) return std::string(other.key);
    using Type = MemberType<T, Member>;
    const bool is_time =
        std::is_same_v<Type, Micros> || std::is_same_v<Type, std::optional<Micros>>;
    return std::string(Member::name) + (is_time ? "_us" : "");
}

}  // namespace described

/// `value` as JSON; members in the order in which they are described.
template <class T>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): a case for each kind of type
[[nodiscard]] boost::json::value json_of(const T& value) {
    namespace json = boost::json;
    if constexpr (std::is_arithmetic_v<T>) {
        return value;
    } else if constexpr (std::is_same_v<T, Micros>) {
        return std::int64_t{value.count()};
    } else if constexpr (std::is_same_v<T, std::string>) {
        return json::string(value);
    } else if constexpr (std::is_enum_v<T>) {
        json::value name;
        boost::mp11::mp_for_each<described::Enumerators<T>>([&](auto one) {
            if (one.value == value) name = json::string(described::name_of_enumerator(one));
        });
        return name;
    } else if constexpr (described::Optional<T>) {
        return value ? json_of(*value) : json::value(nullptr);
    } else if constexpr (described::Pair<T>) {
        return json::array{json_of(value.first), json_of(value.second)};
    } else if constexpr (described::Range<T>) {
        json::array all;
        for (const auto& one : value) all.push_back(json_of(one));
        return all;
    } else {
        json::object object;
        boost::mp11::mp_for_each<described::Members<T>>([&](auto member) {
            using Type = described::MemberType<T, decltype(member)>;
            if constexpr (described::HasOwnKeys<Type>) {
                OwnKeys<Type>::write(object, value.*member.pointer);
            } else {
                const std::string key = described::key_of<T>(member);
                json::value one = json_of(value.*member.pointer);
                if constexpr (!kLaterKeys<T>.empty()) {
                    const bool is_later =
                        std::ranges::find(kLaterKeys<T>, key) != kLaterKeys<T>.end();
                    if (is_later && one == json_of(T{}.*member.pointer)) return;
                }
                object[key] = std::move(one);
            }
        });
        return object;
    }
}

/// Reads what json_of() wrote; `key` is what UnexpectedValue names where `from` itself is at fault.
/// A key that is missing leaves its member as it is, and an array's length must agree.
template <class T>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): a case for each kind of type
void read_json(std::string_view key, const boost::json::value& from, T& to) {
    const auto expect = [key](bool condition) {
        if (!condition) throw UnexpectedValue{std::string(key)};
    };
    if constexpr (std::is_same_v<T, bool>) {
        expect(from.is_bool());
        to = from.get_bool();
    } else if constexpr (std::is_arithmetic_v<T>) {
        boost::system::error_code error;
        to = from.to_number<T>(error);
        expect(!error);
    } else if constexpr (std::is_same_v<T, Micros>) {
        std::int64_t count = 0;
        read_json(key, from, count);
        to = Micros(count);
    } else if constexpr (std::is_same_v<T, std::string>) {
        expect(from.is_string());
        to = from.get_string();
    } else if constexpr (std::is_enum_v<T>) {
        bool is_known = false;
        boost::mp11::mp_for_each<described::Enumerators<T>>([&](auto one) {
            if (!from.is_string() || from.get_string() != described::name_of_enumerator(one))
                return;
            to = one.value;
            is_known = true;
        });
        expect(is_known);
    } else if constexpr (described::Optional<T>) {
        to.reset();
        if (!from.is_null()) read_json(key, from, to.emplace(typename T::value_type{}));
    } else if constexpr (described::Pair<T>) {
        expect(from.is_array() && from.get_array().size() == 2);
        read_json(key, from.get_array()[0], to.first);
        read_json(key, from.get_array()[1], to.second);
    } else if constexpr (described::Range<T>) {
        expect(from.is_array());
        if constexpr (requires { to.resize(1); }) to.assign(from.get_array().size(), {});
        expect(to.size() == from.get_array().size());
        for (std::size_t i = 0; i < to.size(); ++i) read_json(key, from.get_array()[i], to[i]);
    } else {
        expect(from.is_object());
        boost::mp11::mp_for_each<described::Members<T>>([&](auto member) {
            using Type = described::MemberType<T, decltype(member)>;
            const std::string name = described::key_of<T>(member);
            if constexpr (described::HasOwnKeys<Type>)
                OwnKeys<Type>::read(from.get_object(), to.*member.pointer);
            else if (const auto* const found = from.get_object().if_contains(name))
                read_json(name, *found, to.*member.pointer);
        });
    }
}

}  // namespace assay::harness
