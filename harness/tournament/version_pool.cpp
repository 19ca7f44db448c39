// A nightly run calls its programs "head" and "base" every night, and what is head tonight is base
// tomorrow. Pooled by name, all heads would be one program whose strength changes, and tonight's
// head would be rated by games of last month's. So a version is known by what it was built from.
// The options belong to it, because two programs of one commit may differ in nothing else.
#include "harness/tournament/version_pool.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/credentials.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "harness/match/pair_counter.h"
#include "harness/plan/told_options.h"
#include "harness/store/found_runs.h"

namespace assay::harness {

namespace {

constexpr auto kWays = enum_names<VersionsBy>("commit", "name", "sha256");

/// For people: "Hash=64, Threads=2".
std::string shown_options(const ProgramPlan& program) {
    std::string text;
    for (std::size_t i = 1; i < program.command.size(); ++i) {
        text += (text.empty() ? "" : " ") + without_credentials(program.command[i]);
    }
    for (const auto& [name, value] : program.options) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, without_credentials(value));
    }
    return text;
}

std::string commit_of(const VersionRecord& version) {
    return version.source ? version.source->commit + " " + version.source->tree : "";
}

std::string files_of(const VersionRecord& version) {
    std::string text = version.sha256;
    for (const auto& [path, sha256] : version.files) text += " " + sha256;
    // Of a script without a commit only a path is known, and each machine has its own.
    if (version.source) text += " " + version.surroundings;
    return text;
}

std::string key_of(VersionsBy by, const ProgramPlan& program, const VersionRecord& version) {
    if (by == VersionsBy::Name) return program.name;
    const bool has_commit = by == VersionsBy::Commit && version.source;
    // '\n' is in none of the parts that stand before it.
    return (has_commit ? commit_of(version) : files_of(version)) + "\n" +
           told_options(program).text();
}

/// The time control of a program that is one version with another program of its tournament, but
/// for that; else empty: at which time control a version played does not make it another one.
std::string limit_among_equals(VersionsBy by, const RunRecord& run, std::size_t program) {
    if (!run.plan.tournament || by == VersionsBy::Name) return "";
    const std::vector<TimeControl>& time = run.plan.tournament->time;
    const std::string key = key_of(by, run.plan.programs.at(program), run.versions.at(program));
    for (std::size_t other = 0; other < run.plan.programs.size(); ++other) {
        const bool is_equal = !(time.at(other) == time.at(program)) &&
                              key_of(by, run.plan.programs[other], run.versions.at(other)) == key;
        if (is_equal) return to_text(time.at(program));
    }
    return "";
}

std::string label_of(VersionsBy by, const PooledVersion& version, const std::string& short_id) {
    if (by == VersionsBy::Name) return version.name;
    const std::string& what = version.subject.empty() ? version.name : version.subject;
    constexpr std::size_t kMostBytes = 40;
    std::size_t bytes = std::min(what.size(), kMostBytes);
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

std::string note_of(const VersionPool& pool, const FoundRuns& found, std::size_t versions) {
    const std::string singles =
        pool.single_games() > 0 ? " and " + counted(pool.single_games(), "single game") : "";
    std::string note =
        fmt::format("{}{} of {} in {}", counted(pool.pairs(), "pair", "pairs"), singles,
                    counted(static_cast<std::int64_t>(versions), "version", "versions"),
                    counted(static_cast<std::int64_t>(found.runs().size()), "run", "runs"));
    if (found.copies() > 0) {
        note += fmt::format("; {} left out",
                            counted(found.copies(), "copy of a run", "copies of runs"));
    }
    if (pool.own_pairs() > 0) {
        note += fmt::format("; {} of a version against itself left out",
                            counted(pool.own_pairs(), "pair", "pairs"));
    }
    return note;
}

/// Calls `visit(run, match, versions)` for each match that has pairs that count.
template <class Visit>
void visit_matches(const FoundRuns& found, VersionPool& pool, const Visit& visit) {
    for (const FoundRun& run : found.runs()) {
        for (const std::size_t match : run.store->begun_matches(run.record->id)) {
            const auto counted = counted_pairs(*run.store, *run.record, match);
            if (counted.empty()) continue;
            visit(run, match, pool.add(*run.record, match, counted));
        }
    }
}

}  // namespace

std::optional<VersionsBy> versions_by(std::string_view name) {
    return kWays.find(name);
}

std::size_t VersionPool::number_of(const RunRecord& run, std::size_t program) {
    const ProgramPlan& plan = run.plan.programs.at(program);
    const VersionRecord& record = run.versions.at(program);
    const std::string limit = limit_among_equals(by_, run, program);
    const std::string key = key_of(by_, plan, record) + (limit.empty() ? "" : "\n" + limit);
    const auto [found, is_new] = numbers_.try_emplace(key, entries_.size());
    if (is_new) {
        entries_.emplace_back();
        entries_.back().options = shown_options(plan);
        if (!limit.empty())
            entries_.back().options += (entries_.back().options.empty() ? "" : ", ") + limit;
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

std::array<std::size_t, 2> VersionPool::add(const RunRecord& run, std::size_t match,
                                            const std::vector<PairDigest>& counted) {
    const MatchPlan& plan = run.plan.matches.at(match);
    const std::size_t zero = number_of(run, plan.between[0]);
    const std::size_t one = number_of(run, plan.between[1]);
    if (zero == one) {
        own_pairs_ += static_cast<std::int64_t>(counted.size());
        return {zero, one};
    }
    for (const PairDigest& pair : counted) {
        const stats::ListedGame first = listed_game(pair.games[0], {zero, one});
        if (pair.is_single) {
            results_.add(first);
            ++single_games_;
        } else {
            results_.add(first, listed_game(pair.games[1], {zero, one}));
            ++pairs_;
        }
    }
    return {zero, one};
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

StoredResults results_of_stores(const std::vector<std::string>& paths, VersionsBy by) {
    const FoundRuns found(paths);
    VersionPool pool(by);
    visit_matches(found, pool, [](const auto&...) {});
    StoredResults results{pool.versions(), pool.results(), pool.single_results(), ""};
    results.note = note_of(pool, found, results.versions.size());
    return results;
}

StoredMatches matches_of_stores(const std::vector<std::string>& paths, VersionsBy by) {
    const FoundRuns found(paths);
    VersionPool pool(by);
    StoredMatches stored;
    visit_matches(found, pool,
                  [&stored](const FoundRun& run, std::size_t match,
                            const std::array<std::size_t, 2>& versions) {
                      if (versions[0] == versions[1]) return;
                      stored.matches.push_back({run.path, run.record, match, versions,
                                                tally_of(*run.store, *run.record, match)});
                  });
    stored.versions = pool.versions();
    stored.note = note_of(pool, found, stored.versions.size());
    return stored;
}

}  // namespace assay::harness
