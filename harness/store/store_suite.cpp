// Searches of a suite in a Store.
#include <SQLiteCpp/SQLiteCpp.h>
#include <array>
#include <map>

#include <boost/json.hpp>

#include "base/check.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

constexpr std::int64_t as_stored(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

constexpr std::uint64_t as_read(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

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
    SQLite::Statement insert(database,
                             "INSERT OR REPLACE INTO searches (run, program, position, ended, "
                             "reason, last_lines, best_move, iteration, nodes, all_nodes, "
                             "packed_bytes, used_us, started_us, tree) VALUES "
                             "(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    insert.bind(1, run);
    insert.bind(2, as_stored(search.program));
    insert.bind(3, as_stored(search.position));
    insert.bind(4, std::string(name_of(search.end)));
    insert.bind(5, search.reason);
    insert.bind(6, search.last_lines);
    insert.bind(7, search.best_move);
    insert.bind(8, as_stored(search.iteration));
    insert.bind(9, as_stored(search.nodes));
    insert.bind(10, as_stored(search.all_nodes));
    insert.bind(11, as_stored(search.packed_bytes));
    insert.bind(12, std::int64_t{search.used_us});
    insert.bind(13, std::int64_t{search.started_us});
    insert.bind(14, search.tree);
    insert.exec();
}

void write_answers(SQLite::Database& database, std::int64_t run, const SearchRecord& search) {
    SQLite::Statement clear(database,
                            "DELETE FROM answers WHERE run = ? AND program = ? AND position = ?");
    clear.bind(1, run);
    clear.bind(2, as_stored(search.program));
    clear.bind(3, as_stored(search.position));
    clear.exec();
    SQLite::Statement insert(database,
                             "INSERT INTO answers (run, program, position, "
                             "expectation, value, trouble, nodes) VALUES "
                             "(?,?,?,?,?,?,?)");
    for (std::size_t i = 0; i < search.answers.size(); ++i) {
        const QueryAnswer& answer = search.answers[i];
        insert.bind(1, run);
        insert.bind(2, as_stored(search.program));
        insert.bind(3, as_stored(search.position));
        insert.bind(4, as_stored(i));
        if (answer.value)
            insert.bind(5, *answer.value);
        else
            insert.bind(5);
        insert.bind(6, answer.trouble);
        insert.bind(7, nodes_text(answer.nodes));
        insert.exec();
        insert.reset();
        insert.clearBindings();
    }
}

SearchRecord read_row(SQLite::Statement& row) {
    SearchRecord search;
    search.program = as_read(row.getColumn(0).getInt64());
    search.position = as_read(row.getColumn(1).getInt64());
    const std::optional<SearchEnd> end = search_end_of(row.getColumn(2).getString());
    if (!end) throw StoreDamage{"how a search ended"};
    search.end = *end;
    search.reason = row.getColumn(3).getString();
    search.last_lines = row.getColumn(4).getString();
    search.best_move = row.getColumn(5).getString();
    search.iteration = as_read(row.getColumn(6).getInt64());
    search.nodes = as_read(row.getColumn(7).getInt64());
    search.all_nodes = as_read(row.getColumn(8).getInt64());
    search.packed_bytes = as_read(row.getColumn(9).getInt64());
    search.used_us = row.getColumn(10).getInt64();
    search.started_us = row.getColumn(11).getInt64();
    search.tree = row.getColumn(12).getString();
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
        SQLite::Statement update(
            *parts_->database,
            "UPDATE searches SET tree = '' WHERE run = ? AND program = ? AND position = ?");
        update.bind(1, run);
        update.bind(2, as_stored(program));
        update.bind(3, as_stored(position));
        update.exec();
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
            sums.push_back({as_read(rows.getColumn(0).getInt64()),
                            as_read(rows.getColumn(1).getInt64()), rows.getColumn(2).getInt64(),
                            rows.getColumn(3).getDouble()});
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
            QueryAnswer answer;
            if (!found.getColumn(2).isNull()) answer.value = found.getColumn(2).getDouble();
            answer.trouble = found.getColumn(3).getString();
            answer.nodes = read_nodes(found.getColumn(4).getString());
            answers[{as_read(found.getColumn(0).getInt64()),
                     as_read(found.getColumn(1).getInt64())}]
                .push_back(std::move(answer));
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
