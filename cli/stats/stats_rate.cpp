#include "cli/stats/stats_rate.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/values.h"
#include "cli/stats/stats_input.h"
#include "reports/view/json_text.h"
#include "stats/estimate/rating.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using stats::GameList;
using stats::Rating;
using stats::RatingDifference;
using stats::RatingTable;

struct RateOptions {
    StatsInput input;
    std::string cluster = "pair";
    std::vector<std::string> anchors;  // NAME=ELO
    std::uint64_t seed = 1;
    bool json = false;
};

stats::RatingAnchor anchor_of(const RateOptions& options, const GameList& list) {
    stats::RatingAnchor anchor;
    for (const std::string& text : options.anchors) {
        const std::size_t equals = text.rfind('=');
        const auto elo = equals == std::string::npos
                             ? std::nullopt
                             : to_number<double>(std::string_view(text).substr(equals + 1));
        if (!elo || !(*elo >= -1e6 && *elo <= 1e6)) {
            throw Error("--anchor takes NAME=ELO, found '" + printable_utf8(text) + "'");
        }
        const std::string name = text.substr(0, equals);
        const auto found = std::find(list.programs.begin(), list.programs.end(), name);
        if (found == list.programs.end()) {
            const std::vector<std::string_view> names(list.programs.begin(), list.programs.end());
            throw Error("--anchor: there is no program '" + printable_utf8(name) + "'" +
                        did_you_mean(name, names));
        }
        anchor.programs.push_back(static_cast<std::size_t>(found - list.programs.begin()));
        anchor.value += *elo / static_cast<double>(options.anchors.size());
    }
    return anchor;
}

/// The programs, component by component, in order of strength.
std::vector<std::size_t> order_of(const RatingTable& table) {
    std::vector<std::size_t> order(table.ratings().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const std::size_t of_a = table.connection().component_of(a);
        const std::size_t of_b = table.connection().component_of(b);
        if (of_a != of_b) return of_a < of_b;
        return table.ratings()[a].elo > table.ratings()[b].elo;
    });
    return order;
}

json::array interval_json(const stats::Interval& interval) {
    return {reports::json_number(interval.low), reports::json_number(interval.high)};
}

json::array names_of(const std::vector<std::size_t>& programs, const GameList& list) {
    json::array names;
    for (const std::size_t i : programs) names.push_back(reports::json_string(list.programs[i]));
    return names;
}

json::array program_objects(const RatingTable& table, const GameList& list,
                            const std::vector<std::size_t>& order) {
    json::array out;
    for (const std::size_t i : order) {
        const Rating& rating = table.ratings()[i];
        out.push_back({{"name", reports::json_string(list.programs[i])},
                       {"elo", reports::json_number(rating.elo)},
                       {"error", reports::json_number(rating.error)},
                       {"ci95", interval_json(rating.ci95)},
                       {"simultaneous95", interval_json(rating.simultaneous95)},
                       {"games", reports::json_number(rating.games)},
                       {"points", reports::json_number(rating.points)},
                       {"rank", json::array{rating.rank_low, rating.rank_high}},
                       {"component", table.connection().component_of(i)}});
    }
    return out;
}

json::array difference_objects(const RatingTable& table, const GameList& list,
                               const std::vector<std::size_t>& order) {
    json::array out;
    for (std::size_t a = 0; a < order.size(); ++a) {
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            const RatingDifference difference = table.difference(order[a], order[b]);
            json::object one{{"a", reports::json_string(list.programs[order[a]])},
                             {"b", reports::json_string(list.programs[order[b]])}};
            if (difference.is_comparable) {
                one["elo"] = reports::json_number(difference.elo);
                one["error"] = reports::json_number(difference.error);
                one["ci95"] = interval_json(difference.ci95);
                one["simultaneous95"] = interval_json(difference.simultaneous95);
                one["los"] = reports::json_number(difference.los);
                one["score"] = reports::json_number(difference.score);
            } else {
                for (const char* key : {"elo", "error", "ci95", "simultaneous95", "los", "score"}) {
                    one[key] = nullptr;
                }
            }
            out.push_back(std::move(one));
        }
    }
    return out;
}

