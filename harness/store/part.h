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
/// one file. Numbers of machines in it are 0, or the id() of `run.machine`'s others.
struct Part {
    std::string file;
    RunRecord run;                  // with the machine, its facts, and the versions that it found
    std::vector<PartPair> pairs;    // by match, pair, attempt
    std::vector<RunMeters> meters;  // by match of the plan
    std::vector<MachineBuild> builds;
    std::vector<AttemptRecord> attempts;  // that the worker gave back
    std::vector<std::string> warnings;    // sentences

    /// Its games and builds are those of the machine with this number in the coordinator's store,
    /// which Store::add_machine(run, part.run.machine) gives.
    void set_machine(std::int64_t number);
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

/// Closes a store to one file, without -wal and -shm, and seals it with the SHA-256 of all its
/// bytes, durable when this returns. Nothing may be written to it afterwards. REQUIRES: nobody has
/// it open. Throws as Store does.
void close_part(const std::string& file);

/// Reads a part of a run, of which it must have the uid, plan hash, seed, programs and books. The
/// file is not changed, and may hold any bytes: never throws because of them.
[[nodiscard]] std::variant<Part, PartFault> read_part(const std::string& file, const RunRecord& run,
                                                      const PartAsked& asked = {});

/// Moves a file that is not taken to `STORE.quarantine/`, with the reason in NAME.reason beside it;
/// a name that is taken there gets ".1", …. Where it went. Throws Error (exit code 4) where that
/// fails.
std::string quarantine(const std::string& store, const std::string& file,
                       const std::string& reason);

/// What import_part() did.
struct Imported {
    std::int64_t taken = 0;  // pairs that the store did not have
    std::int64_t equal = 0;  // that it had, in every field
    std::int64_t late = 0;   // of the taken ones: another attempt at the pair is newer, or counted
    std::vector<PairDigest>
        pairs;  // the taken ones as they are stored: late ones, and machines too
};

/// Puts a part into run `run` of a store, in one transaction, with the checks of read_part() and of
/// merge: what both have must be equal in every field. Half-played pairs are left out. The run's
/// state, findings and meters stay as they are; the worker's machine, builds and late attempts are
/// added to it. A fault changes nothing. Another process, or thread, may write to the store
/// meanwhile. Throws as Store does where the store fails.
[[nodiscard]] std::variant<Imported, PartFault> import_part(const std::string& store,
                                                            std::int64_t run,
                                                            const std::string& file,
                                                            const PartAsked& asked = {});

}  // namespace assay::harness
