#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "harness/build/bench_output.h"
#include "harness/record/build_origin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const assay::harness::BenchReader usual({});
    static_cast<void>(usual.read(text));
    static_cast<void>(assay::harness::declared_signature(text));
    try {
        assay::harness::VersionRecord version;
        assay::harness::read_origin_json(std::string(text), version);
        static_cast<void>(assay::harness::origin_json(version));
        static_cast<void>(assay::harness::read_findings_json(std::string(text)));
    } catch (const assay::Error&) {
        // What is no JSON is said to be none.
    }
    return 0;
}
