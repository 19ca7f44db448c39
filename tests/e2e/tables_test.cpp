// Tables of Syzygy that are whole in size and damaged inside.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/program/table_reader.h"
#include "rules/make_game.h"
#include "tests/e2e/runner_folder.h"
#include "tests/support/contains.h"
#include "tests/support/syzygy_table.h"

using assay::harness::TableReader;
using assay::test::Argv;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunnerFolder;
using assay::test::times_in;

namespace {

const std::string kAssay = ASSAY_BINARY_DIR "/assay";

/// A book of one position in which the queen takes the rook: then the table decides.
constexpr const char* kQueenTakes = "7k/8/8/8/8/8/1r6/KQ6 w - - 0 1\n";

/// Positions of the table, with either side to move and with either colour's queen.
const std::vector<std::string> kInTable{
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "7k/8/8/8/8/8/1Q6/K7 b - - 0 1",
    "8/8/3k4/8/8/8/2q5/K7 w - - 0 1", "8/3K4/8/8/8/6Q1/8/k7 w - - 0 1"};

/// Made once: it takes seconds.
const std::string& whole_table() {
    static const std::string table = assay::test::queen_table(assay::test::QueenEnding());
    return table;
}

/// Tables in a folder, which a test damages.
struct Damaged {
    Damaged() {
        std::filesystem::create_directory(folder.root() + "/tb");
        folder.write("tb/KQvK.rtbw", table);
        folder.write("book.epd", kQueenTakes);
        try {
            const auto opened = TableReader::open(*chess, tb(), kAssay);
            is_there = opened != nullptr;
        } catch (const assay::Error& error) {
            MESSAGE("skipped: " << error.what());
            CHECK(contains(error.what(), "libfathom"));
        }
    }

    [[nodiscard]] std::string tb() const { return folder.root() + "/tb"; }

    /// Writes the table with this byte inverted, and everything behind it too if `is_long`.
    void damage(std::size_t byte, bool is_long) {
        std::string bytes = table;
        const std::size_t end = is_long ? bytes.size() : byte + 1;
        for (std::size_t i = byte; i < end; ++i) bytes[i] = static_cast<char>(~bytes[i]);
        folder.write("tb/KQvK.rtbw", bytes);
    }

    /// Asks for positions; what the reader's failure is, or empty. `told`: how often it was told.
    [[nodiscard]] std::string failure_of(const std::vector<std::string>& positions, int& told) {
        const auto reader = TableReader::open(*chess, tb(), kAssay);
        REQUIRE(reader != nullptr);
        reader->on_failure([&told](const std::string&) { ++told; });
        for (const std::string& text : positions) {
            const auto value = reader->value(*chess->parse(text));
            if (!reader->failure().empty()) CHECK_FALSE(value);
        }
        return reader->failure();
    }

    /// A damage by which no position after the capture can be read; false where none was found.
    [[nodiscard]] bool find_fatal() {
        int told = 0;
        for (std::size_t byte = 4; byte < 200; ++byte) {
            damage(byte, true);
            const bool is_fatal = !failure_of({"7k/8/8/8/8/8/1Q6/K7 b - - 0 1"}, told).empty() &&
                                  !failure_of({"7k/8/8/8/8/8/1K6/1Q6 b - - 0 1"}, told).empty();
            if (is_fatal) return true;
        }
        return false;
    }

    RunnerFolder folder;
    const std::string& table = whole_table();
    std::unique_ptr<assay::rules::Game> chess = assay::rules::make_game("chess");
    bool is_there = false;
};

}  // namespace

