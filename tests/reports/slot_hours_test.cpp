#include <string>

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include "reports/files/run_json.h"
#include "reports/text/markdown.h"
#include "reports/text/match/match_summary.h"
#include "reports/view/machine_rows.h"
#include "tests/reports/sample_run.h"
#include "tests/support/contains.h"
#include "tests/support/sample_tally.h"

using namespace assay;           // NOLINT(google-build-using-namespace): the folder under test
using namespace assay::harness;  // NOLINT(google-build-using-namespace): its records
using test::contains;

namespace {

constexpr long long kHourUs = 3'600'000'000;

PairDigest pair_of_hours(std::int64_t number, PairState state, int hours) {
    PairDigest pair = test::pair_of(number, 2, 0);
    pair.state = state;
    pair.games[0].moves_hash = static_cast<std::uint64_t>(number);
    for (GameDigest& game : pair.games) game.used_us = hours * kHourUs / 2;
    return pair;
}

}  // namespace

TEST_CASE("Machines: every report tells the slot-hours that counted, and those in vain") {
    RunRecord run = test::report_run();
    MatchTally tally(run.plan.matches[0]);
    tally.add(pair_of_hours(0, PairState::Counted, 4));
    CHECK_FALSE(reports::slot_hours(tally, run).has_value());  // this machine alone
    run.findings.fleet = "/shared/me/fleet/aa";
    run.machine.slots = 8;
    tally.add(pair_of_hours(1, PairState::Counted, 2));
    tally.add(pair_of_hours(2, PairState::AfterStop, 3));
    tally.add(pair_of_hours(3, PairState::Late, 5));
    tally.add(pair_of_hours(4, PairState::Void, 7));
    AttemptRecord lost;
    lost.claimed_us = kHourUs;
    lost.ended_us = kHourUs + kHourUs / 4;
    for (lost.pair = 5; lost.pair < 9; ++lost.pair) tally.add_attempt(lost);  // of one claim
    const auto hours = reports::slot_hours(tally, run);
    REQUIRE(hours.has_value());
    CHECK(hours->counted == doctest::Approx(6));
    CHECK(hours->after_stop == doctest::Approx(3));
    CHECK(hours->late == doctest::Approx(5));
    CHECK(hours->lost == doctest::Approx(2));
    const std::string text =
        "slot-hours: 6:00 h counted, 3:00 h behind the verdict, 5:00 h late, 2:00 h lost";
    CHECK(reports::slot_hours_text(tally, run) == text);
    const reports::RunView view{run, {{&tally, {}}}, {}, "assay.db"};
    CHECK(contains(reports::match_summary(view, 0, false), "  " + text + "\n"));
    CHECK(contains(reports::markdown_report(view), text));
    const auto json = boost::json::parse(reports::run_json(view)).at("slot_hours");
    CHECK(json.at("counted").to_number<double>() == doctest::Approx(6));
    CHECK(json.at("lost").to_number<double>() == doctest::Approx(2));
}
