#pragma once
#include <cstddef>
#include <memory>

#include "harness/executor/executor.h"
#include "harness/executor/folder/coordinator_lock.h"
#include "harness/record/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Of a run whose plan has `slurm`, for as long as it is played: makes its folder where there is
/// none. Throws Error where the folder is not to be had or another assay coordinates the run.
[[nodiscard]] std::shared_ptr<CoordinatorLock> coordinator_lock(const RunRecord& run,
                                                                const Store& store);

/// Writes into the folder of such a run what workers need, and makes the executor of one of its
/// matches, which takes their parts into `store`. Throws Error (exit code 2) where Slurm or the
/// folder is not to be had. `store` outlives the executor. `lock`: null where the caller is known
/// to be alone.
[[nodiscard]] std::unique_ptr<Executor> slurm_executor(const RunRecord& run, std::size_t match,
                                                       Store& store,
                                                       std::shared_ptr<CoordinatorLock> lock);

}  // namespace assay::harness
