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
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/budget.h"
#include "harness/store/store.h"

namespace assay::harness {

namespace {

constexpr double kSecondsOfTask = 180;
/// Where no clock says how long a game takes: some pairs, so that a dispatch is worth it.
constexpr std::int64_t kPairsWithoutClock = 8;
/// Once nothing more is to be played, tasks are waited for no longer.
constexpr Micros kMostWait{60'000'000};

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
    TakenPart taken = setup_.take(setup_.folder.done_file(number), window, false);
    if (!taken.is_read) {
        tell_warnings(taken);
        return false;
    }
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
    note_part(taken);
    events_->on_part(setup_.match, std::move(taken.pairs), std::move(taken.games));
    return true;
}

/// What a worker knows beside its games. Of a part there is the quantile, not the delays: their
/// mean stands for that of all.
void SlurmExecutor::note_part(const TakenPart& taken) {
    std::int64_t plies = 0;
    for (const PairDigest& pair : taken.pairs)
        for (const GameDigest& game : pair.played()) plies += game.plies;
    if (taken.pairs.empty()) return;  // the store had it
    plies_ += plies;
    const double share = plies_ > 0 ? static_cast<double>(plies) / static_cast<double>(plies_) : 0;
    const auto add = [share](double& mean, double figure) { mean += share * (figure - mean); };
    add(delay_.p50_us, taken.delay.p50_us);
    add(delay_.p99_us, taken.delay.p99_us);
    add(delay_.cpu_us_per_ply, taken.delay.cpu_us_per_ply);
    delay_.max_us = std::max(delay_.max_us, taken.delay.max_us);
    // Of games that came late nothing counts.
    const bool counts = std::ranges::any_of(
        taken.pairs, [](const PairDigest& pair) { return pair.state != PairState::Late; });
    if (counts) events_->on_faults_elsewhere(setup_.match, taken.between_games);
    tell_warnings(taken);
}

void SlurmExecutor::tell_warnings(const TakenPart& taken) {
    for (const std::string& warning : taken.warnings)
        if (warnings_told_.insert(warning).second) events_->on_fleet_note("part", warning);
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
        TakenPart taken = setup_.take(setup_.folder.file("late/" + name), *window, true);
        if (!taken.is_read) {
            late_seen_.erase(name);
            tell_warnings(taken);
            continue;
        }
        if (!taken.refusal.empty()) events_->on_fleet_note("part", taken.refusal);
        note_part(taken);
        events_->on_part(setup_.match, std::move(taken.pairs), {});
    }
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

/// Its tasks are the other's now: none is cancelled.
void SlurmExecutor::leave_to_other(const std::string& why) {
    is_cancelled_ = true;
    if (withdrawn_)
        events_->on_fleet_note("slurm", why);
    else
        events_->on_trouble({Trouble::Kind::Stopped, std::nullopt, why, false});
    is_settled_ = true;
}

void SlurmExecutor::look(TimePoint now) {
    if (setup_.lock && now >= next_beat_) {
        next_beat_ = now + CoordinatorLock::kBeat;
        if (const std::string why = setup_.lock->beat(); !why.empty()) return leave_to_other(why);
    }
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
