#include "harness/record/pv_finding.h"

#include <algorithm>
#include <utility>

#include "base/enum_names.h"
#include "harness/plan/described_json.h"

namespace assay::harness {

namespace {

constexpr auto kFlawNames = enum_names<PvFlaw>("illegal_move", "after_win", "after_draw",
                                               "after_repetition", "after_counter", "short_mate",
                                               "long_mate", "no_mate", "other_move", "mate_sign");

}  // namespace

std::string_view name_of(PvFlaw flaw) {
    return kFlawNames.of(flaw);
}

std::optional<PvFlaw> pv_flaw_of(std::string_view name) {
    return kFlawNames.find(name);
}

BOOST_DESCRIBE_STRUCT(PvFinding, (),
                      (program, player, game, ply, move, line, start, moves, mate, other_mate,
                       other_line))

std::string to_json(const PvFinding& finding) {
    boost::json::object object = json_of(finding).as_object();
    object["flaw"] = boost::json::string_view(name_of(finding.flaw));
    return boost::json::serialize(object);
}

std::optional<PvFinding> pv_finding_of(std::string_view json) {
    boost::system::error_code error;
    const boost::json::value value =
        boost::json::parse(boost::json::string_view(json.data(), json.size()), error);
    if (error || !value.is_object()) return std::nullopt;
    PvFinding finding;
    try {
        read_json("finding", value, finding);
    } catch (const UnexpectedValue&) {
        return std::nullopt;
    }
    const auto* const name = value.get_object().if_contains("flaw");
    const auto flaw =
        name != nullptr && name->is_string() ? pv_flaw_of(name->get_string()) : std::nullopt;
    if (!flaw) return std::nullopt;
    finding.flaw = *flaw;
    if (finding.program < 0 || finding.player < 0 || finding.ply < 0) return std::nullopt;
    return finding;
}

void count_pv_finding(std::vector<PvCount>& counts, const PvFinding& finding) {
    for (PvCount& known : counts) {
        if (known.flaw != finding.flaw || known.program != finding.program) continue;
        ++known.count;
        return;
    }
    counts.push_back({finding.flaw, finding.program, 1, finding});
}

void PvSummary::add(std::vector<PvCount>& counts) {
    for (PvCount& one : counts) {
        Row& row = row_of(one.program, one.flaw);
        row.count += one.count;
        ++row.games;
        if (row.examples.size() >= kMostExamples) {
            one.example.reset();
        } else if (one.example) {
            row.examples.push_back(*one.example);
        }
    }
}

void PvSummary::add(int program, PvFlaw flaw, const Row& row) {
    Row& known = row_of(program, flaw);
    known.count += row.count;
    known.games += row.games;
    for (const PvFinding& example : row.examples) {
        if (known.examples.size() < kMostExamples) known.examples.push_back(example);
    }
}

const PvSummary::Row& PvSummary::row(int program, PvFlaw flaw) const {
    static const Row kNone;
    const auto index = static_cast<std::size_t>(program);
    return index < rows_.size() ? rows_[index].at(static_cast<std::size_t>(flaw)) : kNone;
}

std::int64_t PvSummary::count_of(int program) const {
    std::int64_t sum = 0;
    for (std::size_t flaw = 0; flaw < kPvFlaws; ++flaw)
        sum += row(program, static_cast<PvFlaw>(flaw)).count;
    return sum;
}

PvSummary::Row& PvSummary::row_of(int program, PvFlaw flaw) {
    const auto index = static_cast<std::size_t>(program);
    if (index >= rows_.size()) rows_.resize(index + 1);
    return rows_[index].at(static_cast<std::size_t>(flaw));
}

}  // namespace assay::harness
