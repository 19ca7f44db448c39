#include "reports/files/tournament_files.h"

#include <optional>
#include <vector>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/tournament_words.h"
#include "reports/view/escape.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;

json::array json_wdl(const stats::Wdl& games) {
    return {games.wins, games.draws, games.losses};
}

double half_of(std::int64_t half_points) {
    return 0.5 * static_cast<double>(half_points);
}

json::value json_name(const TournamentView& view, std::size_t program) {
    return json_string(view.names.at(program));
}

json::object program_json(const TournamentView& view, std::size_t index) {
    const TournamentRow& row = view.rows[index];
    const harness::StandingRow& standing = row.standing;
    json::object out{{"rank", standing.rank},
                     {"name", json_string(row.name)},
                     {"version", json_word(row.version)},
                     {"points", standing.points()},
                     {"games", row.games()},
                     {"wdl", json_wdl(standing.games)},
                     {"as_first", json_wdl(row.sides.first)},
                     {"as_second", json_wdl(row.sides.second)},
                     {"byes", standing.byes},
                     {"score", json_number(row.score())},
                     {"sonneborn_berger", standing.sonneborn_berger},
                     {"buchholz", standing.buchholz},
                     {"buchholz_cut1", standing.buchholz_cut1},
                     {"performance", json_number(standing.performance)}};
    const auto& rating = row.rating;
    out["elo"] = rating ? json_number(rating->elo) : nullptr;
    out["error"] = rating ? json_number(rating->error) : nullptr;
    out["ci95"] = rating ? json::value(json_interval(rating->ci95)) : nullptr;
    out["simultaneous95"] = rating ? json::value(json_interval(rating->simultaneous95)) : nullptr;
    out["strength_rank"] =
        rating ? json::value(json::array{rating->rank_low, rating->rank_high}) : nullptr;
    out["los_to_next"] = json_number(row.los_to_next);
    out["failures"] = json_failures(row.failures);
    json::array against;
    for (std::size_t other = 0; other < view.rows.size(); ++other) {
        const stats::Wdl games = view.between(index, other);
        against.push_back(games.games() == 0 ? json::value(nullptr) : json::value(json_wdl(games)));
    }
    out["against"] = std::move(against);
    return out;
}

json::object round_json(const TournamentView& view, const TournamentRound& round) {
    json::array meetings;
    for (const RoundMeeting& shown : round.meetings) {
        meetings.push_back(json::object{{"first", json_name(view, shown.meeting.first)},
                                        {"second", json_name(view, shown.meeting.second)},
                                        {"encounter", shown.meeting.encounter + 1},
                                        {"wdl", json_wdl(shown.games)},
                                        {"armageddon", shown.meeting.is_armageddon},
                                        {"complete", shown.is_complete}});
    }
    json::array byes;
    for (const harness::Bye& bye : round.byes)
        byes.push_back(json::object{{"program", json_name(view, bye.program)},
                                    {"points", half_of(bye.half_points)}});
    json::object out{
        {"round", round.round + 1}, {"meetings", std::move(meetings)}, {"byes", std::move(byes)}};
    if (view.kind == harness::TournamentKind::Knockout) {
        json::array went_on;
        for (const std::size_t program : round.went_on) went_on.push_back(json_name(view, program));
        out["went_on"] = std::move(went_on);
    }
    return out;
}

json::value condition_json(const harness::ConditionResult& result) {
    const harness::TournamentCondition& one = result.condition;
    json::object out{{"program", json_string(one.program)},
                     {"state", json_string(harness::name_of(result.state))},
                     {"text", json_string(harness::text_of(result))},
                     {"limit", one.limit}};
    using ConditionKind = harness::TournamentCondition::Kind;
    out["kind"] = json_string(harness::name_of(one.kind));
    if (one.is_of_failures()) {
        out["found"] = result.found;
        return out;
    }
    out["over"] =
        one.kind == ConditionKind::Rating ? json_word(one.over) : json_word(result.opponent);
    out["elo"] = json_number(result.elo);
    out["simultaneous95"] = json_interval(result.interval);
    if (one.kind == ConditionKind::Pairings) out["pairings"] = result.pairings;
    return out;
}

json::array conditions_json(const TournamentView& view) {
    json::array out;
    if (!view.judged) return out;
    for (const harness::ConditionResult& one : view.judged->conditions)
        out.push_back(condition_json(one));
    return out;
}

std::string field(const std::optional<double>& value, int decimals) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : "";
}

struct CsvColumn {
    std::string_view head;
    std::string (*cell)(const TournamentRow&);
};

