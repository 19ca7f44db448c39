#pragma once
#include "reports/history/history.h"

namespace assay::reports {

/// Fills in the levels and steps of Elo and of speed, none across two series. The series of the
/// nights must have been marked.
void find_all_steps(History& history);

}  // namespace assay::reports
