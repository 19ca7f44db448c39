#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/stats/rate_output.h"
#include "reports/view/json_text.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using reports::rating_order;
using stats::Rating;
using stats::RatingDifference;
using stats::RatingTable;

json::array names_of(const std::vector<std::size_t>& programs, const RatedList& list) {
    json::array names;
    for (const std::size_t i : programs) names.push_back(reports::json_string(list.programs[i]));
    return names;
}

json::object version_object(const harness::PooledVersion& version) {
    return {{"commit", reports::json_word(version.commit)},
            {"subject", reports::json_word(version.subject)},
            {"sha256", reports::json_word(version.sha256)},
            {"names", reports::json_strings({version.names.begin(), version.names.end()})},
            {"builds", version.builds},
            {"runs", version.runs},
            {"first_us", version.first_us},
            {"last_us", version.last_us}};
}

json::array program_objects(const RatingTable& table, const RatedList& list,
                            const std::vector<std::size_t>& order) {
    json::array out;
    for (const std::size_t i : order) {
        const Rating& rating = table.ratings()[i];
        json::object one{{"name", reports::json_string(list.programs[i])},
                         {"elo", reports::json_number(rating.elo)},
                         {"error", reports::json_number(rating.error)},
                         {"ci95", reports::json_interval(rating.ci95)},
                         {"simultaneous95", reports::json_interval(rating.simultaneous95)},
                         {"games", reports::json_number(rating.games)},
                         {"points", reports::json_number(rating.points)},
                         {"rank", json::array{rating.rank_low, rating.rank_high}},
                         {"component", table.connection().component_of(i)}};
        if (!list.versions.empty()) one["version"] = version_object(list.versions[i]);
        out.push_back(std::move(one));
    }
    return out;
}

json::array difference_objects(const RatingTable& table, const RatedList& list,
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
                one["ci95"] = reports::json_interval(difference.ci95);
                one["simultaneous95"] = reports::json_interval(difference.simultaneous95);
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

json::array component_objects(const RatingTable& table, const RatedList& list) {
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

}  // namespace

void print_rating_json(const RatingTable& table, const RatedList& list) {
    const std::vector<std::size_t> order = rating_order(table);
    json::object out{{"programs", program_objects(table, list, order)},
                     {"differences", difference_objects(table, list, order)},
                     {"los", los_matrix(table, order)},
                     {"components", component_objects(table, list)},
                     {"first_move", nullptr},
                     {"draw_rate", reports::json_number(table.draw_rate())},
                     {"clusters", table.clusters()},
                     {"critical", reports::json_number(table.critical())},
                     {"seed", list.seed},
                     {"input", reports::json_string(list.note)},
                     {"warnings", reports::json_strings(list.warnings)},
                     {"duplicates", list.duplicates}};
    if (const auto& first_move = table.first_move()) {
        out["first_move"] = json::object{{"elo", reports::json_number(first_move->value)},
                                         {"ci95", reports::json_interval(first_move->ci95)},
                                         {"prior", table.has_first_move_prior()}};
    }
    fmt::print("{}\n", reports::json_text(out));
}

}  // namespace assay::cli
