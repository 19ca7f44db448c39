#pragma once
#include <cstddef>
#include <memory>

#include "harness/executor/executor.h"
#include "harness/record/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Opens the folder of a run whose plan has `slurm`, writes into it what workers need, and makes
/// the executor of one of its matches, which takes their parts into `store`. Throws Error (exit
/// code 2) where Slurm or the folder is not to be had. `store` outlives the executor.
[[nodiscard]] std::unique_ptr<Executor> slurm_executor(const RunRecord& run, std::size_t match,
                                                       Store& store);

}  // namespace assay::harness
