#include "configs/dropin/result_keys.h"

#include "base/diagnostic.h"

namespace assay::configs::dropin {

namespace {

constexpr std::string_view kAdvice = "; correct it, or leave -config out and begin the match anew";

void write_pretty(const json::value& value, std::string& out, std::size_t depth) {
    const std::string indent((depth + 1) * 4, ' ');
    const auto close = [&](char bracket) { out += "\n" + std::string(depth * 4, ' ') + bracket; };
    if (value.is_object() && !value.get_object().empty()) {
        out += '{';
        bool is_first = true;
        for (const auto& member : value.get_object()) {
            out += (is_first ? "\n" : ",\n") + indent +
                   json::serialize(json::string(member.key())) + ": ";
            write_pretty(member.value(), out, depth + 1);
            is_first = false;
        }
        close('}');
    } else if (value.is_array() && !value.get_array().empty()) {
        out += '[';
        bool is_first = true;
        for (const json::value& one : value.get_array()) {
            out += (is_first ? "\n" : ",\n") + indent;
            write_pretty(one, out, depth + 1);
            is_first = false;
        }
        close(']');
    } else if (value.is_double()) {
        out += fmt::format("{}", value.get_double());
    } else {
        out += json::serialize(value);
    }
}

}  // namespace

void refuse_result_file(const std::string& path, const std::string& what) {
    throw BadWord(path + ": " + what + std::string(kAdvice));
}

std::string pretty_json(const json::value& value) {
    std::string text;
    write_pretty(value, text, 0);
    return text;
}

json::value parsed_json(const std::string& text, const std::string& path) {
    constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
    if (text.size() > kMostBytes)
        refuse_result_file(path,
                           fmt::format("a file of results has at most {} MiB", kMostBytes >> 20U));
    json::parser parser;
    boost::system::error_code error;
    const std::size_t read = parser.write_some(text.data(), text.size(), error);
    const std::size_t rest = text.find_first_not_of(" \t\r\n", std::min(read, text.size()));
    if (!error && rest == std::string::npos) return parser.release();
    const bool is_cut = read == text.size();
    const std::size_t place = rest == std::string::npos ? read : rest;
    const Source source(path, text);
    std::string shown = format(
        source.at({place, place + 1}, is_cut ? "the JSON text ends too early" : "this is no JSON"));
    throw BadWord(std::string(trim(shown)) + "\n" + std::string(kAdvice.substr(2)));
}

}  // namespace assay::configs::dropin
