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

/// A `go` command.
struct GoCommand {
    Limits limits;
    ClockTold white;
    ClockTold black;
    bool ponders = false;
    bool infinite = false;
    std::vector<std::string> wrong;  // a sentence for each invalid limit
};

/// Reads the text after `go`. Unknown words are skipped. A limit without a number is 1, so that the
/// search ends; an increment without a clock is used as the clock.
[[nodiscard]] GoCommand read_go(std::string_view text, const rules::Position& position);

/// "cp 31" or "mate -4".
[[nodiscard]] std::string score_text(int value);

/// The root of a search: the board, and the hashes of earlier positions of the game that may still
/// recur, oldest first.
struct SearchRoot {
    rules::chess::Board board;
    std::vector<std::uint64_t> earlier;
};

/// REQUIRES: `position` is one of chess.
[[nodiscard]] SearchRoot root_of(const rules::Position& position);

/// Searches with these options. The caller has sized the memory. The log may be null.
[[nodiscard]] std::vector<Line> search(const rules::Position& position,
                                       const PlayerOptions& options, Memory& memory,
                                       const Limits& limits, Control& control,
                                       NodeLog* log = nullptr);

/// The chess program: reads UCI commands and answers them, in one thread. During a search it reads
/// the clock every 256 nodes and looks for commands every millisecond. Lines of `info` are held
/// back for up to a tenth of a second, to be written together with the answer: each write wakes the
/// reader, which on a busy machine takes the processor away from the search.
class UciPlayer {
public:
    UciPlayer(LineInput& input, int output, const Clock& clock);

    /// Runs until `quit` or the end of the input.
    void run();

private:
    /// A search in progress: its clock, and the commands received meanwhile.
    class Running;

    /// False after `quit`.
    bool handle(std::string_view line);
    void introduce();
    void read_option(std::string_view rest);
    void settle();
    bool size_table(const PlayerOptions& options);
    void open_log();
    void go(std::string_view rest);
    /// Writes the waiting lines and the text.
    void say(std::string_view text);

    LineInput& input_;
    int output_;
    const Clock& clock_;
    UciPosition position_;
    PlayerOptions wanted_;   // as last set
    PlayerOptions options_;  // in force: the last compatible ones
    Memory memory_;
    std::unique_ptr<NodeLog> log_;
    std::string log_path_;
    std::vector<std::string> postponed_;  // commands received during a search
    std::string waiting_;                 // lines held back
    DelayMeter delays_;
    bool is_settled_ = false;
    bool quits_ = false;
};

}  // namespace assay::engines
