#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

/// The names of the values of an Enum, which count from 0 in the order of the names.
template <class Enum, std::size_t N>
class EnumNames {
public:
    constexpr explicit EnumNames(const std::array<std::string_view, N>& names) : names_(names) {}

    /// REQUIRES: `value` has a name.
    [[nodiscard]] constexpr std::string_view of(Enum value) const {
        return names_.at(static_cast<std::size_t>(value));
    }

    /// The first value with that name.
    [[nodiscard]] constexpr std::optional<Enum> find(std::string_view name) const {
        const auto found = std::ranges::find(names_, name);
        if (found == names_.end()) return std::nullopt;
        return static_cast<Enum>(found - names_.begin());
    }

private:
    std::array<std::string_view, N> names_;
};

template <class Enum, class... Names>
[[nodiscard]] constexpr EnumNames<Enum, sizeof...(Names)> enum_names(const Names&... names) {
    return EnumNames<Enum, sizeof...(Names)>({names...});
}

}  // namespace assay
