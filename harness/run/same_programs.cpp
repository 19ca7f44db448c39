// Tells before the first game that a match cannot show a difference: both sides are one executable,
// or two builds whose benchmarks visit the same number of nodes, as after a change of a comment.
// Whatever else a program is told (options, environment, folder, sandbox, time, contents of the
// files that it reads) must be equal as well, and of a script the tree that it was checked out
// with: what it starts or imports lies there. Everything that is not compared must lean to
// "different": a match that is played in vain costs a night, one that is left out wrongly hides a
// change.
#include "harness/run/same_programs.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"
#include "harness/plan/told_options.h"

namespace assay::harness {

namespace {

template <class Pairs>
Pairs sorted(Pairs pairs) {
    std::ranges::sort(pairs);
    return pairs;
}

/// Hashes of the files that options and arguments name. Their paths differ by the built tree.
std::vector<std::string> contents_of(const VersionRecord& version) {
    std::vector<std::string> hashes;
    for (const auto& [path, sha256] : version.files) hashes.push_back(sha256);
    return hashes;
}

/// Whether both are told the same; the executable apart.
bool is_told_the_same(const ProgramPlan& one, const ProgramPlan& other) {
    return told_options(one) == told_options(other) && sorted(one.env) == sorted(other.env) &&
           one.dir == other.dir && one.protocol == other.protocol && one.sandbox == other.sandbox &&
           one.confinement == other.confinement && one.memory_bytes == other.memory_bytes &&
           one.ping_before_go == other.ping_before_go;
}

}  // namespace

std::string_view name_of(Sameness sameness) {
    return enum_names<Sameness>("", "same_bench", "same_executable").of(sameness);
}

Sameness sameness_of(const RunRecord& run, const MatchPlan& match) {
    const auto [a, b] = match.between;
    if (std::max(a, b) >= run.versions.size()) return Sameness::Different;
    const VersionRecord& first = run.versions.at(a);
    const VersionRecord& second = run.versions.at(b);
    const bool is_told = is_told_the_same(run.plan.programs.at(a), run.plan.programs.at(b)) &&
                         match.time[0] == match.time[1] &&
                         contents_of(first) == contents_of(second);
    if (match.is_control || !is_told) return Sameness::Different;
    // A benchmark of no node has compared nothing.
    const auto has_nodes = [](const VersionRecord& version) {
        return version.bench && version.bench->nodes.value_or(0) > 0;
    };
    const bool has_benches = has_nodes(first) && has_nodes(second);
    const bool is_same_bench = has_benches && first.bench->nodes == second.bench->nodes;
    if (has_benches && !is_same_bench) return Sameness::Different;
    const bool is_same_file = !first.sha256.empty() && first.sha256 == second.sha256 &&
                              first.surroundings == second.surroundings;
    if (is_same_file) return Sameness::SameExecutable;
    return is_same_bench ? Sameness::SameBench : Sameness::Different;
}

std::string sameness_text(const RunRecord& run, const MatchPlan& match) {
    const auto name = [&](std::size_t side) {
        return printable_utf8(run.plan.programs.at(match.between.at(side)).name);
    };
    switch (sameness_of(run, match)) {
        case Sameness::SameExecutable:
            return fmt::format("{} and {} are the same executable with the same options", name(0),
                               name(1));
        case Sameness::SameBench:
            return fmt::format("{} and {} have the same benchmark ({} nodes) and the same options",
                               name(0), name(1),
                               run.versions.at(match.between[0]).bench->nodes.value());
        case Sameness::Different:
            break;
    }
    return "";
}

}  // namespace assay::harness
