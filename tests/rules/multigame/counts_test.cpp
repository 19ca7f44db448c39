// Numbers of move sequences: rows of tests/data/perft.json for programs of the rules language, and
// the `counts` that programs carry, by compiled rules and by the interpreter. Rows above kShort
// (compiled: above kShortCompiled) are counted with ASSAY_LONG=1, with a line each; PROGRAM:DEPTH
// in ASSAY_ROWS counts these alone.
//
// Billions of sequences take an interpreter hours. Many lead to one position, so it counts what is
// below a position once and keeps it with the whole position, silent variables included: that is
// exact, whatever collides.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/random.h"
#include "rules/multigame/interpret/perft.h"
#include "rules/multigame/object/compiled_counter.h"
#include "rules/multigame/object/compiled_machine.h"
#include "rules/multigame/shipped/shipped_rules.h"
#include "tests/rules/multigame/compiled_program.h"
#include "tests/rules/multigame/programs.h"
#include "tests/support/how_many.h"

namespace multigame_counts {

namespace {

namespace mg = assay::rules::multigame;
using assay::rules::multigame::MoveCounter;
using assay::rules::multigame::MoveList;
using assay::rules::multigame::State;
using assay::rules::multigame::state_of;
using assay::tests::LoadedProgram;

#ifdef NDEBUG
constexpr std::uint64_t kShort = 300'000;
constexpr std::uint64_t kShortCompiled = 10'000'000;
constexpr const char* kCompiler = "cc -O1";
#else
constexpr std::uint64_t kShort = 6'000;
constexpr std::uint64_t kShortCompiled = 300'000;
constexpr const char* kCompiler = "cc -O0";  // compiles for longer than it counts
#endif
constexpr std::size_t kKept = std::size_t{1} << 21U;

/// Counts by a mg::Machine or mg::CompiledMachine, what is below an equal position once as long as
/// it is kept. `counts_ends`: a position in which the game ended earlier is a sequence too.
template <class Rules>
class KeepingCounter {
public:
    KeepingCounter(Rules rules, bool counts_ends)
        : machine_(std::move(rules)), counts_ends_(counts_ends), kept_(kKept) {}

    std::uint64_t count(const State& from, int depth) {
        machine_.load(from);
        lists_.resize(static_cast<std::size_t>(depth) + 1);
        return below(depth);
    }

private:
    struct Kept {
        State position;
        int depth = 0;
        std::uint64_t nodes = 0;
    };

    std::uint64_t below(int depth) {
        if (depth == 0) return 1;
        State position = machine_.state();
        position.moves = 1;  // the turn's number is no part of what follows
        const auto word = assay::mix64(machine_.key(), static_cast<std::uint64_t>(depth));
        Kept& kept = kept_[word % kKept];
        if (kept.depth == depth && kept.position == position) return kept.nodes;
        MoveList& list = lists_[static_cast<std::size_t>(depth)];
        (void)machine_.moves(list, false);
        std::uint64_t nodes = 0;
        bool is_over = true;
        for (std::size_t n = 0; n < list.moves.size(); ++n) {
            const mg::MoveEntry& each = list.moves[n];
            if (each.is_claim) continue;
            is_over = false;
            if (each.verdict != mg::Verdict::None && depth > 1) {
                nodes += counts_ends_ ? 1 : 0;
                continue;
            }
            machine_.apply(list, n);
            nodes += below(depth - 1);
            machine_.take_back(list, n);
        }
        if (is_over && counts_ends_) nodes = 1;
        kept = {std::move(position), depth, nodes};
        return nodes;
    }

