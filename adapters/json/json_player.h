#pragma once
#include "adapters/protocol/protocol.h"

namespace assay::adapters {

/// JSON lines: one object a line (docs/protocols.md). For programs that have no protocol of their
/// own yet, in any language that reads and writes JSON.
[[nodiscard]] const Protocol& json_protocol();

}  // namespace assay::adapters
