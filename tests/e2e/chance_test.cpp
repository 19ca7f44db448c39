// Matches of a game with chance: the referee draws, both games of a pair share their luck, and a
// record alone replays the game.
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "rules/game.h"
#include "tests/e2e/bench_run.h"

using assay::test::Child;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;
namespace harness = assay::harness;

namespace chance_matches {

namespace {

constexpr int kPairs = 150;

using Found = std::map<std::string, std::string>;  // by place, what was turned up there

/// By number of the game, from 0.
std::vector<Found> found_in(const std::string& store) {
    std::vector<Found> games(2 * kPairs);
    const harness::Store opened(store, harness::Store::Access::Read);
    opened.for_each_game(1, 0, [&](const harness::GameRecord& game) {
        Found& found = games.at(static_cast<std::size_t>(game.number - 1));
        std::string last;
        for (const harness::MoveRecord& move : game.moves) {
            if (move.player == assay::rules::kChance) found[last] = move.name;
            last = move.name;
        }
    });
    return games;
}

/// Of the places that were turned in both games, those with one piece and those with two.
std::pair<int, int> compared(const Found& one, const Found& two) {
    std::pair<int, int> counts;
    for (const auto& [place, piece] : one) {
        const auto other = two.find(place);
        if (other == two.end()) continue;
        ++(other->second == piece ? counts.first : counts.second);
    }
    return counts;
}

void write_config(RunFolder& folder, const std::string& chance) {
    const std::string player = "{command: [" + folder.program("instant") + ", --game, dark.mg]";
    folder.write("m.yaml", "programs:\n  a: " + player + ", options: {Seed: 1}}\n  b: " + player +
                               ", options: {Seed: 2}}\nmatch: {between: [a, b], game: dark.mg, " +
                               chance +
                               "seed: 5, time: {nodes: 1}, pairs: " + std::to_string(kPairs) +
                               ", concurrency: 2, "
                               "openings: {random: 1}, adjudicate: {length: 30}}\n");
}

}  // namespace

TEST_CASE("Chance: pieces are dealt to both games of a pair, stored, resumed and replayed") {
    RunFolder folder;
    folder.write("dark.mg",
                 assay::read_file(ASSAY_SOURCE_DIR "/rules/multigame/programs/darkchess.mg"));
    write_config(folder, "chance: deal, ");
    Child child(folder.assay_argv({"run", "m.yaml", "--json"}), folder.root());
    (void)child.until([&] { return folder.games_stored() >= 4; });
    child.signal(SIGKILL);
    (void)child.wait();
    REQUIRE(folder.games_stored() < 2 * kPairs);

    // The plan holds the way of drawing, and another one is another run.
    write_config(folder, "");
    const Finished changed = folder.assay({"run", "m.yaml", "--resume"});
    CHECK(changed.code == 2);
    CHECK_MESSAGE(changed.err.find("chance") != std::string::npos, changed.err);

    write_config(folder, "chance: deal, ");
    const Finished finished = folder.assay({"run", "m.yaml", "--resume", "--json"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    CHECK(parsed(finished.out).at("games").as_int64() == 2 * kPairs);
    const std::vector<Found> games = found_in(folder.root() + "/assay.db");
    REQUIRE(games.size() == 2 * kPairs);
    int same = 0;
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
        const auto [alike, other] = compared(games[2 * pair], games[2 * pair + 1]);
        CHECK(other == 0);
        same += alike;
    }
    CHECK(same > 10 * kPairs);
    CHECK(games[0] != games[2]);

    // The record says what was drawn: the rules' file is not needed, and nothing is drawn again.
    std::filesystem::remove(folder.root() + "/dark.mg");
    const Finished replayed = folder.assay({"replay", "latest", "1"});
    REQUIRE_MESSAGE(replayed.code == 0, replayed.err);
    CHECK(replayed.out.find("chance") != std::string::npos);
}

TEST_CASE("Chance: by number, games of a pair meet other pieces where they turn in another order") {
    RunFolder folder;
    folder.write("dark.mg",
                 assay::read_file(ASSAY_SOURCE_DIR "/rules/multigame/programs/darkchess.mg"));
    write_config(folder, "");
    REQUIRE(folder.assay({"run", "m.yaml"}).code == 0);
    const std::vector<Found> games = found_in(folder.root() + "/assay.db");
    REQUIRE(games.size() == 2 * kPairs);
    CHECK(compared(games[0], games[1]).second > 0);
}

}  // namespace chance_matches
