#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/suite_plan.h"

namespace assay::harness {

/// What became of one search of a suite.
enum class SearchEnd : std::uint8_t {
    Searched,    // answered, and its log's last whole iteration is what the limit asked for
    Unfinished,  // cut: by the log's limit of nodes, the wall limit, or within the last iteration
    NoLog,       // answered, but left no tree log, or one without a whole iteration
    BadLog,      // its log is damaged or cannot be packed
    NoStart,     // the program could not be started, or no handshake
    Crash,       // it ended in the search
    Hang,        // no answer, not to `stop` either
};

/// "searched", "unfinished", "no_log", "bad_log", "no_start", "crash", "hang".
[[nodiscard]] std::string_view name_of(SearchEnd end);
[[nodiscard]] std::optional<SearchEnd> search_end_of(std::string_view name);

/// A node that a query found, so that a person can look at it.
struct FoundNode {
    std::uint64_t id = 0;    // node_id in the tree of the last whole iteration, from 1
    std::uint64_t size = 0;  // descendants
    std::string path;        // moves from the root, blank-separated; a call without a move: "--"
    std::string position;    // text after them; empty where the log's moves cannot be played

    friend bool operator==(const FoundNode&, const FoundNode&) = default;
};

/// A query's answer over the last whole iteration of one search.
struct QueryAnswer {
    std::optional<double> value;   // count of nodes or number; 1 and 0 for a statement
    std::string trouble;           // why there is no value, one sentence
    std::vector<FoundNode> nodes;  // the first few, where the answer is nodes
    friend bool operator==(const QueryAnswer&, const QueryAnswer&) = default;
};

/// The answer of a query that asks for a name that the program's logs do not have. `why`: the name.
[[nodiscard]] QueryAnswer unanswerable(std::string_view why);

/// True of such an answer: no other search of the program answers it either.
[[nodiscard]] bool is_unanswerable(const QueryAnswer& answer);

/// One search: a program, a position, and what was seen in its tree.
struct SearchRecord {
    std::size_t program = 0;   // index into SuitePlan::programs
    std::size_t position = 0;  // index into SuitePlan::positions
    SearchEnd end = SearchEnd::Searched;
    std::string reason;      // one sentence where it is not Searched
    std::string last_lines;  // of a program that failed
    std::string best_move;
    // Without a tree log these three are what the program named last.
    std::uint64_t iteration = 0;  // whose tree the answers are of; 0: not known
    std::uint64_t nodes = 0;      // of that tree
    std::uint64_t all_nodes = 0;  // of all trees of the search
    std::uint64_t packed_bytes = 0;
    long long used_us = 0;     // from the search to its answer
    long long started_us = 0;  // wall clock
    std::string tree;          // packed tree, relative to the trees' folder; empty: not kept
    std::vector<QueryAnswer> answers;  // by expectation; empty where there is no tree

    [[nodiscard]] bool has_tree() const {
        return end == SearchEnd::Searched || end == SearchEnd::Unfinished;
    }

    /// A program or the machine failed, so that nothing can be said.
    [[nodiscard]] bool is_failure() const { return !has_tree(); }

    friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

/// The folder of a store's packed trees: "<store>.trees". Below it RUN/PROGRAM/POSITION.gtl.
[[nodiscard]] std::string trees_folder(const std::string& store);

/// RUN/PROGRAM/POSITION.gtl of a search.
[[nodiscard]] std::string tree_file(std::int64_t run, const std::string& program,
                                    const std::string& position);

/// Whether it is a path inside the folder of trees, below a run's: names in a store may come from
/// elsewhere.
[[nodiscard]] bool is_tree_name(const std::string& name);

/// What an expectation's query answered over a run's suite.
struct AnswerSum {
    std::size_t program = 0;      // index into SuitePlan::programs
    std::size_t expectation = 0;  // index into SuitePlan::expectations
    std::int64_t known = 0;       // positions that have an answer
    double sum = 0;               // over these
};

}  // namespace assay::harness
