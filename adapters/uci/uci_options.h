#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::adapters {

/// An option that a UCI program declared.
struct UciOption {
    enum class Type : std::uint8_t { Check, Spin, Combo, Button, String, Unknown };

    std::string name;  // may hold blanks
    Type type = Type::Unknown;
    std::string default_value;  // may hold blanks; as written
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    std::vector<std::string> choices;  // of a combo
};

/// Reads what follows `option` of a UCI line; nullopt where there is no name. Words that a type
/// does not know are part of the value before them.
[[nodiscard]] std::optional<UciOption> read_uci_option(std::string_view text);

/// The option of that name, without regard to case, or null.
[[nodiscard]] const UciOption* find_option(const std::vector<UciOption>& options,
                                           std::string_view name);

/// "setoption name N value V\n" with the program's own spelling of the name if it has the option;
/// a button has no value, and nothing is sent of one that says "false".
[[nodiscard]] std::string setoption_line(const UciOption* option, std::string_view name,
                                         std::string_view value);

/// Why the value does not suit the option, or empty: "Hash is 1 to 64, not '128'".
[[nodiscard]] std::string option_complaint(const UciOption& option, std::string_view value);

}  // namespace assay::adapters
