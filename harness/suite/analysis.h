#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "gtql/lang/syntax.h"
#include "gtql/log/tree.h"
#include "harness/plan/suite_plan.h"
#include "harness/record/suite.h"
#include "harness/suite/runner.h"
#include "rules/game.h"

namespace assay::harness {

/// Nodes of an answer that are stored with their paths and positions.
inline constexpr std::size_t kNodesKept = 5;

/// Analyses the logs of a suite: packs them, finds the tree that the answers are taken from, and
/// runs the expectations' queries on it. Any number of threads may use one.
class SuiteAnalyst {
public:
    /// `suite` must outlive it. Throws SyntaxError where a query is none, Error where the game of
    /// the suite is not known.
    explicit SuiteAnalyst(const SuitePlan& suite);

    /// See LogAnalysis. A log that cannot be read or packed ends that search as BadLog, and
    /// job.tree is then not there. Throws Error where the machine
    /// fails (descriptors, memory, disk): the search is then not done. The tree is that of the last
    /// whole iteration of the log's last search.
    void look_at(const LogJob& job, SearchRecord& record,
                 const std::atomic<bool>& is_cancelled) const;

private:
    /// The answers of one tree, by expectation; where a query cannot be run, the answer says why.
    [[nodiscard]] std::vector<QueryAnswer> answers_of(const gtql::TreeSource& tree) const;

    /// Reads the log and runs the queries; the tree to pack, or null. Throws Error where the log is
    /// bad.
    [[nodiscard]] std::unique_ptr<gtql::TreeSource> ask(
        const LogJob& job, SearchRecord& record, const std::atomic<bool>& is_cancelled) const;

    /// Writes job.tree. Throws Error where the disk fails; a log that cannot be packed goes into
    /// the record, and there is no job.tree.
    void pack(const LogJob& job, const gtql::TreeSource& last_whole, SearchRecord& record) const;

    const SuitePlan& suite_;
    std::unique_ptr<rules::Game> game_;
    std::vector<gtql::Query> queries_;
    std::vector<std::size_t> asked_by_;  // the expectation of each
};

}  // namespace assay::harness
