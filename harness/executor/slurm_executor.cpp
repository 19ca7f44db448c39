// A cluster gives no promise on a task: it may begin late, twice, or never end. So the only
// questions asked are these. Is the part of a batch in the folder? Then it is taken, whoever played
// it. If not: does Slurm know a task for it? Then it is waited for. If twice in a row it does not,
// the task is gone: the batch is submitted again, three times at most, and what its claims say of
// the failures decides who is to blame.
//
// No number of a job is remembered. Tasks are known by the name and the comment of their job, which
// is "uid:first batch", so a coordinator that was killed between a submission and its answer finds
// them again, and one that gets no answer asks for the queue before it submits anything.
//
// Batches are offered in schedule order, and at most three for each slot are without a part. Of
// these no more than a task for each slot, and an eighth more, are known to Slurm: an array has its
// own limit of tasks at once, which several arrays would exceed together, and what waits in the
// queue at the decision is in vain. A part is seen within a second, so slots seldom wait.
#include "harness/executor/slurm_executor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/match/budget.h"
#include "harness/store/store.h"

namespace assay::harness {

namespace {

constexpr Micros kLookEvery{1'000'000};
constexpr std::size_t kMostSubmissions = 3;
constexpr int kRoundsMissing = 2;
constexpr double kSecondsOfTask = 180;
/// Where no clock says how long a game takes: some pairs, so that a dispatch is worth it.
constexpr std::int64_t kPairsWithoutClock = 8;
/// Once nothing more is to be played, tasks are waited for no longer.
constexpr Micros kMostWait{60'000'000};
/// After so many looks at the queue without a task that runs, the reason is told.
constexpr int kRoundsWaiting = 4;
constexpr std::size_t kMostLastWords = std::size_t{64} << 10U;

/// The last line of what a task said; empty where it said nothing.
std::string last_words_in(const std::string& path) {
    const auto text = read_start(path, kMostLastWords);
    if (!text) return "";
    const std::string_view lines = trim(*text);
    return printable_utf8(lines.substr(lines.rfind('\n') + 1));
}

}  // namespace

std::int64_t pairs_of_task(const SlurmPlan& plan, const MatchPlan& match, int games_of_task) {
    if (plan.batch) return *plan.batch;
    const auto game = seconds_a_game(match);
    if (!game) return std::min<std::int64_t>(kMostPairsOfTask, kPairsWithoutClock * games_of_task);
    const double pairs = kSecondsOfTask * games_of_task / (2 * std::max(*game, 1e-3));
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::lround(pairs)), 1,
                                    kMostPairsOfTask);
}

SlurmExecutor::SlurmExecutor(Setup setup) : setup_(std::move(setup)) {}

SlurmExecutor::~SlurmExecutor() = default;

void SlurmExecutor::start(ExecutorEvents& events, TimePoint now) {
    events_ = &events;
    setup_.folder.set_stopped(false);
    knows_queue_ = !setup_.plan.submits;
    next_queue_ = now;
    next_submit_ = now;
    next_look_ = now;
    // A coordinator that died may have taken a part without a word on its claims.
    note_all_claims(false);
}

int SlurmExecutor::appetite() const {
    if (withdrawn_) return 0;
    if (open_until_ >= 0) return 1;  // a batch is offered as a whole
    const auto offered = static_cast<std::int64_t>(offered_.size());
    const std::int64_t begun = std::ssize(batches_) + offered / setup_.batch_pairs;
    return begun < window() ? 1 : 0;
}

void SlurmExecutor::offer(const Encounter& encounter) {
    // The game of a pair that an earlier session has begun here is played again with the other.
    offered_.push_back(encounter.pair);
    open_until_ = -1;
    for (const std::int64_t batch : setup_.spec.batches_of(setup_.match, encounter.pair)) {
        const Shard::Window window = *setup_.spec.window_of(batch);
        const std::int64_t last = window.first + window.pairs - 1;
        if (encounter.pair < last) open_until_ = last;
    }
}

