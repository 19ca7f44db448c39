// Searches of a suite in a Store.
//
// A search is one row and its answers are others, so that sums over a large suite are taken by SQL;
// the nodes that an answer found are JSON in the answer's row, because they are only ever read with
// it. A search that is taken up again replaces its row: the answers of the old one must go first,
// since the new one may have fewer.
//
// All answers of a run are read by one statement and given to their searches through a map. One
// statement a search would be thousands for a large suite.
#include <SQLiteCpp/SQLiteCpp.h>
#include <array>
#include <map>

#include <boost/json.hpp>

#include "base/check.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

std::string nodes_text(const std::vector<FoundNode>& nodes) {
    json::array out;
    for (const FoundNode& node : nodes)
        out.push_back(
            json::array{node.id, node.size, json::string(node.path), json::string(node.position)});
    return json::serialize(out);
}

std::vector<FoundNode> read_nodes(const std::string& text) {
    try {
        std::vector<FoundNode> nodes;
        const json::value root = json::parse(text);
        for (const json::value& one : root.as_array()) {
            const json::array& parts = one.as_array();
            nodes.push_back(
                {parts.at(0).to_number<std::uint64_t>(), parts.at(1).to_number<std::uint64_t>(),
                 std::string(parts.at(2).as_string()), std::string(parts.at(3).as_string())});
        }
        return nodes;
    } catch (const std::exception&) {
        throw StoreDamage{"the nodes that a query found"};
    }
}

void write_row(SQLite::Database& database, std::int64_t run, const SearchRecord& search) {
    execute(database,
            "INSERT OR REPLACE INTO searches (run, program, position, ended, reason, last_lines, "
            "best_move, iteration, nodes, all_nodes, packed_bytes, used_us, started_us, tree) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            run, search.program, search.position, name_of(search.end), search.reason,
            search.last_lines, search.best_move, search.iteration, search.nodes, search.all_nodes,
            search.packed_bytes, search.used_us, search.started_us, search.tree);
}

void write_answers(SQLite::Database& database, std::int64_t run, const SearchRecord& search) {
    execute(database, "DELETE FROM answers WHERE run = ? AND program = ? AND position = ?", run,
            search.program, search.position);
    SQLite::Statement insert(database,
                             "INSERT INTO answers (run, program, position, expectation, value, "
                             "trouble, nodes) VALUES (?,?,?,?,?,?,?)");
    for (std::size_t i = 0; i < search.answers.size(); ++i) {
        const QueryAnswer& answer = search.answers[i];
        bind_all(insert, run, search.program, search.position, i, answer.value, answer.trouble,
                 nodes_text(answer.nodes));
        insert.exec();
        insert.reset();
    }
}

SearchRecord read_row(SQLite::Statement& row) {
    SearchRecord search;
    std::string ended;
    read_columns(row, 0, search.program, search.position, ended, search.reason, search.last_lines,
                 search.best_move, search.iteration, search.nodes, search.all_nodes,
                 search.packed_bytes, search.used_us, search.started_us, search.tree);
    const std::optional<SearchEnd> end = search_end_of(ended);
    if (!end) throw StoreDamage{"how a search ended"};
    search.end = *end;
    // Files of this name are read and removed.
    if (!search.tree.empty() && !is_tree_name(search.tree)) throw StoreDamage{"the name of a tree"};
    return search;
}

}  // namespace

void Store::write_search(std::int64_t run, const SearchRecord& search) {
    transaction([&] {
        parts_->guarded([&] {
            write_row(*parts_->database, run, search);
            write_answers(*parts_->database, run, search);
        });
    });
}

void Store::forget_tree(std::int64_t run, std::size_t program, std::size_t position) {
    transaction([&] {
        execute(*parts_->database,
                "UPDATE searches SET tree = '' WHERE run = ? AND program = ? AND position = ?", run,
                program, position);
    });
}

std::vector<AnswerSum> Store::answer_sums(std::int64_t run) const {
    return parts_->guarded([&] {
        SQLite::Statement rows(*parts_->database,
                               "SELECT program, expectation, count(value), sum(value) FROM answers "
                               "WHERE run = ? AND value IS NOT NULL GROUP BY program, expectation");
        rows.bind(1, run);
        std::vector<AnswerSum> sums;
        while (rows.executeStep()) {
            AnswerSum& sum = sums.emplace_back();
            read_columns(rows, 0, sum.program, sum.expectation, sum.known, sum.sum);
        }
        return sums;
    });
}

std::vector<SearchRecord> Store::searches(std::int64_t run) const {
    return parts_->guarded([&] {
        SQLite::Database& database = *parts_->database;
        std::map<std::pair<std::size_t, std::size_t>, std::vector<QueryAnswer>> answers;
        SQLite::Statement found(database,
                                "SELECT program, position, value, trouble, nodes FROM answers "
                                "WHERE run = ? ORDER BY program, position, expectation");
        found.bind(1, run);
        while (found.executeStep()) {
            std::pair<std::size_t, std::size_t> search;
            QueryAnswer answer;
            std::string nodes;
            read_columns(found, 0, search.first, search.second, answer.value, answer.trouble,
                         nodes);
            answer.nodes = read_nodes(nodes);
            answers[search].push_back(std::move(answer));
        }
        SQLite::Statement row(
            database,
            "SELECT program, position, ended, reason, last_lines, best_move, "
            "iteration, nodes, all_nodes, packed_bytes, used_us, started_us, tree "
            "FROM searches WHERE run = ? ORDER BY position, program");
        row.bind(1, run);
        std::vector<SearchRecord> searches;
        while (row.executeStep()) {
            SearchRecord search = read_row(row);
            search.answers = std::move(answers[{search.program, search.position}]);
            searches.push_back(std::move(search));
        }
        return searches;
    });
}

}  // namespace assay::harness
