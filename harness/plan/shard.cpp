// Parts of a run that are played apart and put together later. Only what is the same whoever plays
// it can be divided: pairs with a number and an opening that follows from it. A rule that looks as
// it goes would decide in each shard for itself, and a tournament's next round depends on all
// results; both are refused.
#include "harness/plan/shard.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

std::string text_of(const Shard& shard) {
    if (const auto& window = shard.window)
        return fmt::format("{}:{}+{}", window->match, window->first, window->pairs);
    return fmt::format("{}/{}", shard.index, shard.count);
}

namespace {

std::optional<Shard> window_of(std::string_view text, std::size_t colon) {
    const std::size_t plus = text.find('+', colon);
    if (plus == std::string_view::npos) return std::nullopt;
    const auto match = to_number<std::size_t>(text.substr(0, colon));
    const auto first = to_number<std::int64_t>(text.substr(colon + 1, plus - colon - 1));
    const auto pairs = to_number<std::int64_t>(text.substr(plus + 1));
    constexpr std::int64_t kMost = std::int64_t{1} << 40U;
    if (!match || !first || !pairs || *first < 0 || *first > kMost || *pairs < 1 || *pairs > kMost)
        return std::nullopt;
    return Shard{1, 1, Shard::Window{*match, *first, *pairs}};
}

}  // namespace

std::optional<Shard> shard_of(std::string_view text) {
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos)
        return window_of(text, colon);
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto index = to_number<int>(text.substr(0, slash));
    const auto count = to_number<int>(text.substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count || *count > kMostShards)
        return std::nullopt;
    return Shard{*index, *count};
}

RunPlan plan_of_shard(RunPlan whole, const Shard& shard) {
    for (std::size_t i = 0; i < whole.matches.size(); ++i) {
        MatchPlan& match = whole.matches[i];
        // Those of a window may lie behind the plan's, where they replace duplicates.
        match.pairs = shard.window ? (shard.window->match == i ? shard.window->pairs : 0)
                                   : shard.share_of(i, match.pairs);
        match.stop = {};
        match.require = {};
    }
    whole.suite.reset();
    whole.skip_if = SkipIf::Never;
    whole.at_end.clear();
    return whole;
}

void check_divisible(const RunPlan& plan, std::string_view asked) {
    if (plan.tournament)
        throw Error(fmt::format(
            "{}: a tournament is not played in shards, because who meets whom depends on earlier "
            "results; play it on one machine",
            asked));
    if (plan.matches.empty())
        throw Error(fmt::format("{}: the config has no match; a suite is run once, without {}",
                                asked, asked));
    for (const MatchPlan& match : plan.matches) {
        if (match.stop.minutes)
            throw Error(fmt::format(
                "{}: match '{}' ends after {} minutes, which would be another pair in each "
                "part; give the number of pairs ('pairs') instead of 'stop.minutes'",
                asked, match.name, match.stop.minutes->count() / 60'000'000));
        if (match.runner.has_odd_game || match.runner.counts_as_they_end)
            throw Error(
                fmt::format("{}: a match that stands in for another runner has no parts", asked));
    }
}

void check_shardable(const RunPlan& plan) {
    if (!plan.tournament && !plan.matches.empty() && !plan.seed)
        throw Error(
            "--shard: the shards of a run need one seed, or each would play other openings; give "
            "'match.seed' in the config or --seed");
    check_divisible(plan, "--shard");
}

}  // namespace assay::harness
