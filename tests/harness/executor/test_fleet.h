#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/executor/slurm_executor.h"
#include "tests/support/temp_dir.h"

namespace assay::test {

/// Hears what an executor tells, and counts the pairs that come.
class HeardOfFleet final : public harness::ExecutorEvents {
public:
    void on_game_started(const harness::GameStarted&) override {}

    bool on_game(harness::GameRecord, bool) override { return true; }

    bool may_void(std::int64_t, int) override { return false; }

    void on_idle() override {}

    void on_trouble(const harness::Trouble& trouble) override { troubles.push_back(trouble); }

    void on_started(harness::Participant, const adapters::Identity&) override {}

    void on_play_warning(harness::Participant, std::string_view, std::string) override {}

    void on_fault_between_games(harness::Participant, bool, const std::string&) override {}

    void on_hang(harness::Participant) override {}

    void on_late(harness::Participant) override {}

    void on_part(std::size_t, std::vector<harness::PairDigest> pairs,
                 std::vector<harness::GameRecord>) override {
        for (const harness::PairDigest& pair : pairs)
            ++(harness::is_replaced(pair.state) ? late : counted)[pair.pair];
    }

    void on_fleet_note(std::string_view, std::string text) override { notes.push_back(text); }

    void on_faults_elsewhere(std::size_t,
                             const std::vector<harness::FaultsBetweenGames>& more) override {
        for (const harness::FaultsBetweenGames& fault : more) crashes += fault.crashes;
    }

    std::map<std::int64_t, int> counted;
    std::map<std::int64_t, int> late;
    std::vector<harness::Trouble> troubles;
    std::vector<std::string> notes;
    std::int64_t crashes = 0;  // between games
};

/// Workers are this test: a part is a file that names its pairs, each with as many plies as its
/// number.
struct TestFleet {
    explicit TestFleet(std::int64_t pairs, std::int64_t batch, bool submits = false)
        : folder(harness::SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'))),
          executor(setup(pairs, batch, submits)) {
        executor.start(heard, now);
    }

    harness::SlurmExecutor::Setup setup(std::int64_t pairs, std::int64_t batch, bool submits) {
        harness::SlurmPlan plan;
        plan.slots = submits ? 2 : 1;
        plan.submits = submits;
        if (!submits) plan.check = Micros{1'000'000};
        harness::FleetSpec spec;
        spec.uid = std::string(32, 'a');
        spec.stretches = {{0, 0, pairs, batch}, {1, 0, 2, 2}};
        folder.write_spec(spec);
        const auto take = [this](const std::string& file, const harness::Shard::Window&,
                                 bool is_late) {
            harness::TakenPart taken = known;
            std::string text = read_start(file, 1000).value_or("");
            if (text == "damaged") {
                taken.refusal = "damaged";
                std::filesystem::remove(file);
            }
            for (std::string_view rest = text; taken.refusal.empty() && !rest.empty();) {
                harness::PairDigest pair;
                pair.pair = std::stoll(std::string(take_word(rest)));
                pair.games[0].plies = static_cast<int>(pair.pair);
                if (is_late) pair.state = harness::PairState::Late;
                taken.pairs.push_back(pair);
            }
            return taken;
        };
        return {plan, folder, spec, harness::SlurmSubmitter(plan, spec.uid, folder.path(), ""),
                0,    batch,  take};
    }

    /// Offers pairs from `next` on, as many as are wanted.
    void offer() {
        while (executor.appetite() > 0 && next < last) {
            harness::Encounter encounter;
            encounter.pair = next++;
            executor.offer(encounter);
        }
        tick();
    }

    void tick() {
        now += std::chrono::seconds(2);
        executor.tick(now);
    }

    void hand_in(std::int64_t batch, const std::string& text) {
        File::create(dir.path("part")).write(text);
        (void)folder.hand_in(batch, folder.claim(batch, {}), dir.path("part"));
    }

    TempDir dir;
    harness::TakenPart known;  // what all parts say beside their pairs
    harness::SlurmFolder folder;
    HeardOfFleet heard;
    harness::SlurmExecutor executor;
    TimePoint now{};
    std::int64_t next = 0;
    std::int64_t last = 1000;
};

}  // namespace assay::test