    Rules machine_;
    bool counts_ends_;
    std::vector<MoveList> lists_;
    std::vector<Kept> kept_;
};

/// Said of the rows that only a long run counts.
void say(const std::string& row, const char* by, std::uint64_t nodes, std::uint64_t expected,
         std::chrono::steady_clock::time_point since) {
    const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - since);
    fmt::print("{:<28} {:<12} {:>11} {} {:.0f} s\n", row, by, nodes,
               nodes == expected ? "right" : "WRONG", took.count());
    std::fflush(stdout);
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

/// The rules that ship, or else what a C compiler makes of the program.
std::shared_ptr<const mg::CompiledProgram> compiled_of(const LoadedProgram& program) {
    if (auto shipped = mg::shipped_program(mg::hash_of_rules(*program.form))) return shipped;
    return assay::tests::compiled_rules(program.tables, kCompiler);
}

/// A program of the table, loaded and compiled once.
struct Counted {
    LoadedProgram program;
    std::shared_ptr<const mg::CompiledProgram> compiled;
};

Counted& counted_program(const std::string& name) {
    static std::map<std::string, Counted> programs;
    Counted& made = programs[name];
    if (made.compiled == nullptr) {
        made.program =
            name == "puzzle15.mg" ? endless_puzzle() : assay::tests::loaded_program(name);
        made.compiled = compiled_of(made.program);
    }
    return made;
}

std::uint64_t compiled_count(const std::shared_ptr<const mg::CompiledProgram>& program,
                             const std::vector<State>& from, int depth, bool counts_ends) {
    std::uint64_t sum = 0;
    if (counts_ends) {
        KeepingCounter keeping(mg::CompiledMachine(program), true);
        for (const State& each : from) sum += keeping.count(each, depth);
        return sum;
    }
    mg::CompiledCounter plain(program);
    for (const State& each : from) sum += plain.count(each, depth).value_or(0);
    return sum;
}

std::uint64_t interpreted_count(const LoadedProgram& program, const std::vector<State>& from,
                                int depth, std::uint64_t expected, bool counts_ends = false) {
    std::uint64_t sum = 0;
    if (expected > kShort) {
        KeepingCounter keeping(mg::Machine(program.tables), counts_ends);
        for (const State& each : from) sum += keeping.count(each, depth);
        return sum;
    }
    MoveCounter plain(program.tables);
    for (const State& each : from) sum += plain.count(each, depth);
    return sum;
}

/// Counts by both, each where the row is not too long for it.
void count_row(const boost::json::object& row) {
    const std::string name = file_of(row.at("program").as_string());
    const std::string text = name == "puzzle15.mg" ? "" : text_of_row(row);
    const int depth = row.at("depth").to_number<int>();
    const auto nodes = row.at("nodes").to_number<std::uint64_t>();
    // Elsewhere, and in the commands, a game that ended earlier is no sequence.
    const bool counts_ends =
        std::string_view(row.at("variant").as_string()).ends_with("count as leaves");
    const bool is_long = assay::test::is_long();
    if (nodes > kShortCompiled && !is_long) return;
    const std::string title = fmt::format("{}:{}", name, depth);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    const char* const asked = std::getenv("ASSAY_ROWS");
    if (asked != nullptr && title != asked) return;
    CAPTURE(name);
    CAPTURE(text);
    CAPTURE(depth);
    const Counted& counted = counted_program(name);
    const std::vector<State> from = text.empty()
                                        ? mg::start_states(counted.program.tables)
                                        : std::vector{state_of(*counted.program.form, text)};
    auto since = std::chrono::steady_clock::now();
    std::uint64_t sum = compiled_count(counted.compiled, from, depth, counts_ends);
    CHECK(sum == nodes);
    if (nodes > kShort && is_long) say(title, "compiled", sum, nodes, since);
    if (nodes > kShort && !is_long) return;
    since = std::chrono::steady_clock::now();
    sum = interpreted_count(counted.program, from, depth, nodes, counts_ends);
    if (nodes > kShort) say(title, "interpreted", sum, nodes, since);
    CHECK(sum == nodes);
}

void count_rows(std::size_t part, std::size_t shares) {
    const boost::json::value file =
        boost::json::parse(assay::read_file(ASSAY_TEST_DATA "/perft.json"));
    std::size_t number = 0;
    // All rows of a program are in one part, which compiles it once.
    std::map<std::string_view, std::size_t> programs;
    for (const boost::json::value& value : file.as_array()) {
        const boost::json::object& row = value.as_object();
        const bool is_ours =
            row.contains("program") && row.at("program").as_string().ends_with(".mg");
        if (!is_ours || row.contains("kind")) continue;
        ++number;
        const std::string_view program = row.at("program").as_string();
        const std::size_t place = programs.try_emplace(program, programs.size()).first->second;
        if (place % shares == part) count_row(row);
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
        for (const auto& known : program.form->counts) {
            for (std::size_t n = 0; n < known.numbers.size(); ++n) {
                if (known.numbers[n] > kShort && !assay::test::is_long()) break;
                CAPTURE(path);
                CAPTURE(known.text);
                const int depth = static_cast<int>(n) + 1;
                const std::vector<State> from =
                    known.is_start ? mg::start_states(program.tables)
                                   : std::vector{state_of(*program.form, known.text)};
                const std::uint64_t counted =
                    interpreted_count(program, from, depth, known.numbers[n]);
                CHECK(counted == known.numbers[n]);
                ++checked;
            }
        }
    }
    CHECK(checked > 55);
}

TEST_CASE("Multigame counts: by name, the ways of one capture are different moves") {
    const LoadedProgram program = assay::tests::loaded_program("checkers.mg");
    // A king may take four men in a diamond either way round. Behind that Black has no man.
    const State diamond = state_of(*program.form, "W:WK18:B6,7,14,15");
    MoveCounter by_position(program.tables);
    MoveCounter by_name(program.tables, mg::Different::Names);
    CHECK(by_position.count(diamond, 1) == 1);
    CHECK(by_name.count(diamond, 1) == 2);
    const auto lines = by_name.divide(diamond, 1);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].first == "18x11x2x9x18");
    CHECK(lines[1].first == "18x9x2x11x18");
    // With a man left there are replies, below each of the names.
    const State more = state_of(*program.form, "W:WK18:B6,7,14,15,1");
    CHECK(by_name.count(more, 2) == 2 * by_position.count(more, 2));
    CHECK(by_name.count_from_start(5) == by_position.count_from_start(5));
}

}  // namespace multigame_counts
