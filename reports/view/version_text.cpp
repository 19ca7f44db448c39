#include "reports/view/version_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kHashShown = 10;
constexpr std::size_t kMostOfSubject = 72;

}  // namespace

std::string short_id(const harness::VersionRecord* version) {
    if (version == nullptr) return "";
    return version->source ? version->source->short_id() : version->sha256.substr(0, kHashShown);
}

std::string subject_of(const harness::VersionRecord* version) {
    if (version == nullptr || !version->source) return "";
    return shortened(printable_utf8(version->source->subject), kMostOfSubject);
}

std::string version_text(const harness::VersionRecord* version) {
    if (version == nullptr) return "";
    if (version->source) {
        const std::string subject = subject_of(version);
        return short_id(version) + (subject.empty() ? "" : " " + subject);
    }
    if (!version->id_name.empty())
        return shortened(printable_utf8(version->id_name), kMostOfSubject);
    return short_id(version);
}

const harness::VersionRecord* version_at(const harness::RunRecord& run, std::size_t program) {
    return program < run.versions.size() ? &run.versions[program] : nullptr;
}

const harness::VersionRecord* version_of(const harness::RunRecord& run, std::size_t match,
                                         std::size_t index) {
    return version_at(run, run.plan.matches.at(match).between.at(index));
}

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
