// Published and cross-checked node counts, tests/data/perft.json: each row of chess and chess960 is
// counted by the fast board. Rows up to 1 M nodes are counted in every build, up to 300 M in
// optimised ones, and the rest where ASSAY_LONG=1 is set.
#include "rules/chess/perft.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "rules/chess/fen.h"
#include "rules/chess/movegen.h"
#include "tests/support/how_many.h"

using namespace assay::rules;
using namespace assay::rules::chess;

namespace {

struct Row {
    std::string position;
    Variant variant = Variant::Standard;
    int depth = 0;
    std::uint64_t nodes = 0;
};

constexpr std::uint64_t kShort = 1'000'000;
constexpr std::uint64_t kMedium = 300'000'000;

/// The rows of a game with more than `above` and at most `most` nodes.
std::vector<Row> rows_of(std::string_view game, std::uint64_t above, std::uint64_t most) {
    const boost::json::value file =
        boost::json::parse(assay::read_file(ASSAY_TEST_DATA "/perft.json"));
    std::vector<Row> rows;
    for (const boost::json::value& value : file.as_array()) {
        const boost::json::object& row = value.as_object();
        const auto nodes = row.at("nodes").to_number<std::uint64_t>();
        if (row.at("game").as_string() != game || nodes <= above || nodes > most) continue;
        rows.push_back({std::string(row.at("position").as_string()),
                        game == "chess" ? Variant::Standard : Variant::Chess960,
                        row.at("depth").to_number<int>(), nodes});
    }
    return rows;
}

/// Counts the rows of one of `shares` parts, so that ctest can run the parts side by side.
void count_rows(const std::vector<Row>& rows, std::size_t part, std::size_t shares) {
    for (std::size_t i = part; i < rows.size(); i += shares) {
        const Row& row = rows[i];
        CAPTURE(row.position);
        CAPTURE(row.depth);
        Board board = parse_fen(row.position, row.variant);
        const Board before = board;
        CHECK(perft(board, row.depth) == row.nodes);
        CHECK(board == before);
    }
}

#ifdef NDEBUG
constexpr bool kOptimised = true;
#else
constexpr bool kOptimised = false;
#endif

void count_medium(std::string_view game, std::size_t part, std::size_t shares) {
    if (!kOptimised && !assay::test::is_long()) {
        MESSAGE("skipped: rows above 1 M nodes are counted in optimised builds");
        return;
    }
    count_rows(rows_of(game, kShort, kMedium), part, shares);
}

}  // namespace

TEST_CASE("Perft: the file has all rows of chess and chess960") {
    CHECK(rows_of("chess", 0, ~std::uint64_t{0}).size() == 104);
    CHECK(rows_of("chess960", 0, ~std::uint64_t{0}).size() == 25);
}

TEST_CASE("Perft: rows up to 1 M nodes are right") {
    count_rows(rows_of("chess", 0, kShort), 0, 1);
    count_rows(rows_of("chess960", 0, kShort), 0, 1);
}

TEST_CASE("Perft: chess rows up to 300 M nodes are right, part 1") {
    count_medium("chess", 0, 2);
}

TEST_CASE("Perft: chess rows up to 300 M nodes are right, part 2") {
    count_medium("chess", 1, 2);
}

TEST_CASE("Perft: chess960 rows up to 300 M nodes are right") {
    count_medium("chess960", 0, 1);
}

TEST_CASE("Perft: rows above 300 M nodes are right") {
    if (!assay::test::is_long()) {
        MESSAGE("skipped: set ASSAY_LONG=1 to count rows above 300 M nodes");
        return;
    }
    count_rows(rows_of("chess", kMedium, ~std::uint64_t{0}), 0, 1);
    count_rows(rows_of("chess960", kMedium, ~std::uint64_t{0}), 0, 1);
}
