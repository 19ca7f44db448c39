#include "harness/executor/slurm_submitter.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using assay::harness::array_text;
using assay::harness::is_passing;
using assay::harness::is_too_many;
using assay::harness::slurm_tasks_of;
using assay::harness::SlurmPlan;
using assay::harness::SlurmSubmitter;
using assay::harness::SlurmTask;

namespace {

const std::string kUidOfRun = "0123456789abcdef0123456789abcdef";

}  // namespace

TEST_CASE("SlurmSubmitter: an array is described by offsets from its first batch") {
    CHECK(array_text({5}) == "0");
    CHECK(array_text({5, 6, 7}) == "0-2");
    CHECK(array_text({5, 7, 8, 12}) == "0,2-3,7");
}

TEST_CASE("SlurmSubmitter: the words of a submission stay words, whatever is in them") {
    SlurmPlan plan;
    plan.slots = 3;
    plan.cpus = 8;
    plan.partition = "a b";
    plan.options = {"--account=x y"};
    const SlurmSubmitter submitter(plan, kUidOfRun, "/f", "/bin/assay");
    const std::vector<std::string> words = submitter.sbatch_words({5, 6}, {"n1", "n2"});
    for (const char* word : {"--array=0-1%3", "--job-name=assay-01234567",
                             "--comment=0123456789abcdef0123456789abcdef:5", "--cpus-per-task=8",
                             "--time=0:30:00", "--signal=B:TERM@90", "--partition=a b",
                             "--account=x y", "--exclude=n1,n2", "--requeue", "--export=ALL"}) {
        CAPTURE(word);
        CHECK(std::ranges::find(words, word) != words.end());
    }
    const std::vector<std::string> task(words.end() - 6, words.end());
    CHECK(task ==
          std::vector<std::string>{"/f/task.sh", "/bin/assay", "work", "--batch", "/f", "5"});
    plan.time = std::chrono::minutes(1);
    const auto shorter = SlurmSubmitter(plan, kUidOfRun, "/f", "/bin/assay").sbatch_words({0}, {});
    CHECK(std::ranges::find(shorter, "--signal=B:TERM@15") != shorter.end());
    CHECK(std::ranges::none_of(shorter, [](const auto& w) { return w.starts_with("--exclude"); }));
}

TEST_CASE("SlurmSubmitter: tasks are known by the comment of their job, and nothing else") {
    const std::vector<SlurmTask> tasks = slurm_tasks_of(
        "12|3|R|None|n1|" + kUidOfRun + ":40\n12|4|PD|Priority||" + kUidOfRun +
            ":40\n13|0|CD|None|n2|" + kUidOfRun + ":7\n14|0|R|None|n1|other:1\n" +
            "15|N/A|R|None|n1|" + kUidOfRun + ":1\nnonsense\n\n16|0|R|None|n1|(null)\n",
        kUidOfRun);
    REQUIRE(tasks.size() == 3);
    CHECK(tasks[0].batch == 43);
    CHECK(tasks[0].job == "12");
    CHECK(tasks[0].index == 3);
    CHECK(tasks[0].node == "n1");
    CHECK(tasks[0].is_live());
    CHECK(tasks[1].is_live());
    CHECK(tasks[2].batch == 7);
    CHECK_FALSE(tasks[2].is_live());
}

TEST_CASE("SlurmSubmitter: a controller that is away is waited for, a wrong partition is not") {
    CHECK(
        is_passing("slurm_load_jobs error: Unable to contact slurm controller (connect failure)"));
    CHECK(is_passing("sbatch: error: Batch job submission failed: Socket timed out on send/recv"));
    CHECK(is_passing("sbatch: error: AssocMaxSubmitJobLimit"));
    CHECK(is_passing("sbatch: error: Batch job submission failed: Unexpected message received"));
    CHECK(is_passing("slurm_load_jobs error: Message receive failure"));
    // What Slurm 22.05 says where its controller is killed at that moment.
    CHECK(
        is_passing("sbatch: error: Batch job submission failed: Unexpected missing socket error"));
    CHECK(is_passing("slurm_load_jobs error: Transport endpoint is not connected"));
    CHECK_FALSE(is_passing("sbatch: error: invalid partition specified: nope"));
    CHECK(is_too_many("sbatch: error: AssocMaxSubmitJobLimit"));
    CHECK(is_too_many("Batch job submission failed: Invalid job array specification"));
    CHECK_FALSE(is_too_many("sbatch: error: invalid partition specified: nope"));
}
