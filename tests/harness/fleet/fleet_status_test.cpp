#include "harness/fleet/fleet_status.h"

#include <filesystem>
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

TEST_CASE("FleetStatus: a pair counts once, however many batches have it") {
    const TempDir dir;
    const SlurmFolder folder = SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'));
    FleetSpec spec;
    spec.uid = std::string(32, 'a');
    // The part of batch 0 came without pairs 5 to 7, which are batch 2 now.
    spec.stretches = {{0, 0, 8, 8}, {1, 0, 3, 8}, {0, 5, 3, 8}};
    folder.write_spec(spec);
    Claim claim = SurveyedFolder::claim("n1", "played");
    claim.pairs = 5;
    (void)folder.claim(0, claim);
    for (const int batch : {0, 1}) assay::File::create(folder.done_file(batch)).write("x");
    const FleetStatus status = fleet_status(folder, nullptr, kSurveyNow);
    CHECK(status.pairs == 11);
    CHECK(status.pairs_done == 8);
    CHECK(status.hours_left.value_or(0) == doctest::Approx(3 / 5.0 * 5 / 60.0));
    CHECK(status.blocking == 2);
    CHECK(status.blocking_text == "was not begun");
    CHECK(status.batches == 3);
    CHECK(status.done == 2);
    CHECK(status.open == 1);

    // Before the coordinator has seen that pairs lack.
    spec.stretches.pop_back();
    folder.write_spec(spec);
    CHECK(fleet_status(folder, nullptr, kSurveyNow).pairs_done == 8);

    // A batch holds up the first of its pairs, whatever its number; one without pairs nothing.
    spec.stretches = {{1, 0, 3, 8}, {0, 0, 8, 8}, {0, 0, 4, 4}, {0, 4, 4, 4}};
    folder.write_spec(spec);
    std::filesystem::remove(folder.done_file(0));
    std::filesystem::remove(folder.done_file(1));
    const FleetStatus other = fleet_status(folder, nullptr, kSurveyNow);
    CHECK(other.blocking == 2);
    CHECK(other.pairs == 11);
    CHECK(other.open + other.playing == 3);
    CHECK(other.done == 1);
}

TEST_CASE("FleetStatus: a node has the speed and the factor that the folder knows") {
    SurveyedFolder f;
    CHECK_FALSE(fleet_status(f.folder, nullptr, kSurveyNow).nodes.at("n1").speed);
    f.folder.write("speed/n1.0.4", "1000\n");
    f.folder.write("speed/n1.1.4", "2000\n");
    f.folder.write("speed/n10.0.4", "9\n");
    f.folder.write("speed/n2.0.4", "nothing");
    f.folder.write("speed/n1.7.12.reference", "5\n");
    FleetStatus status = fleet_status(f.folder, nullptr, kSurveyNow);
    REQUIRE(status.nodes.at("n1").speed);
    CHECK(status.nodes.at("n1").speed->nps == 2000);
    CHECK(status.nodes.at("n1").speed->factor == 0);
    CHECK_FALSE(status.nodes.at("n2").speed);
    CHECK_FALSE(status.nodes.at("n3").speed);
    f.folder.write("speed/reference", "3000\n");
    CHECK(fleet_status(f.folder, nullptr, kSurveyNow).nodes.at("n1").speed->factor == 1.5);
}

TEST_CASE("FleetStatus: a node has the speed of its newest match, also behind the ninth") {
    const SurveyedFolder f;
    f.folder.write("speed/n1.2.4", "1000\n");
    f.folder.write("speed/n1.10.4", "2000\n");
    f.folder.write("speed/n1.10.16", "3000\n");
    REQUIRE(fleet_status(f.folder, nullptr, kSurveyNow).nodes.at("n1").speed);
    CHECK(fleet_status(f.folder, nullptr, kSurveyNow).nodes.at("n1").speed->nps == 3000);
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
