#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engines/search/time_plan.h"
#include "engines/uci/backend.h"
#include "engines/uci/line_input.h"
#include "engines/uci/uci_position.h"

namespace assay::engines {

/// Reads UCI commands and answers them, in one thread. During a search it reads the clock as often
/// as the search asks and looks for commands every millisecond. Lines of `info` are held back for
/// up to a tenth of a second, to be written together with the answer: each write wakes the reader,
/// which on a busy machine takes the processor away from the search.
class UciLoop {
public:
    /// REQUIRES: all references outlive this.
    UciLoop(Backend& backend, LineInput& input, int output, const Clock& clock);

    /// Runs until `quit` or the end of the input.
    void run();

private:
    /// A search in progress: its clock, and the commands received meanwhile.
    class Running;

    /// False after `quit`.
    bool handle(std::string_view line);
    void read_option(std::string_view rest);
    void settle();
    void go(std::string_view rest);
    /// Writes the waiting lines and the text.
    void say(std::string_view text);

    Backend& backend_;
    LineInput& input_;
    int output_;
    const Clock& clock_;
    UciPosition position_;
    std::vector<std::string> postponed_;  // commands received during a search
    std::string waiting_;                 // lines held back
    DelayMeter delays_;
    bool quits_ = false;
};

}  // namespace assay::engines
