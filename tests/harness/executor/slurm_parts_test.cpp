// What an executor of a fleet makes of parts beside their pairs.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/harness/executor/test_fleet.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test
using assay::test::TestFleet;

TEST_CASE("SlurmExecutor: the harness's delay is that of its workers, weighted by plies") {
    TestFleet fleet(8, 2);
    fleet.last = 8;
    fleet.offer();
    CHECK(fleet.executor.delays().max_us == 0);
    fleet.known.delay = {10, 100, 1000, 4};
    fleet.known.between_games = {{1, 0}, {0, 0}};
    fleet.hand_in(0, "0 1");  // one ply
    fleet.tick();
    CHECK(fleet.executor.delays().p50_us == doctest::Approx(10));
    fleet.known.delay = {30, 300, 200, 8};
    fleet.hand_in(1, "3");
    fleet.tick();
    const DelayRecord delay = fleet.executor.delays();
    CHECK(delay.p50_us == doctest::Approx(25));
    CHECK(delay.p99_us == doctest::Approx(250));
    CHECK(delay.max_us == 1000);
    CHECK(delay.cpu_us_per_ply == doctest::Approx(7));
    CHECK(fleet.heard.crashes == 2);
}

TEST_CASE("SlurmExecutor: what is to be said of a part is said once") {
    TestFleet fleet(4, 2);
    fleet.last = 4;
    fleet.offer();
    fleet.known.warnings = {"n1: the baseline searched 12 % fewer nodes"};
    fleet.hand_in(0, "0 1");
    fleet.hand_in(1, "2 3");
    fleet.tick();
    CHECK(fleet.heard.notes == fleet.known.warnings);
}

TEST_CASE("SlurmExecutor: of a late part that cannot be read the reason is told") {
    TestFleet fleet(2, 2);
    fleet.last = 2;
    fleet.offer();
    fleet.hand_in(0, "0 1");
    fleet.tick();
    assay::File::create(fleet.folder.file("late/0.0.db")).write("0 1");
    fleet.known.is_read = false;
    fleet.known.warnings = {"late/0.0.db: cannot be opened; it is looked at again"};
    fleet.executor.withdraw(Withdrawal::Over);
    fleet.tick();
    CHECK(fleet.heard.notes == fleet.known.warnings);
    CHECK(fleet.heard.late.empty());
}
