#include "reports/view/run_view.h"

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/number_text.h"
#include "reports/view/version_text.h"
#include "stats/data/sample.h"

namespace assay::reports {

Figures figures_of(const harness::MatchTally& tally) {
    Figures figures;
    figures.strength = stats::estimate_strength(stats::sample_of(tally.pentanomial()));
    figures.sign_flip = stats::sign_flip_test(tally.pentanomial());
    figures.balance = tally.pentanomial().balance();
    figures.null = stats::plug_in_null(tally.first_player_wins(), tally.wdl().draws, tally.games());
    if (figures.null) {
        figures.trinomial = stats::trinomial_test(tally.pairs(), figures.balance, *figures.null);
    }
    return figures;
}

std::optional<stats::TestState> test_state(const harness::MatchTally& tally) {
    if (tally.rule() == nullptr) return std::nullopt;
    stats::TestState state = tally.rule()->state();
    if (tally.verdict() == harness::Verdict::Accepted) state.state = "accepted H1";
    if (tally.verdict() == harness::Verdict::Rejected) state.state = "accepted H0";
    if (tally.verdict() == harness::Verdict::Inconclusive) state.state = "inconclusive";
    return state;
}

std::optional<LlrBounds> bounds_of(const stats::TestState& test) {
    const auto lower = test.corrected_lower ? test.corrected_lower : test.lower;
    const auto upper = test.corrected_upper ? test.corrected_upper : test.upper;
    if (!lower || !upper) return std::nullopt;
    return LlrBounds{*lower, *upper};
}

std::optional<FailedGame> failed_game(const harness::RunRecord& run, std::size_t match,
                                      const harness::GameRecord& game) {
    if (!harness::is_failure(game.termination) || game.guilty < 0) return std::nullopt;
    const auto side = static_cast<std::size_t>(game.program[static_cast<std::size_t>(game.guilty)]);
    FailedGame failed;
    failed.match = match;
    failed.number = game.number;
    failed.pair = game.pair;
    failed.game = game.game;
    failed.ply = static_cast<int>(game.opening.size() + game.moves.size()) + 1;
    failed.program = program_name(run, run.plan.matches.at(match), side);
    failed.termination = game.termination;
    failed.reason = game.reason;
    failed.last_command = game.last_command;
    failed.last_lines = game.last_lines;
    return failed;
}

TournamentView tournament_of(const harness::RunRecord& run, const harness::TournamentState& state,
                             std::optional<double> us_per_pair) {
    TournamentInput input;
    input.name = run.name;
    input.setup = state.setup;
    for (std::size_t i = 0; i < run.plan.programs.size(); ++i) {
        input.names.push_back(run.plan.programs[i].name);
        input.versions.push_back(version_text(version_at(run, i)));
    }
    if (!run.plan.matches.empty()) {
        const std::string side = side_names(run.plan.matches.front()).front();
        if (side != "first") input.first_side = side;
    }
    input.is_over = state.is_over || run.state == harness::RunState::Finished;
    input.us_per_pair = us_per_pair;
    TournamentView view = tournament_view(input, state.played);
    view.judged = harness::judge_conditions(run.plan, state.played, run.findings.was_added_to());
    return view;
}

const std::string& program_name(const harness::RunRecord& run, const harness::MatchPlan& match,
                                std::size_t index) {
    return run.plan.programs.at(match.between.at(index)).name;
}

std::int64_t half_points(const harness::MatchTally& tally) {
    return 2 * tally.wdl().wins + tally.wdl().draws;
}

std::string store_flag(const std::string& store) {
    if (store == "assay.db" || store.empty()) return "";
    return " --db " + shell_word(printable_utf8(store));
}

std::string replay_command(const harness::RunRecord& run, const FailedGame& game,
                           const std::string& store) {
    std::string command = fmt::format("assay replay {} {} {}", run.id, game.number, game.ply);
    if (game.match > 0) command += fmt::format(" --match {}", game.match + 1);
    return command + store_flag(store);
}

std::string time_text(const harness::RunRecord& run, const harness::MatchPlan& match) {
    const std::string first = harness::to_text(match.time[0]);
    if (match.time[0] == match.time[1]) return first;
    return fmt::format("{} {}, {} {}", program_name(run, match, 0), first,
                       program_name(run, match, 1), harness::to_text(match.time[1]));
}

}  // namespace assay::reports
