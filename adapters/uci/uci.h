#pragma once
#include "adapters/protocol/protocol.h"

namespace assay::adapters {

/// UCI (Meyer-Kahlen, "Description of the universal chess interface", 2006).
[[nodiscard]] const Protocol& uci_protocol();

}  // namespace assay::adapters
