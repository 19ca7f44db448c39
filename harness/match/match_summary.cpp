// What a history of a hundred runs needs of each match, kept as one line of JSON beside the run.
// Without it a history reads every pair of every run and feeds every stop rule again. A summary is
// a cache: it can be deleted at any time, and one that cannot be read, or that an older reading of
// `tainted` made, counts as missing and is made anew.
//
// Since it stands for what would be computed, it must be equal to it to the last digit: a history
// page would otherwise change with the state of the cache. Estimates are therefore rounded to
// millionths when they are computed (rounded()), kept as whole numbers, and divided when read.
//
// Speeds are read from a sample of games, one in each of `games` equal stretches of the match: a
// game is a blob of moves to decode, and the median of some games is as good as that of all.
#include "harness/match/match_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "harness/plan/described_json.h"
#include "stats/data/median.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

json::array failures_json(const Failures& failures) {
    return {failures.time_losses, failures.crashes, failures.illegal_moves, failures.stalls};
}

Failures failures_of(const json::value& value) {
    const json::array& counts = value.as_array();
    return {counts.at(0).to_number<std::int64_t>(), counts.at(1).to_number<std::int64_t>(),
            counts.at(2).to_number<std::int64_t>(), counts.at(3).to_number<std::int64_t>()};
}

/// Rounded, because a history shows whole numbers.
std::optional<double> middle_of(const std::vector<double>& all) {
    if (all.empty()) return std::nullopt;
    return std::round(stats::median(all));
}

/// Nodes and booked seconds of both programs in one game.
void add_speeds(const GameRecord& game, std::array<std::vector<double>, 2>& speeds) {
    std::array<double, 2> nodes{};
    std::array<double, 2> seconds{};
    for (const MoveRecord& move : game.moves) {
        // A move that says no nodes would count its time alone, one without time its nodes alone.
        if (!move.nodes || move.used.count() <= 0) continue;
        const auto program = static_cast<std::size_t>(game.program_of(move.player));
        nodes[program] += static_cast<double>(*move.nodes);
        seconds[program] += static_cast<double>(move.used.count()) / 1e6;
    }
    for (std::size_t program = 0; program < 2; ++program)
        if (seconds[program] > 0) speeds[program].push_back(nodes[program] / seconds[program]);
}

/// In whole millionths, which JSON gives back as they were: its decimals are read to the last bit
/// but one.
using Millionths = std::optional<std::int64_t>;

constexpr double kMillion = 1e6;

Millionths millionths(const std::optional<double>& value) {
    if (!value) return std::nullopt;
    return std::llround(*value * kMillion);
}

std::optional<double> from_millionths(const Millionths& value) {
    if (!value) return std::nullopt;
    return static_cast<double>(*value) / kMillion;
}

/// Grows with each new reason for `tainted`, so that a summary from before is counted anew.
constexpr std::int64_t kTaintRules = 2;

/// Value, low and high end.
using Ends = std::array<Millionths, 3>;

Ends ends_of(const stats::Estimate& estimate) {
    return {millionths(estimate.value), millionths(estimate.ci95.low),
            millionths(estimate.ci95.high)};
}

stats::Estimate estimate_of(const Ends& ends) {
    return {from_millionths(ends[0]), {from_millionths(ends[1]), from_millionths(ends[2])}};
}

stats::Estimate read_estimate(const json::value& value) {
    Ends ends;
    read_json("quoted", value, ends);
    return estimate_of(ends);
}

/// As it is read back.
MatchEstimate rounded(MatchEstimate estimate) {
    estimate.elo = estimate_of(ends_of(estimate.elo));
    estimate.nelo = estimate_of(ends_of(estimate.nelo));
    estimate.los = from_millionths(millionths(estimate.los));
    return estimate;
}

json::object estimate_json(const MatchEstimate& estimate) {
    return {{"kind", json::string(name_of(estimate.kind))},
            {"elo", json_of(ends_of(estimate.elo))},
            {"nelo", json_of(ends_of(estimate.nelo))},
            {"los", json_of(millionths(estimate.los))}};
}

