#include "configs/loader/yaml_writer.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace assay::configs {

std::string yaml_scalar(std::string_view text) {
    const auto is_plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_./+-").find(c) != std::string_view::npos;
    };
    const bool is_word = !text.empty() && text.front() != '-' &&
                         std::all_of(text.begin(), text.end(), is_plain) && lower(text) != "null";
    if (is_word) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string yaml_list(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + yaml_scalar(word);
    return "[" + out + "]";
}

void YamlBlock::put(std::string_view key, std::string_view value) {
    out_ += std::string(is_first_in_list_ ? 0 : indent_, ' ');
    out_ += fmt::format("{}: {}\n", key, value);
    is_first_in_list_ = false;
}

YamlBlock YamlBlock::block(std::string_view key) {
    out_ += std::string(is_first_in_list_ ? 0 : indent_, ' ') + fmt::format("{}:\n", key);
    is_first_in_list_ = false;
    return YamlBlock(out_, indent_ + 2);
}

YamlBlock YamlBlock::element() {
    out_ += std::string(indent_, ' ') + "- ";
    YamlBlock one(out_, indent_ + 2);
    one.is_first_in_list_ = true;
    return one;
}

}  // namespace assay::configs
