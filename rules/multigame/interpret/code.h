#pragma once
#include <cstdint>
#include <vector>

#include "rules/multigame/form/form.h"
#include "rules/multigame/interpret/looks.h"

namespace assay::rules::multigame {

/// What the interpreter does in one step. Between instructions the machine has registers (finger,
/// direction, hand, ..), and a stack of choices to return to when an instruction fails. Those with
/// no comment do what the statement of their name does.
enum class Do : std::uint8_t {
    Accept,       // the derivation is an output
    Return,       // behind the call
    Jump,         // to `target`
    Call,         // to rule `a`
    Try,          // a choice: where all before TryEnd fails, `target`
    TryEnd,       // the innermost Try has succeeded
    Test,         // a choice: where all before TestEnd fails, fail; the same as look `a`, if any
    Not,          // a choice: where all before TestEnd fails, `target`; look `a` too
    TestEnd,      // back to the state at Test or Not; then `target` behind Test, fail behind Not
    Either,       // a choice: `target` after what follows
    Repeat,       // begins to count rounds
    RepeatRound,  // after at least `a` rounds: on at `target`, and later into the body; `b` at most
    RepeatAgain,  // one round more, at `target`
    Slide,        // `repeat a .. b times [step, points at pattern]`, the pattern in `target`
    AsEnemy,      // exchanges own and enemy
    Find,         // a choice of fields
    Directions,   // a choice of directions: from `a` in steps of `b`
    Goto,
    PointsAt,
    StepPointsAt,  // `step, points at pattern`; the second statement is `b`
    Pickup,
    Putdown,
    Remove,
    Replace,
    Step,
    Rotate,
    Direction,
    Forward,
    InZone,
    At,
    Mark,
    Forget,
    Set,
    Add,
    Check,
    Matches,
    Verdict,
    Pass,
    WriteText,
    WriteField,
    WritePiece,
    Random,  // a choice of alternatives; `target` is the first of the jumps to them
    Again,
    Spread,  // explores up to SpreadEnd from each field that is reached; on at `target`
    SpreadEnd,
    Most,     // explores up to MostEnd for the greatest value of `a`, then goes in again
    MostEnd,  // fails where the value is not the greatest
};

struct Instruction {
    Do what = Do::Accept;
    std::uint8_t owner = 0;  // 0 own, 1 enemy
    std::uint8_t cost = 0;   // statements that it stands for
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::int32_t target = 0;
    std::int32_t statement = kNone;  // of the form
    /// Of a choice: the instruction that what it leads to begins with, where it is one that can be
    /// tried without going there; else kNone.
    std::int32_t guard = kNone;
};

/// A form as instructions; rule n begins at `rules[n]`.
struct Code {
    std::vector<Instruction> instructions;
    std::vector<std::int32_t> rules;
    std::int32_t accept = 0;  // an Accept, to which the first rule returns
    Looks looks;
};

/// The pattern where the statement is `[step, points at X]` or calls a rule that is, or kNone.
[[nodiscard]] int stepped_pattern(const Form& form, const Statement& statement);

[[nodiscard]] Code code_of(const Form& form);

}  // namespace assay::rules::multigame
