#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "harness/machine/machine_checks.h"
#include "harness/match/tally.h"
#include "harness/record/run.h"

namespace assay::reports {

/// A machine of a match that several played, as all reports show it.
struct MachineRow {
    std::string name;  // host, with the worker where there is one; printable
    std::string cpu;   // printable
    harness::MachineCount count;
    double nps = 0;            // of the second program, all places busy; 0: not measured
    double factor = 0;         // of its clocks; 0: they were not scaled
    std::int64_t skew_us = 0;  // of its wall clock
    std::string trouble;       // its own; printable, empty: none
    std::string unlike;        // what the checks found, fragments of a sentence; empty: nothing

    [[nodiscard]] bool is_unlike() const { return !unlike.empty(); }

    /// Its trouble and what the checks found; empty: neither.
    [[nodiscard]] std::string remarks() const;
};

/// MachineRow::name of a machine of the run.
[[nodiscard]] std::string machine_name(const harness::RunRecord& run, std::int64_t machine);

/// In the order in which they came; empty where one machine had all pairs.
[[nodiscard]] std::vector<MachineRow> machine_rows(const harness::MatchTally& tally,
                                                   const harness::RunRecord& run);

/// Rows of a table for people.
inline constexpr std::size_t kMostMachines = 20;

/// At most so many: those with trouble first, and the others of which there are too many in one
/// row. REQUIRES: most > 0.
[[nodiscard]] std::vector<MachineRow> shown_machines(std::vector<MachineRow> rows,
                                                     std::size_t most);

/// The cells of a table for people, its head first; empty without rows.
[[nodiscard]] std::vector<std::vector<std::string>> machine_cells(
    const std::vector<MachineRow>& rows);

/// By column of machine_cells(), whether it holds numbers.
[[nodiscard]] const std::vector<bool>& is_machine_number();

[[nodiscard]] boost::json::array machines_json(const std::vector<MachineRow>& rows);

/// Hours of slots (places for one game) that a match took where several machines or a fleet played.
struct SlotHours {
    double counted = 0;
    double after_stop = 0;  // behind the verdict
    double late = 0;
    double lost = 0;  // at most: from the claim of a batch that was lost until it was begun again
};

/// Unset where one machine played without a fleet.
[[nodiscard]] std::optional<SlotHours> slot_hours(const harness::MatchTally& tally,
                                                  const harness::RunRecord& run);

/// "slot-hours: 12:30 h counted, 20:00 min behind the verdict, 0 s late, 3:00 min lost"; empty
/// where there are none.
[[nodiscard]] std::string slot_hours_text(const harness::MatchTally& tally,
                                          const harness::RunRecord& run);

/// Null where there are none.
[[nodiscard]] boost::json::value slot_hours_json(const harness::MatchTally& tally,
                                                 const harness::RunRecord& run);

/// Why a match is tainted by its machines, a sentence fragment; empty where it is not.
[[nodiscard]] std::string machines_reason(const harness::MatchTally& tally,
                                          const harness::RunRecord& run);

}  // namespace assay::reports
