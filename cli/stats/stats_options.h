#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/frame/command.h"
#include "cli/stats/stats_input.h"
#include "stats/estimate/likelihood_ratio.h"
#include "stats/stop/boundary.h"
#include "stats/test/sprt.h"

namespace assay::cli {

/// The flags of all verbs of `assay stats`; each verb uses some of them.
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

/// Each throws Error for an unknown name or for settings that make no test.
[[nodiscard]] stats::Model model_of(const StatsOptions& options);
[[nodiscard]] stats::SprtSettings sprt_settings(const StatsOptions& options);
[[nodiscard]] stats::Shape shape_of(const StatsOptions& options);

/// Adds --elo0, --elo1 and --model, their scale.
void add_bounds(Command& verb, StatsOptions& options);
/// Adds --alpha and --beta.
void add_errors(Command& verb, StatsOptions& options);

/// A flag with a number from 0 to 1, whose default --help shows.
void add_probability(Command& verb, std::string_view flag, double& value, std::string text);

/// Adds one verb with options of its own.
template <class Run>
std::pair<Command*, std::shared_ptr<StatsOptions>> add_verb(Command& stats, const char* name,
                                                            const char* what, Run run) {
    Command* const verb = stats.add_subcommand(name, what);
    const auto options = std::make_shared<StatsOptions>();
    verb->add_flag("--json", options->json, "one JSON object on standard output");
    verb->callback([options, run] { run(*options); });
    return {verb, options};
}

}  // namespace assay::cli
