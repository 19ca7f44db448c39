// Times a rating list: ratings_bench [PROGRAMS] [PAIRS]. Random results of a round robin, once as
// games (what a PGN gives) and once as counts (what stores give).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/random.h"
#include "stats/estimate/game_list.h"
#include "stats/estimate/rating.h"

namespace {

using namespace assay::stats;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

GameList random_games(std::size_t programs, std::int64_t pairs) {
    assay::Random random(1);
    GameList list;
    for (std::size_t i = 0; i < programs; ++i) list.programs.push_back(std::to_string(i));
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
        const std::size_t a = random.below(programs);
        const std::size_t b = (a + 1 + random.below(programs - 1)) % programs;
        for (const bool is_second : {false, true}) {
            ListedGame game;
            game.first = is_second ? b : a;
            game.second = is_second ? a : b;
            const double gap =
                0.02 * (static_cast<double>(game.second) - static_cast<double>(game.first));
            const DavidsonLaw law = davidson_law(gap + 0.2, 1.2);
            const double x = random.unit();
            game.half_points = x < law.win ? 2 : x < law.win + law.draw ? 1 : 0;
            game.pair = pair;
            list.games.push_back(game);
        }
    }
    return list;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t programs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
    const std::int64_t pairs = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 1'000'000;
    if (programs < 2 || pairs < 1) {
        std::fputs("usage: ratings_bench [PROGRAMS] [PAIRS]\n", stderr);
        return 2;
    }
    const GameList list = random_games(programs, pairs);
    const Clock::time_point start = Clock::now();
    const RatedCounts counts = rated_counts(list);
    const double counted = seconds_since(start);
    const RatingTable table(programs, counts.games, counts.pairs, {});
    std::printf("%zu programs, %lld pairs: counted in %.3f s, rated in %.3f s (%.0f units)\n",
                programs, static_cast<long long>(pairs), counted, seconds_since(start) - counted,
                static_cast<double>(table.clusters()));
    return 0;
}
