#include "reports/live/wanted.h"

#include <algorithm>

#include "base/text.h"

namespace assay::reports::live {

namespace {

constexpr std::size_t kMostDigits = 18;  // of a run's number

const char* type_of(const std::string& format) {
    if (format == "json" || format == "badge") return "application/json";
    if (format == "junit") return "application/xml";
    if (format == "openmetrics") return "application/openmetrics-text; version=1.0.0";
    return "text/plain; charset=utf-8";
}

std::string path_of(std::string_view target) {
    target = target.substr(0, target.find_first_of("?#"));
    const auto digit = [&](std::size_t at) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        const char c = at < target.size() ? target[at] : ' ';
        return kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    };
    std::string path;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const bool is_code = target[i] == '%' && digit(i + 1) < 16 && digit(i + 2) < 16;
        path += is_code ? static_cast<char>(digit(i + 1) * 16 + digit(i + 2)) : target[i];
        if (is_code) i += 2;
    }
    return path;
}

/// Takes the run's number off the front of `text`.
std::optional<std::int64_t> take_run(std::string_view& text) {
    const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
    if (size == 0 || size > kMostDigits) return std::nullopt;
    const auto run = to_number<std::int64_t>(text.substr(0, size));
    text.remove_prefix(size);
    return run;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

Wanted wanted_by(const Site& site, std::string_view target) {
    const std::string whole = path_of(target);
    std::string_view path = whole;
    Wanted wanted;
    if (path == "/") {
        wanted.text = site.index;
    } else if (take_prefix(path, "/history/") && !path.empty()) {
        wanted.text = [&site, name = std::string(path)] { return site.history(name); };
    } else if (take_prefix(path, "/events/run/")) {
        const auto run = take_run(path);
        if (run && path.empty()) wanted.news_of = run;
    } else if (take_prefix(path, "/run/")) {
        const auto run = take_run(path);
        if (run && path.empty()) {
            wanted.text = [&site, run = *run] { return site.run(run); };
        } else if (run && take_prefix(path, ".") && !path.empty()) {
            const std::string format(path);
            wanted.type = type_of(format);
            wanted.text = [&site, run = *run, format] { return site.form(run, format); };
        }
    }
    return wanted;
}

bool names_us(std::string_view host, int port) {
    constexpr int kHttpPort = 80;  // browsers leave it out
    if (port == kHttpPort && (host == "127.0.0.1" || host == "localhost")) return true;
    const std::string behind = ":" + std::to_string(port);
    return host == "127.0.0.1" + behind || host == "localhost" + behind;
}

}  // namespace assay::reports::live
