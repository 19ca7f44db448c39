#pragma once
#include <string>
#include <tuple>

#include "harness/record/run.h"

namespace assay::harness {

/// Records with equal identities are copies of one run, whatever store they are in.
using RunIdentity = std::tuple<long long, std::string, std::string>;

[[nodiscard]] inline RunIdentity identity_of(const RunRecord& run) {
    return {run.started_us, run.machine.host, run.name};
}

}  // namespace assay::harness
