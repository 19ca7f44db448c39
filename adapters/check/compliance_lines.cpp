#include "adapters/check/compliance_lines.h"

#include <algorithm>
#include <limits>

#include "adapters/uci/uci_info.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

bool has_word(std::string_view text, std::string_view wanted) {
    while (true) {
        const std::string_view word = take_word(text);
        if (word.empty()) return false;
        if (word == wanted) return true;
    }
}

std::string quoted_part(std::string_view text) {
    return "'" + printable_utf8(text.substr(0, 80)) + "'";
}

struct MatchDefault {
    std::string_view name;
    std::string_view wanted;
    std::string_view why;
};

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr MatchDefault kMatchDefaults[] = {
    {"OwnBook", "false", "plays from its own book"},
    {"UseBook", "false", "plays from its own book"},
    {"Use Book", "false", "plays from its own book"},
    {"Own Book", "false", "plays from its own book"},
    {"Ponder", "false", "expects to think on its opponent's time"},
    {"Threads", "1", "uses several threads"},
    {"UCI_LimitStrength", "false", "plays below its strength"},
    {"UCI_Chess960", "false", "reads castling as king takes rook"},
    {"UCI_AnalyseMode", "false", "is set to analysis"},
};

}  // namespace

std::string option_line_complaint(std::string_view line) {
    std::string_view text = trim(line);
    take_word(text);
    const auto option = read_uci_option(text);
    if (!option) return "no name in " + quoted_part(line);
    using Type = UciOption::Type;
    if (option->type == Type::Unknown) {
        return (has_word(text, "type") ? "unknown type in " : "no type in ") + quoted_part(line);
    }
    if (option->type == Type::Spin) {
        if (!option->min || !option->max)
            return "a spin without min and max in " + quoted_part(line);
        if (*option->min > *option->max) return "min above max in " + quoted_part(line);
    }
    if (option->type == Type::Combo && option->choices.empty()) {
        return "a combo without var in " + quoted_part(line);
    }
    const bool needs_default = option->type != Type::Button && option->type != Type::String;
    if (needs_default && option->default_value.empty()) return "no default in " + quoted_part(line);
    return {};
}

std::string default_complaint(const UciOption& option) {
    using Type = UciOption::Type;
    const bool has_any = option.type == Type::Button || option.type == Type::String ||
                         option.type == Type::Unknown || option.default_value.empty();
    return has_any ? std::string() : option_complaint(option, option.default_value);
}

std::vector<std::string> duplicate_names(const std::vector<UciOption>& options) {
    std::vector<std::string> result;
    for (auto option = options.begin(); option != options.end(); ++option) {
        const bool came_before =
            std::any_of(options.begin(), option, [&option](const UciOption& other) {
                return equal_ignoring_case(other.name, option->name);
            });
        if (came_before) result.push_back(option->name);
    }
    return result;
}

std::vector<std::string> match_default_complaints(const std::vector<UciOption>& options) {
    std::vector<std::string> result;
    for (const MatchDefault& wanted : kMatchDefaults) {
        const UciOption* const option = find_option(options, wanted.name);
        if (option == nullptr || option->default_value.empty()) continue;
        if (equal_ignoring_case(option->default_value, wanted.wanted)) continue;
        result.push_back(std::string(wanted.why) + " unless told not to: set " + option->name +
                         "=" + std::string(wanted.wanted));
    }
    return result;
}

std::string info_complaint(std::string_view text) {
    SearchInfo info;
    const InfoWarning warning = read_uci_info(text, info);
    if (!warning.field.empty()) {
        if (warning.value.empty()) {
            return "no value after '" + printable_utf8(warning.field) + "' in " +
                   quoted_part("info " + std::string(text));
        }
        return "'" + printable_utf8(warning.field) + "' is " + quoted_part(warning.value);
    }
    constexpr int kMostInt = std::numeric_limits<int>::max();
    constexpr auto kMostNodes = std::numeric_limits<std::uint64_t>::max();
    const bool has_overflow =
        info.depth == kMostInt || info.seldepth == kMostInt || info.nodes == kMostNodes ||
        info.nps == kMostNodes || info.tbhits == kMostNodes ||
        (info.score &&
         (info.score->value == kMostInt || info.score->value == std::numeric_limits<int>::min()));
    if (has_overflow) {
        return "a number beyond its range in " + quoted_part("info " + std::string(text));
    }
    if (info.hashfull && (*info.hashfull < 0 || *info.hashfull > 1000)) {
        return "hashfull is permille, not " + std::to_string(*info.hashfull);
    }
    return {};
}

bool looks_like_result(std::string_view info_text) {
    std::string_view rest = info_text;
    if (take_word(rest) != "string") return false;
    return has_word(rest, "score") && (has_word(rest, "cp") || has_word(rest, "mate"));
}

std::string_view byte_complaint(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) return "a NUL byte";
    for (const char byte : line) {
        if (static_cast<unsigned char>(byte) < 0x80) continue;
        // Any multi-byte sequence that is in order passes printable_utf8() unchanged.
        const std::string shown = printable_utf8(line);
        return shown.find("\\x") != std::string::npos && line.find("\\x") == std::string_view::npos
                   ? "bytes that are not UTF-8"
                   : "";
    }
    return {};
}

}  // namespace assay::adapters
