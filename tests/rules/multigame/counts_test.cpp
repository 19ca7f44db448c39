// Numbers of move sequences: rows of tests/data/perft.json for programs of the rules language, and
// the `counts` that programs carry. Rows above kShort are counted with ASSAY_LONG=1.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "rules/multigame/interpret/perft.h"
#include "tests/rules/multigame/programs.h"

namespace multigame_counts {

namespace {

using assay::rules::multigame::MoveCounter;
using assay::rules::multigame::State;
using assay::rules::multigame::state_of;
using assay::tests::LoadedProgram;

#ifdef NDEBUG
constexpr std::uint64_t kShort = 300'000;
#else
constexpr std::uint64_t kShort = 6'000;
#endif

bool counts_long_rows() {
    const char* const set = std::getenv("ASSAY_LONG");
    return set != nullptr && std::string_view(set) == "1";
}

std::string text_of_row(const boost::json::object& row) {
    const auto* const text = row.if_contains("text");
    return std::string(text != nullptr ? text->as_string() : row.at("position").as_string());
}

/// The last part of "ext/hex5.mg".
std::string file_of(std::string_view program) {
    return std::string(program.substr(program.find('/') + 1));
}

/// The puzzle whose goal ends nothing, as its published counts mean it.
LoadedProgram endless_puzzle() {
    return assay::tests::loaded(
        {{"puzzle15.mg", assay::read_file(assay::tests::program_path("puzzle15.mg"))},
         {"endless.mg",
          "based on \"puzzle15.mg\"\n"
          "start { \"ABCD\" \"EFGH\" \"IJKL\" \"MNO.\" }\nmain = slide.\n"}});
}

void count_row(const boost::json::object& row) {
    const std::string program = file_of(row.at("program").as_string());
    const bool is_puzzle = program == "puzzle15.mg";
    const LoadedProgram loaded =
        is_puzzle ? endless_puzzle() : assay::tests::loaded_program(program);
    const std::string text = is_puzzle ? "" : text_of_row(row);
    const int depth = row.at("depth").to_number<int>();
    CAPTURE(program);
    CAPTURE(text);
    CAPTURE(depth);
    MoveCounter counter(loaded.tables);
    const std::uint64_t counted = text.empty() ? counter.count_from_start(depth)
                                               : counter.count(state_of(*loaded.form, text), depth);
    CHECK(counted == row.at("nodes").to_number<std::uint64_t>());
}

void count_rows(std::size_t part, std::size_t shares) {
    const boost::json::value file =
        boost::json::parse(assay::read_file(ASSAY_TEST_DATA "/perft.json"));
    std::size_t number = 0;
    for (const boost::json::value& value : file.as_array()) {
        const boost::json::object& row = value.as_object();
        const bool is_ours =
            row.contains("program") && row.at("program").as_string().ends_with(".mg");
        if (!is_ours || row.contains("kind") || number++ % shares != part) continue;
        if (row.at("nodes").to_number<std::uint64_t>() > kShort && !counts_long_rows()) continue;
        count_row(row);
    }
    CHECK(number > 300);
}

}  // namespace

TEST_CASE("Multigame counts: every row of the table is met, part 1") {
    count_rows(0, 4);
}

TEST_CASE("Multigame counts: every row of the table is met, part 2") {
    count_rows(1, 4);
}

TEST_CASE("Multigame counts: every row of the table is met, part 3") {
    count_rows(2, 4);
}

TEST_CASE("Multigame counts: every row of the table is met, part 4") {
    count_rows(3, 4);
}

TEST_CASE("Multigame counts: tic-tac-toe has 5478 positions") {
    const LoadedProgram program = assay::tests::loaded_program("tictactoe.mg");
    assay::rules::multigame::Machine machine(program.tables);
    std::set<std::uint64_t> seen{machine.key()};
    std::vector<State> front{machine.state()};
    while (!front.empty()) {
        std::vector<State> next;
        for (const State& state : front) {
            machine.load(state);
            assay::rules::multigame::MoveList list;
            machine.moves(list);
            for (std::size_t n = 0; n < list.moves.size(); ++n) {
                if (list.moves[n].is_claim) continue;
                machine.apply(list, n);
                const bool is_over =
                    list.moves[n].verdict != assay::rules::multigame::Verdict::None;
                if (seen.insert(machine.key()).second && !is_over) next.push_back(machine.state());
                machine.take_back(list, n);
            }
        }
        front = std::move(next);
    }
    CHECK(seen.size() == 5478);
}

TEST_CASE("Multigame counts: every program meets the counts that it carries") {
    std::vector<std::string> paths;
    for (const std::string& name : assay::tests::shipped_programs()) {
        paths.push_back(assay::tests::program_path(name));
    }
    // Counts of games that are no part of assay are fairy-stockfish's, or published ones.
    for (const auto& each :
         std::filesystem::directory_iterator(ASSAY_TEST_DATA "/multigame/programs")) {
        paths.push_back(each.path().string());
    }
    int checked = 0;
    for (const std::string& path : paths) {
        const LoadedProgram program = assay::tests::loaded_file(path);
        MoveCounter counter(program.tables);
        for (const auto& known : program.form->counts) {
            for (std::size_t n = 0; n < known.numbers.size(); ++n) {
                if (known.numbers[n] > kShort && !counts_long_rows()) break;
                CAPTURE(path);
                CAPTURE(known.text);
                const int depth = static_cast<int>(n) + 1;
                const std::uint64_t counted =
                    known.is_start ? counter.count_from_start(depth)
                                   : counter.count(state_of(*program.form, known.text), depth);
                CHECK(counted == known.numbers[n]);
                ++checked;
            }
        }
    }
    CHECK(checked > 55);
}

}  // namespace multigame_counts
