#include "harness/record/fleet.h"

#include "base/enum_names.h"

namespace assay::harness {

namespace {

constexpr auto kFates = enum_names<AttemptFate>("lost", "late", "returned", "barred");

}  // namespace

std::string_view name_of(AttemptFate fate) {
    return kFates.of(fate);
}

std::optional<AttemptFate> attempt_fate_of(std::string_view name) {
    return kFates.find(name);
}

}  // namespace assay::harness
