#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::engines {

/// The UCI options of a program, each bound to a variable whose value at the time of the call is
/// its default. REQUIRES: the variables outlive the table.
class OptionTable {
public:
    void add_check(std::string_view name, bool& value);

    /// Whole numbers from `least` to `most`.
    template <class Number>
    void add_spin(std::string_view name, Number& value, long long least, long long most) {
        add_number(name, static_cast<long long>(value), least, most,
                   [&value](long long number) { value = static_cast<Number>(number); });
    }

    /// The choices are in the order of the values of `value`, from 0.
    template <class Choice>
    void add_combo(std::string_view name, const std::vector<std::string_view>& choices,
                   Choice& value) {
        static_assert(std::is_enum_v<Choice> || std::is_same_v<Choice, bool>);
        add_choice(name, choices, static_cast<std::size_t>(value),
                   [&value](std::size_t i) { value = static_cast<Choice>(i); });
    }

    void add_text(std::string_view name, std::string& value);

    /// The lines of all options that answer `uci`.
    [[nodiscard]] std::string declaration() const;

    /// Sets one option; names and choices are compared without case. nullopt, or a sentence with
    /// the mistake, and then nothing has changed.
    [[nodiscard]] std::optional<std::string> set(std::string_view name,
                                                 std::string_view value) const;

private:
    struct Option {
        std::string_view name;
        std::string declaration;  // what follows the name
        /// Returns what is wrong, behind "option NAME ".
        std::function<std::optional<std::string>(std::string_view)> set;
    };

    void add_number(std::string_view name, long long usual, long long least, long long most,
                    const std::function<void(long long)>& set);
    void add_choice(std::string_view name, const std::vector<std::string_view>& choices,
                    std::size_t usual, const std::function<void(std::size_t)>& set);

    std::vector<Option> options_;
};

}  // namespace assay::engines
