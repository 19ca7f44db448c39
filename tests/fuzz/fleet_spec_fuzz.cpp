// spec.json of a run's folder, as any process with a place in a shared folder may have left it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "harness/executor/fleet_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const assay::harness::FleetSpec spec = assay::harness::fleet_spec_of(text);
        const std::int64_t batches = spec.batches();
        ASSAY_CHECK(batches >= static_cast<std::int64_t>(spec.stretches.size()));
        ASSAY_CHECK(!spec.window_of(batches) && !spec.window_of(-1));
        if (const auto last = spec.window_of(batches - 1)) {
            ASSAY_CHECK(last->first >= 0 && last->pairs >= 1);
            const auto same = spec.batches_of(last->match, last->first);
            ASSAY_CHECK(!same.empty() && same.front() == batches - 1);
        }
        assay::harness::FleetSpec again = assay::harness::fleet_spec_of(to_json(spec));
        again.reference = spec.reference;  // JSON may change its last digit
        ASSAY_CHECK(again == spec);
    } catch (const assay::Error& error) {
        ASSAY_CHECK(!std::string_view(error.what()).empty());
    }
    return 0;
}
