#include "tests/e2e/bench_run.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "base/file.h"

namespace assay::test {

RunFolder::RunFolder() = default;

std::string RunFolder::program(const std::string& name) {
    const std::string target = dir_.path(name);
    const std::string folder =
        name == "misbehave" || name == "json_player" ? "/tests/engines/" : "/engines/";
    std::filesystem::copy_file(ASSAY_BINARY_DIR + folder + name, target,
                               std::filesystem::copy_options::skip_existing);
    return target;
}

std::string RunFolder::repeatable_config(int pairs) {
    const std::string instant = program("instant");
    return "programs:\n  a: {command: [" + instant + "], options: {Seed: 1}}\n  b: {command: [" +
           instant + "], options: {Seed: 2}}\n" +
           "match: {between: [a, b], time: {nodes: 100}, pairs: " + std::to_string(pairs) +
           ", concurrency: 2, seed: 7, openings: {book: default}, adjudicate: {length: 60}}\n";
}

void RunFolder::write(const std::string& name, const std::string& text) const {
    write_file(dir_.path(name), text);
}

std::string RunFolder::read(const std::string& name) const {
    return read_file(dir_.path(name));
}

std::vector<std::string> RunFolder::assay_argv(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv{ASSAY_BINARY_DIR "/assay"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return argv;
}

Finished RunFolder::assay(const std::vector<std::string>& arguments, double limit) const {
    return run(assay_argv(arguments), dir_.root(), limit);
}

int RunFolder::games_stored() const {
    try {
        const SQLite::Database store(dir_.path("assay.db"), SQLite::OPEN_READONLY, 60'000);
        SQLite::Statement count(store, "SELECT count(*) FROM games");
        count.executeStep();
        return count.getColumn(0).getInt();
    } catch (const SQLite::Exception&) {
        return 0;
    }
}

std::string RunFolder::decision_in(const std::string& store) const {
    const Finished report = assay({"report", "--db", store, "--format", "json"});
    REQUIRE_MESSAGE(report.code == 0, report.err);
    const boost::json::value run = parsed(report.out);
    const boost::json::object& match = run.as_object();
    std::string text;
    for (const char* key : {"pairs", "pentanomial", "verdict", "test"}) {
        const auto* const value = match.if_contains(key);
        if (value != nullptr)
            text += std::string(key) + " " + boost::json::serialize(*value) + "\n";
    }
    return text;
}

std::string RunFolder::games_in(const std::string& store, int pairs) const {
    const SQLite::Database database(dir_.path(store), SQLite::OPEN_READONLY);
    SQLite::Statement rows(
        database,
        "SELECT g.number, g.moves_hash, g.scores FROM games g JOIN pairs p ON p.run = g.run AND "
        "p.match = g.match AND p.pair = g.pair AND p.attempt = g.attempt WHERE g.pair < ? AND "
        "p.state IN ('counted', 'duplicate') ORDER BY g.pair, g.game");
    rows.bind(1, pairs);
    std::string text;
    while (rows.executeStep()) {
        for (int column = 0; column < 3; ++column) text += rows.getColumn(column).getString() + " ";
    }
    return text;
}

boost::json::value parsed(const std::string& text) {
    boost::system::error_code error;
    boost::json::value value = boost::json::parse(text, error);
    REQUIRE_MESSAGE(!error, "no JSON: ", text);
    return value;
}

std::int64_t count_at(const boost::json::value& run, const char* table, const char* key) {
    const boost::json::object& counts = run.at(table).as_object();
    const auto* const found = counts.if_contains(key);
    return found == nullptr ? 0 : found->as_int64();
}

std::string warning_in(const std::string& err) {
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("another run") != std::string::npos) continue;
        if (line.find("may share cores with this one") != std::string::npos) continue;
        if (line.find("warning") != std::string::npos) return line;
    }
    return {};
}

std::string rules_file(const std::string& game) {
    return ASSAY_SOURCE_DIR "/rules/multigame/programs/" + game + ".mg";
}

}  // namespace assay::test
