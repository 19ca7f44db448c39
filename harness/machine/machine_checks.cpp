// Whether a machine of a fleet plays differently from the others: in results, in losses on time, in
// crashes, and in pairs that it lost. A machine that counts wrongly (a bad memory, another build, a
// neighbour that takes its processors) would otherwise be averaged into the verdict. Each machine
// is tested against all others together, for each of the four; the p-values of all these tests are
// corrected as one family (Holm 1979), because fifty machines make two hundred tests, of which ten
// would be below 5 % by chance.
#include "harness/machine/machine_checks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/enum_names.h"
#include "stats/test/group_checks.h"
#include "stats/test/multiple.h"

namespace assay::harness {

namespace {

template <class Rate>
void add_rates(std::span<const MachineCount> rows, MachineFinding::Kind kind, const Rate& rate_of,
               std::vector<MachineFinding>& tests) {
    std::vector<stats::GroupRate> rates;
    for (const MachineCount& row : rows) rates.push_back(rate_of(row));
    const std::vector<double> values = stats::rate_p_values(rates);
    for (std::size_t i = 0; i < rows.size(); ++i)
        tests.push_back({kind, rows[i].machine, values[i]});
}

/// For each machine its test against all others together.
std::vector<std::optional<double>> results_against_rest(std::span<const MachineCount> rows) {
    std::vector<stats::GroupResults> results;
    for (const MachineCount& row : rows) results.push_back(row.results);
    return stats::group_p_values(results);
}

/// Rows that can be tested: a machine with too few games for that would stand in the rest of the
/// others, and where only one other is left it would take the blame alone.
std::vector<MachineCount> testable(std::vector<MachineCount> rows) {
    while (true) {
        const std::vector<std::optional<double>> values = results_against_rest(rows);
        std::vector<MachineCount> left;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (values[i]) left.push_back(rows[i]);
        if (left.size() == rows.size()) return left;
        rows = std::move(left);
    }
}

/// P-values of the same table that differ by rounding alone.
bool is_as_odd(double p_value, double oddest) {
    return p_value <= oddest * (1 + 1e-9);
}

/// One odd machine makes all others unlike the rest, which it is part of. So the oddest one is
/// named and left out, and the others are tested without it, by Holm's correction for all tests
/// that are left (`others`: those that are not of results). Where several are as odd, all of them
/// are named: of two that differ nobody can say which it is.
void name_odd_results(std::vector<MachineCount> rows, std::span<const double> others,
                      std::vector<MachineFinding>& found) {
    for (rows = testable(std::move(rows)); !rows.empty(); rows = testable(std::move(rows))) {
        std::vector<double> values;
        for (const std::optional<double>& value : results_against_rest(rows))
            values.push_back(*value);
        const auto oddest = std::ranges::min_element(values) - values.begin();
        const double least = values[static_cast<std::size_t>(oddest)];
        std::vector<double> all = values;
        all.insert(all.end(), others.begin(), others.end());
        const stats::Adjusted adjusted =
            stats::adjust_holm(all, MachineCounts::kLevel)[static_cast<std::size_t>(oddest)];
        if (!adjusted.is_rejected) return;
        std::vector<MachineCount> left;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (is_as_odd(values[i], least))
                found.push_back({MachineFinding::Kind::Results, rows[i].machine, adjusted.value});
            else
                left.push_back(rows[i]);
        }
        rows = std::move(left);
    }
}

/// The two sides of a game play in turn, so that their clocks together are the time that it took.
void add_time(MachineCount& row, const PairDigest& pair) {
    long long used = 0;
    for (const GameDigest& game : pair.played()) used += game.used_us;
    switch (pair.state) {
        case PairState::Counted:
        case PairState::Duplicate:
            row.counted_us += used;
            break;
        case PairState::AfterStop:
            row.after_stop_us += used;
            break;
        case PairState::Late:
            row.late_us += used;
            break;
        case PairState::Void:
            break;  // the harness's own delay
    }
}

}  // namespace

std::string_view name_of(MachineFinding::Kind kind) {
    return enum_names<MachineFinding::Kind>("results", "time_losses", "crashes", "lost").of(kind);
}

