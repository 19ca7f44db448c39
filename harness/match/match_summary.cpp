#include "harness/match/match_summary.h"

#include <algorithm>
#include <cmath>
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
        if (!move.nodes || move.used.count() <= 0) continue;
        const auto program = static_cast<std::size_t>(game.program_of(move.player));
        nodes[program] += static_cast<double>(*move.nodes);
        seconds[program] += static_cast<double>(move.used.count()) / 1e6;
    }
    for (std::size_t program = 0; program < 2; ++program)
        if (seconds[program] > 0) speeds[program].push_back(nodes[program] / seconds[program]);
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
    return {tally.pairs(),          tally.pentanomial(),
            tally.verdict(),        tally.is_tainted(),
            tally.failures()[0],    nodes_per_second_of(store, run, match, games),
            tally.all_failures()[0]};
}

std::string to_json(const MatchSummary& summary) {
    return json::serialize(json::object{{"pairs", summary.pairs},
                                        {"pentanomial", json_of(summary.pentanomial.counts)},
                                        {"verdict", json::string(name_of(summary.verdict))},
                                        {"tainted", summary.is_tainted},
                                        {"failures", failures_json(summary.failures)},
                                        {"all_failures", failures_json(summary.all_failures)},
                                        {"nps", json_of(summary.nodes_per_second)}});
}

std::optional<MatchSummary> summary_from_json(const std::string& text) {
    try {
        const json::value root = json::parse(text);
        const json::object& from = root.as_object();
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
        return summary;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace assay::harness
