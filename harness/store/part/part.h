#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/record/fleet.h"
#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"

namespace assay::harness {

/// The limits of a part. They hold for pairs of every state.
inline constexpr std::uint64_t kMostPartBytes = 64ULL << 20U;
inline constexpr std::int64_t kMostPartPairs = 4096;

/// Pairs of one match that were asked for together.
struct AskedPairs {
    std::size_t match = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;

    [[nodiscard]] bool has(std::size_t of_match, std::int64_t pair) const {
        return of_match == match && pair >= first && pair < first + count;
    }
};

/// What was asked of the worker; what is unset may be anything.
struct PartAsked {
    std::optional<AskedPairs> pairs{};
    std::optional<int> claim{};  // its attempts belong to this claim (fleet.h)
    bool is_late = false;        // it was handed in too late: none of its pairs counts
};

/// A pair with its games, each as it was when it ended, with its pv_counts.
struct PartPair {
    PairDigest
        digest;  // match, pair, attempt, state as the worker saw it: Counted, Duplicate, Void
    std::vector<GameRecord> games;  // two; of a void pair one or two
};

/// A part of a run as one worker played it: a store with one run and some of its pairs, closed to
/// one file. Numbers of machines in it are 0, or keys of `run.other_machines`.
struct Part {
    std::string file;
    RunRecord run;                  // with the machine, its facts, and the versions that it found
    std::vector<PartPair> pairs;    // by match, pair, attempt
    std::vector<RunMeters> meters;  // by match of the plan
    std::vector<MachineBuild> builds;
    std::vector<AttemptRecord> attempts;  // that the worker gave back
    std::vector<std::string> warnings;    // sentences
};

/// Why a file is not taken.
struct PartFault {
    enum class Kind : std::uint8_t {
        Missing,  // it cannot be opened or read: another look may see more
        Damaged,  // cut short, changed, or not written by a worker
        TooLarge,
        Newer,    // of a schema that this assay does not know
        Foreign,  // of another run, plan, seed, book or program
        Pairs,    // not those that were asked for
    };

    Kind kind = Kind::Damaged;
    std::string sentence;  // with the file's name; printable
};

/// Ends the reading of a part: read_part() makes a PartFault of it.
struct PartRefusal {
    PartFault::Kind kind = PartFault::Kind::Damaged;
    std::string why;  // behind "FILE: "
};

[[noreturn]] void refuse_part(PartFault::Kind kind, std::string why);

/// Reads a part of a run, of which it must have the uid, plan hash, seed, programs and books. The
/// file is not changed, and may hold any bytes: never throws because of them. What the result does
/// not have was not looked at: whoever takes the part writes from the result.
[[nodiscard]] std::variant<Part, PartFault> read_part(const std::string& file, const RunRecord& run,
                                                      const PartAsked& asked = {});

}  // namespace assay::harness
