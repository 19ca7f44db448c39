#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

/// Where the run behind a file of results is.
struct StoredRunPlace {
    std::string store;
    std::string command_line;  // that the run was begun with
};

/// What two engines took from each other, seen by the first one; engines by their number.
struct CoupleResults {
    std::size_t first = 0;
    std::size_t second = 1;
    ResultCounts counts;
};

/// The file of results (config.json) as fastchess writes it, with the place of the run for
/// ourselves.
[[nodiscard]] std::string result_file_text(const RunnerSettings& settings,
                                           const std::vector<CoupleResults>& results,
                                           const StoredRunPlace& place);

/// The settings of such a file, ours or fastchess's, with the results of two engines in
/// RunnerSettings::earlier; those of more are left out, as fastchess does. A key that is missing
/// keeps its default. Throws BadWord where the text is no such file; `path` is for its message.
[[nodiscard]] RunnerSettings read_result_file(const std::string& text, const std::string& path);

}  // namespace assay::configs::dropin
