#include "cli/stats/rate_output.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/escape.h"

namespace assay::cli {

namespace {

using reports::rank_text;
using reports::rating_order;
using stats::Rating;
using stats::RatingDifference;
using stats::RatingTable;

/// Without the sign of what is shown as zero.
std::string elo_text(double elo) {
    return fmt::format("{:+.1f}", std::fabs(elo) < 0.05 ? 0.0 : elo);
}

std::string end_text(const std::optional<double>& end) {
    return end ? fmt::format("{:+.0f}", *end) : "open";
}

std::string joined(const std::vector<std::size_t>& programs, const RatedList& list) {
    std::string text;
    for (const std::size_t i : programs) {
        text += (text.empty() ? "" : ", ") + printable_utf8(list.programs[i]);
    }
    return text;
}

void print_ratings(const RatingTable& table, const RatedList& list,
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
        fmt::print("{:<6} {:<{}} {:>7}   {:<15} {:>5.0f}  {:>6}  {}\n", rank_text(rating),
                   printable_utf8(list.programs[i]), width, elo_text(rating.elo),
                   fmt::format("[{}, {}]", end_text(rating.ci95.low), end_text(rating.ci95.high)),
                   rating.games, score, los);
    }
}

void print_differences(const RatingTable& table, const RatedList& list,
                       const std::vector<std::size_t>& order) {
    constexpr std::size_t kMostPrograms = 20;
    if (order.size() < 2) return;
    if (order.size() > kMostPrograms) {
        fmt::print("\n{} differences are in --format json\n",
                   order.size() * (order.size() - 1) / 2);
        return;
    }
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

void print_connection(const RatingTable& table, const RatedList& list) {
    const auto& components = table.connection().components();
    if (components.size() > 1) {
        fmt::print("These groups never met, and their ratings cannot be compared:\n");
        for (const auto& members : components) fmt::print("  {}\n", joined(members, list));
    }
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (!table.has_prior(i)) continue;
        fmt::print(
            "The results among {} are {}: half a win and half a loss against the field "
            "were added for each, and open ends are unknown.\n",
            joined(components[i], list), reports::prior_cause(table, i));
    }
    if (table.has_first_move_prior()) {
        fmt::print(
            "The first move's advantage does not follow from these games alone: half a game won and "
            "half a game lost by the first player were added.\n");
    }
}

/// The conclusion, in one sentence.
std::string conclusion(const RatingTable& table, const RatedList& list,
                       const std::vector<std::size_t>& order) {
    if (order.size() < 2) return "One program alone has no rating.";
    const reports::ShownOrders orders = reports::shown_orders(table);
    std::string text = fmt::format("{} of {} differences are shown (95 % for all at once)",
                                   orders.shown, orders.all);
    if (reports::is_strongest(table, order.front())) {
        text += fmt::format("; {} is the strongest", printable_utf8(list.programs[order.front()]));
    }
    return text + ".";
}

/// "2950.1", empty where the end is open.
std::string field(const std::optional<double>& value) {
    return value ? fmt::format("{:.3f}", *value) : "";
}

std::string markdown_interval(const stats::Interval& interval) {
    return fmt::format("[{}, {}]", end_text(interval.low), end_text(interval.high));
}

/// The chance that the row's program is the stronger one, in %.
void print_los_matrix(const RatingTable& table, const RatedList& list,
                      const std::vector<std::size_t>& order) {
    constexpr std::size_t kMostPrograms = 30;
    if (order.size() < 2 || order.size() > kMostPrograms) return;
    fmt::print("\nLikelihood of superiority, row over column, in %:\n\n| |");
    for (std::size_t place = 0; place < order.size(); ++place) fmt::print(" {} |", place + 1);
    fmt::print("\n|:--|");
    for (std::size_t place = 0; place < order.size(); ++place) fmt::print("--:|");
    fmt::print("\n");
    for (std::size_t row = 0; row < order.size(); ++row) {
        fmt::print("| {} {} |", row + 1, reports::markdown(list.programs[order[row]]));
        for (const std::size_t other : order) {
            const RatingDifference difference = table.difference(order[row], other);
            const bool is_known = other != order[row] && difference.is_comparable;
            fmt::print(" {} |", is_known ? fmt::format("{:.1f}", 100 * difference.los) : "");
        }
        fmt::print("\n");
    }
}

void print_conditions(const RatingTable& table, const RatedList& list) {
    if (const auto& first_move = table.first_move()) {
        fmt::print("first move: {:+.1f} Elo [{}, {}]; ", *first_move->value,
                   end_text(first_move->ci95.low), end_text(first_move->ci95.high));
    }
    fmt::print("draws between equal engines {:.1f} %; {} independent units; seed {}\n",
               100 * table.draw_rate(), table.clusters(), list.seed);
}

}  // namespace

void print_rating_text(const RatingTable& table, const RatedList& list) {
    const std::vector<std::size_t> order = rating_order(table);
    fmt::print("{}\n", list.note);
    for (const std::string& warning : list.warnings) fmt::print("warning: {}\n", warning);
    print_ratings(table, list, order);
    print_differences(table, list, order);
    fmt::print("\n");
    print_conditions(table, list);
    print_connection(table, list);
    fmt::print("{}\n", conclusion(table, list, order));
}

void print_rating_csv(const RatingTable& table, const RatedList& list) {
    fmt::print(
        "rank_low,rank_high,program,elo,error,low95,high95,low95_all,high95_all,games,points,"
        "component,commit,sha256,runs\n");
    for (const std::size_t i : rating_order(table)) {
        const Rating& rating = table.ratings()[i];
        const harness::PooledVersion version =
            list.versions.empty() ? harness::PooledVersion{} : list.versions[i];
        fmt::print("{},{},{},{:.3f},{:.3f},{},{},{},{},{:.0f},{:.1f},{},{},{},{}\n",
                   rating.rank_low, rating.rank_high, reports::csv(list.programs[i]), rating.elo,
                   rating.error, field(rating.ci95.low), field(rating.ci95.high),
                   field(rating.simultaneous95.low), field(rating.simultaneous95.high),
                   rating.games, rating.points, table.connection().component_of(i),
                   reports::csv(version.commit), reports::csv(version.sha256), version.runs);
    }
}

void print_rating_markdown(const RatingTable& table, const RatedList& list) {
    const std::vector<std::size_t> order = rating_order(table);
    fmt::print("{}\n\n", reports::markdown(list.note));
    for (const std::string& warning : list.warnings) {
        fmt::print("**{}**\n\n", reports::markdown(warning));
    }
    fmt::print(
        "| rank | program | Elo | 95 % | 95 % for all at once | games | score |\n"
        "|--:|:--|--:|:--|:--|--:|--:|\n");
    for (const std::size_t i : order) {
        const Rating& rating = table.ratings()[i];
        const std::string score =
            rating.games > 0 ? fmt::format("{:.1f} %", 100 * rating.points / rating.games) : "";
        fmt::print("| {} | {} | {} | {} | {} | {:.0f} | {} |\n", rank_text(rating),
                   reports::markdown(list.programs[i]), elo_text(rating.elo),
                   markdown_interval(rating.ci95), markdown_interval(rating.simultaneous95),
                   rating.games, score);
    }
    print_los_matrix(table, list, order);
    fmt::print("\n");
    print_conditions(table, list);
    print_connection(table, list);
    fmt::print("{}\n", reports::markdown(conclusion(table, list, order)));
}

}  // namespace assay::cli
