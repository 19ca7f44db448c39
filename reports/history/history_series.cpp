// Where a new series begins: a change of machine, compiler, opponent or settings moves the level
// for a reason that is no change of the program. A step across it would blame a commit. Where the
// opponent is the version of the night before, it changes every night and says nothing.
//
// Days without a run are filled in where runs come daily (the median gap is about a day), so that a
// gap in the calendar is seen as one.
#include "reports/history/history_series.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/view/run_view.h"

namespace assay::reports {

using harness::RunRecord;

namespace {

constexpr long long kDay = 86'400LL * 1'000'000;
constexpr long long kMostMissing = 60;  // days without a run that are shown in a row

/// Identifies a version of a program: its commit, otherwise the hash of its executable.
std::string identity_of(const harness::VersionRecord* version) {
    if (version == nullptr) return "";
    if (version->source) return version->source->commit + version->source->tree;
    return version->sha256;
}

std::string identity_of(const RunRecord& run, std::size_t match, std::size_t index) {
    return identity_of(version_of(run, match, index));
}

/// The change between two settings in words; empty where they are equal.
std::string change_between(const Setting& before, const Setting& now, bool against_previous,
                           const std::string& opponent) {
    if (before.host != now.host) return fmt::format("machine {} → {}", before.host, now.host);
    if (before.machine != now.machine)
        return fmt::format("machine {} → {}", before.machine, now.machine);
    if (before.compiler != now.compiler)
        return fmt::format("compiler {} → {}", before.compiler, now.compiler);
    if (!against_previous && before.opponent != now.opponent)
        return fmt::format("another {}", opponent);
    if (before.rest != now.rest)
        return now.rest.empty() || before.rest.empty() ? "another suite"
                                                       : "another time control, book or variant";
    return "";
}

}  // namespace

std::string compiler_of(const RunRecord& run, std::size_t match) {
    const harness::VersionRecord* const version = version_of(run, match, 0);
    return version != nullptr && version->build ? version->build->compiler : "";
}

std::string machine_of(const RunRecord& run) {
    std::string text = run.machine.host;
    if (!run.machine.cpu.empty()) text += ", " + run.machine.cpu;
    return text;
}

Setting setting_of(const RunRecord& run, std::size_t match) {
    const harness::MatchPlan& plan = run.plan.matches.at(match);
    const std::string hash = run.book_hash(match);
    const std::string book = hash.empty() ? words_of(plan.openings) : hash;
    return {run.machine.host,
            fmt::format("{}, {} cores", machine_of(run), run.machine.logical_cores),
            compiler_of(run, match), identity_of(run, match, 1),
            time_text(run, plan) + "|" + book + "|" + plan.game.name + "|" + plan.game.text};
}

std::size_t steady_match(const std::vector<RunRecord>& runs) {
    if (runs.size() < 2) return 0;
    const RunRecord& last = runs.back();
    const RunRecord& before = runs[runs.size() - 2];
    const std::size_t count = std::min(last.plan.matches.size(), before.plan.matches.size());
    for (std::size_t match = 0; match < count; ++match)
        if (identity_of(last, match, 1) == identity_of(before, match, 1)) return match;
    return 0;
}

namespace {

/// Whether the match's second program is, by the config, the first of the run before.
bool asks_for_previous(const RunRecord& run, std::size_t match) {
    if (match >= run.plan.matches.size()) return false;
    const std::size_t second = run.plan.matches[match].between[1];
    const auto& git = run.plan.programs.at(second).git;
    return git && git->ref == "previous";
}

}  // namespace

bool is_against_previous(const std::vector<RunRecord>& runs, std::size_t match) {
    if (!runs.empty() && asks_for_previous(runs.back(), match)) return true;
    std::size_t changes = 0;
    std::size_t seen = 0;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        if (match >= runs[i].plan.matches.size() || match >= runs[i - 1].plan.matches.size())
            continue;
        ++seen;
        changes += identity_of(runs[i], match, 1) != identity_of(runs[i - 1], match, 1) ? 1U : 0U;
    }
    return seen >= 3 && 2 * changes > seen;
}

void add_missing(std::vector<Night>& nights) {
    std::vector<long long> gaps;
    for (std::size_t i = 1; i < nights.size(); ++i)
        gaps.push_back(nights[i].when_us - nights[i - 1].when_us);
    if (gaps.size() < 4) return;
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    if (*middle < kDay * 5 / 6 || *middle > kDay * 7 / 6) return;
    std::vector<Night> out;
    for (Night& night : nights) {
        if (!out.empty()) {
            const long long last = out.back().when_us;
            const long long missing =
                std::min(kMostMissing, (night.when_us - last + kDay / 2) / kDay - 1);
            for (long long day = 1; day <= missing; ++day) {
                Night gap;
                gap.when_us = last + day * kDay;
                gap.skipped = "no run in the store";
                out.push_back(std::move(gap));
            }
        }
        out.push_back(std::move(night));
    }
    nights = std::move(out);
}

void mark_series(History& history, const std::map<std::int64_t, Setting>& settings) {
    const Setting* before = nullptr;
    std::size_t series = 0;
    for (Night& night : history.nights) {
        if (night.is_played() && settings.contains(night.run)) {
            const Setting& now = settings.at(night.run);
            if (before != nullptr) {
                night.change =
                    change_between(*before, now, history.against_previous, history.second);
                if (!night.change.empty()) ++series;
            }
            before = &now;
        }
        night.series = series;
    }
}

}  // namespace assay::reports
