#include "harness/fleet/fleet_status.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace assay::harness {

namespace {

constexpr double kMicrosAnHour = 3.6e9;
constexpr long long kPaceOver = 300'000'000;  // microseconds

/// Which batch each planned pair belongs to. Batches that were added later take pairs from older
/// ones: those that lacked there.
class PairOwners {
public:
    struct Piece {
        std::int64_t end = 0;  // behind its last pair
        std::int64_t batch = 0;
    };

    /// By match and first pair.
    using Pieces = std::map<std::pair<std::size_t, std::int64_t>, Piece>;

    void give(const Shard::Window& window, std::int64_t batch) {
        const std::int64_t end = window.first + window.pairs;
        cut_at(window.match, window.first);
        cut_at(window.match, end);
        pieces_.erase(pieces_.lower_bound({window.match, window.first}),
                      pieces_.lower_bound({window.match, end}));
        pieces_[{window.match, window.first}] = {end, batch};
    }

    [[nodiscard]] const Pieces& pieces() const { return pieces_; }

private:
    /// Divides the piece that goes over this pair's start.
    void cut_at(std::size_t match, std::int64_t pair) {
        const auto next = pieces_.lower_bound({match, pair});
        if (next == pieces_.begin()) return;
        const auto before = std::prev(next);
        if (before->first.first != match || before->second.end <= pair) return;
        pieces_[{match, pair}] = before->second;
        before->second.end = pair;
    }

    Pieces pieces_;
};

/// Goes through the batches of a folder and adds up.
class Survey {
public:
    Survey(const SlurmFolder& folder, const SlurmQueue* queue, long long now_us)
        : folder_(folder), spec_(folder.spec()), now_us_(now_us) {
        status_.uid = spec_.uid;
        status_.is_stopped = folder.is_stopped();
        status_.batches = spec_.batches();
        for (const std::int64_t batch : folder.done_batches()) done_.insert(batch);
        if (queue == nullptr) return;
        is_asked_ = queue->is_done;
        if (!queue->is_done) status_.trouble.push_back("Slurm does not answer: " + queue->error);
        for (const SlurmTask& task : queue->tasks)
            if (task.is_live()) tasks_[task.batch] = task;
    }

    FleetStatus run() {
        count_pairs();
        for (std::int64_t batch = 0; batch < status_.batches; ++batch) add(batch);
        for (auto& [name, node] : status_.nodes) {
            if (hours_[name] > 0)
                node.pairs_per_hour = static_cast<double>(node.pairs) / hours_[name];
            node.speed = speed_of_node(folder_, spec_, name);
        }
        const std::int64_t left = status_.pairs - status_.pairs_done;
        if (recent_ > 0 && left > 0 && !status_.is_stopped)
            status_.hours_left = static_cast<double>(left) / static_cast<double>(recent_) *
                                 static_cast<double>(kPaceOver) / kMicrosAnHour;
        return std::move(status_);
    }

private:
    void count_pairs() {
        PairOwners owners;
        for (std::int64_t batch = 0; batch < status_.batches; ++batch)
            owners.give(*spec_.window_of(batch), batch);
        for (const auto& [start, piece] : owners.pieces()) {
            const std::int64_t pairs = piece.end - start.second;
            status_.pairs += pairs;
            own_pairs_[piece.batch] += pairs;
            if (!status_.blocking && !done_.contains(piece.batch)) status_.blocking = piece.batch;
        }
    }

    /// A part of a task that was told to end lacks pairs, of which the folder knows only how many.
    [[nodiscard]] std::int64_t pairs_done_in(std::int64_t batch,
                                             const std::vector<Claim>& claims) const {
        const std::int64_t own = own_pairs_.contains(batch) ? own_pairs_.at(batch) : 0;
        const auto played = std::find_if(claims.rbegin(), claims.rend(),
                                         [](const Claim& claim) { return claim.end == "played"; });
        return played == claims.rend() ? own : std::min(own, played->pairs);
    }

    void add(std::int64_t batch) {
        const bool is_done = done_.contains(batch);
        const std::vector<Claim> claims = folder_.claims(batch);
        for (std::size_t i = 0; i < claims.size(); ++i)
            add(claims[i], i + 1 == claims.size(), is_done);
        if (is_done || !own_pairs_.contains(batch)) {
            ++status_.done;
            if (is_done) status_.pairs_done += pairs_done_in(batch, claims);
            return;
        }
        const std::string text = open_text(batch, claims);
        if (status_.blocking == batch) status_.blocking_text = text;
        const bool has_failed = !claims.empty() && claims.back().has_failed();
        if (has_failed && !tasks_.contains(batch) && !status_.is_stopped)
            status_.trouble.push_back(fmt::format("batch {} {}", batch, text));
    }

    void add(const Claim& claim, bool is_last, bool is_done) {
        NodeStatus& node = status_.nodes[claim.node.empty() ? "unknown" : claim.node];
        node.time_losses += claim.time_losses;
        if (!claim.drift.empty()) node.trouble = claim.drift;
        if (claim.end == "played") {
            ++node.batches;
            node.pairs += claim.pairs;
            hours_[claim.node] +=
                static_cast<double>(claim.ended_us - claim.began_us) / kMicrosAnHour;
            if (claim.ended_us > now_us_ - kPaceOver) recent_ += claim.pairs;
        } else if (claim.end == "late") {
            ++node.late;
        } else if (claim.has_failed()) {
            ++node.failed;
            node.trouble = claim.reason;
        } else if (claim.end.empty()) {
            (is_last && !is_done ? node.playing : node.lost) += 1;
        }
    }

    std::string open_text(std::int64_t batch, const std::vector<Claim>& claims) {
        const auto task = tasks_.find(batch);
        if (task != tasks_.end() && task->second.state == "PD") {
            ++status_.queued;
            return fmt::format("waits in the queue ({})", task->second.reason);
        }
        if (!claims.empty() && claims.back().has_failed()) {
            ++status_.open;
            return fmt::format("failed on {}: {}", claims.back().node, claims.back().reason);
        }
        if (!claims.empty() && claims.back().end.empty() && (!is_asked_ || task != tasks_.end())) {
            ++status_.playing;
            return fmt::format("is played on {}", claims.back().node);
        }
        ++status_.open;
        return claims.empty() ? "was not begun" : "is to be played again";
    }

    const SlurmFolder& folder_;
    FleetSpec spec_;
    long long now_us_;
    bool is_asked_ = false;
    std::set<std::int64_t> done_;
    std::map<std::int64_t, std::int64_t> own_pairs_;  // by batch, of those that have any
    std::map<std::int64_t, SlurmTask> tasks_;         // live ones, by batch
    std::map<std::string, double> hours_;             // that tasks played, by node
    std::int64_t recent_ = 0;                         // pairs within kPaceOver
    FleetStatus status_;
};

}  // namespace

FleetStatus fleet_status(const SlurmFolder& folder, const SlurmQueue* queue, long long now_us) {
    return Survey(folder, queue, now_us).run();
}

}  // namespace assay::harness