json::array component_objects(const RatingTable& table, const GameList& list) {
    json::array out;
    const auto& components = table.connection().components();
    for (std::size_t i = 0; i < components.size(); ++i) {
        out.push_back({{"programs", names_of(components[i], list)},
                       {"one_sided", !table.connection().is_strong(i)},
                       {"prior", table.has_prior(i)}});
    }
    return out;
}

json::array los_matrix(const RatingTable& table, const std::vector<std::size_t>& order) {
    json::array rows;
    for (const std::size_t a : order) {
        json::array row;
        for (const std::size_t b : order) {
            const RatingDifference difference = table.difference(a, b);
            row.push_back(a == b || !difference.is_comparable
                              ? json::value(nullptr)
                              : reports::json_number(difference.los));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void print_json(const RatingTable& table, const GameList& list, const RateOptions& options) {
    const std::vector<std::size_t> order = order_of(table);
    json::object out{{"programs", program_objects(table, list, order)},
                     {"differences", difference_objects(table, list, order)},
                     {"los", los_matrix(table, order)},
                     {"components", component_objects(table, list)},
                     {"first_move", nullptr},
                     {"draw_rate", reports::json_number(table.draw_rate())},
                     {"clusters", table.clusters()},
                     {"critical", reports::json_number(table.critical())},
                     {"seed", options.seed},
                     {"input", reports::json_string(list.note)},
                     {"duplicates", list.duplicates}};
    if (const auto& first_move = table.first_move()) {
        out["first_move"] = json::object{{"elo", reports::json_number(first_move->value)},
                                         {"ci95", interval_json(first_move->ci95)},
                                         {"prior", table.has_first_move_prior()}};
    }
    fmt::print("{}\n", reports::json_text(out));
}

std::string end_text(const std::optional<double>& end) {
    return end ? fmt::format("{:+.0f}", *end) : "open";
}

std::string rank_text(const Rating& rating) {
    return rating.rank_low == rating.rank_high
               ? fmt::format("{}", rating.rank_low)
               : fmt::format("{}-{}", rating.rank_low, rating.rank_high);
}

std::string joined(const std::vector<std::size_t>& programs, const GameList& list) {
    std::string text;
    for (const std::size_t i : programs) {
        text += (text.empty() ? "" : ", ") + printable_utf8(list.programs[i]);
    }
    return text;
}

void print_table(const RatingTable& table, const GameList& list,
                 const std::vector<std::size_t>& order) {
    std::size_t width = 7;
    for (const std::string& name : list.programs) {
        width = std::max(width, printable_utf8(name).size());
    }
    fmt::print("rank   {:<{}}     Elo   95 %            games   score  LOS to next\n", "program",
               width);
    for (std::size_t place = 0; place < order.size(); ++place) {
        const std::size_t i = order[place];
        const Rating& rating = table.ratings()[i];
        const bool is_new_component =
            place > 0 &&
            table.connection().component_of(order[place - 1]) != table.connection().component_of(i);
        if (is_new_component) fmt::print("--\n");
        std::string los;
        if (place + 1 < order.size()) {
            const RatingDifference next = table.difference(i, order[place + 1]);
            if (next.is_comparable) los = fmt::format("{:.3f}", next.los);
        }
        const std::string score =
            rating.games > 0 ? fmt::format("{:.1f} %", 100 * rating.points / rating.games) : "-";
        fmt::print("{:<6} {:<{}} {:>+7.1f}   {:<15} {:>5.0f}  {:>6}  {}\n", rank_text(rating),
                   printable_utf8(list.programs[i]), width, rating.elo,
                   fmt::format("[{}, {}]", end_text(rating.ci95.low), end_text(rating.ci95.high)),
                   rating.games, score, los);
    }
}

void print_differences(const RatingTable& table, const GameList& list,
                       const std::vector<std::size_t>& order) {
    if (order.size() < 2) return;
    fmt::print("\ndifferences, all intervals together 95 % (factor {:.2f})\n", table.critical());
    for (std::size_t a = 0; a < order.size(); ++a) {
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            const RatingDifference difference = table.difference(order[a], order[b]);
            if (!difference.is_comparable) continue;
            fmt::print(
                "  {} - {}: {:+.1f} [{}, {}], LOS {:.3f}, expected score {:.1f} %\n",
                printable_utf8(list.programs[order[a]]), printable_utf8(list.programs[order[b]]),
                difference.elo, end_text(difference.simultaneous95.low),
                end_text(difference.simultaneous95.high), difference.los, 100 * difference.score);
        }
    }
}

void print_connection(const RatingTable& table, const GameList& list) {
    const auto& components = table.connection().components();
    if (components.size() > 1) {
        fmt::print("These groups never met, and their ratings cannot be compared:\n");
        for (const auto& members : components) fmt::print("  {}\n", joined(members, list));
    }
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (!table.has_prior(i)) continue;
        fmt::print(
            "The results among {} are one-sided: half a win and half a loss against the field "
            "were added for each, and open ends are unknown.\n",
            joined(components[i], list));
    }
    if (table.has_first_move_prior()) {
        fmt::print("One side won everything: half a game was added for the other one.\n");
    }
}

/// The conclusion, in one sentence.
std::string conclusion(const RatingTable& table, const GameList& list,
                       const std::vector<std::size_t>& order) {
    if (order.size() < 2) return "One program alone has no rating.";
    std::size_t shown = 0;
    std::size_t all = 0;
    for (std::size_t a = 0; a < order.size(); ++a) {
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            const RatingDifference difference = table.difference(order[a], order[b]);
            if (!difference.is_comparable) continue;
            ++all;
            const stats::Interval& sure = difference.simultaneous95;
            if ((sure.low && *sure.low > 0) || (sure.high && *sure.high < 0)) ++shown;
        }
    }
    const Rating& best = table.ratings()[order.front()];
    std::string text =
        fmt::format("{} of {} differences are shown (95 % for all at once)", shown, all);
    if (best.rank_high == 1 && table.connection().components().size() == 1) {
        text += fmt::format("; {} is the strongest", printable_utf8(list.programs[order.front()]));
    }
    return text + ".";
}

