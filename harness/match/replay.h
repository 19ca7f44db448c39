#pragma once
#include <string>
#include <vector>

#include "adapters/process/program_spec.h"
#include "adapters/protocol/search.h"
#include "base/clock.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"

namespace assay::harness {

/// One ply of a stored game, as the program that had to move saw it.
struct ReplayStep {
    int ply = 0;           // from 1, the opening's plies included
    bool is_book = false;  // of the opening: no program was asked
    int player = 0;        // rules::kChance: an event was drawn, no program was asked
    int program = 0;       // 0 or 1 of `between`; -1: none
    int move_number = 0;   // as printed before the move
    std::string label;     // the same as records write it: "34..." (rules::move_label)
    std::string before;    // position text
    std::string after;     // position text; empty: no move was made
    std::string name;      // protocol notation; empty: no move was made
    std::string san;       // rules::Notation::Text
    bool has_clock = false;
    Micros clock{0};    // the mover's, when it was told to go
    Micros allowed{0};  // until its flag falls or it is stopped

    [[nodiscard]] bool is_asked() const { return !is_book && program >= 0; }

    std::string commands;  // what the program was told, line by line; empty in the opening
    /// The same as a request; its views are those of the step's `start` and `moves`.
    [[nodiscard]] adapters::SearchRequest search() const;
    std::string start;                   // of the game; empty: the game's start position
    std::string moves;                   // from there, protocol notation
    adapters::SearchRequest limits;      // start and moves unset
    const MoveRecord* record = nullptr;  // in the game; null in the opening and where none was made
};

/// Every ply of the game, and one more without a move where a program failed to make it. `game`
/// must outlive the result. Clocks are counted anew from the plan and the times used, in the
/// microseconds in which they were kept.
/// Throws Error where the record does not fit the rules (a damaged store).
[[nodiscard]] std::vector<ReplayStep> replay(const GameRecord& game, const RunPlan& run,
                                             std::size_t match);

/// What brings the program to the step as lines of its protocol, from the handshake on: options,
/// a new game, the position, the search.
[[nodiscard]] std::vector<std::string> replay_lines(const ReplayStep& step,
                                                    const adapters::ProgramSpec& spec);

/// One line for a POSIX shell that starts the program, sends the lines, ends the program when it
/// has answered, and no later than a second after the time that it was allowed.
[[nodiscard]] std::string replay_shell(const ReplayStep& step, const adapters::ProgramSpec& spec);

}  // namespace assay::harness
