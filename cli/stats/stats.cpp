#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/diagnostic.h"
#include "cli/frame/commands.h"
#include "cli/frame/values.h"
#include "cli/stats/stats_adjust.h"
#include "cli/stats/stats_input.h"
#include "cli/stats/stats_options.h"
#include "cli/stats/stats_plan.h"
#include "cli/stats/stats_pool.h"
#include "cli/stats/stats_print.h"
#include "cli/stats/stats_rate.h"
#include "stats/estimate/estimate.h"
#include "stats/stop/after_stop.h"
#include "stats/test/sign_flip.h"
#include "stats/test/sprt.h"
#include "stats/test/trinomial.h"

namespace assay::cli {

namespace {

using stats::after_wald;
using stats::draw_elo_of;
using stats::DriftScale;
using stats::estimate_strength;
using stats::estimate_strength_compat;
using stats::IntervalMethod;
using stats::Model;
using stats::PairList;
using stats::Pentanomial;
using stats::plug_in_null;
using stats::regularised;
using stats::Sample;
using stats::sample_of;
using stats::sign_flip_test;
using stats::SignFlip;
using stats::Sprt;
using stats::sprt_of_counts;
using stats::SprtResult;
using stats::SprtSettings;
using stats::Strength;
using stats::trinomial_test;
using stats::TrinomialNull;
using stats::TrinomialTest;
using stats::wald_outcome;
using stats::Wdl;

constexpr std::int64_t kMostUnits = 1'000'000'000;

/// The input of a test, from counts or from games.
struct Counts {
    std::optional<Pentanomial> pairs;
    std::optional<Wdl> games;          // beside pairs only for BayesElo's draw rate
    std::optional<PairList> in_order;  // where the pairs came from games

