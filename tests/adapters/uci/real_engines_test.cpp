#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/process/process.h"
#include "tests/adapters/uci/program_driver.h"

using assay::adapters::ProgramSpec;
using assay::adapters::SearchRequest;
using assay::test::ProgramDriver;

namespace {

struct Engine {
    std::vector<std::string> argv;
    std::vector<std::pair<std::string, std::string>> options;
};

std::string installed(const std::string& name) {
    const std::string game = "/usr/games/" + name;
    if (::access(game.c_str(), X_OK) == 0) return game;
    return assay::adapters::find_program(name);
}

}  // namespace

TEST_CASE("Real programs: each shakes hands, answers two searches and quits, without a warning") {
    const std::vector<Engine> engines{
        {{"stockfish"}, {{"hash", "8"}, {"clear hash", ""}}},
        {{"fairy-stockfish"}, {{"Hash", "8"}, {"Analysis Contempt", "off"}}},
        {{"gnuchess", "--uci"}, {{"OwnBook", "false"}, {"NullMove Pruning", "Never"}}},
        {{"toga2"}, {{"OwnBook", "false"}, {"BookFile", "my books/none.bin"}}},
        {{"glaurung"}, {{"OwnBook", "false"}, {"Threads", "1"}, {"Ponder", "false"}}},
    };
    for (const Engine& engine : engines) {
        CAPTURE(engine.argv[0]);
        ProgramSpec spec = ProgramDriver::spec(engine.argv);
        spec.argv[0] = installed(engine.argv[0]);
        if (spec.argv[0].empty()) {
            MESSAGE(engine.argv[0] << " is not installed: not tried");
            continue;
        }
        spec.options = engine.options;
        ProgramDriver driver(spec);
        REQUIRE(driver.start() == "ready");
        CHECK_FALSE(driver.player().identity().name.empty());
        driver.player().new_game({});
        REQUIRE(driver.next() == "ready");
        SearchRequest request;
        request.depth = 4;
        CHECK(driver.best(request).starts_with("best "));
        CHECK(driver.info().depth.value_or(0) >= 1);
        CHECK(driver.info().score.has_value());
        CHECK_FALSE(driver.info().pv.empty());
        request.moves = "e2e4 e7e5";
        request.depth.reset();
        request.clocks = {{assay::Micros(200'000), {}}, {assay::Micros(200'000), {}}};
        CHECK(driver.best(request).starts_with("best "));
        driver.player().quit();
        // gnuchess 6.2.7 crashes in its own clean-up, which is nobody's affair by then.
        const std::string end = driver.next();
        CHECK((end == "gone Exited: exited with code 0" || engine.argv[0] == "gnuchess"));
        CHECK(driver.player().is_gone());
        CHECK(driver.warnings() == std::vector<std::string>{});
    }
}
