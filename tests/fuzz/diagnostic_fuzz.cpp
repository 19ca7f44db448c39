#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/diagnostic.h"
#include "base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const assay::Source source("f", text);
    const std::size_t begin = size > 0 ? data[0] : 0;
    const std::size_t end = size > 1 ? data[1] : 0;
    (void)format(source.at({begin, end}, assay::printable_utf8(text)));
    return 0;
}
