#pragma once
#include <string>
#include <vector>

namespace assay::reports {

/// What a report shows of one expectation of a suite. Numbers are texts already, as the suite
/// formats them ("2,417,022"); empty where there is none.
struct ExpectationView {
    enum class Result { Holds, Fails, Reported };

    std::string name;
    std::string query;        // GTQL
    std::string before;       // of the second program of `between`
    std::string after;        // of the first
    std::string change;       // "-97.4 %"
    std::string by_position;  // "9 of 9 smaller"
    std::string must;         // "max 0"
    Result result = Result::Reported;
    std::string example;  // one sentence on the first offending node; empty: none
    std::string lines;    // its path and position
    std::string command;  // the query line that shows it again
};

/// One suite of a run.
struct SuiteView {
    std::string name;
    std::string caption;  // "9 positions, depth 8, both builds"
    std::vector<ExpectationView> expectations;
};

/// How many of them fail.
[[nodiscard]] inline std::size_t failed_expectations(const std::vector<SuiteView>& suites) {
    std::size_t count = 0;
    for (const SuiteView& suite : suites)
        for (const ExpectationView& one : suite.expectations)
            count += one.result == ExpectationView::Result::Fails ? 1 : 0;
    return count;
}

}  // namespace assay::reports
