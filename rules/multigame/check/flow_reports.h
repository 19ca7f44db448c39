#pragma once
#include "rules/multigame/check/calls.h"
#include "rules/multigame/form/form.h"
#include "rules/multigame/syntax/problems.h"

namespace assay::rules::multigame {

/// Reports what flow.h finds wrong. Errors: statements that surely fail for want of a finger or for
/// the state of the hand, ways through main and setup that end with a full hand, alternatives of
/// `random` that surely have no outcome or more than one. Warnings: rules that can never succeed,
/// alternatives that are never reached, and steps whose direction was never set.
void report_flow(const Form& form, const Calls& calls, Problems& problems);

}  // namespace assay::rules::multigame
