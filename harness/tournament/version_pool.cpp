// A nightly run calls its programs "head" and "base" every night, and what is head tonight is base
// tomorrow. Pooled by name, all heads would be one program whose strength changes, and tonight's
// head would be rated by games of last month's. So a version is known by what it was built from.
// The options belong to it, because two programs of one commit may differ in nothing else.
#include "harness/tournament/version_pool.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace assay::harness {

namespace {

constexpr std::array<std::pair<VersionsBy, std::string_view>, 3> kWays{{
    {VersionsBy::Commit, "commit"},
    {VersionsBy::Name, "name"},
    {VersionsBy::Sha256, "sha256"},
}};

std::string options_of(const ProgramPlan& program) {
    std::string text;
    for (std::size_t i = 1; i < program.command.size(); ++i) {
        text += (text.empty() ? "" : " ") + program.command[i];
    }
    for (const auto& [name, value] : program.options) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    }
    return text;
}

std::string commit_of(const VersionRecord& version) {
    return version.source ? version.source->commit + " " + version.source->tree : "";
}

std::string files_of(const VersionRecord& version) {
    std::string text = version.sha256;
    for (const auto& [path, sha256] : version.files) text += " " + sha256;
    return text;
}

std::string key_of(VersionsBy by, const ProgramPlan& program, const VersionRecord& version) {
    if (by == VersionsBy::Name) return program.name;
    const bool has_commit = by == VersionsBy::Commit && version.source;
    // '\n' is in none of the parts that stand before it.
    return (has_commit ? commit_of(version) : files_of(version)) + "\n" + options_of(program);
}

std::string label_of(VersionsBy by, const PooledVersion& version, const std::string& short_id) {
    if (by == VersionsBy::Name) return version.name;
    const std::string& what = version.subject.empty() ? version.name : version.subject;
    constexpr std::size_t kMostSubject = 40;
    std::size_t bytes = std::min(what.size(), kMostSubject);
    const auto is_continued = [&what](std::size_t at) {
        return at < what.size() && (static_cast<unsigned char>(what[at]) & 0xC0U) == 0x80U;
    };
    while (bytes > 0 && is_continued(bytes)) --bytes;
    const std::string text = what.substr(0, bytes);
    return text.empty() ? short_id : short_id + " " + text;
}

std::string short_id_of(VersionsBy by, const VersionRecord& version) {
    if (by == VersionsBy::Commit && version.source) return version.source->short_id();
    return version.sha256.substr(0, 12);
}

/// Appends to labels that occur more than once what `more` says of them.
template <class More>
void tell_apart(std::vector<PooledVersion>& versions, const More& more) {
    std::map<std::string, int> count;
    for (const PooledVersion& version : versions) ++count[version.label];
    for (std::size_t i = 0; i < versions.size(); ++i) {
        if (count[versions[i].label] > 1) versions[i].label += more(i);
    }
}

}  // namespace

std::optional<VersionsBy> versions_by(std::string_view name) {
    for (const auto& [by, known] : kWays) {
        if (known == name) return by;
    }
    return std::nullopt;
}

std::size_t VersionPool::number_of(const RunRecord& run, std::size_t program) {
    const ProgramPlan& plan = run.plan.programs.at(program);
    const VersionRecord& record = run.versions.at(program);
    const auto [found, is_new] = numbers_.try_emplace(key_of(by_, plan, record), entries_.size());
    if (is_new) {
        entries_.emplace_back();
        entries_.back().options = options_of(plan);
        entries_.back().version.first_us = run.started_us;
    }
    Entry& entry = entries_[found->second];
    PooledVersion& version = entry.version;
    version.names.insert(plan.name);
    entry.builds.insert(record.source ? commit_of(record) : files_of(record));
    version.builds = entry.builds.size();
    if (run.started_us >= version.last_us) {
        version.name = plan.name;
        version.commit = record.source ? record.source->commit : "";
        version.subject = record.source ? record.source->subject : "";
        version.sha256 = record.sha256;
        version.last_us = run.started_us;
        version.label = label_of(by_, version, short_id_of(by_, record));
    }
    version.first_us = std::min(version.first_us, run.started_us);
    if (entry.last_run != run.id || entry.last_began != run.started_us) ++version.runs;
    entry.last_run = run.id;
    entry.last_began = run.started_us;
    return found->second;
}

void VersionPool::add(const RunRecord& run, std::size_t match,
                      const std::vector<PairDigest>& counted) {
    if (counted.empty()) return;
    const MatchPlan& plan = run.plan.matches.at(match);
    const std::size_t zero = number_of(run, plan.between[0]);
    const std::size_t one = number_of(run, plan.between[1]);
    if (zero == one) {
        own_pairs_ += static_cast<std::int64_t>(counted.size());
        return;
    }
    const std::size_t low = std::min(zero, one);
    const int program = zero == low ? 0 : 1;  // of `between`: the lower number
    stats::RatedPairs& row = results_[{low, std::max(zero, one)}];
    row.first = low;
    row.second = std::max(zero, one);
    for (const PairDigest& pair : counted) {
        const bool is_swapped = pair.games[0].program[0] != program;
        const int ahead = half_points(pair.games[is_swapped ? 1 : 0], program);
        const int behind = half_points(pair.games[is_swapped ? 0 : 1], program);
        ++row.counts[static_cast<std::size_t>(3 * ahead + behind)];
    }
    pairs_ += static_cast<std::int64_t>(counted.size());
}

std::vector<PooledVersion> VersionPool::versions() const {
    std::vector<PooledVersion> versions;
    for (const Entry& entry : entries_) {
        versions.push_back(entry.version);
        if (entry.builds.size() < 2) continue;
        versions.back().commit.clear();
        versions.back().subject.clear();
        versions.back().sha256.clear();
    }
    tell_apart(versions, [this](std::size_t i) {
        const std::string& options = entries_[i].options;
        return options.empty() ? std::string() : " [" + options + "]";
    });
    tell_apart(versions, [](std::size_t i) { return fmt::format(" ({})", i + 1); });
    return versions;
}

std::vector<stats::RatedPairs> VersionPool::results() const {
    std::vector<stats::RatedPairs> rows;
    for (const auto& [programs, row] : results_) rows.push_back(row);
    return rows;
}

}  // namespace assay::harness
