#include "reports/files/events.h"

#include <utility>

#include <boost/json/array.hpp>

#include "harness/tournament/tournament_state.h"
#include "reports/files/pgn.h"
#include "reports/files/suite_json.h"
#include "reports/view/json_text.h"
#include "reports/view/match_left.h"
#include "reports/view/run_view.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;

void add_standing(json::object& out, const harness::MatchTally& tally) {
    out["pairs"] = tally.pairs();
    out["wdl"] = json::array{tally.wdl().wins, tally.wdl().draws, tally.wdl().losses};
    out["pentanomial"] = json_counts(tally.pentanomial());
    const auto test = test_state(tally);
    out["llr"] = test ? json_number(test->llr) : nullptr;
    out["verdict"] = json_word(harness::name_of(tally.verdict()));
    out["tainted"] = tally.is_tainted();
}

}  // namespace

void EventWriter::write(std::string_view name, json::object fields) const {
    json::object out{{"event", json_string(name)}, {"time", static_cast<double>(now_()) / 1e6}};
    for (auto& field : fields) out.insert(std::move(field));
    write_(json_text(out) + "\n");
}

void EventWriter::on_run_start(const harness::RunRecord& run) {
    json::array programs;
    for (const harness::ProgramPlan& program : run.plan.programs)
        programs.push_back(json_string(program.name));
    write("run_start", {{"run", run.id},
                        {"name", json_string(run.name)},
                        {"seed", run.plan.seed ? json::value(*run.plan.seed) : nullptr},
                        {"assay", json_string(run.assay_version)},
                        {"programs", std::move(programs)}});
}

void EventWriter::on_match_start(const harness::RunRecord& run, std::size_t match,
                                 int concurrency) {
    progress_[match] = MatchProgress{now_(), std::nullopt, std::nullopt};
    const harness::MatchPlan& plan = run.plan.matches.at(match);
    write("match_start", {{"match", match + 1},
                          {"between", json::array{json_string(program_name(run, plan, 0)),
                                                  json_string(program_name(run, plan, 1))}},
                          {"planned", plan.pairs},
                          {"concurrency", concurrency}});
}

void EventWriter::on_tournament_start(const harness::RunRecord& run,
                                      const harness::TournamentState& state, int concurrency) {
    is_tournament_ = true;
    const harness::TournamentPlan& plan = *run.plan.tournament;
    write("tournament_start",
          {{"kind", json_string(harness::name_of(plan.kind))},
           {"meetings", state.meetings ? json::value(*state.meetings) : nullptr},
           {"complete", state.complete},
           {"concurrency", concurrency}});
}

void EventWriter::on_tournament_end(const harness::RunRecord& run,
                                    const harness::TournamentState& state) {
    json::array table;
    for (const harness::StandingRow& row : harness::standings_of(state)) {
        table.push_back(
            json::object{{"rank", row.rank},
                         {"program", json_string(run.plan.programs.at(row.program).name)},
                         {"points", json_number(row.points())},
                         {"wdl", json::array{row.games.wins, row.games.draws, row.games.losses}}});
    }
    write("tournament_end",
          {{"complete", state.complete}, {"over", state.is_over}, {"standings", std::move(table)}});
}

void EventWriter::on_game_start(const harness::GameStarted& game) {
    write("game_start", {{"match", game.match + 1}, {"game", game.number}, {"slot", game.slot}});
}

void EventWriter::on_game_end(const harness::GameRecord& game, bool is_void) {
    const json::value guilty =
        game.guilty < 0 ? json::value(nullptr)
                        : json::value(game.program[static_cast<std::size_t>(game.guilty)]);
    write("game_end", {{"match", game.match + 1},
                       {"game", game.number},
                       {"pair", game.pair + 1},
                       {"attempt", game.attempt},
                       {"slot", game.slot},
                       {"first", game.program[0]},
                       {"result", json_string(pgn_result(game))},
                       {"score", json_number(game.score_of(0))},
                       {"termination", json_string(harness::name_of(game.termination))},
                       {"guilty", guilty},
                       {"reason", json_string(game.reason)},
                       {"harness_caused", game.harness_caused},
                       {"void", is_void},
                       {"plies", game.opening.size() + game.moves.size()}});
}

void EventWriter::on_pair(const harness::PairDigest& pair, const harness::MatchTally& tally) {
    json::object fields{{"match", pair.match + 1},
                        {"pair", pair.pair + 1},
                        {"attempt", pair.attempt},
                        {"state", json_string(harness::name_of(pair.state))}};
    if (pair.is_single)
        fields["single"] = true;
    else
        fields["category"] = pair.category();
    add_standing(fields, tally);
    if (!is_tournament_) add_left(fields, pair, tally);
    write("pair", std::move(fields));
}

void EventWriter::add_left(json::object& fields, const harness::PairDigest& pair,
                           const harness::MatchTally& tally) {
    constexpr long long kBetween = 1'000'000;
    MatchProgress& progress = progress_[pair.match];
    if (!progress.first_pairs)
        progress.first_pairs = tally.pairs() - (pair.state == harness::PairState::Counted ? 1 : 0);
    const long long now = now_();
    if (progress.left_us && now - *progress.left_us < kBetween) return;
    progress.left_us = now;
    MatchSpeed speed;
    speed.spent = Micros(now - progress.began_us);
    const std::int64_t done = tally.pairs() - *progress.first_pairs;
    if (done > 0 && speed.spent > Micros(0))
        speed.us_per_pair = static_cast<double>(speed.spent.count()) / static_cast<double>(done);
    fields["left"] = json_left(left_of(tally, speed));
}

void EventWriter::on_warning(std::string_view kind, std::string_view text) {
    write("warning", {{"kind", json_string(kind)}, {"text", json_string(text)}});
}

void EventWriter::on_note(std::string_view text) {
    write("note", {{"text", json_string(text)}});
}

void EventWriter::on_speed_progress(const harness::SpeedProgress& progress) {
    write("speed_progress",
          {{"between", json::array{json_string(progress.first), json_string(progress.second)}},
           {"done", progress.done},
           {"most", progress.most},
           {"over", progress.is_over}});
}

void EventWriter::on_match_end(std::size_t match, const harness::MatchTally& tally) {
    json::object fields{{"match", match + 1}};
    add_standing(fields, tally);
    write("match_end", std::move(fields));
}

void EventWriter::on_suite_start(const harness::RunRecord& run, int concurrency) {
    suite_run_ = run;
    const harness::SuitePlan& suite = *run.plan.suite;
    write("suite_start", {{"positions", suite.positions.size()},
                          {"searches", suite.positions.size() * suite.programs.size()},
                          {"concurrency", concurrency}});
}

void EventWriter::on_search_end(const harness::SearchRecord& search, std::size_t done) {
    const harness::SuitePlan& suite = *suite_run_.plan.suite;
    write("search_end",
          {{"program", json_string(suite_run_.plan.programs[suite.programs[search.program]].name)},
           {"position", json_string(suite.positions[search.position].id)},
           {"end", json_string(harness::name_of(search.end))},
           {"reason", json_string(search.reason)},
           {"nodes", search.nodes},
           {"done", done}});
}

void EventWriter::on_suite_end(const harness::RunRecord& run, const harness::SuiteResult& result) {
    RunView view{run, {}, {}, ""};
    view.suite = &result;
    write("suite_end", {{"expectations", expectations_json(view)}});
}

void EventWriter::on_run_end(const harness::RunRecord& run) {
    write("run_end", {{"run", run.id},
                      {"state", json_string(harness::name_of(run.state))},
                      {"reason", json_string(run.end_reason)}});
}

}  // namespace assay::reports
