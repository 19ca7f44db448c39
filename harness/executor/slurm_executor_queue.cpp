// What the executor of a fleet asks of Slurm, one command at a time on another thread, and what it
// makes of the answers. No answer of Slurm's decides on games.
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/executor/slurm_executor.h"

namespace assay::harness {

namespace {

constexpr int kRoundsMissing = 2;
/// After so many looks at the queue without a task that runs, the reason is told.
constexpr int kRoundsWaiting = 4;

}  // namespace

std::vector<std::int64_t> SlurmExecutor::to_submit() const {
    const std::int64_t slots = setup_.plan.slots;
    const std::int64_t more = slots / 8;
    std::int64_t room = slots + more;
    for (const auto& [number, batch] : batches_) room -= batch.state == State::Submitted ? 1 : 0;
    // Not an array for each task that ends.
    if (room < std::max<std::int64_t>(1, more)) return {};
    if (most_submitted_) room = std::min(room, *most_submitted_);
    std::vector<std::int64_t> wanted;
    for (const auto& [number, batch] : batches_) {
        if (batch.state != State::Wanted || std::ssize(wanted) >= room) continue;
        const bool fits = wanted.empty() || number - wanted.front() < most_at_once_.value_or(1);
        if (fits) wanted.push_back(number);
    }
    return wanted;
}

void SlurmExecutor::submit(TimePoint now) {
    submitting_ = to_submit();
    if (submitting_.empty()) return;
    next_submit_ = now + std::min(kLookEvery, setup_.plan.check);
    calling_ = Call::Submit;
    answer_ = std::async(std::launch::async,
                         [this, batches = submitting_,
                          excluded = std::vector<std::string>(excluded_.begin(), excluded_.end())] {
                             SlurmQueue answer;
                             static_cast<SlurmAnswer&>(answer) =
                                 setup_.submitter.submit(batches, excluded);
                             return answer;
                         });
}

/// One command at a time.
void SlurmExecutor::call_slurm(TimePoint now) {
    if (answer_ || !setup_.plan.submits || is_settled_) return;
    if (withdrawn_ && !is_cancelled_) {
        calling_ = Call::Cancel;
        answer_ =
            std::async(std::launch::async, [this, is_pause = withdrawn_ == Withdrawal::Paused] {
                SlurmQueue answer;
                static_cast<SlurmAnswer&>(answer) = setup_.submitter.cancel(is_pause);
                return answer;
            });
    } else if (!withdrawn_ && knows_queue_ && now >= next_submit_ && !to_submit().empty()) {
        submit(now);
    } else if (now >= next_queue_ && (withdrawn_ || !batches_.empty())) {
        next_queue_ = now + setup_.plan.check;
        calling_ = Call::Queue;
        answer_ = std::async(std::launch::async, [this] {
            if (!most_at_once_) most_at_once_ = setup_.submitter.most_at_once();
            return setup_.submitter.queue();
        });
    }
}

void SlurmExecutor::on_answer(TimePoint now) {
    if (!answer_ || answer_->wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    const SlurmQueue answer = answer_->get();
    answer_.reset();
    const bool is_away = !answer.is_done && answer.may_pass && !is_too_many(answer.error);
    if (is_away && !std::exchange(is_away_told_, true))
        events_->on_fleet_note("slurm",
                               fmt::format("Slurm does not answer ({}); it is asked again, and "
                                           "what tasks have played counts meanwhile",
                                           answer.error));
    if (answer.is_done) is_away_told_ = false;
    if (calling_ == Call::Queue) {
        if (answer.is_done) return on_queue(now, answer);
        if (answer.may_pass) return;
        if (withdrawn_) return end_wait(answer.error);
        events_->on_trouble({Trouble::Kind::FleetFailed, std::nullopt,
                             fmt::format("Slurm does not tell of the tasks: {}", answer.error),
                             false});
    } else if (calling_ == Call::Cancel) {
        // Of a pause there is one try: the user waits for its end.
        is_cancelled_ = answer.is_done || !answer.may_pass || withdrawn_ == Withdrawal::Paused;
        next_queue_ = now;
        if (withdrawn_ == Withdrawal::Paused) is_settled_ = true;
    } else if (answer.is_done) {
        on_submitted();
    } else if (is_too_many(answer.error)) {
        on_too_many(now, answer);
    } else if (answer.may_pass) {
        knows_queue_ = false;  // it may have been accepted
        next_queue_ = now + setup_.plan.check;
    } else if (!withdrawn_) {
        refuse(answer.error);
    }
}

void SlurmExecutor::on_submitted() {
    if (most_submitted_) *most_submitted_ *= 2;
    for (const std::int64_t number : submitting_) {
        const auto found = batches_.find(number);
        if (found == batches_.end()) continue;
        found->second.state = State::Submitted;
        ++found->second.submissions;
        found->second.rounds_missing = 0;
    }
}

/// A site may take fewer tasks than there are slots, and says so only by a refusal.
void SlurmExecutor::on_too_many(TimePoint now, const SlurmAnswer& answer) {
    most_submitted_ = std::max<std::int64_t>(1, std::ssize(submitting_) / 2);
    if (submitting_.size() == 1) {
        if (!answer.may_pass) return refuse(answer.error);
        next_submit_ = now + setup_.plan.check;
    }
    if (std::exchange(is_limit_told_, true)) return;
    events_->on_fleet_note(
        "slurm", fmt::format("Slurm takes no {} more of this run's tasks at once ({}): fewer are "
                             "submitted, as tasks end",
                             submitting_.size(), answer.error));
}

/// Slurm does not take the tasks, and will not.
void SlurmExecutor::refuse(const std::string& error) {
    if (failed_program_ && !excluded_.empty()) return end_by(*failed_program_);
    std::string nodes;
    for (const std::string& node : excluded_) nodes += (nodes.empty() ? "" : ", ") + node;
    events_->on_trouble(
        {Trouble::Kind::FleetFailed, std::nullopt,
         fmt::format("Slurm refused the tasks: {}{}", error,
                     nodes.empty()
                         ? ""
                         : fmt::format(" (none was to go to {}, where tasks failed)", nodes)),
         false});
}

void SlurmExecutor::on_queue(TimePoint now, const SlurmQueue& queue) {
    std::map<std::int64_t, const SlurmTask*> live;
    for (const SlurmTask& task : queue.tasks) {
        if (task.is_live()) live[task.batch] = &task;
        const auto found = batches_.find(task.batch);
        if (found != batches_.end())
            found->second.log = fmt::format("{}_{}.out", task.job, task.index);
    }
    if (withdrawn_) return wait_for_tasks(now, live);
    tell_if_waiting(live);
    knows_queue_ = true;
    take_done();  // what ended before its task left the queue
    std::vector<std::int64_t> gone;
    for (auto& [number, batch] : batches_) {
        if (live.contains(number)) {
            batch.state = State::Submitted;
            batch.rounds_missing = 0;
        } else if (batch.state == State::Submitted && ++batch.rounds_missing >= kRoundsMissing) {
            gone.push_back(number);
        }
    }
    for (const std::int64_t number : gone)
        if (!withdrawn_) on_missing(number);
    if (!withdrawn_) take_late_parts();
}

/// The run is over for us: tasks are ending, or have ended but for what the site does behind them.
void SlurmExecutor::wait_for_tasks(TimePoint now,
                                   const std::map<std::int64_t, const SlurmTask*>& live) {
    std::set<std::string> jobs;
    std::size_t left = 0;
    for (const auto& [number, task] : live) {
        const std::vector<Claim> claims = setup_.folder.claims(number);
        if (task->state == "CG" && !claims.empty() && !claims.back().end.empty()) continue;
        ++left;
        jobs.insert(task->job);
    }
    if (left == 0) return take_late();
    if (!waits_until_ || now < *waits_until_) return;
    std::string words;
    for (const std::string& job : jobs) words += " " + job;
    end_wait(fmt::format("{} in the queue: 'scancel{}' ends them", counted(left, "task"), words));
}

/// What is decided stays so.
void SlurmExecutor::end_wait(const std::string& why) {
    events_->on_fleet_note("slurm", fmt::format("Slurm's tasks are not waited for: {}", why));
    take_late();
}

/// Why none of the tasks runs. A controller that died at the wrong moment may come back and hold
/// tasks, and drain nodes. Whoever did it, only who may administrate can undo it.
void SlurmExecutor::tell_if_waiting(const std::map<std::int64_t, const SlurmTask*>& live) {
    const SlurmTask* waiting = nullptr;
    bool one_runs = false;
    for (const auto& [number, task] : live) {
        if (task->state != "PD") {
            one_runs = true;
        } else if (waiting == nullptr || task->reason.find("Held") != std::string::npos) {
            waiting = task;
        }
    }
    const bool is_held = waiting != nullptr && waiting->reason.find("Held") != std::string::npos;
    rounds_waiting_ = one_runs || waiting == nullptr ? 0 : rounds_waiting_ + 1;
    if (waiting == nullptr || (!is_held && rounds_waiting_ < kRoundsWaiting)) return;
    if (!reasons_told_.insert(waiting->reason).second) return;
    events_->on_fleet_note(
        "slurm",
        is_held ? fmt::format("tasks wait because Slurm holds them ({}): 'scontrol release {}' "
                              "lets them go on",
                              waiting->reason, waiting->job)
                : fmt::format("no task runs, since Slurm lets them wait ({}): 'scontrol show job "
                              "{}' says more",
                              waiting->reason, waiting->job));
}

}  // namespace assay::harness
