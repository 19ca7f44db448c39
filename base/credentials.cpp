#include "base/credentials.h"

#include <algorithm>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay {

namespace {

constexpr std::string_view kMark = "://";

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

/// Whether what stands before the '@' of such an address is secret.
bool is_secret(std::string_view scheme_text, std::string_view user) {
    const std::string scheme = lower(scheme_text);
    return user.find(':') != std::string_view::npos || scheme.starts_with("http") ||
           scheme.starts_with("ftp");
}

/// Adds the values of "name=value&name=value", and parts without a name as a whole. `begin`: where
/// `fields` stands.
void add_values(std::vector<Span>& secrets, std::size_t begin, std::string_view fields) {
    while (!fields.empty()) {
        const std::size_t end = std::min(fields.find_first_of("&;"), fields.size());
        const std::size_t equals = fields.substr(0, end).find('=');
        const std::size_t value = equals == std::string_view::npos ? 0 : equals + 1;
        if (value < end) secrets.push_back({begin + value, begin + end});
        const std::size_t taken = std::min(end + 1, fields.size());
        begin += taken;
        fields.remove_prefix(taken);
    }
}

/// Adds the secrets of an address that begins behind its "://". Returns how much of it is done:
/// another address may stand in its path.
std::size_t add_secrets(std::vector<Span>& secrets, std::string_view scheme, std::size_t begin,
                        std::string_view text) {
    const std::string_view address = text.substr(0, text.find_first_of(" \t\r\n'\"<>"));
    const std::string_view host = address.substr(0, address.find_first_of("/?#"));
    const std::size_t at = host.rfind('@');
    if (at != std::string_view::npos && is_secret(scheme, host.substr(0, at)))
        secrets.push_back({begin, begin + at});
    const std::size_t fragment = std::min(address.find('#'), address.size());
    const std::size_t query = std::min(address.find('?'), fragment);
    if (address.substr(0, query).find(kMark) != std::string_view::npos) return host.size();
    if (query < fragment)
        add_values(secrets, begin + query + 1, address.substr(query + 1, fragment - query - 1));
    if (fragment < address.size())
        add_values(secrets, begin + fragment + 1, address.substr(fragment + 1));
    return address.size();
}

/// In the order of the text.
std::vector<Span> secrets_in(std::string_view text) {
    std::vector<Span> secrets;
    std::size_t from = 0;
    while (true) {
        const std::size_t mark = text.find(kMark, from);
        if (mark == std::string_view::npos) return secrets;
        const std::size_t begin = mark + kMark.size();
        from = begin +
               add_secrets(secrets, scheme_at_end(text.substr(0, mark)), begin, text.substr(begin));
    }
}

}  // namespace

std::string without_credentials(std::string_view text) {
    std::string out;
    std::size_t from = 0;
    for (const Span& secret : secrets_in(text)) {
        out.append(text.substr(from, secret.begin - from)).append("***");
        from = secret.end;
    }
    return out.append(text.substr(from));
}

std::string with_hidden_credentials(std::string_view text) {
    std::string out(text);
    for (const Span& secret : secrets_in(text))
        out.replace(secret.begin, secret.end - secret.begin, secret.end - secret.begin, '*');
    return out;
}

}  // namespace assay
