#include "rules/make_game.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/support/rows_file.h"
#include "tests/support/temp_dir.h"

using namespace assay::rules;

namespace {

std::string refusal_of_game(std::string_view name_or_path, std::string_view folder = "") {
    try {
        return "found " + find_game(name_or_path, folder).name;
    } catch (const assay::Error& error) {
        CHECK(error.exit_code() == 2);
        return error.what();
    }
}

}  // namespace

TEST_CASE("find_game: a name or an alias is a known game, and its source is the name alone") {
    CHECK(find_game("chess") == GameSource{"chess", "", ""});
    CHECK(find_game("fischerandom") == GameSource{"chess960", "", ""});
    CHECK(find_game("normal") == GameSource{"chess", "", ""});
    CHECK(refusal_of_game("ches") == "unknown game 'ches'; did you mean 'chess'?");
    CHECK(refusal_of_game("").starts_with("unknown game ''; the games are chess, chess960"));
    CHECK(
        refusal_of_game("ludo").starts_with("unknown game 'ludo'; the games are chess, chess960"));
    const std::vector<std::string> names = game_names();
    REQUIRE(names.size() >= 2);
    CHECK(names[0] == "chess");
    CHECK(names[1] == "chess960");
}

TEST_CASE("find_game: a file is read with what it is based on, and is not needed afterwards") {
    assay::tests::register_rows_files();
    const assay::test::TempDir dir;
    std::ofstream(dir.path("base.rows")) << "players Ada Bob\n";
    std::ofstream(dir.path("my.rows")) << "based on base.rows\ngame mine\n";
    const GameSource source = find_game("./my.rows", dir.root());
    CHECK(source == GameSource{"mine", dir.path("my.rows"), "players Ada Bob\ngame mine\n"});
    CHECK(find_game(dir.path("my.rows")) == source);
    std::filesystem::remove(dir.path("base.rows"));
    std::filesystem::remove(dir.path("my.rows"));
    const auto game = make_game(source);
    CHECK(game->name() == "mine");
    CHECK(game->info().players == std::vector<std::string>{"Ada", "Bob"});
}

TEST_CASE("find_game: a file that cannot be used is refused with its place") {
    assay::tests::register_rows_files();
    const assay::test::TempDir dir;
    std::ofstream(dir.path("wrong.rows")) << "game mine\nboard 3 3\n";
    std::ofstream(dir.path("empty.rows"));
    std::ofstream long_file(dir.path("long.rows"));
    for (int i = 0; i < 6554; ++i) long_file << "game long\n";
    long_file.close();
    CHECK(refusal_of_game("wrong.rows", dir.root()) ==
          dir.path("wrong.rows") +
              ":2:1: error: expected 'game' or 'players'\n  board 3 3\n  ^~~~~~~~~");
    CHECK(refusal_of_game("empty.rows", dir.root()) == dir.path("empty.rows") + ": holds no rules");
    CHECK(refusal_of_game("long.rows", dir.root()) ==
          dir.path("long.rows") + ": 65540 bytes of rules, and at most 65536 are allowed");
    CHECK(refusal_of_game("none.rows", dir.root()) ==
          dir.path("none.rows") + ": cannot open: No such file or directory");
    const std::string unknown = refusal_of_game("./chess.txt", dir.root());
    CHECK(unknown.starts_with(dir.path("chess.txt") + ": files of rules end in "));
    CHECK(unknown.find(".rows") != std::string::npos);
}
