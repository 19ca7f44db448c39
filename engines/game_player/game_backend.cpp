#include "engines/game_player/game_backend.h"

#include <utility>

#include "base/diagnostic.h"
#include "engines/game_player/game_knowledge.h"

namespace assay::engines {

GameBackend::GameBackend(std::unique_ptr<rules::Game> game)
    : SearchBackend("gameplayer", GameOptions{}), game_(std::move(game)) {
    const std::string name(game_->name());
    if (game_->info().has_chance) {
        throw Error("in '" + name +
                    "' chance decides too, and this player searches games without it; 'instant' "
                    "plays it at random");
    }
    if (game_->players() > 2) {
        throw Error("'" + name + "' has " + std::to_string(game_->players()) +
                    " players, and this player searches games of one or two; 'instant' plays it "
                    "at random");
    }
    has_quiet_ = has_quiet_moves(*game_);
}

std::optional<std::string> GameBackend::check(const GameOptions& options) const {
    return check_options(options);
}

std::optional<std::string> GameBackend::open_log() {
    return stores().open_log(options().tree_log, std::string(game_->name()), MoveNames::write,
                             &names_);
}

std::vector<Line> GameBackend::search(const rules::Position& position, const Limits& limits,
                                      Control& control) {
    if (options().has_worths && !learnt_) learnt_ = PieceWorths::learn(*game_);
    PieceWorths worths = learnt_.value_or(PieceWorths());
    (void)worths.set(options().worths);  // check() has tried it
    const auto copy = position.clone();
    const GameKnowledge knowledge(*game_, *copy, options(), worths, has_quiet_);
    GameState state(*copy, knowledge);
    NodeLog* const log = stores().log();
    if (log != nullptr) {
        log->start_search(position.text(), "");
        state.keep_names(&names_);
    }
    Searcher<GameState> searcher(state, options().search, stores().memory());
    searcher.log_to(log);
    return searcher.think(limits, control);
}

}  // namespace assay::engines
