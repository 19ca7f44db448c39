#include "harness/executor/slurm_executor.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/support/temp_dir.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test
using assay::test::TempDir;

namespace {

/// Hears what an executor tells, and counts the pairs that come.
class HeardOfFleet final : public ExecutorEvents {
public:
    void on_game_started(const GameStarted&) override {}

    bool on_game(GameRecord, bool) override { return true; }

    bool may_void(std::int64_t, int) override { return false; }

    void on_idle() override {}

    void on_trouble(const Trouble&) override {}

    void on_started(Participant, const assay::adapters::Identity&) override {}

    void on_play_warning(Participant, std::string_view, std::string) override {}

    void on_fault_between_games(Participant, bool, const std::string&) override {}

    void on_hang(Participant) override {}

    void on_late(Participant) override {}

    void on_part(std::size_t, std::vector<PairDigest> pairs, std::vector<GameRecord>) override {
        for (const PairDigest& pair : pairs) ++counted[pair.pair];
    }

    void on_fleet_note(std::string_view, std::string text) override { notes.push_back(text); }

    std::map<std::int64_t, int> counted;
    std::vector<std::string> notes;
};

/// Workers are this test: a part is a file that names its pairs.
struct TestFleet {
    explicit TestFleet(std::int64_t pairs, std::int64_t batch)
        : folder(SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'))),
          executor(setup(pairs, batch)) {
        executor.start(heard, now);
    }

    SlurmExecutor::Setup setup(std::int64_t pairs, std::int64_t batch) {
        SlurmPlan plan;
        plan.slots = 1;
        plan.submits = false;
        FleetSpec spec;
        spec.uid = std::string(32, 'a');
        spec.stretches = {{0, 0, pairs, batch}};
        folder.write_spec(spec);
        const auto take = [](const std::string& file, const Shard::Window&) {
            SlurmExecutor::Taken taken;
            std::string text = assay::read_start(file, 1000).value_or("");
            if (text == "damaged") {
                taken.refusal = "damaged";
                std::filesystem::remove(file);
            }
            for (std::string_view rest = text; taken.refusal.empty() && !rest.empty();) {
                PairDigest pair;
                pair.pair = std::stoll(std::string(assay::take_word(rest)));
                taken.pairs.push_back(pair);
            }
            return taken;
        };
        return {plan, folder, spec, SlurmSubmitter(plan, spec.uid, folder.path(), ""),
                0,    batch,  take};
    }

    /// Offers pairs from `next` on, as many as are wanted.
    void offer() {
        while (executor.appetite() > 0 && next < last) {
            Encounter encounter;
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
        assay::File::create(dir.path("part")).write(text);
        (void)folder.hand_in(batch, folder.claim(batch, {}), dir.path("part"));
    }

    TempDir dir;
    SlurmFolder folder;
    HeardOfFleet heard;
    SlurmExecutor executor;
    assay::TimePoint now{};
    std::int64_t next = 0;
    std::int64_t last = 1000;
};

}  // namespace

TEST_CASE("SlurmExecutor: three batches a slot are offered, whole, and more as parts come") {
    TestFleet fleet(100, 4);
    fleet.offer();
    CHECK(fleet.next == 12);
    fleet.hand_in(1, "4 5 6 7");
    fleet.tick();
    CHECK(fleet.heard.counted.size() == 4);
    fleet.offer();
    CHECK(fleet.next == 16);
    CHECK_FALSE(fleet.executor.is_idle());
}

TEST_CASE("SlurmExecutor: pairs that a part lacks become a batch of their own") {
    TestFleet fleet(8, 4);
    fleet.last = 8;
    fleet.offer();
    fleet.hand_in(0, "0 2");
    fleet.tick();
    fleet.tick();
    const FleetSpec spec = fleet.folder.spec();
    REQUIRE(spec.stretches.size() == 3);
    CHECK(spec.window_of(2) == Shard::Window{0, 1, 1});
    CHECK(spec.window_of(3) == Shard::Window{0, 3, 1});
    for (const auto& [batch, text] : {std::pair{2, "1"}, {3, "3"}, {1, "4 5 6 7"}})
        fleet.hand_in(batch, text);
    fleet.tick();
    CHECK(fleet.executor.is_idle());
    CHECK(fleet.heard.counted.size() == 8);
    for (const auto& [pair, count] : fleet.heard.counted) CHECK(count == 1);
}

TEST_CASE("SlurmExecutor: pairs behind the plan's, which replace duplicates, get batches") {
    TestFleet fleet(4, 4);
    fleet.next = 4;
    fleet.last = 6;
    fleet.offer();
    CHECK(fleet.folder.spec().window_of(1) == Shard::Window{0, 4, 2});
    // A later session finds that batch again and adds none.
    TestFleet other(4, 4);
    other.next = 2;
    other.last = 4;
    other.offer();
    CHECK(other.folder.spec().window_of(1) == Shard::Window{0, 2, 2});
}

TEST_CASE("SlurmExecutor: a damaged part is told, and its batch is waited for again") {
    TestFleet fleet(4, 4);
    fleet.last = 4;
    fleet.offer();
    fleet.hand_in(0, "damaged");
    fleet.tick();
    CHECK(fleet.heard.notes == std::vector<std::string>{"damaged"});
    CHECK_FALSE(fleet.executor.is_idle());
    fleet.hand_in(0, "0 1 2 3");
    fleet.tick();
    CHECK(fleet.executor.is_idle());
}

TEST_CASE(
    "SlurmExecutor: at the end workers are stopped and late parts taken; a pause leaves both") {
    for (const Withdrawal why : {Withdrawal::Over, Withdrawal::Paused}) {
        TestFleet fleet(4, 2);
        fleet.last = 4;
        fleet.offer();
        fleet.executor.withdraw(why);
        fleet.hand_in(1, "2 3");
        CHECK_FALSE(fleet.executor.is_settled());
        fleet.tick();
        CHECK(fleet.executor.is_settled());
        CHECK(fleet.folder.is_stopped() == (why == Withdrawal::Over));
        CHECK(fleet.heard.counted.size() == (why == Withdrawal::Over ? 2U : 0U));
    }
}
