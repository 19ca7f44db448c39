#include "base/credentials.h"

#include <algorithm>

#include "base/text.h"

namespace assay {

namespace {

bool is_scheme_character(char c) {
    const char small = to_lower(c);
    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
}

/// The letters before "://" at the end of `text`.
std::string_view scheme_at_end(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0 && is_scheme_character(text[begin - 1])) --begin;
    return text.substr(begin);
}

}  // namespace

std::string without_credentials(std::string_view text) {
    constexpr std::string_view kMark = "://";
    std::string out;
    while (true) {
        const std::size_t mark = text.find(kMark);
        if (mark == std::string_view::npos) return out.append(text);
        const std::string scheme = lower(scheme_at_end(text.substr(0, mark)));
        out.append(text.substr(0, mark + kMark.size()));
        text.remove_prefix(mark + kMark.size());
        const std::string_view authority = text.substr(0, text.find_first_of("/?# \t\r\n'\"<>"));
        const std::size_t at = authority.rfind('@');
        if (at == std::string_view::npos) continue;
        const bool is_name_alone = authority.substr(0, at).find(':') == std::string_view::npos;
        if (is_name_alone && !scheme.starts_with("http") && !scheme.starts_with("ftp")) continue;
        out += "***";
        text.remove_prefix(at);
    }
}

}  // namespace assay
