// Names, options and what programs say come from others, and stand in pages, Markdown, CSV, PGN and
// the log of a CI system. Each form has one function that makes a text harmless there, and all
// begin with printable_utf8: what is no valid text or steers a terminal is gone before anything is
// escaped. The escape is made at the last moment, by the report; what is stored is what was said.
#include "reports/view/escape.h"

#include <algorithm>

#include "base/text.h"

namespace assay::reports {

namespace {

/// U+FFFE and U+FFFF in UTF-8 are EF BF BE and EF BF BF.
bool is_noncharacter(std::string_view text, std::size_t at) {
    return text.size() - at >= 3 && text[at] == '\xEF' && text[at + 1] == '\xBF' &&
           (text[at + 2] == '\xBE' || text[at + 2] == '\xBF');
}

std::string percent_coded(std::string_view text, std::string_view coded) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (coded.find(c) == std::string_view::npos) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kHex[byte >> 4U];
        out += kHex[byte & 15U];
    }
    return out;
}

/// Of what no kind of markup may have as it is; empty: it may.
std::string_view entity_of(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        default:
            return {};
    }
}

}  // namespace

std::string xml(std::string_view text) {
    const std::string clean = printable_utf8(text);
    std::string out;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        const char c = clean[i];
        if (const std::string_view entity = entity_of(c); !entity.empty()) {
            out += entity;
        } else if (c == '"') {
            out += "&quot;";
        } else if (c == '\'') {
            out += "&#39;";
        } else if (is_noncharacter(clean, i)) {
            out += '?';
            i += 2;
        } else {
            out += c;
        }
    }
    return out;
}

std::string markdown(std::string_view text) {
    // A backslash before ASCII punctuation makes it literal in CommonMark, but mentions, references
    // and addresses are looked for in what is left, and so their marks become entities.
    constexpr std::string_view kBackslashed = "\\`*_{}[]|~^$";
    const std::string clean = printable_utf8(text);
    std::string out;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        const char c = clean[i];
        if (const std::string_view entity = entity_of(c); !entity.empty()) {
            out += entity;
        } else if (c == '@') {
            out += "&#64;";
        } else if (c == '#') {
            out += "&#35;";
        } else if (c == ':') {  // https://, :emoji:
            const bool is_last = i + 1 == clean.size();
            out += is_last || clean[i + 1] == ' ' ? ":" : "&#58;";
        } else {
            if (kBackslashed.find(c) != std::string_view::npos) out += '\\';
            out += c;
        }
    }
    return out;
}

std::string xml_lines(std::string_view text) {
    return each_line(text, "\n", xml);
}

std::string_view first_line(std::string_view text) {
    return trim(text.substr(0, text.find('\n')));
}

std::string csv(std::string_view text) {
    std::string field = printable_utf8(text);
    // A spreadsheet takes a field that begins so for a formula, and runs it.
    if (!field.empty() && std::string_view("=+-@|%").find(field.front()) != std::string_view::npos)
        field.insert(0, 1, '\'');
    if (field.find_first_of("\",; '") == std::string::npos) return field;
    std::string out = "\"";
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string github_message(std::string_view text) {
    return percent_coded(printable_lines(trim(text)), "%\r\n");
}

std::string github_property(std::string_view text) {
    return percent_coded(printable_lines(trim(text)), "%\r\n:,");
}

std::string pgn_tag(std::string_view text) {
    std::string out;
    for (const char c : shortened(printable_utf8(text), 240)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string pgn_comment(std::string_view text) {
    std::string out = printable_utf8(text);
    std::ranges::replace(out, '{', '(');
    std::ranges::replace(out, '}', ')');
    return out;
}

std::string shortened(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return std::string(text);
    std::size_t end = bytes - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return std::string(text.substr(0, end)) + "...";
}

}  // namespace assay::reports
