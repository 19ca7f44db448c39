#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engines/chess_player/options.h"
#include "engines/search/control.h"
#include "engines/search/searcher.h"
#include "engines/search/time_plan.h"
#include "engines/uci/line_input.h"
#include "engines/uci/uci_position.h"
#include "rules/chess/board.h"

namespace assay::engines {

/// What `go` asks.
struct GoCommand {
    Limits limits;
    ClockTold white;
    ClockTold black;
    bool ponders = false;
    bool infinite = false;
    std::vector<std::string> wrong;  // a sentence for each limit that cannot be read
};

/// Reads what follows `go`; what is unknown is passed over. A limit without a number is 1, so that
/// the search ends; an increment without a clock is the clock.
[[nodiscard]] GoCommand read_go(std::string_view text, const rules::Position& position);

/// "cp 31" or "mate -4".
[[nodiscard]] std::string score_text(int value);

/// A root as a searcher needs it: the board, and the hashes of the game's earlier positions that
/// may still recur, oldest first.
struct SearchRoot {
    rules::chess::Board board;
    std::vector<std::uint64_t> earlier;
};

/// REQUIRES: a position of chess.
[[nodiscard]] SearchRoot root_of(const rules::Position& position);

/// Searches with these options; the memory is sized by the caller. The log may be null.
[[nodiscard]] std::vector<Line> search(const rules::Position& position,
                                       const PlayerOptions& options, Memory& memory,
                                       const Limits& limits, Control& control,
                                       NodeLog* log = nullptr);

/// The chess program: reads UCI commands and answers them, in one thread. While it searches it
/// looks at the clock every 256 nodes and for commands every millisecond. Lines of `info` wait a
/// tenth of a second for the answer to go out with them: each write wakes the reader, which on a
/// busy machine takes the processor from the search.
class UciPlayer {
public:
    UciPlayer(LineInput& input, int output, const Clock& clock);

    /// Until `quit` or the end of the input.
    void run();

private:
    /// A search that is on: its clock, and what came in meanwhile.
    class Running;

    /// False: it was told to quit.
    bool handle(std::string_view line);
    void introduce();
    void read_option(std::string_view rest);
    void settle();
    bool size_table(const PlayerOptions& options);
    void open_log();
    void go(std::string_view rest);
    /// Writes the text, after what waits.
    void say(std::string_view text);

    LineInput& input_;
    int output_;
    const Clock& clock_;
    UciPosition position_;
    PlayerOptions wanted_;   // as the options were last set
    PlayerOptions options_;  // the last ones that go together: what is searched with
    Memory memory_;
    std::unique_ptr<NodeLog> log_;
    std::string log_path_;
    std::vector<std::string> postponed_;  // commands that came in a search
    std::string waiting_;                 // lines that need no reader yet
    DelayMeter delays_;
    bool is_settled_ = false;
    bool quits_ = false;
};

}  // namespace assay::engines
