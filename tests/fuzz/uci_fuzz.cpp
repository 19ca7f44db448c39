#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "adapters/process/line_reader.h"
#include "adapters/process/recent_lines.h"
#include "adapters/uci/uci_info.h"
#include "adapters/uci/uci_options.h"
#include "base/text.h"

namespace {

void read_line(std::string_view line, assay::adapters::SearchInfo& info) {
    std::string_view rest = line;
    const std::string_view word = assay::take_word(rest);
    if (word == "info") {
        const auto warning = assay::adapters::read_uci_info(rest, info);
        // A warning's value is a part of the line; touching it finds views that dangle.
        static_cast<void>(assay::printable_utf8(warning.value));
    }
    if (word == "option") {
        const auto option = assay::adapters::read_uci_option(rest);
        if (option) {
            static_cast<void>(assay::adapters::option_complaint(*option, rest));
            static_cast<void>(assay::adapters::setoption_line(&*option, rest, rest));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    constexpr std::size_t kLongest = 200;
    assay::adapters::RecentLines recent;
    // Whole and in pieces of seven bytes: the same lines must come out.
    std::size_t whole = 0;
    std::size_t pieces = 0;
    assay::adapters::SearchInfo info;
    assay::adapters::LineReader reader(kLongest);
    reader.feed(text, [&](std::string_view line, bool) {
        if (line.size() > kLongest) std::abort();
        whole = whole * 31 + line.size() + 1;
        recent.add(line);
        read_line(line, info);
        return true;
    });
    assay::adapters::LineReader slow(kLongest);
    for (std::size_t at = 0; at < text.size(); at += 7) {
        slow.feed(text.substr(at, 7), [&](std::string_view line, bool) {
            pieces = pieces * 31 + line.size() + 1;
            return true;
        });
    }
    if (whole != pieces) std::abort();
    if (recent.lines().size() > 20) std::abort();
    return 0;
}
