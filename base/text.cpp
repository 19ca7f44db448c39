// Text from programs, files and users: never trusted to be UTF-8, free of control characters or
// short. printable_utf8() is what stands between such text and a terminal, a log or a report. ASCII
// rules alone decide on letters, digits and case: with a locale the same config would mean
// different things on two machines.
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/sha256.h"

namespace assay {

namespace {

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

constexpr bool is_space(char c) {
    return is_blank(c) || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
    }
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;   // overlong
    if (lead == 0xed && byte(1) >= 0xa0) return 0;  // surrogate
    if (lead == 0xf0 && byte(1) < 0x90) return 0;   // overlong
    if (lead == 0xf4 && byte(1) >= 0x90) return 0;  // above U+10FFFF
    return length;
}

namespace {

void append_hex(std::string& out, unsigned char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "\\x";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
}

}  // namespace

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), to_lower);
    return out;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view take_word(std::string_view& rest) {
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    const auto* const end = std::find_if(rest.begin(), rest.end(), is_blank);
    const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(word.size());
    return word;
}

std::vector<std::string_view> split_at(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(mark, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::string_view take_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
        words.push_back(word);
    }
    return words;
}

std::string plain_number(double value, int significant) {
    constexpr int kMostDecimals = 20;
    int decimals = 0;
    if (std::isfinite(value) && value != 0) {
        const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
        decimals = std::clamp(significant - 1 - magnitude, 0, kMostDecimals);
    }
    std::array<char, 400> buffer{};  // the largest double has 309 digits
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::fixed, decimals);
    std::string text(buffer.data(), result.ptr);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

namespace {

/// Characters that are not seen but change how others are: marks and overrides of direction
/// (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), those without a width (U+200B to
/// U+200D, U+2060, U+FEFF), and ends of lines and paragraphs (U+2028, U+2029). With them a name can
/// pretend to be another one.
bool is_invisible(std::string_view character) {
    if (character == "\xd8\x9c" || character == "\xef\xbb\xbf") return true;
    if (character.size() != 3 || !character.starts_with("\xe2")) return false;
    const auto middle = static_cast<unsigned char>(character[1]);
    const auto last = static_cast<unsigned char>(character[2]);
    if (middle == 0x80) return (last >= 0x8b && last <= 0x8f) || (last >= 0xa8 && last <= 0xae);
    return middle == 0x81 && (last == 0xa0 || (last >= 0xa6 && last <= 0xa9));
}

/// Whether it is blank space alone, also what Unicode counts as such: a CI system leaves that out
/// in front of a command.
bool is_all_space(std::string_view text) {
    static constexpr std::array<std::string_view, 8> kWide{
        "\xc2\x85",     "\xc2\xa0",       // U+0085, U+00A0
        "\xe1\x9a\x80", "\xe2\x80\xaf",   // U+1680, U+202F
        "\xe2\x81\x9f", "\xe3\x80\x80",   // U+205F, U+3000
        "\xe2\x80\xa8", "\xe2\x80\xa9"};  // U+2028, U+2029
    while (!text.empty()) {
        const auto* const wide = std::ranges::find_if(
            kWide, [&](std::string_view one) { return text.starts_with(one); });
        const bool is_space_of_2000 = text.size() >= 3 && text.starts_with("\xe2\x80") &&
                                      static_cast<unsigned char>(text[2]) <= 0x8a;
        if (is_space(text.front())) {
            text.remove_prefix(1);
        } else if (wide != kWide.end()) {
            text.remove_prefix(wide->size());
        } else if (is_space_of_2000) {  // U+2000 to U+200A
            text.remove_prefix(3);
        } else {
            return false;
        }
    }
    return true;
}

/// What a CI system takes for a command in a job's log: "::" behind the blank space that a line
/// begins with, and "##[" and "##vso[" anywhere. REQUIRES: a character is left.
bool begins_ci_command(std::string_view rest, std::string_view before) {
    if (rest.starts_with("::")) return is_all_space(before);
    return rest.starts_with("##[") || rest.starts_with("##vso[");
}

}  // namespace

std::string printable_utf8(std::string_view bytes) {
    const std::string_view line = bytes;
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto* const special = std::find_if(bytes.begin(), bytes.end(), [](char c) {
            return c < ' ' || c > '~' || c == ':' || c == '#';  // also what char makes negative
        });
        const auto plain = static_cast<std::size_t>(special - bytes.begin());
        out.append(bytes.substr(0, plain));
        bytes.remove_prefix(plain);
        if (bytes.empty()) break;
        const auto lead = static_cast<unsigned char>(bytes.front());
        const std::size_t length = utf8_length(bytes);
        // U+0080 to U+009F: terminals take U+009B for the beginning of a control sequence.
        const bool is_c1 =
            lead == 0xc2 && length == 2 && static_cast<unsigned char>(bytes[1]) < 0xa0;
        const bool is_command =
            begins_ci_command(bytes, line.substr(0, line.size() - bytes.size()));
        if (length == 0 || lead < 0x20 || lead == 0x7f || is_c1 || is_command) {
            append_hex(out, lead);
            bytes.remove_prefix(1);
        } else if (is_invisible(bytes.substr(0, length))) {
            for (const char byte : bytes.substr(0, length))
                append_hex(out, static_cast<unsigned char>(byte));
            bytes.remove_prefix(length);
        } else {
            out += bytes.substr(0, length);
            bytes.remove_prefix(length);
        }
    }
    return out;
}

std::string printable_lines(std::string_view bytes) {
    return each_line(bytes, "\n", printable_utf8);
}

std::string each_line(std::string_view text, std::string_view between,
                      std::string (*shown)(std::string_view)) {
    std::string out;
    while (true) {
        const std::size_t end = text.find('\n');
        out += shown(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        out += between;
        text.remove_prefix(end + 1);
    }
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        if (&word != words.data()) text += between;
        text += word;
    }
    return text;
}

std::string shell_word(std::string_view word) {
    static constexpr std::string_view kPlain = "%+,-./:=@_";
    const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
        const bool is_ascii_word =
            (c >= '0' && c <= '9') || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
        return is_ascii_word || static_cast<unsigned char>(c) >= 0x80 ||
               kPlain.find(c) != std::string_view::npos;
    });
    if (is_plain) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

namespace {

constexpr std::size_t kLongestPart = 120;

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

}  // namespace

std::string file_part(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool is_leading_dot = c == '.' && out.empty();
        if (is_plain(c) && !is_leading_dot)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    if (out.size() > kLongestPart) out = out.substr(0, 80) + "%-" + sha256_of(name).substr(0, 32);
    return out.empty() ? "%" : out;
}

}  // namespace assay
