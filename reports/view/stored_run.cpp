#include "reports/view/stored_run.h"

#include <cstddef>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/pair_counter.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostFailedShown = 20;

/// The first games in which a program failed; those of void pairs do not count.
std::vector<FailedGame> failed_games(const harness::Store& store, const harness::RunRecord& run,
                                     std::size_t match) {
    std::vector<FailedGame> failed;
    for (const harness::PairDigest& pair : store.pairs(run.id, match)) {
        if (harness::is_replaced(pair.state)) continue;
        for (const int game : {0, 1}) {
            if (pair.games[static_cast<std::size_t>(game)].guilty < 0) continue;
            if (failed.size() == kMostFailedShown) return failed;
            const auto record = store.game_of(run.id, match, pair.pair, game);
            if (!record) continue;
            if (auto found = failed_game(run, match, *record)) failed.push_back(std::move(*found));
        }
    }
    return failed;
}

}  // namespace

harness::RunRecord required_run(const harness::Store& store, const std::string& selector) {
    std::optional<harness::RunRecord> run = store.find_run(selector);
    if (run) return std::move(*run);
    const std::string path = printable_utf8(store.path());
    throw Error(selector.empty() || selector == "latest"
                    ? path + ": there is no run in it yet"
                    : path + ": there is no run '" + printable_utf8(selector) +
                          "'; 'assay runs' lists them");
}

StoredRun::StoredRun(std::shared_ptr<const harness::Store> store, harness::RunRecord run,
                     Detail detail)
    : store_(std::move(store)), run_(std::move(run)) {
    for (std::size_t match = 0; match < run_.plan.matches.size(); ++match) {
        tallies_.push_back(harness::tally_of(*store_, run_, match));
        failed_.emplace_back();
        if (detail == Detail::FailedGames) failed_.back() = failed_games(*store_, run_, match);
    }
    if (run_.plan.tournament) {
        const harness::TournamentState state = harness::tournament_state(*store_, run_);
        // The first match keeps the time of all of them.
        const auto played_us = static_cast<double>(tallies_.front().meters().wall_us);
        std::optional<double> us_per_pair;
        if (played_us > 0 && state.played.pairs() > 0)
            us_per_pair = played_us / static_cast<double>(state.played.pairs());
        tournament_ = tournament_of(run_, state, us_per_pair);
    }
    if (run_.plan.suite) suite_ = harness::judge(run_.plan, store_->searches(run_.id));
}

std::unique_ptr<StoredRun> StoredRun::load(const std::string& path, const std::string& selector) {
    auto store = std::make_shared<const harness::Store>(path, harness::Store::Access::Read);
    harness::RunRecord run = required_run(*store, selector);
    return std::make_unique<StoredRun>(std::move(store), std::move(run), Detail::FailedGames);
}

RunView StoredRun::view() const {
    RunView view{run_, {}, run_.findings.warnings, store_->path()};
    for (std::size_t match = 0; match < tallies_.size(); ++match)
        view.matches.push_back({&tallies_[match], failed_[match]});
    if (suite_) view.suite = &*suite_;
    view.tournament = tournament();
    view.exit_code = run_.findings.exit_code;
    return view;
}

}  // namespace assay::reports
