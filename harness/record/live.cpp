#include "harness/record/live.h"

#include <boost/describe.hpp>
#include <boost/json.hpp>

#include "base/diagnostic.h"
#include "harness/plan/described_json.h"

namespace assay::adapters {

// Boost.Describe finds these by the namespace of the type.
BOOST_DESCRIBE_ENUM(Score::Bound, Exact, Lower, Upper)
BOOST_DESCRIBE_ENUM(Score::View, Mover, FirstPlayer)
BOOST_DESCRIBE_STRUCT(Score, (), (is_mate, value, bound, view))

}  // namespace assay::adapters

namespace assay::harness {

BOOST_DESCRIBE_STRUCT(LivePlayer, (), (program, clock, score, depth))
BOOST_DESCRIBE_STRUCT(LiveGame, (),
                      (match, number, pair, attempt, slot, start, moves, has_text_moves, mover,
                       turn, is_open, players))
BOOST_DESCRIBE_STRUCT(LiveState, (), (run, match, at_once, epoch_us, games))

namespace {

bool is_sound(const LiveGame& game) {
    if (game.number < 1 || game.pair < 0 || game.attempt < 0 || game.slot < 0) return false;
    if (game.players.empty() || game.players.size() > rules::kMostPlayers) return false;
    const auto players = static_cast<int>(game.players.size());
    if (game.mover < 0 || game.mover >= players) return false;
    for (const LivePlayer& player : game.players)
        if (player.program < 0 || player.program >= players) return false;
    return true;
}

}  // namespace

std::string live_json(const LiveState& state) {
    return boost::json::serialize(json_of(state)) + "\n";
}

LiveState read_live_json(std::string_view text) {
    LiveState state;
    boost::system::error_code error;
    const boost::json::value root = boost::json::parse(text, error);
    if (error) throw Error("games in play: no JSON: " + error.message());
    try {
        read_json("games in play", root, state);
    } catch (const UnexpectedValue& failure) {
        throw Error("games in play: '" + std::string(failure.what()) +
                    "' has not the type that it must have");
    }
    for (const LiveGame& game : state.games)
        if (!is_sound(game)) throw Error("games in play: a game that no run can play");
    return state;
}

}  // namespace assay::harness
