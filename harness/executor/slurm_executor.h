#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/executor/executor.h"
#include "harness/executor/fleet_spec.h"
#include "harness/executor/folder/coordinator_lock.h"
#include "harness/executor/folder/taken_part.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/plan/fleet_plan.h"

namespace assay::harness {

/// Plays the pairs of one match by tasks of Slurm: divides them into batches, submits these as
/// arrays, and takes the parts that come into the folder. Slurm's word on its tasks is advice; what
/// counts is what is in the folder. May die at any moment: the next one finds parts in the folder
/// and tasks in the queue. One thread; commands of Slurm run on another one.
class SlurmExecutor final : public Executor {
public:
    struct Setup {
        SlurmPlan plan;
        SlurmFolder folder;
        FleetSpec spec;  // as it is in the folder
        SlurmSubmitter submitter;
        std::size_t match = 0;
        std::int64_t batch_pairs = 1;  // of stretches to come
        /// Takes a part with pairs of this window into the store, or out of the folder with a
        /// reason. With `is_late` none of its pairs counts.
        std::function<TakenPart(const std::string& file, const Shard::Window& window, bool is_late)>
            take;
        /// Writes what became of the claims of a batch, the first of which has number `first` among
        /// all claims of its pairs; `is_over`: no more will come of them.
        std::function<void(const Shard::Window& window, int first, const std::vector<Claim>& claims,
                           bool is_over)>
            note_claims{};
        std::shared_ptr<CoordinatorLock> lock{};  // of the folder; null: none
    };

    explicit SlurmExecutor(Setup setup);
    SlurmExecutor(const SlurmExecutor&) = delete;
    SlurmExecutor& operator=(const SlurmExecutor&) = delete;
    ~SlurmExecutor() override;

    void start(ExecutorEvents& events, TimePoint now) override;
    [[nodiscard]] int appetite() const override;
    void offer(const Encounter& encounter) override;

    void rest() override {}

    void withdraw(Withdrawal why) override;
    void hurry(TimePoint now, Micros grace) override;
    void tick(TimePoint now) override;
    [[nodiscard]] bool is_idle() const override;
    [[nodiscard]] bool is_settled() const override;

    void show_games(std::size_t /*most*/, LiveState& /*state*/) const override {}

    /// Of the workers whose parts were taken: means, weighted by plies, and the largest delay.
    [[nodiscard]] DelayRecord delays() const override { return delay_; }

private:
    static constexpr Micros kLookEvery{1'000'000};
    static constexpr std::size_t kMostSubmissions = 3;

    enum class State : std::uint8_t { Wanted, Submitted };

    struct Batch {
        State state = State::Wanted;
        std::size_t submissions = 0;
        int rounds_missing = 0;         // that squeue has not known it in a row
        std::size_t failed = 0;         // of its claims, as far as was told
        std::size_t failed_before = 0;  // of these, in earlier sessions
        std::string log;                // the name of what its last task said
    };

    /// What a command of Slurm is asked for, on the other thread.
    enum class Call : std::uint8_t { Queue, Submit, Cancel };

    void divide_offered();
    void add_batch(std::int64_t number);
    [[nodiscard]] int next_claim(std::int64_t first, std::int64_t pairs) const;
    void take_done();
    bool take(std::int64_t number);
    void note_part(const TakenPart& taken);
    void tell_warnings(const TakenPart& taken);
    void take_late();
    void note_claims(std::int64_t number, bool is_over);
    void note_all_claims(bool is_over);
    void look(TimePoint now);
    void on_folder_error(const std::string& error);
    void leave_to_other(const std::string& why);
    void watch_claims();
    bool note_failed(const Claim& claim);
    void end_wait(const std::string& why);
    void wait_for_tasks(TimePoint now, const std::map<std::int64_t, const SlurmTask*>& live);
    void on_submitted();
    void on_too_many(TimePoint now, const SlurmAnswer& answer);
    void take_late_parts();
    void submit(TimePoint now);
    void call_slurm(TimePoint now);
    void on_answer(TimePoint now);
    void on_queue(TimePoint now, const SlurmQueue& queue);
    void tell_if_waiting(const std::map<std::int64_t, const SlurmTask*>& live);
    void on_missing(std::int64_t number);
    [[nodiscard]] std::string why_without_word(const std::vector<Claim>& claims) const;
    void give_up(std::int64_t number, const std::string& why);
    void refuse(const std::string& error);
    void end_by(const Claim& claim);
    [[nodiscard]] std::vector<std::int64_t> to_submit() const;

    [[nodiscard]] std::int64_t window() const { return 3 * std::int64_t{setup_.plan.slots}; }

    Setup setup_;
    ExecutorEvents* events_ = nullptr;
    std::map<std::int64_t, Batch> batches_;           // of which no part has come
    std::vector<std::int64_t> offered_;               // pairs of no batch yet
    std::int64_t open_until_ = -1;                    // the last pair of the batch that is offered
    std::set<std::string> excluded_;                  // nodes where tasks failed
    std::map<int, std::set<std::string>> failed_on_;  // by program: nodes where it fails
    std::set<std::string> late_seen_;                 // names of late parts that were taken
    std::set<std::string> warnings_told_;             // of parts
    DelayRecord delay_;
    std::int64_t plies_ = 0;               // that delay_ is of
    std::optional<Claim> failed_program_;  // the last such failure
    Call calling_ = Call::Queue;
    std::vector<std::int64_t> submitting_;
    std::optional<std::int64_t> most_at_once_;
    TimePoint next_queue_{};
    TimePoint next_submit_{};
    TimePoint next_look_{};
    TimePoint next_beat_{};
    bool knows_queue_ = false;  // a queue was seen after the last submission of unknown outcome
    bool is_away_told_ = false;
    bool is_limit_told_ = false;
    std::set<std::string> reasons_told_;          // why tasks wait
    int rounds_waiting_ = 0;                      // in a row in which no task ran
    std::optional<std::int64_t> most_submitted_;  // in one array, where the site takes no more
    std::optional<TimePoint> waits_until_;        // for tasks, once it was withdrawn
    std::optional<Withdrawal> withdrawn_;
    bool is_cancelled_ = false;
    bool is_settled_ = false;
    std::optional<std::future<SlurmQueue>> answer_;  // of `calling_`; last, so that it ends first
};

/// Pairs of a task, where the plan leaves it open: as many as take three minutes.
[[nodiscard]] std::int64_t pairs_of_task(const SlurmPlan& plan, const MatchPlan& match,
                                         int games_of_task);

}  // namespace assay::harness
