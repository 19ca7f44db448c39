#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engines/search/control.h"
#include "engines/search/time_plan.h"
#include "engines/uci/line_input.h"
#include "engines/uci/uci_position.h"

namespace assay::engines {

/// A program behind the UCI protocol: its options and its search. All calls come from one thread.
class Backend {
public:
    /// Options in force that the loop itself needs.
    struct Settings {
        bool chess960 = false;
        int lines = 1;  // of MultiPV
        Micros overhead{0};
    };

    /// Facts about a position that is to be searched.
    struct Root {
        int player = 0;            // who moves, also where a counter has ended the game
        bool is_attacked = false;  // without a legal move the player has lost
    };

    virtual ~Backend() = default;

    /// The lines that answer `uci`, without "uciok".
    [[nodiscard]] virtual std::string declaration() const = 0;
    /// Sets one option, which apply_options() puts into force. nullopt, or a sentence with the
    /// mistake.
    virtual std::optional<std::string> set_option(std::string_view name,
                                                  std::string_view value) = 0;
    /// Puts the options into force if they are compatible; cheap without a change. Returns
    /// sentences for the user.
    virtual std::vector<std::string> apply_options() = 0;
    [[nodiscard]] virtual Settings settings() const = 0;
    /// Forgets everything about earlier games.
    virtual void forget() = 0;
    [[nodiscard]] virtual Root root_of(const rules::Position& position) const = 0;
    [[nodiscard]] virtual std::vector<Line> search(const rules::Position& position,
                                                   const Limits& limits, Control& control) = 0;
    /// A move in UCI's notation.
    [[nodiscard]] virtual std::string name_of(Move move) const = 0;
};

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
