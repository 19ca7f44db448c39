#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/event_loop.h"
#include "adapters/process/program_spec.h"
#include "adapters/protocol/search.h"

namespace assay::adapters {

class LineObserver;
class Player;
class PlayerListener;

/// What a protocol can ask of programs. A plan that needs something which is false here is refused
/// before its first game.
struct Capabilities {
    bool clock = true;  // a clock for the whole game
    bool move_time = true;
    bool nodes = true;
    bool depth = true;
    bool infinite = true;  // until it is stopped
    bool stop = true;      // a search can be ended early
    bool ponder = true;    // it thinks in the opponent's turn, when it is told to
    bool ping = true;      // it can be asked whether it is ready
    bool multi_pv = true;  // it can be asked for several lines
    bool tree_log = true;  // it can be told by an option where to log its tree
};

/// Words of a protocol as sentences about a program's failures name them.
struct ProtocolWords {
    std::string_view ready = "readiness";  // what a program answers when it can begin
    std::string_view answer = "answer";    // what it answers to a search
    std::string_view go = "go";            // what begins a search
    std::string_view stop = "stop";        // what ends one
};

/// A protocol described: what holds for every program that speaks it.
struct ProtocolInfo {
    std::string_view name;   // as configs write it
    std::string_view title;  // for sentences: "UCI"
    Capabilities can;
    ProtocolWords words;
    /// Names of options that have a meaning for the harness; empty: the protocol has none.
    std::string_view threads_option;
    std::string_view tree_log_option;
};

/// A protocol: its description, a factory of players, and the lines that a player sends, for people
/// who want to send the same by hand. There is one object a protocol, listed in adapters/protocols.
struct Protocol {
    ProtocolInfo info;
    /// `listener` and `observer` (may be null) must outlive the player.
    std::unique_ptr<Player> (*make_player)(EventLoop& loop, const ProgramSpec& spec,
                                           PlayerListener& listener, LineObserver* observer);
    /// The lines that a player sends for a search.
    std::string (*search_lines)(const SearchRequest& request);
    /// The lines, without their ends, that bring a program from its start to the search, as far as
    /// they are known before the program has said anything.
    std::vector<std::string> (*script)(const ProgramSpec& spec, const GameStart& game,
                                       const SearchRequest& request);
    /// What the line that answers a search matches, as a basic regular expression (POSIX).
    std::string_view answer_pattern;
    /// The lines that end a search and then the program.
    std::vector<std::string_view> end_lines;
};

}  // namespace assay::adapters
