#include "cli/stats/stats_adjust.h"

#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/enum_names.h"
#include "cli/frame/values.h"
#include "cli/stats/stats_options.h"
#include "reports/view/json_text.h"
#include "stats/test/multiple.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using stats::Adjusted;
using stats::Correction;

struct AdjustOptions {
    std::vector<double> p;
    std::vector<double> e;
    std::string method = "holm";
    double level = 0.05;
    bool json = false;
};

std::vector<Adjusted> adjusted(const AdjustOptions& options, Correction method) {
    const bool needs_e = method == Correction::EBh;
    if (needs_e ? options.e.empty() || !options.p.empty()
                : options.p.empty() || !options.e.empty()) {
        throw Error(needs_e ? "--method ebh takes --e E,E,... and no --p"
                            : "--method " + options.method + " takes --p P,P,... and no --e");
    }
    switch (method) {
        case Correction::Holm:
            return stats::adjust_holm(options.p, options.level);
        case Correction::BenjaminiHochberg:
            return stats::adjust_bh(options.p, options.level);
        case Correction::EBh:
            return stats::adjust_ebh(options.e, options.level);
        case Correction::Lord:
            return stats::adjust_lord(options.p, options.level);
    }
    return {};
}

std::string_view promise_of(Correction method) {
    return enum_names<Correction>("no false claim among all of them",
                                  "share of false claims, if the tests are independent",
                                  "share of false claims, however the tests depend",
                                  "share of false claims in the stream so far")
        .of(method);
}

void run_adjust(const AdjustOptions& options) {
    const auto method = stats::correction_named(options.method);
    if (!method) throw Error("--method must be holm, bh, ebh or lord");
    const std::vector<Adjusted> list = adjusted(options, *method);
    const std::vector<double>& given = options.e.empty() ? options.p : options.e;
    const char* const value_name = *method == Correction::Lord ? "level" : "adjusted";
    if (options.json) {
        json::array tests;
        for (std::size_t i = 0; i < list.size(); ++i) {
            tests.push_back({{options.e.empty() ? "p" : "e", reports::json_number(given[i])},
                             {value_name, reports::json_number(list[i].value)},
                             {"rejected", list[i].is_rejected}});
        }
        fmt::print("{}\n", reports::json_text(json::object{{"method", options.method},
                                                           {"level", options.level},
                                                           {"tests", std::move(tests)}}));
        return;
    }
    int rejected = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        rejected += list[i].is_rejected ? 1 : 0;
        fmt::print("{:>4}  {} = {:.4g}   {} {:.4g}   {}\n", i + 1, options.e.empty() ? "p" : "e",
                   given[i], value_name, list[i].value,
                   list[i].is_rejected ? "holds" : "does not hold");
    }
    fmt::print("{} of {} hold at {} ({}).\n", rejected, list.size(), options.level,
               promise_of(*method));
}

}  // namespace

void add_adjust(Command& stats) {
    Command* const verb =
        stats.add_subcommand("adjust", "adjust the results of many tests for each other");
    const auto options = std::make_shared<AdjustOptions>();
    verb->add_flag("--json", options->json, "one JSON object on standard output");
    verb->add_option("--p", options->p, "p-values; for lord in the order of the tests")
        ->transform(number(0.0, 1.0))
        ->delimiter(',')
        ->type_name("P,P,...");
    verb->add_option("--e", options->e, "e-values, for ebh")
        ->transform(number(0.0))
        ->delimiter(',')
        ->type_name("E,E,...");
    verb->add_option("--method", options->method,
                     "Holm, Benjamini-Hochberg, the same of e-values, or LORD")
        ->transform(one_of({"holm", "bh", "ebh", "lord"}))
        ->capture_default_str();
    add_probability(*verb, "--level", options->level, "error allowed for all of them together");
    verb->footer(
        "examples:\n"
        "  assay stats adjust --p 0.003,0.04,0.2\n"
        "  assay stats adjust --p 0.003,0.04,0.2,0.0001 --method lord --json\n"
        "  assay stats adjust --e 12,55,0.3 --method ebh");
    verb->callback([options] { run_adjust(*options); });
}

}  // namespace assay::cli
