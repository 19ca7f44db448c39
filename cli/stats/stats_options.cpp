#include "cli/stats/stats_options.h"

#include "base/diagnostic.h"
#include "cli/frame/values.h"

namespace assay::cli {

using stats::check_settings;
using stats::Model;
using stats::model_named;
using stats::Shape;
using stats::shape_named;
using stats::SprtSettings;

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

void add_bounds(Command& verb, StatsOptions& options) {
    constexpr double kMostElo = 1000;  // as in a config
    verb.add_option("--elo0", options.elo0, "H0's strength: nElo unless --model says otherwise")
        ->type_name("X")
        ->transform(number(-kMostElo, kMostElo))
        ->capture_default_str();
    verb.add_option("--elo1", options.elo1, "H1's strength: nElo unless --model says otherwise")
        ->type_name("X")
        ->transform(number(-kMostElo, kMostElo))
        ->capture_default_str();
    verb.add_option("--model", options.model,
                    "scale of the bounds: normalized (nElo, not that of rating lists), logistic "
                    "(as `elo:` in a config) or bayesian")
        ->transform(one_of({"normalized", "logistic", "bayesian"}))
        ->capture_default_str();
}

void add_probability(Command& verb, std::string_view flag, double& value, std::string text) {
    verb.add_option(flag, value, std::move(text))
        ->type_name("P")
        ->transform(number(0.0, 1.0))
        ->capture_default_str();
}

void add_errors(Command& verb, StatsOptions& options) {
    add_probability(verb, "--alpha", options.alpha, "chance to accept H1 at elo0");
    add_probability(verb, "--beta", options.beta, "chance to accept H0 at elo1");
}

}  // namespace assay::cli