TEST_CASE("Tables: whatever byte is damaged, the reader answers or fails by itself") {
    Damaged tables;
    if (!tables.is_there) return;
    int told = 0;
    int failed = 0;
    CHECK(tables.failure_of(kInTable, told).empty());
    const auto try_byte = [&](std::size_t byte, bool is_long) {
        CAPTURE(byte);
        CAPTURE(is_long);
        tables.damage(byte, is_long);
        const std::string failure = tables.failure_of(kInTable, told);
        if (failure.empty()) return;
        ++failed;
        CHECK(contains(failure, "the tables of '" + tables.tb() + "' "));
        CHECK(contains(failure, " the reader "));
        CHECK(contains(failure, " - - 0 1 ("));
    };
    for (std::size_t byte = 4; byte < 100; byte += 3) try_byte(byte, byte % 2 == 0);
    for (std::size_t byte = 100; byte < tables.table.size(); byte += tables.table.size() / 16)
        try_byte(byte, false);
    CHECK(failed > 0);
    CHECK(told == failed);
}

TEST_CASE("Tables: a reader that does not answer fails after two seconds, and asks no more") {
    Damaged tables;
    if (!tables.is_there) return;
    // It opens tables, and says nothing to the next question.
    const std::string mute = tables.folder.root() + "/mute.py";
    tables.folder.write("mute.py",
                        "#!/usr/bin/python3\nimport socket\n"
                        "s = socket.socket(fileno=0)\ns.recv(65536)\ns.send(b'o\\x03')\n"
                        "while s.recv(65536): pass\n");
    std::filesystem::permissions(mute, std::filesystem::perms::owner_all);
    const auto reader = TableReader::open(*tables.chess, tables.tb(), mute);
    REQUIRE(reader != nullptr);
    CHECK(reader->most_pieces() == 3);
    std::vector<std::string> told;
    reader->on_failure([&told](const std::string& sentence) { told.push_back(sentence); });
    for (const std::string& text : kInTable) CHECK_FALSE(reader->value(*tables.chess->parse(text)));
    REQUIRE(told.size() == 1);
    CHECK(told.front() == "the tables of '" + tables.tb() + "' held the reader up at " +
                              kInTable.front() + " (no answer within 2 s)");
    CHECK(reader->failure() == told.front());
}

TEST_CASE("Tables: what cannot be opened is refused by the helper as it is without one") {
    Damaged tables;
    if (!tables.is_there) return;
    CHECK(TableReader::open(*assay::rules::make_game("chess960"), tables.tb(), kAssay) != nullptr);
    try {
        (void)TableReader::open(*tables.chess, "/no/such/folder", kAssay);
        FAIL("opened");
    } catch (const assay::Error& error) {
        CHECK(error.exit_code() == 2);
        CHECK(error.what() == std::string("there is no folder of tablebases '/no/such/folder'"));
    }
}

TEST_CASE("Tables: a match goes on without tables that crash their reader, and says so once") {
    Damaged tables;
    if (!tables.is_there) return;
    if (!std::filesystem::exists("/usr/games/stockfish")) return;
    REQUIRE(tables.find_fatal());
    RunnerFolder& folder = tables.folder;
    folder.write("m.yaml",
                 "each: {command: /usr/games/stockfish}\nprograms: {a: {}, b: {}}\n"
                 "match: {time: {depth: 4}, openings: book.epd, pairs: 1, adjudicate: {tablebase: "
                 "{path: tb}}}\n");
    const Finished run = folder.folder().assay({"run", "m.yaml", "--json"});
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    const auto json = parsed(run.out);
    CHECK(json.at("games").as_int64() == 2);
    CHECK_FALSE(json.at("terminations").as_object().contains("tablebase"));
    CHECK(times_in(run.err,
                   ": games are not adjudicated by tables any more; compare their checksums") == 1);
    CHECK(contains(run.err, " the reader at 7k/8/8/8/8/8/1"));

    const Finished probed = folder.folder().assay(
        {"rules", "probe", "chess", "--fen", kQueenTakes, "--tablebase", "tb"});
    CHECK(probed.code == 2);
    CHECK(probed.out.empty());
    CHECK(contains(probed.err, "the tables of 'tb' "));
    CHECK(contains(probed.err, "; compare their checksums\n"));
}