// Scripts rely on them: columns are added, never changed.
constexpr std::array kCsvColumns = std::to_array<CsvColumn>({
    {"rank", [](const TournamentRow& row) { return std::to_string(row.standing.rank); }},
    {"program", [](const TournamentRow& row) { return csv(row.name); }},
    {"version", [](const TournamentRow& row) { return csv(row.version); }},
    {"points", [](const TournamentRow& row) { return score_text(row.standing.half_points); }},
    {"games", [](const TournamentRow& row) { return std::to_string(row.games()); }},
    {"wins", [](const TournamentRow& row) { return std::to_string(row.standing.games.wins); }},
    {"draws", [](const TournamentRow& row) { return std::to_string(row.standing.games.draws); }},
    {"losses", [](const TournamentRow& row) { return std::to_string(row.standing.games.losses); }},
    {"byes", [](const TournamentRow& row) { return std::to_string(row.standing.byes); }},
    {"score", [](const TournamentRow& row) { return field(row.score(), 6); }},
    {"sonneborn_berger",
     [](const TournamentRow& row) { return field(row.standing.sonneborn_berger, 2); }},
    {"buchholz", [](const TournamentRow& row) { return field(row.standing.buchholz, 2); }},
    {"buchholz_cut1",
     [](const TournamentRow& row) { return field(row.standing.buchholz_cut1, 2); }},
    {"performance", [](const TournamentRow& row) { return field(row.standing.performance, 3); }},
    {"elo",
     [](const TournamentRow& row)
         -> std::string { return row.rating ? field(row.rating->elo, 3) : ""; }},
    {"error",
     [](const TournamentRow& row)
         -> std::string { return row.rating ? field(row.rating->error, 3) : ""; }},
    {"low95",
     [](const TournamentRow& row)
         -> std::string { return row.rating ? field(row.rating->ci95.low, 3) : ""; }},
    {"high95",
     [](const TournamentRow& row)
         -> std::string { return row.rating ? field(row.rating->ci95.high, 3) : ""; }},
    {"low95_all",
     [](const TournamentRow& row)
         -> std::string { return row.rating ? field(row.rating->simultaneous95.low, 3) : ""; }},
    {"high95_all",
     [](const TournamentRow& row)
         -> std::string { return row.rating ? field(row.rating->simultaneous95.high, 3) : ""; }},
    {"los_to_next", [](const TournamentRow& row) { return field(row.los_to_next, 6); }},
    {"crashes", [](const TournamentRow& row) { return std::to_string(row.failures.crashes); }},
    {"time_losses",
     [](const TournamentRow& row) { return std::to_string(row.failures.time_losses); }},
    {"illegal_moves",
     [](const TournamentRow& row) { return std::to_string(row.failures.illegal_moves); }},
    {"stalls", [](const TournamentRow& row) { return std::to_string(row.failures.stalls); }},
});

}  // namespace

json::object tournament_json(const TournamentView& view) {
    json::array programs;
    for (std::size_t row = 0; row < view.rows.size(); ++row)
        programs.push_back(program_json(view, row));
    json::array rounds;
    for (const TournamentRound& round : view.rounds) rounds.push_back(round_json(view, round));
    json::object first{{"side", json_string(view.first_side)},
                       {"wdl", json_wdl(view.first_player)}};
    first["elo"] = view.first_move ? json::value(json_estimate(*view.first_move)) : nullptr;
    json::object out{
        {"kind", json_string(harness::name_of(view.kind))},
        {"over", view.is_over},
        {"done", view.done},
        {"all", view.all ? json::value(*view.all) : nullptr},
        {"games", view.games()},
        {"pairs", view.pairs},
        {"single_games", view.single_games},
        {"left_seconds",
         view.left ? json_number(static_cast<double>(view.left->count()) / 1e6) : nullptr},
        {"winner", view.winner ? json_string(view.rows[*view.winner].name) : nullptr},
        {"strongest", view.strongest ? json_string(view.rows[*view.strongest].name) : nullptr},
        {"orders_shown", view.orders},
        {"orders", view.all_orders},
        {"programs", std::move(programs)},
        {"rounds", std::move(rounds)},
        {"first_player", std::move(first)},
        {"draw_rate", json_number(view.draw_rate())},
        {"draw_rate_of_equals", json_number(view.equal_draws)},
        {"warnings", json_strings(view.warnings)}};
    if (view.judged) out["conditions"] = conditions_json(view);
    return out;
}

std::string tournament_csv(const TournamentView& view) {
    std::vector<std::string> heads;
    for (const CsvColumn& column : kCsvColumns) heads.emplace_back(column.head);
    // Points and games stand apart: a spreadsheet reads "4/8" as a date.
    for (const TournamentRow& row : view.rows) heads.push_back(csv("points against " + row.name));
    for (const TournamentRow& row : view.rows) heads.push_back(csv("games against " + row.name));
    std::string out = joined(heads, ",") + "\n";
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
        std::vector<std::string> cells;
        for (const CsvColumn& column : kCsvColumns) cells.push_back(column.cell(view.rows[i]));
        std::vector<std::string> counts;
        for (std::size_t other = 0; other < view.rows.size(); ++other) {
            const stats::Wdl games = view.between(i, other);
            const bool is_met = games.games() > 0;
            cells.push_back(is_met ? points_text(games) : "");
            counts.push_back(is_met ? fmt::format("{}", games.games()) : "");
        }
        cells.insert(cells.end(), counts.begin(), counts.end());
        out += joined(cells, ",") + "\n";
    }
    return out;
}

}  // namespace assay::reports
