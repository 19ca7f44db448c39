#pragma once
#include <string>

#include <boost/json/object.hpp>

#include "reports/tournament/tournament_view.h"

namespace assay::reports {

/// The member "tournament" of a run's JSON (docs/reports.md): keys are added, never changed.
[[nodiscard]] boost::json::object tournament_json(const TournamentView& view);

/// The table as comma-separated values (RFC 4180 with LF), a row a program, with what it scored
/// against each of the others.
[[nodiscard]] std::string tournament_csv(const TournamentView& view);

}  // namespace assay::reports
