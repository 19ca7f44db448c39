#pragma once
#include <string>
#include <vector>

#include "harness/suite/verdict.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// The part of each kind of report that shows the suite. REQUIRES: view.run.plan.suite; all
/// functions except the header's also require view.suite.

/// "suite tactics · 9 positions · depth 8 · head against base": one line. `concurrency` 0: not
/// said.
[[nodiscard]] std::string suite_header(const RunView& view, int concurrency);

/// The table of expectations, with the nodes at fault of those that fail, and searches that failed.
[[nodiscard]] std::string suite_table(const RunView& view, bool colour);

/// Header and table.
[[nodiscard]] std::string suite_summary(const RunView& view, bool colour);

/// "6 expectations hold", "1 of 6 expectations fails: size", "2 of 6 expectations are
/// inconclusive"; empty where none has a bound.
[[nodiscard]] std::string suite_sentence(const RunView& view);

/// The same as a section of Markdown, below 16 KB.
[[nodiscard]] std::string suite_markdown(const RunView& view);

/// "tactics": the file of positions without folder and ending.
[[nodiscard]] std::string suite_name(const RunView& view);

/// "9 positions, depth 8".
[[nodiscard]] std::string suite_caption(const RunView& view);

/// How many expectations fail; none without a suite.
[[nodiscard]] std::size_t failed_expectations(const RunView& view);

/// The query on one line; "measure: solved" of a measure.
[[nodiscard]] std::string expectation_query(const RunView& view,
                                            const harness::ExpectationResult& result);

/// "position CMB.04, node 1,204, size 840: e2e4 e7e5   TEXT" of the first node at fault, with the
/// position's text. Empty if the answer is not a list of nodes or nothing is at fault.
[[nodiscard]] std::string first_fault(const RunView& view,
                                      const harness::ExpectationResult& result);

/// "4" or "0.25"; "none" where there is none.
[[nodiscard]] std::string answer_text(const std::optional<double>& value);

/// The answer over the suite's positions: "4", or "mean 0.25" where answers do not add up; of a
/// measure "24 of 40", "12.3 s".
[[nodiscard]] std::string total_text(const harness::ExpectationResult& result, double total);

/// "max 0", "±10 %", "at most +10 % over the suite"; empty of a report.
[[nodiscard]] std::string bound_text(const harness::SuiteExpectation& expectation);

/// "3 of 4 smaller", "5 of 9 larger, 4 smaller, Wilcoxon p = 0.65" (from 5 changes on); empty
/// without a change.
[[nodiscard]] std::string direction_text(const harness::ExpectationResult& result);

/// "-97.4 %"; empty where it cannot be said.
[[nodiscard]] std::string change_text(const harness::ExpectationResult& result);

/// The name of a program of the suite.
[[nodiscard]] const std::string& suite_program(const RunView& view, std::size_t program);

/// "size", or "size (head)" where several programs are judged: unique in the run.
[[nodiscard]] std::string expectation_name(const RunView& view,
                                           const harness::ExpectationResult& result);

/// The value at a position of what the expectation is about: as answer_text(), or as
/// measure_text().
[[nodiscard]] std::string figure_text(const harness::ExpectationResult& result,
                                      const std::optional<double>& value);

/// "assay query run:12/head/CMB.04 'node: ...' --show path,fen".
[[nodiscard]] std::string query_command(const RunView& view,
                                        const harness::ExpectationResult& result,
                                        std::size_t position);

}  // namespace assay::reports
