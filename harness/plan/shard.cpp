#include "harness/plan/shard.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

std::string text_of(const Shard& shard) {
    return fmt::format("{}/{}", shard.index, shard.count);
}

std::optional<Shard> shard_of(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto index = to_number<int>(text.substr(0, slash));
    const auto count = to_number<int>(text.substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count || *count > kMostShards)
        return std::nullopt;
    return Shard{*index, *count};
}

RunPlan plan_of_shard(RunPlan whole, const Shard& shard) {
    for (MatchPlan& match : whole.matches) {
        match.pairs = shard.share_of(match.pairs);
        match.stop = {};
        match.require = {};
    }
    whole.suite.reset();
    whole.skip_if = SkipIf::Never;
    whole.at_end.clear();
    return whole;
}

void check_shardable(const RunPlan& plan) {
    if (plan.tournament)
        throw Error(
            "--shard: a tournament is not played in shards, because who meets whom depends on earlier "
            "results; play it on one machine");
    if (plan.matches.empty())
        throw Error("--shard: the config has no match; a suite is run once, without --shard");
    if (!plan.seed)
        throw Error(
            "--shard: the shards of a run need one seed, or each would play other openings; give "
            "'match.seed' in the config or --seed");
    for (const MatchPlan& match : plan.matches) {
        if (match.stop.minutes)
            throw Error(fmt::format(
                "--shard: match '{}' ends after {} minutes, which would be another pair in each "
                "shard; give the number of pairs ('pairs') instead of 'stop.minutes'",
                match.name, match.stop.minutes->count() / 60'000'000));
        if (match.runner.has_odd_game || match.runner.counts_as_they_end)
            throw Error("--shard: a match that stands in for another runner has no shards");
    }
}

}  // namespace assay::harness
