#include "cli/book/game_moves.h"

#include <array>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "tests/cli/shell.h"
#include "tests/support/tic_tac_toe.h"

using assay::cli::count_sequences;
using assay::cli::game_moves_text;
using assay::cli::RulesOptions;

TEST_CASE("rules: sequences of a game in C++ are counted through its interface") {
    // The numbers of boards after so many moves, with their order: 9, 9 * 8, … until rows end
    // games.
    constexpr std::array<std::uint64_t, 9> kKnown{9,     72,     504,    3024,  15120,
                                                  54720, 148176, 200448, 127872};
    const auto game = assay::tests::make_tic_tac_toe();
    for (std::size_t depth = 1; depth <= kKnown.size(); ++depth)
        CHECK(count_sequences(*game->start(), static_cast<int>(depth)) == kKnown[depth - 1]);
}

TEST_CASE("rules: moves of a game in C++ are listed in its notations") {
    assay::rules::register_game("small", [](const assay::rules::GameSource&) {
        return assay::tests::make_tic_tac_toe("small");
    });
    RulesOptions options;
    options.game = "small";
    options.text = "xoxoxo--- x";
    CHECK(game_moves_text(options) == "xoxoxo--- x\n7\n8\n9\n3 legal moves\n");
    options.json = true;
    CHECK(game_moves_text(options) ==
          "{\"position\":\"xoxoxo--- x\",\"moves\":[{\"name\":\"7\"},{\"name\":\"8\"},"
          "{\"name\":\"9\"}]}\n");
}

TEST_CASE("rules: moves of a file of rules are printed as JSON where it is asked for") {
    const assay::test::Finished listed =
        assay::test::shell("/", "$ASSAY rules moves " ASSAY_SOURCE_DIR
                                "/rules/multigame/programs/tictactoe.mg --json");
    CHECK(listed.code == 0);
    CHECK(listed.out.starts_with("{\"position\":\""));
    CHECK(listed.out.find("\"moves\":[{\"name\":\"a1\"}") != std::string::npos);
}
