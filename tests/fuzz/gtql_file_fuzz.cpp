// A file of queries.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "gtql/lang/query_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        for (const auto& each : assay::gtql::parse_query_file("q.gtql", text)) {
            ASSAY_CHECK(each.line >= 1);
            ASSAY_CHECK(!each.query.one_line().empty());
        }
    } catch (const assay::SyntaxError& error) {
        ASSAY_CHECK(!error.diagnostics().empty());
    }
    return 0;
}
