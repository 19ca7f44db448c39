// The interpreter against tests/support/reference/, a slow and direct transcription of the
// language's semantics: the same ordered lists of moves, names, verdicts, reasons and positions
// behind each move, in positions of random play. Programs drawn at random are compiled as well.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "rules/multigame/form/state.h"
#include "rules/multigame/interpret/perft.h"
#include "rules/multigame/interpret/rule_error.h"
#include "rules/multigame/object/agreement.h"
#include "tests/rules/multigame/compiled_program.h"
#include "tests/rules/multigame/programs.h"
#include "tests/support/how_many.h"
#include "tests/support/temp_dir.h"

namespace multigame_reference {

namespace {

using namespace assay::rules::multigame;
using assay::tests::LoadedProgram;

std::string output_of(const std::string& command) {
    std::string out;
    FILE* const pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe)) {
        out.append(buffer.data(), size);
    }
    REQUIRE(pclose(pipe) == 0);
    return out;
}

std::string word_of_verdict(Verdict verdict) {
    switch (verdict) {
        case Verdict::Win:
            return "win";
        case Verdict::Lose:
            return "lose";
        case Verdict::Draw:
            return "draw";
        default:
            return "-";
    }
}

/// What the reference prints for a position with `lists`.
std::string own_list(const LoadedProgram& program, const std::string& text) {
    Machine machine(program.tables);
    machine.load(state_of(*program.form, text));
    assay::rules::multigame::MoveList list;
    machine.moves(list, true);
    std::string out = "= " + text + "\n";
    for (std::size_t n = 0; n < list.moves.size(); ++n) {
        const assay::rules::multigame::MoveEntry& each = list.moves[n];
        machine.apply(list, n);
        out += list.names[n] + "\t" + (each.is_claim ? "claim " : "") +
               word_of_verdict(each.verdict) + "\t" +
               (each.reason == kNone ? "" : item(program.form->texts, each.reason)) + "\t" +
               text_of(*program.form, machine.state()) + "\n";
        machine.take_back(list, n);
    }
    return out;
}

/// So many positions of random play, one line each, from the reference; with ASSAY_LONG=1 10,000.
void compare_file(const std::string& path, int positions, int plies) {
    CAPTURE(path);
    if (assay::test::is_long()) positions = 10'000;
    const assay::test::TempDir dir;
    const std::string reference = ASSAY_MULTIGAME_REFERENCE;
    const std::string texts = output_of(reference + " " + path + " walk " +
                                        std::to_string(positions) + " 7 " + std::to_string(plies));
    const std::string input = dir.path("texts");
    std::ofstream(input) << texts;
    const std::string expected = output_of(reference + " " + path + " lists < " + input);
    const LoadedProgram program = assay::tests::loaded_file(path);
    std::string found;
    std::istringstream lines(texts);
    for (std::string line; std::getline(lines, line);) {
        found += own_list(program, line);
        CHECK(text_of(*program.form, state_of(*program.form, line)) == line);
    }
    CHECK(found == expected);
}

/// Texts of positions in random games, each the last of its game where that ends, also by a rule
/// error.
std::string texts_of_games(const LoadedProgram& program, int games) {
    assay::Random random(5);
    Machine machine(program.tables);
    std::string texts;
    const std::vector<State> starts = start_states(program.tables);
    for (int game = 0; game < games; ++game) {
        machine.load(starts[random.below(starts.size())]);
        for (int ply = 0; ply < 8; ++ply) {
            texts += text_of(*program.form, machine.state()) + "\n";
            assay::rules::multigame::MoveList list;
            try {
                machine.moves(list, true);
            } catch (const RuleError&) {
                break;
            }
            std::vector<std::size_t> onward;
            for (std::size_t n = 0; n < list.moves.size(); ++n) {
                const bool ends = list.moves[n].verdict != Verdict::None;
                if (!ends && !list.moves[n].is_claim) onward.push_back(n);
            }
            if (onward.empty()) break;
            machine.apply(list, onward[random.below(onward.size())]);
        }
    }
    return texts;
}

