#pragma once
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "reports/view/run_view.h"

namespace assay::reports {

/// The "expectations" of a run's JSON; empty where it has no suite, or none has been judged.
[[nodiscard]] boost::json::array expectations_json(const RunView& view);

/// The "suite" of a run's JSON: positions, programs and every search; null where there is none.
[[nodiscard]] boost::json::value suite_json(const RunView& view);

}  // namespace assay::reports