MachineCount& MachineCounts::row_of(std::int64_t machine) {
    if (last_ < rows_.size() && rows_[last_].machine == machine) return rows_[last_];
    const auto found = std::ranges::find(rows_, machine, &MachineCount::machine);
    last_ = static_cast<std::size_t>(found - rows_.begin());
    if (found == rows_.end()) rows_.emplace_back().machine = machine;
    return rows_[last_];
}

void MachineCounts::add(const PairDigest& pair) {
    findings_.reset();
    MachineCount& row = row_of(pair.machine);
    add_time(row, pair);
    if (pair.state == PairState::Late) {
        ++row.late;
        return;
    }
    for (const GameDigest& game : pair.played()) {
        if (game.scores.players == 0) continue;  // of a void pair, never played
        ++row.games;
        if (game.termination == Termination::Time && !game.harness_caused) ++row.time_losses;
        if (is_gone(game.termination)) ++row.crashes;
    }
    if (pair.state != PairState::Counted || pair.is_single) return;
    const int category = pair.category();
    ++row.results[category < 2 ? 0 : category == 2 ? 1 : 2];
}

void MachineCounts::add(const AttemptRecord& attempt) {
    findings_.reset();
    MachineCount& row = row_of(attempt.machine);
    switch (attempt.fate) {
        case AttemptFate::Lost:
            ++row.lost;
            // All pairs of a claim were lost together.
            if (attempt.claimed_us > 0 && attempt.ended_us > attempt.claimed_us &&
                lost_claims_.emplace(attempt.machine, attempt.claimed_us).second)
                row.lost_us += attempt.ended_us - attempt.claimed_us;
            break;
        case AttemptFate::Late:
            break;  // its pair is there
        case AttemptFate::Returned:
        case AttemptFate::Barred:
            ++row.returned;
            break;
    }
}

MachineCount& MachineCount::operator+=(const MachineCount& other) {
    for (std::size_t kind = 0; kind < results.size(); ++kind) results[kind] += other.results[kind];
    games += other.games;
    time_losses += other.time_losses;
    crashes += other.crashes;
    late += other.late;
    lost += other.lost;
    returned += other.returned;
    counted_us += other.counted_us;
    after_stop_us += other.after_stop_us;
    late_us += other.late_us;
    lost_us += other.lost_us;
    return *this;
}

MachineCount MachineCounts::total() const {
    MachineCount all;
    for (const MachineCount& row : rows_) all += row;
    return all;
}

std::vector<MachineFinding> MachineCounts::findings() const {
    if (!findings_) findings_ = make_findings();
    return *findings_;
}

std::vector<MachineFinding> MachineCounts::make_findings() const {
    std::vector<MachineCount> rows = rows_;
    std::erase_if(rows, [](const MachineCount& row) { return row.machine == kNoMachine; });
    if (rows.size() < 2) return {};
    std::vector<MachineFinding> tests;
    add_rates(
        rows, MachineFinding::Kind::TimeLosses,
        [](const MachineCount& row) {
            return stats::GroupRate{row.time_losses, row.games};
        },
        tests);
    add_rates(
        rows, MachineFinding::Kind::Crashes,
        [](const MachineCount& row) {
            return stats::GroupRate{row.crashes, row.games};
        },
        tests);
    add_rates(
        rows, MachineFinding::Kind::Lost,
        [](const MachineCount& row) {
            return stats::GroupRate{row.lost, row.lost + row.late + row.games / 2};
        },
        tests);
    std::vector<double> values;
    for (const MachineFinding& test : tests) values.push_back(test.p_value);
    std::vector<MachineFinding> found;
    name_odd_results(rows, values, found);
    for (const std::optional<double>& value : results_against_rest(testable(rows)))
        values.push_back(*value);
    const std::vector<stats::Adjusted> adjusted = stats::adjust_holm(values, kLevel);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        if (!adjusted[i].is_rejected) continue;
        found.push_back(tests[i]);
        found.back().p_value = adjusted[i].value;
    }
    return found;
}

bool MachineCounts::is_lost_too_often() const {
    const MachineCount all = total();
    return all.lost > 1 &&
           static_cast<double>(all.lost) > kMostLost * static_cast<double>(all.pairs());
}

}  // namespace assay::harness
