// Whatever dies of a cluster, and whenever: all pairs count once, with the games of one machine.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/random.h"
#include "tests/executor/slow_run.h"
#include "tests/support/contains.h"
#include "tests/support/how_many.h"
#include "tests/support/slurm_cluster.h"

using assay::Random;
using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::is_long;
using assay::test::kResume;
using assay::test::processes_with;
using assay::test::SlowRun;
using assay::test::SlurmCluster;
using assay::test::workers_in;

namespace {

enum class Victim { Worker, Stepd, Slurmd, Slurmctld, Coordinator };

std::string name_of(Victim victim) {
    switch (victim) {
        case Victim::Worker:
            return "worker";
        case Victim::Stepd:
            return "slurmstepd";
        case Victim::Slurmd:
            return "slurmd";
        case Victim::Slurmctld:
            return "slurmctld";
        case Victim::Coordinator:
            return "coordinator";
    }
    return "";
}

/// The daemons of the steps of this process's cluster.
std::vector<pid_t> step_daemons() {
    const std::string ours = std::string("SLURM_CONF=") + std::getenv("SLURM_CONF") + '\0';
    std::vector<pid_t> found;
    for (const pid_t pid : processes_with("slurmstepd")) {
        const std::string folder = "/proc/" + std::to_string(pid);
        std::error_code gone;
        const auto program = std::filesystem::read_symlink(folder + "/exe", gone);
        if (!contains(program.filename().string(), "slurmstepd")) continue;
        if (contains(assay::read_start(folder + "/environ", 100'000).value_or(""), ours))
            found.push_back(pid);
    }
    return found;
}

/// A run whose parts are killed at random moments.
class HuntedRun {
public:
    HuntedRun(int pairs, std::uint64_t seed)
        : cluster_(2), run_("slots: 2, batch: 3", pairs), random_(seed) {
        start();
    }

    /// Kills one at a moment of what is written, and mends what an administrator would. False where
    /// there was none at that moment.
    bool kill(Victim victim) {
        if (!coordinator_->is_running()) end_session();
        if (is_over_) return false;
        wait_some();
        switch (victim) {
            case Victim::Worker:
                return kill_one([this] { return workers_in(run_.run_folder()); });
            case Victim::Stepd:
                return kill_one(step_daemons);
            case Victim::Slurmd: {
                const std::string node = random_.below(2) == 0 ? "n1" : "n2";
                const bool is_killed = cluster_.control({"kill-node", node}) == 0;
                wait_some();
                CHECK(cluster_.control({"start-node", node}) == 0);
                return is_killed;
            }
            case Victim::Slurmctld: {
                const bool is_killed = cluster_.control({"kill-ctld"}) == 0;
                wait_some();
                CHECK(cluster_.control({"restart-ctld"}) == 0);
                return is_killed;
            }
            case Victim::Coordinator: {
                coordinator_->signal(SIGKILL);
                const bool is_killed = coordinator_->wait().code == 128 + SIGKILL;
                start();
                return is_killed;
            }
        }
        return false;
    }

    [[nodiscard]] bool is_over() const { return is_over_; }

    /// Plays it to its end, and holds it against one machine.
    void check_end() {
        while (!is_over_) end_session();
        run_.check_end(last_);
    }

private:
    void start() { coordinator_ = std::make_unique<Child>(run_.assay_argv(kResume), run_.root()); }

    void wait_some() {
        std::uint64_t looks = 1 + random_.below(20);
        (void)coordinator_->until([&] { return --looks == 0; });
    }

    /// The first moment at which there is one.
    template <class Find>
    bool kill_one(const Find& find) {
        std::vector<pid_t> some;
        (void)coordinator_->until([&] { return !(some = find()).empty(); });
        return !some.empty() && ::kill(some[random_.below(some.size())], SIGKILL) == 0;
    }

    /// Waits for the coordinator's end. Where chance has hit one batch three times it asks for a
    /// resume.
    void end_session() {
        (void)coordinator_->until([&] {
            // A controller that comes back may hold tasks, and drain nodes whose tasks have one
            // number.
            const std::string nodes = cluster_.ask({"sinfo", "-h", "-t", "drain,down", "-o", "%n"});
            if (!nodes.empty())
                (void)cluster_.ask({"scontrol", "update", "nodename=n1,n2", "state=resume"});
            const std::string jobs = cluster_.ask({"squeue", "-h", "-t", "PD", "-o", "%F %r"});
            if (contains(jobs, "eld"))
                (void)cluster_.ask({"scontrol", "release", jobs.substr(0, jobs.find(' '))});
            return false;
        });
        REQUIRE_FALSE(coordinator_->is_running());  // it came to its end, and not our patience
        last_ = coordinator_->wait();
        is_over_ = !contains(last_.out + last_.err, "times in vain");
        if (!is_over_) start();
    }

    SlurmCluster cluster_;
    SlowRun run_;
    Random random_;
    std::unique_ptr<Child> coordinator_;
    Finished last_;
    bool is_over_ = false;
};

void hunt(const std::vector<Victim>& victims, int kills, int pairs) {
    HuntedRun run(pairs, 20'261'130 + static_cast<std::uint64_t>(victims.front()));
    int killed = 0;
    for (int i = 0; i < kills && !run.is_over(); ++i) {
        for (const Victim victim : victims) {
            CAPTURE(name_of(victim));
            killed += run.kill(victim) ? 1 : 0;
        }
    }
    const std::string others = victims.size() > 1 ? " and others" : "";
    MESSAGE(name_of(victims.front()), others, ": ", killed, " killed");
    CHECK(killed * 4 >= 3 * kills * static_cast<int>(victims.size()));
    run.check_end();
}

}  // namespace

TEST_CASE("Slurm: kills of whatever is part of it, at random moments, change nothing") {
    const std::vector<Victim> all{Victim::Worker, Victim::Slurmd, Victim::Coordinator,
                                  Victim::Slurmctld, Victim::Stepd};
    if (!is_long()) return hunt(all, 1, 30);
    for (const Victim victim : all) hunt({victim}, 20, 240);
}
