#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/core.h>

#include "base/diagnostic.h"
#include "cli/commands.h"
#include "cli/stats_adjust.h"
#include "cli/stats_input.h"
#include "cli/stats_print.h"
#include "cli/stats_rate.h"
#include "harness/budget.h"
#include "harness/time_control.h"
#include "stats/after_stop.h"
#include "stats/boundary.h"
#include "stats/elo.h"
#include "stats/estimate.h"
#include "stats/exit_law.h"
#include "stats/plan.h"
#include "stats/sign_flip.h"
#include "stats/simulate.h"
#include "stats/sprt.h"
#include "stats/trinomial.h"

namespace assay::cli {

namespace {

using namespace assay::stats;

struct StatsOptions {
    StatsInput input;
    std::vector<std::int64_t> pentanomial;
    std::vector<std::int64_t> wdl;
    std::optional<std::int64_t> pairs;
    std::optional<std::int64_t> score;
    std::vector<double> null;
    bool plug_in = false;
    double level = 0.05;
    std::string interval = "likelihood";
    std::string model = "normalized";
    std::string rule = "closing-ff";
    double elo0 = 0;
    double elo1 = 2;
    double alpha = 0.05;
    double beta = 0.05;
    bool compat = false;
    bool no_ladder = false;
    bool has_errors = false;  // of alpha and beta, one was given
    bool has_elo1 = false;
    std::optional<double> draw_rate;
    double bias = 0;
    std::optional<double> nelo;
    double power = 0.8;
    std::vector<double> prior{-0.75, 1.75};
    std::optional<std::int64_t> budget;
    std::optional<double> game_seconds;
    std::string time;
    int concurrency = 1;
    std::vector<double> law;
    int runs = 1000;
    std::int64_t most_pairs = 10'000'000;
    std::uint64_t seed = 1;
    int threads = 0;
    int batch = 0;
    bool json = false;
};

void check_counts(const std::vector<std::int64_t>& counts) {
    for (const std::int64_t count : counts) {
        if (count < 0 || count > 1'000'000'000) {
            throw Error(fmt::format("a count must be from 0 to 1000000000, found {}", count));
        }
    }
}

/// What a test works on, from counts or from games.
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
    check_counts(options.pentanomial);
    check_counts(options.wdl);
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

Model model_of(const StatsOptions& options) {
    const std::optional<Model> model = model_named(options.model);
    if (!model) {
        throw Error("--model must be normalized, logistic or bayesian, found '" + options.model +
                    "'");
    }
    return *model;
}

SprtSettings sprt_settings(const StatsOptions& options) {
    SprtSettings settings;
    settings.model = model_of(options);
    settings.elo0 = options.elo0;
    settings.elo1 = options.elo1;
    settings.alpha = options.alpha;
    settings.beta = options.beta;
    settings.compat = options.compat;
    settings.ladder = !options.no_ladder;
    check_settings(settings);
    return settings;
}

Shape shape_of(const StatsOptions& options) {
    const std::optional<Shape> shape = shape_named(options.rule);
    if (!shape) {
        throw Error("--rule must be closing, closing-ff, closing-ff-mirror or capped, found '" +
                    options.rule + "'");
    }
    return *shape;
}

/// Between equals: as the lecture's tables, or with the rates of the games themselves.
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

/// Games in order have a path: the test is run along it, and its overshoot corrected.
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
    print_sprt(settings, result, naive, after_wald(sample, settings, result.state, test.draw_elo()),
               json);
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
                "BayesElo needs the rate of drawn games, which pairs do not tell: give "
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
    print_sprt(settings, result, naive, after_wald(sample, settings, result.state, draw_elo),
               options.json);
}

void run_boundary(const StatsOptions& options) {
    const Boundary boundary = calibrated_boundary(shape_of(options), options.alpha, options.beta);
    print_boundary(options.rule, boundary, ExitLaw(boundary), options.json);
}

/// Length of a game, as given or as the time control lets one expect.
std::optional<double> seconds_of(const StatsOptions& options) {
    if (options.time.empty()) return options.game_seconds;
    if (options.game_seconds) throw Error("--time and --game-seconds exclude each other");
    std::string why;
    const auto control = harness::parse_time_control(options.time, why);
    if (!control) throw Error("--time: " + why);
    harness::MatchPlan match;
    match.time = {*control, *control};
    return harness::seconds_a_game(match);
}

/// The bounds on the scale that plans are made on.
void set_bounds(PlanReport& report, const StatsOptions& options) {
    report.elo0 = options.elo0;
    report.elo1 = options.elo1;
    const Model model = model_of(options);
    if (model == Model::Normalized) {
        if (options.draw_rate) throw Error("--draw-rate goes with --model logistic");
        return;
    }
    if (model == Model::Bayesian) throw Error("--model must be normalized or logistic for a plan");
    if (!options.draw_rate) {
        throw Error(
            "pairs for logistic bounds depend on the openings: give --draw-rate, the share of "
            "drawn games, and --bias, their imbalance in Elo");
    }
    const auto variance = *options.draw_rate >= 0 && *options.draw_rate < 1
                              ? game_variance(*options.draw_rate, options.bias)
                              : std::nullopt;
    if (!variance) throw Error("no games have this --draw-rate and --bias");
    for (double* const bound : {&report.elo0, &report.elo1}) {
        *bound = kElo * (score_of_elo(*bound) - 0.5) / std::sqrt(*variance);
    }
}

/// Two of bounds, errors and pairs decide the third.
void apply_budget(PlanReport& report, const StatsOptions& options) {
    if (!options.budget) return;
    if (options.rule != "capped") throw Error("--budget goes with --rule capped");
    const std::int64_t budget = *options.budget;
    if (budget < 1) throw Error("--budget must be at least 1 pair");
    if (!options.has_elo1) {
        report.elo1 = report.elo0 + capped_width(budget, report.alpha, report.beta);
        return;
    }
    if (!(report.elo0 < report.elo1)) throw Error("elo0 must be less than elo1");
    if (!options.has_errors) {
        report.alpha = capped_error(budget, report.elo1 - report.elo0);
        report.beta = report.alpha;
        return;
    }
    const std::int64_t needed =
        cap_in_pairs(Shape::Capped, report.elo1 - report.elo0, report.alpha, report.beta);
    if (needed > budget) {
        throw Error(fmt::format(
            "{} pairs do not suffice for these bounds and errors: allow {} pairs, or set the "
            "bounds {:.2f} nElo apart",
            budget, needed,
            std::ceil(100 * capped_width(budget, report.alpha, report.beta)) / 100));
    }
}

void run_plan(const StatsOptions& options) {
    PlanReport report;
    report.hours_per_pair = 0;
    if (const auto seconds = seconds_of(options)) {
        if (!std::isfinite(*seconds)) throw Error("--game-seconds must be a number");
        report.hours_per_pair = 2 * *seconds / 3600 / std::max(1, options.concurrency);
    }
    if (options.nelo) {
        if (!std::isfinite(*options.nelo) || std::fabs(*options.nelo) < 1e-4) {
            throw Error("--nelo must be a number of at least 0.0001 either way");
        }
        if (!(options.alpha > 0 && options.alpha < 1 && options.power > 0 && options.power < 1)) {
            throw Error("--alpha and --power must be between 0 and 1");
        }
        print_fixed_plan(*options.nelo, options.alpha, options.power, report.hours_per_pair,
                         options.json);
        return;
    }
    const EloPrior prior{options.prior[0], options.prior[1]};
    report.rule = options.rule;
    report.alpha = options.alpha;
    report.beta = options.beta;
    set_bounds(report, options);
    apply_budget(report, options);
    report.prior = prior;
    report.plan = options.rule == "sprt"
                      ? plan_wald(report.elo0, report.elo1, report.alpha, report.beta, prior)
                      : plan_boundary(shape_of(options), report.elo0, report.elo1, report.alpha,
                                      report.beta, prior);
    print_plan(report, options.json);
}

void run_simulate(const StatsOptions& options) {
    SimulationSettings settings;
    if (!options.law.empty()) {
        for (std::size_t i = 0; i < 5; ++i) settings.law[i] = options.law[i];
        settings.law =
            tilted_law(settings.law, options.nelo ? *options.nelo : nelo_of(settings.law));
    } else {
        settings.law = tilted_law(kBalancedLaw, options.nelo.value_or(0));
    }
    if (options.rule == "anytime") {
        settings.kind = SimulationSettings::Kind::Anytime;
        settings.anytime = {options.elo0, options.elo1, options.alpha, options.beta};
    } else if (options.rule == "sprt") {
        settings.kind = SimulationSettings::Kind::Sprt;
        settings.sprt = sprt_settings(options);
        settings.sprt.pairs_per_look = std::max(1, options.batch);
    } else {
        settings.boundary = {shape_of(options), model_of(options), options.elo0, options.elo1,
                             options.alpha,     options.beta,      options.batch};
    }
    settings.runs = options.runs;
    settings.most_pairs = options.most_pairs;
    settings.seed = options.seed;
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    settings.threads = options.threads > 0 ? options.threads : static_cast<int>(cores);
    print_simulation(options.rule, settings, simulate(settings), options.json);
}

void add_counts(CLI::App& verb, StatsOptions& options) {
    verb.add_option("--pentanomial", options.pentanomial,
                    "Pairs LL,LD,DD,WD,WW (DD together with WL)")
        ->delimiter(',')
        ->expected(5)
        ->type_name("LL,LD,DD,WD,WW");
    verb.add_option("--wdl", options.wdl, "Games won, drawn and lost, where they are not paired")
        ->delimiter(',')
        ->expected(3)
        ->type_name("W,D,L");
    add_games_options(verb, options.input);
}

void add_bounds(CLI::App& verb, StatsOptions& options) {
    verb.add_option("--elo0", options.elo0, "H0's strength")->capture_default_str();
    verb.add_option("--elo1", options.elo1, "H1's strength")->capture_default_str();
    verb.add_option("--model", options.model, "normalized, logistic or bayesian")
        ->capture_default_str();
}

void add_errors(CLI::App& verb, StatsOptions& options) {
    verb.add_option("--alpha", options.alpha, "Chance to accept H1 at elo0")->capture_default_str();
    verb.add_option("--beta", options.beta, "Chance to accept H0 at elo1")->capture_default_str();
}

/// One verb with its own options: what one callback sees no other has set.
template <class Run>
std::pair<CLI::App*, std::shared_ptr<StatsOptions>> add_verb(CLI::App& stats, const char* name,
                                                             const char* what, Run run) {
    CLI::App* const verb = stats.add_subcommand(name, what);
    const auto options = std::make_shared<StatsOptions>();
    verb->add_flag("--json", options->json, "One JSON object on standard output");
    verb->callback([options, run] { run(*options); });
    return {verb, options};
}

void add_tests(CLI::App& stats) {
    const auto [trinomial, t] =
        add_verb(stats, "trinomial", "The exact law of a score between equals", run_trinomial);
    add_counts(*trinomial, *t);
    trinomial->add_option("--pairs", t->pairs, "Pairs played");
    trinomial->add_option("--score", t->score, "Wins minus losses, in games");
    trinomial->add_option("--null", t->null, "Chance that the first player wins, and of a draw")
        ->delimiter(',')
        ->expected(2)
        ->type_name("P,Q");
    trinomial->add_flag("--plug-in", t->plug_in, "Those chances as the games themselves have them");
    trinomial->add_option("--level", t->level, "For the critical score")->capture_default_str();
    trinomial->footer(
        "examples:\n"
        "  assay stats trinomial --pairs 10 --score 8 --null 0.3918,0.3161\n"
        "  assay stats trinomial --pentanomial 4,9,18,12,7 --json\n"
        "  assay stats trinomial --pgn games.pgn --plug-in");

    const auto [pentanomial, p] =
        add_verb(stats, "pentanomial", "Elo, nElo and LOS of paired games", run_pentanomial);
    add_counts(*pentanomial, *p);
    pentanomial->add_option("--interval", p->interval, "likelihood, conservative or wald")
        ->check(CLI::IsMember({"likelihood", "conservative", "wald"}))
        ->capture_default_str();
    pentanomial->add_flag("--compat", p->compat, "As fishtest and fastchess compute it");
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
    sprt->add_flag("--compat", s->compat, "As fishtest and fastchess compute it");
    sprt->add_flag("--no-ladder", s->no_ladder,
                   "No correction for the overshoot; counts have no path and never get one");
    sprt->footer(
        "examples:\n"
        "  assay stats sprt --pentanomial 241,3440,6895,3664,258 --elo0 0 --elo1 3\n"
        "  assay stats sprt --wdl 880,1863,759 --model logistic --elo1 5 --compat --json\n"
        "  assay stats sprt --run latest --elo0 0 --elo1 5");
}

void add_planning(CLI::App& stats) {
    const auto [boundary, b] = add_verb(
        stats, "boundary", "Calibrate a stopping boundary for any error rates", run_boundary);
    boundary->add_option("--rule", b->rule, "closing, closing-ff, closing-ff-mirror or capped")
        ->capture_default_str();
    add_errors(*boundary, *b);
    boundary->footer(
        "examples:\n"
        "  assay stats boundary --rule capped --alpha 0.05 --beta 0.05\n"
        "  assay stats boundary --rule closing-ff --alpha 0.01 --beta 0.1 --json");

    const auto [plan, l] = add_verb(stats, "plan", "How many pairs a test will take", run_plan);
    add_bounds(*plan, *l);
    add_errors(*plan, *l);
    plan->add_option("--rule", l->rule, "A boundary's name, or sprt")->capture_default_str();
    plan->add_option("--budget", l->budget,
                     "Pairs of a capped test; its width follows, or its errors where --elo1 is "
                     "given");
    plan->get_option("--elo1")->each([l = l](const std::string&) { l->has_elo1 = true; });
    for (const char* const error : {"--alpha", "--beta"}) {
        plan->get_option(error)->each([l = l](const std::string&) { l->has_errors = true; });
    }
    plan->add_option("--draw-rate", l->draw_rate, "Share of drawn games, for logistic bounds");
    plan->add_option("--bias", l->bias, "Root mean square imbalance of the openings, in Elo");
    plan->add_option("--nelo", l->nelo, "Plan a fixed number of pairs for this difference");
    plan->add_option("--power", l->power, "Chance to see it")->capture_default_str();
    plan->add_option("--prior", l->prior, "Assumed nElo of changes")
        ->delimiter(',')
        ->expected(2)
        ->type_name("MEAN,SD");
    plan->add_option("--game-seconds", l->game_seconds, "Mean length of a game, for the hours")
        ->check(CLI::PositiveNumber);
    plan->add_option("--time", l->time,
                     "Time control, for the hours: 60 moves a side, 90 % of a clock used")
        ->type_name("10+0.1");
    plan->add_option("--concurrency", l->concurrency, "Games at once")
        ->check(CLI::Range(1, 100'000));
    plan->footer(
        "examples:\n"
        "  assay stats plan --elo0 0 --elo1 2 --time 10+0.1 --concurrency 8\n"
        "  assay stats plan --rule capped --budget 20000\n"
        "  assay stats plan --nelo 5 --power 0.9");

    const auto [simulate, m] =
        add_verb(stats, "simulate", "Error rates, lengths and coverage of a rule", run_simulate);
    add_bounds(*simulate, *m);
    add_errors(*simulate, *m);
    simulate->add_option("--rule", m->rule, "A boundary's name, sprt or anytime")
        ->capture_default_str();
    simulate->add_option("--law", m->law, "Chances of the pair categories LL to WW")
        ->delimiter(',')
        ->expected(5)
        ->type_name("LL,LD,DD,WD,WW");
    simulate->add_option("--nelo", m->nelo, "True strength: the law is tilted to it");
    simulate->add_option("--runs", m->runs, "Tests to play")->check(CLI::Range(1, 100'000'000));
    simulate->add_option("--most-pairs", m->most_pairs, "A test that reaches them is undecided")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    simulate->add_option("--batch", m->batch, "Pairs between looks; 0: automatic")
        ->check(CLI::Range(0, 1'000'000));
    simulate->add_option("--seed", m->seed, "Same seed, same result")->capture_default_str();
    simulate->add_option("--threads", m->threads, "0: all cores")->check(CLI::Range(0, 1024));
    simulate->add_flag("--no-ladder", m->no_ladder, "Of sprt: no correction for the overshoot");
    simulate->footer(
        "examples:\n"
        "  assay stats simulate --rule closing-ff --elo1 10 --nelo 5 --runs 20000\n"
        "  assay stats simulate --rule sprt --elo1 10 --nelo 0 --seed 7 --json");
}

}  // namespace

void add_stats(CLI::App& app, Exit& /*exit*/) {
    CLI::App* const stats =
        app.add_subcommand("stats", "the statistics alone, from counts, a PGN or a run");
    stats->require_subcommand(1);
    stats->footer(
        "examples:\n"
        "  assay stats pentanomial --pentanomial 43,61,144,55,37\n"
        "  assay stats plan --elo0 0 --elo1 2");
    add_tests(*stats);
    add_planning(*stats);
    add_rate(*stats);
    add_adjust(*stats);
}

}  // namespace assay::cli
