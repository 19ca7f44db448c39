#include "reports/files/events.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "reports/files/pgn.h"
#include "reports/files/suite_json.h"
#include "reports/view/json_text.h"
#include "reports/view/match_left.h"
#include "reports/view/run_view.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;

json::object event(std::string_view name, long long now_us) {
    return {{"event", json_string(name)}, {"time", static_cast<double>(now_us) / 1e6}};
}

std::string line(const json::object& object) {
    return json_text(object) + "\n";
}

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

void EventWriter::on_run_start(const harness::RunRecord& run) {
    json::object out = event("run_start", now_());
    out["run"] = run.id;
    out["name"] = json_string(run.name);
    out["seed"] = run.plan.seed ? json::value(*run.plan.seed) : nullptr;
    out["assay"] = json_string(run.assay_version);
    json::array programs;
    for (const harness::ProgramPlan& program : run.plan.programs)
        programs.push_back(json_string(program.name));
    out["programs"] = std::move(programs);
    write_(line(out));
}

void EventWriter::on_match_start(const harness::RunRecord& run, std::size_t match,
                                 int concurrency) {
    match_ = match;
    began_us_ = now_();
    first_pairs_.reset();
    left_us_.reset();
    const harness::MatchPlan& plan = run.plan.matches.at(match);
    json::object out = event("match_start", now_());
    out["match"] = match + 1;
    out["between"] = json::array{json_string(program_name(run, plan, 0)),
                                 json_string(program_name(run, plan, 1))};
    out["planned"] = plan.pairs;
    out["concurrency"] = concurrency;
    write_(line(out));
}

void EventWriter::on_game_start(std::int64_t number, int slot) {
    json::object out = event("game_start", now_());
    out["match"] = match_ + 1;
    out["game"] = number;
    out["slot"] = slot;
    write_(line(out));
}

void EventWriter::on_game_end(const harness::GameRecord& game, bool is_void) {
    json::object out = event("game_end", now_());
    out["match"] = match_ + 1;
    out["game"] = game.number;
    out["pair"] = game.pair + 1;
    out["attempt"] = game.attempt;
    out["slot"] = game.slot;
    out["first"] = game.program[0];
    out["result"] = json_string(pgn_result(game));
    out["score"] = json_number(game.score_of(0));
    out["termination"] = json_string(harness::name_of(game.termination));
    out["guilty"] = game.guilty < 0
                        ? json::value(nullptr)
                        : json::value(game.program[static_cast<std::size_t>(game.guilty)]);
    out["reason"] = json_string(game.reason);
    out["harness_caused"] = game.harness_caused;
    out["void"] = is_void;
    out["plies"] = game.opening.size() + game.moves.size();
    write_(line(out));
}

void EventWriter::on_pair(const harness::PairDigest& pair, const harness::MatchTally& tally) {
    json::object out = event("pair", now_());
    out["match"] = match_ + 1;
    out["pair"] = pair.pair + 1;
    out["attempt"] = pair.attempt;
    out["state"] = json_string(harness::name_of(pair.state));
    out["category"] = pair.category();
    add_standing(out, tally);
    add_left(out, pair, tally);
    write_(line(out));
}

void EventWriter::add_left(json::object& out, const harness::PairDigest& pair,
                           const harness::MatchTally& tally) {
    constexpr long long kBetween = 1'000'000;
    if (!first_pairs_)
        first_pairs_ = tally.pairs() - (pair.state == harness::PairState::Counted ? 1 : 0);
    const long long now = now_();
    if (left_us_ && now - *left_us_ < kBetween) return;
    left_us_ = now;
    MatchSpeed speed;
    speed.spent = Micros(now - began_us_);
    const std::int64_t done = tally.pairs() - *first_pairs_;
    if (done > 0 && speed.spent > Micros(0))
        speed.us_per_pair = static_cast<double>(speed.spent.count()) / static_cast<double>(done);
    out["left"] = json_left(left_of(tally, speed));
}

void EventWriter::on_warning(std::string_view kind, std::string_view text) {
    json::object out = event("warning", now_());
    out["kind"] = json_string(kind);
    out["text"] = json_string(text);
    write_(line(out));
}

void EventWriter::on_note(std::string_view text) {
    json::object out = event("note", now_());
    out["text"] = json_string(text);
    write_(line(out));
}

void EventWriter::on_speed_progress(const harness::SpeedProgress& progress) {
    json::object out = event("speed_progress", now_());
    out["between"] = json::array{json_string(progress.first), json_string(progress.second)};
    out["done"] = progress.done;
    out["most"] = progress.most;
    out["over"] = progress.is_over;
    write_(line(out));
}

void EventWriter::on_match_end(std::size_t match, const harness::MatchTally& tally) {
    json::object out = event("match_end", now_());
    out["match"] = match + 1;
    add_standing(out, tally);
    write_(line(out));
}

void EventWriter::on_suite_start(const harness::RunRecord& run, int concurrency) {
    suite_run_ = run;
    const harness::SuitePlan& suite = *run.plan.suite;
    json::object out = event("suite_start", now_());
    out["positions"] = suite.positions.size();
    out["searches"] = suite.positions.size() * suite.programs.size();
    out["concurrency"] = concurrency;
    write_(line(out));
}

void EventWriter::on_search_end(const harness::SearchRecord& search, std::size_t done) {
    const harness::SuitePlan& suite = *suite_run_.plan.suite;
    json::object out = event("search_end", now_());
    out["program"] = json_string(suite_run_.plan.programs[suite.programs[search.program]].name);
    out["position"] = json_string(suite.positions[search.position].id);
    out["end"] = json_string(harness::name_of(search.end));
    out["reason"] = json_string(search.reason);
    out["nodes"] = search.nodes;
    out["done"] = done;
    write_(line(out));
}

void EventWriter::on_suite_end(const harness::RunRecord& run, const harness::SuiteResult& result) {
    RunView view{run, {}, {}, ""};
    view.suite = &result;
    json::object out = event("suite_end", now_());
    out["expectations"] = expectations_json(view);
    write_(line(out));
}

void EventWriter::on_run_end(const harness::RunRecord& run) {
    json::object out = event("run_end", now_());
    out["run"] = run.id;
    out["state"] = json_string(harness::name_of(run.state));
    out["reason"] = json_string(run.end_reason);
    write_(line(out));
}

}  // namespace assay::reports
