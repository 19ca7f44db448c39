#include "reports/view/machine_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/escape.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

namespace json = boost::json;
using harness::MachineFinding;

constexpr std::int64_t kSkewTold = 2'000'000;

std::string_view words_of_finding(MachineFinding::Kind kind) {
    switch (kind) {
        case MachineFinding::Kind::Results:
            return "results unlike the others'";
        case MachineFinding::Kind::TimeLosses:
            return "more losses on time than the others";
        case MachineFinding::Kind::Crashes:
            return "more crashes than the others";
        case MachineFinding::Kind::Lost:
            return "more lost attempts than the others";
    }
    return "";
}

void add_sentence(std::string& text, const std::string& more) {
    text += (text.empty() ? "" : "; ") + more;
}

std::string lost_text(const harness::MachineCount& all) {
    return fmt::format("{} lost, for {} that count",
                       grouped(all.lost, "attempt was", "attempts were"),
                       grouped(all.pairs(), "pair"));
}

}  // namespace

std::string machine_name(const harness::RunRecord& run, std::int64_t machine) {
    if (machine == harness::kNoMachine) return "not known";
    const harness::MachineRecord& record = run.machine_of(machine);
    constexpr std::size_t kMost = 40;
    return shortened(printable_utf8(record.worker.empty() || record.worker == record.host
                                        ? record.host
                                        : record.host + " " + record.worker),
                     kMost);
}

std::string MachineRow::remarks() const {
    std::string text = trouble;
    if (is_unlike()) add_sentence(text, unlike);
    return text;
}

std::vector<MachineRow> machine_rows(const harness::MatchTally& tally,
                                     const harness::RunRecord& run) {
    const harness::MachineCounts& counts = tally.machine_counts();
    if (counts.rows().size() < 2) return {};
    const std::vector<MachineFinding> findings = counts.findings();
    std::vector<MachineRow> rows;
    for (const harness::MachineCount& count : counts.rows()) {
        MachineRow& row = rows.emplace_back();
        row.name = machine_name(run, count.machine);
        row.count = count;
        if (count.machine != harness::kNoMachine) {
            const harness::MachineRecord& machine = run.machine_of(count.machine);
            row.cpu = printable_utf8(machine.cpu);
            row.nps = machine.nps;
            row.factor = machine.factor;
            row.skew_us = machine.skew_us;
            constexpr std::size_t kMostOfTrouble = 200;
            row.trouble = shortened(printable_utf8(machine.trouble), kMostOfTrouble);
        }
        if (row.skew_us > kSkewTold || row.skew_us < -kSkewTold)
            add_sentence(row.trouble,
                         fmt::format("its clock is {} {}", duration(Micros(std::abs(row.skew_us))),
                                     row.skew_us > 0 ? "ahead" : "behind"));
        for (const MachineFinding& finding : findings) {
            if (finding.machine != count.machine) continue;
            add_sentence(row.unlike, fmt::format("{} ({})", words_of_finding(finding.kind),
                                                 p_value(finding.p_value)));
        }
    }
    return rows;
}

std::vector<MachineRow> shown_machines(std::vector<MachineRow> rows, std::size_t most) {
    if (rows.size() <= most) return rows;
    std::stable_partition(rows.begin(), rows.end(), [](const MachineRow& row) {
        return !row.trouble.empty() || row.is_unlike();
    });
    MachineRow rest;
    rest.name = fmt::format("{} more", rows.size() - most + 1);
    for (std::size_t i = most - 1; i < rows.size(); ++i) rest.count += rows[i].count;
    rows.resize(most - 1);
    rows.push_back(std::move(rest));
    return rows;
}

std::vector<std::vector<std::string>> machine_cells(const std::vector<MachineRow>& rows) {
    if (rows.empty()) return {};
    std::vector<std::vector<std::string>> cells{{"machine", "pairs", "games", "nodes/s", "clocks",
                                                 "time losses", "crashes", "late", "lost",
                                                 "trouble"}};
    for (const MachineRow& row : rows) {
        cells.push_back({row.name, grouped(row.count.pairs()), grouped(row.count.games),
                         row.nps > 0 ? grouped(static_cast<std::int64_t>(row.nps)) : "–",
                         row.factor > 0 ? fmt::format("× {:.2f}", row.factor) : "–",
                         grouped(row.count.time_losses), grouped(row.count.crashes),
                         grouped(row.count.late), grouped(row.count.lost),
                         row.remarks().empty() ? "–" : row.remarks()});
    }
    return cells;
}