/// Finds a batch for each pair that was offered, the newest that has no other pairs; what is left
/// becomes new batches. Pairs are left where a part came without them, or where others of their
/// batch were played elsewhere.
void SlurmExecutor::divide_offered() {
    open_until_ = -1;
    if (offered_.empty()) return;
    std::set<std::int64_t> left(offered_.begin(), offered_.end());
    offered_.clear();
    const auto has_all = [&left](const Shard::Window& window) {
        for (std::int64_t pair = window.first; pair < window.first + window.pairs; ++pair)
            if (!left.contains(pair)) return false;
        return true;
    };
    std::vector<std::int64_t> without;
    while (!left.empty()) {
        const std::int64_t pair = *left.begin();
        bool is_found = false;
        for (const std::int64_t batch : setup_.spec.batches_of(setup_.match, pair)) {
            const Shard::Window window = *setup_.spec.window_of(batch);
            if (!has_all(window)) continue;
            for (std::int64_t i = 0; i < window.pairs; ++i) left.erase(window.first + i);
            add_batch(batch);
            is_found = true;
            break;
        }
        if (is_found) continue;
        without.push_back(pair);
        left.erase(pair);
    }
    for (std::size_t i = 0; i < without.size();) {
        std::size_t end = i + 1;
        while (end < without.size() && without[end] == without[end - 1] + 1) ++end;
        const auto pairs = static_cast<std::int64_t>(end - i);
        const FleetSpec::Stretch stretch{setup_.match, without[i], pairs, setup_.batch_pairs,
                                         next_claim(without[i], pairs)};
        const std::int64_t first = setup_.spec.batches();
        setup_.spec.stretches.push_back(stretch);
        for (std::int64_t j = 0; j < stretch.batches(); ++j) add_batch(first + j);
        i = end;
    }
    // A worker must find its batch there.
    if (!without.empty()) setup_.folder.write_spec(setup_.spec);
}

void SlurmExecutor::add_batch(std::int64_t number) {
    const auto [batch, is_new] = batches_.try_emplace(number);
    if (!is_new || setup_.plan.submits) return;
    // What failed in an earlier session may have been mended.
    batch->second.failed_before = static_cast<std::size_t>(
        std::ranges::count_if(setup_.folder.claims(number), &Claim::has_failed));
    batch->second.failed = batch->second.failed_before;
}

/// Above the claims of all batches that these pairs were in, so that attempts at a pair rise.
int SlurmExecutor::next_claim(std::int64_t first, std::int64_t pairs) const {
    std::set<std::int64_t> batches;
    for (std::int64_t pair = first; pair < first + pairs; ++pair)
        for (const std::int64_t batch : setup_.spec.batches_of(setup_.match, pair))
            batches.insert(batch);
    int next = 0;
    for (const std::int64_t batch : batches)
        next = std::max(next, setup_.spec.first_claim_of(batch) +
                                  static_cast<int>(setup_.folder.claims(batch).size()));
    return next;
}

void SlurmExecutor::note_claims(std::int64_t number, bool is_over) {
    if (!setup_.note_claims) return;
    const std::vector<Claim> claims = setup_.folder.claims(number);
    if (claims.empty()) return;
    setup_.note_claims(*setup_.spec.window_of(number), setup_.spec.first_claim_of(number), claims,
                       is_over);
}

void SlurmExecutor::note_all_claims(bool is_over) {
    if (!setup_.note_claims) return;
    for (const std::int64_t number : setup_.folder.claimed_batches()) {
        const auto window = setup_.spec.window_of(number);
        if (window && window->match == setup_.match) note_claims(number, is_over);
    }
}

void SlurmExecutor::take_done() {
    std::vector<std::int64_t> numbers;
    for (const auto& [number, batch] : batches_) numbers.push_back(number);
    for (const std::int64_t number : numbers) (void)take(number);
}

