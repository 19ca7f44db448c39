// What becomes of batches whose tasks have failed: they are played again, elsewhere where a node is
// to blame, and the run ends where a program is.
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "harness/executor/slurm_executor.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostLastWords = std::size_t{64} << 10U;

/// The last line of what a task said; empty where it said nothing.
std::string last_words_in(const std::string& path) {
    const auto text = read_start(path, kMostLastWords);
    if (!text) return "";
    const std::string_view lines = trim(*text);
    return printable_utf8(lines.substr(lines.rfind('\n') + 1));
}

}  // namespace

/// The task of a batch is gone, and has left no part.
void SlurmExecutor::on_missing(std::int64_t number) {
    Batch& batch = batches_.at(number);
    batch.state = State::Wanted;
    batch.rounds_missing = 0;
    const std::vector<Claim> claims = setup_.folder.claims(number);
    if (setup_.folder.take_requeued(number)) {
        // What a person asks for is no failure.
        batch.submissions -= batch.submissions > 0 ? 1 : 0;
        events_->on_fleet_note(
            "task", fmt::format("batch {} was taken from its task by 'assay fleet requeue'; it is "
                                "submitted again",
                                number));
        return;
    }
    std::string why = last_words_in(setup_.folder.file("log/" + batch.log));
    if (!claims.empty() && claims.back().has_failed()) {
        why = claims.back().reason;
        if (note_failed(claims.back())) return;
    } else if (why.empty()) {
        why = why_without_word(claims);
    }
    if (batch.submissions < kMostSubmissions) {
        events_->on_fleet_note(
            "task",
            fmt::format("the task of batch {} is gone ({}); it is submitted again", number, why));
        return;
    }
    if (failed_program_) return end_by(*failed_program_);
    give_up(number, why);
}

/// Where the folder is full, a worker can write neither why it failed nor what it said.
std::string SlurmExecutor::why_without_word(const std::vector<Claim>& claims) const {
    if (const std::string full = setup_.folder.why_not_writable(); !full.empty())
        return "it could not write to the folder: " + full;
    if (claims.empty()) return "it left no word";
    if (claims.back().node.empty())
        return "it ended as it claimed the batch, and could not write its claim: was the folder "
               "full?";
    return fmt::format("its task on {} ended without a word: killed, or over its time",
                       claims.back().node);
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

}  // namespace assay::harness
