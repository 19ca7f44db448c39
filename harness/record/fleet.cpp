#include "harness/record/fleet.h"

#include "base/enum_names.h"

namespace assay::harness {

namespace {

constexpr auto kFates = enum_names<AttemptFate>("lost", "late", "returned", "barred");
constexpr auto kBatchStates = enum_names<BatchState>("submitted", "done", "failed", "cancelled");

}  // namespace

std::string_view name_of(AttemptFate fate) {
    return kFates.of(fate);
}

std::optional<AttemptFate> attempt_fate_of(std::string_view name) {
    return kFates.find(name);
}

std::string_view name_of(BatchState state) {
    return kBatchStates.of(state);
}

std::optional<BatchState> batch_state_of(std::string_view name) {
    return kBatchStates.find(name);
}

}  // namespace assay::harness
