#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// One field or slot that a move changes. Below the board's size `place` is a field and the values
/// are contents; from there on it is slot `place - size`.
struct Change {
    std::int32_t place = 0;
    std::int32_t before = 0;
    std::int32_t after = 0;

    friend bool operator==(const Change&, const Change&) = default;
};

/// A move, or an outcome of a chance decision.
struct MoveEntry {
    std::uint64_t signature = 0;  // key before, xor key after
    std::uint32_t first_change = 0;
    std::uint32_t changes = 0;
    std::int16_t reason = kNone;  // index of Form::texts
    Verdict verdict = Verdict::None;
    bool is_claim = false;   // says a verdict on the position itself and changes nothing
    bool is_again = false;   // the same side moves on
    int decision = kNone;    // outcomes of one decision have one number, from 0
    std::uint32_t code = 0;  // of the move in this list, where has_codes
    double probability = 1;
};

/// Another name of a move.
struct Alias {
    std::string name;
    std::uint32_t move = 0;
};

/// All moves of a position in derivation order. Cleared and filled again without allocation once it
/// has grown.
struct MoveList {
    std::vector<MoveEntry> moves;
    std::vector<Change> changes;
    bool has_names = false;
    bool has_codes = false;  // all are moves of players, and their codes are those of game.h
    std::vector<std::string> names;      // of each move, where has_names
    std::vector<std::string> decisions;  // names of decisions, where has_names
    std::vector<Alias> aliases;          // where has_names
    /// The place of a silent variable in which two derivations of one move differ, or kNone; the
    /// first one counts. Known where has_names.
    int silent_difference = kNone;

    [[nodiscard]] std::span<const Change> changes_of(const MoveEntry& move) const {
        return {changes.data() + move.first_change, move.changes};
    }
};

/// Leaves out the aliases that are a move's name or name two moves.
void settle_aliases(MoveList& list);

}  // namespace assay::rules::multigame
