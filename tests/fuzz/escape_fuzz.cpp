#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "reports/view/escape.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

bool has_control(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
}

bool ends_tag_early(const std::string& value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '"') return true;
        if (value[i] == '\\' && ++i == value.size()) return true;
    }
    return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace reports = assay::reports;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    require(reports::xml(text).find_first_of("<>\"'") == std::string::npos);
    require(!ends_tag_early(reports::pgn_tag(text)));
    require(reports::pgn_comment(text).find_first_of("{}") == std::string::npos);
    require(reports::markdown(text).find_first_of("<>@#") == std::string::npos ||
            reports::markdown(text).find("&#") != std::string::npos);
    require(reports::shortened(text, 16).size() <= 16);
    for (const std::string& out : {reports::xml(text), reports::markdown(text), reports::csv(text),
                                   reports::pgn_tag(text), reports::pgn_comment(text),
                                   reports::github_message(text), reports::github_property(text)})
        require(!has_control(out));
    return 0;
}
