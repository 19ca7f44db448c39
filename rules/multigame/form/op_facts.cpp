#include "rules/multigame/form/op_facts.h"

#include <array>

namespace assay::rules::multigame {

namespace {

constexpr bool kNeedsFinger = true;
constexpr bool kMovesFinger = true;
constexpr bool kChanges = true;
constexpr bool kSays = true;
constexpr bool kNeverFails = true;

/// In the order of Op.
constexpr std::array kFacts{
    OpFacts{"sequence"},
    OpFacts{"either"},
    OpFacts{"try"},
    OpFacts{"repeat"},
    OpFacts{"test"},
    OpFacts{"not"},
    OpFacts{"as enemy"},
    OpFacts{"find"},
    OpFacts{"points at", kNeedsFinger},
    OpFacts{"pickup", kNeedsFinger, false, kChanges},
    OpFacts{"putdown", kNeedsFinger, false, kChanges},
    OpFacts{"remove", kNeedsFinger, false, kChanges},
    OpFacts{"replace by", kNeedsFinger, false, kChanges, false, kNeverFails},
    OpFacts{"step", kNeedsFinger, kMovesFinger},
    OpFacts{"rotate", false, false, false, false, kNeverFails},
    OpFacts{"north", false, false, false, false, kNeverFails},
    OpFacts{"forward", false, false, false, false, kNeverFails},
    OpFacts{"alldir", false, false, false, false, kNeverFails},
    OpFacts{"in", kNeedsFinger},
    OpFacts{"at", kNeedsFinger},
    OpFacts{"goto", false, kMovesFinger},
    OpFacts{"mark", kNeedsFinger, false, kChanges, false, kNeverFails},
    OpFacts{"forget", false, false, kChanges, false, kNeverFails},
    OpFacts{"set", false, false, kChanges, false, kNeverFails},
    OpFacts{"add", false, false, kChanges, false, kNeverFails},
    OpFacts{"check"},
    OpFacts{"matches"},
    OpFacts{"win", false, false, false, kSays, kNeverFails},
    OpFacts{"pass", false, false, false, kSays, kNeverFails},
    OpFacts{"write", false, false, false, kSays, kNeverFails},
    OpFacts{"write field", kNeedsFinger, false, false, kSays, kNeverFails},
    OpFacts{"write piece", kNeedsFinger, false, false, kSays},
    OpFacts{"random", false, false, false, kSays},
    OpFacts{"again", false, false, false, kSays, kNeverFails},
    OpFacts{"spread", kNeedsFinger, false, false, false, kNeverFails},
    OpFacts{"most"},
    OpFacts{"call"},
};
static_assert(kFacts.size() == static_cast<std::size_t>(Op::Call) + 1);
static_assert(kFacts[static_cast<std::size_t>(Op::Goto)].word == "goto");
static_assert(kFacts[static_cast<std::size_t>(Op::Most)].word == "most");

constexpr std::array<std::string_view, kDirections> kDirectionWords{
    "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"};

}  // namespace

const OpFacts& facts_of(Op op) {
    return kFacts[static_cast<std::size_t>(op)];
}

std::string_view word_of(const Statement& statement) {
    switch (statement.op) {
        case Op::Direction:
            return item(kDirectionWords, statement.index);
        case Op::Forward:
            return statement.index == 0 ? "forward" : "backward";
        case Op::Directions:
            if (statement.least == 1) return "alldir";
            return statement.index == 0 ? "orthogonal" : "diagonal";
        case Op::Verdict:
            if (statement.verdict == Verdict::Win) return "win";
            return statement.verdict == Verdict::Lose ? "lose" : "draw";
        default:
            return facts_of(statement.op).word;
    }
}

}  // namespace assay::rules::multigame
