#include "configs/dropin/runner_adjudication.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace assay::configs::dropin {

namespace {

harness::AdjudicatePlan::Tables tables_of(const TablebaseSettings& settings,
                                          const std::string& folder) {
    using Result = harness::AdjudicatePlan::Tables::Result;
    harness::AdjudicatePlan::Tables tables;
    std::vector<std::string> folders;
    for (const std::string_view one : split_at(settings.folders, ':'))
        folders.push_back(absolute(std::string(one), folder));
    tables.path = joined(folders, ":");
    tables.pieces = std::max(0, settings.pieces);
    tables.counts_quiet_moves = !settings.ignores_fifty;
    tables.result = settings.result == TablebaseSettings::Result::WinLoss ? Result::Win
                    : settings.result == TablebaseSettings::Result::Draw  ? Result::Draw
                                                                          : Result::Both;
    return tables;
}

}  // namespace

std::string absolute(const std::string& path, const std::string& folder) {
    return path.starts_with('/') ? path : folder + "/" + path;
}

harness::AdjudicatePlan adjudication_of(const RunnerSettings& settings, const std::string& folder) {
    harness::AdjudicatePlan plan;
    if (settings.tablebase.is_on) plan.tablebase = tables_of(settings.tablebase, folder);
    if (settings.draw.is_on)
        plan.draw = harness::AdjudicatePlan::Draw{
            settings.draw.move_number, std::max(1, settings.draw.move_count), settings.draw.score};
    if (settings.resign.is_on)
        plan.resign =
            harness::AdjudicatePlan::Resign{std::max(1, settings.resign.move_count),
                                            settings.resign.score, settings.resign.two_sided};
    if (settings.most_moves && *settings.most_moves > 0) plan.length = settings.most_moves;
    plan.flag_is_draw_if_none_can_win = settings.runner == Runner::Cutechess;
    return plan;
}

}  // namespace assay::configs::dropin
