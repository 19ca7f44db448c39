#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reports/live/server.h"

namespace assay::reports::live {

/// What a request's target asks for: a text that is still to be made, or news of a run, or nothing
/// that there is.
struct Wanted {
    const char* type = "text/html; charset=utf-8";
    std::function<std::string()> text;
    std::optional<std::int64_t> news_of;

    [[nodiscard]] bool is_found() const { return text || news_of; }
};

/// Reads `%20` and the like in the path; what is no such code stands for itself. What follows `?`
/// or `#` is left out. `site` must outlive the answer.
[[nodiscard]] Wanted wanted_by(const Site& site, std::string_view target);

/// Whether a request's "Host" is this machine's own name for `port` of it.
[[nodiscard]] bool names_us(std::string_view host, int port);

}  // namespace assay::reports::live