/// Returns false where there is no part.
bool SlurmExecutor::take(std::int64_t number) {
    if (!batches_.contains(number) || !setup_.folder.is_done(number)) return false;
    const Shard::Window window = *setup_.spec.window_of(number);
    Taken taken = setup_.take(setup_.folder.done_file(number), window, false);
    if (!taken.is_read) return false;
    if (!taken.refusal.empty()) {
        events_->on_fleet_note("part", taken.refusal);
        Batch& batch = batches_[number];
        batch.state = State::Wanted;
        if (batch.submissions >= kMostSubmissions) give_up(number, taken.refusal);
        return true;
    }
    std::set<std::int64_t> lacking;
    for (std::int64_t i = 0; i < window.pairs; ++i) lacking.insert(window.first + i);
    for (const PairDigest& pair : taken.pairs)
        if (!is_replaced(pair.state)) lacking.erase(pair.pair);
    note_claims(number, false);
    batches_.erase(number);
    offered_.insert(offered_.end(), lacking.begin(), lacking.end());
    events_->on_part(setup_.match, std::move(taken.pairs), std::move(taken.games));
    return true;
}

/// Parts that came too late are kept, and count nowhere. One whose batch has no part yet must wait,
/// or it would be taken for the one that counts.
void SlurmExecutor::take_late_parts() {
    for (const std::string& name : setup_.folder.late_parts()) {
        const auto batch =
            to_number<std::int64_t>(std::string_view(name).substr(0, name.find('.')));
        const auto window = batch ? setup_.spec.window_of(*batch) : std::nullopt;
        if (!window || window->match != setup_.match) continue;  // another match takes it
        if (batches_.contains(*batch) || !setup_.folder.is_done(*batch)) continue;
        if (!late_seen_.insert(name).second) continue;
        Taken taken = setup_.take(setup_.folder.file("late/" + name), *window, true);
        if (!taken.is_read) continue;
        if (!taken.refusal.empty()) events_->on_fleet_note("part", taken.refusal);
        events_->on_part(setup_.match, std::move(taken.pairs), {});
    }
}

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

/// The task of a batch is gone, and has left no part.
void SlurmExecutor::on_missing(std::int64_t number) {
    Batch& batch = batches_.at(number);
    batch.state = State::Wanted;
    batch.rounds_missing = 0;
    const std::vector<Claim> claims = setup_.folder.claims(number);
    std::string why = last_words_in(setup_.folder.file("log/" + batch.log));
    if (!claims.empty() && claims.back().has_failed()) {
        why = claims.back().reason;
        if (note_failed(claims.back())) return;
    } else if (!claims.empty() && why.empty()) {
        why = fmt::format("its task on {} ended without a word: killed, or over its time",
                          claims.back().node);
    }
    if (batch.submissions < kMostSubmissions) {
        events_->on_fleet_note(
            "task", fmt::format("the task of batch {} is gone ({}); it is submitted again", number,
                                why.empty() ? "it left no word" : why));
        return;
    }
    if (failed_program_) return end_by(*failed_program_);
    give_up(number, why);
}

/// An attempt has failed. Returns true where the run ends by it.
bool SlurmExecutor::note_failed(const Claim& claim) {
    if (!claim.node.empty() && excluded_.insert(claim.node).second)
        events_->on_fleet_note("node",
                               fmt::format("{}: {}{}", claim.node, claim.reason,
                                           setup_.plan.submits ? "; no more tasks go there" : ""));
    if (claim.program < 0) return false;
    std::set<std::string>& nodes = failed_on_[claim.program];
    nodes.insert(claim.node);
    failed_program_ = claim;
    if (nodes.size() < 2) return false;
    end_by(claim);
    return true;
}

/// Where others start the workers, no task tells of its end: failures are in the claims alone.
void SlurmExecutor::watch_claims() {
    std::vector<std::int64_t> numbers;
    for (const auto& [number, batch] : batches_) numbers.push_back(number);
    for (const std::int64_t number : numbers) {
        std::size_t failed = 0;
        std::string why;
        for (const Claim& claim : setup_.folder.claims(number)) {
            if (!claim.has_failed()) continue;
            why = claim.reason;
            if (++failed > batches_.at(number).failed && note_failed(claim)) return;
        }
        batches_.at(number).failed = failed;
        if (failed < batches_.at(number).failed_before + kMostSubmissions) continue;
        return failed_program_ ? end_by(*failed_program_) : give_up(number, why);
    }
}

