#pragma once
#include <string>

namespace assay::harness {

/// Moves a file that is not taken to `STORE.quarantine/`, with the reason in NAME.reason beside it;
/// where one of the two names is taken both get ".1", …: what is there is never replaced, whoever
/// else moves files there. Where it went. Throws Error (exit code 4) where that fails.
std::string quarantine(const std::string& store, const std::string& file,
                       const std::string& reason);

}  // namespace assay::harness
