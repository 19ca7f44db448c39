#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

#include "gtql/lang/syntax.h"
#include "gtql/log/tree.h"
#include "harness/suite_plan.h"
#include "harness/suite_record.h"
#include "harness/suite_runner.h"

namespace assay::harness {

/// Nodes of an answer that are stored with their paths and positions.
inline constexpr std::size_t kNodesKept = 5;

/// Looks at the logs of a suite: packs them, finds the tree that the answers are of, and asks it
/// the expectations' queries. Any number of threads may use one.
class SuiteAnalyst {
public:
    /// `suite` must outlive it. Throws SyntaxError where a query is none.
    explicit SuiteAnalyst(const SuitePlan& suite);

    /// See LogAnalysis. The tree is that of the last whole iteration of the log's last search.
    void look_at(const LogJob& job, SearchRecord& record,
                 const std::atomic<bool>& is_cancelled) const;

private:
    /// The answers of one tree, by expectation; a query that cannot be asked of it says why.
    [[nodiscard]] std::vector<QueryAnswer> answers_of(const gtql::TreeSource& tree) const;

    /// Writes job.tree; its size. Throws Error where the disk fails.
    [[nodiscard]] std::uint64_t pack(const LogJob& job, const gtql::TreeSource& last_whole) const;

    const SuitePlan& suite_;
    std::vector<gtql::Query> queries_;  // by expectation
};

}  // namespace assay::harness