const std::vector<bool>& is_machine_number() {
    static const std::vector<bool> kNumbers{false, true, true, true, true,
                                            true,  true, true, true, false};
    return kNumbers;
}

json::array machines_json(const std::vector<MachineRow>& rows) {
    json::array out;
    for (const MachineRow& row : rows) {
        const harness::MachineCount& count = row.count;
        out.push_back(
            {{"name", json_string(row.name)},
             {"cpu", json_string(row.cpu)},
             {"pairs", count.pairs()},
             {"results", json::array{count.results[0], count.results[1], count.results[2]}},
             {"games", count.games},
             {"nps", row.nps > 0 ? json_number(row.nps) : json::value(nullptr)},
             {"factor", row.factor > 0 ? json_number(row.factor) : json::value(nullptr)},
             {"skew_us", row.skew_us},
             {"time_losses", count.time_losses},
             {"crashes", count.crashes},
             {"late", count.late},
             {"lost", count.lost},
             {"returned", count.returned},
             {"unlike", row.is_unlike()},
             {"trouble", json_string(row.remarks())}});
    }
    return out;
}

std::optional<SlotHours> slot_hours(const harness::MatchTally& tally,
                                    const harness::RunRecord& run) {
    const auto rows = tally.machine_counts().rows();
    if (rows.empty() || (rows.size() < 2 && run.findings.fleet.empty())) return std::nullopt;
    constexpr double kHour = 3.6e9;
    SlotHours hours;
    for (const harness::MachineCount& row : rows) {
        const int slots =
            row.machine == harness::kNoMachine ? 1 : run.machine_of(row.machine).slots;
        hours.counted += static_cast<double>(row.counted_us) / kHour;
        hours.after_stop += static_cast<double>(row.after_stop_us) / kHour;
        hours.late += static_cast<double>(row.late_us) / kHour;
        hours.lost += static_cast<double>(row.lost_us) * std::max(1, slots) / kHour;
    }
    return hours;
}

std::string slot_hours_text(const harness::MatchTally& tally, const harness::RunRecord& run) {
    const std::optional<SlotHours> hours = slot_hours(tally, run);
    if (!hours) return "";
    const auto text = [](double of) {
        return duration(Micros(static_cast<std::int64_t>(of * 3.6e9)));
    };
    return fmt::format("slot-hours: {} counted, {} behind the verdict, {} late, {} lost",
                       text(hours->counted), text(hours->after_stop), text(hours->late),
                       text(hours->lost));
}

json::value slot_hours_json(const harness::MatchTally& tally, const harness::RunRecord& run) {
    const std::optional<SlotHours> hours = slot_hours(tally, run);
    if (!hours) return nullptr;
    return {{"counted", json_number(hours->counted)},
            {"after_stop", json_number(hours->after_stop)},
            {"late", json_number(hours->late)},
            {"lost", json_number(hours->lost)}};
}

std::string machines_reason(const harness::MatchTally& tally, const harness::RunRecord& run) {
    const harness::MachineCounts& counts = tally.machine_counts();
    std::string text;
    if (counts.is_lost_too_often())
        text = lost_text(counts.total()) +
               ", more than 2 %: those played in their place may be others";
    constexpr std::size_t kMostFound = 4;
    const std::vector<MachineFinding> findings = counts.findings();
    for (std::size_t i = 0; i < std::min(kMostFound, findings.size()); ++i)
        add_sentence(text,
                     fmt::format("{} has {} ({})", machine_name(run, findings[i].machine),
                                 words_of_finding(findings[i].kind), p_value(findings[i].p_value)));
    if (findings.size() > kMostFound)
        add_sentence(text, fmt::format("and {} more", findings.size() - kMostFound));
    return text;
}

}  // namespace assay::reports
