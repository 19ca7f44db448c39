#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "configs/loader/plan_reader.h"
#include "harness/plan/resolved_stop.h"

namespace assay::configs {

namespace {

using harness::StopPlan;

struct Preset {
    std::string_view name;
    double e0;
    double e1;
};

/// Bounds of `closing` in normalized Elo.
constexpr std::array<Preset, 4> kClosingPresets{{
    {"gain", 0, 2},
    {"no_regression", -1.75, 0.25},
    {"quick_gain", 0, 5},
    {"quick_no_regression", -5, 0},
}};

/// Bounds of `anytime` in logistic Elo.
constexpr std::array<Preset, 3> kAnytimePresets{{
    {"gain", 0, 2},
    {"no_regression", -1.75, 0.25},
    {"stronger", 0, 0},
}};

void read_errors(const Section& section, StopPlan& stop) {
    stop.alpha = section.get<double>("alpha");
    stop.beta = section.get<double>("beta");
    if (stop.alpha.value_or(0.05) + stop.beta.value_or(0.05) >= 1)
        section.complain(section.place(), "alpha and beta must add up to less than 1");
    stop.batch = static_cast<int>(section.get<std::int64_t>("batch").value_or(0));
}

void set_bounds(const std::optional<std::array<double, 2>>& bounds, StopPlan& stop) {
    if (!bounds) return;
    stop.e0 = (*bounds)[0];
    stop.e1 = (*bounds)[1];
}

void read_closing(const Section& parent, StopPlan& stop) {
    if (const auto preset_name = parent.word("closing")) {
        stop.preset = *preset_name;
        for (const Preset& preset : kClosingPresets)
            if (preset.name == stop.preset) set_bounds({{preset.e0, preset.e1}}, stop);
        return;
    }
    const auto section = parent.block("closing");
    if (!section) return;
    section->need({"nelo"});
    set_bounds(section->bounds("nelo"), stop);
    if (section->get<std::string>("shape") == "symmetric") stop.shape = StopPlan::Shape::Symmetric;
    read_errors(*section, stop);
}

void read_capped(const Section& parent, StopPlan& stop) {
    if (const auto preset = parent.word("capped")) {
        stop.preset = *preset;
        return;
    }
    const auto section = parent.block("capped");
    if (!section) return;
    set_bounds(section->bounds("nelo"), stop);
    const auto preset = section->get<std::string>("preset");
    if (preset && section->has("nelo"))
        section->complain(section->place_of("preset"), "'preset' and 'nelo' exclude each other");
    if (!section->has("nelo")) stop.preset = preset.value_or("no_regression");
    read_errors(*section, stop);
}

void read_sprt(const Section& parent, StopPlan& stop) {
    const auto section = parent.block("sprt");
    if (!section) return;
    const bool is_normalized = section->has("nelo");
    if (is_normalized && section->has("elo"))
        section->complain(section->place_of("nelo"), "'elo' and 'nelo' exclude each other");
    section->need({"elo", "nelo"});
    set_bounds(section->bounds(is_normalized ? "nelo" : "elo"), stop);
    const auto model = section->get<std::string>("model");
    if (is_normalized && model && *model != "normalized")
        section->complain(section->place_of("model"), "'nelo' needs the normalized model");
    stop.model = StopPlan::Model::Logistic;
    if (is_normalized || model == "normalized") stop.model = StopPlan::Model::Normalized;
    if (model == "bayesian") stop.model = StopPlan::Model::Bayesian;
    read_errors(*section, stop);
}

void read_anytime(const Section& parent, StopPlan& stop) {
    stop.model = StopPlan::Model::Logistic;
    const auto word = parent.word("anytime");
    const auto section = word ? std::nullopt : parent.block("anytime");
    if (!section && !word) return;
    if (section && section->has("elo")) {
        set_bounds(section->bounds("elo"), stop);
        if (section->has("preset"))
            section->complain(section->place_of("preset"), "'preset' and 'elo' exclude each other");
    } else {
        stop.preset = word ? *word : section->get<std::string>("preset").value_or("stronger");
        for (const Preset& preset : kAnytimePresets)
            if (preset.name == stop.preset) set_bounds({{preset.e0, preset.e1}}, stop);
    }
    if (section) read_errors(*section, stop);
}

void read_rule(const Section& section, std::string_view rule, StopPlan& stop) {
    if (rule == "closing") {
        stop.rule = StopPlan::Rule::Closing;
        read_closing(section, stop);
    } else if (rule == "capped") {
        stop.rule = StopPlan::Rule::Capped;
        read_capped(section, stop);
    } else if (rule == "sprt") {
        stop.rule = StopPlan::Rule::Sprt;
        read_sprt(section, stop);
    } else if (rule == "anytime") {
        stop.rule = StopPlan::Rule::Anytime;
        read_anytime(section, stop);
    } else {
        stop.rule = StopPlan::Rule::Fixed;
        if (const auto fixed = section.block("fixed")) stop.alpha = fixed->get<double>("alpha");
    }
}

}  // namespace

StopPlan read_stop(const Section& section) {
    StopPlan stop;
    if (section.word("stop")) return stop;
    const auto block = section.block("stop");
    if (!block) return stop;
    std::string_view chosen;
    for (const std::string_view rule : {"closing", "capped", "sprt", "anytime", "fixed"}) {
        if (!block->has(rule)) continue;
        StopPlan read = stop;
        read_rule(*block, rule, read);
        if (chosen.empty())
            stop = read;
        else
            block->complain(block->place_of(rule),
                            fmt::format("a run stops by one rule; '{}' and '{}' exclude each other",
                                        chosen, rule));
        chosen = chosen.empty() ? rule : chosen;
    }
    stop.minutes = block->get<Micros>("minutes");
    return stop;
}

void check_pairs_suffice(const Section& section, const harness::MatchPlan& match) {
    const bool has_bounds =
        match.stop.rule == StopPlan::Rule::Capped && match.stop.e0 && match.stop.e1;
    if (!has_bounds || match.pairs == 0) return;
    const auto stop = section.block("stop");
    const auto capped = stop ? stop->block("capped") : std::nullopt;
    if (!capped || !capped->has("nelo")) return;
    try {
        (void)harness::resolve_stop(match);
    } catch (const Error& error) {
        section.complain(capped->place_of("nelo"), error.what());
    }
}

harness::RequirePlan read_require(const Section& section) {
    harness::RequirePlan require;
    const auto block = section.block("require");
    if (!block) return require;
    require.crashes = block->get<std::int64_t>("crashes");
    require.time_losses = block->get<std::int64_t>("time_losses");
    require.illegal_moves = block->get<std::int64_t>("illegal_moves");
    require.speed_percent = block->get<double>("speed");
    return require;
}

}  // namespace assay::configs
