#pragma once
#include <string>

#include "harness/record/run.h"
#include "harness/record/version.h"

namespace assay::harness {

/// The JSON that a store keeps of a version's source, build and benchmark, and back; empty of a
/// version that has none of them. Reading throws Error where the text is not what this writes; a
/// key that is missing is unsaid.
[[nodiscard]] std::string origin_json(const VersionRecord& version);
void read_origin_json(const std::string& text, VersionRecord& version);

/// The same of a run's findings.
[[nodiscard]] std::string findings_json(const RunFindings& findings);
[[nodiscard]] RunFindings read_findings_json(const std::string& text);

}  // namespace assay::harness
