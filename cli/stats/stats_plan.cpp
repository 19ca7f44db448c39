#include "cli/stats/stats_plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <unistd.h>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "cli/frame/values.h"
#include "cli/stats/stats_options.h"
#include "cli/stats/stats_print.h"
#include "harness/match/budget.h"
#include "harness/plan/time_control.h"
#include "reports/text/terminal.h"
#include "reports/view/number_text.h"
#include "stats/data/elo.h"
#include "stats/plan/sample_size.h"
#include "stats/plan/simulate.h"
#include "stats/stop/boundary.h"
#include "stats/stop/capped.h"
#include "stats/stop/exit_law.h"

namespace assay::cli {

namespace {

using stats::Boundary;
using stats::calibrated_boundary;
using stats::cap_in_pairs;
using stats::capped_error;
using stats::capped_width;
using stats::EloPrior;
using stats::ExitLaw;
using stats::game_variance;
using stats::kBalancedLaw;
using stats::kElo;
using stats::Model;
using stats::nelo_of;
using stats::plan_boundary;
using stats::plan_wald;
using stats::score_of_elo;
using stats::Shape;
using stats::simulate;
using stats::SimulationResult;
using stats::SimulationSettings;
using stats::tilted_law;

/// Shows the progress of a long simulation on standard error: one line that is redrawn on a
/// terminal, elsewhere one line a minute.
class PlanProgress {
public:
    PlanProgress(const Clock& clock, int runs)
        : clock_(clock),
          runs_(runs),
          is_live_(reports::terminal_style(STDERR_FILENO).is_live),
          begin_(clock.now()),
          next_(begin_ + (is_live_ ? std::chrono::milliseconds(500) : std::chrono::minutes(1))) {}

    void show(int finished) {
        const TimePoint now = clock_.now();
        if (now < next_) return;
        next_ = now + (is_live_ ? std::chrono::milliseconds(250) : std::chrono::minutes(1));
        const double left = static_cast<double>(runs_ - finished) / finished;
        const auto wait = std::chrono::round<Micros>((now - begin_) * left);
        const std::string text =
            fmt::format("{} of {} tests, about {} left", finished, runs_, reports::duration(wait));
        fmt::print(stderr, fmt::runtime(is_live_ ? "\r{}\x1b[K" : "{}\n"), text);
        is_drawn_ = is_live_;
    }

    void clear() {
        if (is_drawn_) fmt::print(stderr, "\r\x1b[K");
    }

private:
    const Clock& clock_;
    int runs_;
    bool is_live_;
    TimePoint begin_;
    TimePoint next_;
    bool is_drawn_ = false;
};

void run_boundary(const StatsOptions& options) {
    const Boundary boundary = calibrated_boundary(shape_of(options), options.alpha, options.beta);
    print_boundary(options.rule, boundary, ExitLaw(boundary), options.json);
}

/// The length of a game, as given or as expected under the time control.
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

/// The bounds on the scale that the plan uses.
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

/// Two of bounds, errors and pairs determine the third.
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
        settings.kind = SimulationSettings::Kind::Evidence;
        settings.evidence = {options.elo0, options.elo1, options.alpha, options.beta};
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
    const SteadyClock clock;
    PlanProgress progress(clock, settings.runs);
    settings.on_progress = [&](int finished) { progress.show(finished); };
    const SimulationResult result = simulate(settings);
    progress.clear();
    print_simulation(options.rule, settings, result, options.json);
}

}  // namespace