    [[nodiscard]] Sample sample() const { return pairs ? sample_of(*pairs) : sample_of(*games); }
};

Counts counts_of(const StatsOptions& options) {
    Counts counts;
    const bool has_counts = !options.pentanomial.empty() || !options.wdl.empty();
    if (options.input.has_games()) {
        if (has_counts) throw Error("counts and --pgn or --run exclude each other");
        counts.in_order = read_pairs(options.input);
        counts.pairs = counts.in_order->pentanomial;
        counts.games = counts.in_order->wdl;
        return counts;
    }
    if (!has_counts) {
        throw Error(
            "no results: give --pentanomial LL,LD,DD,WD,WW, --wdl W,D,L, --pgn FILE or --run RUN");
    }
    if (!options.pentanomial.empty()) {
        counts.pairs.emplace();
        for (std::size_t i = 0; i < 5; ++i) counts.pairs->counts[i] = options.pentanomial[i];
    }
    if (!options.wdl.empty()) counts.games = {options.wdl[0], options.wdl[1], options.wdl[2]};
    return counts;
}

void print_input(const Counts& counts, bool json) {
    if (counts.in_order && !json) fmt::print("{}\n", counts.in_order->note());
}

/// The probabilities between equal programs: as given, or the rates in the games.
std::optional<TrinomialNull> null_of(const StatsOptions& options, const Counts& counts) {
    if (options.null.size() == 2) return TrinomialNull{options.null[0], options.null[1]};
    if (!options.plug_in) return std::nullopt;
    if (!counts.in_order) {
        throw Error("--plug-in takes the rates from games: give --pgn FILE or --run RUN");
    }
    const Wdl& games = counts.in_order->wdl;
    return plug_in_null(counts.in_order->first_player_wins, games.draws, games.games());
}

void run_trinomial(const StatsOptions& options) {
    const bool has_score = options.pairs && options.score;
    const bool has_pairs = !options.pentanomial.empty() || options.input.has_games();
    if (!has_pairs && !has_score) {
        throw Error(
            "give --pairs and --score, --pentanomial LL,LD,DD,WD,WW, --pgn FILE or --run RUN");
    }
    const Counts counts = has_pairs ? counts_of(options) : Counts{};
    const std::int64_t pairs = has_pairs ? counts.pairs->pairs() : *options.pairs;
    const std::int64_t score = has_pairs ? counts.pairs->balance() : *options.score;
    if (std::abs(score) > 2 * pairs) {
        throw Error(fmt::format("--score: expected at most {} either way in {} pairs, found '{}'",
                                2 * pairs, pairs, score));
    }
    print_input(counts, options.json);
    if (const auto null = null_of(options, counts)) {
        const TrinomialTest test = trinomial_test(pairs, score, *null, options.level);
        print_trinomial(pairs, score, *null, options.level, test, options.json);
        return;
    }
    if (!has_pairs) {
        throw Error(
            "without --null p,q the exact sign-flip test is used, which needs "
            "--pentanomial LL,LD,DD,WD,WW, --pgn FILE or --run RUN");
    }
    print_sign_flip(*counts.pairs, sign_flip_test(*counts.pairs), options.json);
}

void run_pentanomial(const StatsOptions& options) {
    const Counts counts = counts_of(options);
    const Sample sample = counts.sample();
    IntervalMethod method = IntervalMethod::LikelihoodRatio;
    if (options.interval == "conservative") method = IntervalMethod::Conservative;
    if (options.interval == "wald") method = IntervalMethod::Wald;
    const Strength strength =
        options.compat ? estimate_strength_compat(sample) : estimate_strength(sample, method);
    std::optional<SignFlip> flip;
    if (counts.pairs) flip = sign_flip_test(*counts.pairs);
    print_input(counts, options.json);
    print_strength(sample, strength, flip, options.json);
}

void print_after(const SprtSettings& settings, const SprtResult& result, const Strength& naive,
                 const Sample& sample, std::optional<double> draw_elo, bool json) {
    std::optional<DriftScale> scale;
    if (const auto outcome = wald_outcome(sample, settings, result.state, draw_elo)) {
        scale = outcome->scale;
    }
    print_sprt(settings, result, naive, after_wald(sample, settings, result.state, draw_elo), scale,
               json);
}

/// Games in order give the path of the LLR: the test follows it, and its overshoot is corrected.
void run_sprt_in_order(const SprtSettings& settings, const PairList& pairs, bool json) {
    Sprt test(settings);
    for (const std::uint8_t cell : pairs.cells) {
        const int draws = (cell / 3 == 1 ? 1 : 0) + (cell % 3 == 1 ? 1 : 0);
        test.add(cell / 3 + cell % 3, draws);
    }
    Sample sample = sample_of(test.pairs());
    const Strength naive =
        settings.compat ? estimate_strength_compat(sample) : estimate_strength(sample);
    if (settings.compat) sample = regularised(sample);
    const SprtResult result{test.llr(), test.lower(), test.upper(), test.state()};
    if (!json && test.pairs().pairs() < pairs.pairs()) {
        fmt::print("decided after {} of {} pairs; the rest does not count\n", test.pairs().pairs(),
                   pairs.pairs());
    }
    print_after(settings, result, naive, sample, test.draw_elo(), json);
}

void run_sprt(const StatsOptions& options) {
    const SprtSettings settings = sprt_settings(options);
    const Counts counts = counts_of(options);
    print_input(counts, options.json);
    if (counts.in_order) {
        run_sprt_in_order(settings, *counts.in_order, options.json);
        return;
    }
    Sample sample = counts.sample();
    std::optional<double> draw_elo;
    if (settings.model == Model::Bayesian && sample.size == 5) {
        if (!counts.games) {
            throw Error(
                "BayesElo needs the rate of drawn games, which pairs do not show: give "
                "--wdl W,D,L too");
        }
        const Sample games = sample_of(*counts.games);
        const Sample used = settings.compat ? regularised(games) : games;
        draw_elo = draw_elo_of(used.count[2] / used.total(), used.count[0] / used.total());
    }
    const SprtResult result = sprt_of_counts(sample, settings, draw_elo);
    const Strength naive =
        settings.compat ? estimate_strength_compat(sample) : estimate_strength(sample);
    if (settings.compat) sample = regularised(sample);
    print_after(settings, result, naive, sample, draw_elo, options.json);
}

void add_counts(Command& verb, StatsOptions& options) {
    verb.add_option("--pentanomial", options.pentanomial,
                    "pairs by their result (DD together with WL)")
        ->transform(number(std::int64_t{0}, kMostUnits))
        ->delimiter(',')
        ->expected(5)
        ->type_name("LL,LD,DD,WD,WW");
    verb.add_option("--wdl", options.wdl, "games won, drawn and lost, where they are not paired")
        ->transform(number(std::int64_t{0}, kMostUnits))
        ->delimiter(',')
        ->expected(3)
        ->type_name("W,D,L");
    add_games_options(verb, options.input);
}

void add_tests(Command& stats) {
    const auto [trinomial, t] = add_verb(
        stats, "trinomial", "exact distribution of a score between equal engines", run_trinomial);
    add_counts(*trinomial, *t);
    trinomial->add_option("--pairs", t->pairs, "pairs played")
        ->type_name("N")
        ->transform(number(std::int64_t{0}, kMostUnits));
    trinomial->add_option("--score", t->score, "wins minus losses, in games")
        ->type_name("N")
        ->transform(number(-2 * kMostUnits, 2 * kMostUnits));
    trinomial->add_option("--null", t->null, "chance that the first player wins, and of a draw")
        ->transform(number(0.0, 1.0))
        ->delimiter(',')
        ->expected(2)
        ->type_name("P,Q");
    trinomial->add_flag("--plug-in", t->plug_in, "take those chances from the games");
    add_probability(*trinomial, "--level", t->level, "error probability of the critical score");
    trinomial->footer(
        "examples:\n"
        "  assay stats trinomial --pairs 10 --score 8 --null 0.3918,0.3161\n"
        "  assay stats trinomial --pentanomial 4,9,18,12,7 --json\n"
        "  assay stats trinomial --pgn games.pgn --plug-in");

    const auto [pentanomial, p] =
        add_verb(stats, "pentanomial", "Elo, nElo and LOS of paired games", run_pentanomial);
    add_counts(*pentanomial, *p);
    pentanomial->add_option("--interval", p->interval, "method of the intervals")
        ->transform(one_of({"likelihood", "conservative", "wald"}))
        ->capture_default_str();
    pentanomial->add_flag("--compat", p->compat,
                          "as fishtest computes it (fastchess: --interval wald)");
    pentanomial->footer(
        "examples:\n"
        "  assay stats pentanomial --pentanomial 43,61,144,55,37\n"
        "  assay stats pentanomial --wdl 880,1863,759 --json\n"
        "  assay stats pentanomial --pgn games.pgn --between new,old");

    const auto [sprt, s] =
        add_verb(stats, "sprt", "Wald's test: the LLR of counts between its bounds", run_sprt);
    add_counts(*sprt, *s);
    add_bounds(*sprt, *s);
    add_errors(*sprt, *s);
    sprt->add_flag("--compat", s->compat, "as fishtest and fastchess compute it");
    sprt->add_flag("--no-ladder", s->no_ladder,
                   "no correction for the overshoot; counts have no path and never get one");
    sprt->footer(
        "examples:\n"
        "  assay stats sprt --pentanomial 241,3440,6895,3664,258 --elo0 0 --elo1 3\n"
        "  assay stats sprt --wdl 880,1863,759 --model logistic --elo1 5 --compat --json\n"
        "  assay stats sprt --run latest --elo0 0 --elo1 5");
}

}  // namespace

void add_stats(Command& app, Exit& /*exit*/) {
    Command* const stats = app.add_subcommand("stats", "statistics from counts, a PGN or a run");
    stats->require_subcommand(1);
    stats->footer(
        "examples:\n"
        "  assay stats pentanomial --pentanomial 43,61,144,55,37\n"
        "  assay stats plan --elo0 0 --elo1 2");
    add_tests(*stats);
    add_planning(*stats);
    add_rate(*stats);
    add_pool(*stats);
    add_adjust(*stats);
}

}  // namespace assay::cli
