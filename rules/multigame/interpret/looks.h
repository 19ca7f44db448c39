#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// What a look asks. Each goes on at `next` where it succeeds, and fails where that fails.
enum class See : std::uint8_t {
    Yes,         // the test has succeeded
    Either,      // `other`, and where that fails `next`
    Try,         // `other` where `asked` succeeds, else `next`
    Test,        // where `asked` succeeds
    Not,         // where `asked` fails
    PointsAt,    // pattern `a`
    Step,        //
    StepPoints,  // a step to a field of pattern `a`
    Slide,       // at least `a`, at most `b` steps over fields of pattern `asked`; each in turn
    Find,        // each field of pattern `a` in turn
    Reach,       // one of the fields of set `a` has one of the contents that the set is about
    Directions,  // `a`, `a` + `b`, .. in turn
    Rotate,      // by `a`
    Direction,   // `a`
    Forward,     // `a`, 0 forward and 4 backward
    InZone,      // zone `a`, of the enemy where `b` is 1
    At,          // field variable `a`, of the enemy where `b` is 1
    Goto,        // field variable `a`, of the enemy where `b` is 1
    Check,       // statement `a`
};

/// A part of a test that moves finger and direction and changes nothing. It knows what follows it,
/// so that a walk through a test needs no memory but a few numbers on the C++ stack.
struct Look {
    See what = See::Yes;
    std::uint8_t flip = 0;  // 1: own is the enemy here
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::int32_t asked = 0;  // looks
    std::int32_t other = 0;
    std::int32_t next = 0;
};

/// The fields from which a walk that is the same on every board leads to some fields, and what is
/// looked for on those. By own, 0 or 1.
struct Reached {
    std::array<std::vector<Content>, 2> contents;
    std::array<std::vector<std::uint64_t>, 2> fields;  // by field from which it goes, words
};

/// All looks of a program; look 0 is Yes.
struct Looks {
    std::vector<Look> all{Look{}};
    std::vector<Reached> reached;
};

/// Adds the looks of a statement that a test asks about; nullopt where it does more than look, or
/// where its looks would be too many. The first of them.
[[nodiscard]] std::optional<std::int32_t> add_looks(const Form& form, const Statement& asked,
                                                    Looks& looks);

}  // namespace assay::rules::multigame