void add_planning(Command& stats) {
    const auto [boundary, b] = add_verb(
        stats, "boundary", "calibrate a stopping boundary for any error rates", run_boundary);
    boundary->add_option("--rule", b->rule, "the boundary's shape")
        ->transform(one_of({"closing", "closing-ff", "closing-ff-mirror", "capped"}))
        ->capture_default_str();
    add_errors(*boundary, *b);
    boundary->footer(
        "examples:\n"
        "  assay stats boundary --rule capped --alpha 0.05 --beta 0.05\n"
        "  assay stats boundary --rule closing-ff --alpha 0.01 --beta 0.1 --json");

    const auto [plan, l] = add_verb(stats, "plan", "how many pairs a test will take", run_plan);
    add_bounds(*plan, *l);
    add_errors(*plan, *l);
    plan->add_option("--rule", l->rule, "a boundary's shape, or Wald's test")
        ->transform(one_of({"closing", "closing-ff", "closing-ff-mirror", "capped", "sprt"}))
        ->capture_default_str();
    plan->add_option("--budget", l->budget,
                     "pairs of a capped test; its width follows, or its errors where --elo1 is "
                     "given")
        ->type_name("PAIRS")
        ->transform(number(std::int64_t{1}, std::int64_t{1'000'000'000}));
    plan->get_option("--elo1")->each([l = l] { l->has_elo1 = true; });
    for (const char* const error : {"--alpha", "--beta"}) {
        plan->get_option(error)->each([l = l] { l->has_errors = true; });
    }
    plan->add_option("--draw-rate", l->draw_rate, "share of drawn games, for logistic bounds")
        ->type_name("P")
        ->transform(number(0.0, 1.0));
    plan->add_option("--bias", l->bias, "root mean square imbalance of the openings, in Elo")
        ->type_name("ELO")
        ->transform(number(0.0));
    plan->add_option("--nelo", l->nelo, "plan a fixed number of pairs for this difference")
        ->type_name("NELO")
        ->transform(number<double>());
    add_probability(*plan, "--power", l->power, "chance to see the difference of --nelo");
    plan->add_option("--prior", l->prior, "assumed nElo of changes: mean and standard deviation")
        ->transform(number<double>())
        ->delimiter(',')
        ->expected(2)
        ->type_name("MEAN,SD");
    plan->add_option("--game-seconds", l->game_seconds, "mean length of a game, for the hours")
        ->type_name("SECONDS")
        ->transform(number(0.001, 1e6));
    plan->add_option(
            "--time", l->time,
            "time control such as 10+0.1, for the hours: 60 moves a side, 90 % of a clock used")
        ->type_name("TIME");
    plan->add_option("--concurrency", l->concurrency, "games at once")
        ->type_name("N")
        ->transform(number(1, 100'000));
    plan->footer(
        "examples:\n"
        "  assay stats plan --elo0 0 --elo1 2 --time 10+0.1 --concurrency 8\n"
        "  assay stats plan --rule capped --budget 20000\n"
        "  assay stats plan --nelo 5 --power 0.9");

    const auto [simulate, m] =
        add_verb(stats, "simulate", "error rates, lengths and coverage of a rule", run_simulate);
    add_bounds(*simulate, *m);
    add_errors(*simulate, *m);
    simulate
        ->add_option("--rule", m->rule,
                     "a boundary's shape, Wald's test, or one that holds at any look")
        ->transform(
            one_of({"closing", "closing-ff", "closing-ff-mirror", "capped", "sprt", "anytime"}))
        ->capture_default_str();
    simulate->add_option("--law", m->law, "chances of the pair categories LL to WW")
        ->transform(number(0.0, 1.0))
        ->delimiter(',')
        ->expected(5)
        ->type_name("LL,LD,DD,WD,WW");
    simulate->add_option("--nelo", m->nelo, "true strength: the law is tilted to it")
        ->type_name("NELO")
        ->transform(number<double>());
    simulate->add_option("--runs", m->runs, "tests to simulate")
        ->type_name("N")
        ->transform(number(1, 100'000'000))
        ->capture_default_str();
    simulate->add_option("--most-pairs", m->most_pairs, "a test that reaches them is undecided")
        ->type_name("N")
        ->transform(number(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    simulate->add_option("--batch", m->batch, "pairs between looks; 0: automatic")
        ->type_name("N")
        ->transform(number(0, 1'000'000));
    simulate->add_option("--seed", m->seed, "same seed, same result")
        ->type_name("N")
        ->transform(number<std::uint64_t>())
        ->capture_default_str();
    simulate->add_option("--threads", m->threads, "threads; 0: all cores")
        ->type_name("N")
        ->transform(number(0, 1024));
    simulate->add_flag("--no-ladder", m->no_ladder, "of sprt: no correction for the overshoot");
    simulate->footer(
        "examples:\n"
        "  assay stats simulate --rule closing-ff --elo1 20 --nelo 10 --runs 2000\n"
        "  assay stats simulate --rule sprt --elo1 20 --nelo 0 --seed 7 --json");
}

}  // namespace assay::cli
