#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/match/tally.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "stats/estimate/game_list.h"

namespace assay::harness {

/// What makes two programs of different runs the same version.
enum class VersionsBy : std::uint8_t {
    Commit,  // the commit, changed files and options; without a commit as Sha256
    Name,    // the name in the config, whatever it was built from
    Sha256,  // the executable, files that it uses, and options
};

/// "commit", "name", "sha256".
[[nodiscard]] std::optional<VersionsBy> versions_by(std::string_view name);

/// One version and where it has played.
struct PooledVersion {
    std::string label;            // tells it apart from all others of the pool
    std::string name;             // in the config of its newest run
    std::string commit;           // empty: none, or several under one name
    std::string subject;          // of the commit
    std::string sha256;           // empty: several
    std::set<std::string> names;  // in all configs
    std::size_t builds = 0;       // different commits or executables, for VersionsBy::Name
    std::int64_t runs = 0;
    long long first_us = 0;  // when its first and its newest run began
    long long last_us = 0;
};

/// Pairs of games of many runs, by version: a version is one, however often and under whatever name
/// it has played. Keeps counts, not games. Pure.
class VersionPool {
public:
    explicit VersionPool(VersionsBy by) : by_(by) {}

    /// Pairs of one match that count, at least one. Returns the numbers of the match's two
    /// versions. REQUIRES: all matches of a run come one after the other.
    std::array<std::size_t, 2> add(const RunRecord& run, std::size_t match,
                                   const std::vector<PairDigest>& counted);

    /// Numbered as in results().
    [[nodiscard]] std::vector<PooledVersion> versions() const;

    [[nodiscard]] std::vector<stats::RatedPairs> results() const { return results_.rows(); }

    /// The same of games that belong to no pair.
    [[nodiscard]] std::vector<stats::RatedGames> single_results() const {
        return results_.single_rows();
    }

    [[nodiscard]] std::int64_t pairs() const { return pairs_; }

    [[nodiscard]] std::int64_t single_games() const { return single_games_; }

    /// Pairs of a version against itself, which say nothing and are left out.
    [[nodiscard]] std::int64_t own_pairs() const { return own_pairs_; }

private:
    struct Entry {
        PooledVersion version;
        std::string options;  // "Hash=64, Threads=2"
        std::set<std::string> builds;
        std::int64_t last_run = 0;  // its id, and
        long long last_began = -1;  // when it began: what tells runs apart
    };

    std::size_t number_of(const RunRecord& run, std::size_t program);

    VersionsBy by_;
    std::map<std::string, std::size_t> numbers_;  // by key
    std::vector<Entry> entries_;
    stats::PairRows results_;
    std::int64_t pairs_ = 0;
    std::int64_t single_games_ = 0;
    std::int64_t own_pairs_ = 0;
};

/// What several stores hold together.
struct StoredResults {
    std::vector<PooledVersion> versions;
    std::vector<stats::RatedPairs> results;  // of those versions, by number
    std::vector<stats::RatedGames> singles;  // likewise, of games that belong to no pair
    std::string note;                        // what was read and what was left out
};

/// All pairs that count of all runs. A run that is in several stores counts once, from the store
/// that has most of it.
[[nodiscard]] StoredResults results_of_stores(const std::vector<std::string>& paths, VersionsBy by);

/// A match of two versions that has pairs that count.
struct StoredMatch {
    std::string store;  // its path
    std::shared_ptr<const RunRecord> run;
    std::size_t match = 0;                // of the run's plan
    std::array<std::size_t, 2> versions;  // by place of `between`, numbered as in StoredMatches
    MatchTally tally;
};

/// The same stores, match by match.
struct StoredMatches {
    std::vector<PooledVersion> versions;
    std::vector<StoredMatch> matches;  // in the order in which their runs began
    std::string note;                  // as in StoredResults
};

/// Matches of a version against itself are left out, and copies as in results_of_stores().
[[nodiscard]] StoredMatches matches_of_stores(const std::vector<std::string>& paths, VersionsBy by);

}  // namespace assay::harness
