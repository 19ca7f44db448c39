#include "harness/fleet/fleet_status.h"

#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

using assay::harness::Claim;
using assay::harness::fleet_status;
using assay::harness::FleetSpec;
using assay::harness::FleetStatus;
using assay::harness::SlurmFolder;
using assay::harness::SlurmQueue;
using assay::test::TempDir;

namespace {

constexpr long long kSurveyMinute = 60'000'000;
constexpr long long kSurveyNow = 100 * kSurveyMinute;

/// A run of five batches of two pairs: one is done after a lost attempt, one is played, one waits
/// in the queue, one has failed, one was not begun.
struct SurveyedFolder {
    SurveyedFolder() {
        FleetSpec spec;
        spec.uid = std::string(32, 'a');
        spec.stretches = {{0, 0, 10, 2}};
        folder.write_spec(spec);
        (void)folder.claim(0, claim("n1", ""));
        (void)folder.claim(0, claim("n2", "played"));
        assay::File::create(folder.done_file(0)).write("x");
        (void)folder.claim(1, claim("n1", ""));
        Claim failed = claim("n3", "failed");
        failed.reason = "a could not be started";
        (void)folder.claim(3, failed);
        queue.is_done = true;
        queue.tasks = {{"7", 1, "R", "None", "n1", 1}, {"7", 2, "PD", "Priority", "", 2}};
    }

    static Claim claim(const std::string& node, const std::string& end) {
        Claim claim;
        claim.node = node;
        claim.end = end;
        claim.began_us = kSurveyNow - 2 * kSurveyMinute;
        if (end == "played") {
            claim.ended_us = kSurveyNow - kSurveyMinute;
            claim.pairs = 2;
            claim.time_losses = 1;
        }
        return claim;
    }

    TempDir dir;
    SlurmFolder folder = SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'));
    SlurmQueue queue;
};

}  // namespace

TEST_CASE("FleetStatus: batches, nodes and what holds up the prefix") {
    const SurveyedFolder f;
    const FleetStatus status = fleet_status(f.folder, &f.queue, kSurveyNow);
    CHECK(status.batches == 5);
    CHECK(status.done == 1);
    CHECK(status.playing == 1);
    CHECK(status.queued == 1);
    CHECK(status.open == 2);
    CHECK(status.pairs == 10);
    CHECK(status.pairs_done == 2);
    CHECK(status.blocking == 1);
    CHECK(status.blocking_text == "is played on n1");
    // Two pairs within the last five minutes, and eight are left.
    CHECK(status.hours_left.value_or(0) == doctest::Approx(4 * 5 / 60.0));
    CHECK(status.nodes.at("n1").lost == 1);
    CHECK(status.nodes.at("n1").playing == 1);
    CHECK(status.nodes.at("n2").pairs_per_hour == doctest::Approx(120));
    CHECK(status.nodes.at("n2").time_losses == 1);
    CHECK(status.nodes.at("n3").trouble == "a could not be started");
    CHECK(status.trouble ==
          std::vector<std::string>{"batch 3 failed on n3: a could not be started"});
}

TEST_CASE(
    "FleetStatus: a queue that does not answer is trouble, and one that was not asked is not") {
    const SurveyedFolder f;
    SlurmQueue away;
    away.error = "no contact";
    CHECK(fleet_status(f.folder, &away, kSurveyNow).trouble.front() ==
          "Slurm does not answer: no contact");
    const FleetStatus unasked = fleet_status(f.folder, nullptr, kSurveyNow);
    CHECK(unasked.trouble.size() == 1);
    f.folder.set_stopped(true);
    CHECK(fleet_status(f.folder, nullptr, kSurveyNow).trouble.empty());
}
