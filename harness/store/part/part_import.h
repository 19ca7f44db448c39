#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "harness/store/part/part.h"
#include "harness/store/store.h"

namespace assay::harness {

/// What an import did.
struct Imported {
    std::int64_t taken = 0;  // pairs that the store did not have
    std::int64_t equal = 0;  // that it had, in every field
    std::int64_t late = 0;   // of the taken ones: another attempt at the pair is newer, or counted
    std::vector<PairDigest>
        pairs;  // the taken ones as they are stored: late ones, and machines too
    std::vector<RunMeters> meters;      // of the part, by match of the plan
    std::vector<std::string> warnings;  // of the part: sentences
};

/// Puts a part that read_part() gave for `run` into that run of the store, in one transaction. A
/// game that both have must be equal in every field, as in a merge. With `are_late` the part was
/// handed in too late: what is new of it counts nowhere. The run's state, findings and
/// meters stay as they are (Imported::meters has the part's), but for the faults between games of a
/// part of which a pair was taken that is not late; these, the worker's machines with what is newly
/// known of them, builds and late attempts are added to it. A fault changes nothing. Another
/// process may write to the store meanwhile. REQUIRES: no transaction of the store is open. Throws
/// as Store does, for the store's own faults.
[[nodiscard]] std::variant<Imported, PartFault> take_part(Store& store, const RunRecord& run,
                                                          Part part, bool are_late = false);

/// read_part() and take_part().
[[nodiscard]] std::variant<Imported, PartFault> import_part(Store& store, const RunRecord& run,
                                                            const std::string& file,
                                                            const PartAsked& asked = {});

}  // namespace assay::harness
