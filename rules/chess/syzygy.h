#pragma once
#include <memory>
#include <string>

#include "rules/tablebase.h"

namespace assay::rules::chess {

/// Syzygy's tables of win, draw and loss (*.rtbw) in these folders, with ':' between them, through
/// the library Fathom. Throws Error where that library is not on this machine, where a folder is
/// not there or has no table, where a table is damaged (its size or first bytes are none of a
/// table), and where other folders are in use at the same time.
[[nodiscard]] std::unique_ptr<Tablebase> open_syzygy(const std::string& folders);

}  // namespace assay::rules::chess
