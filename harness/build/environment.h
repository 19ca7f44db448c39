#pragma once
#include <cstdlib>
#include <string>

namespace assay::harness {

/// A variable of the environment; empty where it is not set.
[[nodiscard]] inline std::string environment_variable(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace assay::harness
