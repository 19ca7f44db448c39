// A run used to be known by its name, host and the microsecond of its start. Two tasks of a farm
// that begin in one microsecond on hosts of one name then look like one run, and the shards of one
// run, which begin at several moments, like many. So each run gets 128 bits of its own. Those of a
// shard must come out equal on machines that know nothing of each other, so they are a hash of what
// has to be equal anyway: plan with seed, programs, books.
#include "harness/record/run_identity.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "base/sha256.h"

namespace assay::harness {

namespace {

constexpr std::size_t kDigits = 32;

/// Parts of any bytes as one text that no other parts give.
class Joined {
public:
    void add(std::string_view part) { text_ += fmt::format("{}:{};", part.size(), part); }

    [[nodiscard]] std::string uid() const { return sha256_of(text_).substr(0, kDigits); }

private:
    std::string text_;
};

/// Their contents, wherever each machine keeps them.
bool has_same_files(const VersionRecord& one, const VersionRecord& other) {
    return std::ranges::equal(one.files, other.files, {},
                              &std::pair<std::string, std::string>::second,
                              &std::pair<std::string, std::string>::second);
}

/// Whether other files than the executable decide, and differ: known of programs from git alone.
bool has_other_tree(const VersionRecord& one, const VersionRecord& other) {
    return one.source && other.source && !one.surroundings.empty() && !other.surroundings.empty() &&
           one.surroundings != other.surroundings;
}

}  // namespace

std::string drawn_uid() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

std::string shards_uid(const RunRecord& run, const std::string& key) {
    Joined parts;
    parts.add("shards");
    parts.add(run.name);
    parts.add(run.plan_hash);
    parts.add(fmt::format("{}", run.plan.seed.value_or(0)));
    for (const VersionRecord& version : run.versions) {
        if (version.source) {
            parts.add(version.source->commit);
            parts.add(version.source->tree);
        } else {
            parts.add(version.sha256);
        }
        for (const auto& [path, sha256] : version.files) parts.add(sha256);
    }
    for (const std::string& hash : run.book_hashes) parts.add(hash);
    parts.add(key);
    return parts.uid();
}

std::string derived_uid(const RunRecord& run) {
    Joined parts;
    parts.add("before");
    parts.add(run.name);
    parts.add(fmt::format("{}", run.started_us));
    parts.add(run.machine.host);
    return parts.uid();
}

bool is_same_program(const VersionRecord& one, const VersionRecord& other) {
    if (!has_same_files(one, other)) return false;
    if (one.sha256 == other.sha256 && !has_other_tree(one, other)) return true;
    const bool is_one_commit = one.source && other.source &&
                               one.source->commit == other.source->commit &&
                               one.source->tree == other.source->tree;
    if (!is_one_commit) return false;
    const bool has_both = one.bench && other.bench && one.bench->nodes && other.bench->nodes;
    return !has_both || one.bench->nodes == other.bench->nodes;
}

std::string why_not_one_run(const RunRecord& one, const RunRecord& other) {
    if (one.plan_hash != other.plan_hash) return "their plans differ";
    if (one.plan.seed != other.plan.seed) return "their seeds differ";
    if (one.book_hashes != other.book_hashes) return "their books differ";
    if (one.shard && other.shard && one.shard->count != other.shard->count)
        return fmt::format("one is shard {} and the other {}", text_of(*one.shard),
                           text_of(*other.shard));
    const auto& left = one.versions;
    const auto& right = other.versions;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        if (i < left.size() && i < right.size() && is_same_program(left[i], right[i])) continue;
        const VersionRecord& version = (i < left.size() ? left : right)[i];
        const bool is_other_build = i < left.size() && i < right.size() && version.source &&
                                    has_same_files(left[i], right[i]);
        return fmt::format("program '{}' is {}", version.name,
                           is_other_build ? "another build (commit, or nodes of its benchmark)"
                                          : "a different file (SHA-256)");
    }
    return "";
}

}  // namespace assay::harness