void SlurmExecutor::give_up(std::int64_t number, const std::string& why) {
    const Shard::Window window = *setup_.spec.window_of(number);
    events_->on_trouble({Trouble::Kind::FleetFailed, std::nullopt,
                         fmt::format("batch {} (pairs {} to {}) was {} {} times in vain{}", number,
                                     window.first + 1, window.first + window.pairs,
                                     setup_.plan.submits ? "submitted" : "begun", kMostSubmissions,
                                     why.empty() ? "" : ", last: " + why),
                         false});
}

/// A program fails on every machine: the run ends as on one.
void SlurmExecutor::end_by(const Claim& claim) {
    Trouble trouble;
    trouble.kind = claim.keeps_failing ? Trouble::Kind::KeepsFailing : Trouble::Kind::CannotStart;
    trouble.who = Participant{setup_.match, claim.program};
    trouble.why = claim.reason;
    trouble.names_program = true;
    events_->on_trouble(trouble);
}

void SlurmExecutor::tick(TimePoint now) {
    if (events_ == nullptr || is_settled_) return;
    try {
        look(now);
    } catch (const StoreFailure&) {
        throw;
    } catch (const Error& error) {
        on_folder_error(error.what());
    }
}

/// The store is well, and has all that was taken.
void SlurmExecutor::on_folder_error(const std::string& error) {
    if (!withdrawn_)
        return events_->on_trouble({Trouble::Kind::FleetFailed, std::nullopt, error, false});
    events_->on_fleet_note("slurm", "what tasks have left is not taken: " + error);
    is_settled_ = true;
}

void SlurmExecutor::look(TimePoint now) {
    if (withdrawn_ && !waits_until_) waits_until_ = now + kMostWait;
    on_answer(now);
    if (!withdrawn_) divide_offered();
    if (!withdrawn_ && now >= next_look_) {
        next_look_ = now + std::min(kLookEvery, setup_.plan.check);
        take_done();
        if (!withdrawn_ && !setup_.plan.submits && now >= next_queue_) {
            next_queue_ = now + setup_.plan.check;
            watch_claims();
        }
        if (!withdrawn_ && setup_.folder.is_stopped())
            events_->on_trouble({Trouble::Kind::Stopped, std::nullopt,
                                 "'assay fleet stop' has stopped the run; --resume goes on with it",
                                 false});
    }
    if (is_settled_) return;
    if (!setup_.plan.submits && withdrawn_) return take_late();
    if (waits_until_ && now >= *waits_until_ + setup_.plan.check)
        return end_wait("it does not answer");
    call_slurm(now);
}

/// No task is left: what they have handed in behind the decision is kept too.
void SlurmExecutor::take_late() {
    if (withdrawn_ == Withdrawal::Over) {
        take_done();
        take_late_parts();
        note_all_claims(true);
    }
    is_settled_ = true;
}

void SlurmExecutor::withdraw(Withdrawal why) {
    if (withdrawn_) return;
    withdrawn_ = why;
    if (events_ == nullptr) is_settled_ = true;  // nothing was begun
    if (why != Withdrawal::Over || is_settled_) return;
    try {
        setup_.folder.set_stopped(true);
    } catch (const Error& error) {
        events_->on_fleet_note("slurm",
                               fmt::format("workers are not told of the end: {}", error.what()));
    }
}

void SlurmExecutor::hurry(TimePoint /*now*/, Micros /*grace*/) {
    // The verdict is known; what tasks are left find the file `stop`.
    if (withdrawn_ == Withdrawal::Over) is_settled_ = true;
}

bool SlurmExecutor::is_idle() const {
    return batches_.empty() && offered_.empty();
}

bool SlurmExecutor::is_settled() const {
    return is_settled_;
}

}  // namespace assay::harness