std::optional<MatchEstimate> quoted_of(const json::object& from) {
    const json::value* const quoted = from.if_contains("quoted");
    if (quoted == nullptr) return std::nullopt;
    const json::object& fields = quoted->as_object();
    const auto kind = estimate_kind_of(fields.at("kind").as_string());
    if (!kind) return std::nullopt;
    MatchEstimate estimate;
    estimate.kind = *kind;
    estimate.elo = read_estimate(fields.at("elo"));
    estimate.nelo = read_estimate(fields.at("nelo"));
    Millionths los;
    read_json("los", fields.at("los"), los);
    estimate.los = from_millionths(los);
    return estimate;
}

}  // namespace

std::array<std::optional<double>, 2> nodes_per_second_of(const Store& store, std::int64_t run,
                                                         std::size_t match, std::size_t games) {
    const std::int64_t pairs = store.pair_count(run, match);
    const std::int64_t step = std::max<std::int64_t>(
        1, pairs / std::max<std::int64_t>(1, static_cast<std::int64_t>(games)));
    std::array<std::vector<double>, 2> speeds;
    for (std::int64_t pair = 0; pair < pairs; pair += step) {
        if (const auto game = store.game_of(run, match, pair, 0)) add_speeds(*game, speeds);
    }
    return {middle_of(speeds[0]), middle_of(speeds[1])};
}

MatchSummary summary_of(const MatchTally& tally, const Store& store, std::int64_t run,
                        std::size_t match, std::size_t games) {
    return {tally.pairs(),           tally.pentanomial(),
            tally.verdict(),         tally.is_tainted(),
            tally.failures()[0],     nodes_per_second_of(store, run, match, games),
            tally.all_failures()[0], rounded(match_estimates(tally).quoted)};
}

std::string to_json(const MatchSummary& summary) {
    json::object out{{"pairs", summary.pairs},
                     {"pentanomial", json_of(summary.pentanomial.counts)},
                     {"verdict", json::string(name_of(summary.verdict))},
                     {"tainted", summary.is_tainted},
                     {"taint_rules", kTaintRules},
                     {"failures", failures_json(summary.failures)},
                     {"all_failures", failures_json(summary.all_failures)},
                     {"nps", json_of(summary.nodes_per_second)}};
    if (summary.quoted) out["quoted"] = estimate_json(*summary.quoted);
    return json::serialize(out);
}

std::optional<MatchSummary> summary_from_json(const std::string& text) {
    try {
        const json::value root = json::parse(text);
        const json::object& from = root.as_object();
        const json::value* const rules = from.if_contains("taint_rules");
        if (rules == nullptr || *rules != kTaintRules) return std::nullopt;
        MatchSummary summary;
        summary.pairs = from.at("pairs").to_number<std::int64_t>();
        read_json("pentanomial", from.at("pentanomial"), summary.pentanomial.counts);
        const auto verdict = verdict_of(from.at("verdict").as_string());
        if (!verdict) return std::nullopt;
        summary.verdict = *verdict;
        summary.is_tainted = from.at("tainted").as_bool();
        summary.failures = failures_of(from.at("failures"));
        const json::value* const all = from.if_contains("all_failures");
        summary.all_failures = all == nullptr ? summary.failures : failures_of(*all);
        read_json("nps", from.at("nps"), summary.nodes_per_second);
        summary.quoted = quoted_of(from);
        return summary;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

MatchSummary SummaryMemo::of(const Store& store, const RunRecord& run, std::size_t match,
                             std::size_t games, const std::function<MatchSummary()>& counted) {
    const Key key{run.started_us, run.id, match, store.pair_count(run.id, match), run.state, games};
    {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(key);
        if (found != known_.end()) return found->second;
    }
    // Without the lock: others need not wait for it.
    MatchSummary summary = counted();
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMost) known_.clear();
    known_.emplace(key, summary);
    return summary;
}

}  // namespace assay::harness
