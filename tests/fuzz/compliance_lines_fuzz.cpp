#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "adapters/check/compliance_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)assay::adapters::option_line_complaint(text);
    (void)assay::adapters::info_complaint(text);
    (void)assay::adapters::looks_like_result(text);
    (void)assay::adapters::byte_complaint(text);
    std::vector<assay::adapters::UciOption> options;
    if (auto option = assay::adapters::read_uci_option(text)) options.push_back(*option);
    for (const auto& option : options) (void)assay::adapters::default_complaint(option);
    (void)assay::adapters::duplicate_names(options);
    (void)assay::adapters::match_default_complaints(options);
    return 0;
}