void print_text(const RatingTable& table, const GameList& list, const RateOptions& options) {
    const std::vector<std::size_t> order = order_of(table);
    fmt::print("{}\n", list.note);
    print_table(table, list, order);
    print_differences(table, list, order);
    fmt::print("\n");
    if (const auto& first_move = table.first_move()) {
        fmt::print("first move: {:+.1f} Elo [{}, {}]; ", *first_move->value,
                   end_text(first_move->ci95.low), end_text(first_move->ci95.high));
    }
    fmt::print("draws between equal engines {:.1f} %; {} independent units; seed {}\n",
               100 * table.draw_rate(), table.clusters(), options.seed);
    print_connection(table, list);
    fmt::print("{}\n", conclusion(table, list, order));
}

void run_rate(const RateOptions& options) {
    const GameList list = read_games(options.input);
    stats::RatingSettings settings;
    settings.anchor = anchor_of(options, list);
    settings.seed = options.seed;
    const RatingTable table(list.programs.size(), rated_games(list, options.cluster), settings);
    if (options.json) {
        print_json(table, list, options);
    } else {
        print_text(table, list, options);
    }
}

}  // namespace

void add_rate(Command& stats) {
    Command* const verb = stats.add_subcommand("rate", "ratings of several programs");
    const auto options = std::make_shared<RateOptions>();
    verb->add_flag("--json", options->json, "one JSON object on standard output");
    add_games_options(*verb, options->input);
    verb->remove_option(verb->get_option("--between"));
    verb->add_option("--table", options->input.table, "a file of lines A,B,wins,draws,losses")
        ->type_name("FILE");
    verb->add_option("--anchor", options->anchors, "this program's rating; several: their mean")
        ->type_name("NAME=ELO");
    verb->add_option("--cluster", options->cluster, "which games are not independent of each other")
        ->transform(one_of({"pair", "opening", "game"}))
        ->capture_default_str();
    verb->add_option("--seed", options->seed, "seed of the simultaneous intervals")
        ->type_name("N")
        ->transform(number<std::uint64_t>())
        ->capture_default_str();
    verb->footer(
        "examples:\n"
        "  assay stats rate --pgn games.pgn --anchor base=3000\n"
        "  assay stats rate --table results.csv --json\n"
        "  assay stats rate --run latest --cluster opening");
    verb->callback([options] { run_rate(*options); });
}

}  // namespace assay::cli