/// The reference says of a rule error what it is, behind a '!'.
std::string without_reasons(const std::string& lists) {
    std::string out;
    std::istringstream lines(lists);
    for (std::string line; std::getline(lines, line);) {
        out += line.starts_with('!') ? "!\n" : line + "\n";
    }
    return out;
}

enum class Compared : std::uint8_t { Wrong, Played };

Compared compare_random_program(const std::string& path) {
    CAPTURE(path);
    const auto files =
        assay::rules::multigame::files_of(path, assay::rules::multigame::read_rules_file);
    if (assay::rules::multigame::checked(files).has_errors) return Compared::Wrong;
    const LoadedProgram program = assay::tests::loaded(files);
    std::string texts;
    try {
        texts = texts_of_games(program, 6);
    } catch (const RuleError&) {
        return Compared::Wrong;  // of `setup`
    }
    const assay::test::TempDir dir;
    std::ofstream(dir.path("texts")) << texts;
    const std::string reference = ASSAY_MULTIGAME_REFERENCE;
    const std::string expected =
        without_reasons(output_of(reference + " " + path + " lists < " + dir.path("texts")));
    std::string found;
    std::istringstream lines(texts);
    for (std::string line; std::getline(lines, line);) {
        try {
            found += own_list(program, line);
        } catch (const RuleError&) {
            found += "!\n";
        }
    }
    CHECK(found == expected);
    const auto compiled = assay::tests::compiled_rules(program.tables, "tcc");
    CHECK(disagreement(program.tables, compiled, 100, 7) == "");
    return Compared::Played;
}

void compare(const std::string& name, int positions, int plies) {
    compare_file(assay::tests::program_path(name), positions, plies);
}

}  // namespace

TEST_CASE("Multigame reference: chess and its variants have the same ordered lists") {
    for (const char* const name : {"chess.mg", "kingofthehill.mg", "antichess.mg", "threecheck.mg",
                                   "racingkings.mg", "horde.mg", "losalamos.mg", "knightmate.mg"}) {
        compare(name, 20, 60);
    }
}

TEST_CASE("Multigame reference: xiangqi, mini xiangqi and dark chess have the same ordered lists") {
    for (const char* const name : {"xiangqi.mg", "minixiangqi.mg"}) compare(name, 40, 60);
    compare("darkchess.mg", 20, 20);
}

TEST_CASE("Multigame reference: draughts and morris have the same ordered lists") {
    for (const char* const name : {"checkers.mg", "draughts10.mg", "morris.mg"}) {
        compare(name, 60, 40);
    }
}

TEST_CASE("Multigame reference: games of stones have the same ordered lists") {
    for (const char* const name : {"tictactoe.mg", "connect4.mg", "othello.mg", "hex5.mg",
                                   "breakthrough.mg", "clobber.mg", "puzzle15.mg"}) {
        compare(name, 60, 30);
    }
    compare("connect6.mg", 3, 10);
}

TEST_CASE("Multigame reference: games that are no part of assay have the same ordered lists") {
    int games = 0;
    for (const auto& each :
         std::filesystem::directory_iterator(ASSAY_TEST_DATA "/multigame/programs")) {
        const std::string path = each.path().string();
        CAPTURE(path);
        CHECK(assay::rules::multigame::checked(
                  assay::rules::multigame::files_of(path, assay::rules::multigame::read_rules_file))
                  .problems.empty());
        compare_file(path, 12, 25);
        ++games;
    }
    CHECK(games >= 15);
}

TEST_CASE("Multigame reference: random programs have the same ordered lists, and compiled too") {
    const assay::test::TempDir dir;
    const int count = assay::test::is_long() ? 3000 : 60;
    const std::string script = ASSAY_SOURCE_DIR "/tests/support/random_programs.py";
    (void)output_of("python3 " + script + " " + dir.root() + " 1 " + std::to_string(count));
    int played = 0;
    for (int number = 1; number <= count; ++number) {
        const std::string path = dir.path("random" + std::to_string(number) + ".mg");
        if (compare_random_program(path) == Compared::Played) ++played;
    }
    CHECK(played > count / 2);
}

}  // namespace multigame_reference
