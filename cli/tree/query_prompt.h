#pragma once
#include "cli/tree/query_output.h"
#include "gtql/lang/parser.h"
#include "gtql/log/tree.h"

namespace assay::cli {

/// Reads queries from standard input and answers each for one tree, until the input ends or 'quit'.
/// On a terminal with a line editor, history and completion of names. A wrong query is reported,
/// and the prompt continues.
void run_query_prompt(const gtql::TreeSource& tree, const gtql::ParseOptions& parse,
                      const gtql::ExecuteOptions& execute, QueryShow show);

}  // namespace assay::cli
