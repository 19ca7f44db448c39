#pragma once
#include <string>

#include "base/diagnostic.h"
#include "configs/loader/loader.h"

namespace assay::tests {

/// The plan of this config, as of a file t.yaml in /conf.
inline harness::RunPlan from(const std::string& text) {
    return configs::plan_from_text(text, "t.yaml", "/conf");
}

/// What is said where it refuses; "accepted" where it does not.
template <class Load>
std::string refusal(const Load& load) {
    try {
        (void)load();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace assay::tests
