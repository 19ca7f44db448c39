#include "reports/view/bench_text.h"

#include <fmt/format.h>

#include "reports/view/number_text.h"

namespace assay::reports {

std::string bench_text(const harness::RunRecord& run, const harness::MatchPlan& match) {
    std::string text;
    for (const std::size_t program : match.between) {
        if (match.is_control || program >= run.versions.size()) continue;
        const auto& bench = run.versions[program].bench;
        if (!bench || !bench->nodes) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", run.versions[program].name,
                            grouped(static_cast<std::int64_t>(*bench->nodes), "node"));
    }
    return text;
}

}  // namespace assay::reports
